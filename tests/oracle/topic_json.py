"""JSON: JSON_VALUE, JSON_QUERY, JSON_MODIFY, OPENJSON, FOR JSON. A text is compared without the blanks that the pages
add for reading."""

from __future__ import annotations

_VALUE = "t-sql/functions/json-value"
_QUERY = "t-sql/functions/json-query"
_MODIFY = "t-sql/functions/json-modify"
_OPEN = "t-sql/functions/openjson"
_FOR = "relational-databases/json/format-query-results-as-json-with-for-json-sql-server"
_INFO = """DECLARE @j nvarchar(max) = N'{"info":{"type":1,"address":{"town":"Bristol","county":"Avon","country":"England"},"tags":["Sport","Water polo"]},"type":"Basic"}'; """
_JOHN = """DECLARE @j nvarchar(100) = '{"name":"John","skills":["C#","SQL"]}'; """

READING = [
    *[(_VALUE, f"{_INFO}SELECT JSON_VALUE(@j, '{path}')", value) for path, value in [
        ("$", "NULL"), ("$.info.type", "1"), ("strict $.info.type", "1"), ("$.info.address.town", "Bristol"), ('$.info."address"', "NULL"), ("$.info.tags", "NULL"),
        ("$.info.type[0]", "NULL"), ("$.info.none", "NULL")]],
    *[(_VALUE, f"{_INFO}SELECT JSON_VALUE(@j, 'strict {path}')", f"error {number}") for path, number in [("$", 13623), ("$.info.tags", 13623), ("$.info.none", 13608)]],
    (_VALUE, """DECLARE @j nvarchar(max) = N'{"info":{"address":[{"town":"Paris"},{"town":"London"}]}}'; SELECT JSON_VALUE(@j, '$.info.address[0].town'), JSON_VALUE(@j, '$.info.address[1].town')""",
     "Paris | London"),
    *[(_QUERY, f"{_INFO}SELECT JSON_QUERY(@j, '{path}')", value) for path, value in [
        ("$.info.type", "NULL"), ("$.info.address.town", "NULL"), ('$.info."address"', '{"town":"Bristol","county":"Avon","country":"England"}'), ("$.info.tags", '["Sport","Water polo"]'),
        ("$.info.type[0]", "NULL"), ("$.info.none", "NULL")]],
    (_QUERY, _INFO + "SELECT CASE WHEN JSON_QUERY(@j) = @j THEN 1 END", "1"),
    *[(_QUERY, f"{_INFO}SELECT JSON_QUERY(@j, 'strict {path}')", f"error {number}") for path, number in [("$.info.type", 13624), ("$.info.none", 13608)]],
]  # fmt: skip

CHANGING = [
    (_MODIFY, _JOHN + """SET @j = JSON_MODIFY(@j, '$.name', 'Mike'); PRINT @j; SET @j = JSON_MODIFY(@j, '$.surname', 'Smith'); PRINT @j; SET @j = JSON_MODIFY(@j, '$.name', NULL); PRINT @j;
        SET @j = JSON_MODIFY(@j, 'append $.skills', 'Azure'); PRINT @j""",
     'print {"name":"Mike","skills":["C#","SQL"]}', 'print {"name":"Mike","skills":["C#","SQL"],"surname":"Smith"}', 'print {"skills":["C#","SQL"],"surname":"Smith"}',
     'print {"skills":["C#","SQL","Azure"],"surname":"Smith"}'),
    (_MODIFY, _JOHN + "SELECT JSON_MODIFY(JSON_MODIFY(JSON_MODIFY(@j, '$.name', 'Mike'), '$.surname', 'Smith'), 'append $.skills', 'Azure')", '{"name":"Mike","skills":["C#","SQL","Azure"],"surname":"Smith"}'),
    (_MODIFY, """DECLARE @p nvarchar(100) = '{"price":49.99}'; SELECT JSON_MODIFY(JSON_MODIFY(@p, '$.Price', CAST(JSON_VALUE(@p, '$.price') AS numeric(4, 2))), '$.price', NULL)""", '{"Price":49.99}'),
    (_MODIFY, """DECLARE @s nvarchar(100) = '{"click_count": 173}'; SELECT JSON_MODIFY(@s, '$.click_count', CAST(JSON_VALUE(@s, '$.click_count') AS int) + 1)""", '{"click_count": 174}'),
    (_MODIFY, _JOHN + """SELECT JSON_MODIFY(@j, '$.skills', '["C#","T-SQL","Azure"]')""", r'{"name":"John","skills":"[\"C#\",\"T-SQL\",\"Azure\"]"}'),
    (_MODIFY, _JOHN + """SELECT JSON_MODIFY(@j, '$.skills', JSON_QUERY('["C#","T-SQL","Azure"]'))""", '{"name":"John","skills":["C#","T-SQL","Azure"]}'),
    (_MODIFY, _JOHN + "SELECT JSON_MODIFY(@j, 'strict $.none', 'x')", "error 13608"),
    (_MODIFY, _JOHN + "SELECT JSON_MODIFY(@j, 'strict $.name', NULL), JSON_MODIFY(@j, '$.none', NULL)", '{"name":null,"skills":["C#","SQL"]} | {"name":"John","skills":["C#","SQL"]}'),
]  # fmt: skip

OPENING = [
    (_OPEN, """DECLARE @j nvarchar(4000) = N'{"StringValue":"John","IntValue":45,"TrueValue":true,"FalseValue":false,"NullValue":null,"ArrayValue":["a","r","r","a","y"],"ObjectValue":{"obj":"ect"}}';
        SELECT * FROM OPENJSON(@j)""",
     "StringValue | John | 1", "IntValue | 45 | 2", "TrueValue | true | 3", "FalseValue | false | 3", "NullValue | NULL | 0", 'ArrayValue | ["a","r","r","a","y"] | 4', 'ObjectValue | {"obj":"ect"} | 5'),
    (_OPEN, """DECLARE @j nvarchar(4000) = N'{"path":{"to":{"sub-object":["en-GB","en-UK","de-AT","es-AR","sr-Cyrl"]}}}'; SELECT [key], value FROM OPENJSON(@j, '$.path.to."sub-object"')""",
     "0 | en-GB", "1 | en-UK", "2 | de-AT", "3 | es-AR", "4 | sr-Cyrl"),
    (_OPEN, """DECLARE @j nvarchar(max) = N'[{"Order":{"Number":"SO43659","Date":"2011-05-31T00:00:00"},"AccountNumber":"AW29825","Item":{"Price":2024.9940,"Quantity":1}},
        {"Order":{"Number":"SO43661","Date":"2011-06-01T00:00:00"},"AccountNumber":"AW73565","Item":{"Price":2024.9940,"Quantity":3}}]';
        SELECT * FROM OPENJSON(@j) WITH (Number varchar(200) '$.Order.Number', Date datetime '$.Order.Date', Customer varchar(200) '$.AccountNumber', Quantity int '$.Item.Quantity', [Order] nvarchar(max) AS JSON)""",
     'SO43659 | 2011-05-31 00:00:00.000 | AW29825 | 1 | {"Number":"SO43659","Date":"2011-05-31T00:00:00"}',
     'SO43661 | 2011-06-01 00:00:00.000 | AW73565 | 3 | {"Number":"SO43661","Date":"2011-06-01T00:00:00"}'),
    (_OPEN, """DECLARE @a nvarchar(max) = N'{"name":"John","surname":"Doe"}', @b nvarchar(max) = N'{"name":"John","age":45}';
        SELECT * FROM OPENJSON(@a) UNION ALL SELECT * FROM OPENJSON(@b) WHERE [key] NOT IN (SELECT [key] FROM OPENJSON(@a))""", "name | John | 1", "surname | Doe | 1", "age | 45 | 2"),
    (_OPEN, "SELECT p.id FROM (VALUES (1), (5), (4)) AS p(id) JOIN OPENJSON(N'[1,2,3,4]') AS t ON p.id = t.value ORDER BY p.id", "1", "4"),
]  # fmt: skip

_CLASSES = """CREATE TABLE #c (g int, ClassName nvarchar(32)); CREATE TABLE #s (StudentName nvarchar(32), g int NULL);
    INSERT #c VALUES (1, 'Algebra Math'), (2, 'Calculus Math'), (3, 'Art Painting');
    INSERT #s VALUES ('Alice Apple', 1), ('Alice Apple', 2), ('Betty Boot', 2), ('Betty Boot', 3), ('Carla Cap', NULL); """
WRITING = [
    (_FOR, "CREATE TABLE #e (id int, name varchar(10), surname varchar(10)); INSERT #e VALUES (1, 'John', NULL), (2, 'Jane', 'Doe'); SELECT name, surname FROM #e ORDER BY id FOR JSON AUTO", '[{"name":"John"},{"name":"Jane","surname":"Doe"}]'),
    (_FOR, "SELECT A, B, C, D FROM (VALUES (10, 11, 12, 'X'), (20, 21, 22, 'Y'), (30, 31, 32, 'Z')) AS t(A, B, C, D) ORDER BY A FOR JSON PATH",
     '[{"A":10,"B":11,"C":12,"D":"X"},{"A":20,"B":21,"C":22,"D":"Y"},{"A":30,"B":31,"C":32,"D":"Z"}]'),
    (_FOR, _CLASSES + "SELECT c.ClassName, s.StudentName FROM #c AS c RIGHT JOIN #s AS s ON s.g = c.g ORDER BY c.ClassName, s.StudentName FOR JSON AUTO",
     ('[{"s":[{"StudentName":"Carla Cap"}]},{"ClassName":"Algebra Math","s":[{"StudentName":"Alice Apple"}]},{"ClassName":"Art Painting","s":[{"StudentName":"Betty Boot"}]},'
     '{"ClassName":"Calculus Math","s":[{"StudentName":"Alice Apple"},{"StudentName":"Betty Boot"}]}]')),
]  # fmt: skip

EXAMPLES = READING + CHANGING + OPENING + WRITING
