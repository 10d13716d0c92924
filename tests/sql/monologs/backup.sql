-- A copy of a database brings its publishers, subscribers, subscriptions and retained messages.
CREATE DATABASE Pub;
GO
USE Pub;
CREATE QUEUE PubQueue; CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE QUEUE Q3;
CREATE SERVICE Prices ON QUEUE PubQueue;
CREATE SERVICE One ON QUEUE Q1 ([DEFAULT]);
CREATE SERVICE Two ON QUEUE Q2 ([DEFAULT]);
CREATE SERVICE Three ON QUEUE Q3 ([DEFAULT]);
DECLARE @s uniqueidentifier, @h uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE One TO SERVICE 'Prices';
BEGIN SUBSCRIPTION @s FOR SERVICE Two TO SERVICE 'Prices', 'CURRENT DATABASE';
BEGIN MONOLOG @h FROM SERVICE Prices WITH RETENTION = ON;
ALTER QUEUE Q2 WITH STATUS = OFF;
SEND ON CONVERSATION @h ('a');
SEND ON CONVERSATION @h ('b');
GO
USE master;
BACKUP DATABASE Pub TO DISK = N'pub.bak' WITH INIT;
DROP DATABASE Pub;
RESTORE DATABASE Pub FROM DISK = N'pub.bak' WITH ENABLE_BROKER;
GO
USE Pub;
SELECT state, send_sequence, retained_messages, subscribers FROM sys.monologs;
SELECT far_service, waiting_messages FROM sys.monolog_subscribers ORDER BY far_service;
SELECT COUNT(*), SUM(joined) FROM sys.monolog_subscriptions;
SELECT COUNT(*) FROM sys.conversation_endpoints;
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.monologs), @s uniqueidentifier;
SEND ON CONVERSATION @h ('c');
BEGIN SUBSCRIPTION @s FOR SERVICE Three TO SERVICE 'Prices' WITH START = RETAINED;
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! rows
--! CO | 2 | 2 | 2
--! rows
--! One | 0
--! Two | 2
--! rows
--! 2 | 2
--! rows
--! 3
--! settle
SELECT CAST(message_body AS varchar(10)) FROM Q1 ORDER BY queuing_order;
SELECT CAST(message_body AS varchar(10)) FROM Q2 ORDER BY queuing_order;
SELECT CAST(message_body AS varchar(10)) FROM Q3 ORDER BY queuing_order;
GO
--! rows
--! a
--! b
--! c
--! rows
--! a
--! b
--! c
--! rows
--! a
--! b
--! c
-- It is on disk as it is in memory.
--! restart
USE Pub;
SELECT send_sequence, retained_messages, subscribers FROM sys.monologs;
SELECT COUNT(*) FROM sys.monolog_subscriptions;
GO
--! rows
--! 3 | 3 | 3
--! rows
--! 3
-- NEW_BROKER: no conversation is left, the subscriptions are. CURRENT DATABASE means what it says.
ALTER DATABASE Pub SET NEW_BROKER WITH ROLLBACK IMMEDIATE;
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE Prices;
SELECT subscribers FROM sys.monologs;
SELECT far_broker_instance FROM sys.monolog_subscriptions ORDER BY far_broker_instance DESC;
GO
--! rows
--! 3
--! rows
--! CURRENT DATABASE
--!
--!
--! spec MONOLOG-32
