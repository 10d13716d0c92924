-- sys.trace_events: the event classes of Service Broker; no others.
-- column: trace_event_id smallint not null
-- column: category_id smallint not null
-- column: name nvarchar(128)
SELECT trace_event_id, category_id, name FROM live_trace_events ORDER BY trace_event_id
