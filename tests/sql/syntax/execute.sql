-- EXECUTE, every form of its syntax, and the errors of wrong arguments.
CREATE DATABASE D
GO
USE D
GO
CREATE TABLE t (a int NOT NULL, b varchar(10), c int DEFAULT 9)
INSERT t VALUES (1, 'x', 3), (2, 'y', 4);
GO
CREATE PROC p @a int = 1, @b varchar(10) = 'd', @c int = NULL OUTPUT AS SELECT @a AS a, @b AS b; SET @c = 42; RETURN 5
GO
CREATE TYPE tt AS TABLE (a int)
GO
EXEC p
GO
--! rows
--! 1 | d
p
GO
--! rows
--! 1 | d
p 1, 'x'
GO
--! rows
--! 1 | x
EXECUTE D.dbo.p 1
GO
--! rows
--! 1 | d
EXEC D..p @b = 'z', @a = 3
GO
--! rows
--! 3 | z
DECLARE @r int, @o int; EXEC @r = p 1, DEFAULT, @o OUT; SELECT @r, @o
GO
--! rows
--! 1 | d
--! rows
--! 5 | 42
DECLARE @n sysname = 'dbo.p'; EXEC @n @a = -5, @b = abc
GO
--! rows
--! -5 | abc
EXEC p $5, 0x41
GO
--! rows
--! 5 | A
EXEC p @a = @@SPID
GO
--! rows
--! 51 | d
EXEC p WITH RECOMPILE
GO
--! rows
--! 1 | d
EXEC p WITH RESULT SETS NONE
GO
--! error 11535
EXEC p WITH RESULT SETS UNDEFINED
GO
--! rows
--! 1 | d
EXEC p WITH RESULT SETS ((x bigint NOT NULL, y nvarchar(20) COLLATE Latin1_General_CI_AS NULL))
GO
--! rows
--! 1 | d
EXEC p WITH RECOMPILE, RESULT SETS ((x int, y varchar(5)))
GO
--! rows
--! 1 | d
EXEC p WITH RESULT SETS (AS OBJECT dbo.t)
GO
--! error 11537
EXEC p WITH RESULT SETS (AS TYPE dbo.tt)
GO
--! error 11537
EXEC p WITH RESULT SETS (AS FOR XML)
GO
--! error 11537
EXEC p WITH RESULT SETS ((x int))
GO
--! error 11537
EXEC p WITH RESULT SETS ((x int, y int))
GO
--! error 245
EXEC p WITH RESULT SETS ((x int, y varchar(5)), (z int))
GO
--! rows
--! 1 | d
--! error 11536
EXEC ('SELECT 1; SELECT 2') WITH RESULT SETS ((x int), (y int))
GO
--! rows
--! 1
--! rows
--! 2
EXEC (N'SELECT 1') AS USER = 'dbo'
GO
--! rows
--! 1
EXEC ('SELECT ' + '1') AS LOGIN = 'sa'
GO
--! rows
--! 1
EXEC ('SELECT ?', 1) AT srv
GO
--! error 40517 text EXECUTE … AT linked server
EXEC ('SELECT 1') AT DATA_SOURCE ds
GO
--! error 40517 text EXECUTE … AT linked server
DECLARE @a varchar(10) = 'SELECT', @b varchar(10) = ' 3'; EXEC (@a + @b)
GO
--! rows
--! 3
EXEC srv.D.dbo.p
GO
--! error 7202
EXEC p 1, 2, 3, 4
GO
--! error 8144
EXEC p @z = 1
GO
--! error 8145
EXEC p @a = 1, 2
GO
--! error 119
EXEC p @a = 1, @a = 2
GO
--! error 8143
EXEC p 'abc'
GO
--! error 8114
EXEC p 1, 'x', 5 OUTPUT
GO
--! error 179
EXEC nope
GO
--! error 2812
EXEC sp_executesql N'SELECT @x', N'@x int', 5
GO
--! rows
--! 5
DECLARE @o int; EXEC sp_executesql @stmt = N'SET @y = @x + 1', @params = N'@x int, @y int OUTPUT', @x = 1, @y = @o
    OUTPUT; SELECT @o
GO
--! rows
--! 2
EXEC sp_executesql 'SELECT 1'
GO
--! error 214
EXEC sp_executesql N'SELECT @x', N'@x int'
GO
--! error 8178
