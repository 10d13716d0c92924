-- Begin, send and end in one go over a network: the target never learns that its first acknowledgement has arrived.
:r pair.inc
--! instance A
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF, LIFETIME = 7200;
SEND ON CONVERSATION @h (N'hello');
END CONVERSATION @h;
GO
--! advance 10s
SELECT COUNT(*) FROM sys.conversation_endpoints;
GO
--! rows
--! 0
--! instance B
DECLARE @h uniqueidentifier;
RECEIVE TOP (1) @h = conversation_handle FROM Desk;
END CONVERSATION @h;
GO
--! advance 31m
--! spec CLOSED-9
SELECT RTRIM(state) AS state, security_timestamp FROM sys.conversation_endpoints;
GO
--! rows
--! CD | 1900-01-01 00:00:00.000
-- the lifetime is over, and half an hour after it the row goes
--! advance 61m
SELECT RTRIM(state) AS state FROM sys.conversation_endpoints;
GO
--! rows
--! CD
--! advance 40m
SELECT RTRIM(state) AS state, IIF(lifetime < GETUTCDATE(), 'over', 'not yet') FROM sys.conversation_endpoints;
GO
--! rows
--! CD | over
--! advance 20m
SELECT COUNT(*) FROM sys.conversation_endpoints;
GO
--! rows
--! 0
-- when the initiator has sent once more, the target knows, and the row goes after half an hour
--! instance A
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'hello');
GO
--! advance 10s
DECLARE @h uniqueidentifier;
SELECT @h = conversation_handle FROM sys.conversation_endpoints;
SEND ON CONVERSATION @h (N'again');
END CONVERSATION @h;
GO
--! advance 10s
--! instance B
DECLARE @h uniqueidentifier;
RECEIVE TOP (1) @h = conversation_handle FROM Desk;
END CONVERSATION @h;
SELECT RTRIM(state) AS state, IIF(security_timestamp > GETUTCDATE(), 'set', 'unset') FROM sys.conversation_endpoints;
GO
--! rows
--! CD | set
--! advance 31m
SELECT COUNT(*) FROM sys.conversation_endpoints;
GO
--! rows
--! 0
