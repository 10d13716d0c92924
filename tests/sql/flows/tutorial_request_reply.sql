-- A tutorial that is run piece by piece: what stands in which queue is looked at after each step.
USE master;
GO
CREATE DATABASE Lesson1;
GO
ALTER DATABASE Lesson1
      SET ENABLE_BROKER;
GO
USE Lesson1;
GO
CREATE MESSAGE TYPE
       [//Lesson/RequestMessage]
       VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE
       [//Lesson/ReplyMessage]
       VALIDATION = WELL_FORMED_XML;
GO
CREATE CONTRACT [//Lesson/SampleContract]
      ([//Lesson/RequestMessage]
       SENT BY INITIATOR,
       [//Lesson/ReplyMessage]
       SENT BY TARGET
      );
GO
CREATE QUEUE TargetQueueLesson;

CREATE SERVICE
       [//Lesson/TargetService]
       ON QUEUE TargetQueueLesson
       ([//Lesson/SampleContract]);
GO
CREATE QUEUE InitiatorQueueLesson;

CREATE SERVICE
       [//Lesson/InitiatorService]
       ON QUEUE InitiatorQueueLesson;
GO
DECLARE @InitDlgHandle UNIQUEIDENTIFIER;
DECLARE @RequestMsg NVARCHAR(100);

BEGIN TRANSACTION;

BEGIN DIALOG @InitDlgHandle
     FROM SERVICE
      [//Lesson/InitiatorService]
     TO SERVICE
      N'//Lesson/TargetService'
     ON CONTRACT
      [//Lesson/SampleContract]
     WITH
         ENCRYPTION = OFF;

SELECT @RequestMsg =
       N'<RequestMsg>Message for Target service.</RequestMsg>';

SEND ON CONVERSATION @InitDlgHandle
     MESSAGE TYPE
     [//Lesson/RequestMessage]
     (@RequestMsg);

SELECT @RequestMsg AS SentRequestMsg;

COMMIT TRANSACTION;
GO
--! rows
--! columns SentRequestMsg
--! <RequestMsg>Message for Target service.</RequestMsg>
SELECT message_type_name, service_name, service_contract_name, message_sequence_number, CAST(message_body AS nvarchar(max)) AS body FROM TargetQueueLesson;
SELECT COUNT(*) AS waiting FROM InitiatorQueueLesson;
SELECT state, state_desc, is_initiator, far_service FROM sys.conversation_endpoints ORDER BY is_initiator DESC;
GO
--! rows
--! //Lesson/RequestMessage | //Lesson/TargetService | //Lesson/SampleContract | 0 | <RequestMsg>Message for Target service.</RequestMsg>
--! rows
--! 0
--! rows
--! CO | CONVERSING | 1 | //Lesson/TargetService
--! CO | CONVERSING | 0 | //Lesson/InitiatorService
DECLARE @RecvReqDlgHandle UNIQUEIDENTIFIER;
DECLARE @RecvReqMsg NVARCHAR(100);
DECLARE @RecvReqMsgName sysname;

BEGIN TRANSACTION;

WAITFOR
( RECEIVE TOP(1)
    @RecvReqDlgHandle = conversation_handle,
    @RecvReqMsg = message_body,
    @RecvReqMsgName = message_type_name
  FROM TargetQueueLesson
), TIMEOUT 1000;

SELECT @RecvReqMsg AS ReceivedRequestMsg;

IF @RecvReqMsgName =
   N'//Lesson/RequestMessage'
BEGIN
     DECLARE @ReplyMsg NVARCHAR(100);
     SELECT @ReplyMsg =
     N'<ReplyMsg>Message for Initiator service.</ReplyMsg>';

     SEND ON CONVERSATION @RecvReqDlgHandle
          MESSAGE TYPE
          [//Lesson/ReplyMessage]
          (@ReplyMsg);

     END CONVERSATION @RecvReqDlgHandle;
END

SELECT @ReplyMsg AS SentReplyMsg;

COMMIT TRANSACTION;
GO
--! rows
--! columns ReceivedRequestMsg
--! <RequestMsg>Message for Target service.</RequestMsg>
--! rows
--! columns SentReplyMsg
--! <ReplyMsg>Message for Initiator service.</ReplyMsg>
SELECT message_type_name FROM InitiatorQueueLesson ORDER BY queuing_order
SELECT state_desc, is_initiator FROM sys.conversation_endpoints ORDER BY is_initiator DESC
GO
--! rows
--! //Lesson/ReplyMessage
--! http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog
--! rows
--! DISCONNECTED_INBOUND | 1
--! DISCONNECTED_OUTBOUND | 0
DECLARE @RecvReplyMsg NVARCHAR(100);
DECLARE @RecvReplyDlgHandle UNIQUEIDENTIFIER;

BEGIN TRANSACTION;

WAITFOR
( RECEIVE TOP(1)
    @RecvReplyDlgHandle = conversation_handle,
    @RecvReplyMsg = message_body
  FROM InitiatorQueueLesson
), TIMEOUT 1000;

END CONVERSATION @RecvReplyDlgHandle;

SELECT @RecvReplyMsg AS ReceivedReplyMsg;

COMMIT TRANSACTION;
GO
--! rows
--! <ReplyMsg>Message for Initiator service.</ReplyMsg>
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1;
SELECT COUNT(*) FROM InitiatorQueueLesson;
GO
--! rows
--! 0
--! rows
--! 0
-- A second END of the same conversation, as people try it.
DECLARE @h uniqueidentifier;
SELECT @h = conversation_handle FROM sys.conversation_endpoints;
END CONVERSATION @h;
PRINT 'after';
GO
--! error 8427 line 4
--! print after
IF EXISTS (SELECT * FROM sys.objects WHERE name = N'TargetProc') DROP PROCEDURE TargetProc
IF EXISTS (SELECT * FROM sys.services WHERE name = N'//Lesson/TargetService')
     DROP SERVICE [//Lesson/TargetService];
IF EXISTS (SELECT * FROM sys.service_queues WHERE name = N'TargetQueueLesson')
     DROP QUEUE TargetQueueLesson;
IF EXISTS (SELECT * FROM sys.services WHERE name = N'//Lesson/InitiatorService')
     DROP SERVICE [//Lesson/InitiatorService];
IF EXISTS (SELECT * FROM sys.service_queues WHERE name = N'InitiatorQueueLesson')
     DROP QUEUE InitiatorQueueLesson;
IF EXISTS (SELECT * FROM sys.service_contracts WHERE name = N'//Lesson/SampleContract')
     DROP CONTRACT [//Lesson/SampleContract];
IF EXISTS (SELECT * FROM sys.service_message_types WHERE name = N'//Lesson/RequestMessage')
     DROP MESSAGE TYPE [//Lesson/RequestMessage];
IF EXISTS (SELECT * FROM sys.service_message_types WHERE name = N'//Lesson/ReplyMessage')
     DROP MESSAGE TYPE [//Lesson/ReplyMessage];
GO
SELECT (SELECT COUNT(*) FROM sys.services WHERE name LIKE '//Lesson%') + (SELECT COUNT(*) FROM sys.service_queues WHERE is_ms_shipped = 0)
    + (SELECT COUNT(*) FROM sys.conversation_endpoints)
GO
--! rows
--! 0
USE master;
IF EXISTS (SELECT * FROM sys.databases WHERE name = 'Lesson1') DROP DATABASE Lesson1;
GO
