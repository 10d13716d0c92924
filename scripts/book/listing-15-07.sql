-- Listing 15-7: the syntax of CREATE QUEUE, every option used at least once.
-- Corrected: the listing lets only SELF or a user follow EXECUTE AS; the released product adds OWNER, as it adds
-- POISON_MESSAGE_HANDLING and the filegroup. Where one of PROCEDURE_NAME, MAX_QUEUE_READERS and EXECUTE AS is
-- given, all three must be.

CREATE DATABASE Trader1;
GO
USE Trader1;
GO
CREATE SCHEMA desk;
GO
CREATE USER clerk WITHOUT LOGIN;
GO
:r ../activated/tradeAckProc_shell.sql

-- no option: open for messages, nothing retained, nothing activated
CREATE QUEUE plainQueue;

-- exists, but takes and gives no messages
CREATE QUEUE closedQueue WITH STATUS = OFF;

-- keeps what was sent and received until the conversation ends
CREATE QUEUE archiveQueue WITH STATUS = ON, RETENTION = ON;

-- the queue is the only broker object that may be named with schema and database
CREATE QUEUE Trader1.desk.remoteQueue;

-- run the procedure as the user who creates the queue
CREATE QUEUE selfQueue WITH
    ACTIVATION (PROCEDURE_NAME = tradeAckProc, MAX_QUEUE_READERS = 5, EXECUTE AS SELF);

-- as the owner of the queue; defined, but not started until STATUS is ON
CREATE QUEUE ownerQueue WITH STATUS = ON, RETENTION = OFF,
    ACTIVATION (STATUS = OFF, PROCEDURE_NAME = dbo.tradeAckProc, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);

-- as a user named here
CREATE QUEUE clerkQueue WITH
    ACTIVATION (STATUS = ON, PROCEDURE_NAME = Trader1.dbo.tradeAckProc, MAX_QUEUE_READERS = 10,
                EXECUTE AS 'clerk');

-- five rollbacks in a row do not switch this one off
CREATE QUEUE patientQueue WITH STATUS = ON, POISON_MESSAGE_HANDLING (STATUS = OFF);

-- the filegroup of the queue's internal table
CREATE QUEUE primaryQueue ON [PRIMARY];
CREATE QUEUE defaultQueue WITH STATUS = ON ON [DEFAULT];
GO

SELECT SCHEMA_NAME(schema_id) AS in_schema, name, is_receive_enabled, is_enqueue_enabled, is_retention_enabled,
       is_poison_message_handling_enabled
FROM sys.service_queues
WHERE is_ms_shipped = 0
ORDER BY name;
GO
--! rows
--! columns in_schema | name | is_receive_enabled | is_enqueue_enabled | is_retention_enabled | is_poison_message_handling_enabled
--! dbo | archiveQueue | 1 | 1 | 1 | 1
--! dbo | clerkQueue | 1 | 1 | 0 | 1
--! dbo | closedQueue | 0 | 0 | 0 | 1
--! dbo | defaultQueue | 1 | 1 | 0 | 1
--! dbo | ownerQueue | 1 | 1 | 0 | 1
--! dbo | patientQueue | 1 | 1 | 0 | 0
--! dbo | plainQueue | 1 | 1 | 0 | 1
--! dbo | primaryQueue | 1 | 1 | 0 | 1
--! desk | remoteQueue | 1 | 1 | 0 | 1
--! dbo | selfQueue | 1 | 1 | 0 | 1

-- EXECUTE AS OWNER is stored as -2, SELF as the user who ran the statement.
SELECT name, is_activation_enabled, max_readers,
       CASE execute_as_principal_id WHEN -2 THEN N'OWNER' ELSE USER_NAME(execute_as_principal_id) END AS runs_as
FROM sys.service_queues
WHERE is_ms_shipped = 0 AND activation_procedure LIKE N'%tradeAckProc%'
ORDER BY name;
GO
--! rows
--! clerkQueue | 1 | 10 | clerk
--! ownerQueue | 0 | 1 | OWNER
--! selfQueue | 1 | 5 | dbo

RECEIVE * FROM closedQueue;
GO
--! error 9617
