-- sys.sysusers: sys.database_principals as SQL Server 2000 told it, the columns that scripts read.
-- column: uid int
-- column: status smallint
-- column: name sysname
-- column: sid varbinary(85)
-- column: createdate datetime not null
-- column: updatedate datetime not null
-- column: hasdbaccess int
-- column: islogin int
-- column: isntuser int
-- column: issqluser int
-- column: issqlrole int
-- column: isapprole int
SELECT id AS uid, 0 AS status, name, sid, sbql.at(create_date) AS createdate, sbql.at(modify_date) AS updatedate,
    (type <> 'R' AND id <> 2)::INTEGER AS hasdbaccess, (type IN ('S', 'U'))::INTEGER AS islogin, (type = 'U')::INTEGER AS isntuser,
    (type = 'S')::INTEGER AS issqluser, (type = 'R')::INTEGER AS issqlrole, (type = 'A')::INTEGER AS isapprole
FROM catalog_principals WHERE database_id = $database_id
