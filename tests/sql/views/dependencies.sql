-- What refers to what: sys.sql_expression_dependencies, sys.sql_dependencies, sysdepends and the functions.
CREATE DATABASE Deps;
GO
USE Deps;
GO
CREATE TYPE dbo.Code FROM nvarchar(20) NOT NULL;
CREATE TABLE dbo.T (Id int, N int CHECK (N > 0), Twice AS (N * 2));
GO
CREATE VIEW dbo.V WITH SCHEMABINDING AS SELECT Id FROM dbo.T;
GO
CREATE PROCEDURE dbo.P @c dbo.Code AS
    UPDATE dbo.T SET N = 1 WHERE Id = 5;
    SELECT * FROM dbo.T;
    SELECT x FROM Elsewhere.dbo.Far;
    SELECT * FROM Missing;
    EXEC Inner_;
GO
SELECT OBJECT_NAME(referencing_id), referencing_minor_id, is_schema_bound_reference, referenced_class_desc, referenced_database_name, referenced_schema_name,
    referenced_entity_name, OBJECT_NAME(referenced_id), referenced_minor_id, is_caller_dependent
FROM sys.sql_expression_dependencies WHERE OBJECT_NAME(referencing_id) IN ('P', 'V', 'T');
GO
--! rows unordered
--! V | 0 | 1 | OBJECT_OR_COLUMN | NULL | dbo | T | T | 0 | 0
--! V | 0 | 1 | OBJECT_OR_COLUMN | NULL | dbo | T | T | 1 | 0
--! T | 3 | 1 | OBJECT_OR_COLUMN | NULL | dbo | T | T | 2 | 0
--! P | 0 | 0 | TYPE | NULL | dbo | Code | NULL | 0 | 0
--! P | 0 | 0 | OBJECT_OR_COLUMN | NULL | dbo | T | T | 0 | 0
--! P | 0 | 0 | OBJECT_OR_COLUMN | Elsewhere | dbo | Far | NULL | 0 | 0
--! P | 0 | 0 | OBJECT_OR_COLUMN | NULL | NULL | Missing | NULL | 0 | 0
--! P | 0 | 0 | OBJECT_OR_COLUMN | NULL | NULL | Inner_ | NULL | 0 | 1
SELECT referenced_entity_name, referenced_minor_name, is_selected, is_updated, is_select_all FROM sys.dm_sql_referenced_entities(N'dbo.P', N'OBJECT')
WHERE referenced_entity_name = 'T';
SELECT referencing_schema_name, referencing_entity_name, referencing_class_desc FROM sys.dm_sql_referencing_entities(N'dbo.T', N'OBJECT');
SELECT referencing_entity_name FROM sys.dm_sql_referencing_entities(N'dbo.Code', N'TYPE');
SELECT * FROM sys.dm_sql_referencing_entities(N'dbo.T', N'NONSENSE');
SELECT OBJECT_NAME(id), OBJECT_NAME(depid), depnumber, resultobj, readobj FROM sysdepends WHERE OBJECT_NAME(id) = 'P' AND depnumber > 0;
GO
--! rows unordered
--! T | NULL | 1 | 1 | 1
--! T | Id | 1 | 0 | 1
--! T | N | 1 | 1 | 1
--! T | Twice | 1 | 0 | 1
--! rows unordered
--! dbo | V | OBJECT_OR_COLUMN
--! dbo | P | OBJECT_OR_COLUMN
--! rows
--! P
--! rows
--! rows unordered
--! P | T | 1 | 0 | 1
--! P | T | 2 | 1 | 1
--! P | T | 3 | 0 | 1
