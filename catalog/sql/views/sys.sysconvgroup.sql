-- sys.sysconvgroup: base table: conversation groups, with the number of their conversations. Bit 1 of status: an internal group.
-- only the administrator's connection
-- column: id uniqueidentifier not null
-- column: service_id int not null
-- column: status int not null
-- column: refcount int not null
SELECT g.conversation_group_id AS id, g.service_id, g.is_system::INTEGER AS status,
    (SELECT count(*) FROM broker_conversation_endpoints e WHERE e.conversation_group_id = g.conversation_group_id
        AND e.database_id = g.database_id) AS refcount
FROM broker_conversation_groups g WHERE g.database_id = $database_id ORDER BY id
