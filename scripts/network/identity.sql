-- Who an instance is to others: $(me). A certificate for its connections (in master) and one for its dialogs, both handed out as files.
USE master;
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Demo-1-Password';
CREATE CERTIFICATE $(me)Connections WITH SUBJECT = '$(me), connections', EXPIRY_DATE = '2035-01-01';
BACKUP CERTIFICATE $(me)Connections TO FILE = '$(me)Connections.cer';
GO
CREATE DATABASE Trading;
GO
USE Trading;
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Demo-1-Password';
CREATE CERTIFICATE $(me)Dialogs WITH SUBJECT = '$(me), dialogs', EXPIRY_DATE = '2035-01-01';
BACKUP CERTIFICATE $(me)Dialogs TO FILE = '$(me)Dialogs.cer';
CREATE MESSAGE TYPE [//Trading/Order] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//Trading/Confirmation] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//Trading/Orders] ([//Trading/Order] SENT BY INITIATOR, [//Trading/Confirmation] SENT BY TARGET);
CREATE QUEUE dbo.Desk;
CREATE SERVICE [//Trading/$(me)] ON QUEUE dbo.Desk ([//Trading/Orders]);
GO
