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

-- What it returns is @@ERROR as the text leaves it, which the documentation calls "nonzero (failure)".
DECLARE @a int, @b int, @c int, @d int
EXEC @a = sp_executesql N'SELECT 1 / 0'
EXEC @b = sp_executesql N'SELECT 1 / 0; SET @n = 1', N'@n int', 0
EXEC @c = sp_executesql N'RAISERROR (''no'', 16, 1)'
EXEC @d = sp_executesql N'BEGIN TRY SET @n = 1 / 0 END TRY BEGIN CATCH SET @n = 0 END CATCH', N'@n int', 0
SELECT @a, @b, @c, @d
GO
--! error 8134
--! error 8134
--! error 50000
--! rows
--! 8134 | 0 | 50000 | 0
DECLARE @n int = 1
EXEC sp_executesql N'SET @n = 2', N'@n int', @n OUTPUT
GO
--! error 8162 state 2
