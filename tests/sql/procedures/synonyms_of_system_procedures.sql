-- A synonym may stand for a system procedure, in EXECUTE too.
CREATE DATABASE D
GO
USE D
GO
CREATE PROCEDURE mine AS SELECT 'mine'
GO
CREATE SYNONYM run_text FOR master.sys.sp_executesql
CREATE SYNONYM shown FOR sys.sp_helptext
CREATE SYNONYM pkeys FOR sp_pkeys
CREATE SYNONYM own FOR dbo.mine
CREATE SYNONYM nothing FOR dbo.sp_nothing
CREATE SYNONYM twice FOR own
CREATE TABLE t (a int CONSTRAINT pk PRIMARY KEY)
GO
EXEC run_text N'SELECT @a + 1', N'@a int', 5
EXEC dbo.own
EXEC pkeys 't'
GO
--! rows
--! 6
--! rows
--! mine
--! rows
--! D | dbo | t | a | 1 | pk
EXEC shown 'mine'
GO
--! rows
--! CREATE PROCEDURE mine AS SELECT 'mine'
USE master
GO
EXEC D.dbo.pkeys 't'
GO
--! rows
--! D | dbo | t | a | 1 | pk
EXEC D.dbo.nothing
GO
--! error 2812 text It is a synonym of [dbo].[sp_nothing]
USE D
GO
EXEC nothing
GO
--! error 2812 text It is a synonym of [dbo].[sp_nothing]
EXEC twice
GO
--! error 2812
