-- CONCAT_NULL_YIELDS_NULL OFF (page of that name): NULL in a concatenation is an empty string.
CREATE TABLE dbo.T (id int, s varchar(5) NULL, n nvarchar(5) NULL, i int NULL);
INSERT dbo.T VALUES (1, 'a', N'b', 1), (2, NULL, N'b', NULL), (3, 'a', NULL, 3);
DECLARE @v varchar(5);
SELECT 'abc' + NULL, 'abc' + @v;
GO
--! rows
--! NULL | NULL
SET CONCAT_NULL_YIELDS_NULL OFF;
DECLARE @v varchar(5), @all varchar(100);
SELECT 'abc' + NULL, 'abc' + @v, @v + N'x' + @v;
SELECT id, s + n, s + '-' + n + '!', i + 1 FROM dbo.T ORDER BY id;
SELECT id FROM dbo.T WHERE s + n = 'b';
SET @v += 'y';
SELECT @all = @all + s + ',' FROM dbo.T ORDER BY id;
SELECT @v, @all;
UPDATE dbo.T SET s = s + 'z' WHERE id = 2;
SELECT s FROM dbo.T WHERE id = 2;
IF 'a' + NULL = 'a' PRINT 'equal';
SET CONCAT_NULL_YIELDS_NULL ON;
IF 'a' + NULL = 'a' PRINT 'wrong';
SELECT s + n FROM dbo.T WHERE id = 3;
GO
--! rows
--! abc | abc | x
--! rows
--! 1 | ab | a-b! | 2
--! 2 | b | -b! | NULL
--! 3 | a | a-! | 4
--! rows
--! 2
--! rows
--! y | a,,a,
--! rows
--! z
--! rows
--! NULL
--! print equal
-- The setting is the caller's in a procedure; CONCAT() and other operators are as ever.
CREATE PROCEDURE dbo.Joins @a varchar(5), @b varchar(5) AS SELECT @a + @b;
GO
EXEC dbo.Joins 'a', NULL;
SET CONCAT_NULL_YIELDS_NULL OFF;
EXEC dbo.Joins 'a', NULL;
EXEC ('SELECT ''b'' + NULL, CONCAT(NULL, ''c''), 1 + NULL');
SELECT COUNT(*), MAX(s) + NULL FROM dbo.T GROUP BY i + 0 HAVING MAX(n + NULL) = N'b' ORDER BY 2;
GO
--! rows
--! NULL
--! rows
--! a
--! rows
--! b | c | NULL
--! rows
--! 1 | a
--! 1 | z
