-- READONLY is for table-valued parameters, and they cannot do without it.
CREATE TYPE dbo.Ids AS TABLE (Id int);
GO
CREATE PROCEDURE dbo.A @a int, @b xml READONLY AS RETURN;
GO
--! error 346 text @b
CREATE PROCEDURE dbo.A @a dbo.Ids AS RETURN;
GO
--! error 352
EXEC sp_executesql N'SELECT @a', N'@a int READONLY', @a = 1;
GO
--! error 346
CREATE PROCEDURE dbo.A @a dbo.Ids READONLY AS SELECT COUNT(*) FROM @a;
GO
EXEC dbo.A;
GO
--! rows
--! 0
