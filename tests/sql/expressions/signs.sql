-- White space of any kind may stand between a sign and its number, for every type of number; over columns as over variables.
CREATE TABLE dbo.texts (s nvarchar(9));
INSERT dbo.texts VALUES (N'-' + NCHAR(9) + N'5'), (N'+' + NCHAR(160) + N'5'), (N' - 5 ');
GO
SELECT CAST(s AS decimal(9,2)), TRY_CAST(s AS decimal(9,2)), CAST(s AS money), CAST(s AS int) FROM dbo.texts;
DECLARE @s nvarchar(9) = N'-' + NCHAR(9) + N'5';
SELECT CAST(@s AS decimal(9,2)), TRY_CAST(@s AS numeric(5,1)), CAST(@s AS money), CAST(@s AS int);
GO
--! rows
--! -5.00 | -5.00 | -5.0000 | -5
--! 5.00 | 5.00 | 5.0000 | 5
--! -5.00 | -5.00 | -5.0000 | -5
--! rows
--! -5.00 | -5.0 | -5.0000 | -5
