-- DELETE of a table variable without a condition, as loops of RECEIVE … INTO end: all rows go, or as many as TOP and
-- SET ROWCOUNT allow, and the keys are free again.
DECLARE @t TABLE (a int PRIMARY KEY, b varchar(10));
INSERT @t VALUES (1, 'x'), (2, 'y'), (3, 'z'), (4, 'w');
DELETE TOP (1) FROM @t;
SELECT @@ROWCOUNT, COUNT(*) FROM @t;
DELETE TOP (50) PERCENT @t;
SELECT @@ROWCOUNT, COUNT(*) FROM @t;
SET ROWCOUNT 1;
DELETE @t;
SET ROWCOUNT 0;
SELECT COUNT(*) FROM @t;
INSERT @t VALUES (7, 'x'), (8, 'y');
DELETE FROM @t;
SELECT @@ROWCOUNT, COUNT(*) FROM @t;
INSERT @t VALUES (7, 'again');
SELECT * FROM @t;
DELETE @t OUTPUT deleted.b;
GO
--! rows
--! 1 | 3
--! rows
--! 2 | 1
--! rows
--! 0
--! rows
--! 2 | 0
--! rows
--! 7 | again
--! rows
--! again
-- A function's own table too, and a rollback does not bring the rows back.
CREATE FUNCTION dbo.Last (@n int) RETURNS @r TABLE (n int) AS
BEGIN
    WHILE @n > 0 BEGIN DELETE @r; INSERT @r VALUES (@n); SET @n -= 1; END
    RETURN
END
GO
SELECT n FROM dbo.Last(3);
DECLARE @t TABLE (a int);
INSERT @t VALUES (1);
BEGIN TRANSACTION;
DELETE @t;
ROLLBACK;
SELECT COUNT(*) FROM @t;
GO
--! rows
--! 1
--! rows
--! 0
