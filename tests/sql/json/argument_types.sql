-- The JSON text and path are character strings; the word of ISJSON works in queries too.
SELECT ISJSON(1);
GO
--! error 8116 text int
SELECT JSON_VALUE(CAST('{}' AS text), '$.a');
GO
--! error 8116 text text
SELECT ISJSON(j, VALUE), ISJSON(j, ARRAY), ISJSON(j, OBJECT), ISJSON(j, SCALAR), ISJSON(j) FROM (VALUES ('1'), ('[]'), ('{}'), ('x')) AS v (j);
GO
--! rows
--! 1 | 0 | 0 | 1 | 0
--! 1 | 1 | 0 | 0 | 1
--! 1 | 0 | 1 | 0 | 1
--! 0 | 0 | 0 | 0 | 0
