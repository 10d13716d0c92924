-- sys.sequences: sequences of the current database. current_value is the start value until the engine has given one out.
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
-- column: start_value sql_variant not null
-- column: increment sql_variant not null
-- column: minimum_value sql_variant not null
-- column: maximum_value sql_variant not null
-- column: is_cycling bit
-- column: is_cached bit
-- column: cache_size int
-- column: system_type_id tinyint not null
-- column: user_type_id int not null
-- column: precision tinyint not null
-- column: scale tinyint
-- column: current_value sql_variant not null
-- column: is_exhausted bit not null
-- column: last_used_value sql_variant
SELECT o.name, o.object_id, o.principal_id, o.schema_id, o.parent_object_id, o.type, o.type_desc,
    sbql.at(o.create_date) AS create_date, sbql.at(o.modify_date) AS modify_date, o.is_ms_shipped,
    false AS is_published, false AS is_schema_published,
    sbql.variant_of(s.base, s.start) AS start_value, sbql.variant_of(s.base, s.increment) AS increment,
    sbql.variant_of(s.base, s.minimum) AS minimum_value,
    sbql.variant_of(s.base, s.maximum) AS maximum_value, s.is_cycling, coalesce(s.cache <> 0, true) AS is_cached, nullif(s.cache, 0) AS cache_size,
    s.system_type_id, s.system_type_id AS user_type_id, s.precision, s.scale,
    sbql.variant_of(s.base, coalesce(v.current_value, s.start)) AS current_value, coalesce(v.is_exhausted, false) AS is_exhausted,
    CASE WHEN v.current_value IS NOT NULL THEN sbql.variant_of(s.base, v.current_value) END AS last_used_value
FROM catalog_objects o
JOIN catalog_sequences s ON s.database_id = o.database_id AND s.id = o.object_id
LEFT JOIN live_sequences v ON v.database_id = o.database_id AND v.object_id = o.object_id
WHERE o.database_id = $database_id
