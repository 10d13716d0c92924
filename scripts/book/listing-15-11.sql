-- Listing 15-11: the syntax of BEGIN DIALOG, every part of it used.
-- Corrected: in the released product ON CONTRACT may be left out (the contract is then DEFAULT) and the broker
-- instance may be 'CURRENT DATABASE'; the options of WITH are separated by commas.
-- BEGIN DIALOG sends nothing, so none of the targets has to exist.

CREATE DATABASE Trader1;
GO
USE Trader1;
GO
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
(
    [//www.develop.com/DMBrokerage/TradeEntry] SENT BY INITIATOR
);
CREATE QUEUE tradeAckQueue;
CREATE SERVICE enterTrade ON QUEUE tradeAckQueue;
GO

-- The least that must be said.
DECLARE @dh uniqueidentifier;
BEGIN DIALOG @dh
    FROM SERVICE enterTrade
    TO SERVICE 'least';
GO

-- CONVERSATION is a noise word. The identifier of a database's broker picks one copy of the target service.
DECLARE @dh uniqueidentifier;
BEGIN DIALOG CONVERSATION @dh
    FROM SERVICE enterTrade
    TO SERVICE 'by instance', 'E7044BCF-CFFF-4526-810B-5A33EB763D0B'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
    WITH LIFETIME = 600, ENCRYPTION = OFF;
GO

-- Service, instance and contract may come from variables; 'CURRENT DATABASE' keeps the dialog at home.
DECLARE @dh uniqueidentifier, @from sysname, @to nvarchar(256), @contract sysname;
SET @from = N'enterTrade';
SET @to = N'at home';
SET @contract = N'//www.develop.com/DMBrokerage/EnterTrade';
BEGIN DIALOG CONVERSATION @dh
    FROM SERVICE @from
    TO SERVICE @to, 'CURRENT DATABASE'
    ON CONTRACT @contract
    WITH ENCRYPTION = ON;
GO

-- Three dialogs in one conversation group: two by its id, which we choose ourselves, one by its relation.
DECLARE @group uniqueidentifier, @first uniqueidentifier, @second uniqueidentifier, @third uniqueidentifier;
SET @group = '0D1A7C11-0000-4000-8000-000000000001';
BEGIN DIALOG CONVERSATION @first
    FROM SERVICE enterTrade TO SERVICE 'group 1'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
    WITH RELATED_CONVERSATION_GROUP = @group;
BEGIN DIALOG CONVERSATION @second
    FROM SERVICE enterTrade TO SERVICE 'group 2'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
    WITH RELATED_CONVERSATION_GROUP = @group, LIFETIME = 3600;
BEGIN DIALOG CONVERSATION @third
    FROM SERVICE enterTrade TO SERVICE 'group 3'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
    WITH RELATED_CONVERSATION = @first, LIFETIME = 60, ENCRYPTION = OFF;
GO

-- Every endpoint waits in state SO (started outbound). Without LIFETIME a dialog may last some 68 years.
SELECT e.far_service, RTRIM(e.state) AS state, e.is_initiator, c.name AS contract,
       CASE WHEN DATEDIFF(second, GETUTCDATE(), e.lifetime) > 1000000 THEN N'no limit'
            WHEN DATEDIFF(second, GETUTCDATE(), e.lifetime) > 600 THEN N'an hour'
            WHEN DATEDIFF(second, GETUTCDATE(), e.lifetime) > 60 THEN N'ten minutes'
            ELSE N'a minute' END AS lifetime,
       e.far_broker_instance
FROM sys.conversation_endpoints AS e
JOIN sys.service_contracts AS c ON c.service_contract_id = e.service_contract_id
ORDER BY e.far_service;
GO
--! rows
--! at home | SO | 1 | //www.develop.com/DMBrokerage/EnterTrade | no limit | *
--! by instance | SO | 1 | //www.develop.com/DMBrokerage/EnterTrade | ten minutes | *
--! group 1 | SO | 1 | //www.develop.com/DMBrokerage/EnterTrade | no limit | NULL
--! group 2 | SO | 1 | //www.develop.com/DMBrokerage/EnterTrade | an hour | NULL
--! group 3 | SO | 1 | //www.develop.com/DMBrokerage/EnterTrade | a minute | NULL
--! least | SO | 1 | DEFAULT | no limit | NULL

SELECT COUNT(*) AS conversations FROM sys.conversation_endpoints
WHERE conversation_group_id = '0D1A7C11-0000-4000-8000-000000000001';
SELECT COUNT(*) AS groups FROM sys.conversation_groups;
GO
--! rows
--! 3
--! rows
--! 4

-- What BEGIN DIALOG does check: the names that it resolves in this database, and its own numbers.
DECLARE @dh uniqueidentifier;
BEGIN DIALOG CONVERSATION @dh FROM SERVICE nobody TO SERVICE 'x';
GO
--! error 8423
DECLARE @dh uniqueidentifier;
BEGIN DIALOG CONVERSATION @dh FROM SERVICE enterTrade TO SERVICE 'x' ON CONTRACT [//www.develop.com/nothing];
GO
--! error 8425
DECLARE @dh uniqueidentifier;
BEGIN DIALOG CONVERSATION @dh FROM SERVICE enterTrade TO SERVICE 'x' WITH LIFETIME = 0;
GO
--! error 8411
DECLARE @dh uniqueidentifier, @other uniqueidentifier;
SET @other = NEWID();
BEGIN DIALOG CONVERSATION @dh FROM SERVICE enterTrade TO SERVICE 'x' WITH RELATED_CONVERSATION = @other;
GO
--! error 8426
