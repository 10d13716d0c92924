-- Table variables of more rows than are looked through one by one: columns of all rows, in any order and twice, and what goes wrong on the way.
CREATE TABLE t (a int NULL, b varchar(3) NULL, c int NULL);
GO
DECLARE @v TABLE (id int IDENTITY PRIMARY KEY, n int, s varchar(10));
INSERT @v (n, s) SELECT value, IIF(value = 400, 'long one', 'x') FROM GENERATE_SERIES(1, 600);
SELECT COUNT(*) AS rows FROM @v;
INSERT t (c, a) SELECT n, id FROM @v;
SELECT @@ROWCOUNT AS inserted;
INSERT t (a, c) SELECT n, n FROM @v;
DELETE FROM @v WHERE n > 590;
SELECT @@ROWCOUNT AS deleted, (SELECT COUNT(*) FROM @v) AS left_over;
DELETE FROM @v;
SELECT @@ROWCOUNT AS deleted, (SELECT COUNT(*) FROM @v) AS left_over;
INSERT t (a) SELECT n FROM @v;
SELECT @@ROWCOUNT AS inserted;
GO
--! rows
--! 600
--! rows
--! 600
--! rows
--! 10 | 590
--! rows
--! 590 | 0
--! rows
--! 0
SELECT COUNT(*), SUM(CAST(a AS bigint)), SUM(CAST(c AS bigint)), COUNT(b), SUM(IIF(a = c, 1, 0)) FROM t;
GO
--! rows
--! 1200 | 360600 | 360600 | 0 | 1200
-- The first row that does not fit is the one that is told, and nothing of the statement stays.
DECLARE @v TABLE (n int, s varchar(10));
INSERT @v SELECT value, CASE value WHEN 300 THEN 'second' WHEN 299 THEN 'first' ELSE 'x' END FROM GENERATE_SERIES(1, 600);
DELETE FROM t;
BEGIN TRY
    INSERT t (a, b) SELECT n, s FROM @v;
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER(), IIF(ERROR_MESSAGE() LIKE '%''fir''%', 'first', ERROR_MESSAGE());
END CATCH;
GO
--! rows
--! 2628 | first
SELECT COUNT(*) FROM t;
GO
--! rows
--! 0
