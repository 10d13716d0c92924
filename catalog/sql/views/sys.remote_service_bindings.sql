-- sys.remote_service_bindings: remote service bindings of the current database. service_contract_id 0: every contract.
-- column: name sysname not null
-- column: remote_service_binding_id int not null
-- column: principal_id int
-- column: remote_service_name nvarchar(256) collate Latin1_General_BIN
-- column: service_contract_id int not null
-- column: remote_principal_id int
-- column: is_anonymous_on bit not null
SELECT name, id AS remote_service_binding_id, principal_id, remote_service_name, 0 AS service_contract_id,
    remote_principal_id, is_anonymous_on
FROM catalog_remote_service_bindings WHERE database_id = $database_id
