-- What is wrong with the parameters that sp_executesql declares ends the dynamic batch; the batch around it goes on, as after a mistake in the text.
EXEC sp_executesql N'SELECT 1', N'@a int, @A int', 1, 2;
SELECT @@ERROR;
GO
--! error 134 severity 15
--! rows
--! 134
EXEC sp_executesql N'SELECT 1', N'@a nothing', 1;
SELECT @@ERROR;
GO
--! error 2715
--! rows
--! 2715
EXEC sp_executesql N'SELECT 1', N'a int', 1;
SELECT @@ERROR;
GO
--! error 102
--! rows
--! 102
EXEC sp_executesql N'SELECT 1', N'@a int,', 1;
SELECT 'goes on';
GO
--! error 156
--! rows
--! goes on
EXEC sp_executesql N'SELECT 1', N'@a int READONLY', 1;
SELECT @@ERROR;
GO
--! error 346
--! rows
--! 346
CREATE TYPE dbo.Numbers AS TABLE (n int);
GO
EXEC sp_executesql N'SELECT n FROM @n', N'@n dbo.Numbers', 1;
SELECT @@ERROR;
GO
--! error 352
--! rows
--! 352
BEGIN TRY
    EXEC sp_executesql N'SELECT 1', N'a int', 1;
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER();
END CATCH;
GO
--! rows
--! 102
