-- A constraint or an index of the table right behind a column: SQL Server misses no comma there.
CREATE DATABASE Commas;
GO
USE Commas;
CREATE TABLE A (i int NOT NULL, j int NOT NULL CONSTRAINT PK_A PRIMARY KEY (i, j));
CREATE TABLE T (
    i int CONSTRAINT FK_T FOREIGN KEY (i, j) REFERENCES A (i, j),
    j int NOT NULL INDEX IX_T NONCLUSTERED (j DESC, i),
    k int INDEX IX_K UNIQUE (k) INCLUDE (i) WHERE k > 1,
    l int INDEX IX_L
);
GO
SELECT name, type FROM sys.objects WHERE parent_object_id IN (OBJECT_ID('A'), OBJECT_ID('T')) ORDER BY name;
SELECT c.name FROM sys.foreign_key_columns f JOIN sys.columns c ON c.object_id = f.parent_object_id AND c.column_id = f.parent_column_id ORDER BY 1;
SELECT i.name, c.name, ic.is_descending_key, ic.is_included_column, i.is_unique, i.has_filter FROM sys.indexes i
JOIN sys.index_columns ic ON ic.object_id = i.object_id AND ic.index_id = i.index_id
JOIN sys.columns c ON c.object_id = i.object_id AND c.column_id = ic.column_id
WHERE i.object_id = OBJECT_ID('T') ORDER BY i.name, ic.index_column_id;
INSERT T (i, j) VALUES (1, 2);
GO
--! rows
--! FK_T | F
--! PK_A | PK
--! rows
--! i
--! j
--! rows
--! IX_K | k | 0 | 0 | 1 | 1
--! IX_K | i | 0 | 1 | 1 | 1
--! IX_L | l | 0 | 0 | 0 | 0
--! IX_T | j | 1 | 0 | 0 | 0
--! IX_T | i | 0 | 0 | 0 | 0
--! error 547
-- Types of .NET and their static methods are named; another name before :: is no type.
SELECT hierarchyid::GetRoot();
GO
--! error 40517 line 2 text hierarchyid
DECLARE @g nvarchar(max) = geometry::STGeomFromText('POINT (1 1)', 0).ToString();
GO
--! error 40517 text geometry
SELECT a FROM t WHERE geography::[Null] IS NULL;
GO
--! error 40517 text geography
SELECT sys.geometry::Point(1, 2, 0);
GO
--! error 40517 text geometry
SELECT [SYS].HierarchyId::GetRoot();
GO
--! error 40517 text ierarchy
SELECT dbo.geometry::Point(1, 2, 0);
GO
--! error 243
SELECT foo::Bar(1);
GO
--! error 243
