-- DBCC, ALTER INDEX, and errors that end the session.
CREATE TABLE dbo.T (Id int IDENTITY(1, 1) PRIMARY KEY, B int);
CREATE TABLE dbo.Plain (A int);
GO
INSERT dbo.T VALUES (1), (2);
DBCC CHECKIDENT ('dbo.T', NORESEED);
DBCC CHECKIDENT ('dbo.T', RESEED, 10);
INSERT dbo.T VALUES (3);
SELECT Id FROM dbo.T ORDER BY Id;
GO
--! print '2', the highest value in the column is '2'
--! print DBCC execution completed
--! print current identity value is '2'
--! print DBCC execution completed
--! rows
--! 1
--! 2
--! 11
-- after RESEED to a lower value the column has the last word, if it is asked
DBCC CHECKIDENT (T, RESEED, 5) WITH NO_INFOMSGS;
INSERT dbo.T VALUES (4);
DBCC CHECKIDENT (T) WITH NO_INFOMSGS;
INSERT dbo.T VALUES (5);
SELECT Id FROM dbo.T WHERE B >= 4 ORDER BY Id;
GO
--! rows
--! 6
--! 12
-- nothing was ever inserted: the new value itself comes next
TRUNCATE TABLE dbo.T;
DBCC CHECKIDENT ('dbo.T', RESEED, 100) WITH NO_INFOMSGS;
INSERT dbo.T VALUES (1);
SELECT Id FROM dbo.T;
GO
--! rows
--! 100
DBCC CHECKIDENT ('dbo.Nothing');
DBCC CHECKIDENT ('dbo.Plain');
DBCC CHECKIDENT ('dbo.T', RESEEDED);
GO
--! error 2501
--! error 7997
--! error 2526
SET XACT_ABORT ON;
DBCC USEROPTIONS;
DBCC OPENTRAN;
BEGIN TRAN long;
DBCC OPENTRAN;
COMMIT;
SET XACT_ABORT OFF;
DBCC FREEPROCCACHE; DBCC CHECKDB WITH NO_INFOMSGS; DBCC TRACEON (1222, -1);
GO
--! print DBCC execution completed
--! print No active open transactions
--! print DBCC execution completed
--! print Name          : long
--! print DBCC execution completed
--! print DBCC execution completed
--! print DBCC execution completed
--! rows
--! columns Set Option | Value
--! textsize | *
--! language | us_english
--! dateformat | mdy
--! datefirst | 7
--! lock_timeout | -1
--! quoted_identifier | SET
--! arithabort | SET
--! ansi_warnings | SET
--! ansi_padding | SET
--! ansi_nulls | SET
--! concat_null_yields_null | SET
--! xact_abort | SET
--! isolation level | read committed
DBCC INPUTBUFFER(@@SPID);
GO
--! rows
--! Language Event | 0 | DBCC INPUTBUFFER(@@SPID);
DBCC SHOW_STATISTICS ('dbo.T', x);
GO
--! error 40517 text DBCC SHOW_STATISTICS
-- a unique index that is switched off
CREATE UNIQUE INDEX OneB ON dbo.T (B);
ALTER INDEX OneB ON dbo.T DISABLE;
INSERT dbo.T VALUES (1);
SELECT name, is_disabled FROM sys.indexes WHERE object_id = OBJECT_ID('dbo.T') AND name = 'OneB';
ALTER INDEX OneB ON dbo.T REORGANIZE;
GO
--! error 1973
--! rows
--! OneB | 1
ALTER INDEX ALL ON dbo.T REBUILD WITH (FILLFACTOR = 80);
GO
--! error 1505
DELETE dbo.T WHERE Id > 100;
ALTER INDEX OneB ON dbo.T REBUILD PARTITION = ALL;
ALTER INDEX OneB ON dbo.T SET (ALLOW_PAGE_LOCKS = OFF);
ALTER INDEX ALL ON dbo.T REORGANIZE;
INSERT dbo.T VALUES (1);
GO
--! error 2601
ALTER INDEX Nothing ON dbo.T REBUILD;
GO
--! error 2727
ALTER INDEX ALL ON dbo.Nothing REBUILD;
GO
--! error 1088
-- a fatal error ends the batch, the transaction and the session
--! session doomed
BEGIN TRAN;
INSERT dbo.Plain VALUES (3);
BEGIN TRY
    RAISERROR('it is over', 20, 1) WITH LOG;
END TRY
BEGIN CATCH
    PRINT 'not reached';
END CATCH
PRINT 'nor is this';
GO
--! error 2745 line 4 severity 16 state 2 text 50000
--! error 50000 line 4 severity 20
--! error 596 line 0 severity 21
SELECT 1;
GO
--! error 596
--! session main
SELECT A FROM dbo.Plain;
GO
--! rows
