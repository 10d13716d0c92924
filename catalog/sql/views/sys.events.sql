-- sys.events: the events of triggers and event notifications of the current database.
-- column: object_id int not null
-- column: type int not null
-- column: type_desc nvarchar(60) not null
-- column: is_trigger_event bit
-- column: event_group_type int
-- column: event_group_type_desc nvarchar(60)
SELECT id AS object_id, type, type_desc, is_trigger AS is_trigger_event, group_type AS event_group_type,
    group_desc AS event_group_type_desc
FROM catalog_events WHERE database_id = $database_id AND scope <> 'SERVER'
