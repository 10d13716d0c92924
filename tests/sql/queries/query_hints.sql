-- OPTION takes the hints that there are, each in its form; what is misspelled is told though most hints have no effect.
CREATE TABLE dbo.t (a int);
INSERT dbo.t VALUES (1);
DECLARE @x int = 1;
SELECT a FROM dbo.t WHERE a = @x OPTION (OPTIMIZE FOR (@X = NULL), optimize for unknown, maxdop 1, MAXDOP 1, RECOMPILE, recompile);
GO
--! rows
--! 1
SELECT a FROM dbo.t OPTION (MAXRECURSOIN 0);
GO
--! error 102 line 1 text MAXRECURSION
SELECT a FROM dbo.t OPTION (NOSUCHOPTION);
GO
--! error 102 line 1 text NOSUCHOPTION
INSERT dbo.t SELECT 1 OPTION (NOSUCHOPTION);
GO
--! error 102
UPDATE dbo.t SET a = 2 OPTION (NOSUCHOPTION);
GO
--! error 102
DELETE dbo.t OPTION (NOSUCHOPTION);
GO
--! error 102
MERGE dbo.t AS t USING (SELECT 1 AS b) AS s ON t.a = s.b WHEN MATCHED THEN DELETE OPTION (NOSUCHOPTION);
GO
--! error 102
DECLARE c CURSOR FOR SELECT a FROM dbo.t OPTION (NOSUCHOPTION);
GO
--! error 102
SELECT a FROM dbo.t OPTION (USE HINT ('DISABLE_PARAMETER_SNIFFING', 'nosuch'));
GO
--! error 10715 line 1 text nosuch
SELECT a FROM dbo.t OPTION (OPTIMIZE FOR (@nosuch = 3));
GO
--! error 137 line 1 text @nosuch
DELETE dbo.t OPTION (OPTIMIZE FOR (@nosuch UNKNOWN));
GO
--! error 137
DECLARE c CURSOR FOR SELECT a FROM dbo.t OPTION (OPTIMIZE FOR (@nosuch = 3));
GO
--! error 137
DECLARE @x int = 1; SELECT a FROM dbo.t WHERE a = @x OPTION (OPTIMIZE FOR (@x = 3, @x UNKNOWN));
GO
--! error 4131
DECLARE @x int = 1; SELECT a FROM dbo.t WHERE a = @x OPTION (OPTIMIZE FOR (@x = 3 + 1));
GO
--! error 320
SELECT a FROM dbo.t OPTION (MAXRECURSION 10, MAXRECURSION 20);
GO
--! error 1042 text maxrecursion
SELECT a FROM dbo.t OPTION (MAXDOP 1, FAST 3, MAXDOP 2);
GO
--! error 1042 text maxdop
SELECT a FROM dbo.t OPTION (MIN_GRANT_PERCENT = 100.5);
GO
--! error 1042 text min_grant_percent
SELECT a FROM dbo.t OPTION (MAXDOP 32768);
GO
--! error 304
SELECT a FROM dbo.t OPTION (LABEL = 'a', LABEL = 'a');
GO
--! error 10768
SELECT a FROM dbo.t AS u OPTION (TABLE HINT (u, INDEX(0)), TABLE HINT (U));
GO
--! error 8720
SELECT a FROM dbo.t AS u OPTION (TABLE HINT (dbo.t, INDEX(0)));
GO
--! error 8723
SELECT a FROM dbo.t OPTION (TABLE HINT (dbo.t, NOSUCH));
GO
--! error 102
SELECT a FROM dbo.t OPTION (PARAMETERIZATION FORCED);
GO
--! error 102 text plan guides
EXEC (N'SELECT a FROM dbo.t OPTION (MAXRECURSION 32768)');
GO
--! error 310
CREATE PROCEDURE dbo.p AS SELECT a FROM dbo.t OPTION (NOSUCHOPTION);
GO
--! error 102
