-- What is wrong with a query is said with the number and line that SQL Server gives.
CREATE TABLE dbo.A (Id int NOT NULL, Name nvarchar(10) NULL);
CREATE TABLE dbo.B (Id int NOT NULL, Note nvarchar(10) NULL);
GO
SELECT *
FROM dbo.Missing;
GO
--! error 208 line 2
SELECT Id,
    Nope
FROM dbo.A;
GO
--! error 207 line 2
SELECT Id FROM dbo.A, dbo.B;
GO
--! error 209
SELECT C.Id FROM dbo.A;
GO
--! error 4104
SELECT C.* FROM dbo.A;
GO
--! error 107
SELECT Name, COUNT(*) FROM dbo.A;
GO
--! error 8120
SELECT Name FROM dbo.A GROUP BY Name HAVING Id > 1;
GO
--! error 8121
SELECT Id FROM dbo.A WHERE COUNT(*) > 1;
GO
--! error 147
SELECT Id FROM dbo.A UNION SELECT Id, Note FROM dbo.B;
GO
--! error 205
SELECT Id FROM dbo.A WHERE Id IN (SELECT Id, Note FROM dbo.B);
GO
--! error 116
SELECT x.Id FROM (SELECT Id FROM dbo.A ORDER BY Id) AS x;
GO
--! error 1033
SELECT DISTINCT Name FROM dbo.A ORDER BY Id;
GO
--! error 145
SELECT Id FROM dbo.A ORDER BY 2;
GO
--! error 108 severity 16
SELECT Id FROM dbo.A UNION ALL SELECT 1 ORDER BY 0;
GO
--! error 108 severity 16
SELECT severity FROM sys.messages WHERE message_id = 108 AND language_id = 1033;
GO
--! rows
--! 15
SELECT x.a FROM (SELECT Id + 1 FROM dbo.A) AS x;
GO
--! error 8155
SELECT 1 FROM (SELECT Id, Id FROM dbo.A) AS x;
GO
--! error 8156
SELECT Id FROM dbo.A AS x JOIN dbo.B AS x ON 1 = 1;
GO
--! error 1011
SELECT ROW_NUMBER() OVER () FROM dbo.A;
GO
--! error 4112
SELECT Id FROM dbo.A WHERE ROW_NUMBER() OVER (ORDER BY Id) = 1;
GO
--! error 4108
SELECT Name COLLATE Latin1_General_BIN FROM dbo.A WHERE Name COLLATE Latin1_General_BIN = Name COLLATE Latin1_General_CS_AS;
GO
--! error 468
SELECT NoSuchFunction(Id) FROM dbo.A;
GO
--! error 195
SELECT dbo.NoSuchFunction(Id) FROM dbo.A;
GO
--! error 4121
SELECT SUM(Name) FROM dbo.A;
GO
--! error 8117
SELECT Id FROM @t;
GO
--! error 1087
-- Names of broker objects are binary: they do not meet a column of the default collation without a COLLATE clause.
CREATE TABLE named (name sysname)
INSERT named VALUES (N'service')
GO
SELECT COUNT(*) FROM sys.services AS s JOIN named AS n ON s.name = n.name
GO
--! error 468 line 1 text equal to
SELECT COUNT(*) FROM sys.services WHERE name IN (SELECT name FROM named)
GO
--! error 468 line 1
SELECT COUNT(*) FROM sys.services AS s JOIN named AS n ON s.name COLLATE DATABASE_DEFAULT = n.name
DECLARE @name sysname = N'SERVICE'
SELECT (SELECT COUNT(*) FROM named WHERE name = @name), (SELECT COUNT(*) FROM named WHERE name COLLATE Latin1_General_BIN = @name)
GO
--! rows
--! 0
--! rows
--! 1 | 0
