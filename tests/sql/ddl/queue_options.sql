-- CREATE, ALTER, DROP QUEUE: every option with its default and its range; what is accepted without effect; what is refused.
CREATE DATABASE Options;
CREATE DATABASE Elsewhere;
GO
USE Elsewhere;
EXEC ('CREATE PROCEDURE Far AS RETURN 0');
USE Options;
EXEC ('CREATE SCHEMA app');
CREATE USER Ann WITHOUT LOGIN;
GO
CREATE PROCEDURE Reader AS RETURN 0;
GO
CREATE PROCEDURE WithParameter @x int AS RETURN 0;
GO
CREATE FUNCTION Fn() RETURNS int AS BEGIN RETURN 1 END;
GO
CREATE VIEW Shown AS SELECT SCHEMA_NAME(schema_id) + '.' + name AS name, is_receive_enabled AS status, is_retention_enabled AS retention, is_poison_message_handling_enabled AS poison,
    is_activation_enabled AS active, activation_procedure AS [procedure], max_readers AS readers, execute_as_principal_id AS who FROM sys.service_queues WHERE is_ms_shipped = 0;
GO
CREATE QUEUE One; CREATE QUEUE app.Two; CREATE QUEUE Options.app.Three;
SELECT * FROM Shown ORDER BY name;
GO
--! rows
--! app.Three | 1 | 0 | 1 | 0 | NULL | 0 | NULL
--! app.Two | 1 | 0 | 1 | 0 | NULL | 0 | NULL
--! dbo.One | 1 | 0 | 1 | 0 | NULL | 0 | NULL
--! spec QUEUE-1 QUEUE-4 QUEUE-5 QUEUE-6
CREATE QUEUE Four WITH STATUS = OFF, RETENTION = ON, ACTIVATION (STATUS = OFF, PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 32767, EXECUTE AS SELF),
    POISON_MESSAGE_HANDLING (STATUS = OFF) ON [DEFAULT];
CREATE QUEUE Five WITH STATUS = OFF RETENTION = ON POISON_MESSAGE_HANDLING (STATUS = OFF);
CREATE QUEUE Six WITH ACTIVATION (PROCEDURE_NAME = Elsewhere.dbo.Far, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER) ON [PRIMARY];
SELECT * FROM Shown WHERE name IN ('dbo.Four', 'dbo.Five', 'dbo.Six') ORDER BY name;
GO
--! rows
--! dbo.Five | 0 | 1 | 0 | 0 | NULL | 0 | NULL
--! dbo.Four | 0 | 1 | 0 | 0 | [Options].[dbo].[Reader] | 32767 | 1
--! dbo.Six | 1 | 0 | 1 | 1 | [Elsewhere].[dbo].[Far] | 1 | -2
--! spec QUEUE-2 QUEUE-3 QUEUE-7 QUEUE-8 QUEUE-16 QUEUE-17 QUEUE-24
ALTER QUEUE Four WITH STATUS = ON; SELECT * FROM Shown WHERE name = 'dbo.Four';
ALTER QUEUE Four WITH RETENTION = OFF POISON_MESSAGE_HANDLING (STATUS = ON); SELECT * FROM Shown WHERE name = 'dbo.Four';
ALTER QUEUE Four WITH ACTIVATION (MAX_QUEUE_READERS = 7); SELECT * FROM Shown WHERE name = 'dbo.Four';
ALTER QUEUE Four WITH ACTIVATION (DROP); SELECT * FROM Shown WHERE name = 'dbo.Four';
ALTER QUEUE Four WITH ACTIVATION (PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 1, EXECUTE AS 'Ann'); SELECT active, [procedure] FROM Shown WHERE name = 'dbo.Four';
ALTER QUEUE Four WITH ACTIVATION (STATUS = ON); SELECT active FROM Shown WHERE name = 'dbo.Four';
ALTER QUEUE Four WITH ACTIVATION (PROCEDURE_NAME = WithNoRights); SELECT active, [procedure] FROM Shown WHERE name = 'dbo.Four';
GO
--! rows
--! dbo.Four | 1 | 1 | 0 | 0 | [Options].[dbo].[Reader] | 32767 | 1
--! rows
--! dbo.Four | 1 | 0 | 1 | 0 | [Options].[dbo].[Reader] | 32767 | 1
--! rows
--! dbo.Four | 1 | 0 | 1 | 0 | [Options].[dbo].[Reader] | 7 | 1
--! rows
--! dbo.Four | 1 | 0 | 1 | 0 | NULL | 0 | NULL
--! rows
--! 0 | [Options].[dbo].[Reader]
--! rows
--! 1
--! rows
--! 1 | [Options].[dbo].[WithNoRights]
--! spec QUEUE-9 QUEUE-25 QUEUE-28 QUEUE-30
CREATE QUEUE Bad WITH STATUS = ON, STATUS = OFF;
GO
--! error 102
ALTER QUEUE One WITH RETENTION = ON, RETENTION = ON;
GO
--! error 102
--! spec QUEUE-10
CREATE QUEUE Bad WITH STATUS = YES;
GO
--! error 102
ALTER QUEUE One WITH RETENTION = 1;
GO
--! error 102
--! spec QUEUE-11
CREATE QUEUE Bad WITH ACTIVATION (PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 1);
GO
--! error 102
CREATE QUEUE Bad WITH ACTIVATION (PROCEDURE_NAME = Reader, EXECUTE AS SELF);
GO
--! error 102
CREATE QUEUE Bad WITH ACTIVATION (MAX_QUEUE_READERS = 1, EXECUTE AS SELF);
GO
--! error 102
--! spec QUEUE-12
CREATE QUEUE Bad WITH ACTIVATION (PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 32768, EXECUTE AS SELF);
GO
--! error 102
ALTER QUEUE One WITH ACTIVATION (MAX_QUEUE_READERS = -1);
GO
--! error 102
--! spec QUEUE-13
CREATE QUEUE Bad WITH ACTIVATION (PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 1, EXECUTE AS CALLER);
GO
--! error 102
--! spec QUEUE-15
CREATE QUEUE Bad WITH ACTIVATION (DROP);
GO
--! error 156
--! spec QUEUE-29
CREATE QUEUE Bad WITH ACTIVATION (PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 1, EXECUTE AS 'Nobody');
GO
--! error 9611
--! spec QUEUE-18
ALTER QUEUE One WITH ACTIVATION (STATUS = ON);
GO
--! error 9613
CREATE QUEUE Bad WITH ACTIVATION (STATUS = ON);
GO
--! error 9613
--! spec QUEUE-19
ALTER QUEUE One WITH ACTIVATION (STATUS = ON, EXECUTE AS OWNER);
GO
--! error 9614
--! spec QUEUE-20
ALTER QUEUE One WITH ACTIVATION (PROCEDURE_NAME = WithParameter);
GO
--! error 9653
ALTER QUEUE One WITH ACTIVATION (PROCEDURE_NAME = Fn);
GO
--! error 9620
ALTER QUEUE One WITH ACTIVATION (PROCEDURE_NAME = #Temporary);
GO
--! error 9742
--! spec QUEUE-21 QUEUE-22 QUEUE-23
CREATE EVENT NOTIFICATION N ON QUEUE One FOR QUEUE_ACTIVATION TO SERVICE 'x', 'current database';
GO
ALTER QUEUE One WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
GO
--! error 9717
CREATE EVENT NOTIFICATION N2 ON QUEUE Six FOR QUEUE_ACTIVATION TO SERVICE 'x', 'current database';
GO
--! error 9718
--! spec QUEUE-26 QUEUE-27
-- Maintenance: accepted, checked, and no message changes.
CREATE SERVICE S ON QUEUE app.Two ([DEFAULT]);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'a'); SEND ON CONVERSATION @h (N'b');
ALTER QUEUE app.Two REBUILD; ALTER QUEUE app.Two REBUILD WITH (MAXDOP = 2);
ALTER QUEUE app.Two REORGANIZE; ALTER QUEUE app.Two REORGANIZE WITH (LOB_COMPACTION = OFF);
ALTER QUEUE app.Two MOVE TO "default"; ALTER QUEUE app.Two MOVE TO [PRIMARY];
SELECT CAST(message_body AS nvarchar(5)), status, queuing_order FROM app.Two ORDER BY queuing_order;
GO
--! rows
--! a | 1 | 0
--! b | 1 | 1
--! spec QUEUE-37 QUEUE-38 QUEUE-39 QUEUE-40
ALTER QUEUE Missing REBUILD;
GO
--! error 208
ALTER QUEUE Missing WITH STATUS = ON;
GO
--! error 208
DROP QUEUE Missing;
GO
--! error 3701 severity 11
--! spec QUEUE-46
CREATE QUEUE missing.Q;
GO
--! error 2760
--! spec QUEUE-47
CREATE TABLE T (id int);
GO
CREATE QUEUE T;
GO
--! error 2714
CREATE TABLE One (id int);
GO
--! error 2714
--! spec QUEUE-48
DROP QUEUE app.Two;
GO
--! error 3716
--! spec QUEUE-43
SELECT o.type, CASE WHEN i.name = 'queue_messages_' + CAST(o.object_id AS varchar(10)) THEN 'internal' END FROM sys.objects o
JOIN sys.internal_tables i ON i.parent_object_id = o.object_id WHERE o.name = 'One';
DROP QUEUE One;
SELECT COUNT(*) FROM sys.objects WHERE name = 'One'; SELECT COUNT(*) FROM sys.event_notifications WHERE name = 'N';
GO
--! rows
--! SQ | internal
--! rows
--! 0
--! rows
--! 0
--! spec QUEUE-42 QUEUE-49
-- Nobody changes the rows but RECEIVE.
INSERT INTO app.Two (status) VALUES (1);
GO
--! error 416 severity 16
INSERT INTO app.Two SELECT * FROM app.Two;
GO
--! error 416
UPDATE app.Two SET status = 0;
GO
--! error 416
DELETE FROM app.Two;
GO
--! error 416
DELETE q FROM app.Two q WHERE q.status = 1;
GO
--! error 416
TRUNCATE TABLE app.Two;
GO
--! error 416
MERGE app.Two AS t USING (SELECT 1 AS x) AS s ON t.status = s.x WHEN MATCHED THEN DELETE;
GO
--! error 416
--! spec QUEUE-51 QUEUE-52 QUEUE-53 QUEUE-54 QUEUE-55
CREATE INDEX I ON app.Two (status);
GO
--! error 1914
--! spec QUEUE-56
CREATE SYNONYM Alias FOR app.Two;
GO
SELECT COUNT(*) FROM Alias;
GO
--! error 4135
RECEIVE * FROM Alias;
GO
--! error 4135
DELETE FROM Alias;
GO
--! error 4135
DROP SYNONYM Alias;
GO
--! spec QUEUE-57
CREATE VIEW Bound WITH SCHEMABINDING AS SELECT status FROM app.Two;
GO
--! error 4517
CREATE FUNCTION BoundFn() RETURNS int WITH SCHEMABINDING AS BEGIN RETURN (SELECT COUNT(*) FROM app.Two) END;
GO
--! error 4517
--! spec QUEUE-58
SELECT COUNT(*) FROM app.Two WITH (NOLOCK); SELECT COUNT(*) FROM app.Two WITH (READPAST);
GO
--! rows
--! 2
--! rows
--! 2
--! spec QUEUE-50
