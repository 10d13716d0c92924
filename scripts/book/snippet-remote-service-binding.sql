-- Snippet in the section on dialog security: the syntax of CREATE REMOTE SERVICE BINDING.
-- Corrected: the clause ON CONTRACT was dropped before the release; its column in the catalog is left over, with 0 for
-- every contract.
-- One instance: a binding tells whose certificate stands for a service in another instance. Here it stays in the
-- catalog.

CREATE DATABASE Trader1;
GO
USE Trader1;
GO
-- the user who owns the brokerage's certificate
CREATE USER brokerage WITHOUT LOGIN;
CREATE USER auditor WITHOUT LOGIN;
GO

-- full security: both sides prove who they are
CREATE REMOTE SERVICE BINDING ToTradeEntry
    AUTHORIZATION dbo
    TO SERVICE '//www.develop.com/DMBrokerage/TradeEntryService'
    WITH USER = brokerage;

-- anonymous: the initiator comes as public
CREATE REMOTE SERVICE BINDING ToAudit
    TO SERVICE '//www.develop.com/DMBrokerage/Audit'
    WITH USER = auditor, ANONYMOUS = ON;
GO

SELECT name, remote_service_name, service_contract_id, USER_NAME(remote_principal_id) AS remote_user, is_anonymous_on
FROM sys.remote_service_bindings
ORDER BY name;
GO
--! rows
--! ToAudit | //www.develop.com/DMBrokerage/Audit | 0 | auditor | 1
--! ToTradeEntry | //www.develop.com/DMBrokerage/TradeEntryService | 0 | brokerage | 0

-- One binding per service.
CREATE REMOTE SERVICE BINDING Another
    TO SERVICE '//www.develop.com/DMBrokerage/Audit'
    WITH USER = brokerage;
GO
--! error 9619

ALTER REMOTE SERVICE BINDING ToAudit WITH USER = brokerage, ANONYMOUS = OFF;
SELECT USER_NAME(remote_principal_id) AS remote_user, is_anonymous_on
FROM sys.remote_service_bindings
WHERE name = N'ToAudit';
GO
--! rows
--! brokerage | 0

DROP REMOTE SERVICE BINDING ToAudit;
SELECT name FROM sys.remote_service_bindings;
GO
--! rows
--! ToTradeEntry
