-- sys.event_notification_event_types: events and event groups that a notification can ask for. Differs: only those that sbql can raise.
-- column: type int not null
-- column: type_name nvarchar(128)
-- column: parent_type int
SELECT type, type_name, parent_type FROM catalog_event_types WHERE type <> 147
