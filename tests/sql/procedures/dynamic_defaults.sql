-- The parameter list of sp_executesql is that of a procedure: a parameter may have a default.
EXEC sp_executesql N'SELECT @a AS a, @b AS b, @c AS c', N'@a int = 5, @b varchar(10) = ''q'', @c decimal(5, 2) = -1.255'
EXEC sp_executesql N'SELECT @a AS a, @b AS b, @c AS c', N'@a int = 5, @b varchar(10) = ''q'', @c decimal(5, 2) = NULL', 6
EXEC sp_executesql N'SELECT @a AS a, @b AS b', N'@a int = 5, @b varchar(2) = ''long''', @b = 'given'
EXEC sp_executesql N'SELECT @a AS a, @b AS b', N'@a int = 5, @b int', DEFAULT, 7
GO
--! rows
--! 5 | q | -1.26
--! rows
--! 6 | q | NULL
--! rows
--! 5 | gi
--! rows
--! 5 | 7
DECLARE @out int = 1
EXEC sp_executesql N'SET @n += 1', N'@n int = 41 OUTPUT', @out OUTPUT
SELECT @out
EXEC sp_executesql N'SET @n += 1; SELECT @n', N'@n int = 41 OUTPUT'
GO
--! rows
--! 2
--! rows
--! 42
-- One without is still asked for, and there may not be more values than parameters.
EXEC sp_executesql N'SELECT @a, @b', N'@a int = 5, @b int'
GO
--! error 8178
EXEC sp_executesql N'SELECT @a', N'@a int = 5', 1, 2
GO
--! error 8144
