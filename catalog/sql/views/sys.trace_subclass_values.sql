-- sys.trace_subclass_values: the subclasses of each event class. Column 21 is EventSubClass.
-- column: trace_event_id smallint not null
-- column: trace_column_id smallint not null
-- column: subclass_name nvarchar(128)
-- column: subclass_value smallint
SELECT trace_event_id, 21 AS trace_column_id, subclass_name, subclass_value FROM live_trace_subclasses ORDER BY trace_event_id, subclass_value
