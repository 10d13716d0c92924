CREATE TABLE t1 (a int, b nvarchar(20))
INSERT INTO t1 VALUES (1, N'x'), (1, N'x'), (2, N'y')
GO
-- TOP, OFFSET, FETCH
DECLARE @many bigint = 3000000000
SELECT TOP (@many) a FROM t1 ORDER BY a
SELECT TOP (3000000000) a FROM t1 ORDER BY a
SELECT TOP ((SELECT MAX(a) FROM t1)) a FROM t1 ORDER BY a
GO
--! rows
--! 1
--! 1
--! 2
--! rows
--! 1
--! 1
--! 2
--! rows
--! 1
--! 1
SELECT TOP ((SELECT CAST(NULL AS int))) a FROM t1
GO
--! error 1060
SELECT TOP ((SELECT -1)) a FROM t1
GO
--! error 127
SELECT TOP (2.5) a FROM t1
GO
--! error 1060
SELECT a FROM t1 ORDER BY a OFFSET 0 ROWS FETCH NEXT (SELECT CAST(NULL AS int)) ROWS ONLY
GO
--! error 10745
SELECT a FROM t1 ORDER BY a OFFSET (SELECT -1) ROWS
GO
--! error 10742
--! spec STRICT-1

-- CHECKSUM of all columns
SELECT COUNT(*) FROM t1 WHERE CHECKSUM(*) = CHECKSUM(a, b) AND BINARY_CHECKSUM(*) = BINARY_CHECKSUM(a, b)
SELECT COUNT(*) FROM t1 AS x JOIN t1 AS y ON x.a = y.a WHERE CHECKSUM(*) = CHECKSUM(x.a, x.b, y.a, y.b)
SELECT COUNT(DISTINCT CHECKSUM(*)), CASE WHEN CHECKSUM_AGG(CHECKSUM(*)) = CHECKSUM_AGG(CHECKSUM(a, b)) THEN 'equal' END FROM t1
GO
--! rows
--! 3
--! rows
--! 5
--! rows
--! 2 | equal
DECLARE @t TABLE (a int, b text)
INSERT INTO @t VALUES (1, 'x')
SELECT CASE WHEN BINARY_CHECKSUM(*) = BINARY_CHECKSUM(a) THEN 'without b' END FROM @t
GO
--! rows
--! without b
SELECT CHECKSUM(*)
GO
--! error 263
--! spec STRICT-2

-- the constant NULL
DECLARE @null varchar(10)
SELECT SUBSTRING(@null, 1, 2), PATINDEX('%a%', @null), SUBSTRING(CAST(NULL AS nvarchar(3)), 1, 1), SUBSTRING('abc', NULL, 1), PATINDEX(NULL, 'a')
GO
--! rows
--! NULL | NULL | NULL | NULL | NULL
SELECT SUBSTRING(NULL, 1, 2)
GO
--! error 8116
SELECT PATINDEX('%a%', NULL)
GO
--! error 8116
SELECT a FROM t1 WHERE SUBSTRING(NULL, a, 2) = 'a'
GO
--! error 8116
--! spec STRICT-3

SELECT DAY(CAST('10:00' AS time))
GO
--! error 9810
SELECT MONTH(CAST('10:00' AS time(0)))
GO
--! error 9810
SELECT YEAR(CAST('10:00' AS time))
GO
--! error 9810
--! spec STRICT-4

-- styles of binary strings
SELECT CONVERT(varbinary(10), '0x12', 1), CONVERT(varbinary(10), N'12', 2), CONVERT(varbinary(10), '12', 0), CONVERT(varchar(10), 0x12, 1), CONVERT(nvarchar(10), 0x12, 2), CONVERT(varbinary(10), 5, 3)
GO
--! rows
--! 0x12 | 0x12 | 0x3132 | 0x12 | 12 | 0x00000005
SELECT CONVERT(varbinary(10), '12', 3)
GO
--! error 9809
SELECT CONVERT(varchar(10), 0x12, 120)
GO
--! error 9809
--! spec STRICT-5

SELECT STUFF(0x010203, 2, 1, 0xFF), STUFF(CAST(0x01020304 AS varbinary(10)), 2, 2, 0xAABBCC), STUFF(0x010203, 2, 1, NULL), STUFF(0x0102, 3, 1, 0xFF), STUFF('abc', 2, 1, NULL)
SELECT SQL_VARIANT_PROPERTY(STUFF(0x010203, 2, 1, 0xFF), 'BaseType')
GO
--! rows
--! 0x01FF03 | 0x01AABBCC04 | 0x0103 | NULL | ac
--! rows
--! varbinary
--! spec STRICT-6
SELECT STR(1.5, 2000000000), STR(1.5, 8001), LEN(STR(1.5, 8000)), STR(123.45, 6, 1)
GO
--! rows
--! NULL | NULL | 8000 |  123.5
--! spec STRICT-7

SELECT FORMAT(CAST('2020-03-04' AS date), 'MMMMM'), FORMAT(CAST('2020-03-04' AS date), 'ddddd yyyyyy'), FORMAT(CAST('2020-03-04 15:06:07' AS datetime), 'hhh:mmm:sss ttt HHHH', 'en-US')
SELECT FORMAT(CAST('2020-03-04 15:06:07.1234567' AS datetime2), 'fffffff'), FORMAT(CAST('2020-03-04 15:06:07.1234567' AS datetime2), 'ffffffff')
GO
--! rows
--! March | Wednesday 002020 | 03:06:07 PM 15
--! rows
--! 1234567 | NULL
--! spec STRICT-8

-- LIKE and blanks at the end
SELECT CASE WHEN 'a  ' LIKE 'a ' THEN 1 ELSE 0 END, CASE WHEN 'a' LIKE 'a ' THEN 1 ELSE 0 END, CASE WHEN 'a ' LIKE 'a' THEN 1 ELSE 0 END, CASE WHEN 'xa   ' LIKE '%a_' THEN 1 ELSE 0 END, CASE WHEN 'ab   ' LIKE 'a%b  ' THEN 1 ELSE 0 END, CASE WHEN 'ab ' LIKE 'a%b  ' THEN 1 ELSE 0 END
SELECT CASE WHEN N'a  ' LIKE N'a ' THEN 1 ELSE 0 END, CASE WHEN N'a ' LIKE N'a' THEN 1 ELSE 0 END, CASE WHEN N'a ' LIKE N'a ' THEN 1 ELSE 0 END
SELECT REPLACE(v, ' ', '.') FROM (VALUES ('a'), ('a '), ('a  '), ('b ')) AS t(v) WHERE v LIKE 'a ' ORDER BY LEN(REPLACE(v, ' ', '.'))
DECLARE @pattern varchar(10) = 'a '
SELECT REPLACE(v, ' ', '.') FROM (VALUES ('a'), ('a '), ('a  '), ('b ')) AS t(v) WHERE v LIKE @pattern ORDER BY LEN(REPLACE(v, ' ', '.'))
GO
--! rows
--! 1 | 0 | 1 | 1 | 1 | 0
--! rows
--! 0 | 0 | 1
--! rows
--! a.
--! a..
--! rows
--! a.
--! a..
--! spec STRICT-9

SELECT PARSENAME(REPLICATE('a', 129), 1), LEN(PARSENAME(REPLICATE('a', 128), 1)), PARSENAME('b.' + REPLICATE('a', 129), 2)
GO
--! rows
--! NULL | 128 | NULL
--! spec STRICT-10
SELECT HAS_DBACCESS('master '), IS_SRVROLEMEMBER('sysadmin '), IS_SRVROLEMEMBER('sysadmin', 'sa '), IS_MEMBER('db_owner '), SCHEMA_ID('dbo '), USER_ID('dbo '), SUSER_ID('sa '), HAS_DBACCESS('none ')
GO
--! rows
--! 1 | 1 | 1 | 1 | 1 | 1 | 1 | NULL
--! spec STRICT-11

CREATE USER u1 WITHOUT LOGIN WITH DEFAULT_SCHEMA = sys
CREATE USER u2 WITHOUT LOGIN WITH DEFAULT_SCHEMA = NULL
ALTER USER u1 WITH DEFAULT_SCHEMA = NULL
SELECT name, default_schema_name FROM sys.database_principals WHERE name IN ('u1', 'u2') ORDER BY name
EXECUTE AS USER = 'u1'
SELECT SCHEMA_NAME()
REVERT
GO
--! rows
--! u1 | NULL
--! u2 | NULL
--! rows
--! dbo
--! spec STRICT-12

SELECT COLLATIONPROPERTY('Traditional_Spanish_CS_AS_KS_WS', 'CodePage'), COLLATIONPROPERTY('Traditional_Spanish_CS_AS_KS_WS', 'LCID'), COLLATIONPROPERTY('Traditional_Spanish_CS_AS_KS_WS', 'ComparisonStyle')
SELECT COLLATIONPROPERTY('SQL_Latin1_General_CP1_CI_AS', 'LCID'), COLLATIONPROPERTY('SQL_Latin1_General_CP1_CI_AS', 'ComparisonStyle'), COLLATIONPROPERTY('Latin1_General_100_CI_AI', 'Version'), COLLATIONPROPERTY('Latin1_General_100_CI_AI', 'ComparisonStyle')
SELECT COLLATIONPROPERTY('Latin1_General_BIN2', 'ComparisonStyle'), COLLATIONPROPERTY('Latin1_General_100_CI_AS_SC_UTF8', 'CodePage'), COLLATIONPROPERTY('nowhere_CI_AS', 'LCID'), COLLATIONPROPERTY('Latin1_General_CI_AS', 'nothing')
GO
--! rows
--! 1252 | 1034 | 0
--! rows
--! 1033 | 196609 | 2 | 196611
--! rows
--! 0 | 65001 | NULL | NULL
--! spec STRICT-13

CREATE TABLE v1 (v sql_variant, b sysname)
SELECT COL_LENGTH('v1', 'v'), COL_LENGTH('v1', 'b')
GO
--! rows
--! 8016 | 256
--! spec STRICT-14
SELECT LEN(@@VERSION) - LEN(REPLACE(@@VERSION, CHAR(10), '')), CASE WHEN CHARINDEX(CHAR(10), @@VERSION) < CHARINDEX(CHAR(9), @@VERSION) THEN 'first line' END
GO
--! rows
--! 4 | first line
--! spec STRICT-15

-- what goes into columns by itself
CREATE TABLE o (a text, c image, i int, d datetime, v sql_variant, bi varbinary(10), da date, u uniqueidentifier)
GO
INSERT INTO o (i) SELECT a FROM o
GO
--! error 206
INSERT INTO o (a) VALUES (5)
GO
--! error 206
INSERT INTO o (c) VALUES (CAST(5 AS float))
GO
--! error 206
UPDATE o SET i = a
GO
--! error 206
MERGE o USING (SELECT CAST('x' AS text) AS q) AS s ON 1 = 0 WHEN NOT MATCHED THEN INSERT (i) VALUES (s.q);
GO
--! error 206
INSERT INTO o (da) VALUES (5)
GO
--! error 206
INSERT INTO o (u) VALUES (5)
GO
--! error 206
INSERT INTO o (i) VALUES (CAST('2020-01-01' AS datetime))
GO
--! error 257
INSERT INTO o (bi) VALUES ('abc')
GO
--! error 257
INSERT INTO o (i) SELECT v FROM o
GO
--! error 257
SELECT CAST(a AS int) FROM o
GO
--! error 529
INSERT INTO o (a, c, i, d, v, bi, da, u) VALUES ('5', 0x12, '5', 1, 5, 5, '2020-01-01', '00000000-0000-0000-0000-000000000001')
INSERT INTO o (a, c, i, d, v, bi, da, u) VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
SELECT COUNT(*) FROM o
GO
--! rows
--! 2
--! spec STRICT-16

-- sequences
CREATE SEQUENCE s1 AS tinyint MAXVALUE 300
GO
--! error 11708
CREATE SEQUENCE s1 AS tinyint START WITH 300
GO
--! error 11708
CREATE SEQUENCE s1 AS tinyint MINVALUE -1
GO
--! error 11708
CREATE SEQUENCE s1 AS tinyint INCREMENT BY 300
GO
--! error 11708
CREATE SEQUENCE s1 AS int INCREMENT BY -100 MINVALUE 1 MAXVALUE 50
GO
--! error 11701
CREATE SEQUENCE s1 CACHE -1
GO
--! error 11706
CREATE SEQUENCE s1 CACHE 0
GO
--! error 11706
CREATE SEQUENCE s1 RESTART WITH 5
GO
--! error 11709
CREATE SEQUENCE s1 AS int MINVALUE 1 MAXVALUE 10 START WITH 5 CACHE 5
GO
ALTER SEQUENCE s1 START WITH 3
GO
--! error 11710
ALTER SEQUENCE s1 AS bigint
GO
--! error 11711
ALTER SEQUENCE s1
GO
--! error 11715
ALTER SEQUENCE s1 RESTART WITH 50000000000
GO
--! error 11708
ALTER SEQUENCE s1 INCREMENT BY 10
GO
--! error 11701
ALTER SEQUENCE s1 INCREMENT BY 9 NO CACHE NO CYCLE
GO
SELECT NEXT VALUE FOR s1
GO
--! rows
--! 5
--! spec STRICT-17 STRICT-18

-- columns of the target in OUTPUT
DELETE FROM t1 OUTPUT a
GO
--! error 207
DELETE FROM t1 OUTPUT deleted.a, t1.b
GO
--! error 4104
INSERT INTO t1 OUTPUT a VALUES (3, N'z')
GO
--! error 207
UPDATE t1 SET a = 5 OUTPUT b
GO
--! error 207
UPDATE x SET a = 5 OUTPUT x.b FROM t1 AS x
GO
--! error 4104
MERGE t1 AS x USING (SELECT 5 AS z) AS s ON s.z = x.a WHEN MATCHED THEN DELETE OUTPUT b;
GO
--! error 207
MERGE t1 AS x USING (SELECT 5 AS z) AS s ON s.z = x.a WHEN NOT MATCHED THEN INSERT VALUES (z, N'z') OUTPUT $action, inserted.a, s.z, z;
DELETE x OUTPUT deleted.a, q.z, z FROM t1 AS x JOIN (SELECT 5 AS z) AS q ON q.z = x.a
SELECT COUNT(*) FROM t1
GO
--! rows
--! INSERT | 5 | 5 | 5
--! rows
--! 5 | 5 | 5
--! rows
--! 3
--! spec STRICT-19
-- What CACHE says is in sys.sequences; ALTER without it keeps it.
CREATE SEQUENCE plain
CREATE SEQUENCE sized CACHE 5
CREATE SEQUENCE cached CACHE
CREATE SEQUENCE uncached NO CACHE
ALTER SEQUENCE sized CYCLE
ALTER SEQUENCE uncached INCREMENT BY 2
SELECT name, is_cached, cache_size FROM sys.sequences WHERE name IN ('plain', 'sized', 'cached', 'uncached') ORDER BY name
ALTER SEQUENCE sized NO CACHE
ALTER SEQUENCE uncached CACHE 7
SELECT name, is_cached, cache_size FROM sys.sequences WHERE name IN ('sized', 'uncached') ORDER BY name
GO
--! rows
--! cached | 1 | NULL
--! plain | 1 | NULL
--! sized | 1 | 5
--! uncached | 0 | NULL
--! rows
--! sized | 0 | NULL
--! uncached | 1 | 7
