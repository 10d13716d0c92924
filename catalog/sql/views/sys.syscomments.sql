-- sys.syscomments: texts of modules, constraints and computed columns, in pieces of 4,000 characters, as SQL Server
-- 2000 told them.
-- column: id int not null
-- column: number smallint
-- column: colid smallint not null
-- column: status smallint not null
-- column: ctext varbinary(8000)
-- column: texttype smallint
-- column: language smallint
-- column: encrypted bit not null
-- column: compressed bit not null
-- column: text nvarchar(4000)
WITH t AS (
    SELECT id, 1 AS number,
    definition FROM catalog_modules WHERE database_id = $database_id AND definition IS NOT NULL AND scope <> 'SERVER'
    UNION ALL SELECT object_id, 0, definition FROM catalog_checks WHERE database_id = $database_id
    UNION ALL SELECT default_id, 0,
    default_definition FROM catalog_columns WHERE database_id = $database_id AND default_definition IS NOT NULL
    UNION ALL SELECT object_id, column_id, computed FROM catalog_columns WHERE database_id = $database_id AND computed IS NOT NULL)
SELECT id, number, piece AS colid, 0 AS status, NULL AS ctext, 2 AS texttype, 0 AS language, false AS encrypted, false AS compressed,
    substr(definition, (piece - 1) * 4000 + 1, 4000) AS text
FROM (SELECT *, unnest(range(1, 2 + (length(definition) - 1) // 4000)) AS piece FROM t WHERE length(definition) > 0)
