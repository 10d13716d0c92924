-- What the functions of metadata say of an object's id, for every type of objects: alike in a query and of a variable.
CREATE SCHEMA own CREATE TABLE parent (id int CONSTRAINT pk_parent PRIMARY KEY)
GO
CREATE TABLE own.t (a int CONSTRAINT pk PRIMARY KEY, b int CONSTRAINT ck CHECK (b > 0), c int CONSTRAINT fk REFERENCES own.parent (id),
    d int CONSTRAINT df DEFAULT 5, e int CONSTRAINT uq UNIQUE)
CREATE SEQUENCE own.sq
CREATE SYNONYM own.sy FOR own.t
CREATE QUEUE own.qu
GO
CREATE TRIGGER own.tr ON own.t AFTER INSERT AS PRINT 1
GO
CREATE PROCEDURE own.p AS PRINT 1
GO
CREATE FUNCTION own.f () RETURNS int AS BEGIN RETURN 1 END
GO
CREATE FUNCTION own.fi () RETURNS TABLE AS RETURN SELECT 1 AS a
GO
CREATE FUNCTION own.ft () RETURNS @t TABLE (a int) AS BEGIN RETURN END
GO
CREATE VIEW own.v AS SELECT 1 AS a
GO
SELECT type, COUNT(*) FROM sys.objects WHERE schema_id = SCHEMA_ID('own') GROUP BY type ORDER BY type
SELECT name FROM sys.objects WHERE schema_id = SCHEMA_ID('own') AND (OBJECT_NAME(object_id) <> name OR OBJECT_NAME(object_id) IS NULL
    OR OBJECT_SCHEMA_NAME(object_id) <> 'own' OR OBJECT_SCHEMA_NAME(object_id) IS NULL OR OBJECT_SCHEMA_NAME(object_id, DB_ID()) <> 'own'
    OR OBJECT_ID('own.' + name) <> object_id OR OBJECT_ID('own.' + name) IS NULL)
SELECT name, OBJECT_DEFINITION(object_id) FROM sys.objects WHERE schema_id = SCHEMA_ID('own') AND type NOT IN ('P', 'TR', 'V', 'FN', 'IF', 'TF')
    AND OBJECT_DEFINITION(object_id) IS NOT NULL ORDER BY name
SELECT COUNT(OBJECT_DEFINITION(object_id)) FROM sys.objects WHERE schema_id = SCHEMA_ID('own') AND type IN ('P', 'TR', 'V', 'FN', 'IF', 'TF')
DECLARE @fk int = OBJECT_ID('own.fk'), @ck int = OBJECT_ID('own.ck')
SELECT OBJECT_NAME(@fk), OBJECT_SCHEMA_NAME(@fk), OBJECT_DEFINITION(@fk), OBJECT_NAME(@ck), OBJECT_SCHEMA_NAME(@ck), OBJECT_DEFINITION(@ck)
SELECT OBJECT_NAME(-1), OBJECT_SCHEMA_NAME(-1), OBJECT_DEFINITION(-1)
GO
--! rows
--! C | 1
--! D | 1
--! F | 1
--! FN | 1
--! IF | 1
--! P | 1
--! PK | 2
--! SN | 1
--! SO | 1
--! SQ | 1
--! TF | 1
--! TR | 1
--! U | 2
--! UQ | 1
--! V | 1
--! rows
--! rows
--! ck | ([b]>(0))
--! df | ((5))
--! rows
--! 6
--! rows
--! fk | own | NULL | ck | own | ([b]>(0))
--! rows
--! NULL | NULL | NULL
