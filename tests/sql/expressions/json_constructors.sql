-- JSON_OBJECT, JSON_ARRAY and their aggregates, as their documentation pages show them.
SELECT JSON_OBJECT(), JSON_OBJECT('name':'value', 'type':1), JSON_OBJECT('name':'value', 'type':NULL ABSENT ON NULL), JSON_OBJECT('a':NULL)
SELECT JSON_OBJECT('name':'value', 'type':JSON_ARRAY(1, 2)), JSON_OBJECT('name':'value', 'type':JSON_OBJECT('type_id':1, 'name':'a'))
SELECT JSON_ARRAY(), JSON_ARRAY('a', 1, 'b', 2), JSON_ARRAY('a', 1, 'b', NULL), JSON_ARRAY('a', 1, NULL, 2 NULL ON NULL), JSON_ARRAY('a', JSON_OBJECT('name':'value', 'type':1))
DECLARE @id nvarchar(64) = N'x"y/z'
SELECT JSON_OBJECT('id':@id, 'when':CAST('20240229' AS date), 'yes':CAST(1 AS bit), 'sum':2.50, 'rows':(SELECT 1 AS a FOR JSON PATH))
GO
--! rows
--! {} | {"name":"value","type":1} | {"name":"value"} | {"a":null}
--! rows
--! {"name":"value","type":[1,2]} | {"name":"value","type":{"type_id":1,"name":"a"}}
--! rows
--! [] | ["a",1,"b",2] | ["a",1,"b"] | ["a",1,null,2] | ["a",{"name":"value","type":1}]
--! rows
--! {"id":"x\"y\/z","when":"2024-02-29","yes":true,"sum":2.50,"rows":[{"a":1}]}
CREATE TABLE t (g int, k varchar(5), v int)
INSERT t VALUES (1, 'a', 10), (1, 'b', NULL), (2, 'c', 30)
SELECT JSON_OBJECT('k':k, 'l':JSON_ARRAY(g, v)) FROM t ORDER BY k
SELECT g, JSON_ARRAYAGG(v), JSON_ARRAYAGG(k ORDER BY k DESC), JSON_ARRAYAGG(v ORDER BY k NULL ON NULL), JSON_OBJECTAGG(k:v), JSON_OBJECTAGG(k:v ABSENT ON NULL),
       JSON_ARRAYAGG(JSON_OBJECT('v':v) ORDER BY k)
FROM t GROUP BY g ORDER BY g
SELECT JSON_ARRAYAGG(v) FROM t WHERE g = 3
SELECT JSON_OBJECT('g':g, 'n':COUNT(*)) FROM t GROUP BY g ORDER BY g
GO
--! rows
--! {"k":"a","l":[1,10]}
--! {"k":"b","l":[1]}
--! {"k":"c","l":[2,30]}
--! rows
--! 1 | [10] | ["b","a"] | [10,null] | {"a":10,"b":null} | {"a":10} | [{"v":10},{"v":null}]
--! 2 | [30] | ["c"] | [30] | {"c":30} | {"c":30} | [{"v":30}]
--! rows
--! NULL
--! rows
--! {"g":1,"n":2}
--! {"g":2,"n":1}
SELECT JSON_OBJECT('a', 1)
GO
--! error 102 line 1
SELECT JSON_ARRAY('a':1)
GO
--! error 102 line 1
SELECT LEN('a' NULL ON NULL)
GO
--! error 156 line 1 text NULL
