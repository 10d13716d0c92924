-- nodes(): each row is a node of its document, from which paths go up and to the top.
DECLARE @x xml = N'<r k="7"><a id="1"><b/><b/></a><a id="2"/></r>';
SELECT t.c.value('@id', 'int'), t.c.value('../@k', 'int'), t.c.value('count(/r/a)', 'int'), t.c.query('..') FROM @x.nodes('/r/a') AS t (c);
SELECT t.c.value('.', 'int') FROM @x.nodes('/r/a/@id') AS t (c);
SELECT t.c.value('@id', 'int'), u.d.value('../@id', 'int'), u.d.value('count(../b)', 'int') FROM @x.nodes('/r/a') AS t (c) CROSS APPLY t.c.nodes('b') AS u (d);
SELECT t.c.value('.', 'varchar(9)') FROM (SELECT CAST(N'<r>one<a/>two</r>' AS xml)) AS d (x) CROSS APPLY d.x.nodes('/r/text()') AS t (c);
GO
--! rows
--! 1 | 7 | 2 | <r k="7"><a id="1"><b/><b/></a><a id="2"/></r>
--! 2 | 7 | 2 | <r k="7"><a id="1"><b/><b/></a><a id="2"/></r>
--! rows
--! 1
--! 2
--! rows
--! 1 | 1 | 2
--! 1 | 1 | 2
--! rows
--! one
--! two
-- sql:column() in nodes().
CREATE TABLE #T (Want int, X xml);
INSERT INTO #T VALUES (2, N'<r><a n="1"/><a n="2"/></r>'), (1, N'<r><a n="1"/></r>');
SELECT s.Want, t.c.value('@n', 'int') FROM #T AS s CROSS APPLY s.X.nodes('/r/a[@n = sql:column("s.Want")]') AS t (c) ORDER BY s.Want;
GO
--! rows
--! 1 | 1
--! 2 | 2
-- In functions, triggers, UPDATE and DELETE.
CREATE FUNCTION dbo.Inline1 (@x xml, @k nvarchar(9)) RETURNS TABLE AS RETURN
    (SELECT c.v.value('.', 'int') AS v FROM @x.nodes('/r/i[@k = sql:variable("@k")]') AS c (v) WHERE c.v.exist('.[@k = sql:variable("@k")]') = 1);
GO
CREATE FUNCTION dbo.Multi (@x xml) RETURNS @t TABLE (v int) AS BEGIN INSERT @t SELECT c.v.value('.', 'int') FROM @x.nodes('/r/i') AS c (v); RETURN END;
GO
CREATE TABLE dbo.D (Id int, N nvarchar(10), X xml);
INSERT INTO dbo.D VALUES (1, N'a', N'<r><i k="a">1</i><i k="b">2</i></r>'), (2, N'b', N'<r><i k="b">5</i></r>');
GO
CREATE TRIGGER dbo.Seen ON dbo.D AFTER INSERT AS SELECT i.Id, c.v.value('.', 'int') FROM inserted AS i CROSS APPLY i.X.nodes('/r/i') AS c (v);
GO
SELECT d.Id, f.v FROM dbo.D AS d CROSS APPLY dbo.Inline1(d.X, 'b') AS f ORDER BY d.Id;
SELECT v FROM dbo.Multi(N'<r><i>1</i><i>2</i></r>');
UPDATE d SET N = c.v.value('.', 'nvarchar(9)') FROM dbo.D AS d CROSS APPLY d.X.nodes('/r/i[@k = sql:column("d.N")]') AS c (v);
SELECT Id, N FROM dbo.D ORDER BY Id;
DELETE d FROM dbo.D AS d CROSS APPLY d.X.nodes('/r/i[. = 5]') AS c (v);
INSERT INTO dbo.D VALUES (7, N'q', N'<r><i>70</i><i>71</i></r>');
SELECT Id FROM dbo.D ORDER BY Id;
GO
--! rows
--! 1 | 2
--! 2 | 5
--! rows
--! 1
--! 2
--! rows
--! 1 | 1
--! 2 | 5
--! rows
--! 7 | 70
--! 7 | 71
--! rows
--! 1
--! 7
-- ROW_NUMBER() over a node counts in the order of the document.
DECLARE @x xml = N'<r><a>z</a><a>y</a><a>x</a><a>w</a><a>v</a><a>u</a><a>t</a><a>s</a><a>r</a><a>q</a><a>p</a><a>o</a></r>';
SELECT ROW_NUMBER() OVER (ORDER BY t.c) AS n, t.c.value('.', 'char(1)') AS v FROM @x.nodes('/r/a') AS t (c) WHERE t.c.value('.', 'char(1)') IN ('z', 'x', 'o') ORDER BY n;
SELECT MAX(n) FROM (SELECT ROW_NUMBER() OVER (ORDER BY t.c DESC) AS n FROM @x.nodes('/r/a') AS t (c)) AS d;
GO
--! rows
--! 1 | z
--! 2 | x
--! 3 | o
--! rows
--! 12
-- OUTER APPLY keeps the rows of the left side, and the order of the document.
SELECT d.Id, t.c.value('.', 'int') FROM (VALUES (1, CAST('<r><a>1</a><a>2</a><a>3</a></r>' AS xml)), (2, NULL), (3, CAST('<r/>' AS xml)), (4, CAST('<r><a>4</a></r>' AS xml))) AS d (Id, X)
OUTER APPLY d.X.nodes('/r/a') AS t (c);
SELECT d.Id, t.value FROM (VALUES (1, 'c,b,a'), (2, NULL), (3, 'd')) AS d (Id, s) OUTER APPLY STRING_SPLIT(d.s, ',') AS t;
SELECT o.id, t.value FROM OPENJSON('[{"id":1,"tags":["y","x"]},{"id":2}]') WITH (id int, tags nvarchar(max) AS JSON) AS o OUTER APPLY OPENJSON(o.tags) AS t;
SELECT d.Id, t.v FROM (VALUES (1), (2)) AS d (Id) OUTER APPLY (SELECT s.value AS v FROM STRING_SPLIT('1,2', ',') AS s WHERE s.value > d.Id) AS t;
GO
--! rows
--! 1 | 1
--! 1 | 2
--! 1 | 3
--! 2 | NULL
--! 3 | NULL
--! 4 | 4
--! rows
--! 1 | c
--! 1 | b
--! 1 | a
--! 2 | NULL
--! 3 | d
--! rows
--! 1 | y
--! 1 | x
--! 2 | NULL
--! rows
--! 1 | 2
--! 2 | NULL
-- The value of an element is all text inside of it, also behind comments and instructions.
DECLARE @x xml = '<c><!--q-->t<b>u<?p r?>v</b></c>';
SELECT @x.value('(/c)[1]', 'varchar(9)'), @x.value('string((/c/b)[1])', 'varchar(9)'), @x.query('data(/c)'), @x.exist('/c[. = "tuv"]'), @x.value('.', 'varchar(9)'), @x.query('data(<e>{/c}<!-- x -->z</e>)');
GO
--! rows
--! tuv | uv | tuv | 1 | tuv | tuvz
