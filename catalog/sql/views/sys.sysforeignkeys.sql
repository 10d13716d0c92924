-- sys.sysforeignkeys: columns of foreign keys as SQL Server 2000 told them.
-- column: constid int not null
-- column: fkeyid int not null
-- column: rkeyid int not null
-- column: fkey smallint
-- column: rkey smallint
-- column: keyno smallint
SELECT f.object_id AS constid, f.parent_object_id AS fkeyid, f.referenced_object_id AS rkeyid, p.column_id AS fkey, r.column_id AS rkey,
    f.ordinal AS keyno
FROM catalog_foreign_keys f
JOIN catalog_columns p ON p.database_id = f.database_id AND p.object_id = f.parent_object_id AND lower(p.name) = lower(f.column_name)
JOIN catalog_columns r ON r.database_id = f.database_id AND r.object_id = f.referenced_object_id
    AND lower(r.name) = lower(f.referenced_column_name)
WHERE f.database_id = $database_id
