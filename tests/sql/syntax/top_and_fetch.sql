-- TOP of statements that write takes its number in parentheses; FETCH without OFFSET is the cursor's, which takes no number; a frame takes no variable.
CREATE TABLE dbo.t (a int);
INSERT TOP (2) dbo.t SELECT value FROM GENERATE_SERIES(1, 5);
UPDATE TOP (1) dbo.t SET a = a;
DELETE TOP (SELECT 1) FROM dbo.t;
SELECT COUNT(*) FROM dbo.t;
GO
--! rows
--! 1
INSERT TOP 1 dbo.t VALUES (1);
GO
--! error 102 line 1
UPDATE TOP 1 dbo.t SET a = 1;
GO
--! error 102 line 1
DELETE TOP 1 FROM dbo.t;
GO
--! error 102 line 1
DELETE TOP 1.5 PERCENT FROM dbo.t;
GO
--! error 102 line 1
MERGE TOP 1 dbo.t USING dbo.t AS s ON s.a = t.a WHEN MATCHED THEN DELETE;
GO
--! error 102 line 1
DELETE TOP (50) PERCENT FROM dbo.t;
SELECT COUNT(*) FROM dbo.t;
SELECT TOP 1 value FROM GENERATE_SERIES(1, 3) ORDER BY value DESC;
GO
--! rows
--! 0
--! rows
--! 3
SELECT a FROM dbo.t ORDER BY a
FETCH NEXT 2 ROWS ONLY;
GO
--! error 153 line 2 state 2
SELECT a FROM dbo.t ORDER BY a FETCH FIRST 2 ROWS ONLY;
GO
--! error 153 line 1 state 2
FETCH PRIOR 2 FROM c;
GO
--! error 153 line 1 state 2
DECLARE @n int = 1;
SELECT SUM(a) OVER (ORDER BY a ROWS @n PRECEDING) FROM dbo.t;
GO
--! error 102 line 2
SELECT SUM(a) OVER (ORDER BY a ROWS BETWEEN @n PRECEDING AND CURRENT ROW) FROM dbo.t;
GO
--! error 102 line 1
