-- A function runs in its own database, wherever it is called and however often: what it asks of the catalog is asked there.
CREATE DATABASE other; CREATE DATABASE here;
GO
USE here;
GO
CREATE TABLE dbo.t1 (a varchar(10));
CREATE TABLE dbo.named (t sysname, c sysname);
INSERT dbo.named VALUES ('t1', 'a');
GO
USE other;
GO
CREATE TABLE dbo.t1 (a varchar(99));
GO
CREATE FUNCTION dbo.length_of(@t sysname, @c sysname) RETURNS int AS BEGIN RETURN COL_LENGTH(@t, @c) END;
GO
CREATE FUNCTION dbo.here() RETURNS sysname AS BEGIN RETURN DB_NAME() END;
GO
CREATE FUNCTION dbo.twice(@n int) RETURNS int AS BEGIN RETURN @n * 2 END;
GO
USE here;
GO
SELECT other.dbo.length_of(t, c), other.dbo.here(), other.dbo.twice(LEN(t)) FROM dbo.named;
DECLARE @n int = other.dbo.length_of('t1', 'a'); SELECT @n;
GO
--! rows
--! 99 | other | 4
--! rows
--! 99
