-- sys.server_events: the events of event notifications on the server.
-- column: object_id int not null
-- column: type int not null
-- column: type_desc nvarchar(60) not null
-- column: event_group_type int
-- column: event_group_type_desc nvarchar(60)
SELECT id AS object_id, type, type_desc, group_type AS event_group_type, group_desc AS event_group_type_desc
FROM catalog_events WHERE scope = 'SERVER'
