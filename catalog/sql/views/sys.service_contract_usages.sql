-- sys.service_contract_usages: contracts that a service accepts as target.
-- column: service_id int not null
-- column: service_contract_id int not null
SELECT id AS service_id, contract_id AS service_contract_id
FROM catalog_service_contracts WHERE database_id = $database_id
