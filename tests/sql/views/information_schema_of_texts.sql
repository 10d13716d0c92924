-- INFORMATION_SCHEMA: what is told of views, functions, alias types and the keys that foreign keys refer to.
CREATE DATABASE Store;
GO
USE Store;
GO
CREATE TYPE dbo.Code FROM nvarchar(20) NOT NULL;
CREATE TABLE dbo.Item (Id int CONSTRAINT PK_Item PRIMARY KEY, Number int CONSTRAINT UQ_Item UNIQUE, Name dbo.Code,
    Price decimal(9, 2) CONSTRAINT CK_Price CHECK (Price > 0), Low int, High int, CONSTRAINT CK_Range CHECK (Low < High));
CREATE TABLE dbo.Line (Item int CONSTRAINT FK_Number REFERENCES dbo.Item (Number), Other int CONSTRAINT FK_Id REFERENCES dbo.Item (Id));
GO
CREATE VIEW dbo.Priced AS SELECT i.Name, l.Other FROM dbo.Item AS i JOIN dbo.Line AS l ON l.Item = i.Number WHERE i.Price > 1;
GO
CREATE VIEW dbo.Cheap AS SELECT Id, Price FROM dbo.Item WHERE Price < 5 WITH CHECK OPTION;
GO
CREATE FUNCTION dbo.Named (@Name dbo.Code) RETURNS TABLE AS RETURN SELECT Id, Name FROM dbo.Item WHERE Name = @Name;
GO
CREATE FUNCTION dbo.Pairs (@n int) RETURNS @r TABLE (k int NOT NULL, t varchar(5), d datetime2(3)) AS BEGIN RETURN END;
GO
CREATE FUNCTION dbo.Twice (@n decimal(5, 1)) RETURNS varchar(30) WITH SCHEMABINDING AS BEGIN RETURN CONCAT(@n, @n) END;
GO
CREATE PROCEDURE dbo.Show AS SELECT 1;
GO
SELECT * FROM INFORMATION_SCHEMA.VIEW_TABLE_USAGE;
SELECT VIEW_NAME, TABLE_NAME, COLUMN_NAME FROM INFORMATION_SCHEMA.VIEW_COLUMN_USAGE;
SELECT TABLE_NAME, CHECK_OPTION FROM INFORMATION_SCHEMA.VIEWS;
GO
--! rows unordered
--! columns VIEW_CATALOG | VIEW_SCHEMA | VIEW_NAME | TABLE_CATALOG | TABLE_SCHEMA | TABLE_NAME
--! Store | dbo | Priced | Store | dbo | Item
--! Store | dbo | Priced | Store | dbo | Line
--! Store | dbo | Cheap | Store | dbo | Item
--! rows unordered
--! Priced | Item | Number
--! Priced | Item | Name
--! Priced | Item | Price
--! Priced | Line | Item
--! Priced | Line | Other
--! Cheap | Item | Id
--! Cheap | Item | Price
--! rows unordered
--! Priced | NONE
--! Cheap | CASCADE
SELECT * FROM INFORMATION_SCHEMA.COLUMN_DOMAIN_USAGE;
SELECT * FROM INFORMATION_SCHEMA.DOMAIN_CONSTRAINTS;
SELECT COLUMN_NAME, DATA_TYPE, DOMAIN_CATALOG, DOMAIN_SCHEMA, DOMAIN_NAME FROM INFORMATION_SCHEMA.COLUMNS
WHERE TABLE_NAME = 'Item' AND COLUMN_NAME IN ('Name', 'Low') ORDER BY COLUMN_NAME;
SELECT SPECIFIC_NAME, ORDINAL_POSITION, PARAMETER_MODE, IS_RESULT, PARAMETER_NAME, DATA_TYPE, USER_DEFINED_TYPE_SCHEMA, USER_DEFINED_TYPE_NAME
FROM INFORMATION_SCHEMA.PARAMETERS ORDER BY SPECIFIC_NAME, ORDINAL_POSITION;
GO
--! rows
--! columns DOMAIN_CATALOG | DOMAIN_SCHEMA | DOMAIN_NAME | TABLE_CATALOG | TABLE_SCHEMA | TABLE_NAME | COLUMN_NAME
--! Store | dbo | Code | Store | dbo | Item | Name
--! rows
--! columns CONSTRAINT_CATALOG | CONSTRAINT_SCHEMA | CONSTRAINT_NAME | DOMAIN_CATALOG | DOMAIN_SCHEMA | DOMAIN_NAME | IS_DEFERRABLE | INITIALLY_DEFERRED
--! rows
--! Low | int | NULL | NULL | NULL
--! Name | nvarchar | Store | dbo | Code
--! rows
--! Named | 1 | IN | NO | @Name | nvarchar | dbo | Code
--! Pairs | 1 | IN | NO | @n | int | NULL | NULL
--! Twice | 0 | OUT | YES |  | varchar | NULL | NULL
--! Twice | 1 | IN | NO | @n | decimal | NULL | NULL
SELECT TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION, IS_NULLABLE, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, CHARACTER_OCTET_LENGTH, NUMERIC_PRECISION, DATETIME_PRECISION
FROM INFORMATION_SCHEMA.ROUTINE_COLUMNS ORDER BY TABLE_NAME, ORDINAL_POSITION;
SELECT ROUTINE_NAME, ROUTINE_TYPE, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, IS_DETERMINISTIC, IS_NULL_CALL, SCHEMA_LEVEL_ROUTINE, MAX_DYNAMIC_RESULT_SETS
FROM INFORMATION_SCHEMA.ROUTINES ORDER BY ROUTINE_NAME;
GO
--! rows
--! Named | Id | 1 | NO | int | NULL | NULL | 10 | NULL
--! Named | Name | 2 | NO | nvarchar | 20 | 40 | NULL | NULL
--! Pairs | k | 1 | NO | int | NULL | NULL | 10 | NULL
--! Pairs | t | 2 | YES | varchar | 5 | 5 | NULL | NULL
--! Pairs | d | 3 | YES | datetime2 | NULL | NULL | NULL | 3
--! rows
--! Named | FUNCTION | TABLE | NULL | NO | NO | YES | 0
--! Pairs | FUNCTION | TABLE | NULL | NO | NO | YES | 0
--! Show | PROCEDURE | NULL | NULL | NO | NULL | YES | -1
--! Twice | FUNCTION | varchar | 30 | YES | NO | YES | 0
SELECT CONSTRAINT_NAME, UNIQUE_CONSTRAINT_NAME FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS ORDER BY CONSTRAINT_NAME;
SELECT CONSTRAINT_NAME, COLUMN_NAME FROM INFORMATION_SCHEMA.CONSTRAINT_COLUMN_USAGE WHERE CONSTRAINT_NAME LIKE 'CK%';
SELECT name, COL_NAME(parent_object_id, parent_column_id) FROM sys.check_constraints ORDER BY name;
SELECT name, key_index_id FROM sys.foreign_keys ORDER BY name;
GO
--! rows
--! FK_Id | PK_Item
--! FK_Number | UQ_Item
--! rows unordered
--! CK_Price | Price
--! CK_Range | Low
--! CK_Range | High
--! rows
--! CK_Price | Price
--! CK_Range | NULL
--! rows
--! FK_Id | 1
--! FK_Number | 2
