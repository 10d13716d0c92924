-- END CONVERSATION plain, WITH ERROR, WITH CLEANUP in every state.
CREATE DATABASE Ends;
GO
USE Ends;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
GO
CREATE PROCEDURE Dialog @h uniqueidentifier OUTPUT, @t uniqueidentifier OUTPUT AS
BEGIN
    BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (N'hello');
    DECLARE @b nvarchar(10), @i uniqueidentifier = @h;
    SELECT @t = t.conversation_handle FROM sys.conversation_endpoints i
    JOIN sys.conversation_endpoints t ON t.conversation_id = i.conversation_id AND t.is_initiator = 0 WHERE i.conversation_handle = @i;
END;
GO
CREATE PROCEDURE Show @h uniqueidentifier, @t uniqueidentifier AS
SELECT is_initiator, state FROM sys.conversation_endpoints WHERE conversation_handle IN (@h, @t) ORDER BY is_initiator DESC;
GO
-- SO: nothing was sent, each form makes the endpoint go away.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2'; END CONVERSATION @h;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2'; END CONVERSATION @h WITH ERROR = 1 DESCRIPTION = N'x';
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2'; END CONVERSATION @h WITH CLEANUP;
SELECT (SELECT COUNT(*) FROM sys.conversation_endpoints) + (SELECT COUNT(*) FROM Q2);
END CONVERSATION @h;
GO
--! rows
--! 0
--! error 8426
--! spec CHANGE-23 END-25
-- CO -> DO at the initiator, DI at the target; unread incoming messages of the ending side go.
DECLARE @h uniqueidentifier, @t uniqueidentifier;
EXEC Dialog @h OUTPUT, @t OUTPUT;
SEND ON CONVERSATION @t (N'unread');
SELECT COUNT(*) FROM Q1;
END CONVERSATION @h;
SELECT COUNT(*) FROM Q1;
EXEC Show @h, @t;
-- DO: neither SEND nor END nor TIMER nor MOVE nor RECEIVE.
SEND ON CONVERSATION @h (N'no');
END CONVERSATION @h;
END CONVERSATION @h WITH ERROR = 5 DESCRIPTION = N'no';
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5;
RECEIVE * FROM Q1 WHERE conversation_handle = @h;
-- DI: no SEND, no TIMER; the messages are received, EndDialog last, with a NULL body.
SEND ON CONVERSATION @t (N'no');
BEGIN CONVERSATION TIMER (@t) TIMEOUT = 5;
RECEIVE message_sequence_number, message_type_name, message_body, validation FROM Q2;
END CONVERSATION @t;
-- Target: CD for the security period; the initiator's row is gone.
EXEC Show @h, @t;
SELECT DATEDIFF(minute, GETUTCDATE(), security_timestamp) FROM sys.conversation_endpoints WHERE conversation_handle = @t;
SEND ON CONVERSATION @t (N'no');
END CONVERSATION @t;
END CONVERSATION @h;
GO
--! rows
--! 1
--! rows
--! 0
--! rows
--! 1 | DO
--! 0 | DI
--! error 8429
--! error 8427
--! error 8427
--! error 8458
--! error 8426
--! error 8429
--! error 8458
--! rows
--! 0 | DEFAULT | 0x680065006C006C006F00 | N 
--! 1 | http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | NULL | E 
--! rows
--! 0 | CD
--! rows
--! 30
--! error 8429
--! error 8427
--! error 8426
--! spec END-1 END-6 END-21 END-22 END-26 CHANGE-11 CHANGE-20 CHANGE-27 TIMER-22
--! advance 31m
SELECT COUNT(*) FROM sys.conversation_endpoints;
GO
--! rows
--! 0
-- The target ends first; then the initiator: no row of it is left.
DECLARE @h uniqueidentifier, @t uniqueidentifier;
EXEC Dialog @h OUTPUT, @t OUTPUT;
END CONVERSATION @t;
SELECT COUNT(*) FROM Q2;
EXEC Show @h, @t;
SEND ON CONVERSATION @h (N'no');
RECEIVE message_type_id, message_sequence_number FROM Q1;
END CONVERSATION @h;
EXEC Show @h, @t;
END CONVERSATION @t WITH CLEANUP;
EXEC Show @h, @t;
GO
--! rows
--! 0
--! rows
--! 1 | DI
--! 0 | DO
--! error 8429
--! rows
--! 2 | 0
--! rows
--! 0 | CD
--! rows
--! spec CHANGE-19 CHANGE-21 CLOSED-10 CLOSED-11 SEQUENCE-4
-- WITH ERROR: the other side gets ER and the Error document, sequenced; DO here.
DECLARE @h uniqueidentifier, @t uniqueidentifier, @code int = 42, @text nvarchar(100) = N'a < b & "c"', @body varbinary(max);
EXEC Dialog @h OUTPUT, @t OUTPUT;
END CONVERSATION @h WITH ERROR = @code DESCRIPTION = @text;
EXEC Show @h, @t;
RECEIVE TOP (1) @body = message_body FROM Q2;
SELECT CAST(@body AS xml);
SELECT SUBSTRING(@body, 1, 2);
RECEIVE message_type_name, message_sequence_number, CAST(message_body AS nvarchar(20)) FROM Q2;
SEND ON CONVERSATION @t (N'no');
END CONVERSATION @t WITH ERROR = 7 DESCRIPTION = N'nobody hears it';
EXEC Show @h, @t;
SELECT COUNT(*) FROM Q1;
GO
--! rows
--! 1 | DO
--! 0 | ER
--! rows
--! <Error xmlns="http://schemas.microsoft.com/SQL/ServiceBroker/Error"><Code>42</Code><Description>a &lt; b &amp; "c"</Description></Error>
--! rows
--! 0xFFFE
--! rows
--! DEFAULT | 0 | hello
--! error 8429
--! rows
--! 0 | CD
--! rows
--! 0
--! spec END-2 END-8 END-10 END-20 CHANGE-13 SYSTEMMESSAGE-5 SYSTEMMESSAGE-6 SYSTEMMESSAGE-8 SYSTEMMESSAGE-9 SYSTEMMESSAGE-10
-- The hole of fire and forget (3.3): in DO the peer's error is discarded, the application never learns of it.
DECLARE @h uniqueidentifier, @t uniqueidentifier;
EXEC Dialog @h OUTPUT, @t OUTPUT;
END CONVERSATION @h;
RECEIVE TOP (1) @t = conversation_handle FROM Q2;
END CONVERSATION @t WITH ERROR = 1 DESCRIPTION = N'lost';
SELECT COUNT(*) FROM Q1;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! rows
--! 0
--! rows
--! 0
--! spec CHANGE-22 END-23
-- WITH CLEANUP: everything of this side goes at once, the peer is not told; what it sends then is answered with -8462 (3.6).
DECLARE @h uniqueidentifier, @t uniqueidentifier;
EXEC Dialog @h OUTPUT, @t OUTPUT;
SEND ON CONVERSATION @t (N'reply');
END CONVERSATION @t WITH CLEANUP;
EXEC Show @h, @t;
SELECT COUNT(*) FROM Q2 WHERE conversation_handle = @t;
RECEIVE CAST(message_body AS nvarchar(20)) FROM Q1;
SEND ON CONVERSATION @h (N'into the void');
EXEC Show @h, @t;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1;
END CONVERSATION @h WITH CLEANUP;
EXEC Show @h, @t;
GO
--! rows
--! 1 | CO
--! rows
--! 0
--! rows
--! reply
--! rows
--! 1 | ER
--! rows
--! -8462
--! rows
--! spec END-3 END-11 END-12 END-13 BROKERERROR-2
-- Arguments of WITH ERROR.
DECLARE @h uniqueidentifier, @nullcode int, @nulltext nvarchar(10);
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2';
END CONVERSATION @h WITH ERROR = @nullcode DESCRIPTION = N'x';
END CONVERSATION @h WITH ERROR = 1 DESCRIPTION = @nulltext;
END CONVERSATION @h WITH ERROR = @nullcode DESCRIPTION = @nulltext;
END CONVERSATION @h WITH ERROR = -1 DESCRIPTION = N'x';
END CONVERSATION @h;
SET @h = NULL;
END CONVERSATION @h;
GO
--! error 8419
--! error 8422
--! error 8424
--! error 8419
--! error 8418
--! spec END-14 END-17 END-18 END-19 COMMON-5
-- WITH ERROR deletes what still waits in the transmission queue; a plain END does not.
ALTER QUEUE Q2 WITH STATUS = OFF;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one'); SEND ON CONVERSATION @h (N'two');
END CONVERSATION @h;
SELECT message_sequence_number, is_end_of_dialog, is_conversation_error, message_type_name FROM sys.transmission_queue ORDER BY message_sequence_number;
END CONVERSATION @h WITH CLEANUP;
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! 0 | 0 | 0 | DEFAULT
--! 1 | 0 | 0 | DEFAULT
--! 2 | 1 | 0 | http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog
--! rows
--! 0
--! spec END-7 END-11 PENDING-6
