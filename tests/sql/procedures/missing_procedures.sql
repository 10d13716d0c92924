-- CREATE and ALTER of a module say 2007 once for each procedure that it calls and that is not there; the module is made all the same.
CREATE TABLE dbo.orders (a int);
CREATE SYNONYM dbo.other_name FOR dbo.notyet;
CREATE SYNONYM dbo.who FOR sys.sp_who;
GO
CREATE SCHEMA shop;
GO
CREATE PROCEDURE shop.own AS RETURN 0;
GO
CREATE PROCEDURE dbo.there AS RETURN 0;
GO
-- However the call is written, where it stands, and once only; a name of one part is one of the module's schema or dbo.
CREATE PROCEDURE shop.calls AS
EXEC dbo.first 1;
DECLARE @r int;
IF 1 = 1 EXEC @r = [dbo].[First] WITH RECOMPILE;
WHILE 1 = 0 BEGIN EXECUTE second; EXEC own; EXEC there; EXEC dbo.own; END
INSERT dbo.orders EXEC dbo.third;
BEGIN TRY EXEC fourth END TRY BEGIN CATCH EXEC fifth END CATCH;
EXEC master.dbo.sixth;
EXEC nosuchdatabase.dbo.seventh;
EXEC sp_eighth;
GO
--! print The module 'calls' depends on the missing object 'dbo.first'
--! print The module 'calls' depends on the missing object 'second'
--! print The module 'calls' depends on the missing object 'dbo.own'
--! print The module 'calls' depends on the missing object 'dbo.third'
--! print The module 'calls' depends on the missing object 'fourth'
--! print The module 'calls' depends on the missing object 'fifth'
--! print The module 'calls' depends on the missing object 'master.dbo.sixth'
--! print The module 'calls' depends on the missing object 'nosuchdatabase.dbo.seventh'
--! print The module 'calls' depends on the missing object 'sp_eighth'
-- What is found only when the module runs, what is there, and what is no procedure: nothing is said.
CREATE PROCEDURE dbo.silent AS
DECLARE @name sysname = N'dbo.nothing';
EXEC @name;
EXEC (N'EXEC dbo.nothing');
EXEC sp_executesql N'EXEC dbo.nothing';
EXEC #nothing;
EXEC server.database_of_it.dbo.nothing;
EXEC dbo.other_name;
EXEC dbo.who;
EXEC dbo.orders;
EXEC sys.sp_who;
EXEC master..sp_who2;
EXEC xp_msver;
EXEC dbo.there;
SELECT a FROM dbo.nothing WHERE a = dbo.nothing(1);
GO
EXEC dbo.first;
GO
--! error 2812
-- Each way to make a module.
CREATE PROCEDURE dbo.itself AS EXEC dbo.itself;
GO
--! print The module 'itself' depends on the missing object 'dbo.itself'
ALTER PROCEDURE dbo.itself AS EXEC dbo.itself; EXEC dbo.missing;
GO
--! print The module 'itself' depends on the missing object 'dbo.missing'
CREATE OR ALTER PROCEDURE dbo.itself AS EXEC dbo.missing;
GO
--! print The module 'itself' depends on the missing object 'dbo.missing'
CREATE TRIGGER dbo.watches ON dbo.orders AFTER INSERT AS EXEC dbo.missing;
GO
--! print The module 'watches' depends on the missing object 'dbo.missing'
ALTER TRIGGER dbo.watches ON dbo.orders AFTER INSERT AS EXEC dbo.missing;
GO
--! print The module 'watches' depends on the missing object 'dbo.missing'
CREATE TRIGGER guards ON DATABASE FOR CREATE_TABLE AS EXEC dbo.missing;
GO
--! print The module 'guards' depends on the missing object 'dbo.missing'
CREATE TRIGGER welcomes ON ALL SERVER FOR LOGON AS EXEC dbo.missing;
GO
--! print The module 'welcomes' depends on the missing object 'dbo.missing'
DROP TRIGGER welcomes ON ALL SERVER;
EXEC ('CREATE PROCEDURE dbo.nested AS EXEC dbo.missing');
GO
--! print The module 'nested' depends on the missing object 'dbo.missing'
-- A module that is refused says nothing; one that is made is there.
CREATE PROCEDURE dbo.nested AS EXEC dbo.missing;
GO
--! error 2714
CREATE PROCEDURE dbo.refused AS EXEC dbo.missing; SELECT @nothing;
GO
--! error 137
SELECT name FROM sys.procedures ORDER BY name;
GO
--! rows
--! calls
--! itself
--! nested
--! own
--! silent
--! there
