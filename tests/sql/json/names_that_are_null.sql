-- A name of JSON_OBJECT must not be NULL, whatever its value is and whatever becomes of NULL values; over columns as over variables.
CREATE TABLE dbo.names (n varchar(5), k int);
INSERT dbo.names VALUES (NULL, 1);
GO
SELECT JSON_OBJECT(n: NULL ABSENT ON NULL) FROM dbo.names;
GO
--! error 13605
SELECT JSON_OBJECT(n: CAST(NULL AS int) ABSENT ON NULL) FROM dbo.names;
GO
--! error 13605
SELECT JSON_OBJECT(n: JSON_QUERY(NULL) ABSENT ON NULL) FROM dbo.names;
GO
--! error 13605
SELECT JSON_OBJECT(n: NULLIF(k, 1) ABSENT ON NULL) FROM dbo.names;
GO
--! error 13605
SELECT JSON_OBJECT(n: k NULL ON NULL) FROM dbo.names;
GO
--! error 13605
DECLARE @n varchar(5); SELECT JSON_OBJECT(@n: NULL ABSENT ON NULL) FROM dbo.names;
GO
--! error 13605
SELECT JSON_OBJECT(ISNULL(n, 'a'): NULLIF(k, 1), 'b': k ABSENT ON NULL) FROM dbo.names;
GO
--! rows
--! {"b":1}
