-- FOR XML and FOR JSON at the end of a view, a common table expression, a derived table and an inline function.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE TABLE T (A int); INSERT T VALUES (1), (2);
GO
CREATE VIEW V (X) AS SELECT A FROM T FOR XML PATH('t');
GO
CREATE VIEW W (X) AS SELECT A FROM T FOR XML PATH('t'), ROOT('r'), TYPE;
GO
CREATE VIEW J (X) AS SELECT A FROM T ORDER BY A DESC FOR JSON PATH;
GO
SELECT X FROM V; SELECT X.value('count(/r/t)', 'int') FROM W; SELECT X FROM J;
SELECT t.name FROM sys.columns AS c JOIN sys.types AS t ON t.user_type_id = c.user_type_id
WHERE c.object_id IN (OBJECT_ID('V'), OBJECT_ID('W'), OBJECT_ID('J')) ORDER BY OBJECT_NAME(c.object_id);
GO
--! rows
--! <t><A>1</A></t><t><A>2</A></t>
--! rows
--! 2
--! rows
--! [{"A":2},{"A":1}]
--! rows
--! nvarchar
--! nvarchar
--! xml
WITH c (X) AS (SELECT A FROM T FOR XML PATH('t')) SELECT X FROM c;
SELECT X FROM (SELECT A FROM T FOR JSON PATH) AS d (X);
GO
--! rows
--! <t><A>1</A></t><t><A>2</A></t>
--! rows
--! [{"A":1},{"A":2}]
CREATE VIEW NoName AS SELECT A FROM T FOR XML PATH;
GO
--! error 4511
CREATE FUNCTION NoName() RETURNS TABLE AS RETURN SELECT A FROM T FOR JSON AUTO;
GO
--! error 4514

-- The recursive member may read itself through derived tables.
WITH r AS (SELECT 1 AS n UNION ALL SELECT d.n + 1 FROM (SELECT n FROM r) AS d WHERE d.n < 4) SELECT n FROM r;
WITH r AS (SELECT 1 AS n UNION ALL SELECT e.n + 1 FROM (SELECT d.n FROM (SELECT r.n FROM r JOIN T ON T.A = 1) AS d) AS e WHERE e.n < 3)
SELECT n FROM r;
GO
--! rows
--! 1
--! 2
--! 3
--! 4
--! rows
--! 1
--! 2
--! 3
WITH r AS (SELECT 1 AS n UNION ALL SELECT d.n + 1 FROM (SELECT n FROM r) AS d) SELECT n FROM r OPTION (MAXRECURSION 10);
GO
--! error 530
