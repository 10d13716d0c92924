-- Error numbers of the dialog statements and that a failed statement changes nothing.
CREATE DATABASE Errors;
GO
USE Errors;
CREATE MESSAGE TYPE FromInitiator VALIDATION = NONE;
CREATE MESSAGE TYPE FromTarget VALIDATION = NONE;
CREATE MESSAGE TYPE NotInContract VALIDATION = NONE;
CREATE CONTRACT C (FromInitiator SENT BY INITIATOR, FromTarget SENT BY TARGET);
CREATE QUEUE Q1;
CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 (C);
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE NoSuchService TO SERVICE 'S2' ON CONTRACT C;
GO
--! error 8423 line 2
--! spec DIALOG-5
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT NoSuchContract;
GO
--! error 8425 line 2
--! spec DIALOG-20
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH LIFETIME = 0;
GO
--! error 8411
DECLARE @h uniqueidentifier, @none uniqueidentifier = NEWID();
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH RELATED_CONVERSATION = @none;
GO
--! error 8426
--! spec DIALOG-22
-- Names that travel compare byte by byte.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE s1 TO SERVICE 'S2' ON CONTRACT C;
GO
--! error 8423
SELECT COUNT(*) FROM sys.conversation_endpoints;
GO
--! rows
--! 0
DECLARE @h uniqueidentifier = NEWID();
SEND ON CONVERSATION @h MESSAGE TYPE FromInitiator;
GO
--! error 8426
DECLARE @h uniqueidentifier;
SEND ON CONVERSATION @h MESSAGE TYPE FromInitiator;
GO
--! error 8418
DECLARE @h uniqueidentifier, @null varbinary(max);
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE NoSuchType (0x01);
SEND ON CONVERSATION @h MESSAGE TYPE NotInContract (0x01);
SEND ON CONVERSATION @h MESSAGE TYPE FromTarget (0x01);
SEND ON CONVERSATION @h MESSAGE TYPE FromInitiator (@null);
SEND ON CONVERSATION @h (0x01);
SEND ON CONVERSATION (@h, @h) MESSAGE TYPE FromInitiator (0x01);
SELECT state, send_sequence FROM sys.conversation_endpoints;
GO
--! error 8428 line 3
--! error 8431 line 4
--! error 8432 line 5
--! error 8433 line 6
--! error 8431 line 7
--! error 8451 line 8
--! rows
--! SO | 0
--! spec SEND-4 SEND-12 SEND-22 SEND-23 SEND-24 ALL-2
-- The session goes on; an empty body and no body are both received as NULL.
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints);
SEND ON CONVERSATION @h MESSAGE TYPE FromInitiator (N'');
SEND ON CONVERSATION @h MESSAGE TYPE FromInitiator;
SELECT message_sequence_number, message_body FROM Q2;
GO
--! rows
--! 0 | NULL
--! 1 | NULL
-- A target may not send what only the initiator may.
DECLARE @t uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Q2);
SEND ON CONVERSATION @t MESSAGE TYPE FromInitiator (0x01);
END CONVERSATION @t WITH ERROR = 0 DESCRIPTION = N'zero is reserved';
GO
--! error 8434
--! error 8419
RECEIVE @h = conversation_handle FROM Q2;
GO
--! error 137
DECLARE @h uniqueidentifier;
RECEIVE @h = conversation_handle, message_body FROM Q2;
GO
--! error 8447
--! spec RECEIVE-13
DECLARE @h uniqueidentifier;
DECLARE @t TABLE (h uniqueidentifier);
RECEIVE @h = conversation_handle FROM Q2 INTO @t;
GO
--! error 8450
--! spec RECEIVE-14
RECEIVE nonsense FROM Q2;
GO
--! error 207
--! spec RECEIVE-49
RECEIVE * FROM NoSuchQueue;
GO
--! error 208
--! spec RECEIVE-50
INSERT INTO Q2 (status) VALUES (1);
GO
--! error 416
DELETE FROM Q2;
GO
--! error 416
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 2
