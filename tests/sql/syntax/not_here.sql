-- Rules and defaults are named by error 40517 in every form.
CREATE DATABASE D
GO
USE D
GO
CREATE RULE r1 AS @x > 5
GO
--! error 40517 text CREATE RULE
CREATE DEFAULT d1 AS 5
GO
--! error 40517 text CREATE DEFAULT
EXEC sp_bindefault 'd1', 't.c'
GO
--! error 40517 text sp_bindefault
EXEC sp_bindrule 'r1', 't.c'
GO
--! error 40517 text sp_bindrule
DROP RULE r1
GO
--! error 40517 text DROP RULE
DROP DEFAULT d1
GO
--! error 40517 text DROP DEFAULT
