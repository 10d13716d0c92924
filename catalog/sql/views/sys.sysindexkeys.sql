-- sys.sysindexkeys: columns of indexes as SQL Server 2000 told them.
-- column: id int not null
-- column: indid smallint
-- column: colid smallint not null
-- column: keyno smallint not null
SELECT i.object_id AS id, i.index_id AS indid, c.column_id AS colid, i.ordinal AS keyno
FROM catalog_indexes i
JOIN catalog_columns c ON c.database_id = i.database_id AND c.object_id = i.object_id AND lower(c.name) = lower(i.column_name)
WHERE i.database_id = $database_id AND (i.ordinal > 0 OR i.is_included)
