-- Ranges of LIKE follow the collation's order, timestamp columns take DEFAULT only (273), overflows name T-SQL's
-- types (8115), a status of NULL is told (282).
CREATE TABLE rv (a int, b rowversion);
GO
INSERT rv (a) VALUES (1)
INSERT rv VALUES (2, DEFAULT)
INSERT rv (a, b) VALUES (3, DEFAULT), (4, DEFAULT)
SELECT a FROM rv WHERE b IS NOT NULL ORDER BY b
GO
--! rows
--! 1
--! 2
--! 3
--! 4
INSERT rv VALUES (1, 0x01)
GO
--! error 273
INSERT rv (a, b) SELECT a, b FROM rv
GO
--! error 273
INSERT rv VALUES (3)
GO
--! error 213
INSERT rv SELECT 5
GO
--! error 213
DECLARE @t TABLE (a int, b rowversion); INSERT @t (a) VALUES (7); SELECT a FROM @t
GO
--! rows
--! 7
CREATE PROC q2 AS RETURN NULL
GO
DECLARE @r int = 9; EXEC @r = q2; SELECT @r
GO
--! rows
--! 0
--! print procedure 'q2' tried to return the status NULL
CREATE TABLE io (a int, s smallint, g bigint, r real); INSERT io VALUES (2000000000, 30000, 9000000000000000000, 3e38);
GO
SELECT a * 10 FROM io
GO
--! error 8115 text to the data type int
SELECT a + a FROM io
GO
--! error 8115
SELECT SUM(a) FROM (SELECT a FROM io UNION ALL SELECT a FROM io) q
GO
--! error 8115
SELECT g + g FROM io
GO
--! error 8115
SELECT s * s FROM io
GO
--! error 8115
SELECT s + s FROM io
GO
--! error 8115
SELECT r * 10 FROM io
GO
--! error 232
SELECT CAST(a AS smallint) FROM io
GO
--! error 220
CREATE TABLE l (v varchar(5)); INSERT l VALUES ('B'), ('é'), ('a'), ('C'), ('z');
GO
SELECT v FROM l WHERE v LIKE '[a-c]' ORDER BY v
GO
--! rows
--! a
--! B
--! C
SELECT v FROM l WHERE v COLLATE Latin1_General_CS_AS LIKE '[a-c]' ORDER BY v
GO
--! rows
--! a
--! B
SELECT v FROM l WHERE v COLLATE Latin1_General_BIN2 LIKE '[a-z]' ORDER BY v
GO
--! rows
--! a
--! z
SELECT v FROM l WHERE v COLLATE Latin1_General_CI_AI LIKE 'e' OR v COLLATE Latin1_General_CI_AI LIKE '[E]z'
GO
--! rows
--! é
SELECT v FROM l WHERE v LIKE '[d-f]'
GO
--! rows
--! é
SELECT PATINDEX('%[a-c]%' COLLATE Latin1_General_CS_AS, 'zB'), PATINDEX('%e%' COLLATE Latin1_General_CI_AI, N'né'),
    CASE WHEN 'b' LIKE '[^a-c]' THEN 1 ELSE 0 END, CASE WHEN '5' LIKE '[0-9]' THEN 1 ELSE 0 END, CASE WHEN 'x-y'
    LIKE 'x[-]y' THEN 1 ELSE 0 END, CASE WHEN '-' LIKE '[a-]' THEN 1 ELSE 0 END
GO
--! rows
--! 2 | 2 | 0 | 1 | 1 | 1
SELECT SESSION_CONTEXT('key')
GO
--! error 8116
SELECT SESSION_CONTEXT(N'key')
GO
--! rows
--! NULL
