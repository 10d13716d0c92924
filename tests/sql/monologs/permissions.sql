-- Who may publish and subscribe.
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
CREATE USER Ann WITHOUT LOGIN;
CREATE USER Ben WITHOUT LOGIN;
GRANT EXECUTE ON Say TO Ann;
GO
EXECUTE AS USER = 'Ann';
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
GO
--! error 229
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
GO
--! error 229
REVERT;
GRANT RECEIVE ON PubQueue TO Ann;
GRANT RECEIVE ON Q1 TO Ben;
EXECUTE AS USER = 'Ann';
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
GO
--! error 229
REVERT;
GRANT REFERENCES ON CONTRACT::[//m/c] TO Ann;
GRANT REFERENCES ON CONTRACT::[//m/c] TO Ben;
EXECUTE AS USER = 'Ann';
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = ON;
SEND ON CONVERSATION @h MESSAGE TYPE [//m/t] ('by Ann');
REVERT;
EXECUTE AS USER = 'Ben';
SEND ON CONVERSATION @h MESSAGE TYPE [//m/t] ('by Ben');
GO
--! error 229
-- Ben subscribes the service, which dbo owns: dbo may reach every service.
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c] WITH START = RETAINED;
RECEIVE CAST(message_body AS varchar(10)) FROM Q1;
GO
--! rows
--! by Ann
-- Ann has no right on the subscriber's queue, so she cannot end it.
REVERT;
DECLARE @s uniqueidentifier = (SELECT subscription_handle FROM sys.monolog_subscriptions);
EXECUTE AS USER = 'Ann';
SELECT COUNT(*) FROM sys.monolog_subscriptions;
SELECT COUNT(*) FROM sys.monolog_messages;
END SUBSCRIPTION @s;
GO
--! rows
--! 0
--! rows
--! 0
--! error 229
REVERT;
-- A service of Ben's needs SEND on the publisher's service: for the one who subscribes at once ...
ALTER AUTHORIZATION ON SERVICE::[//m/two] TO Ben;
GRANT RECEIVE ON Q2 TO Ben;
EXECUTE AS USER = 'Ben';
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
GO
--! error 8494
REVERT;
GRANT SEND ON SERVICE::[//m/pub] TO Ben;
EXECUTE AS USER = 'Ben';
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
SELECT joined, USER_NAME(principal_id) FROM sys.monolog_subscriptions WHERE subscription_handle = @s;
REVERT;
GO
--! rows
--! 1 | Ben
-- ... and at each monolog that begins later. Those that it has joined go on.
REVOKE SEND ON SERVICE::[//m/pub] TO Ben;
DECLARE @h uniqueidentifier, @old uniqueidentifier = (SELECT conversation_handle FROM sys.monologs);
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
SELECT far_service FROM sys.monolog_subscribers WHERE conversation_handle = @h;
SEND ON CONVERSATION @old MESSAGE TYPE [//m/t] ('still');
RECEIVE CAST(message_body AS varchar(10)) FROM Q2;
GO
--! rows
--! //m/one
--! rows
--! still
-- The owner of the subscribing service has to have RECEIVE on its queue when the first message comes, as a dialog's target has (8401).
GRANT SEND ON SERVICE::[//m/pub] TO Ben;
REVOKE RECEIVE ON Q2 TO Ben;
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
SEND ON CONVERSATION @h MESSAGE TYPE [//m/t] ('first');
SELECT far_service, waiting_messages FROM sys.monolog_subscribers WHERE conversation_handle = @h ORDER BY far_service;
GRANT RECEIVE ON Q2 TO Ben;
GO
--! rows
--! //m/one | 0
--! //m/two | 1
--! advance 70s
SELECT COUNT(*) FROM sys.transmission_queue;
RECEIVE CAST(message_body AS varchar(10)) FROM Q2;
GO
--! rows
--! 0
--! rows
--! first
--! spec MONOLOG-1 MONOLOG-8 MONOLOG-15
