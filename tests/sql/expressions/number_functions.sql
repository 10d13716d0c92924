-- << and >> are LEFT_SHIFT and RIGHT_SHIFT, with the type of the value; they stand beside + and -.
SELECT 12345 << 5, 12345 >> 5, 0x0F << 4, CAST(1 AS tinyint) << 7, -1 >> 28, 1 << -1, 1 << 2 + 1;
SELECT n << 2, n >> 1 FROM (VALUES (5), (NULL)) AS v (n) WHERE 3 << 1 > 5 OR n <> 2;
GO
--! rows
--! 395040 | 385 | 0xF0 | 128 | 15 | 0 | 5
--! rows
--! 20 | 2
--! NULL | NULL
SELECT 1.5 << 1;
GO
--! error 8116
-- DEGREES and RADIANS of a decimal have 18 digits; a bit is a float to the functions of numbers ("bit, char …: float").
SELECT DEGREES(1.0), RADIANS(180.0), RADIANS(45.0), POWER(CAST(1 AS bit), 2);
SELECT DEGREES(d), RADIANS(d) FROM (VALUES (1.0)) AS v (d);
GO
--! rows
--! 57.295779513082322865 | 3.141592653589793116 | .785398163397448279 | 1.0
--! rows
--! 57.295779513082322865 | .017453292519943295
-- Infinity is error 8115.
SELECT SQUARE(1E200);
GO
--! error 8115
SELECT DEGREES(1.7E308);
GO
--! error 8115
-- "If all arguments are NULL, then GREATEST returns NULL."
SELECT GREATEST(NULL, NULL), LEAST(NULL), GREATEST(NULL, 3, NULL);
GO
--! rows
--! NULL | NULL | 3
-- A lone sign is 0 as an integer, and what has no digit is 0 as money; ISNUMERIC says so of signs, points, currency signs and tabs.
SELECT CAST('-' AS int), CAST('+' AS bigint), CAST('.' AS money), CAST('-' AS money), CAST('$' AS money), CAST(',' AS smallmoney), CAST('1,2,3' AS money);
GO
--! rows
--! 0 | 0 | .0000 | .0000 | .0000 | .0000 | 123.0000
SELECT CAST('-' AS float);
GO
--! error 8114
SELECT CAST('1.2.3' AS money);
GO
--! error 235
DECLARE @codes varchar(400) = '';
SELECT @codes += CONCAT(value, ' ') FROM GENERATE_SERIES(0, 127) WHERE ISNUMERIC(CHAR(value)) = 1 AND CHAR(value) NOT LIKE '[0-9]';
SELECT @codes, ISNUMERIC(''), ISNUMERIC(' '), ISNUMERIC(CHAR(160)), ISNUMERIC('¢'), ISNUMERIC(REPLICATE('9', 308)), ISNUMERIC(REPLICATE('9', 309));
GO
--! rows
--! 9 10 11 12 13 36 43 44 45 46 92 | 0 | 0 | 1 | 1 | 1 | 0
SELECT ISNUMERIC('1e2'), ISNUMERIC('1e+2'), ISNUMERIC('e'), ISNUMERIC('e+'), ISNUMERIC('1 2'), ISNUMERIC('12.3.4'), ISNUMERIC(NULL);
GO
--! rows
--! 1 | 1 | 0 | 0 | 0 | 0 | 0
-- Money literals: every currency sign, a sign behind it, nothing behind it.
SELECT ¢31.5, $+1.5, $-1.5, $ 2, €3, ￥4, ₱5, $ AS nothing, $+$1, 5-$1, ₠6, ₦7, ﷼8, CAST(N'₦9' AS money)
SELECT SQL_VARIANT_PROPERTY(¢1, 'BaseType'), SQL_VARIANT_PROPERTY($, 'BaseType')
GO
--! rows
--! 31.5000 | 1.5000 | -1.5000 | 2.0000 | 3.0000 | 4.0000 | 5.0000 | .0000 | 1.0000 | 4.0000 | 6.0000 | 7.0000 | 8.0000 | 9.0000
--! rows
--! money | money

-- A float that is too large for int, or too long for varchar, is told by its value: POWER of integers is computed so, too. bigint and nvarchar are 8115.
SELECT POWER(2, 30), POWER(-2, 31), POWER(CAST(2 AS bigint), 62);
GO
--! rows
--! 1073741824 | -2147483648 | 4611686018427387904
SELECT POWER(2, 31);
GO
--! error 232 severity 16 state 3 text 2147483648.000000
SELECT POWER(10, 100);
GO
--! error 232 state 3
SELECT POWER(v, 31) FROM (VALUES (1), (2)) AS t (v);
GO
--! error 232 state 3
SELECT POWER(CAST(2 AS bigint), 63);
GO
--! error 8115 state 2
SELECT CAST(2147483648e0 AS int);
GO
--! error 232 state 3
SELECT CAST(CAST(123456.789 AS real) AS varchar(3));
GO
--! error 232 state 2
SELECT CAST(v AS char(3)) FROM (VALUES (1e0), (1234.5e0)) AS t (v);
GO
--! error 232 state 2 text 1234.500000
SELECT CAST(1234.5e0 AS nvarchar(3));
GO
--! error 8115
SET ARITHABORT, ANSI_WARNINGS OFF;
GO
SELECT POWER(2, 31), CAST(1234.5e0 AS varchar(3));
GO
--! rows
--! NULL | NULL
SET ARITHABORT, ANSI_WARNINGS ON;
GO
