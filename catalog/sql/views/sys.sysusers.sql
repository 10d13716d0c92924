-- sys.sysusers: sys.database_principals as SQL Server 2000 told it. Differs: ids of principals are ints, for they are larger here.
-- column: uid int
-- column: status smallint
-- column: name sysname
-- column: sid varbinary(85)
-- column: roles varbinary(2048)
-- column: createdate datetime not null
-- column: updatedate datetime not null
-- column: altuid int
-- column: password varbinary(256)
-- column: gid int
-- column: environ varchar(255)
-- column: hasdbaccess int
-- column: islogin int
-- column: isntname int
-- column: isntgroup int
-- column: isntuser int
-- column: issqluser int
-- column: isaliased int
-- column: issqlrole int
-- column: isapprole int
SELECT id AS uid, 0 AS status, name, nullif(sid, ''::BLOB) AS sid, NULL AS roles, sbql.at(create_date) AS createdate,
    sbql.at(modify_date) AS updatedate, owning_principal_id AS altuid, NULL AS password, CASE WHEN type = 'R' THEN id ELSE 0 END AS gid,
    NULL AS environ, (type NOT IN ('R', 'A') AND id NOT IN (2, 3, 4))::INTEGER AS hasdbaccess, (type IN ('S', 'U'))::INTEGER AS islogin,
    (type = 'U')::INTEGER AS isntname, 0 AS isntgroup, (type = 'U')::INTEGER AS isntuser, (type = 'S')::INTEGER AS issqluser,
    0 AS isaliased, (type = 'R')::INTEGER AS issqlrole, (type = 'A')::INTEGER AS isapprole
FROM catalog_principals WHERE database_id = $database_id
