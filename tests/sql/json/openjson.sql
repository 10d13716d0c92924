-- OPENJSON: the default schema, WITH, lax and strict paths (the page "OPENJSON").
SELECT * FROM OPENJSON(N'{"a": {"b": [1, 2]}, "c": 1.50, "d": "x\u0041", "e": null, "f": true}');
SELECT * FROM OPENJSON(N'[1, "a", null, {"x": 1}, [2]]');
SELECT * FROM OPENJSON(N'{"a": [{"b": 1}, {"b": 2}]}', '$.a') WITH (b int, c int '$.b', whole nvarchar(max) '$' AS JSON);
SELECT * FROM OPENJSON(N'[1, 2]') WITH (v int '$');
SELECT * FROM OPENJSON(N'{"a": 1, "a": 2}');
SELECT COUNT(*) FROM OPENJSON(N'{"a": 5}', 'lax $.b');
SELECT COUNT(*) FROM OPENJSON(N'{"a": 5}', '$.a');
SELECT COUNT(*) FROM OPENJSON(CAST(NULL AS nvarchar(max)));
SELECT * FROM OPENJSON(N'{"a": {"b": 1}}') WITH (a int, whole nvarchar(max) '$.a' AS JSON, deep int '$.a.b', none int '$.z');
SELECT * FROM OPENJSON(N'{"d": "2020-01-01T10:00:00", "g": "0E984725-C51C-4BF4-9960-E1C80E27ABA0", "b": true, "x": "AQI=", "n": 1.5}')
    WITH (d datetime2(0), g uniqueidentifier, b bit, x varbinary(10), n decimal(5, 2));
GO
--! rows
--! a | {"b": [1, 2]} | 5
--! c | 1.50 | 2
--! d | xA | 1
--! e | NULL | 0
--! f | true | 3
--! rows
--! 0 | 1 | 2
--! 1 | a | 1
--! 2 | NULL | 0
--! 3 | {"x": 1} | 5
--! 4 | [2] | 4
--! rows
--! 1 | 1 | {"b": 1}
--! 2 | 2 | {"b": 2}
--! rows
--! 1
--! 2
--! rows
--! a | 1 | 2
--! a | 2 | 2
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
--! rows
--! NULL | {"b": 1} | 1 | NULL
--! rows
--! 2020-01-01 10:00:00 | 0E984725-C51C-4BF4-9960-E1C80E27ABA0 | 1 | 0x0102 | 1.50
SELECT * FROM OPENJSON(N'{"a": 5}', 'strict $.b');
GO
--! error 13608
SELECT * FROM OPENJSON(N'{"a": 5}', 'strict $.a');
GO
--! error 13611
SELECT * FROM OPENJSON(N'{"a": 5}') WITH (b int 'strict $.b');
GO
--! error 13608
SELECT * FROM OPENJSON(N'{"a": {}}') WITH (a int 'strict $.a');
GO
--! error 13624
SELECT * FROM OPENJSON(N'{"a": 1}') WITH (a nvarchar(max) 'strict $.a' AS JSON);
GO
--! error 13624
SELECT * FROM OPENJSON(N'{"a": 1}') WITH (a nvarchar(50) AS JSON);
GO
--! error 13618
SELECT * FROM OPENJSON(N'{"a": 1}') WITH (a ntext);
GO
--! error 13614
SELECT * FROM OPENJSON(N'{"a": "abc"}') WITH (a int);
GO
--! error 245
SELECT * FROM OPENJSON(N'{"a": "?"}') WITH (a varbinary(5));
GO
--! error 13612
SELECT * FROM OPENJSON(N'{"a": "AQIDBA=="}') WITH (a varbinary(2));
GO
--! error 13613
SELECT * FROM OPENJSON(N'{"a": 5');
GO
--! error 13609
SELECT * FROM OPENJSON(N'5');
GO
--! error 13609
-- NULL is no path; a strict path to null is NULL, to an array no scalar; keys have 4,000 characters; names need no quotes.
SELECT * FROM OPENJSON('{"a":[1]}', NULL);
GO
--! error 8116
DECLARE @p nvarchar(20); SELECT * FROM OPENJSON('{"a":[1]}', @p);
GO
--! error 8116
SELECT x FROM OPENJSON('{"n":null}') WITH (x nvarchar(max) 'strict $.n' AS JSON);
SELECT LEN([key]) FROM OPENJSON('{"' + REPLICATE(CAST('k' AS varchar(max)), 4001) + '":1}');
SELECT [a b], [c"d] FROM OPENJSON('[{"a b":5,"c\"d":6}]') WITH ([a b] int, [c"d] int);
GO
--! rows
--! NULL
--! rows
--! 4000
--! rows
--! 5 | 6
SELECT * FROM OPENJSON('{"v":[1,2]}') WITH (v int 'strict $.v');
GO
--! error 13624
SELECT * FROM OPENJSON('[{"v":true}]') WITH (v int);
GO
--! error 245 text nvarchar value 'true'
SELECT CAST(N'<a>x</a>' AS xml).value('(/a)[1]', 'int');
GO
--! error 245 text nvarchar value 'x'
