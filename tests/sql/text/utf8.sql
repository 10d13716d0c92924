-- char and varchar under a UTF-8 collation: every character, lengths in bytes, positions in characters.
CREATE DATABASE D
GO
USE D
GO
CREATE TABLE t (id int PRIMARY KEY, v varchar(10) COLLATE Latin1_General_100_CI_AS_SC_UTF8, c char(6) COLLATE Latin1_General_100_CI_AS_SC_UTF8,
    m varchar(max) COLLATE Latin1_General_100_CI_AS_SC_UTF8, b varchar(10) COLLATE Latin1_General_100_BIN2_UTF8, p varchar(10));
INSERT t VALUES (1, N'aé😀', N'é', N'日本語', N'Ж', N'Ж'), (2, 'plain', 'plain', 'plain', 'plain', 'plain'), (3, N'ΑΒΓ', N'日本', REPLICATE(N'я', 4000), N'z', N'é');
SELECT id, v, LEN(v), DATALENGTH(v), CAST(v AS varbinary(10)), CAST(v AS nvarchar(10)) FROM t ORDER BY id;
SELECT id, c, DATALENGTH(c), LEN(c), LEFT(m, 3), LEN(m), DATALENGTH(m), b, p FROM t ORDER BY id;
SELECT SUBSTRING(v, 2, 2), REVERSE(v), CHARINDEX(N'😀', v), UPPER(v), LOWER(N'ΑΒΓ' COLLATE Latin1_General_100_CI_AS_SC_UTF8), v + N'я', CONCAT(v, v), v + v FROM t WHERE id = 1;
SELECT name, collation_name, max_length FROM sys.columns WHERE object_id = OBJECT_ID('t') AND name IN ('v', 'b') ORDER BY name;
SELECT COLLATIONPROPERTY('Latin1_General_100_CI_AS_SC_UTF8', 'CodePage'), COLLATIONPROPERTY('Latin1_General_100_BIN2_UTF8', 'CodePage')
GO
--! rows
--! 1 | aé😀 | 3 | 7 | 0x61C3A9F09F9880 | aé😀
--! 2 | plain | 5 | 5 | 0x706C61696E | plain
--! 3 | ΑΒΓ | 3 | 6 | 0xCE91CE92CE93 | ΑΒΓ
--! rows
--! 1 | é     | 6 | 1 | 日本語 | 3 | 9 | Ж | ?
--! 2 | plain  | 6 | 5 | pla | 5 | 5 | plain | plain
--! 3 | 日本 | 6 | 2 | яяя | 4000 | 8000 | z | é
--! rows
--! é😀 | 😀éa | 3 | AÉ😀 | αβγ | aé😀я | aé😀aé😀 | aé😀aé😀
--! rows
--! b | Latin1_General_100_BIN2_UTF8 | 10
--! v | Latin1_General_100_CI_AS_SC_UTF8 | 10
--! rows
--! 65001 | 65001
--! spec TEXT-13
SELECT COUNT(*) FROM t WHERE v = N'AÉ😀'; SELECT COUNT(*) FROM t WHERE v LIKE N'α%'; SELECT COUNT(*) FROM t WHERE b = N'ж';
SELECT COUNT(*) FROM t AS x JOIN t AS y ON x.v = UPPER(y.v)
GO
--! rows
--! 1
--! rows
--! 1
--! rows
--! 0
--! rows
--! 3
INSERT t (id, v) VALUES (4, N'日本語x')
GO
INSERT t (id, v) VALUES (5, N'日本語xy')
GO
--! error 2628
UPDATE t SET v = N'яяяяяя' WHERE id = 1
GO
--! error 2628
INSERT t (id, c) VALUES (6, N'日本    ')
GO
UPDATE t SET p = v WHERE id IN (1, 4);
SELECT id, p FROM t WHERE id IN (1, 4) ORDER BY id;
SELECT CAST(v AS varchar(4)), DATALENGTH(CAST(v AS varchar(4))) FROM t WHERE id = 4;
UPDATE t SET v = 0xC3A9 WHERE id = 1;
SELECT v FROM t WHERE id = 1;
DECLARE @n nvarchar(20) = (SELECT m FROM t WHERE id = 1); SELECT @n, DATALENGTH(@n);
SELECT id INTO #ids FROM t; SELECT v INTO #copy FROM t; SELECT DATALENGTH(v) FROM #copy WHERE v = N'日本語X'
GO
--! rows
--! 1 | aé??
--! 4 | ???x
--! rows
--! 日 | 3
--! rows
--! é
--! rows
--! 日本語 | 6
--! rows
--! 10
--! spec TEXT-13
SELECT 'a' COLLATE Latin1_General_CI_AS_UTF8
GO
--! error 448
SELECT 'a' COLLATE Latin1_General_100_CI_AS_UTF8
GO
--! error 448
CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]);
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF;
DECLARE @sql nvarchar(200) = N'DECLARE @b varbinary(20) = (SELECT CAST(m AS varbinary(20)) FROM t WHERE id = 1); SEND ON CONVERSATION @h (@b)';
EXEC sp_executesql @sql, N'@h uniqueidentifier', @h
GO
--! settle
SELECT message_body FROM q
GO
--! rows
--! 0xE697A5E69CACE8AA9E
