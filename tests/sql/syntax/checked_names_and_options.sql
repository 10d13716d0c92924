-- What has no effect is looked at all the same: indexes that a hint names, options that stand twice, marks of transactions.
CREATE TABLE dbo.t (id int PRIMARY KEY, a int, b int CONSTRAINT uq UNIQUE);
CREATE INDEX ix ON dbo.t (a);
CREATE TABLE dbo.heap (a int);
CREATE TABLE #t (a int INDEX ix);
INSERT dbo.t VALUES (1, 2, 3);
GO
SELECT a FROM dbo.t WITH (INDEX(0)); SELECT a FROM dbo.t WITH (INDEX = 1); SELECT a FROM dbo.t x WITH (INDEX(IX, uq), FORCESEEK);
SELECT a FROM dbo.t WITH (FORCESEEK (ix (a))); SELECT a FROM dbo.heap WITH (INDEX(0)); SELECT a FROM #t WITH (INDEX(ix));
UPDATE x SET b = 4 FROM dbo.t x WITH (INDEX(2)) WHERE a = 2;
GO
--! rows
--! 2
--! rows
--! 2
--! rows
--! 2
--! rows
--! 2
--! rows
--! rows
SELECT a FROM dbo.t WITH (INDEX(nosuch));
GO
--! error 308 line 1 text nosuch
SELECT a FROM dbo.t WITH (INDEX(ix, nosuch));
GO
--! error 308
SELECT a FROM dbo.t WITH (INDEX = nosuch);
GO
--! error 308
SELECT a FROM dbo.t WITH (FORCESEEK (nosuch (a)));
GO
--! error 308
SELECT x.a FROM dbo.heap y JOIN dbo.t x WITH (INDEX(nosuch)) ON x.a = y.a;
GO
--! error 308 text dbo.t
UPDATE x SET b = 4 FROM dbo.t x WITH (INDEX(nosuch)) WHERE a = 2;
GO
--! error 308
DELETE x FROM dbo.t x WITH (INDEX(99)) WHERE a = 2;
GO
--! error 307 text 99
SELECT a FROM #t WITH (INDEX(nosuch));
GO
--! error 308
SELECT a FROM dbo.t WITH (INDEX(99));
GO
--! error 307 text 99
SELECT a FROM dbo.heap WITH (INDEX(1));
GO
--! error 307
CREATE PROCEDURE dbo.p WITH RECOMPILE, RECOMPILE AS SELECT 1;
GO
--! error 1039 text RECOMPILE
CREATE PROCEDURE dbo.p WITH EXECUTE AS OWNER, EXECUTE AS CALLER AS SELECT 1;
GO
--! error 1039 text EXECUTE AS
CREATE FUNCTION dbo.f () RETURNS int WITH SCHEMABINDING, SCHEMABINDING AS BEGIN RETURN 1 END;
GO
--! error 1039 text SCHEMABINDING
CREATE VIEW dbo.v WITH VIEW_METADATA, VIEW_METADATA AS SELECT 1 AS a;
GO
--! error 1039 text VIEW_METADATA
CREATE TRIGGER dbo.r ON dbo.t WITH ENCRYPTION, ENCRYPTION FOR INSERT AS PRINT 1;
GO
--! error 1039 text ENCRYPTION
BEGIN TRAN WITH MARK;
GO
--! error 319
BEGIN TRANSACTION WITH MARK 'a mark';
GO
--! error 319
DECLARE @n varchar(10) = 'mine'; BEGIN TRAN @n WITH MARK; COMMIT; BEGIN TRAN other WITH MARK N'a mark'; COMMIT;
GO
