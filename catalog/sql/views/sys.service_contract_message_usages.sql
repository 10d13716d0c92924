-- sys.service_contract_message_usages: which side may send which message type of a contract.
-- column: service_contract_id int not null
-- column: message_type_id int not null
-- column: is_sent_by_initiator bit not null
-- column: is_sent_by_target bit not null
SELECT id AS service_contract_id, message_type_id, is_sent_by_initiator, is_sent_by_target
FROM catalog_contract_messages WHERE database_id = $database_id
