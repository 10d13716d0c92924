-- sys.servers: this server; there are no linked ones.
-- column: server_id int not null
-- column: name sysname not null
-- column: product sysname not null
-- column: provider sysname not null
-- column: data_source nvarchar(4000)
-- column: location nvarchar(4000)
-- column: provider_string nvarchar(4000)
-- column: catalog sysname
-- column: connect_timeout int
-- column: query_timeout int
-- column: is_linked bit not null
-- column: is_remote_login_enabled bit not null
-- column: is_rpc_out_enabled bit not null
-- column: is_data_access_enabled bit not null
-- column: is_collation_compatible bit not null
-- column: uses_remote_collation bit not null
-- column: collation_name sysname
-- column: lazy_schema_validation bit not null
-- column: is_system bit not null
-- column: is_publisher bit not null
-- column: is_subscriber bit
-- column: is_distributor bit
-- column: is_nonsql_subscriber bit
-- column: is_remote_proc_transaction_promotion_enabled bit
-- column: modify_date datetime not null
-- column: is_rda_server bit
SELECT 0 AS server_id, name, 'SQL Server' AS product, 'SQLNCLI' AS provider, name AS data_source, NULL AS location,
    NULL AS provider_string, NULL AS catalog, 0 AS connect_timeout, 0 AS query_timeout, false AS is_linked,
    true AS is_remote_login_enabled, true AS is_rpc_out_enabled, false AS is_data_access_enabled, false AS is_collation_compatible,
    true AS uses_remote_collation, NULL AS collation_name, false AS lazy_schema_validation, false AS is_system,
    false AS is_publisher, false AS is_subscriber, false AS is_distributor, false AS is_nonsql_subscriber,
    true AS is_remote_proc_transaction_promotion_enabled, (SELECT sbql.at(create_date) FROM catalog_databases WHERE id = 1) AS modify_date, false AS is_rda_server
FROM live_server
