-- Functions that run for each row of a query: with arguments from the row, and over rows that only this transaction sees.
CREATE TABLE dbo.T (X int);
INSERT dbo.T VALUES (0), (1), (2);
GO
CREATE FUNCTION dbo.Numbers (@n int) RETURNS @r TABLE (A int, B varchar(5)) AS
BEGIN
    DECLARE @i int = 0;
    WHILE @i < @n BEGIN INSERT @r VALUES (@i, CONCAT('of ', @n)); SET @i += 1; END
    RETURN;
END
GO
CREATE FUNCTION dbo.UpTo (@x int) RETURNS int AS BEGIN RETURN (SELECT COUNT(*) FROM dbo.T WHERE X <= @x); END
GO
CREATE FUNCTION dbo.UpToAsTable (@x int) RETURNS @r TABLE (N int) AS
BEGIN INSERT @r SELECT COUNT(*) FROM dbo.T WHERE X <= @x; RETURN; END
GO
SELECT t.X, f.A, f.B FROM dbo.T AS t CROSS APPLY dbo.Numbers(t.X) AS f ORDER BY t.X, f.A;
SELECT t.X, f.Number FROM dbo.T AS t OUTER APPLY dbo.Numbers(t.X) AS f (Number, Text) ORDER BY t.X, f.Number;
SELECT X, (SELECT SUM(A) FROM dbo.Numbers(t.X)) FROM dbo.T AS t ORDER BY X;
SELECT X FROM dbo.T AS t WHERE EXISTS (SELECT * FROM dbo.Numbers(t.X) AS f WHERE f.A = 1);
GO
--! rows
--! 1 | 0 | of 1
--! 2 | 0 | of 2
--! 2 | 1 | of 2
--! rows
--! 0 | NULL
--! 1 | 0
--! 2 | 0
--! 2 | 1
--! rows
--! 0 | NULL
--! 1 | 0
--! 2 | 1
--! rows
--! 2
SELECT * FROM dbo.T AS t CROSS APPLY dbo.Numbers(t.X) AS f (OnlyOne);
GO
--! error 8158
BEGIN TRAN;
INSERT dbo.T VALUES (5);
SELECT X, dbo.UpTo(X), n.N FROM dbo.T CROSS APPLY dbo.UpToAsTable(X) AS n ORDER BY X;
UPDATE dbo.T SET X = 10 WHERE X = 0;
DELETE dbo.T WHERE X = 1;
SELECT X, dbo.UpTo(X) FROM dbo.T ORDER BY X;
TRUNCATE TABLE dbo.T;
INSERT dbo.T VALUES (7);
SELECT X, dbo.UpTo(X) FROM dbo.T;
ROLLBACK;
SELECT X, dbo.UpTo(X) FROM dbo.T ORDER BY X;
GO
--! rows
--! 0 | 1 | 1
--! 1 | 2 | 2
--! 2 | 3 | 3
--! 5 | 4 | 4
--! rows
--! 2 | 1
--! 5 | 2
--! 10 | 3
--! rows
--! 7 | 1
--! rows
--! 0 | 1
--! 1 | 2
--! 2 | 3
-- Each call has a table of its own: identity, keys and defaults begin anew, and what a default means may change between.
CREATE FUNCTION dbo.Own (@x int) RETURNS @r TABLE (Id int IDENTITY(5, 2), A int PRIMARY KEY CHECK (A < 9), B int DEFAULT 7) AS
BEGIN INSERT @r (A) VALUES (@x), (@x + 1); INSERT @r (A, B) VALUES (@x + 2, NULL); DELETE @r WHERE A = 1; RETURN; END
GO
SELECT t.X, f.* FROM dbo.T AS t CROSS APPLY dbo.Own(t.X) AS f ORDER BY t.X, f.Id;
SELECT * FROM dbo.Own(8);
GO
--! rows
--! 0 | 5 | 0 | 7
--! 0 | 9 | 2 | NULL
--! 1 | 7 | 2 | 7
--! 1 | 9 | 3 | NULL
--! 2 | 5 | 2 | 7
--! 2 | 7 | 3 | 7
--! 2 | 9 | 4 | NULL
--! error 547
-- A function goes by the settings of its caller, whatever they are for this call, and leaves them alone.
CREATE FUNCTION dbo.Sum3 (@x int) RETURNS @r TABLE (N nvarchar(20), Level int) AS
BEGIN INSERT @r SELECT N'a' + CAST(NULLIF(@x, 1) AS nvarchar(5)), @@NESTLEVEL; RETURN; END
GO
SELECT t.X, f.N, f.Level FROM dbo.T AS t CROSS APPLY dbo.Sum3(t.X) AS f ORDER BY t.X;
SET CONCAT_NULL_YIELDS_NULL OFF;
SELECT t.X, f.N FROM dbo.T AS t CROSS APPLY dbo.Sum3(t.X) AS f ORDER BY t.X;
SET CONCAT_NULL_YIELDS_NULL ON;
SELECT f.N, @@NESTLEVEL, SESSIONPROPERTY('CONCAT_NULL_YIELDS_NULL') FROM dbo.Sum3(1) AS f;
GO
--! rows
--! 0 | a0 | 1
--! 1 | NULL | 1
--! 2 | a2 | 1
--! rows
--! 0 | a0
--! 1 | a
--! 2 | a2
--! rows
--! NULL | 0 | 1
