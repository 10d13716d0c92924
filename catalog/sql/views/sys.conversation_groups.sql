-- sys.conversation_groups: conversation groups of the current database.
-- column: conversation_group_id uniqueidentifier not null
-- column: service_id int not null
-- column: is_system bit
SELECT conversation_group_id, service_id, is_system FROM broker_conversation_groups WHERE database_id = $database_id
