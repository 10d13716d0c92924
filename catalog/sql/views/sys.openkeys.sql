-- sys.openkeys: the symmetric keys that this session has open.
-- column: database_id int not null
-- column: database_name sysname
-- column: key_id int not null
-- column: key_name sysname
-- column: key_guid uniqueidentifier
-- column: opened_date datetime
-- column: status smallint
SELECT k.database_id, d.name AS database_name, k.id AS key_id, k.name AS key_name, k.key_guid, sbql.at(x.opened) AS opened_date, 1 AS status
FROM live_open_keys x JOIN catalog_symmetric_keys k ON k.database_id = x.database_id AND k.id = x.key_id
JOIN catalog_databases d ON d.id = k.database_id
