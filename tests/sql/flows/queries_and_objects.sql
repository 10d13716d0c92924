-- Functions, views, sequences, MERGE, cursor variables, JSON, window functions and the other T-SQL that stands next to broker code.
CREATE DATABASE Around;
GO
USE Around;
GO
CREATE TYPE dbo.Line AS TABLE (Id int PRIMARY KEY, Text nvarchar(100));
CREATE TYPE dbo.Code FROM varchar(10) NOT NULL;
CREATE SEQUENCE dbo.Numbers AS int START WITH 10 INCREMENT BY 5;
CREATE TABLE dbo.Stock (Code dbo.Code PRIMARY KEY, Amount int NOT NULL, Price decimal(9,2) DEFAULT (NEXT VALUE FOR dbo.Numbers), Seen datetime2(0) NULL);
CREATE QUEUE dbo.Q; CREATE SERVICE S ON QUEUE dbo.Q ([DEFAULT]);
INSERT dbo.Stock (Code, Amount, Price) VALUES ('a', 1, 1.5), ('b', 2, 2.25), ('c', 30, 0.1);
GO
CREATE FUNCTION dbo.Depth (@queue sysname) RETURNS int AS
BEGIN
    DECLARE @n int;
    SELECT @n = SUM(p.rows) FROM sys.partitions p JOIN sys.internal_tables t ON t.object_id = p.object_id
    WHERE t.parent_object_id = OBJECT_ID(@queue) AND p.index_id = 1;
    RETURN ISNULL(@n, -1);
END
GO
CREATE FUNCTION dbo.Split (@text nvarchar(max), @sep nchar(1)) RETURNS @parts TABLE (Pos int IDENTITY(1,1), Part nvarchar(100)) AS
BEGIN
    DECLARE @at int = CHARINDEX(@sep, @text);
    WHILE @at > 0
    BEGIN
        INSERT @parts (Part) VALUES (LTRIM(RTRIM(SUBSTRING(@text, 1, @at - 1))));
        SELECT @text = STUFF(@text, 1, @at, N''), @at = CHARINDEX(@sep, @text);
    END
    INSERT @parts (Part) SELECT @text WHERE LEN(@text) > 0;
    RETURN;
END
GO
CREATE FUNCTION dbo.Dear (@above decimal(9,2)) RETURNS TABLE AS RETURN (SELECT Code, Price FROM dbo.Stock WHERE Price > @above);
GO
CREATE OR ALTER VIEW dbo.Inbox WITH SCHEMABINDING AS SELECT Code, Amount * Price AS Worth FROM dbo.Stock;
GO
CREATE VIEW dbo.Messages AS SELECT queuing_order AS n, CAST(message_body AS nvarchar(max)) AS body, message_type_name AS [type] FROM dbo.Q;
GO
ALTER FUNCTION dbo.Dear (@above decimal(9,2)) RETURNS TABLE AS RETURN SELECT Code, Price FROM dbo.Stock WHERE Price >= @above;
GO
DECLARE @h uniqueidentifier, @doc nvarchar(max), @x xml;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'a:5,b:6 ,d:7');
SEND ON CONVERSATION @h (N'{"lines":[{"code":"e","amount":8,"tags":["x","y"]},{"code":"a","amount":9}],"who":"me"}');
SET @x = (SELECT Code AS '@code', Amount 'amount', Price AS [price/text()] FROM dbo.Stock WHERE Amount < 10 ORDER BY Code FOR XML PATH('stock'), ROOT('all'), TYPE);
SEND ON CONVERSATION @h (@x);
SELECT dbo.Depth('dbo.Q') AS depth, (SELECT TOP (1) [type] FROM dbo.Messages ORDER BY n) AS [first type];
GO
--! rows
--! columns depth | first type
--! 3 | DEFAULT
MERGE dbo.Stock AS t USING (SELECT 'x' AS c) s ON t.Code = s.c
WHEN NOT MATCHED THEN INSERT (Code, Amount, Price) VALUES (s.c, 1, NEXT VALUE FOR dbo.Numbers);
GO
--! error 11742
DECLARE @body nvarchar(max), @h uniqueidentifier;
RECEIVE TOP (1) @body = message_body FROM Q;
;WITH parts AS (
    SELECT Pos, LEFT(Part, CHARINDEX(':', Part) - 1) AS Code, CAST(RIGHT(Part, LEN(Part) - CHARINDEX(':', Part)) AS int) AS Amount
    FROM dbo.Split(@body, N','))
MERGE dbo.Stock AS t
USING parts AS s ON t.Code = s.Code
WHEN MATCHED THEN UPDATE SET t.Amount += s.Amount, Seen = GETDATE()
WHEN NOT MATCHED BY TARGET THEN INSERT (Code, Amount, Price) VALUES (s.Code, s.Amount, DEFAULT)
WHEN NOT MATCHED BY SOURCE AND t.Amount > 20 THEN DELETE
OUTPUT $action, COALESCE(inserted.Code, deleted.Code) AS code;
SELECT Code, Amount, Price FROM Stock ORDER BY Code;
GO
--! rows unordered
--! UPDATE | a
--! UPDATE | b
--! INSERT | d
--! DELETE | c
--! rows
--! a | 6 | 1.50
--! b | 8 | 2.25
--! d | 7 | *
DECLARE @body nvarchar(max);
RECEIVE TOP (1) @body = CAST(message_body AS nvarchar(max)) FROM Q;
SELECT JSON_VALUE(@body, '$.who') AS who, ISJSON(@body), j.code, j.amount, IIF(j.tags IS NULL, 'none', j.tags) AS tags,
    ROW_NUMBER() OVER (ORDER BY j.amount DESC) AS rn, SUM(j.amount) OVER () AS total
FROM OPENJSON(@body, '$.lines') WITH (code varchar(10), amount int, tags nvarchar(max) AS JSON) AS j
ORDER BY rn;
SELECT [key], value FROM OPENJSON(@body, '$.lines[0].tags');
SELECT STRING_AGG(CAST(value AS varchar(10)), '|') FROM STRING_SPLIT('p,q,r', ',');
GO
--! rows
--! me | 1 | a | 9 | none | 1 | 17
--! me | 1 | e | 8 | ["x","y"] | 2 | 17
--! rows
--! 0 | x
--! 1 | y
--! rows
--! p\|q\|r
DECLARE @body xml, @doc int, @text nvarchar(max);
RECEIVE TOP (1) @body = message_body FROM Q;
SET @text = CAST(@body AS nvarchar(max));
EXEC sp_xml_preparedocument @doc OUTPUT, @text;
SELECT code, amount FROM OPENXML(@doc, '/all/stock', 3) WITH (code varchar(10) '@code', amount int) ORDER BY code;
EXEC sp_xml_removedocument @doc;
SET @body.modify('insert <stock code="z"><amount>0</amount></stock> as last into (/all)[1]');
SET @body.modify('replace value of (/all/stock[@code="a"]/amount/text())[1] with "77"');
SELECT s.value('@code', 'varchar(10)') c, s.value('(amount)[1]', 'int') a, s.exist('price') e FROM @body.nodes('/all/stock') AS t(s);
DECLARE @code varchar(10) = 'b';
SELECT @body.query('/all/stock[@code=sql:variable("@code")]/amount'), @body.value('count(//stock)', 'int');
GO
--! rows
--! a | 1
--! b | 2
--! rows
--! a | 77 | 1
--! b | 2 | 1
--! z | 0 | 0
--! rows
--! <amount>2</amount> | 3
-- Cursor variables, table parameters, GOTO, and a SELECT INTO a temporary table.
CREATE PROCEDURE dbo.OpenStock @c CURSOR VARYING OUTPUT AS
    SET @c = CURSOR LOCAL SCROLL FOR SELECT Code, Amount FROM dbo.Stock ORDER BY Code; OPEN @c;
GO
CREATE PROC dbo.TakeLines (@lines dbo.Line READONLY, @n int = 1 OUTPUT) AS SELECT @n = COUNT(*) + @n FROM @lines WHERE Text LIKE N'%[0-9]%'
GO
DECLARE @cur CURSOR, @code varchar(10), @amount int, @lines dbo.Line, @n int = 100, @mine CURSOR;
EXEC dbo.OpenStock @c = @cur OUTPUT;
FETCH LAST FROM @cur INTO @code, @amount;
next_one:
IF @@FETCH_STATUS <> 0 GOTO done;
INSERT @lines VALUES (@amount, @code + ' has ' + CAST(@amount AS nvarchar(10)));
FETCH PRIOR FROM @cur INTO @code, @amount;
GOTO next_one;
done:
CLOSE @cur; DEALLOCATE @cur;
EXEC dbo.TakeLines @lines, @n OUTPUT;
SELECT Id, Text, @n n INTO #lines FROM @lines;
UPDATE #lines SET Text = UPPER(Text) WHERE Id BETWEEN 6 AND 7;
SELECT * FROM #lines ORDER BY Id;
SELECT COUNT(*) AS n, CASE GROUPING(Price) WHEN 1 THEN 'all' ELSE FORMAT(Price, 'N1') END AS p FROM Stock GROUP BY ROLLUP (Price) HAVING COUNT(*) > 0 ORDER BY p;
DROP TABLE #lines;
GO
--! rows
--! 6 | A HAS 6 | 103
--! 7 | D HAS 7 | 103
--! 8 | b has 8 | 103
--! rows
--! 1 | 1.5
--! 1 | *
--! 1 | 2.3
--! 3 | all
SELECT d.Code, i.Worth, PARSENAME('srv.db.own.obj', 1), TRIM('  x ') AS t, DATEPART(year, '2026-03-04') y, DATENAME(month, '20260304') m,
    CONVERT(varchar(10), CAST('2026-03-04' AS date), 103) d103, RIGHT('000' + CAST(7 AS varchar(3)), 3) r, NULLIF(1, 1) nul, SQRT(16.0) s, CEILING(1.2) c,
    PATINDEX('%b%', 'aab') p, REPLACE('abc', 'b', '-') rp, 7 % 4 md, 6 & 3 ba, 6 | 1 bo, 6 ^ 3 bx, CHOOSE(2, 'u', 'v') ch, TRY_CONVERT(int, 'q') tc
FROM dbo.Dear(2.25) AS d JOIN dbo.Inbox i ON i.Code = d.Code WHERE d.Code != 'd';
SELECT TOP 1 WITH TIES Code FROM Stock ORDER BY CASE WHEN Price > 2 THEN 0 ELSE 1 END, 1 DESC;
SELECT OBJECT_SCHEMA_NAME(OBJECT_ID('dbo.Q')), OBJECT_NAME(OBJECT_ID('dbo.Depth')), COL_LENGTH('dbo.Stock', 'Amount'), SCHEMA_NAME(SCHEMA_ID('dbo')), DB_NAME(),
    ISNULL(OBJECT_ID('dbo.NoSuch'), -1), OBJECTPROPERTY(OBJECT_ID('dbo.OpenStock'), 'IsProcedure'), USER_NAME(), IS_MEMBER('db_owner'), ISDATE('20260230');
GO
--! rows
--! b | 18.00 | obj | x | 2026 | March | 04/03/2026 | 007 | NULL | 4.0 | 2 | 3 | a-c | 3 | 2 | 7 | 5 | v | NULL
--! rows
--! d
--! rows
--! dbo | Depth | 4 | dbo | Around | -1 | 1 | dbo | 1 | 0
