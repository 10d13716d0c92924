-- ISJSON with its word, JSON_PATH_EXISTS, JSON_VALUE, JSON_QUERY and JSON_MODIFY: lax and strict.
SELECT ISJSON('1'), ISJSON('1', VALUE), ISJSON('"a"', SCALAR), ISJSON('true', SCALAR), ISJSON('[]', ARRAY), ISJSON('{}', OBJECT), ISJSON('{}', ARRAY), ISJSON(NULL), ISJSON('{a:1}'), ISJSON('{}');
SELECT JSON_PATH_EXISTS('{"a": {"b": 1}}', '$.a.b'), JSON_PATH_EXISTS('{"a": 1}', '$.c'), JSON_PATH_EXISTS(NULL, '$.a'), JSON_PATH_EXISTS('nothing', '$.a');
SELECT JSON_MODIFY('{"a":[1]}', 'append $.a', JSON_QUERY('[2]')), JSON_MODIFY('{"a":1}', '$.a', NULL), JSON_MODIFY('{"a":1}', 'strict $.a', NULL), JSON_MODIFY('{"a":[1,2]}', '$.a[0]', NULL),
    JSON_MODIFY('{}', 'append $.x', 1), JSON_MODIFY('{"a":1}', '$.b.c', 1), JSON_MODIFY(JSON_MODIFY('{}', '$.a', 'x'), '$.b', 'y');
GO
--! rows
--! 0 | 1 | 1 | 0 | 1 | 1 | 0 | NULL | 0 | 1
--! rows
--! 1 | 0 | NULL | 0
--! rows
--! {"a":[1,[2]]} | {} | {"a":null} | {"a":[null,2]} | {"x":[1]} | {"a":1} | {"a":"x","b":"y"}
SELECT ISJSON('{}', NOTHING);
GO
--! error 102
SELECT JSON_MODIFY('{"a":1}', 'strict $.b', 1);
GO
--! error 13608
SELECT JSON_MODIFY('{"a":1}', 'append strict $.a', 1);
GO
--! error 13621
SELECT JSON_MODIFY('{"a":1}', '$', 1);
GO
--! error 13619
SELECT JSON_VALUE('{"a":1}', 'a');
GO
--! error 13607 text position 0
SELECT JSON_VALUE('{"a":1}', '$.a[x]');
GO
--! error 13607 text position 4
SELECT JSON_VALUE('{a:1}', '$.a');
GO
--! error 13609 text position 1
SELECT JSON_VALUE('5', '$');
GO
--! error 13609
SELECT JSON_VALUE('{"a":{}}', 'strict $.a');
GO
--! error 13623
SELECT JSON_QUERY('{"a":1}', 'strict $.a');
GO
--! error 13624
SELECT JSON_VALUE(N'{"a":"' + REPLICATE(CAST(N'x' AS nvarchar(max)), 4001) + N'"}', 'strict $.a');
GO
--! error 13625
SELECT JSON_QUERY(REPLICATE(CAST('[' AS varchar(max)), 200) + REPLICATE(CAST(']' AS varchar(max)), 200));
GO
--! error 13606
SELECT STRING_ESCAPE('a', 'xml');
GO
--! error 13622
-- Digits are those of ASCII, and an escape in a path is one of JSON.
SELECT ISJSON(N'[1٣]'), ISJSON(N'[٣]');
GO
--! rows
--! 0 | 0
SELECT JSON_VALUE('{"a":1}', '$."\q"');
GO
--! error 13607
-- Over columns, aggregates and subqueries.
CREATE TABLE dbo.Texts (k int, j nvarchar(100));
INSERT dbo.Texts VALUES (1, N'{"a":[1,2],"b":"c"}'), (2, N'{"a": [1.50], "b" : 2.50}'), (3, N'[]'), (4, NULL);
SELECT k, JSON_VALUE(j, '$.b'), JSON_QUERY(j, '$.a'), JSON_MODIFY(j, '$.b', k), ISJSON(j, ARRAY) FROM dbo.Texts ORDER BY k;
SELECT JSON_VALUE(MAX(j), '$.b'), JSON_PATH_EXISTS(MIN(j), '$.b'), JSON_MODIFY(MAX(j), '$.k', MAX(k)) FROM dbo.Texts WHERE k = 1;
SELECT JSON_VALUE(j, '$.b') FROM dbo.Texts GROUP BY j HAVING JSON_QUERY(j, '$.a') = N'[1,2]';
SELECT k, ISJSON((SELECT t.j FROM dbo.Texts AS t WHERE t.k = o.k)) FROM dbo.Texts AS o ORDER BY k;
DROP TABLE dbo.Texts;
GO
--! rows
--! 1 | c | [1,2] | {"a":[1,2],"b":1} | 0
--! 2 | 2.50 | [1.50] | {"a": [1.50], "b" : 2} | 0
--! 3 | NULL | NULL | [] | 1
--! 4 | NULL | NULL | NULL | NULL
--! rows
--! c | 1 | {"a":[1,2],"b":"c","k":1}
--! rows
--! c
--! rows
--! 1 | 1
--! 2 | 1
--! 3 | 1
--! 4 | NULL
-- The name in the path is the member's name as it is, whether it is there, is put in or is the array that is begun.
SELECT JSON_MODIFY(N'{"é":1}', N'$."é"', 2), JSON_MODIFY(N'{}', N'$."é日"', 1), JSON_MODIFY(N'{}', N'append $."é日"', 1), JSON_MODIFY(N'{"a":{"x":1}}', N'append $.a."ß"', N'ü'), JSON_MODIFY(N'{"é":[1]}', N'append $."é"', N'ü');
SELECT JSON_MODIFY(j, N'$."é"', 2), JSON_MODIFY(j, N'$."日"', 1), JSON_MODIFY(j, N'append $."日"', 1), JSON_MODIFY(j, N'append $."é"', JSON_QUERY(N'["ü"]')) FROM (VALUES (N'{"é":[1]}')) AS v (j);
GO
--! rows
--! {"é":2} | {"é日":1} | {"é日":[1]} | {"a":{"x":1,"ß":["ü"]}} | {"é":[1,"ü"]}
--! rows
--! {"é":2} | {"é":[1],"日":1} | {"é":[1],"日":[1]} | {"é":[1,["ü"]]}
