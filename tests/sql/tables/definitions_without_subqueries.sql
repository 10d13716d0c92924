-- A definition whose text the catalog keeps is a scalar expression: a subquery in it is error 1046, wherever it stands and whatever its form.
CREATE TABLE dbo.D1 (a int DEFAULT (SELECT 1))
GO
--! error 1046 line 2
CREATE TABLE dbo.D2 (a int CHECK (a IN (SELECT 1)))
GO
--! error 1046 line 1
CREATE TABLE dbo.D3 (a int,
    CHECK (EXISTS (SELECT 1)))
GO
--! error 1046 line 2
CREATE TABLE dbo.D4 (a int, b AS (SELECT 1))
GO
--! error 1046
CREATE TABLE dbo.D5 (a int, CHECK (a > ALL (SELECT 1)))
GO
--! error 1046
CREATE TABLE dbo.D6 (a int)
CREATE INDEX i ON dbo.D6 (a) WHERE a IN (SELECT 1)
GO
--! error 1046 line 2
ALTER TABLE dbo.D6 ADD CHECK (a > (SELECT 1))
GO
--! error 1046
ALTER TABLE dbo.D6 ADD b int DEFAULT (1 + (SELECT 1))
GO
--! error 1046
DECLARE @t TABLE (a int CHECK (a > (SELECT 1)))
GO
--! error 1046
CREATE TYPE dbo.Shape AS TABLE (a int CHECK (a > (SELECT 1)))
GO
--! error 1046
CREATE FUNCTION dbo.F () RETURNS @t TABLE (a int CHECK (a > (SELECT 1))) AS BEGIN RETURN END
GO
--! error 1046
SELECT COUNT(*) FROM sys.tables WHERE name LIKE 'D_'
GO
--! rows
--! 1
