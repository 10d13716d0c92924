-- sys.syslogins: logins as SQL Server 2000 told them.
-- column: sid varbinary(85)
-- column: status smallint
-- column: createdate datetime not null
-- column: updatedate datetime not null
-- column: accdate datetime not null
-- column: totcpu int
-- column: totio int
-- column: spacelimit int
-- column: timelimit int
-- column: resultlimit int
-- column: name sysname not null
-- column: dbname sysname
-- column: password nvarchar(128)
-- column: language sysname
-- column: denylogin int
-- column: hasaccess int
-- column: isntname int
-- column: isntgroup int
-- column: isntuser int
-- column: sysadmin int
-- column: securityadmin int
-- column: serveradmin int
-- column: setupadmin int
-- column: processadmin int
-- column: diskadmin int
-- column: dbcreator int
-- column: bulkadmin int
-- column: loginname nvarchar(128)
WITH r AS (
    SELECT m.member_principal_id AS id, list(p.name) AS roles FROM catalog_role_members m
    JOIN catalog_principals p ON p.database_id = 0 AND p.id = m.role_principal_id WHERE m.database_id = 0 GROUP BY ALL),
l AS (SELECT p.*, CASE p.id WHEN 1 THEN list_append(coalesce(r.roles, []), 'sysadmin') ELSE coalesce(r.roles, []) END AS roles
    FROM catalog_principals p LEFT JOIN r ON r.id = p.id WHERE p.database_id = 0 AND p.type IN ('S', 'U', 'C'))
SELECT sid, 9 AS status, sbql.at(create_date) AS createdate, sbql.at(modify_date) AS updatedate, sbql.at(create_date) AS accdate,
    0 AS totcpu, 0 AS totio, 0 AS spacelimit, 0 AS timelimit, 0 AS resultlimit, name, default_database AS dbname, NULL AS password,
    default_language AS language, is_disabled::INTEGER AS denylogin, (NOT is_disabled)::INTEGER AS hasaccess,
    (type = 'U')::INTEGER AS isntname, 0 AS isntgroup, (type = 'U')::INTEGER AS isntuser,
    list_contains(roles, 'sysadmin')::INTEGER AS sysadmin, list_contains(roles, 'securityadmin')::INTEGER AS securityadmin,
    list_contains(roles, 'serveradmin')::INTEGER AS serveradmin, list_contains(roles, 'setupadmin')::INTEGER AS setupadmin,
    list_contains(roles, 'processadmin')::INTEGER AS processadmin, list_contains(roles, 'diskadmin')::INTEGER AS diskadmin,
    list_contains(roles, 'dbcreator')::INTEGER AS dbcreator, list_contains(roles, 'bulkadmin')::INTEGER AS bulkadmin, name AS loginname
FROM l
