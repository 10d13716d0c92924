-- Errors in procedures, functions and triggers: where they are said to be, and what goes on after them.
CREATE DATABASE d;
GO
USE d;
GO
CREATE TABLE dbo.t (a int);
CREATE TABLE dbo.u (a int);
INSERT dbo.t VALUES (0), (1);
GO
CREATE FUNCTION dbo.reciprocal (@n int) RETURNS int AS
BEGIN
    DECLARE @r int;
    SET @r = 100 / @n;
    RETURN @r;
END;
GO
-- An error in a function ends the function and the statement that calls it, and nothing else.
SELECT dbo.reciprocal(0);
PRINT 'on';
GO
--! error 8134 line 4
--! print on
DECLARE @x int = 5;
SET @x = dbo.reciprocal(0);
SELECT @x;
GO
--! error 8134 line 4
--! rows
--! 5
SELECT a FROM dbo.t WHERE dbo.reciprocal(a) > 0;
PRINT 'on';
GO
--! error 8134 line 4
--! print on
BEGIN TRY
    SELECT dbo.reciprocal(0);
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER(), ERROR_PROCEDURE(), ERROR_LINE();
END CATCH;
GO
--! rows
--! 8134 | reciprocal | 4
CREATE FUNCTION dbo.many (@n int) RETURNS @r TABLE (a int) AS
BEGIN
    INSERT @r VALUES (1 / @n);
    RETURN;
END;
GO
SELECT * FROM dbo.many(0);
GO
--! error 8134 line 3
-- What a function returns is of the type that it declares.
CREATE FUNCTION dbo.text_of (@n int) RETURNS varchar(2) AS
BEGIN
    RETURN @n * 1000;
END;
GO
CREATE FUNCTION dbo.number_of (@s varchar(10)) RETURNS int AS
BEGIN
    RETURN @s;
END;
GO
SELECT dbo.number_of('12') + 1;
GO
--! rows
--! 13
SELECT dbo.number_of('twelve');
GO
--! error 245 line 3
-- Functions may call themselves, 32 deep.
CREATE FUNCTION dbo.factorial (@n int) RETURNS int AS
BEGIN
    IF @n <= 1 RETURN 1;
    RETURN @n * dbo.factorial(@n - 1);
END;
GO
SELECT dbo.factorial(10), dbo.factorial(a) FROM dbo.t WHERE a = 1;
GO
--! rows
--! 3628800 | 1
SELECT dbo.factorial(40);
PRINT 'not reached';
GO
--! error 217
SELECT dbo.factorial(5);
GO
--! rows
--! 120
-- Procedures as well; the transaction stays.
CREATE PROCEDURE dbo.deeper @n int AS
BEGIN
    SET @n += 1;
    EXEC dbo.deeper @n;
END;
GO
BEGIN TRANSACTION;
INSERT dbo.u VALUES (1);
EXEC dbo.deeper 1;
GO
--! error 217
SELECT @@TRANCOUNT, @@NESTLEVEL, COUNT(*) FROM dbo.u;
ROLLBACK;
GO
--! rows
--! 1 | 0 | 1
CREATE PROCEDURE dbo.deeper_by_text AS EXEC sp_executesql N'EXEC dbo.deeper_by_text';
GO
EXEC dbo.deeper_by_text;
GO
--! error 217
CREATE VIEW dbo.v AS SELECT 1 AS a;
GO
ALTER VIEW dbo.v AS SELECT a FROM dbo.v;
GO
SELECT * FROM dbo.v;
GO
--! error 4431
-- Triggers that fire each other end in 217 and undo everything; a trigger does not fire itself.
CREATE TRIGGER dbo.t_insert ON dbo.t AFTER INSERT AS INSERT dbo.u VALUES (1);
GO
CREATE TRIGGER dbo.u_insert ON dbo.u AFTER INSERT AS INSERT dbo.t VALUES (1);
GO
INSERT dbo.t VALUES (2);
PRINT 'not reached';
GO
--! error 217
SELECT (SELECT COUNT(*) FROM dbo.t), (SELECT COUNT(*) FROM dbo.u), @@TRANCOUNT;
GO
--! rows
--! 2 | 0 | 0
DROP TRIGGER dbo.u_insert;
GO
ALTER TRIGGER dbo.t_insert ON dbo.t AFTER INSERT AS INSERT dbo.t SELECT a + 10 FROM inserted;
GO
INSERT dbo.t VALUES (3);
SELECT a FROM dbo.t WHERE a > 1 ORDER BY a;
GO
--! rows
--! 3
--! 13
-- An error in a trigger ends the batch and the transaction.
ALTER TRIGGER dbo.t_insert ON dbo.t AFTER INSERT AS
DECLARE @x int = 1 / (SELECT MIN(a) - 99 FROM inserted);
GO
BEGIN TRANSACTION;
INSERT dbo.t VALUES (98);
INSERT dbo.t VALUES (99);
PRINT 'not reached';
GO
--! error 8134 line 3
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.t WHERE a > 90;
GO
--! rows
--! 0 | 0
-- A procedure that leaves with another transaction count.
CREATE PROCEDURE dbo.opens AS BEGIN TRANSACTION;
GO
EXEC dbo.opens;
PRINT 'goes on';
GO
--! error 266
--! print goes on
SELECT @@TRANCOUNT;
ROLLBACK;
ROLLBACK;
COMMIT;
PRINT 'goes on';
GO
--! rows
--! 1
--! error 3903 line 3
--! error 3902 line 4
--! print goes on
