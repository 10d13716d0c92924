-- sys.identity_columns: identity columns of the current database. last_value is NULL until the engine has given one
-- out.
-- column: object_id int not null
-- column: name sysname
-- column: column_id int not null
-- column: system_type_id tinyint not null
-- column: user_type_id int not null
-- column: max_length smallint not null
-- column: precision tinyint not null
-- column: scale tinyint not null
-- column: collation_name sysname
-- column: is_nullable bit
-- column: is_ansi_padded bit not null
-- column: is_rowguidcol bit not null
-- column: is_identity bit not null
-- column: is_computed bit not null
-- column: is_filestream bit not null
-- column: is_replicated bit
-- column: is_non_sql_subscribed bit
-- column: is_merge_published bit
-- column: is_dts_replicated bit
-- column: is_xml_document bit not null
-- column: xml_collection_id int not null
-- column: default_object_id int not null
-- column: rule_object_id int not null
-- column: is_sparse bit not null
-- column: is_column_set bit not null
-- column: generated_always_type tinyint
-- column: generated_always_type_desc nvarchar(60)
-- column: encryption_type int
-- column: encryption_type_desc nvarchar(64)
-- column: encryption_algorithm_name sysname
-- column: column_encryption_key_id int
-- column: column_encryption_key_database_name sysname
-- column: is_hidden bit not null
-- column: is_masked bit not null
-- column: graph_type int
-- column: graph_type_desc nvarchar(60)
-- column: is_data_deletion_filter_column bit not null
-- column: ledger_view_column_type int
-- column: ledger_view_column_type_desc nvarchar(60)
-- column: is_dropped_ledger_column bit not null
-- column: seed_value sql_variant
-- column: increment_value sql_variant
-- column: last_value sql_variant
-- column: is_not_for_replication bit
SELECT c.object_id, c.name, c.column_id, c.system_type_id, c.user_type_id, c.max_length, c.precision, c.scale,
    c.collation_name, c.is_nullable, false AS is_ansi_padded, c.is_rowguidcol, true AS is_identity, false AS is_computed,
    false AS is_filestream, false AS is_replicated, false AS is_non_sql_subscribed, false AS is_merge_published,
    false AS is_dts_replicated, false AS is_xml_document, 0 AS xml_collection_id, 0 AS default_object_id, 0 AS rule_object_id,
    false AS is_sparse, false AS is_column_set, 0 AS generated_always_type, 'NOT_APPLICABLE' AS generated_always_type_desc,
    NULL AS encryption_type, NULL AS encryption_type_desc, NULL AS encryption_algorithm_name, NULL AS column_encryption_key_id,
    NULL AS column_encryption_key_database_name, false AS is_hidden, false AS is_masked, NULL AS graph_type,
    NULL AS graph_type_desc, false AS is_data_deletion_filter_column, NULL AS ledger_view_column_type,
    NULL AS ledger_view_column_type_desc, false AS is_dropped_ledger_column,
    sbql.variant_of(c.base, c.seed) AS seed_value,
    sbql.variant_of(c.base, c.increment) AS increment_value,
    CASE WHEN i.last_value IS NOT NULL THEN sbql.variant_of(c.base, i.last_value) END AS last_value,
    false AS is_not_for_replication
FROM catalog_columns c
LEFT JOIN live_identities i ON i.database_id = c.database_id AND i.object_id = c.object_id
WHERE c.database_id = $database_id AND c.is_identity
