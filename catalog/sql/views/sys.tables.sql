-- sys.tables: user tables of the current database, temp tables of the sessions that may be seen in tempdb.
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
-- column: lob_data_space_id int not null
-- column: filestream_data_space_id int
-- column: max_column_id_used int not null
-- column: lock_on_bulk_load bit not null
-- column: uses_ansi_nulls bit
-- column: is_replicated bit
-- column: has_replication_filter bit
-- column: is_merge_published bit
-- column: is_sync_tran_subscribed bit
-- column: has_unchecked_assembly_data bit not null
-- column: text_in_row_limit int
-- column: large_value_types_out_of_row bit
-- column: is_tracked_by_cdc bit
-- column: lock_escalation tinyint
-- column: lock_escalation_desc nvarchar(60)
-- column: is_filetable bit
-- column: is_memory_optimized bit
-- column: durability tinyint
-- column: durability_desc nvarchar(60)
-- column: temporal_type tinyint
-- column: temporal_type_desc nvarchar(60)
-- column: history_table_id int
-- column: is_remote_data_archive_enabled bit
-- column: is_external bit not null
-- column: history_retention_period int
-- column: history_retention_period_unit int
-- column: history_retention_period_unit_desc nvarchar(10)
-- column: is_node bit
-- column: is_edge bit
-- column: data_retention_period int
-- column: data_retention_period_unit int
-- column: data_retention_period_unit_desc nvarchar(10)
-- column: ledger_type tinyint
-- column: ledger_type_desc nvarchar(60)
-- column: ledger_view_id int
-- column: is_dropped_ledger_table bit
SELECT o.name, o.object_id, o.principal_id, o.schema_id, o.parent_object_id, o.type, o.type_desc,
    sbql.at(o.create_date) AS create_date, sbql.at(o.modify_date) AS modify_date, o.is_ms_shipped, false AS is_published,
    false AS is_schema_published,
    0 AS lob_data_space_id, NULL AS filestream_data_space_id,
    (SELECT coalesce(max(c.column_id), 0) FROM catalog_columns c
        WHERE c.database_id = o.database_id AND c.object_id = o.object_id) AS max_column_id_used,
    false AS lock_on_bulk_load, true AS uses_ansi_nulls, false AS is_replicated, false AS has_replication_filter,
    false AS is_merge_published, false AS is_sync_tran_subscribed, false AS has_unchecked_assembly_data,
    0 AS text_in_row_limit, false AS large_value_types_out_of_row, false AS is_tracked_by_cdc, 0 AS lock_escalation,
    'TABLE' AS lock_escalation_desc, false AS is_filetable, false AS is_memory_optimized, 0 AS durability,
    'SCHEMA_AND_DATA' AS durability_desc, 0 AS temporal_type, 'NON_TEMPORAL_TABLE' AS temporal_type_desc, NULL AS history_table_id,
    false AS is_remote_data_archive_enabled, false AS is_external, NULL AS history_retention_period,
    NULL AS history_retention_period_unit, NULL AS history_retention_period_unit_desc, false AS is_node, false AS is_edge,
    NULL AS data_retention_period, NULL AS data_retention_period_unit, NULL AS data_retention_period_unit_desc, 0 AS ledger_type,
    'NON_LEDGER_TABLE' AS ledger_type_desc, NULL AS ledger_view_id, false AS is_dropped_ledger_table
FROM catalog_objects o WHERE o.database_id = $database_id AND o.type = 'U'
