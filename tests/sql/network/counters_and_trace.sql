-- What an instance counts and traces of its talk with others.
:r pair.inc
--! instance A
:r begin.inc
--! advance 5s
--! spec COUNT-15 COUNT-16 TRACE-20
--! trace Connection Connecting
--! trace Connection Connected
--! trace Audit Broker Login Login Success
--! trace Remote Message Acknowledgement Acknowledgement Received
SELECT RTRIM(object_name) AS object_name, RTRIM(counter_name) AS counter_name, cntr_value
FROM sys.dm_os_performance_counters
WHERE counter_name IN ('Message Fragment P5 Sends/sec', 'Message Fragment Sends/sec', 'Message Fragment Receives/sec',
    'Enqueued Transport Msgs Total', 'Pending Msg Frags for Send I/O');
-- what the connection says is what the counters say
SELECT c.counter_name
FROM sys.dm_os_performance_counters AS c
CROSS JOIN (SELECT SUM(total_bytes_sent) AS sent, SUM(total_bytes_received) AS received, SUM(total_sends) AS sends, SUM(total_receives) AS receives, COUNT(*) AS connections
    FROM sys.dm_broker_connections) AS t
WHERE (c.counter_name = 'Open Connection Count' AND c.cntr_value <> t.connections)
    OR (c.counter_name = 'Send I/O Bytes Total' AND c.cntr_value <> t.sent) OR (c.counter_name = 'Receive I/O Bytes Total' AND c.cntr_value <> t.received)
    OR (c.counter_name = 'Send I/Os/sec' AND c.cntr_value <> t.sends) OR (c.counter_name = 'Receive I/Os/sec' AND c.cntr_value <> t.receives)
    OR (c.counter_name = 'Send I/O Len Avg' AND c.cntr_value <> t.sent / t.sends) OR (c.counter_name = 'Receive I/O Len Avg' AND c.cntr_value <> t.received / t.receives);
GO
--! rows unordered
--! SQLServer:Broker/DBM Transport | Message Fragment P5 Sends/sec | 1
--! SQLServer:Broker/DBM Transport | Message Fragment Sends/sec | 1
--! SQLServer:Broker/DBM Transport | Message Fragment Receives/sec | 1
--! SQLServer:Broker/DBM Transport | Pending Msg Frags for Send I/O | 0
--! SQLServer:Broker Statistics | Enqueued Transport Msgs Total | 0
--! rows
--! instance B
--! trace Connection Accept
--! trace Remote Message Acknowledgement Acknowledgement Sent
SELECT RTRIM(counter_name) AS counter_name, cntr_value
FROM sys.dm_os_performance_counters
WHERE counter_name IN ('Enqueued Transport Msgs Total', 'Enqueued Transport Msg Frag Tot', 'Enqueued Local Messages Total', 'Enqueued Messages Total', 'Message Fragment Receives/sec');
GO
--! rows unordered
--! Enqueued Transport Msgs Total | 1
--! Enqueued Transport Msg Frag Tot | 1
--! Enqueued Local Messages Total | 0
--! Enqueued Messages Total | 1
--! Message Fragment Receives/sec | 1
-- an answer carries the acknowledgement of what comes at the same time; a message of 100 KB has three fragments
DECLARE @h uniqueidentifier;
SELECT @h = conversation_handle FROM Desk;
SEND ON CONVERSATION @h (CAST(REPLICATE(CAST('x' AS varchar(max)), 100000) AS varbinary(max)));
GO
--! advance 5s
--! instance A
SELECT RTRIM(counter_name) AS counter_name, cntr_value
FROM sys.dm_os_performance_counters
WHERE counter_name IN ('Enqueued Transport Msgs Total', 'Enqueued Transport Msg Frag Tot', 'Pending Msg Frags for Recv I/O', 'Pending Bytes for Recv I/O');
GO
--! rows unordered
--! Enqueued Transport Msgs Total | 1
--! Enqueued Transport Msg Frag Tot | 3
--! Pending Msg Frags for Recv I/O | 0
--! Pending Bytes for Recv I/O | 0
-- connections end when they are idle; what went over them stays counted
--! advance 5m
--! trace Connection Closing
--! trace Connection Closed
SELECT RTRIM(counter_name) AS counter_name, IIF(cntr_value > 100000, 'many', CAST(cntr_value AS varchar(10))) AS value
FROM sys.dm_os_performance_counters
WHERE counter_name IN ('Open Connection Count', 'Receive I/O Bytes Total');
GO
--! rows unordered
--! Open Connection Count | 0
--! Receive I/O Bytes Total | many
-- nobody is there
--! instance B
ALTER ENDPOINT Broker STATE = STOPPED;
GO
--! instance A
:r begin.inc
--! advance 5s
--! trace Connection Connect Failed text refused
--! trace Transmission text refused
SELECT cntr_value FROM sys.dm_os_performance_counters WHERE counter_name = 'Open Connection Count';
GO
--! rows
--! 0
