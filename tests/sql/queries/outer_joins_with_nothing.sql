-- Outer joins whose other side has no rows: TOP, EXISTS and scalar subqueries see the rows that there are.
CREATE TABLE Own (h int, db int); CREATE TABLE Other (h int, db int);
INSERT INTO Own VALUES (1, 1), (2, 1);
GO
SELECT TOP (1) o.h FROM Own AS o LEFT JOIN Other AS x ON x.h = o.h AND x.db = o.db WHERE o.db = 1;
SELECT CASE WHEN EXISTS (SELECT * FROM Own AS o LEFT JOIN Other AS x ON x.h = o.h AND x.db = o.db WHERE o.db = 1) THEN 'some' ELSE 'none' END;
SELECT (SELECT TOP (1) o.db FROM Own AS o LEFT JOIN Other AS x ON x.h = o.h AND x.db = o.db WHERE o.db = 1);
SELECT COUNT(*) FROM Own AS o LEFT JOIN Other AS x ON x.h = o.h AND x.db = o.db WHERE o.db = 1;
GO
--! rows
--! *
--! rows
--! some
--! rows
--! 1
--! rows
--! 2
