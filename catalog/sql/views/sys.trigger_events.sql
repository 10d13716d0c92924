-- sys.trigger_events: the events of the triggers of the current database.
-- column: object_id int not null
-- column: type int not null
-- column: type_desc nvarchar(60) not null
-- column: is_first bit
-- column: is_last bit
-- column: event_group_type int
-- column: event_group_type_desc nvarchar(60)
-- column: is_trigger_event bit
SELECT id AS object_id, type, type_desc, is_first, is_last, group_type AS event_group_type,
    group_desc AS event_group_type_desc, true AS is_trigger_event
FROM catalog_events WHERE database_id = $database_id AND is_trigger AND scope <> 'SERVER'
