-- ERROR_PROCEDURE() of an error in a dynamic text is NULL, also for a CATCH of the procedure that runs the text; the line counts in the text.
CREATE PROCEDURE dbo.runs AS
EXEC ('

SELECT 1 / 0');
GO
CREATE PROCEDURE dbo.catches @text nvarchar(200) AS
BEGIN TRY
    EXEC (@text);
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER(), ERROR_PROCEDURE(), ERROR_LINE();
END CATCH;
GO
CREATE PROCEDURE dbo.fails AS
RAISERROR ('x', 16, 1);
GO
EXEC dbo.catches N'
SELECT 1 / 0';
EXEC dbo.catches N'
SELECT @nosuch';
EXEC dbo.catches N'

SELECT * FROM nosuch';
EXEC dbo.catches N'EXEC dbo.fails';
EXEC dbo.catches N'EXEC sp_executesql N''
SELECT 1 / 0''';
EXEC dbo.catches N'EXEC dbo.runs';
GO
--! rows
--! 8134 | NULL | 2
--! rows
--! 137 | NULL | 2
--! rows
--! 208 | NULL | 3
--! rows
--! 50000 | fails | 2
--! rows
--! 8134 | NULL | 2
--! rows
--! 8134 | NULL | 3
