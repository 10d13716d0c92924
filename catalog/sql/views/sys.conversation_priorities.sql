-- sys.conversation_priorities: broker priorities of the current database. NULL criteria mean ANY.
-- column: priority_id int not null
-- column: name sysname not null
-- column: service_contract_id int
-- column: local_service_id int
-- column: remote_service_name nvarchar(256) collate Latin1_General_BIN
-- column: priority tinyint not null
SELECT id AS priority_id, name, service_contract_id, local_service_id, remote_service_name, priority
FROM catalog_broker_priorities WHERE database_id = $database_id
