-- Listing 15-13: the syntax of SEND, in every form.
-- Corrected: in the released product MESSAGE TYPE may be left out (the type is then DEFAULT), and since 2012 one SEND
-- serves a list of conversations. The statement before a SEND must end with a semicolon.

CREATE DATABASE DMBrokerage;
GO
USE DMBrokerage;
GO
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/Wakeup] VALIDATION = EMPTY;
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/Stranger];
CREATE CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
(
    [//www.develop.com/DMBrokerage/TradeEntry] SENT BY INITIATOR,
    [//www.develop.com/DMBrokerage/TradeAck] SENT BY TARGET,
    [//www.develop.com/DMBrokerage/Wakeup] SENT BY ANY,
    [DEFAULT] SENT BY ANY
);
CREATE QUEUE deskQueue;
CREATE SERVICE desk ON QUEUE deskQueue;
CREATE QUEUE tradeEntryQueue;
CREATE SERVICE tradeEntryService ON QUEUE tradeEntryQueue ([//www.develop.com/DMBrokerage/EnterTrade]);
-- the handles, for the batches below
CREATE TABLE dialogs (label varchar(10) PRIMARY KEY, handle uniqueidentifier);
GO

DECLARE @dh uniqueidentifier;
BEGIN DIALOG @dh FROM SERVICE desk TO SERVICE 'tradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade];
INSERT INTO dialogs VALUES ('one', @dh);
BEGIN DIALOG @dh FROM SERVICE desk TO SERVICE 'tradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade];
INSERT INTO dialogs VALUES ('two', @dh);
GO

DECLARE @dh uniqueidentifier, @type sysname, @entry xml;
SELECT @dh = handle FROM dialogs WHERE label = 'one';
SET @entry = N'<id>Order1</id>';
SET @type = N'//www.develop.com/DMBrokerage/TradeEntry';

-- type and body
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] (@entry);
-- the type from a variable, the body an expression; the semicolon may as well stand before SEND
SET @entry = N'<id>Order2</id>'
;SEND ON CONVERSATION @dh MESSAGE TYPE @type (CAST(@entry AS nvarchar(max)));
-- no body: for an EMPTY type that is the whole message
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/Wakeup];
-- no type: DEFAULT, which takes any bytes
SEND ON CONVERSATION @dh (N'plain words');
SEND ON CONVERSATION @dh (0xCAFE);
-- neither
SEND ON CONVERSATION @dh;
-- an empty body is stored as none at all
SEND ON CONVERSATION @dh (N'');
GO

SELECT message_sequence_number AS seq, message_type_name, RTRIM(validation) AS validation,
       CASE message_sequence_number WHEN 4 THEN CONVERT(nvarchar(20), message_body, 1)
            WHEN 0 THEN CAST(CAST(message_body AS xml) AS nvarchar(50))
            ELSE CAST(message_body AS nvarchar(50)) END AS body
FROM tradeEntryQueue
ORDER BY message_sequence_number;
GO
--! rows
--! 0 | //www.develop.com/DMBrokerage/TradeEntry | X | <id>Order1</id>
--! 1 | //www.develop.com/DMBrokerage/TradeEntry | X | <id>Order2</id>
--! 2 | //www.develop.com/DMBrokerage/Wakeup | E | NULL
--! 3 | DEFAULT | N | plain words
--! 4 | DEFAULT | N | 0xCAFE
--! 5 | DEFAULT | N | NULL
--! 6 | DEFAULT | N | NULL

-- One statement, two conversations: each gets its own copy, in its own sequence.
DECLARE @one uniqueidentifier, @two uniqueidentifier;
SELECT @one = handle FROM dialogs WHERE label = 'one';
SELECT @two = handle FROM dialogs WHERE label = 'two';
SEND ON CONVERSATION (@one, @two) (N'to both');
GO
SELECT message_sequence_number AS seq
FROM tradeEntryQueue
WHERE CAST(message_body AS nvarchar(50)) = N'to both'
ORDER BY message_sequence_number;
GO
--! rows
--! 0
--! 7

-- What SEND refuses, and by which number.
-- NULL said aloud (an omitted or empty body is fine)
DECLARE @dh uniqueidentifier = (SELECT handle FROM dialogs WHERE label = 'one');
SEND ON CONVERSATION @dh (NULL);
GO
--! error 8433
-- a type that exists, but not in this contract
DECLARE @dh uniqueidentifier = (SELECT handle FROM dialogs WHERE label = 'one');
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/Stranger] (N'x');
GO
--! error 8431
-- a type that does not exist
DECLARE @dh uniqueidentifier = (SELECT handle FROM dialogs WHERE label = 'one');
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/Nothing] (N'x');
GO
--! error 8428
-- the target's words from the initiator's mouth
DECLARE @dh uniqueidentifier = (SELECT handle FROM dialogs WHERE label = 'one');
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] (N'<ack/>');
GO
--! error 8432
-- the same conversation twice in one list
DECLARE @dh uniqueidentifier = (SELECT handle FROM dialogs WHERE label = 'one');
SEND ON CONVERSATION (@dh, @dh) (N'x');
GO
--! error 8451
-- a handle of no conversation
DECLARE @dh uniqueidentifier = NEWID();
SEND ON CONVERSATION @dh (N'x');
GO
--! error 8426

-- None of the refused messages took a number.
SELECT send_sequence FROM sys.conversation_endpoints WHERE is_initiator = 1 ORDER BY send_sequence;
GO
--! rows
--! 1
--! 8
