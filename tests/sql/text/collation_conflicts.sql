-- Texts of two collations that meet in something that does not compare have none, and whoever needs one says so.

CREATE TABLE t (a nvarchar(9) COLLATE Latin1_General_CI_AS, b nvarchar(9) COLLATE Latin1_General_CS_AS,
  v varchar(9) COLLATE Latin1_General_CI_AS, w varchar(9) COLLATE Latin1_General_CS_AS, d nvarchar(9));
INSERT t VALUES (N'x', N'X', 'x', 'X', N'q');
GO

-- A column of a result, an item of ORDER BY and of GROUP BY need a collation: 451 names the two and where.
SELECT 1, a + b FROM t;
GO
--! spec TEXT-14
--! error 451 state 1 text column 2
SELECT x FROM (SELECT CONCAT(a, b) AS x FROM t) AS d;
GO
--! error 451
SELECT a AS x FROM t UNION ALL SELECT b FROM t;
GO
--! error 451
SELECT 1 FROM t ORDER BY d, a + b;
GO
--! error 451 state 1 text column 2
SELECT COUNT(*) FROM t GROUP BY a + b;
GO
--! error 451 state 1 text column 2
SELECT a + b AS x INTO copied FROM t;
GO
--! error 451
CREATE VIEW both AS SELECT a + b AS x FROM t;
GO
--! error 451
SELECT RANK() OVER (ORDER BY a + b) FROM t;
GO
--! error 451
DECLARE c CURSOR FOR SELECT a + b FROM t;
OPEN c;
GO
--! error 451

-- Text of a code page must know which: 457 where two meet, 456 where what has met goes on; CONCAT only marks what it makes.
SELECT v + w FROM t;
GO
--! spec TEXT-15
--! error 457
SELECT COUNT(CASE WHEN d = N'q' THEN v ELSE w END) FROM t;
GO
--! error 457
SELECT v FROM t UNION ALL SELECT w FROM t;
GO
--! error 457
SELECT COUNT(CONCAT(v, w)) FROM t;
GO
--! rows
--! 1
SELECT COUNT(CONCAT(v, w) + 'x') FROM t;
GO
--! error 456
INSERT t (d) SELECT CONCAT(v, w) FROM t;
GO
--! error 456
UPDATE t SET d = CONCAT(v, w);
GO
--! error 456
DECLARE @v nvarchar(9);
SELECT @v = CONCAT(v, w) FROM t;
GO
--! error 456
SELECT COUNT(CAST(CONCAT(v, w) AS varchar(30))) FROM t;
GO
--! error 446 state 20
SELECT CONCAT(v, w) COLLATE Latin1_General_BIN FROM t;
GO
--! error 446 state 6
SELECT DISTINCT a + b FROM t;
GO
--! error 446 state 11
SELECT COUNT(DISTINCT a + b) FROM t;
GO
--! error 446 state 11

-- nvarchar needs no code page: what takes it has a collation of its own.
SET NOCOUNT ON;
DECLARE @v nvarchar(9);
SELECT @v = a + b FROM t;
SELECT @v;
SET @v = (SELECT b + a FROM t);
SELECT @v;
INSERT t (d) SELECT a + b FROM t;
UPDATE t SET d = CASE WHEN a = N'x' THEN b ELSE a END WHERE a IS NOT NULL;
SELECT d FROM t;
SELECT COUNT(*) FROM (SELECT a + b AS x FROM t) AS d WHERE EXISTS (SELECT d.x);
SELECT (a + b) COLLATE Latin1_General_BIN, DATALENGTH(a + b), ASCII(a + b), CAST(ISNULL(a, b) AS nvarchar(20)) FROM t WHERE a = N'x';
GO
--! spec TEXT-14
--! rows
--! xX
--! rows
--! Xx
--! rows
--! X
--! xX
--! rows
--! 2
--! rows
--! xX | 4 | 120 | x

-- A set operator that compares, and a second COLLATE clause.
SELECT a + b FROM t UNION SELECT d FROM t;
GO
--! error 5335
SELECT (a COLLATE Latin1_General_BIN) COLLATE Latin1_General_CI_AS FROM t;
GO
--! spec TEXT-16
--! error 449
SELECT ('a' COLLATE Latin1_General_BIN) COLLATE Latin1_General_CI_AS;
GO
--! error 449

-- What a column of a derived table is made of counts: a literal yields to a column, COLLATE stays.
SELECT COUNT(*) FROM (SELECT N'X' AS x) AS d JOIN t ON d.x = t.b;
SELECT COUNT(*) FROM (SELECT N'X' COLLATE Latin1_General_BIN AS x) AS d JOIN t ON d.x = t.a;
SELECT COUNT(*) FROM t WHERE CHAR(88) = w;
SELECT COUNT(*) FROM t WHERE ISNULL(w, v) = 'x';
GO
--! spec TEXT-16
--! rows
--! 1
--! rows
--! 0
--! rows
--! 1
--! rows
--! 0
SELECT COUNT(*) FROM (SELECT N'X' COLLATE Latin1_General_BIN AS x) AS d JOIN t ON d.x = t.a COLLATE Latin1_General_CI_AS;
GO
--! error 468

-- A CHECK constraint and a computed column follow the same rule; a column of a table needs a collation.
CREATE TABLE c (a varchar(10) COLLATE Latin1_General_BIN CHECK (a = 'X' COLLATE Latin1_General_CI_AS), b AS a + 'x' COLLATE Latin1_General_CI_AS);
INSERT c VALUES ('x');
SELECT b FROM c WHERE b = 'XX';
GO
--! spec TEXT-16
--! rows
--! xx
CREATE TABLE e (a varchar(10) COLLATE Latin1_General_BIN, b varchar(10) COLLATE Latin1_General_CI_AS, CHECK (a = b));
GO
--! error 468
CREATE TABLE e (a nvarchar(9) COLLATE Latin1_General_BIN, b nvarchar(9) COLLATE Latin1_General_CI_AS, c AS a + b);
GO
--! error 451
-- COLLATE of a column is for text, and for no alias type but sysname.
CREATE TABLE x (a int COLLATE Latin1_General_CI_AS);
GO
--! error 447
DECLARE @x TABLE (a varbinary(9) COLLATE Latin1_General_CI_AS);
GO
--! error 447
CREATE TABLE later (a int);
ALTER TABLE later ADD z date COLLATE Latin1_General_CI_AS;
GO
--! error 447
CREATE TYPE short FROM varchar(9);
GO
CREATE TABLE x (a short COLLATE Latin1_General_CI_AS);
GO
--! error 452
CREATE TABLE x (a sysname COLLATE database_default, b text COLLATE Latin1_General_CI_AI);
GO
