-- BACKUP LOG, differential backups, NORECOVERY: every set is complete, and sets follow each other as on the server.
CREATE DATABASE Ledger;
GO
USE Ledger;
CREATE TABLE Entries (id int);
INSERT INTO Entries VALUES (1);
GO
BACKUP LOG Ledger TO DISK = 'log.bak';
GO
--! error 4214
BACKUP DATABASE Ledger TO DISK = 'full.bak' WITH DIFFERENTIAL;
GO
--! error 3035
BACKUP DATABASE Ledger TO DISK = 'full.bak' WITH FORMAT;
INSERT INTO Entries VALUES (2);
BACKUP DATABASE Ledger TO DISK = 'full.bak' WITH DIFFERENTIAL;
INSERT INTO Entries VALUES (3);
BACKUP LOG Ledger TO DISK = 'log.bak';
GO
ALTER DATABASE Ledger SET RECOVERY SIMPLE;
GO
BACKUP LOG Ledger TO DISK = 'log.bak';
GO
--! error 4208
SELECT recovery_model_desc FROM sys.databases WHERE name = 'Ledger';
ALTER DATABASE Ledger SET RECOVERY FULL;
GO
--! rows
--! SIMPLE
-- The full backup, then the differential one, then the log; between them nobody can use the database.
USE master;
RESTORE LOG Ledger FROM DISK = 'log.bak';
GO
--! error 3117
RESTORE DATABASE Ledger FROM DISK = 'full.bak' WITH REPLACE, NORECOVERY;
SELECT state, state_desc FROM sys.databases WHERE name = 'Ledger';
SELECT state FROM sys.databases WHERE name = 'master';
GO
--! rows
--! 1 | RESTORING
--! rows
--! 0
USE Ledger;
GO
--! error 927
SELECT * FROM Ledger.dbo.Entries;
GO
--! error 927
RESTORE DATABASE Ledger FROM DISK = 'full.bak' WITH FILE = 2, NORECOVERY;
RESTORE LOG Ledger FROM DISK = 'log.bak' WITH RECOVERY;
SELECT id FROM Ledger.dbo.Entries ORDER BY id;
SELECT state_desc, is_broker_enabled FROM sys.databases WHERE name = 'Ledger';
GO
--! rows
--! 1
--! 2
--! 3
--! rows
--! ONLINE | 0
-- The tail of the log: the backup takes the database out of use, RECOVERY alone brings it back.
BACKUP LOG Ledger TO DISK = 'tail.bak' WITH NORECOVERY;
SELECT state_desc FROM sys.databases WHERE name = 'Ledger';
RESTORE DATABASE Ledger WITH RECOVERY, ENABLE_BROKER;
SELECT state_desc, is_broker_enabled FROM sys.databases WHERE name = 'Ledger';
GO
--! rows
--! RESTORING
--! rows
--! ONLINE | 1
RESTORE DATABASE Ledger WITH RECOVERY;
GO
--! error 3117
RESTORE DATABASE Ledger FROM DISK = 'full.bak' WITH REPLACE, NORECOVERY, ENABLE_BROKER;
GO
--! error 3031
RESTORE DATABASE Ledger FROM DISK = 'log.bak' WITH REPLACE;
GO
--! error 3117
--! spec BACKUP-8 BACKUP-9 BACKUP-10 DATABASESTATE-1
