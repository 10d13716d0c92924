-- Views, functions, table variables and system views as row sources.
CREATE TABLE dbo.Item (Id int NOT NULL PRIMARY KEY, Kind varchar(10) NOT NULL, Price money NOT NULL);
INSERT INTO dbo.Item VALUES (1, 'pen', 1.5), (2, 'ink', 4), (3, 'pen', 2);
GO
CREATE VIEW dbo.Pens (Number, Cost) AS SELECT Id, Price FROM dbo.Item WHERE Kind = 'PEN';
GO
CREATE FUNCTION dbo.Cheaper (@limit money) RETURNS TABLE AS RETURN (SELECT Id, Price FROM dbo.Item WHERE Price < @limit);
GO
CREATE FUNCTION dbo.Upto (@n int) RETURNS @r TABLE (i int) AS
BEGIN
    DECLARE @i int = 1;
    WHILE @i <= @n BEGIN INSERT INTO @r VALUES (@i); SET @i += 1; END
    RETURN;
END
GO
CREATE FUNCTION dbo.Doubled (@n int) RETURNS int AS BEGIN RETURN @n * 2; END
GO
CREATE FUNCTION dbo.KindOf (@id int) RETURNS varchar(10) AS BEGIN RETURN (SELECT Kind FROM dbo.Item WHERE Id = @id); END
GO
SELECT Number, Cost FROM dbo.Pens ORDER BY Number;
SELECT Id FROM dbo.Cheaper(2.5) ORDER BY Id;
SELECT i.Id, c.Id FROM dbo.Item AS i CROSS APPLY dbo.Cheaper(i.Price) AS c WHERE i.Kind = 'ink' ORDER BY c.Id;
SELECT SUM(i) FROM dbo.Upto(4);
SELECT Id, dbo.Doubled(Id), dbo.KindOf(Id) FROM dbo.Item ORDER BY Id;
SELECT dbo.Doubled(21) AS answer;
GO
--! rows
--! 1 | 1.5000
--! 3 | 2.0000
--! rows
--! 1
--! 3
--! rows
--! 2 | 1
--! 2 | 3
--! rows
--! 10
--! rows
--! 1 | 2 | pen
--! 2 | 4 | ink
--! 3 | 6 | pen
--! rows
--! 42
DECLARE @t TABLE (Id int NOT NULL, Mark varchar(5) NULL);
INSERT INTO @t VALUES (1, 'x'), (2, NULL);
SELECT t.Id, i.Kind FROM @t AS t JOIN dbo.Item AS i ON i.Id = t.Id WHERE t.Mark = 'X';
UPDATE @t SET Mark = 'y' WHERE Id = 2;
SELECT Mark FROM @t ORDER BY Id;
SELECT COUNT(*) FROM @t;
GO
--! rows
--! 1 | pen
--! rows
--! x
--! y
--! rows
--! 2
SELECT name FROM sys.databases WHERE database_id <= 4 ORDER BY database_id;
SELECT COUNT(*) FROM sys.tables WHERE name = 'item';
SELECT s.value FROM STRING_SPLIT('a,b', ',') AS s;
SELECT value FROM GENERATE_SERIES(1, 5, 2);
SELECT [key], value FROM OPENJSON('{"a":1,"b":"x"}');
SELECT a, b FROM OPENJSON('[{"a":1,"b":{"c":"x"}},{"a":2}]') WITH (a int, b varchar(5) '$.b.c');
SELECT Id FROM dbo.Item WITH (NOLOCK) WHERE Id = 1 OPTION (RECOMPILE);
GO
--! rows
--! master
--! tempdb
--! model
--! msdb
--! rows
--! 1
--! rows
--! a
--! b
--! rows
--! 1
--! 3
--! 5
--! rows
--! a | 1
--! b | x
--! rows
--! 1 | x
--! 2 | NULL
--! rows
--! 1
