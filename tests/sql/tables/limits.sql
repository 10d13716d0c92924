-- Limits of sizes are refused before anything is done: columns of a table and of a key, letters of a name.
DECLARE @columns nvarchar(max) = (SELECT STRING_AGG(CAST(CONCAT('c', value, ' int NOT NULL') AS nvarchar(max)), ', ') FROM GENERATE_SERIES(1, 1025));
DECLARE @key nvarchar(max) = (SELECT STRING_AGG(CONCAT('c', value), ', ') FROM GENERATE_SERIES(1, 33));
DECLARE @few nvarchar(max) = (SELECT STRING_AGG(CONCAT('c', value, ' int NOT NULL'), ', ') FROM GENERATE_SERIES(1, 40));
DECLARE @items nvarchar(max) = (SELECT STRING_AGG(CAST(CONCAT('1 AS c', value) AS nvarchar(max)), ', ') FROM GENERATE_SERIES(1, 1025));
DECLARE @rows nvarchar(max) = (SELECT STRING_AGG(CAST('(1)' AS nvarchar(max)), ', ') FROM GENERATE_SERIES(1, 1001));
DECLARE @try TABLE (id int IDENTITY, words nvarchar(max));
INSERT @try (words) VALUES (CONCAT('CREATE TABLE Wide (', @columns, ')')), (CONCAT('CREATE TABLE #Wide (', @columns, ')')), (CONCAT('DECLARE @t TABLE (', @columns, ')')),
    (CONCAT('CREATE TYPE Wide AS TABLE (', @columns, ')')), (CONCAT('SELECT ', @items, ' INTO Wide')), (CONCAT('SELECT ', @items, ' INTO #Wide')),
    (CONCAT('CREATE TABLE Keyed (', @few, ', PRIMARY KEY (', @key, '))')), (CONCAT('CREATE TABLE Keyed (', @few, ', UNIQUE (', @key, '))')),
    (CONCAT('CREATE TABLE Keyed (', @few, ', INDEX i (', @key, '))')), (CONCAT('CREATE TABLE Few (', @few, '); CREATE INDEX i ON Few (', @key, ')')),
    (CONCAT('ALTER TABLE Few ADD UNIQUE (', @key, ')')), (CONCAT('CREATE TABLE ', REPLICATE('x', 129), ' (a int)'));
DECLARE @i int = 1, @words nvarchar(max), @found nvarchar(max) = '';
WHILE @i <= (SELECT COUNT(*) FROM @try)
BEGIN
    SELECT @words = words FROM @try WHERE id = @i;
    BEGIN TRY EXEC (@words); SET @found += ' done' END TRY
    BEGIN CATCH SET @found += CONCAT(' ', IIF(ERROR_NUMBER() = 1750, 1904, ERROR_NUMBER())) END CATCH
    SET @i += 1;
END
SELECT LTRIM(@found);
EXEC ('SELECT COUNT(*) FROM (VALUES ' + @rows + ') AS v (a)');
SELECT name FROM sys.tables WHERE name IN ('Wide', 'Keyed', 'Few');
GO
--! rows
--! 1702 1702 1702 1702 1702 1702 1904 1904 1904 1904 1904 103
--! rows
--! 1001
--! rows
--! Few

-- Lists, where they are written, at their ends and one behind it: rows of VALUES behind INSERT (10738, a table of values may have more), a select list (1056), columns of a view (4505).
CREATE TABLE Target (a int);
CREATE TABLE Source (a int);
DECLARE @i int = 0, @words nvarchar(max), @found nvarchar(max) = '';
DECLARE @try TABLE (id int IDENTITY(0, 1), front nvarchar(100), item nvarchar(20), back nvarchar(100), most int);
INSERT @try (front, item, back, most) VALUES ('INSERT Target VALUES ', '(1)', '', 1000), ('INSERT INTO Target (a) VALUES ', '(DEFAULT)', '', 1000),
    ('CREATE TABLE #t (a int); INSERT #t VALUES ', '(1)', '', 1000), ('DECLARE @t TABLE (a int); INSERT @t VALUES ', '(1)', '', 1000),
    ('INSERT Target (a) OUTPUT inserted.a INTO Source (a) VALUES ', '(1)', '', 1000), ('CREATE OR ALTER PROCEDURE P AS SELECT ', '1', '', 4096), ('DECLARE @a int; SELECT ', '@a = 1', ' FROM Source', 4096),
    ('IF EXISTS (SELECT ', 'a', ' FROM Source) PRINT 1', 4096);
WHILE @i < 2 * (SELECT COUNT(*) FROM @try)
BEGIN
    SELECT @words = front + item + REPLICATE(CAST(', ' + item AS nvarchar(max)), most - 1 + @i % 2) + back FROM @try WHERE id = @i / 2;
    BEGIN TRY EXEC sp_executesql @words; SET @found += ' done' END TRY
    BEGIN CATCH SET @found += CONCAT(' ', ERROR_NUMBER()) END CATCH
    SET @i += 1;
END
PRINT LTRIM(@found);
SELECT COUNT(*) FROM Target;
GO
--! print 1
--! print done 10738 done 10738 done 10738 done 10738 done 10738 done 1056 done 1056 done 1056
--! rows
--! 3000

DECLARE @columns nvarchar(max) = (SELECT STRING_AGG(CAST(CONCAT('1 AS c', value) AS nvarchar(max)), ', ') FROM GENERATE_SERIES(1, 1024));
DECLARE @names nvarchar(max) = (SELECT STRING_AGG(CAST(CONCAT('c', value) AS nvarchar(max)), ', ') FROM GENERATE_SERIES(1, 1024));
EXEC ('CREATE VIEW Wide1 AS SELECT ' + @columns);
BEGIN TRY EXEC ('CREATE VIEW Wide2 AS SELECT ' + @columns + ', 1 AS c1025') END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH
BEGIN TRY EXEC ('CREATE VIEW Wide3 (' + @names + ', c1025) AS SELECT ' + @columns + ', 1') END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH
SELECT name FROM sys.views;
GO
--! rows
--! 4505
--! rows
--! 4505
--! rows
--! Wide1
