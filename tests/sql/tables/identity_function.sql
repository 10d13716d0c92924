-- IDENTITY(type, seed, increment) makes a column of SELECT INTO; nowhere else may it stand.
SELECT name, IDENTITY(int, 10, 5) AS id INTO made FROM (VALUES ('b'), ('a')) AS v (name) ORDER BY name;
SELECT name, id FROM made ORDER BY id;
INSERT made (name) VALUES ('c');
SELECT id, IDENT_SEED('made'), IDENT_INCR('made') FROM made WHERE name = 'c';
GO
--! rows
--! a | 10
--! b | 15
--! rows
--! 20 | 10 | 5
SELECT IDENTITY(numeric(5, 0), -1, -1) AS id, 'x' AS x INTO down FROM (VALUES (1), (2)) AS v (n);
SELECT id FROM down ORDER BY id;
SELECT TYPE_NAME(user_type_id), is_identity, is_nullable FROM sys.columns WHERE object_id = OBJECT_ID('down') AND name = 'id';
GO
--! rows
--! -2
--! -1
--! rows
--! decimal | 1 | 0
SELECT IDENTITY(int, 1, 1) AS id FROM made;
GO
--! error 177
SELECT IDENTITY(varchar, 1, 1) AS id INTO other FROM made;
GO
--! error 2749
SELECT IDENTITY(int, 1, 1) AS a, IDENTITY(int, 1, 1) AS b INTO other FROM made;
GO
--! error 8109
SELECT *, IDENTITY(int, 1, 1) AS a INTO other FROM made;
GO
--! error 8108
SELECT IDENTITY(int, 1, 1) INTO other FROM made;
GO
--! error 1038
-- NEWSEQUENTIALID() is the DEFAULT of a uniqueidentifier column and nothing else.
CREATE TABLE keyed (k uniqueidentifier DEFAULT (NEWSEQUENTIALID()), n int);
INSERT keyed (n) VALUES (1);
INSERT keyed VALUES (DEFAULT, 2);
INSERT keyed (n) VALUES (3);
SELECT n FROM keyed ORDER BY k;
GO
--! rows
--! 1
--! 2
--! 3
SELECT NEWSEQUENTIALID();
GO
--! error 302
SELECT NEWSEQUENTIALID() FROM keyed;
GO
--! error 302
CREATE TABLE worded (k varchar(50) DEFAULT NEWSEQUENTIALID());
GO
--! error 302
CREATE TABLE combined (k uniqueidentifier DEFAULT ISNULL(NEWSEQUENTIALID(), NEWID()));
GO
--! error 302
