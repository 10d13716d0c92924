-- OUTPUT to a table and to the client, all columns of a source, MERGE from a join, and parts of large values.
CREATE TABLE dbo.Stock (Id int, Amount int);
CREATE TABLE dbo.Log (Id int);
CREATE TABLE dbo.Orders (Id int, Item int); CREATE TABLE dbo.Lines (OrderId int, Amount int);
INSERT dbo.Stock VALUES (1, 10), (2, 20);
INSERT dbo.Orders VALUES (100, 1), (101, 3); INSERT dbo.Lines VALUES (100, 5), (101, 7);
GO
UPDATE dbo.Stock SET Amount += 1 OUTPUT inserted.Id INTO dbo.Log OUTPUT deleted.Amount AS Was, inserted.Amount WHERE Id = 2;
INSERT dbo.Stock OUTPUT inserted.Id INTO dbo.Log (Id) OUTPUT inserted.* VALUES (7, 70);
DELETE dbo.Stock OUTPUT deleted.Id INTO dbo.Log OUTPUT deleted.Id WHERE Id = 7;
SELECT Id FROM dbo.Log;
GO
--! rows
--! columns Was | Amount
--! 20 | 21
--! rows
--! 7 | 70
--! rows
--! 7
--! rows
--! 2
--! 7
--! 7
UPDATE s SET Amount = l.Amount OUTPUT o.*, l.Amount, deleted.Amount
FROM dbo.Stock AS s JOIN dbo.Orders AS o ON o.Item = s.Id JOIN dbo.Lines AS l ON l.OrderId = o.Id;
GO
--! rows
--! columns Id | Item | Amount | Amount
--! 100 | 1 | 5 | 10
UPDATE dbo.Stock SET Amount = 0 OUTPUT x.*;
GO
--! error 107
MERGE dbo.Stock AS t
USING dbo.Orders AS o JOIN dbo.Lines AS l ON l.OrderId = o.Id ON t.Id = o.Item
WHEN MATCHED THEN UPDATE SET Amount = t.Amount + l.Amount
WHEN NOT MATCHED THEN INSERT VALUES (o.Item, l.Amount)
WHEN NOT MATCHED BY SOURCE THEN DELETE
OUTPUT $action, inserted.*, deleted.Id, l.*;
SELECT Id, Amount FROM dbo.Stock ORDER BY Id;
GO
--! rows unordered
--! UPDATE | 1 | 10 | 1 | 100 | 5
--! INSERT | 3 | 7 | NULL | 101 | 7
--! DELETE | NULL | NULL | 2 | NULL | NULL
--! rows
--! 1 | 10
--! 3 | 7
-- .WRITE: the offset counts from 0
CREATE TABLE dbo.Documents (Id int, Body nvarchar(max), Raw varbinary(max), Short varchar(10));
INSERT dbo.Documents VALUES (1, N'abcdef', 0x010203, 'x'), (2, NULL, NULL, NULL);
UPDATE dbo.Documents SET Body.WRITE(N'XY', 2, 1) OUTPUT inserted.Body WHERE Id = 1;
UPDATE dbo.Documents SET Body.WRITE(N'!', NULL, 3), Raw.WRITE(0xFF, 1, NULL) WHERE Id = 1;
SELECT Body, Raw FROM dbo.Documents WHERE Id = 1;
UPDATE dbo.Documents SET Body.WRITE(NULL, 4, 1) WHERE Id = 1;
UPDATE dbo.Documents SET Body.WRITE(N'', 0, 100) OUTPUT deleted.Body, inserted.Body WHERE Id = 1;
GO
--! rows
--! abXYdef
--! rows
--! abXYdef! | 0x01FF
--! rows
--! abXY | 
UPDATE dbo.Documents SET Raw.WRITE(0x01, 3, 1) WHERE Id = 1;
UPDATE dbo.Documents SET Raw.WRITE(0x01, 0, -1) WHERE Id = 1;
UPDATE dbo.Documents SET Raw.WRITE(0x01, NULL, 0) WHERE Id = 2;
GO
--! error 7116
--! error 7135
--! error 7133
UPDATE dbo.Documents SET Short.WRITE('y', 0, 1);
GO
--! error 258
DECLARE @n int = 0;
UPDATE dbo.Documents SET @n = @n + Id, Raw.WRITE(CAST(@n AS varbinary(4)), 0, @n) WHERE Id = 1;
SELECT @n, Raw FROM dbo.Documents WHERE Id = 1;
GO
--! rows
--! 1 | 0x00000001FF
