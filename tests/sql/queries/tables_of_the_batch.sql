-- Subqueries over a table that the same batch makes: SQL Server compiles the statement when it runs, so their types are those of the table.
CREATE TABLE #amounts (amount decimal(5, 2), day datetime, share float, note xml)
INSERT #amounts VALUES (1.50, '20240301', 0.123456789e0, '<a>7</a>')
DECLARE @half decimal(9, 4) = (SELECT amount FROM #amounts) / 2, @share float, @n int, @text varchar(40)
SET @share = (SELECT share FROM #amounts)
SET @n = (SELECT amount FROM #amounts) * 3
SET @text = CONVERT(varchar(40), (SELECT day FROM #amounts), 112)
SELECT @half, @share, @n, @text
IF (SELECT amount FROM #amounts) / 4 > 0.3 PRINT 'more' ELSE PRINT 'less'
IF (SELECT day FROM #amounts) + 1 = '20240302' PRINT 'next day'
DECLARE @i int = 0
WHILE @i < (SELECT amount FROM #amounts) * 2 SET @i += 1
SET @half = (SELECT amount FROM #amounts) / 2
PRINT @half
SELECT @i
GO
--! print more
--! print next day
--! print 0.7500
--! rows
--! .7500 | 0.123456789 | 4 | 20240301
--! rows
--! 3
DECLARE @x int
SET @x = (SELECT a FROM #missing) + 1
SELECT @x
GO
--! error 208 line 2
CREATE TABLE dbo.later (d date)
INSERT dbo.later VALUES ('20240301')
DECLARE @d date = DATEADD(day, 1, (SELECT d FROM dbo.later))
SELECT @d
SET @d = (SELECT d FROM dbo.later) + 1
GO
--! rows
--! 2024-03-02
--! error 206 line 5
