-- sys.sysobjects: sys.objects as SQL Server 2000 told it. Differs: uid is an int, because ids of schemas are larger here.
-- column: name sysname
-- column: id int not null
-- column: xtype char(2) not null
-- column: uid int
-- column: info smallint
-- column: status int
-- column: base_schema_ver int
-- column: replinfo int
-- column: parent_obj int not null
-- column: crdate datetime not null
-- column: ftcatid smallint
-- column: schema_ver int
-- column: stats_schema_ver int
-- column: type char(2)
-- column: userstat smallint
-- column: sysstat smallint
-- column: indexdel smallint
-- column: refdate datetime not null
-- column: version int
-- column: deltrig int
-- column: instrig int
-- column: updtrig int
-- column: seltrig int
-- column: category int
-- column: cache smallint
SELECT o.name, o.object_id AS id, o.type AS xtype, o.schema_id AS uid, 0 AS info, 0 AS status, 0 AS base_schema_ver,
    0 AS replinfo, o.parent_object_id AS parent_obj, sbql.at(o.create_date) AS crdate, 0 AS ftcatid, 0 AS schema_ver,
    0 AS stats_schema_ver, CASE o.type WHEN 'PK' THEN 'K' WHEN 'UQ' THEN 'K' ELSE o.type END AS type, 0 AS userstat,
    0 AS sysstat, 0 AS indexdel, sbql.at(o.create_date) AS refdate, 0 AS version, 0 AS deltrig, 0 AS instrig, 0 AS updtrig,
    0 AS seltrig, 0 AS category, 0 AS cache
FROM catalog_objects o WHERE o.database_id = $database_id
