-- Characters that no XML may have are refused in text without markup, too: what the xml type takes, its methods can read.
SELECT CAST(0x00 AS xml);
GO
--! error 9420 line 2
SELECT CAST(N'a' + NCHAR(1) AS xml).value('string(.)', 'nvarchar(9)');
GO
--! error 9420 line 1
SELECT TRY_CAST(NCHAR(65534) AS xml), CAST(N'a' + NCHAR(9) + N'b' AS xml).value('string(.)', 'nvarchar(9)');
GO
--! rows
--! NULL | a\tb
-- Half of a pair is no character, wherever it stands; a whole pair is one.
CREATE TABLE #Halves (Id int IDENTITY, T nvarchar(20));
INSERT #Halves SELECT REPLACE(f.value, N'?', NCHAR(h.value)) FROM STRING_SPLIT(N'?;a?;<a>?</a>;<a b="?"/>;<!--?-->', ';') AS f CROSS JOIN GENERATE_SERIES(55357, 56832, 1475) AS h;
SELECT COUNT(*), COUNT(TRY_CAST(T AS xml)) FROM #Halves;
SELECT CAST(NCHAR(55357) + NCHAR(56832) AS xml).value('string-length(.)', 'int');
DECLARE @n int = 1; WHILE @n <= 10 BEGIN
    DECLARE @t nvarchar(20) = (SELECT T FROM #Halves WHERE Id = @n), @x xml;
    BEGIN TRY SET @x = @t; PRINT 'taken'; END TRY BEGIN CATCH IF ERROR_NUMBER() <> 9420 PRINT ERROR_NUMBER(); END CATCH
    SET @n += 1
END
GO
--! rows
--! 10 | 0
--! rows
--! 1
SELECT CAST(NCHAR(55357) AS xml);
GO
--! error 9420
