-- sys.trigger_event_types: events and event groups that a DDL trigger can ask for. Differs: only those that sbql can raise.
-- column: type int not null
-- column: type_name nvarchar(64)
-- column: parent_type int
SELECT type, type_name, parent_type FROM catalog_event_types WHERE type < 1000 OR type BETWEEN 10000 AND 10999
