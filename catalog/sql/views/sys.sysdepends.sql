-- sys.sysdepends: what refers to what in the current database, as SQL Server 2000 told it.
-- column: id int not null
-- column: depid int not null
-- column: number smallint
-- column: depnumber smallint
-- column: status smallint
-- column: deptype tinyint not null
-- column: depdbid smallint
-- column: depsiteid smallint
-- column: selall bit not null
-- column: resultobj bit not null
-- column: readobj bit not null
SELECT referencing_id AS id, referenced_id AS depid, CASE WHEN referencing_minor_id > 0 THEN referencing_minor_id ELSE 1 END AS number,
    referenced_minor_id AS depnumber, 0 AS status, is_schema_bound::INTEGER AS deptype, 0 AS depdbid, 0 AS depsiteid,
    is_select_all AS selall, is_updated AS resultobj, is_selected AS readobj
FROM live_dependencies
WHERE database_id = $database_id AND database_name IS NULL AND referenced_id IS NOT NULL AND referenced_class = 1
