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
