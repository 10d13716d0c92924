-- Everything that the statements refuse.
CREATE DATABASE M;
GO
USE M;
CREATE MESSAGE TYPE [//m/t] VALIDATION = NONE;
CREATE CONTRACT [//m/c] ([//m/t] SENT BY INITIATOR);
CREATE QUEUE PubQueue; CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE [//m/pub] ON QUEUE PubQueue;
CREATE SERVICE [//m/one] ON QUEUE Q1 ([//m/c]);
CREATE SERVICE [//m/two] ON QUEUE Q2 ([//m/c]);
CREATE TABLE Handles (name sysname, h uniqueidentifier);
GO
CREATE PROCEDURE Say @text varchar(20), @name sysname = 'pub' AS
BEGIN
    DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = @name);
    SEND ON CONVERSATION @h MESSAGE TYPE [//m/t] (@text);
END
GO
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/nobody] ON CONTRACT [//m/c];
GO
--! error 8423 line 2
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/nothing];
GO
--! error 8425 line 2
DECLARE @h uniqueidentifier, @name sysname;
BEGIN MONOLOG @h FROM SERVICE @name;
GO
--! error 8421
DECLARE @h uniqueidentifier, @name sysname;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT @name;
GO
--! error 8417
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH LIFETIME = 0;
GO
--! error 8411
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = -1;
GO
--! error 49934
DECLARE @h uniqueidentifier, @n int;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = @n;
GO
--! error 49934
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = 2147483648;
GO
--! error 49934
DECLARE @h int;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
GO
--! error 8402 line 2
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = 5, RETENTION = 6;
GO
--! error 102 line 2
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] TO SERVICE '//m/one';
GO
--! error 156 line 2
DECLARE @h uniqueidentifier, @g uniqueidentifier = NEWID();
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RELATED_CONVERSATION = @g;
GO
--! error 8426
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = 0, LIFETIME = 2147483647;
INSERT INTO Handles VALUES ('pub', @h);
BEGIN MONOLOG @h FROM SERVICE [//m/one] ON CONTRACT [//m/c] WITH RELATED_CONVERSATION = @h;
GO
--! error 9610
-- Subscriptions.
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/nobody] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
GO
--! error 8423 line 3
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/nothing];
GO
--! error 8425
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/pub] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
GO
--! error 8408
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '' ON CONTRACT [//m/c];
GO
--! error 8412
DECLARE @s uniqueidentifier, @long varchar(200) = REPLICATE('x', 129);
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub', @long ON CONTRACT [//m/c];
GO
--! error 8413
DECLARE @s uniqueidentifier, @name nvarchar(20);
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE @name ON CONTRACT [//m/c];
GO
--! error 8421
DECLARE @s int;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
GO
--! error 8402
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c] WITH START = RETAINED;
GO
--! error 49932 line 3
DECLARE @s uniqueidentifier = NEWID();
END SUBSCRIPTION @s;
GO
--! error 49933 line 2
DECLARE @s uniqueidentifier;
END SUBSCRIPTION @s;
GO
--! error 49935
-- Another broker instance is another order. This one never joins: there is no such database.
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub', '00000000-0000-0000-0000-00000000ABCD' ON CONTRACT [//m/c];
SELECT joined, far_broker_instance FROM sys.monolog_subscriptions ORDER BY joined;
GO
--! rows
--! 0 | 00000000-0000-0000-0000-00000000ABCD
--! 1 |
-- A monolog goes one way, and nothing but its contract's types.
DECLARE @sub uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0);
SEND ON CONVERSATION @sub MESSAGE TYPE [//m/t] ('back');
GO
--! error 49931 line 3
DECLARE @pub uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub'),
    @sub uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0);
SEND ON CONVERSATION (@pub, @sub) MESSAGE TYPE [//m/t] ('both');
SELECT send_sequence FROM sys.monologs;
GO
--! error 49931 line 3
--! rows
--! 0
DECLARE @pub uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub');
SEND ON CONVERSATION @pub ('default');
GO
--! error 8431
CREATE MESSAGE TYPE [//m/back];
CREATE CONTRACT [//m/two-way] ([//m/t] SENT BY ANY, [//m/back] SENT BY TARGET);
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/two-way];
SEND ON CONVERSATION @h MESSAGE TYPE [//m/t];
SEND ON CONVERSATION @h MESSAGE TYPE [//m/back];
GO
--! error 8432 line 6
-- Not in a function; the words are no keywords elsewhere.
CREATE FUNCTION f() RETURNS int AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
    RETURN 1;
END
GO
--! error 443
CREATE TABLE monolog (subscription int, retained int, start int, now int);
INSERT INTO monolog (subscription, retained, start, now) VALUES (1, 2, 3, 4);
SELECT subscription, retained AS monolog, start, now FROM monolog;
GO
--! rows
--! 1 | 2 | 3 | 4
-- A contract that a subscription names stays; a subscriber's service takes its subscriptions along.
ALTER SERVICE [//m/one] (DROP CONTRACT [//m/c]);
ALTER SERVICE [//m/two] (DROP CONTRACT [//m/c]);
GO
DROP CONTRACT [//m/c];
GO
--! error 3716
DROP SERVICE [//m/one];
SELECT COUNT(*) FROM sys.monolog_subscriptions;
DROP CONTRACT [//m/c];
GO
--! rows
--! 0
--! spec MONOLOG-1 MONOLOG-3 MONOLOG-14 MONOLOG-17 MONOLOG-20
