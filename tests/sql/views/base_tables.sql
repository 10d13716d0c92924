-- Base tables: only the administrator's connection sees them; what they hold; the views are made of them.
CREATE DATABASE Deep;
GO
USE Deep;
CREATE QUEUE Q; CREATE QUEUE R;
CREATE SERVICE A ON QUEUE Q;
CREATE SERVICE B ON QUEUE R ([DEFAULT]);
CREATE USER Partner WITHOUT LOGIN;
CREATE REMOTE SERVICE BINDING Bound TO SERVICE '//far' WITH USER = Partner, ANONYMOUS = ON;
DECLARE @h uniqueidentifier, @late uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE A TO SERVICE 'B' WITH ENCRYPTION = OFF, LIFETIME = 1000;
SEND ON CONVERSATION @h (N'one'); SEND ON CONVERSATION @h (N'two');
BEGIN DIALOG @late FROM SERVICE A TO SERVICE 'Nobody' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @late (N'three');
GO
-- An ordinary connection has no such objects, sysadmin or not.
SELECT * FROM sys.sysdesend;
GO
--! error 208
SELECT * FROM sys.sysdercv;
GO
--! error 208
SELECT * FROM sys.sysxmitqueue;
GO
--! error 208
SELECT * FROM sys.sysxmitbody;
GO
--! error 208
SELECT * FROM sys.sysconvgroup;
GO
--! error 208
SELECT * FROM sys.sysremsvcbinds;
GO
--! error 208
DECLARE @sql nvarchar(200) = N'SELECT COUNT(*) FROM sys.queue_messages_' + CAST(OBJECT_ID('R') AS nvarchar(20));
EXEC (@sql);
GO
--! error 208
--! spec BASE-1 BASE-2
--! session ADMIN:dac IN Deep
SELECT d.initiator, d.sendseq, d.sendxact, CASE WHEN e.conversation_handle IS NOT NULL THEN 'endpoint' END
FROM sys.sysdesend d LEFT JOIN sys.conversation_endpoints e ON e.conversation_handle = d.handle AND e.conversation_id = d.diagid
ORDER BY d.initiator, d.sendseq;
-- sysdesend joined to sysdercv gives the endpoints.
SELECT COUNT(*), SUM(CASE WHEN r.rcvseq = e.receive_sequence AND r.state = e.state AND r.lifetime = e.lifetime AND r.contract = e.service_contract_id
    AND r.svcid = e.service_id AND r.convgroup = e.conversation_group_id AND r.farsvc = e.far_service AND r.priority = e.priority
    AND r.sysseq = e.system_sequence AND r.enddlgseq = e.end_dialog_sequence AND r.dlgtimer = e.dialog_timer AND r.dlgopened = e.security_timestamp
    AND r.princid = e.principal_id AND r.farprincid = e.far_principal_id AND s.sendseq = e.send_sequence THEN 1 END)
FROM sys.sysdesend s JOIN sys.sysdercv r ON r.diagid = s.diagid AND r.initiator = s.initiator AND r.handle = s.handle
JOIN sys.conversation_endpoints e ON e.conversation_handle = s.handle;
GO
--! rows
--! 0 | 0 | 0x000000000000 | endpoint
--! 1 | 1 | 0x000000000000 | endpoint
--! 1 | 2 | 0x000000000000 | endpoint
--! rows
--! 3 | 3
--! spec BASE-3 BASE-4 BASE-5
-- The keys: a handle; a dialog and a side; a dialog, a side and a number.
SELECT COUNT(*), COUNT(DISTINCT handle), COUNT(DISTINCT CAST(diagid AS char(36)) + CAST(initiator AS char(1))) FROM sys.sysdercv;
GO
--! rows
--! 3 | 3 | 3
-- The transmission queue: the row, its dialog, the sender's broker.
SELECT x.finitiator, x.tosvc, x.fromsvc, CASE WHEN x.frombrkrinst = CAST(d.service_broker_guid AS nvarchar(40)) THEN 'mine' END, x.svccontr, x.msgseqnum, x.msgtype,
    x.status, x.msgbodylen, CAST(x.msgbody AS nvarchar(10)), CASE WHEN x.rsndtime > x.enqtime THEN 'later' END
FROM sys.sysxmitqueue x JOIN sys.sysdercv r ON r.diagid = x.dlgid AND r.initiator = x.finitiator JOIN sys.databases d ON d.name = 'Deep';
SELECT COUNT(*) FROM sys.transmission_queue t JOIN sys.sysdesend s ON s.handle = t.conversation_handle
JOIN sys.sysxmitqueue x ON x.dlgid = s.diagid AND x.finitiator = s.initiator AND x.msgseqnum = t.message_sequence_number;
SELECT COUNT(*) FROM sys.sysxmitbody;
GO
--! rows
--! 1 | Nobody | A | mine | DEFAULT | 0 | DEFAULT | 0 | 10 | three | later
--! rows
--! 1
--! rows
--! 0
--! spec BASE-6 BASE-7
SELECT CASE WHEN g.service_id = c.service_id THEN 'same' END, c.refcount FROM sys.conversation_groups g JOIN sys.sysconvgroup c ON c.id = g.conversation_group_id;
SELECT b.name, b.scid, b.remsvc, b.status FROM sys.sysremsvcbinds b JOIN sys.remote_service_bindings v ON v.remote_service_binding_id = b.id;
GO
--! rows
--! same | 1
--! same | 1
--! same | 1
--! rows
--! Bound | 0 | //far | 1
--! spec BASE-8
-- The internal table of a queue, clustered by status, group, priority, handle, order; its parent is the queue.
DECLARE @sql nvarchar(400) = N'SELECT status, priority, queuing_order, message_sequence_number, message_type_id, validation,
CAST(binary_message_body AS nvarchar(10)) FROM sys.' + (SELECT name FROM sys.internal_tables WHERE parent_object_id = OBJECT_ID('R'));
EXEC (@sql);
SELECT * FROM sys.queue_messages_1;
GO
--! rows
--! 1 | 5 | 0 | 0 | 14 | N | one
--! 1 | 5 | 1 | 1 | 14 | N | two
--! error 208
--! spec BASE-9
-- A second dialog, of level 2 and in the same group, with one message received and retained: the rows stand in the order of the key.
ALTER QUEUE R WITH RETENTION = ON;
CREATE BROKER PRIORITY Low FOR CONVERSATION SET (LOCAL_SERVICE_NAME = B, PRIORITY_LEVEL = 2);
DECLARE @a uniqueidentifier, @target uniqueidentifier, @group uniqueidentifier = (SELECT TOP (1) conversation_group_id FROM R);
BEGIN DIALOG @a FROM SERVICE A TO SERVICE 'B' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a (N'three');
SELECT @target = conversation_handle FROM R WHERE priority = 2;
RECEIVE TOP (1) message_sequence_number FROM R WHERE conversation_handle = @target;
SEND ON CONVERSATION @a (N'four');
MOVE CONVERSATION @target TO @group;
DECLARE @sql nvarchar(400) = N'SELECT status, priority, queuing_order, CAST(binary_message_body AS nvarchar(10)) FROM sys.queue_messages_' + CAST(OBJECT_ID('R') AS nvarchar(20));
EXEC (@sql);
GO
--! rows
--! 0
--! rows
--! 0 | 2 | 2 | three
--! 1 | 2 | 3 | four
--! 1 | 5 | 0 | one
--! 1 | 5 | 1 | two
--! spec BASE-10
-- The connection says in sys.dm_exec_sessions that it is the administrator's.
SELECT e.name, e.is_admin_endpoint FROM sys.dm_exec_sessions s JOIN sys.endpoints e ON e.endpoint_id = s.endpoint_id WHERE s.session_id = @@SPID;
GO
--! rows
--! Dedicated Admin Connection | 1
--! session main
SELECT e.is_admin_endpoint FROM sys.dm_exec_sessions s JOIN sys.endpoints e ON e.endpoint_id = s.endpoint_id WHERE s.session_id = @@SPID;
-- A plan that the administrator's connection compiled is not this one's.
SELECT COUNT(*) FROM sys.sysxmitbody;
GO
--! rows
--! 0
--! error 208
