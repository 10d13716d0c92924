-- sys.identity_columns: identity columns of the current database. last_value is NULL until the engine has given one out.
-- column: object_id int not null
-- column: name sysname
-- column: column_id int not null
-- column: system_type_id tinyint not null
-- column: user_type_id int not null
-- column: max_length smallint not null
-- column: precision tinyint not null
-- column: scale tinyint not null
-- column: is_nullable bit
-- column: is_identity bit not null
-- column: is_computed bit not null
-- column: seed_value sql_variant
-- column: increment_value sql_variant
-- column: last_value sql_variant
-- column: is_not_for_replication bit
SELECT c.object_id, c.name, c.column_id, c.system_type_id, c.user_type_id, c.max_length, c.precision, c.scale,
    c.is_nullable, true AS is_identity, false AS is_computed,
    sbql.variant_of(c.type_name, c.seed) AS seed_value,
    sbql.variant_of(c.type_name, c.increment) AS increment_value,
    CASE WHEN i.last_value IS NOT NULL THEN sbql.variant_of(c.type_name, i.last_value) END AS last_value,
    false AS is_not_for_replication
FROM catalog_columns c
LEFT JOIN live_identities i ON i.database_id = c.database_id AND i.object_id = c.object_id
WHERE c.database_id = $database_id AND c.is_identity
