-- sys.dm_os_host_info: the operating system.
-- column: host_platform nvarchar(256) not null
-- column: host_distribution nvarchar(256) not null
-- column: host_release nvarchar(256) not null
-- column: host_service_pack_level nvarchar(256) not null
-- column: host_sku int
-- column: os_language_version int not null
-- column: host_architecture nvarchar(256) not null
SELECT platform AS host_platform, platform AS host_distribution, release AS host_release, '' AS host_service_pack_level, NULL AS host_sku,
    1033 AS os_language_version, architecture AS host_architecture
FROM live_server
