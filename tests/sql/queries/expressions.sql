-- Expressions over columns mean what they mean in T-SQL, whoever computes them.
CREATE TABLE dbo.N (Id int NOT NULL, I int NULL, D decimal(10,2) NULL, S varchar(20) NULL, C char(5) NULL, B bit NULL, T datetime NULL);
INSERT INTO dbo.N VALUES (1, -7, 7.25, '12', 'ab', 1, '2026-01-31T10:00:00'), (2, 3, -1.50, ' 5 ', NULL, 0, NULL);
GO
-- Integer division cuts towards zero, % has the sign of the dividend, decimals keep the scale of the documentation's table.
SELECT I / 2, I % 2, D * 2, D / 3, -I, I & 3 FROM dbo.N ORDER BY Id;
SELECT S + 1, D + I, I + 0.5 FROM dbo.N ORDER BY Id;
SELECT C + '|', LEN(C), DATALENGTH(C), S + N'!' FROM dbo.N WHERE Id = 1;
GO
--! rows
--! -3 | -1 | 14.50 | 2.416666 | 7 | 1
--! 1 | 1 | -3.00 | -.500000 | -3 | 3
--! rows
--! 13 | .25 | -6.5
--! 6 | 1.50 | 3.5
--! rows
--! ab   \| | 2 | 5 | 12!
SELECT CAST(D AS int), CAST(D AS varchar(10)), CONVERT(varchar(10), T, 120), CAST(B AS int) + 1, ISNULL(C, 'none!long'), COALESCE(C, 'none!long')
FROM dbo.N ORDER BY Id;
SELECT CASE WHEN I > 0 THEN 'plus' WHEN I < 0 THEN 'minus' END, IIF(B = 1, 'y', 'n'), NULLIF(Id, 2), CHOOSE(Id, 'one', 'two') FROM dbo.N ORDER BY Id;
SELECT DATEADD(month, 1, T), DATEDIFF(day, '20260101', T), DATENAME(month, T), REPLACE(S, '1', 'x'), SUBSTRING(C, 2, 1) FROM dbo.N WHERE Id = 1;
SELECT TRY_CAST(S AS int), TRY_CONVERT(int, C) FROM dbo.N ORDER BY Id;
GO
--! rows
--! 7 | 7.25 | 2026-01-31 | 2 | ab    | ab   
--! -1 | -1.50 | NULL | 1 | none! | none!long
--! rows
--! minus | y | 1 | one
--! plus | n | NULL | two
--! rows
--! 2026-02-28 10:00:00.000 | 30 | January | x2 | b
--! rows
--! 12 | NULL
--! 5 | NULL
-- Errors of values belong to the rows that have them.
SELECT 1 / (I - 3) FROM dbo.N WHERE Id = 1;
SELECT 1 / (I - 3) FROM dbo.N;
GO
--! rows
--! 0
--! error 8134 line 3
SELECT CAST(C AS int) FROM dbo.N WHERE Id = 1;
GO
--! error 245
SELECT CASE WHEN Id = 2 THEN 1 / 0 ELSE Id END FROM dbo.N WHERE Id = 1;
DECLARE @zero int = 0;
SELECT 1 / @zero FROM dbo.N WHERE 1 = 0;
SELECT I + 2147483647 FROM dbo.N WHERE Id = 2;
GO
--! rows
--! 1
--! rows
--! error 8115
