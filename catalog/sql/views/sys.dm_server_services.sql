-- sys.dm_server_services: the process that has the store open. `service_account` is who it is to instances of its domain (AUTHENTICATION = WINDOWS); empty where there is no network.
-- column: servicename nvarchar(256) not null
-- column: startup_type int
-- column: startup_type_desc nvarchar(256) not null
-- column: status int
-- column: status_desc nvarchar(256) not null
-- column: process_id int
-- column: last_startup_time datetimeoffset(7)
-- column: service_account nvarchar(256) not null
-- column: filename nvarchar(256) not null
-- column: is_clustered nvarchar(1) not null
-- column: cluster_nodename nvarchar(256)
-- column: instant_file_initialization_enabled nvarchar(1) not null
SELECT 'SQL Server (' || name || ')' AS servicename, 3 AS startup_type, 'Manual' AS startup_type_desc, 4 AS status, 'Running' AS status_desc, process_id,
    struct_pack(utc := CAST(start_time * 1000000 AS BIGINT) * 10 + 621355968000000000, minutes := 0::SMALLINT) AS last_startup_time,
    account AS service_account, program AS filename, 'N' AS is_clustered, NULL AS cluster_nodename, 'N' AS instant_file_initialization_enabled
FROM live_services
