-- WITH XMLNAMESPACES before every statement that can have it (the page "Add Namespaces to Queries with WITH XMLNAMESPACES").
CREATE TABLE dbo.T (Id int, X xml);
INSERT INTO dbo.T VALUES (1, N'<r xmlns="u"><a>1</a></r>');
WITH XMLNAMESPACES (DEFAULT 'u') UPDATE dbo.T SET X.modify('replace value of (/r/a/text())[1] with "7"');
WITH XMLNAMESPACES ('u' AS p) UPDATE dbo.T SET Id = X.value('(/p:r/p:a)[1]', 'int') WHERE X.exist('/p:r') = 1;
WITH XMLNAMESPACES ('u' AS p) INSERT INTO dbo.T SELECT X.value('(/p:r/p:a)[1]', 'int') + 1, NULL FROM dbo.T;
SELECT Id, X FROM dbo.T ORDER BY Id;
WITH XMLNAMESPACES ('u' AS p) MERGE dbo.T AS t USING (SELECT 7 AS k) AS s ON t.Id = s.k WHEN MATCHED AND t.X.exist('/p:r') = 1 THEN UPDATE SET X.modify('delete /p:r/p:a');
SELECT X FROM dbo.T WHERE Id = 7;
WITH XMLNAMESPACES ('u' AS p) DELETE FROM dbo.T WHERE X.exist('/p:r') = 1;
SELECT Id FROM dbo.T;
GO
--! rows
--! 7 | <r xmlns="u"><a>7</a></r>
--! 8 | NULL
--! rows
--! <r xmlns="u"/>
--! rows
--! 8
DECLARE @x xml = N'<r xmlns="u"><a>1</a></r>', @v int;
WITH XMLNAMESPACES (DEFAULT 'u') SELECT @v = @x.value('(/r/a)[1]', 'int');
SELECT @v;
WITH XMLNAMESPACES (DEFAULT 'u'), c AS (SELECT t.n.value('.', 'int') AS v FROM @x.nodes('/r/a') AS t (n)) SELECT v FROM c;
WITH XMLNAMESPACES ('u' AS p) SELECT 1 AS [p:a], (SELECT 2 AS [p:b] FOR XML PATH ('p:c'), TYPE) FOR XML PATH ('p:r');
GO
--! rows
--! 1
--! rows
--! 1
--! rows
--! <p:r xmlns:p="u"><p:a>1</p:a><p:c xmlns:p="u"><p:b>2</p:b></p:c></p:r>
-- They belong to their statement only, also in modules.
DECLARE @x xml = N'<r xmlns="u"/>';
WITH XMLNAMESPACES ('u' AS p) SELECT @x.exist('/p:r');
GO
--! rows
--! 1
DECLARE @x xml = N'<r xmlns="u"/>'; SELECT @x.exist('/p:r');
GO
--! error 2229
CREATE VIEW dbo.V AS WITH XMLNAMESPACES ('u' AS p) SELECT X.exist('/p:r') AS has FROM dbo.T;
GO
CREATE FUNCTION dbo.F (@x xml) RETURNS int AS BEGIN DECLARE @r int; WITH XMLNAMESPACES ('u' AS p) SELECT @r = @x.value('(/p:r)[1]', 'int'); RETURN @r END;
GO
SELECT has FROM dbo.V;
SELECT dbo.F(N'<r xmlns="u">5</r>');
GO
--! rows
--! NULL
--! rows
--! 5
