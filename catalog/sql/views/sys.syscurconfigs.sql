-- sys.syscurconfigs: the options of sp_configure that are in use, as SQL Server 2000 told it.
-- column: value int
-- column: config int not null
-- column: comment nvarchar(255) not null
-- column: status smallint
SELECT value_in_use AS value, configuration_id AS config, description AS comment,
    is_dynamic::INTEGER + 2 * is_advanced::INTEGER AS status
FROM live_configuration
