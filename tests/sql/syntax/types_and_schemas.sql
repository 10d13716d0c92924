-- CREATE and DROP of TYPE, SYNONYM, SEQUENCE, SCHEMA and XML SCHEMA COLLECTION, ALTER of those that have one.
CREATE DATABASE D
GO
USE D
GO
CREATE TABLE t (a int NOT NULL, b varchar(10), c int)
INSERT t VALUES (1, 'x', 3), (2, 'y', 4);
GO
CREATE TYPE dbo.ssn FROM varchar(11) NOT NULL
GO
CREATE TYPE ssn2 FROM varchar(11)
GO
CREATE TYPE tt AS TABLE (a int NOT NULL PRIMARY KEY CLUSTERED, b varchar(10) DEFAULT 'q' CHECK (b <> 'z'), c AS a +
    1, UNIQUE (b), INDEX ix (b))
GO
CREATE TYPE tt2 AS TABLE (a int IDENTITY(1,1), b int INDEX ix NONCLUSTERED) WITH (MEMORY_OPTIMIZED = ON)
GO
CREATE TYPE clr EXTERNAL NAME a.b
GO
--! error 40517 text CREATE TYPE … EXTERNAL NAME
CREATE TYPE x FROM nope
GO
--! error 2715
CREATE TYPE ssn FROM int
GO
--! error 219
DROP TYPE ssn2;
DROP TYPE IF EXISTS nope;
GO
DROP TYPE nope
GO
--! error 3701
CREATE TABLE ty (a ssn, b dbo.ssn NULL);
GO
INSERT ty VALUES (NULL, NULL)
GO
--! error 515
DROP TYPE ssn
GO
--! error 3732
CREATE SYNONYM s1 FOR t;
CREATE SYNONYM dbo.s2 FOR srv.D.dbo.t;
CREATE SYNONYM s3 FOR D.dbo.nope;
GO
SELECT * FROM s1
GO
--! rows unordered
--! 1 | x | 3
--! 2 | y | 4
SELECT * FROM s3
GO
--! error 5313
INSERT s1 VALUES (3, 'z', 1);
DROP SYNONYM s1;
DROP SYNONYM IF EXISTS s1, s2;
CREATE SEQUENCE q1;
CREATE SEQUENCE dbo.q2 AS decimal(10, 0) START WITH 5 INCREMENT BY -5 MINVALUE -100 MAXVALUE 100 CYCLE CACHE 10;
CREATE SEQUENCE q3 AS tinyint NO MINVALUE NO MAXVALUE NO CYCLE NO CACHE;
ALTER SEQUENCE q2 RESTART WITH 10 INCREMENT BY 1 NO CYCLE NO CACHE MINVALUE 0 NO MAXVALUE;
ALTER SEQUENCE q2 RESTART;
GO
SELECT NEXT VALUE FOR q1, NEXT VALUE FOR dbo.q2, NEXT VALUE FOR D.dbo.q3
GO
--! rows
--! -9223372036854775808 | 10 | 0
DECLARE @v int = NEXT VALUE FOR q2; SELECT @v
GO
--! rows
--! 11
CREATE TABLE qs (a int DEFAULT NEXT VALUE FOR q2, b int);
INSERT qs (b) SELECT NEXT VALUE FOR q3 FROM t;
GO
EXEC sp_sequence_get_range 'q2', 5, NULL
GO
--! error 201
DECLARE @f sql_variant; EXEC sp_sequence_get_range @sequence_name = N'q3', @range_size = 5, @range_first_value = @f
    OUTPUT; SELECT @f
GO
--! rows
--! 4
DROP SEQUENCE IF EXISTS q1, q3;
GO
CREATE SEQUENCE q4 AS float
GO
--! error 11702
CREATE SEQUENCE q4 INCREMENT BY 0
GO
--! error 11700
CREATE SEQUENCE q4 MINVALUE 5 MAXVALUE 4
GO
--! error 11705
CREATE SEQUENCE q4 START WITH 5 MAXVALUE 4
GO
--! error 11703
CREATE SCHEMA s
GO
CREATE SCHEMA AUTHORIZATION dbo
GO
--! error 2714
--! error 2759
ALTER SCHEMA s TRANSFER dbo.t
GO
ALTER SCHEMA dbo TRANSFER OBJECT::s.t
GO
ALTER SCHEMA s TRANSFER TYPE::dbo.tt
GO
ALTER SCHEMA s TRANSFER XML SCHEMA COLLECTION::dbo.xx
GO
--! error 15151
DROP SCHEMA s
GO
--! error 3729
DROP SCHEMA IF EXISTS nope;
CREATE XML SCHEMA COLLECTION xsc AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"
    targetNamespace="http://x"><xs:element name="a" type="xs:int"/></xs:schema>';
ALTER XML SCHEMA COLLECTION dbo.xsc ADD '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"
    targetNamespace="http://y"><xs:element name="b" type="xs:int"/></xs:schema>';
GO
DECLARE @x xml = N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="b"
    type="xs:int"/></xs:schema>'; CREATE XML SCHEMA COLLECTION x2 AS @x
GO
DROP XML SCHEMA COLLECTION x2;
GO
