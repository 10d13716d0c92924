-- Which source of FROM an UPDATE or DELETE is about: an alias first, then the table itself, without alias if there is one.
CREATE TABLE t (id int PRIMARY KEY, n int);
INSERT t VALUES (1, 10), (2, 20), (3, 30);
GO
CREATE SCHEMA far;
GO
CREATE TABLE far.t (id int PRIMARY KEY, n int);
INSERT far.t VALUES (1, 100), (2, 200);
CREATE DATABASE other;
GO
CREATE TABLE other.dbo.t (id int PRIMARY KEY, n int);
INSERT other.dbo.t VALUES (3, 1000);
GO

-- The reference without alias, beside one with.
UPDATE t SET n = b.n + 1 FROM t JOIN t AS b ON b.id = t.id + 1;
SELECT * FROM t;
GO
--! rows
--! 1 | 21
--! 2 | 31
--! 3 | 30

UPDATE t SET n = b.n + 1 FROM t AS b JOIN t ON b.id = t.id - 1;
SELECT * FROM t;
GO
--! rows
--! 1 | 21
--! 2 | 22
--! 3 | 32

BEGIN TRANSACTION;
DELETE t FROM t AS b JOIN t ON b.id = t.id + 1;
SELECT * FROM t;
ROLLBACK;
GO
--! rows
--! 3 | 32

-- Only aliases tell them apart.
UPDATE t SET n = 0 FROM t AS a JOIN t AS b ON a.id = b.id;
GO
--! error 8154

DELETE dbo.t FROM t AS a JOIN dbo.t AS b ON a.id = b.id;
GO
--! error 8154

-- The same table twice without alias is another fault.
UPDATE t SET n = 0 FROM t JOIN dbo.t ON 1 = 1;
GO
--! error 1013

-- The same name in another schema or database is another table.
UPDATE dbo.t SET n = far.t.n + 1 FROM dbo.t JOIN far.t ON far.t.id = dbo.t.id;
SELECT * FROM t;
SELECT * FROM far.t;
GO
--! rows
--! 1 | 101
--! 2 | 201
--! 3 | 32
--! rows
--! 1 | 100
--! 2 | 200

UPDATE far.t SET n = dbo.t.n + 1 FROM dbo.t JOIN far.t ON far.t.id = dbo.t.id;
SELECT * FROM far.t;
GO
--! rows
--! 1 | 102
--! 2 | 202

UPDATE t SET n = o.n + 1 FROM other.dbo.t AS o JOIN t ON o.id = t.id;
SELECT * FROM t;
GO
--! rows
--! 1 | 101
--! 2 | 201
--! 3 | 1001

UPDATE other.dbo.t SET n = a.n * 2 FROM other.dbo.t JOIN t AS a ON a.id = other.dbo.t.id;
SELECT * FROM other.dbo.t;
GO
--! rows
--! 3 | 2002

-- A table that is not in FROM joins what is there.
UPDATE t SET n = x.n FROM far.t AS x WHERE x.id = t.id;
SELECT * FROM t;
GO
--! rows
--! 1 | 102
--! 2 | 202
--! 3 | 1001

DELETE t FROM far.t AS x WHERE x.id = t.id AND x.id = 2;
SELECT id FROM t;
GO
--! rows
--! 1
--! 3

-- An alias is looked for first.
UPDATE far SET n = 5 FROM t AS far JOIN far.t AS b ON b.id = far.id;
SELECT * FROM t;
GO
--! rows
--! 1 | 5
--! 3 | 1001

-- Through a view, beside its table.
CREATE VIEW v AS SELECT id, n FROM t;
GO
UPDATE v SET n = t.n + 1 FROM v JOIN t ON t.id = v.id;
SELECT * FROM v;
GO
--! rows
--! 1 | 6
--! 3 | 1002

UPDATE v SET n = v.n + b.n FROM v JOIN v AS b ON b.id = v.id;
SELECT * FROM v;
GO
--! rows
--! 1 | 12
--! 3 | 2004

-- A common table expression hides the table with its name, and is no other one.
TRUNCATE TABLE t; TRUNCATE TABLE far.t;
INSERT t VALUES (1, 10), (2, 20); INSERT far.t VALUES (1, 100), (2, 200);
GO
WITH t AS (SELECT id, n FROM far.t) UPDATE t SET n = 9 FROM dbo.t AS d WHERE d.id = t.id AND d.id = 1;
SELECT * FROM t; SELECT * FROM far.t;
GO
--! rows
--! 1 | 10
--! 2 | 20
--! rows
--! 1 | 9
--! 2 | 200
-- The table itself cannot stand beside it.
WITH t AS (SELECT id, n FROM far.t) UPDATE dbo.t SET n = t.n + 1 FROM t WHERE t.id = 2 AND dbo.t.id = 2;
GO
--! error 1011
WITH t AS (SELECT id, n FROM far.t) DELETE dbo.t FROM t WHERE t.id = dbo.t.id AND t.id = 1;
GO
--! error 1011
SELECT * FROM t; SELECT * FROM far.t;
DELETE t WHERE id = 1;
GO
--! rows
--! 1 | 10
--! 2 | 20
--! rows
--! 1 | 9
--! 2 | 200

-- A table that is not in FROM, beside one with its name.
UPDATE dbo.t SET n += far.t.n FROM far.t WHERE far.t.id = dbo.t.id;
SELECT * FROM t; SELECT * FROM far.t;
GO
--! rows
--! 2 | 220
--! rows
--! 1 | 9
--! 2 | 200

-- By a synonym it is the same table.
CREATE SYNONYM s FOR dbo.t;
GO
INSERT t VALUES (1, 10);
UPDATE dbo.t SET n = 0 FROM s JOIN far.t AS f ON f.id = s.id WHERE f.id = 1;
UPDATE s SET n = 1 FROM dbo.t JOIN far.t AS f ON f.id = dbo.t.id WHERE f.id = 2;
SELECT * FROM t ORDER BY id;
GO
--! rows
--! 1 | 0
--! 2 | 1
