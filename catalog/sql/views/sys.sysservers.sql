-- sys.sysservers: sys.servers as SQL Server 2000 told it.
-- column: srvid smallint
-- column: srvstatus smallint
-- column: srvname sysname not null
-- column: srvproduct nvarchar(128) not null
-- column: providername nvarchar(128) not null
-- column: datasource nvarchar(4000)
-- column: location nvarchar(4000)
-- column: providerstring nvarchar(4000)
-- column: schemadate datetime not null
-- column: topologyx int
-- column: topologyy int
-- column: catalog sysname
-- column: srvcollation sysname
-- column: connecttimeout int
-- column: querytimeout int
-- column: srvnetname char(30)
-- column: isremote bit
-- column: rpc bit not null
-- column: pub bit not null
-- column: sub bit
-- column: dist bit
-- column: dpub bit
-- column: rpcout bit not null
-- column: dataaccess bit not null
-- column: collationcompatible bit not null
-- column: system bit not null
-- column: useremotecollation bit not null
-- column: lazyschemavalidation bit not null
-- column: collation sysname
-- column: nonsqlsub bit
SELECT 0 AS srvid, 1089 AS srvstatus, name AS srvname, 'SQL Server' AS srvproduct, 'SQLOLEDB' AS providername, name AS datasource,
    NULL AS location, NULL AS providerstring, (SELECT sbql.at(create_date) FROM catalog_databases WHERE id = 1) AS schemadate, 0 AS topologyx, 0 AS topologyy, NULL AS catalog,
    NULL AS srvcollation, 0 AS connecttimeout, 0 AS querytimeout, name AS srvnetname, true AS isremote, true AS rpc, false AS pub,
    false AS sub, false AS dist, false AS dpub, true AS rpcout, false AS dataaccess, false AS collationcompatible, false AS system,
    true AS useremotecollation, false AS lazyschemavalidation, NULL AS collation, false AS nonsqlsub
FROM live_server
