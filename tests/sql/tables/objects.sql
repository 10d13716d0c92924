-- INSERT … SELECT and EXEC, OUTPUT INTO, views, types, sequences, synonyms, schemas, rowversion, defaults.
CREATE TABLE dbo.Src (A int, B varchar(10));
CREATE TABLE dbo.Dst (Id int IDENTITY PRIMARY KEY, A int, B varchar(10));
INSERT dbo.Src VALUES (1, 'x'), (2, 'y'), (3, 'z');
GO
INSERT dbo.Dst (A, B) SELECT A * 10, B FROM dbo.Src WHERE A > 1;
INSERT TOP (1) dbo.Dst SELECT A, B FROM dbo.Src;
SELECT COUNT(*) FROM dbo.Dst;
GO
--! rows
--! 3
INSERT dbo.Dst (A) SELECT A, B FROM dbo.Src;
GO
--! error 121
INSERT dbo.Dst (A, B) SELECT A FROM dbo.Src;
GO
--! error 120
INSERT dbo.Dst SELECT A FROM dbo.Src;
GO
--! error 213
CREATE PROCEDURE dbo.Rows AS BEGIN SELECT A, B FROM dbo.Src; SELECT 9, 'nine'; PRINT 'done'; END
GO
TRUNCATE TABLE dbo.Dst;
INSERT dbo.Dst EXEC dbo.Rows;
SELECT @@ROWCOUNT;
SELECT A, B FROM dbo.Dst ORDER BY Id;
INSERT dbo.Dst (A) EXEC dbo.Rows;
GO
--! rows
--! 4
--! rows
--! 1 | x
--! 2 | y
--! 3 | z
--! 9 | nine
--! error 213
INSERT dbo.Dst EXEC ('SELECT 10, ''dyn''');
DECLARE @out TABLE (Id int, A int, Was varchar(10));
UPDATE dbo.Dst SET B = 'new' OUTPUT inserted.Id, inserted.A, deleted.B INTO @out WHERE A >= 9;
DELETE dbo.Dst OUTPUT deleted.Id, deleted.A, 'gone' INTO @out (Id, A, Was) WHERE A = 1;
SELECT A, Was FROM @out ORDER BY A;
GO
--! rows
--! 1 | gone
--! 9 | nine
--! 10 | dyn
-- Views over one table.
CREATE VIEW dbo.V (Number, Letter) AS SELECT A, B FROM dbo.Dst WHERE A < 100;
GO
INSERT dbo.V VALUES (50, 'view');
UPDATE dbo.V SET Letter = Letter + '!' WHERE Number = 50;
DELETE dbo.V WHERE Number = 2;
SELECT A, B FROM dbo.Dst WHERE A IN (2, 50);
GO
--! rows
--! 50 | view!
CREATE VIEW dbo.Sums AS SELECT B, SUM(A) AS S FROM dbo.Dst GROUP BY B;
GO
DELETE dbo.Sums;
GO
--! error 4403
-- Types.
CREATE TYPE dbo.Code FROM varchar(3) NOT NULL;
GO
CREATE TABLE dbo.Typed (C dbo.Code, V rowversion);
INSERT dbo.Typed (C) VALUES (NULL);
GO
--! error 515
INSERT dbo.Typed (C) VALUES ('abcd');
GO
--! error 2628
INSERT dbo.Typed (C, V) VALUES ('abc', 0x01);
GO
--! error 273
DROP TYPE dbo.Code;
GO
--! error 3732
INSERT dbo.Typed (C) VALUES ('a');
DECLARE @v binary(8) = (SELECT V FROM dbo.Typed);
UPDATE dbo.Typed SET C = 'b';
SELECT CASE WHEN V > @v THEN 'grown' END FROM dbo.Typed;
GO
--! rows
--! grown
-- Sequences.
CREATE SEQUENCE dbo.Seq AS int START WITH 10 INCREMENT BY 10 MAXVALUE 30;
GO
CREATE TABLE dbo.Numbered (N int DEFAULT (NEXT VALUE FOR dbo.Seq), V int);
INSERT dbo.Numbered (V) VALUES (1), (2);
SELECT N FROM dbo.Numbered ORDER BY N;
SELECT NEXT VALUE FOR dbo.Seq;
SELECT NEXT VALUE FOR dbo.Seq;
GO
--! rows
--! 10
--! 20
--! rows
--! 30
--! error 11728
ALTER SEQUENCE dbo.Seq RESTART WITH 20;
SELECT NEXT VALUE FOR dbo.Seq;
DROP SEQUENCE dbo.Seq;
DROP TABLE dbo.Numbered;
DROP SEQUENCE dbo.Seq;
DROP SEQUENCE dbo.Seq;
GO
--! rows
--! 20
--! error 3729
--! error 3701
-- Synonyms and schemas.
CREATE SYNONYM dbo.Syn FOR dbo.Src;
INSERT dbo.Syn VALUES (4, 'syn');
SELECT COUNT(*) FROM dbo.Src;
DROP SYNONYM dbo.Syn;
GO
--! rows
--! 4
CREATE SCHEMA sales;
GO
CREATE TABLE sales.T (A int);
INSERT sales.T VALUES (1);
SELECT A FROM sales.T;
DROP SCHEMA sales;
GO
--! rows
--! 1
--! error 3729
DROP TABLE sales.T;
DROP SCHEMA sales;
CREATE QUEUE dbo.Q;
INSERT dbo.Q VALUES (1);
GO
--! error 416
