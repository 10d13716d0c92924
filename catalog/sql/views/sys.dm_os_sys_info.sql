-- sys.dm_os_sys_info: the machine and when the instance was opened. Differs: ticks count from that moment; what is not
-- measured is 0.
-- column: cpu_ticks bigint not null
-- column: ms_ticks bigint not null
-- column: cpu_count int not null
-- column: hyperthread_ratio int not null
-- column: physical_memory_kb bigint not null
-- column: virtual_memory_kb bigint not null
-- column: committed_kb bigint not null
-- column: committed_target_kb bigint not null
-- column: visible_target_kb bigint not null
-- column: stack_size_in_bytes int not null
-- column: os_quantum bigint not null
-- column: os_error_mode int not null
-- column: os_priority_class int
-- column: max_workers_count int not null
-- column: scheduler_count int not null
-- column: scheduler_total_count int not null
-- column: deadlock_monitor_serial_number int not null
-- column: sqlserver_start_time_ms_ticks bigint not null
-- column: sqlserver_start_time datetime not null
-- column: affinity_type int not null
-- column: affinity_type_desc nvarchar(60) not null
-- column: process_kernel_time_ms bigint not null
-- column: process_user_time_ms bigint not null
-- column: time_source int not null
-- column: time_source_desc nvarchar(60) not null
-- column: virtual_machine_type int not null
-- column: virtual_machine_type_desc nvarchar(60) not null
-- column: softnuma_configuration int not null
-- column: softnuma_configuration_desc nvarchar(60) not null
-- column: process_physical_affinity nvarchar(3072) not null
-- column: sql_memory_model int not null
-- column: sql_memory_model_desc nvarchar(60) not null
-- column: socket_count int not null
-- column: cores_per_socket int not null
-- column: numa_node_count int not null
-- column: container_type int not null
-- column: container_type_desc nvarchar(60) not null
SELECT CAST((now - start_time) * 1000000 AS BIGINT) AS cpu_ticks, CAST((now - start_time) * 1000 AS BIGINT) AS ms_ticks,
    cpu_count, 1 AS hyperthread_ratio,
    0 AS physical_memory_kb, 0 AS virtual_memory_kb, 0 AS committed_kb, 0 AS committed_target_kb, 0 AS visible_target_kb,
    0 AS stack_size_in_bytes, 0 AS os_quantum, 0 AS os_error_mode, NULL AS os_priority_class, 0 AS max_workers_count,
    cpu_count AS scheduler_count, cpu_count AS scheduler_total_count, 0 AS deadlock_monitor_serial_number,
    0 AS sqlserver_start_time_ms_ticks, sbql.at(start_time) AS sqlserver_start_time, 2 AS affinity_type, 'AUTO' AS affinity_type_desc,
    0 AS process_kernel_time_ms, 0 AS process_user_time_ms, 0 AS time_source, 'QUERY_PERFORMANCE_COUNTER' AS time_source_desc,
    0 AS virtual_machine_type, 'NONE' AS virtual_machine_type_desc, 0 AS softnuma_configuration, 'OFF' AS softnuma_configuration_desc,
    '' AS process_physical_affinity, 1 AS sql_memory_model, 'CONVENTIONAL' AS sql_memory_model_desc, 1 AS socket_count,
    cpu_count AS cores_per_socket, 1 AS numa_node_count, 0 AS container_type, 'NONE' AS container_type_desc
FROM live_server
