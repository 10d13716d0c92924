-- Sums beside a table of which nothing is joined: DuckDB must not take them for sums of no rows, which cannot overflow.
CREATE TABLE a (k int, b bigint, d decimal(18, 2));
CREATE TABLE b (k int, i int);
INSERT INTO a VALUES (1, 4000000000000000000, 9000000000000000), (2, 4000000000000000000, 9000000000000000), (3, 4000000000000000000, 9000000000000000);
INSERT INTO b VALUES (1, 1), (2, 2);
GO
SELECT SUM(a.d), COUNT(*) FROM a LEFT JOIN b ON b.k = a.k AND b.i > 1000;
SELECT SUM(CAST(a.b AS decimal(38, 0))) FROM a LEFT JOIN b ON b.k = a.k AND b.i > 1000;
GO
--! rows
--! 27000000000000000.00 | 3
--! rows
--! 12000000000000000000
SELECT SUM(a.b) FROM a LEFT JOIN b ON b.k = a.k AND b.i > 1000;
GO
--! error 8115
-- Several such joins in a chain, with groups and EXISTS above them.
SELECT c.i, COUNT(*), SUM(a.d) FROM a LEFT JOIN b ON a.k < b.k LEFT JOIN b AS d ON b.k = d.k LEFT JOIN b AS c ON d.k = c.k AND c.i > 100000 GROUP BY c.i;
SELECT CASE WHEN EXISTS (SELECT 1 FROM a LEFT JOIN b ON b.k = a.k AND b.i > 1000 LEFT JOIN b AS c ON c.k = b.k AND c.i > 1000) THEN 1 ELSE 0 END;
GO
--! rows
--! NULL | 3 | 27000000000000000.00
--! rows
--! 1
