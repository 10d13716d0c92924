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
