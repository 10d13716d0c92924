-- INFORMATION_SCHEMA.SEQUENCES: sequences of the current database.
-- column: SEQUENCE_CATALOG nvarchar(128)
-- column: SEQUENCE_SCHEMA nvarchar(128)
-- column: SEQUENCE_NAME sysname not null
-- column: DATA_TYPE sysname not null
-- column: NUMERIC_PRECISION tinyint not null
-- column: NUMERIC_PRECISION_RADIX smallint
-- column: NUMERIC_SCALE tinyint
-- column: START_VALUE sql_variant not null
-- column: MINIMUM_VALUE sql_variant not null
-- column: MAXIMUM_VALUE sql_variant not null
-- column: INCREMENT sql_variant not null
-- column: CYCLE_OPTION bit
-- column: DECLARED_DATA_TYPE sysname
-- column: DECLARED_NUMERIC_PRECISION tinyint
-- column: DECLARED_NUMERIC_SCALE tinyint
SELECT d.name AS SEQUENCE_CATALOG, s.name AS SEQUENCE_SCHEMA, q.name AS SEQUENCE_NAME, q.type_name AS DATA_TYPE,
    q.precision AS NUMERIC_PRECISION, 10 AS NUMERIC_PRECISION_RADIX, q.scale AS NUMERIC_SCALE,
    sbql.variant_of(q.base, q.start) AS START_VALUE, sbql.variant_of(q.base, q.minimum) AS MINIMUM_VALUE,
    sbql.variant_of(q.base, q.maximum) AS MAXIMUM_VALUE, sbql.variant_of(q.base, q.increment) AS INCREMENT,
    q.is_cycling AS CYCLE_OPTION, NULL AS DECLARED_DATA_TYPE, NULL AS DECLARED_NUMERIC_PRECISION, NULL AS DECLARED_NUMERIC_SCALE
FROM catalog_sequences q JOIN catalog_databases d ON d.id = q.database_id
JOIN catalog_schemas s ON s.database_id = q.database_id AND s.id = q.schema_id
WHERE q.database_id = $database_id
