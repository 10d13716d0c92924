-- Dialogs are reused: one for each session and pair of services, in a table keyed by @@SPID; SEND errors make a new one; a timer ends
-- dialogs that are too old, by asking the target to end.
create database Reuse
go
use Reuse
go
CREATE TABLE [SessionConversations] (
      SPID INT NOT NULL,
      FromService SYSNAME NOT NULL,
      ToService SYSNAME NOT NULL,
      OnContract SYSNAME NOT NULL,
      Handle UNIQUEIDENTIFIER NOT NULL,
      PRIMARY KEY (SPID, FromService, ToService, OnContract),
      UNIQUE (Handle));
GO
CREATE MESSAGE TYPE [EndOfStream];
CREATE QUEUE InitQ; CREATE QUEUE TgtQ;
CREATE CONTRACT [Stream] ([DEFAULT] SENT BY INITIATOR, [EndOfStream] SENT BY INITIATOR);
CREATE SERVICE Init ON QUEUE InitQ;
CREATE SERVICE Tgt ON QUEUE TgtQ ([Stream]);
GO
CREATE PROCEDURE usp_Send (
      @fromService SYSNAME,
      @toService SYSNAME,
      @onContract SYSNAME,
      @messageType SYSNAME,
      @messageBody VARBINARY(MAX))
AS
BEGIN
SET NOCOUNT ON;
DECLARE @handle UNIQUEIDENTIFIER;
DECLARE @counter INT;
DECLARE @error INT;
SELECT @counter = 1;

BEGIN TRANSACTION;
-- Will need a loop to retry in case the conversation is in a state that does not allow transmission
WHILE (1=1)
BEGIN
      SELECT @handle = Handle
            FROM [SessionConversations] WITH (UPDLOCK)
            WHERE SPID = @@SPID
            AND FromService = @fromService
            AND ToService = @toService
            AND OnContract = @OnContract;
      IF @handle IS NULL
      BEGIN
            BEGIN DIALOG CONVERSATION @handle
                  FROM SERVICE @fromService
                  TO SERVICE @toService
                  ON CONTRACT @onContract
                  WITH ENCRYPTION = OFF;
            -- Set an one hour timer on the conversation
            BEGIN CONVERSATION TIMER (@handle) TIMEOUT = 3600;
            INSERT INTO [SessionConversations]
                  (SPID, FromService, ToService, OnContract, Handle)
                  VALUES
                  (@@SPID, @fromService, @toService, @onContract, @handle);
      END;
      -- Attempt to SEND on the associated conversation
      SEND ON CONVERSATION @handle
            MESSAGE TYPE @messageType
            (@messageBody);
      SELECT @error = @@ERROR;
      IF @error = 0
      BEGIN
            BREAK;
      END
      SELECT @counter = @counter+1;
      IF @counter > 10
      BEGIN
            RAISERROR (
                  N'Failed to SEND on a conversation for more than 10 times. Error %i.', 16, 1, @error)
            WITH LOG;
            BREAK;
      END
      DELETE FROM [SessionConversations] WHERE Handle = @handle;
      SELECT @handle = NULL;
END
COMMIT;
END
GO
CREATE PROCEDURE usp_SenderActivation
AS
BEGIN
      DECLARE @handle UNIQUEIDENTIFIER;
      DECLARE @messageTypeName SYSNAME;
      DECLARE @messageBody VARBINARY(MAX);

      BEGIN TRANSACTION;
      RECEIVE TOP(1)
            @handle = conversation_handle,
            @messageTypeName = message_type_name,
            @messageBody = message_body
      FROM InitQ;
      IF @handle IS NOT NULL
      BEGIN
            DELETE FROM [SessionConversations] WHERE [Handle] = @handle;
            IF @messageTypeName = N'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer'
                  SEND ON CONVERSATION @handle MESSAGE TYPE [EndOfStream];
            ELSE IF @messageTypeName = N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog'
                  END CONVERSATION @handle;
            ELSE IF @messageTypeName = N'http://schemas.microsoft.com/SQL/ServiceBroker/Error'
            BEGIN
                  DECLARE @error INT;
                  DECLARE @description NVARCHAR(4000);
                  WITH XMLNAMESPACES (N'http://schemas.microsoft.com/SQL/ServiceBroker/Error' AS ssb)
                  SELECT
                        @error = CAST(@messageBody AS XML).value('(//ssb:Error/ssb:Code)[1]', 'INT'),
                        @description = CAST(@messageBody AS XML).value('(//ssb:Error/ssb:Description)[1]', 'NVARCHAR(4000)')
                  RAISERROR(N'Received error Code:%i Description:"%s"', 16, 1, @error, @description) WITH LOG;
                  END CONVERSATION @handle;
            END;
      END
      COMMIT;
END
GO
ALTER QUEUE InitQ WITH ACTIVATION (STATUS = ON, MAX_QUEUE_READERS = 1, PROCEDURE_NAME = [usp_SenderActivation], EXECUTE AS OWNER);
GO
EXEC usp_Send N'Init', N'Tgt', N'Stream', N'DEFAULT', 0x01;
EXEC usp_Send 'Init', 'Tgt', 'Stream', 'DEFAULT', 0x02;
SELECT COUNT(*) AS dialogs, MIN(SPID) - @@SPID AS mine FROM SessionConversations
GO
--! rows
--! 1 | 0
--! session second IN Reuse
EXEC usp_Send N'Init', N'Tgt', N'Stream', N'DEFAULT', 0x03
SELECT COUNT(*), COUNT(DISTINCT Handle) FROM SessionConversations
GO
--! rows
--! 2 | 2
--! session main
-- The dialog of this session is ended by the target with an error. The sender hears it by activation and logs it; the next SEND begins a new one.
DECLARE @h UNIQUEIDENTIFIER
RECEIVE TOP (1) @h = conversation_handle FROM TgtQ
END CONVERSATION @h WITH ERROR = 50500 DESCRIPTION = N'No more, please'
GO
--! settle
--! log 50000 Received error Code:50500 Description:"No more, please"
SELECT COUNT(*) FROM SessionConversations
EXEC usp_Send N'Init', N'Tgt', N'Stream', N'DEFAULT', 0x04
SELECT COUNT(*) FROM SessionConversations
GO
--! rows
--! 1
--! rows
--! 2
-- SEND on a dialog that is gone: 8426 is an error of the statement, the loop tries again with a new dialog.
UPDATE SessionConversations SET Handle = NEWID() WHERE SPID = @@SPID
EXEC usp_Send N'Init', N'Tgt', N'Stream', N'DEFAULT', 0x05
GO
--! error 8426 line 40
SELECT message_type_name, message_body FROM TgtQ ORDER BY message_body
GO
--! rows
--! DEFAULT | 0x03
--! DEFAULT | 0x04
--! DEFAULT | 0x05
--! advance 3601s
SELECT message_type_name, COUNT(*) FROM TgtQ GROUP BY message_type_name ORDER BY 1
SELECT COUNT(*) FROM SessionConversations
GO
--! rows
--! DEFAULT | 3
--! EndOfStream | 3
--! rows
--! 0
