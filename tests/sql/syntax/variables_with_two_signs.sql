-- Two signs at the beginning are no reason against a variable: only those that the system has are its own.
DECLARE @@n int = 1;
SET @@n += 1;
SELECT @@n AS n, @@TRANCOUNT AS t;
GO
--! rows
--! 2 | 0
CREATE PROCEDURE twice @@a int, @b int OUTPUT AS SET @b = @@a * 2;
GO
DECLARE @@r int;
EXEC twice @@a = 4, @b = @@r OUTPUT;
PRINT @@r;
EXEC sp_executesql N'PRINT @@p', N'@@p int', @@p = 3;
GO
--! print 8
--! print 3
DECLARE @@t TABLE (a int);
INSERT @@t VALUES (1), (2);
SELECT SUM(a) FROM @@t WHERE a < @@MAX_PRECISION;
GO
--! rows
--! 3
-- What nobody has declared, and what the system has, are none.
SELECT @@rowcont;
GO
--! error 137
DECLARE @@rowcount int;
GO
--! error 102
