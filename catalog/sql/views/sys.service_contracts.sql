-- sys.service_contracts: contracts of the current database.
-- column: name sysname collate Latin1_General_BIN not null
-- column: service_contract_id int not null
-- column: principal_id int
SELECT name, id AS service_contract_id, principal_id FROM catalog_contracts WHERE database_id = $database_id
