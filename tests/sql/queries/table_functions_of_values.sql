-- STRING_SPLIT: the ordinal's flag is a constant 0 or 1; the string is text.
SELECT * FROM STRING_SPLIT('a,b', ',', 0);
SELECT * FROM STRING_SPLIT('a,b', ',', NULL);
SELECT * FROM STRING_SPLIT('b,a', ',', CAST(1 AS bit)) ORDER BY ordinal;
GO
--! rows
--! a
--! b
--! rows
--! a
--! b
--! rows
--! b | 1
--! a | 2
DECLARE @flag bit = 1; SELECT * FROM STRING_SPLIT('a,b', ',', @flag);
GO
--! error 8748
SELECT * FROM STRING_SPLIT('a,b', ',', 2);
GO
--! error 4199
SELECT * FROM STRING_SPLIT('a,b', ',', '1');
GO
--! error 8116 text argument 3
SELECT * FROM STRING_SPLIT(1, ',');
GO
--! error 8116 text int
SELECT * FROM STRING_SPLIT('a,b', ',,');
GO
--! error 214
DECLARE @none varchar(10); SELECT * FROM STRING_SPLIT(@none, ',');
GO
--! rows
-- GENERATE_SERIES: "The data type for STOP must match the data type for START."
SELECT value FROM GENERATE_SERIES(1, 5, 2);
SELECT value FROM GENERATE_SERIES(3, 1);
SELECT value FROM GENERATE_SERIES(1, 3, -1);
GO
--! rows
--! 1
--! 3
--! 5
--! rows
--! 3
--! 2
--! 1
--! rows
SELECT value FROM GENERATE_SERIES(1, 5.0);
GO
--! error 5373
SELECT value FROM GENERATE_SERIES(CAST(1 AS bigint), 5);
GO
--! error 5373
SELECT value FROM GENERATE_SERIES(1, 5, 0);
GO
--! error 4199
SELECT value FROM GENERATE_SERIES('a', 'b');
GO
--! error 8116
-- A separator that is no text.
SELECT * FROM STRING_SPLIT('a0b', 0);
GO
--! error 214
