-- A query may stand in any number of parentheses wherever a query stands.
CREATE TABLE t (i int);
INSERT t ((SELECT 1));
INSERT t ((SELECT 2) UNION ALL (SELECT 3));
((SELECT i FROM t)) UNION ((SELECT 7)) ORDER BY i;
SELECT 8 UNION ALL ((SELECT 9));
SELECT q.a FROM ((SELECT 1 AS a)) AS q;
SELECT q.a FROM (((SELECT 1 AS a) UNION (SELECT 2))) AS q ORDER BY q.a;
GO
--! rows
--! 1
--! 2
--! 3
--! 7
--! rows
--! 8
--! 9
--! rows
--! 1
--! rows
--! 1
--! 2
SELECT 1 WHERE EXISTS ((SELECT 1)) AND 1 IN ((SELECT i FROM t)) AND 1 IN ((SELECT 1), 2) AND 4 NOT IN ((SELECT i FROM t)) AND 1 = ANY ((SELECT i FROM t))
    AND ((SELECT 1)) + 1 = 2 AND ((SELECT 1) + 1) = 2;
WITH c AS ((SELECT 1 AS a)) (SELECT a FROM c) OPTION (MAXDOP 1);
DECLARE @x int = ((SELECT 4));
IF EXISTS (((SELECT 1))) SELECT @x;
SELECT ((SELECT 5 AS a FOR XML PATH(''), TYPE)).value('.', 'int');
SELECT l.i, r.b FROM ((SELECT 1 AS i) AS l JOIN (SELECT 1 AS b) AS r ON l.i = r.b);
GO
--! rows
--! 1
--! rows
--! 1
--! rows
--! 4
--! rows
--! 5
--! rows
--! 1 | 1
-- ORDER BY may follow them, once.
(SELECT i FROM t) ORDER BY i DESC;
((SELECT i FROM t) UNION (SELECT 7)) ORDER BY i DESC OFFSET 0 ROWS FETCH NEXT 2 ROWS ONLY;
DECLARE c CURSOR FOR (SELECT i FROM t) ORDER BY i;
OPEN c; FETCH c; DEALLOCATE c;
GO
--! rows
--! 3
--! 2
--! 1
--! rows
--! 7
--! 3
--! rows
--! 1
(SELECT TOP (1) i FROM t ORDER BY i) ORDER BY i;
GO
--! error 156
CREATE VIEW v AS WITH c AS (SELECT 1 AS a) ((SELECT a FROM c));
GO
SELECT a FROM v;
GO
--! rows
--! 1
CREATE VIEW w AS (SELECT 1 AS a) ORDER BY a;
GO
--! error 1033
