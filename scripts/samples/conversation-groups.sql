-- Conversation groups: three conversations that belong to one piece of work, and a table that remembers how far it is.

CREATE DATABASE Travel;
GO
USE Travel;
GO
-- The state of a trip, kept under the id of its conversation group.
CREATE TABLE dbo.trips
(
    conversation_group_id uniqueidentifier PRIMARY KEY,
    traveller nvarchar(50) NOT NULL,
    flight nvarchar(50) NULL,
    hotel nvarchar(50) NULL,
    car nvarchar(50) NULL,
    complete bit NOT NULL DEFAULT 0
);
GO
:r ../activated/tripProc.sql

CREATE QUEUE tripQueue
    WITH ACTIVATION (
        STATUS = ON,
        PROCEDURE_NAME = dbo.tripProc,
        MAX_QUEUE_READERS = 3,
        EXECUTE AS OWNER);
CREATE SERVICE tripService ON QUEUE tripQueue;
-- Three providers share a queue here; they are answered for by hand below.
CREATE QUEUE providerQueue;
CREATE SERVICE flights ON QUEUE providerQueue ([DEFAULT]);
CREATE SERVICE hotels ON QUEUE providerQueue ([DEFAULT]);
CREATE SERVICE cars ON QUEUE providerQueue ([DEFAULT]);
GO

-- Two trips. The group id is made beforehand, so that the state can be stored before anything is sent.
DECLARE @group uniqueidentifier, @flight uniqueidentifier, @hotel uniqueidentifier, @car uniqueidentifier;
SET @group = NEWID();
INSERT INTO dbo.trips (conversation_group_id, traveller) VALUES (@group, N'Ann');
BEGIN DIALOG @flight FROM SERVICE tripService TO SERVICE 'flights' WITH RELATED_CONVERSATION_GROUP = @group;
-- the group of an existing conversation is as good
BEGIN DIALOG @hotel FROM SERVICE tripService TO SERVICE 'hotels' WITH RELATED_CONVERSATION = @flight;
BEGIN DIALOG @car FROM SERVICE tripService TO SERVICE 'cars' WITH RELATED_CONVERSATION = @flight;
SEND ON CONVERSATION (@flight, @hotel, @car) (N'Ann');
GO
DECLARE @group uniqueidentifier, @flight uniqueidentifier, @hotel uniqueidentifier, @car uniqueidentifier;
SET @group = NEWID();
INSERT INTO dbo.trips (conversation_group_id, traveller) VALUES (@group, N'Bob');
BEGIN DIALOG @flight FROM SERVICE tripService TO SERVICE 'flights' WITH RELATED_CONVERSATION_GROUP = @group;
BEGIN DIALOG @hotel FROM SERVICE tripService TO SERVICE 'hotels' WITH RELATED_CONVERSATION_GROUP = @group;
BEGIN DIALOG @car FROM SERVICE tripService TO SERVICE 'cars' WITH RELATED_CONVERSATION_GROUP = @group;
SEND ON CONVERSATION (@flight, @hotel, @car) (N'Bob');
GO

-- Three conversations to a group on this side. On the other side each is a group of its own: groups do not travel.
SELECT t.traveller, COUNT(*) AS conversations
FROM dbo.trips AS t
JOIN sys.conversation_endpoints AS e ON e.conversation_group_id = t.conversation_group_id
GROUP BY t.traveller
ORDER BY t.traveller;
SELECT COUNT(*) AS messages, COUNT(DISTINCT conversation_group_id) AS groups FROM providerQueue;
GO
--! rows
--! Ann | 3
--! Bob | 3
--! rows
--! 6 | 6

-- Everybody answers Ann; only the hotel answers Bob.
DECLARE @dh uniqueidentifier, @service sysname, @traveller nvarchar(50), @left int;
SET @left = 6;
WHILE @left > 0
BEGIN
    RECEIVE TOP (1)
        @dh = conversation_handle,
        @service = service_name,
        @traveller = CAST(message_body AS nvarchar(50))
    FROM providerQueue;
    IF @traveller = N'Ann' OR @service = N'hotels'
    BEGIN
        SEND ON CONVERSATION @dh (@service + N' for ' + @traveller);
        END CONVERSATION @dh;
    END;
    SET @left = @left - 1;
END;
GO
WAITFOR DELAY '00:00:03';
GO

SELECT traveller, flight, hotel, car, complete FROM dbo.trips ORDER BY traveller;
GO
--! rows
--! Ann | flights for Ann | hotels for Ann | cars for Ann | 1
--! Bob | NULL | hotels for Bob | NULL | 0

-- A group goes with its last conversation: Ann's is gone, Bob's has two conversations left.
SELECT t.traveller, COUNT(*) AS conversations
FROM dbo.trips AS t
JOIN sys.conversation_groups AS g ON g.conversation_group_id = t.conversation_group_id
JOIN sys.conversation_endpoints AS e ON e.conversation_group_id = g.conversation_group_id
GROUP BY t.traveller;
GO
--! rows
--! Bob | 2
