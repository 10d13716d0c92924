-- INSERT … VALUES: defaults, identity, column lists, and every error that a row can meet.
CREATE TABLE dbo.Item (
    Id int IDENTITY(10, 5) CONSTRAINT PK_Item PRIMARY KEY,
    Name varchar(10) NOT NULL CONSTRAINT DF_Item_Name DEFAULT 'none',
    Price decimal(9, 2) NULL CONSTRAINT CK_Item_Price CHECK (Price >= 0),
    Code char(3) NULL CONSTRAINT UQ_Item_Code UNIQUE,
    Twice AS Price * 2
);
GO
INSERT INTO dbo.Item (Name, Price, Code) VALUES ('one', 1.5, 'a'), ('two', 2, 'b');
GO
--! affected 2
INSERT dbo.Item VALUES ('three', 3, 'c');
SELECT SCOPE_IDENTITY() AS s, @@IDENTITY AS i, IDENT_CURRENT('dbo.Item') AS c;
GO
--! rows
--! 20 | 20 | 20
INSERT dbo.Item DEFAULT VALUES;
INSERT dbo.Item (Name, Price) VALUES (DEFAULT, DEFAULT);
GO
--! error 2627
SELECT Id, Name, Price, Code, Twice FROM dbo.Item ORDER BY Id;
GO
--! rows
--! 10 | one | 1.50 | a   | 3.00
--! 15 | two | 2.00 | b   | 4.00
--! 20 | three | 3.00 | c   | 6.00
--! 25 | none | NULL | NULL | NULL
INSERT dbo.Item (Name) VALUES ('a name too long');
GO
--! error 2628 severity 16
-- Trailing blanks beyond the length are cut off without an error.
INSERT dbo.Item (Name, Code) VALUES ('exactly 10          ', 'z');
SELECT DATALENGTH(Name) FROM dbo.Item WHERE Code = 'z';
GO
--! rows
--! 10
INSERT dbo.Item (Name) VALUES (NULL);
GO
--! error 515 severity 16 state 2
INSERT dbo.Item (Name, Price, Code) VALUES ('neg', -1, 'n');
GO
--! error 547 severity 16 text CK_Item_Price
-- 'A' equals 'a' in the default collation.
INSERT dbo.Item (Name, Code) VALUES ('dup', 'A');
GO
--! error 2627 severity 14 text UQ_Item_Code
INSERT dbo.Item (Name, Code) VALUES ('x', 'p'), ('y', 'P');
GO
--! error 2627
INSERT dbo.Item (Id, Name) VALUES (1, 'id');
GO
--! error 544
INSERT dbo.Item (Name, Twice) VALUES ('x', 1);
GO
--! error 271
INSERT dbo.Item (Name, Nme) VALUES ('x', 1);
GO
--! error 207
INSERT dbo.Item (Name, Name) VALUES ('x', 'y');
GO
--! error 264
INSERT dbo.Item (Name, Price) VALUES ('x');
GO
--! error 109
INSERT dbo.Item (Name) VALUES ('x', 1);
GO
--! error 110
INSERT dbo.Item VALUES ('x', 1);
GO
--! error 213
INSERT dbo.Item VALUES (1, 'x', 1, 'q');
GO
--! error 8101
INSERT dbo.Missing VALUES (1);
GO
--! error 208
INSERT dbo.Item (Name, Price) VALUES ('x', 'abc');
GO
--! error 8114
SET IDENTITY_INSERT dbo.Item ON;
INSERT dbo.Item (Id, Name, Code) VALUES (1000, 'given', 'gi');
INSERT dbo.Item (Name) VALUES ('not given');
GO
--! error 545
SET IDENTITY_INSERT dbo.Item OFF;
INSERT dbo.Item (Name, Code) VALUES ('next', 'ne');
SELECT Id FROM dbo.Item WHERE Code = 'ne';
GO
--! rows
--! 1005
CREATE TABLE dbo.Other (Id int IDENTITY, V int);
SET IDENTITY_INSERT dbo.Item ON;
SET IDENTITY_INSERT dbo.Other ON;
GO
--! error 8107
CREATE TABLE dbo.Plain (V int);
SET IDENTITY_INSERT dbo.Plain ON;
GO
--! error 8106
