"""Function pages that no other topic shows: bits, JSON constructors, windows, aggregates,
errors, triggers, cursors, the session."""

from __future__ import annotations

_F = "t-sql/functions/"

BITS = [
    (_F + "bit-count", "SELECT BIT_COUNT(0xabcdef), BIT_COUNT(17)", "17 | 2"),
    (_F + "get-bit", "SELECT GET_BIT(0xabcdef, 2), GET_BIT(0xabcdef, 4)", "1 | 0"),
    (_F + "set-bit", "SELECT SET_BIT(0x00, 2)", "0x04"),
    (_F + "set-bit", "SELECT SET_BIT(0xabcdef, 0, 0)", "0xABCDEE"),
    (_F + "left-shift", "SELECT LEFT_SHIFT(12345, 5)", "395040"),
    (_F + "left-shift", "SELECT 12345 << 1, 12345 << 2, 12345 << 3, 12345 << 4, 12345 << 5", "24690 | 49380 | 98760 | 197520 | 395040"),
    (_F + "left-shift", "SELECT IIF(LEFT_SHIFT(9, -1) = RIGHT_SHIFT(9, 1), 'same', ''), LEFT_SHIFT(9, 40)", "same | 0"),
    (_F + "right-shift", "SELECT RIGHT_SHIFT(12345, 5), 12345 >> 5", "385 | 385"),
]  # fmt: skip

JSON = [
    (_F + "json-array", "SELECT JSON_ARRAY()", "[]"),
    (_F + "json-array", "SELECT JSON_ARRAY('a', 1, 'b', 2)", '["a",1,"b",2]'),
    (_F + "json-array", "SELECT JSON_ARRAY('a', 1, 'b', NULL)", '["a",1,"b"]'),
    (_F + "json-array", "SELECT JSON_ARRAY('a', 1, NULL, 2 NULL ON NULL)", '["a",1,null,2]'),
    (_F + "json-array", "SELECT JSON_ARRAY('a', JSON_OBJECT('name':'value', 'type':1))", '["a",{"name":"value","type":1}]'),
    (_F + "json-array", "SELECT JSON_ARRAY('a', JSON_OBJECT('name':'value', 'type':1), JSON_ARRAY(1, NULL, 2 NULL ON NULL))",
     '["a",{"name":"value","type":1},[1,null,2]]'),
    (_F + "json-object", "SELECT JSON_OBJECT()", "{}"),
    (_F + "json-object", "SELECT JSON_OBJECT('name':'value', 'type':1)", '{"name":"value","type":1}'),
    (_F + "json-object", "SELECT JSON_OBJECT('name':'value', 'type':NULL ABSENT ON NULL)", '{"name":"value"}'),
    (_F + "json-object", "SELECT JSON_OBJECT('name':'value', 'type':JSON_ARRAY(1, 2))", '{"name":"value","type":[1,2]}'),
    (_F + "json-object", "SELECT JSON_OBJECT('name':'value', 'type':JSON_OBJECT('type_id':1, 'name':'a'))", '{"name":"value","type":{"type_id":1,"name":"a"}}'),
    (_F + "json-path-exists", "DECLARE @j nvarchar(max) = N'{\"info\":{\"address\":[{\"town\":\"Paris\"},{\"town\":\"London\"}]}}'; SELECT JSON_PATH_EXISTS(@j, '$.info.address'), JSON_PATH_EXISTS(@j, '$.info.addresses')",
     "1 | 0"),
    (_F + "isjson", "SELECT ISJSON('true', VALUE), ISJSON('test string', VALUE), ISJSON('\"test string\"', SCALAR)", "1 | 0 | 1"),
]  # fmt: skip

_T = "CREATE TABLE #t (a int, b int, c int); INSERT #t VALUES (1, 1, -3), (2, 2, 4), (3, 1, NULL), (4, 3, 1), (5, 2, NULL), (6, 1, 5); "
_SCORES = "CREATE TABLE #s (who char(1), score int); INSERT #s VALUES ('a', 10), ('b', 20), ('c', 20), ('d', 30); "
WINDOWS = [
    (_F + "lag", _T + "SELECT b, c, LAG(2 * c, b * (SELECT MIN(b) FROM #t), -c / 2.0) OVER (ORDER BY a) AS i FROM #t ORDER BY a",
     "1 | -3 | 1", "2 | 4 | -2", "1 | NULL | 8", "3 | 1 | -6", "2 | NULL | NULL", "1 | 5 | NULL"),
    (_F + "lead", _T + "SELECT b, c, LEAD(2 * c, b * (SELECT MIN(b) FROM #t), -c / 2.0) OVER (ORDER BY a) AS i FROM #t ORDER BY a",
     "1 | -3 | 8", "2 | 4 | 2", "1 | NULL | 2", "3 | 1 | 0", "2 | NULL | NULL", "1 | 5 | -2"),
    (_F + "rank", _SCORES + "SELECT who, RANK() OVER (ORDER BY score DESC), DENSE_RANK() OVER (ORDER BY score DESC), ROW_NUMBER() OVER (ORDER BY score DESC, who) FROM #s ORDER BY who",
     "a | 4 | 3 | 4", "b | 2 | 2 | 2", "c | 2 | 2 | 3", "d | 1 | 1 | 1"),
    (_F + "dense-rank", _SCORES + "SELECT who, DENSE_RANK() OVER (ORDER BY score) FROM #s ORDER BY who", "a | 1", "b | 2", "c | 2", "d | 3"),
    (_F + "percent-rank", _SCORES + "SELECT who, PERCENT_RANK() OVER (ORDER BY score), CUME_DIST() OVER (ORDER BY score) FROM #s WHERE who <> 'c' ORDER BY who",
     "a | 0.0 | 0.33333333333333331", "b | 0.5 | 0.66666666666666663", "d | 1.0 | 1.0"),
    (_F + "first-value", _SCORES + "SELECT who, FIRST_VALUE(who) OVER (ORDER BY score, who), LAST_VALUE(who) OVER (ORDER BY score, who ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM #s ORDER BY who",
     "a | a | d", "b | a | d", "c | a | d", "d | a | d"),
    (_F + "last-value", _SCORES + "SELECT who, LAST_VALUE(who) OVER (ORDER BY score, who) FROM #s ORDER BY who", "a | a", "b | b", "c | c", "d | d"),
    (_F + "percentile-cont", _SCORES + "SELECT DISTINCT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY score) OVER (), PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY score) OVER () FROM #s",
     "20.0 | 10"),
    (_F + "row-number", _SCORES + "SELECT ROW_NUMBER() OVER (PARTITION BY score ORDER BY who), who FROM #s ORDER BY who", "1 | a", "1 | b", "2 | c", "1 | d"),
    (_F + "ntile", _SCORES + "SELECT who, NTILE(3) OVER (ORDER BY score, who) FROM #s ORDER BY who", "a | 1", "b | 1", "c | 2", "d | 3"),
]  # fmt: skip

_N = "CREATE TABLE #n (n int, d decimal(5, 2)); INSERT #n VALUES (1, 1.5), (1, 1.5), (2, 2.25), (NULL, NULL); "
AGGREGATES = [
    (_F + "avg", _N + "SELECT AVG(n), AVG(DISTINCT n), AVG(d), AVG(CAST(n AS float)) FROM #n", "1 | 1 | 1.750000 | 1.3333333333333333"),
    (_F + "count", _N + "SELECT COUNT(*), COUNT(n), COUNT(DISTINCT n) FROM #n", "4 | 3 | 2"),
    (_F + "count-big", _N + "SELECT COUNT_BIG(*), SQL_VARIANT_PROPERTY(COUNT_BIG(*), 'BaseType') FROM #n", "4 | bigint"),
    (_F + "max", _N + "SELECT MAX(n), MIN(n), MAX(d) FROM #n", "2 | 1 | 2.25"),
    (_F + "min", _N + "SELECT MIN(n) FROM #n WHERE n > 5", "NULL"),
    (_F + "sum", _N + "SELECT SUM(n), SUM(DISTINCT n), SUM(d) FROM #n", "4 | 3 | 5.25"),
    (_F + "sum", "SELECT SUM(i) FROM (VALUES (2147483647), (1)) AS v (i)", "error 8115"),
    (_F + "stdev", "SELECT STDEV(i), STDEVP(i) FROM (VALUES (2), (4), (4), (4), (5), (5), (7), (9)) AS v (i)", "2.1380899352993952 | 2.0"),
    (_F + "stdevp", "SELECT STDEVP(i), STDEV(i) FROM (VALUES (5)) AS v (i)", "0.0 | NULL"),
    (_F + "var", "SELECT VAR(i), VARP(i) FROM (VALUES (1), (2), (3), (4)) AS v (i)", "1.6666666666666667 | 1.25"),
    (_F + "varp", "SELECT VARP(DISTINCT i) FROM (VALUES (1), (1), (3)) AS v (i)", "1.0"),
    (_F + "checksum-agg", "CREATE TABLE #c (n int); INSERT #c VALUES (1), (2); DECLARE @before int = (SELECT CHECKSUM_AGG(n) FROM #c); UPDATE #c SET n = 7 WHERE n = 2; SELECT IIF(@before = (SELECT CHECKSUM_AGG(n) FROM #c), 'same', 'changed')", "changed"),
    (_F + "approx-count-distinct", _N + "SELECT APPROX_COUNT_DISTINCT(n) FROM #n", "2"),
    (_F + "approx-percentile-cont", _SCORES + "SELECT APPROX_PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY score), APPROX_PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY score) FROM #s", "20.0 | 20"),
    (_F + "grouping", _SCORES + "SELECT score, GROUPING(score), COUNT(*) FROM #s GROUP BY ROLLUP (score) ORDER BY GROUPING(score), score", "10 | 0 | 1", "20 | 0 | 2", "30 | 0 | 1", "NULL | 1 | 4"),
]  # fmt: skip

_LEAST = _F + "logical-functions-least"
CHOOSING = [
    (_F + "logical-functions-greatest", "SELECT GREATEST('6.62', 3.1415, N'7')", "7.0000"),
    (_F + "logical-functions-greatest", "SELECT GREATEST('Glacier', N'Joshua Tree', 'Mount Rainier')", "Mount Rainier"),
    (_LEAST, "SELECT LEAST('6.62', 3.1415, N'7')", "3.1415"),
    (_LEAST, "SELECT LEAST('Glacier', N'Joshua Tree', 'Mount Rainier')", "Glacier"),
    (_LEAST, "DECLARE @a decimal(3, 2), @b int = NULL; SELECT LEAST(@a, 4, @b), LEAST(@a, @b)", "4.00 | NULL"),
]  # fmt: skip

_CATCH = "BEGIN TRY\nSELECT 1 / 0 AS x\nEND TRY\nBEGIN CATCH\n"
ERRORS = [
    (_F + "error-number", _CATCH + "SELECT ERROR_NUMBER(), ERROR_SEVERITY(), ERROR_STATE(), ERROR_LINE(), ERROR_PROCEDURE()\nEND CATCH", "8134 | 16 | 1 | 2 | NULL"),
    (_F + "error-line", "SELECT ERROR_LINE(), ERROR_NUMBER(), ERROR_MESSAGE(), ERROR_STATE(), ERROR_SEVERITY()", "NULL | NULL | NULL | NULL | NULL"),
    (_F + "error-procedure", "CREATE PROCEDURE #divide AS\nSELECT 1 / 0 AS x\nGO\nBEGIN TRY EXEC #divide END TRY BEGIN CATCH SELECT LEFT(ERROR_PROCEDURE(), 7), ERROR_LINE() END CATCH", "#divide | 2"),
    (_F + "error-severity", "BEGIN TRY RAISERROR('own', 13, 4) END TRY BEGIN CATCH SELECT ERROR_SEVERITY(), ERROR_STATE(), ERROR_NUMBER() END CATCH", "13 | 4 | 50000"),
    (_F + "error", "SELECT 1 / 0 AS x; SELECT @@ERROR; SELECT @@ERROR", "error 8134", "8134", "0"),
]  # fmt: skip

_CURSOR = "DECLARE c CURSOR GLOBAL STATIC FOR SELECT value FROM GENERATE_SERIES(1, 3); "
SESSION = [
    (_F + "cursor-rows", "SELECT @@CURSOR_ROWS; " + _CURSOR + "OPEN c; SELECT @@CURSOR_ROWS; CLOSE c; DEALLOCATE c", "0", "3"),
    (_F + "cursor-status", _CURSOR + "SELECT CURSOR_STATUS('global', 'c'); OPEN c; SELECT CURSOR_STATUS('global', 'c'); CLOSE c; SELECT CURSOR_STATUS('global', 'c'); DEALLOCATE c; SELECT CURSOR_STATUS('global', 'c')",
     "-1", "1", "-1", "-3"),
    (_F + "fetch-status", _CURSOR + "DECLARE @n int; OPEN c; FETCH c INTO @n; SELECT @@FETCH_STATUS; FETCH c INTO @n; FETCH c INTO @n; FETCH c INTO @n; SELECT @@FETCH_STATUS; CLOSE c; DEALLOCATE c", "0", "-1"),
    (_F + "rowcount", "CREATE TABLE #r (n int); INSERT #r VALUES (1), (2); UPDATE #r SET n = 3 WHERE n = 9; SELECT @@ROWCOUNT, ROWCOUNT_BIG()", "0 | 0"),
    (_F + "current-user", "SELECT CURRENT_USER, SESSION_USER, USER, USER_NAME(), USER_ID()", "dbo | dbo | dbo | dbo | 1"),
    (_F + "user", "DECLARE @usr char(30) = USER; SELECT 'The current user''s database username is: ' + @usr", "The current user's database username is: dbo                           "),
    (_F + "suser-sid", "SELECT SUSER_SID('sa'), SUSER_SNAME(0x01), SUSER_NAME(1), SUSER_ID('sa')", "0x01 | sa | sa | 1"),
    (_F + "max-connections", "SELECT @@MAX_CONNECTIONS, @@MAX_PRECISION, @@REMSERVER", "32767 | 38 | NULL"),
    (_F + "db-name", "SELECT DB_NAME(), DB_ID(), DB_NAME(2)", "master | 1 | tempdb"),
    (_F + "host-id", "SELECT IIF(HOST_NAME() IS NULL, 0, 1), DATALENGTH(HOST_ID())", "1 | 10"),
    (_F + "current-transaction-id", "DECLARE @id bigint; BEGIN TRANSACTION; SET @id = CURRENT_TRANSACTION_ID(); SELECT IIF(@id = CURRENT_TRANSACTION_ID(), 'same', ''); ROLLBACK", "same"),
    (_F + "decompress", "SELECT CAST(DECOMPRESS(COMPRESS(N'{\"sport\":\"Tennis\"}')) AS nvarchar(max))", '{"sport":"Tennis"}'),
    (_F + "crypt-gen-random", "SELECT DATALENGTH(CRYPT_GEN_RANDOM(50)), DATALENGTH(CRYPT_GEN_RANDOM(4, 0x25F18060)), CRYPT_GEN_RANDOM(8001)", "50 | 4 | NULL"),
    (_F + "pwdcompare", "SELECT PWDCOMPARE('', PWDENCRYPT('')), PWDCOMPARE('a', PWDENCRYPT('b'))", "1 | 0"),
    (_F + "ident-current", "CREATE TABLE #i (id int IDENTITY(5, 3), n int); INSERT #i VALUES (1), (1); SELECT IDENT_SEED('tempdb..#i'), IDENT_INCR('tempdb..#i'), IDENT_CURRENT('tempdb..#i'), @@IDENTITY", "5 | 3 | 8 | 8"),
    (_F + "identity-function", "SELECT IDENTITY(int, 1, 1) AS id, v INTO #made FROM (VALUES ('b'), ('c')) AS t (v); SELECT COUNT(*), MIN(id), MAX(id) FROM #made", "2 | 1 | 2"),
    (_F + "identity-function", "SELECT IDENTITY(int, 1, 1) AS id", "error 177"),
    (_F + "newsequentialid", "CREATE TABLE #k (id uniqueidentifier DEFAULT NEWSEQUENTIALID(), n int); INSERT #k (n) VALUES (1); INSERT #k (n) VALUES (2); SELECT n FROM #k ORDER BY id", "1", "2"),
    (_F + "newsequentialid", "SELECT NEWSEQUENTIALID()", "error 302"),
    (_F + "upper", "SELECT UPPER(RTRIM('Bell     ')) + ', ' + LOWER('Ann')", "BELL, ann"),
    (_F + "language", "SET LANGUAGE Italian; SELECT @@LANGUAGE, @@LANGID, @@DATEFIRST", "Italiano | 6 | 1"),
]  # fmt: skip

_LOGGED = "CREATE TABLE dbo.hours_{0} (id int, vacation int, sick int);\nGO\nINSERT dbo.hours_{0} VALUES (1, 1, 1);\nGO\nCREATE TRIGGER dbo.look_{0} ON dbo.hours_{0} AFTER UPDATE AS {1};\nGO\n"
TRIGGERS = [
    (_F + "update-trigger-functions", _LOGGED.format("a", "SELECT IIF(UPDATE(vacation) OR UPDATE(sick), 'hours', 'other')") + "UPDATE dbo.hours_a SET sick = 2; UPDATE dbo.hours_a SET id = 2", "hours", "other"),
    (_F + "columns-updated", _LOGGED.format("b", "SELECT COLUMNS_UPDATED() & 6") + "UPDATE dbo.hours_b SET vacation = 2, sick = 2; UPDATE dbo.hours_b SET id = 2", "6", "0"),
    (_F + "trigger-nestlevel", _LOGGED.format("c", "SELECT TRIGGER_NESTLEVEL()") + "SELECT TRIGGER_NESTLEVEL(); UPDATE dbo.hours_c SET id = 2", "0", "1"),
]  # fmt: skip

EXAMPLES = [*BITS, *JSON, *WINDOWS, *AGGREGATES, *CHOOSING, *ERRORS, *SESSION, *TRIGGERS]
