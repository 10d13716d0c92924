-- Publisher and subscribers in different databases: who is meant, and what lets messages over.
CREATE DATABASE Pub;
CREATE DATABASE Sub;
CREATE DATABASE Third;
GO
USE Pub;
CREATE CONTRACT c ([DEFAULT] SENT BY ANY);
CREATE QUEUE PubQueue;
CREATE SERVICE Prices ON QUEUE PubQueue;
CREATE TABLE Handles (h uniqueidentifier);
USE Sub;
CREATE CONTRACT c ([DEFAULT] SENT BY ANY);
CREATE QUEUE Q;
CREATE SERVICE Charts ON QUEUE Q (c);
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE Charts TO SERVICE 'Prices' ON CONTRACT c;
GO
--! error 8494
-- Nobody of Sub counts in Pub, for Sub is not TRUSTWORTHY; public may order then.
USE Pub; GRANT SEND ON SERVICE::Prices TO public; USE Sub;
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE Charts TO SERVICE 'Prices' ON CONTRACT c;
GO
USE Pub;
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE Prices ON CONTRACT c WITH ENCRYPTION = OFF, RETENTION = ON;
INSERT INTO Handles VALUES (@h);
SEND ON CONVERSATION @h ('a');
SEND ON CONVERSATION @h ('b');
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT COUNT(*) FROM Sub.dbo.Q;
SELECT far_service, waiting_messages, CASE WHEN far_broker_instance = (SELECT service_broker_guid FROM sys.databases WHERE name = 'Sub') THEN 1 END
FROM sys.monolog_subscribers;
GO
--! rows
--! 2
--! rows
--! 0
--! rows
--! Charts | 2 | 1
-- The publisher's database is not trusted (as for a dialog's initiator). Then it is.
ALTER DATABASE Pub SET TRUSTWORTHY ON;
GO
--! advance 70s
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT message_sequence_number, CAST(message_body AS varchar(10)) FROM Sub.dbo.Q ORDER BY queuing_order;
USE Sub;
SELECT is_initiator, state, far_service, receive_sequence, CASE WHEN far_broker_instance = (SELECT service_broker_guid FROM sys.databases WHERE name = 'Pub') THEN 1 END
FROM sys.conversation_endpoints;
SELECT COUNT(*) FROM sys.monologs;
GO
--! rows
--! 0
--! rows
--! 0 | a
--! 1 | b
--! rows
--! 0 | CO | Prices | 2 | 1
--! rows
--! 0
-- The subscriber's broker is disabled: its messages wait, an own subscriber of the publisher's database gets them at once.
USE Pub;
CREATE QUEUE Own;
CREATE SERVICE Local ON QUEUE Own (c);
DECLARE @s uniqueidentifier, @h uniqueidentifier = (SELECT h FROM Handles);
BEGIN SUBSCRIPTION @s FOR SERVICE Local TO SERVICE 'Prices' ON CONTRACT c WITH START = RETAINED;
ALTER DATABASE Sub SET DISABLE_BROKER;
SEND ON CONVERSATION @h ('c');
SELECT CAST(message_body AS varchar(10)) FROM Own ORDER BY queuing_order;
SELECT COUNT(*) FROM sys.transmission_queue;
ALTER DATABASE Sub SET ENABLE_BROKER;
GO
--! rows
--! a
--! b
--! c
--! rows
--! 1
--! advance 70s
SELECT CAST(message_body AS varchar(10)) FROM Sub.dbo.Q ORDER BY queuing_order;
GO
--! rows
--! a
--! b
--! c
-- ENCRYPTION = ON, the default, wants a master key in both databases.
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE Prices ON CONTRACT c;
SEND ON CONVERSATION @h ('secret');
SELECT far_service, waiting_messages FROM sys.monolog_subscribers WHERE conversation_handle = @h ORDER BY far_service;
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa$$w0rd-pub';
USE Sub;
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa$$w0rd-sub';
GO
--! rows
--! Charts | 1
--! Local | 0
--! advance 70s
SELECT COUNT(*) FROM Pub.sys.transmission_queue;
SELECT CAST(message_body AS varchar(10)) FROM Q ORDER BY message_enqueue_time, queuing_order;
GO
--! rows
--! 0
--! rows
--! a
--! b
--! c
--! secret
-- Two databases have a service Prices. Without an instance, the subscriber's own database is meant first; with one, that one.
USE Third;
CREATE CONTRACT c ([DEFAULT] SENT BY ANY);
CREATE QUEUE Q;
CREATE SERVICE Prices ON QUEUE Q (c); GRANT SEND ON SERVICE::Prices TO public;
DECLARE @s uniqueidentifier, @h uniqueidentifier, @pub varchar(36) = (SELECT service_broker_guid FROM sys.databases WHERE name = 'Pub');
BEGIN SUBSCRIPTION @s FOR SERVICE Prices TO SERVICE 'Prices' ON CONTRACT c;
SELECT joined FROM sys.monolog_subscriptions WHERE subscription_handle = @s;
BEGIN MONOLOG @h FROM SERVICE Prices ON CONTRACT c WITH ENCRYPTION = OFF;
SELECT joined FROM sys.monolog_subscriptions WHERE subscription_handle = @s;
BEGIN SUBSCRIPTION @s FOR SERVICE Prices TO SERVICE 'Prices', @pub ON CONTRACT c;
SELECT joined FROM sys.monolog_subscriptions WHERE subscription_handle = @s;
GO
--! rows
--! 0
--! rows
--! 1
--! rows
--! 2
-- From Sub, which has none of its own: any of this instance. So it hears Third's monolog too.
SELECT far_service, CASE WHEN far_broker_instance = (SELECT service_broker_guid FROM sys.databases WHERE name = 'Sub') THEN 'Sub' ELSE 'own' END
FROM sys.monolog_subscribers ORDER BY far_service;
GO
--! rows
--! Charts | Sub
--! Prices | own
-- A subscriber's END and error travel back; a dropped database is an endpoint that is gone.
USE Sub;
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE receive_sequence = 3);
ALTER DATABASE Sub SET TRUSTWORTHY ON;
END CONVERSATION @h WITH ERROR = 5 DESCRIPTION = N'enough';
USE Pub;
SELECT RIGHT(message_type_name, 5) FROM PubQueue;
SELECT far_service FROM sys.monolog_subscribers WHERE conversation_handle = (SELECT h FROM Handles);
GO
--! rows
--! Error
--! rows unordered
--! Local
--! Prices
USE master;
DROP DATABASE Third;
USE Pub;
DECLARE @h uniqueidentifier = (SELECT h FROM Handles);
SEND ON CONVERSATION @h ('d');
SELECT far_service FROM sys.monolog_subscribers WHERE conversation_handle = @h AND waiting_messages = 0;
SELECT CAST(message_body AS varchar(10)) FROM Own WHERE conversation_handle = (SELECT TOP (1) conversation_handle FROM Own ORDER BY queuing_order) ORDER BY queuing_order;
GO
--! rows
--! Local
--! rows
--! a
--! b
--! c
--! d
--! spec MONOLOG-8 MONOLOG-12 MONOLOG-24
