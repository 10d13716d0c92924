-- CREATE, ALTER, DROP QUEUE with every option.
CREATE DATABASE Queues;
GO
USE Queues;
EXEC ('CREATE SCHEMA app');
CREATE USER Bob WITHOUT LOGIN;
GO
CREATE PROCEDURE Reader AS RETURN 0;
GO
CREATE PROCEDURE WithParameter @x int AS RETURN 0;
GO
CREATE FUNCTION Fn() RETURNS int AS BEGIN RETURN 1 END;
GO
CREATE QUEUE Q1;
CREATE QUEUE app.Q2 WITH STATUS = OFF, RETENTION = ON, POISON_MESSAGE_HANDLING (STATUS = OFF) ON [DEFAULT];
CREATE QUEUE Queues.dbo.Q3 WITH STATUS = ON, RETENTION = OFF,
    ACTIVATION (STATUS = OFF, PROCEDURE_NAME = Queues.dbo.Reader, MAX_QUEUE_READERS = 5, EXECUTE AS 'Bob');
GO
SELECT name, type, type_desc, max_readers, activation_procedure, execute_as_principal_id, is_activation_enabled,
    is_receive_enabled, is_enqueue_enabled, is_retention_enabled, is_poison_message_handling_enabled, is_ms_shipped
FROM sys.service_queues WHERE is_ms_shipped = 0 ORDER BY name;
GO
--! rows
--! Q1 | SQ | SERVICE_QUEUE | 0 | NULL | NULL | 0 | 1 | 1 | 0 | 1 | 0
--! Q2 | SQ | SERVICE_QUEUE | 0 | NULL | NULL | 0 | 0 | 0 | 1 | 0 | 0
--! Q3 | SQ | SERVICE_QUEUE | 5 | [Queues].[dbo].[Reader] | * | 0 | 1 | 1 | 0 | 1 | 0
SELECT q.name, p.name FROM sys.service_queues q JOIN sys.database_principals p ON p.principal_id = q.execute_as_principal_id;
GO
--! rows
--! Q3 | Bob
-- SELF is the user that runs the DDL; OWNER is stored as -2.
ALTER QUEUE Q3 WITH ACTIVATION (EXECUTE AS SELF);
SELECT execute_as_principal_id FROM sys.service_queues WHERE name = 'Q3';
ALTER QUEUE Q3 WITH ACTIVATION (STATUS = ON, EXECUTE AS OWNER, MAX_QUEUE_READERS = 1);
SELECT execute_as_principal_id, is_activation_enabled, max_readers FROM sys.service_queues WHERE name = 'Q3';
GO
--! rows
--! 1
--! rows
--! -2 | 1 | 1
-- ACTIVATION (DROP) removes the whole definition.
ALTER QUEUE Q3 WITH ACTIVATION (DROP);
SELECT max_readers, activation_procedure, execute_as_principal_id, is_activation_enabled FROM sys.service_queues WHERE name = 'Q3';
GO
--! rows
--! 0 | NULL | NULL | 0
-- Adding a procedure with ALTER does not switch the activation on.
ALTER QUEUE Q3 WITH ACTIVATION (PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER);
SELECT is_activation_enabled, activation_procedure FROM sys.service_queues WHERE name = 'Q3';
GO
--! rows
--! 0 | [Queues].[dbo].[Reader]
-- In CREATE the activation is ON unless it says OFF.
CREATE QUEUE Q4 WITH ACTIVATION (PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 2, EXECUTE AS SELF);
SELECT is_activation_enabled FROM sys.service_queues WHERE name = 'Q4';
DROP QUEUE Q4;
GO
--! rows
--! 1
-- The options that ALTER QUEUE does not mention keep their value.
ALTER QUEUE app.Q2 WITH STATUS = ON;
SELECT is_receive_enabled, is_retention_enabled, is_poison_message_handling_enabled FROM sys.service_queues WHERE name = 'Q2';
ALTER QUEUE app.Q2 WITH RETENTION = OFF, POISON_MESSAGE_HANDLING (STATUS = ON);
SELECT is_receive_enabled, is_retention_enabled, is_poison_message_handling_enabled FROM sys.service_queues WHERE name = 'Q2';
GO
--! rows
--! 1 | 1 | 0
--! rows
--! 1 | 0 | 1
ALTER QUEUE Q1 REBUILD;
ALTER QUEUE Q1 REBUILD WITH (MAXDOP = 2);
ALTER QUEUE Q1 REORGANIZE;
ALTER QUEUE Q1 REORGANIZE WITH (LOB_COMPACTION = ON);
ALTER QUEUE Q1 MOVE TO "default";
GO
-- Activation errors.
ALTER QUEUE Q1 WITH ACTIVATION (STATUS = ON);
GO
--! error 9613
ALTER QUEUE Q1 WITH ACTIVATION (EXECUTE AS OWNER);
GO
ALTER QUEUE Q1 WITH ACTIVATION (STATUS = ON);
GO
--! error 9614
ALTER QUEUE Q1 WITH ACTIVATION (EXECUTE AS 'Nobody');
GO
--! error 9611
ALTER QUEUE Q1 WITH ACTIVATION (PROCEDURE_NAME = Fn);
GO
--! error 9620
ALTER QUEUE Q1 WITH ACTIVATION (PROCEDURE_NAME = WithParameter);
GO
--! error 9653
ALTER QUEUE Q1 WITH ACTIVATION (PROCEDURE_NAME = #temporary);
GO
--! error 9742
-- In CREATE the three activation options come together.
CREATE QUEUE Q5 WITH ACTIVATION (PROCEDURE_NAME = Reader);
GO
--! error 102
CREATE QUEUE Q1;
GO
--! error 2714
CREATE TABLE T (id int);
GO
CREATE QUEUE T;
GO
--! error 2714
DROP QUEUE NoSuch;
GO
--! error 3701 severity 11
ALTER QUEUE NoSuch WITH STATUS = ON;
GO
--! error 208
CREATE QUEUE nosuch.Q;
GO
--! error 2760
-- A service on it keeps the queue.
CREATE SERVICE S ON QUEUE Q1;
GO
DROP QUEUE Q1;
GO
--! error 3716
DROP QUEUE ServiceBrokerQueue;
GO
--! error 3708
ALTER QUEUE ServiceBrokerQueue WITH STATUS = OFF;
GO
--! error 9663
-- Rows of a queue change by RECEIVE only (416).
UPDATE Q1 SET status = 1;
GO
--! error 416
TRUNCATE TABLE Q1;
GO
--! error 416
-- MAX_QUEUE_READERS 0 is legal: it is logged and nothing starts.
ALTER QUEUE Q1 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 0, EXECUTE AS OWNER);
GO
--! settle
--! log 9648
DROP SERVICE S;
DROP QUEUE dbo.Q1;
DROP QUEUE Queues.dbo.Q3;
SELECT name FROM sys.service_queues WHERE is_ms_shipped = 0;
GO
--! rows
--! Q2
