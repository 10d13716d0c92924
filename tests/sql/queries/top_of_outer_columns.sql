-- TOP, OFFSET and FETCH see the columns of the queries around theirs, and none of their own.
CREATE TABLE t (i int);
INSERT t SELECT value FROM GENERATE_SERIES(1, 10);
SELECT a.x, q.i FROM (VALUES (1), (2)) AS a (x) CROSS APPLY (SELECT TOP (a.x) i FROM t ORDER BY i DESC) AS q ORDER BY 1, 2;
SELECT x, q.i FROM (VALUES (0), (2)) AS a (x) OUTER APPLY (SELECT TOP (x) i FROM t ORDER BY i) AS q ORDER BY 1, 2;
SELECT a.x, q.i FROM (VALUES (10), (20)) AS a (x) CROSS APPLY (SELECT TOP (a.x) PERCENT i FROM t ORDER BY i DESC) AS q ORDER BY 1, 2;
SELECT a.x, q.i FROM (VALUES (8), (9)) AS a (x) CROSS APPLY (SELECT i FROM t ORDER BY i OFFSET a.x ROWS) AS q ORDER BY 1, 2;
SELECT a.x, q.i FROM (VALUES (1), (2)) AS a (x) CROSS APPLY (SELECT i FROM t ORDER BY i OFFSET a.x ROWS FETCH NEXT (a.x) ROWS ONLY) AS q ORDER BY 1, 2;
SELECT a.x, q.i FROM (VALUES (1), (2)) AS a (x) CROSS APPLY (SELECT i FROM t UNION SELECT 0 ORDER BY i OFFSET a.x ROWS FETCH NEXT 1 ROWS ONLY) AS q ORDER BY 1;
SELECT a.x, (SELECT SUM(q.i) FROM (SELECT TOP (a.x) i FROM t ORDER BY i DESC) AS q) FROM (VALUES (2), (3)) AS a (x);
GO
--! rows
--! 1 | 10
--! 2 | 9
--! 2 | 10
--! rows
--! 0 | NULL
--! 2 | 1
--! 2 | 2
--! rows
--! 10 | 10
--! 20 | 9
--! 20 | 10
--! rows
--! 8 | 9
--! 8 | 10
--! 9 | 10
--! rows
--! 1 | 2
--! 2 | 3
--! 2 | 4
--! rows
--! 1 | 1
--! 2 | 2
--! rows
--! 2 | 19
--! 3 | 27
SELECT TOP (i) i FROM t;
GO
--! error 4115
SELECT i FROM t ORDER BY i OFFSET i ROWS;
GO
--! error 4115
SELECT q.i FROM (VALUES (CAST(NULL AS int))) AS a (x) CROSS APPLY (SELECT TOP (a.x) i FROM t) AS q;
GO
--! error 1060
SELECT q.i FROM (VALUES (-1)) AS a (x) CROSS APPLY (SELECT TOP (a.x) i FROM t) AS q;
GO
--! error 127
