-- sys.sysconstraints: constraints as SQL Server 2000 told them. status: 1 primary key, 2 unique, 3 foreign key, 4
-- check, 5 default.
-- column: constid int not null
-- column: id int not null
-- column: colid smallint not null
-- column: spare1 tinyint
-- column: status int
-- column: actions int
-- column: error int
SELECT o.object_id AS constid, o.parent_object_id AS id,
    coalesce((SELECT c.column_id FROM catalog_columns c WHERE c.database_id = o.database_id AND c.default_id = o.object_id), 0) AS colid,
    0 AS spare1, CASE o.type WHEN 'PK' THEN 1 WHEN 'UQ' THEN 2 WHEN 'F' THEN 3 WHEN 'C' THEN 4 ELSE 5 END
        + CASE o.type WHEN 'D' THEN 16 ELSE 32 END AS status, 4096 AS actions, 0 AS error
FROM catalog_objects o WHERE o.database_id = $database_id AND o.type IN ('PK', 'UQ', 'F', 'C', 'D')
