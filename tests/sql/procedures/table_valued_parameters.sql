-- Table-valued parameters: read-only, empty when not given (the page "Use table-valued parameters").
CREATE DATABASE Tvp;
GO
USE Tvp;
CREATE TYPE dbo.IdList AS TABLE (Id int PRIMARY KEY, Note varchar(10) NULL);
GO
CREATE PROCEDURE dbo.SumOf @ids dbo.IdList READONLY, @factor int = 1, @total int OUTPUT AS
BEGIN
    SELECT @total = ISNULL(SUM(Id), 0) * @factor FROM @ids;
    RETURN (SELECT COUNT(*) FROM @ids);
END;
GO
DECLARE @list dbo.IdList, @sum int, @count int;
INSERT INTO @list VALUES (1, 'one'), (2, NULL), (4, 'four');
EXEC @count = dbo.SumOf @list, @factor = 10, @total = @sum OUTPUT;
SELECT @count, @sum;
EXEC @count = dbo.SumOf @total = @sum OUTPUT;
SELECT @count, @sum;
GO
--! rows
--! 3 | 70
--! rows
--! 0 | 0
CREATE PROCEDURE dbo.Writes @ids dbo.IdList READONLY AS DELETE FROM @ids;
GO
--! error 10700
CREATE PROCEDURE dbo.NotReadonly @ids dbo.IdList AS SELECT 1;
GO
--! error 352
DECLARE @sum int;
EXEC dbo.SumOf 5, @total = @sum OUTPUT;
GO
--! error 206
