-- Operators, types and conversions in SET and SELECT.
SELECT 7 / 2, -7 / 2, -7 % 3, 2.0 / 3, 1 + '2', 'a' + 'b', 5 & 3, 5 | 3, 5 ^ 3, ~5, $1.5 * 2;
GO
--! rows
--! 3 | -3 | -1 | .666666 | 3 | ab | 1 | 7 | 6 | -6 | 3.0000
SELECT 1 / 0;
GO
--! error 8134
DECLARE @i int = 2147483647;
SET @i = @i + 1;
GO
--! error 8115
DECLARE @s varchar(3) = 'abcdef', @c char(5) = 'ab', @n varbinary(4) = 0x0102;
SELECT @s, @c + '+', @n, DATALENGTH(@c);
GO
--! rows
--! abc | ab   + | 0x0102 | 5
DECLARE @v varchar(10) = 'x';
SELECT CAST(@v AS int);
PRINT 'not reached';
GO
--! error 245
SELECT @undeclared;
GO
--! error 137
DECLARE @a int, @A int;
GO
--! error 134
DECLARE @d datetime = '20240131', @m int = NULL;
SELECT @d + 1, @m + 1, COALESCE(@m, 5), ISNULL(@m, 6), CASE @m WHEN NULL THEN 'null' ELSE 'other' END;
GO
--! rows
--! 2024-02-01 00:00:00.000 | NULL | 5 | 6 | other
