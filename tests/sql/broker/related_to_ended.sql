-- RELATED_CONVERSATION: a conversation that this side has ended is unknown to it.
CREATE DATABASE Related;
GO
USE Related;
CREATE QUEUE q;
CREATE SERVICE s ON QUEUE q ([DEFAULT]);
GO
DECLARE @a uniqueidentifier, @b uniqueidentifier, @c uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a (0x01);
SELECT @b = t.conversation_handle FROM sys.conversation_endpoints i JOIN sys.conversation_endpoints t ON t.conversation_id = i.conversation_id
    WHERE i.conversation_handle = @a AND t.is_initiator = 0;
END CONVERSATION @a;
BEGIN DIALOG @c FROM SERVICE s TO SERVICE 's' WITH RELATED_CONVERSATION = @b, ENCRYPTION = OFF;
BEGIN DIALOG @c FROM SERVICE s TO SERVICE 's' WITH RELATED_CONVERSATION = @a, ENCRYPTION = OFF;
END CONVERSATION @b;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @b;
BEGIN DIALOG @c FROM SERVICE s TO SERVICE 's' WITH RELATED_CONVERSATION = @b, ENCRYPTION = OFF;
GO
--! error 8426
--! rows
--! CD
--! error 8426
--! spec DIALOG-56
