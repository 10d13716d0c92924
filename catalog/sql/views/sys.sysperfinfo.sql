-- sys.sysperfinfo: sys.dm_os_performance_counters as SQL Server 2000 told it.
-- column: object_name nchar(128) not null
-- column: counter_name nchar(128) not null
-- column: instance_name nchar(128)
-- column: cntr_value bigint not null
-- column: cntr_type int not null
SELECT object_name, counter_name, instance_name, cntr_value, cntr_type FROM live_performance_counters
