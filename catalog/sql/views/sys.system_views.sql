-- sys.system_views: the system views: schema sys and INFORMATION_SCHEMA.
-- column: name sysname not null
-- column: object_id int not null
-- column: principal_id int
-- column: schema_id int not null
-- column: parent_object_id int not null
-- column: type char(2) not null
-- column: type_desc nvarchar(60)
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: is_ms_shipped bit not null
-- column: is_published bit not null
-- column: is_schema_published bit not null
-- column: is_replicated bit
-- column: has_replication_filter bit
-- column: has_opaque_metadata bit not null
-- column: has_unchecked_assembly_data bit not null
-- column: with_check_option bit not null
-- column: is_date_correlation_view bit not null
-- column: is_tracked_by_cdc bit
-- column: has_snapshot bit
-- column: ledger_view_type tinyint
-- column: ledger_view_type_desc nvarchar(60)
-- column: is_dropped_ledger_view bit
SELECT name, object_id, NULL AS principal_id, schema_id, 0 AS parent_object_id, type, type_desc,
    TIMESTAMP '2022-10-08' AS create_date, TIMESTAMP '2022-10-08' AS modify_date, true AS is_ms_shipped, false AS is_published,
    false AS is_schema_published, false AS is_replicated, false AS has_replication_filter, false AS has_opaque_metadata,
    false AS has_unchecked_assembly_data, false AS with_check_option, false AS is_date_correlation_view,
    false AS is_tracked_by_cdc, false AS has_snapshot, 0 AS ledger_view_type, 'NON_LEDGER_VIEW' AS ledger_view_type_desc,
    false AS is_dropped_ledger_view
FROM live_system_objects WHERE type = 'V'
