-- text, ntext and image are no arguments of the string functions (their pages: "except text or ntext"); SUBSTRING, PATINDEX, DATALENGTH take them.
SELECT LEN(CAST('a' AS text));
GO
--! error 8116 text text
SELECT LEFT(CAST('a' AS ntext), 1);
GO
--! error 8116 text ntext
CREATE TABLE texts (t text); SELECT REPLACE('a', t, 'b') FROM texts;
GO
--! error 8116 text argument 2
SELECT REVERSE(CAST(0x41 AS image));
GO
--! error 8116 text image
SELECT CHARINDEX('a', CAST('a' AS text));
GO
--! error 8116 text argument 2
SELECT SUBSTRING(CAST('abc' AS ntext), 2, 1), PATINDEX('%b%', CAST('abc' AS text)), DATALENGTH(CAST('abc' AS ntext));
GO
--! rows
--! b | 2 | 6
-- SUBSTRING is of character and binary strings only.
SELECT SUBSTRING(123, 1, 1);
GO
--! error 8116 text int
SELECT LEFT(123, 2), LEN(1234), UPPER(5);
GO
--! rows
--! 12 | 4 | 5
-- A constant length is the length of the result's type, up to that of the string.
SELECT LEFT('abcdef', 2) AS a, RIGHT(N'abcdef', 3) AS b, SUBSTRING('abc', 1, 100) AS c, SUBSTRING(0x010203, 1, 2) AS d, LEFT('abc', 0) AS e INTO lengths;
SELECT name, max_length FROM sys.columns WHERE object_id = OBJECT_ID('lengths') ORDER BY column_id;
GO
--! rows
--! a | 2
--! b | 6
--! c | 3
--! d | 2
--! e | 1
-- LEN counts UTF-16 units in both evaluators; half of a pair is a value like any other.
DECLARE @s nvarchar(10) = NCHAR(0xD83D) + NCHAR(0xDE00);
SELECT LEN(@s), UNICODE(@s), UNICODE(SUBSTRING(@s, 2, 1));
SELECT LEN(s), UNICODE(s), UNICODE(SUBSTRING(s, 2, 1)) FROM (VALUES (N'😀  ')) AS v (s);
GO
--! rows
--! 2 | 55357 | 56832
--! rows
--! 2 | 55357 | 56832
-- Letters change one by one; varchar never leaves its code page.
SELECT UPPER(N'ß'), UPPER('µ'), UPPER('ÿ'), LOWER(N'ΑΣ');
SELECT UPPER(n), UPPER(v), LOWER(g) FROM (VALUES (N'ß', 'µ', N'ΑΣ')) AS t (n, v, g);
GO
--! rows
--! ß | µ | Ÿ | ασ
--! rows
--! ß | µ | ασ
-- Functions over columns of these types; parameters can have them, variables cannot.
CREATE TABLE blobs (t text, n ntext, i image);
INSERT blobs VALUES ('abc', N'abc', 0x0102);
SELECT SUBSTRING(t, 1, 2), SUBSTRING(n, 2, 5), SUBSTRING(i, 1, 1), DATALENGTH(t), DATALENGTH(n), DATALENGTH(i), PATINDEX('%c%', n) FROM blobs;
GO
--! rows
--! ab | bc | 0x01 | 3 | 6 | 2 | 3
CREATE PROCEDURE lengths_of @t text, @n ntext AS SELECT DATALENGTH(@t), DATALENGTH(@n);
GO
EXEC lengths_of 'abc', N'ab';
EXEC sp_executesql N'SELECT SUBSTRING(@p, 2, 1)', N'@p ntext', N'xyz';
GO
--! rows
--! 3 | 4
--! rows
--! y
DECLARE @t text;
GO
--! error 2739
-- CONCAT takes them all; DIFFERENCE takes text and no ntext.
SELECT CONCAT('x', t, n), CONCAT_WS('-', t, n), DIFFERENCE(t, 'abd') FROM blobs;
GO
--! rows
--! xabcabc | abc-abc | 3
SELECT DIFFERENCE(n, 'abd') FROM blobs;
GO
--! error 8116 text ntext
-- DATETRUNC and DATE_BUCKET take dates; a string only DATETRUNC, a number neither.
SELECT DATETRUNC(month, '2021-12-08'), DATE_BUCKET(day, 2, CAST('2021-12-08' AS date));
GO
--! rows
--! 2021-12-01 00:00:00.0000000 | 2021-12-08
SELECT DATETRUNC(day, 5);
GO
--! error 8116 text int
SELECT DATE_BUCKET(day, 1, '2020-01-01');
GO
--! error 8116 text varchar
