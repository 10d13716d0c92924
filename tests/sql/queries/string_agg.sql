-- STRING_AGG: its types, its separator, and its limit of 8,000 bytes.
CREATE TABLE names (v varchar(10), n nvarchar(10), i int, d decimal(5, 2), t text);
INSERT names VALUES ('a', N'x', 1, 1.5, 't'), (NULL, NULL, NULL, NULL, NULL), ('b', N'y', 2, 2.25, 't');
SELECT STRING_AGG(v, ','), STRING_AGG(n, ','), STRING_AGG(i, ','), STRING_AGG(d, N';'), STRING_AGG(v, NULL) FROM names;
GO
--! rows
--! a,b | x,y | 1,2 | 1.50;2.25 | ab
SELECT STRING_AGG(v, ',') AS v, STRING_AGG(n, ',') AS n, STRING_AGG(i, ',') AS i, STRING_AGG(CAST(v AS varchar(max)), ',') AS m INTO joined FROM names;
SELECT c.name, TYPE_NAME(user_type_id), max_length FROM sys.columns AS c WHERE object_id = OBJECT_ID('joined') ORDER BY column_id;
GO
--! rows
--! v | varchar | 8000
--! n | nvarchar | 8000
--! i | nvarchar | 8000
--! m | varchar | -1
-- "If the input expression is type VARCHAR, the separator cannot be type NVARCHAR"; it is a literal or variable.
SELECT STRING_AGG(v, N',') FROM names;
GO
--! error 8116
SELECT STRING_AGG(v, 1) FROM names;
GO
--! error 8116
SELECT STRING_AGG(v, v) FROM names;
GO
--! error 8733
DECLARE @max varchar(max) = ','; SELECT STRING_AGG(v, @max) FROM names;
GO
--! error 8734
DECLARE @s varchar(5) = '--'; SELECT STRING_AGG(v, @s) WITHIN GROUP (ORDER BY v DESC) FROM names;
GO
--! rows
--! b--a
SELECT STRING_AGG(t, ',') FROM names;
GO
--! error 8116 text text
SELECT STRING_AGG(DISTINCT v, ',') FROM names;
GO
--! error 102
SELECT STRING_AGG(v, ',') WITHIN GROUP (ORDER BY v), STRING_AGG(n, ',') WITHIN GROUP (ORDER BY i DESC) FROM names;
GO
--! error 8711
SELECT STRING_AGG(REPLICATE('a', 5000), ',') FROM (VALUES (1), (2)) AS v (i);
GO
--! error 9829
SELECT STRING_AGG(REPLICATE(N'a', 2500), ',') FROM (VALUES (1), (2)) AS v (i);
GO
--! error 9829
SELECT LEN(STRING_AGG(REPLICATE('a', 3999), ',')) , LEN(STRING_AGG(CAST(REPLICATE('a', 5000) AS varchar(max)), ',')) FROM (VALUES (1), (2)) AS v (i);
GO
--! rows
--! 7999 | 10001
-- A constant orders nothing: refused as in a window where it is written as such.
SELECT STRING_AGG(s, ',') WITHIN GROUP (ORDER BY 'a') FROM (VALUES ('x'), ('y')) AS v (s);
GO
--! error 5309
SELECT STRING_AGG(s, ',') WITHIN GROUP (ORDER BY 1) FROM (VALUES ('x'), ('y')) AS v (s);
GO
--! error 5308
DECLARE @v int = 1;
SELECT STRING_AGG(s, ',') WITHIN GROUP (ORDER BY @v, s DESC) FROM (VALUES ('x'), ('y')) AS v (s);
GO
--! rows
--! y,x
