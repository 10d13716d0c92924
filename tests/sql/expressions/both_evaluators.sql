-- The same functions over variables (closures) and over a table's columns (a query) give the same.
CREATE TABLE dbo.Samples (id int, s nvarchar(20), d datetime, n decimal(9, 2), x xml);
INSERT dbo.Samples VALUES (1, N'Abc  ', '20240131 10:20:30.123', 12.345, '<a><b k="1">u</b></a>');
GO
SELECT LEN(s), UPPER(s) + '+', REPLACE(s, 'b', '-') + '+', CHARINDEX('C', s), DATEADD(month, 1, d), DATENAME(weekday, d), ROUND(n, 1), n / 3,
       x.value('(/a/b/@k)[1]', 'int'), CONVERT(varchar(30), d, 126), ISNULL(NULLIF(id, 1), 9), FORMAT(n, '0.0')
FROM dbo.Samples;
GO
--! rows
--! 3 | ABC  + | A-c  + | 3 | 2024-02-29 10:20:30.123 | Wednesday | 12.40 | 4.116666 | 1 | 2024-01-31T10:20:30.123 | 9 | 12.4
DECLARE @id int = 1, @s nvarchar(20) = N'Abc  ', @d datetime = '20240131 10:20:30.123', @n decimal(9, 2) = 12.345, @x xml = '<a><b k="1">u</b></a>';
SELECT LEN(@s), UPPER(@s) + '+', REPLACE(@s, 'b', '-') + '+', CHARINDEX('C', @s), DATEADD(month, 1, @d), DATENAME(weekday, @d), ROUND(@n, 1), @n / 3,
       @x.value('(/a/b/@k)[1]', 'int'), CONVERT(varchar(30), @d, 126), ISNULL(NULLIF(@id, 1), 9), FORMAT(@n, '0.0');
GO
--! rows
--! 3 | ABC  + | A-c  + | 3 | 2024-02-29 10:20:30.123 | Wednesday | 12.40 | 4.116666 | 1 | 2024-01-31T10:20:30.123 | 9 | 12.4
SET DATEFORMAT dmy;
DECLARE @t varchar(20) = '03/02/2024';
SELECT CAST(@t AS datetime), CAST('03/02/2024' AS datetime), CAST('20240203' AS datetime);
GO
--! rows
--! 2024-02-03 00:00:00.000 | 2024-02-03 00:00:00.000 | 2024-02-03 00:00:00.000
-- The remainder of the smallest number by -1 is 0; its quotient overflows. A real that is too large is error 232, never infinity.
CREATE TABLE edges (big bigint, small int, minus int, r real);
INSERT edges VALUES (-9223372036854775808, -2147483648, -1, 3E38);
SELECT big % minus, small % minus, NULL % minus FROM edges;
GO
--! rows
--! 0 | 0 | NULL
DECLARE @big bigint = -9223372036854775808, @minus int = -1;
SELECT @big % @minus;
GO
--! rows
--! 0
SELECT small / minus FROM edges;
GO
--! error 8115
SELECT r * r FROM edges;
GO
--! error 232
DECLARE @r real = 3E38;
SET @r = @r * @r;
GO
--! error 232
-- A sum of floats that is too large, in a query and of variables.
CREATE TABLE large (x float);
INSERT large VALUES (1.7E308);
SELECT x + x FROM large;
GO
--! error 8115
INSERT large SELECT x + x FROM large;
GO
--! error 8115
SELECT SUM(y) FROM (SELECT x AS y FROM large UNION ALL SELECT x FROM large) t;
GO
--! error 8115
DECLARE @x float = 1.7E308;
SELECT @x + @x;
GO
--! error 8115
SELECT x - x FROM large;
GO
--! rows
--! 0.0
