-- XML DML: places, kinds of nodes, sources (the page "insert (XML DML)" and its neighbours).
DECLARE @x xml = N'<a>t<b/>u</a>', @y xml = N'<m>1</m>n<o/>';
SET @x.modify('insert <f/> before (/a/text())[1]'); SELECT @x;
SET @x.modify('insert <l/> after (/a/text())[2]'); SELECT @x;
SET @x.modify('insert sql:variable("@y") into (/a/b)[1]'); SELECT @x;
SET @x.modify('insert (attribute k {1 + 1}, attribute l {"z"}) into (/a/b)[1]'); SELECT @x;
SET @x.modify('delete /a/text()'); SELECT @x;
SET @x.modify('delete (/a/b/m, /a/b/@k)'); SELECT @x;
SET @x.modify('replace value of (/a/b/text())[1] with ("p", "q")'); SELECT @x;
SET @x.modify('insert for $i in (1, 2) return <i>{$i}</i> as first into (/a)[1]'); SELECT @x;
SET @x.modify('delete /a/*'); SELECT @x;
SET @x.modify('insert <!-- c --> into (/a)[1]'); SET @x.modify('insert <?p i?> after (/a)[1]'); SELECT @x;
GO
--! rows
--! <a><f/>t<b/>u</a>
--! rows
--! <a><f/>t<b/>u<l/></a>
--! rows
--! <a><f/>t<b><m>1</m>n<o/></b>u<l/></a>
--! rows
--! <a><f/>t<b k="2" l="z"><m>1</m>n<o/></b>u<l/></a>
--! rows
--! <a><f/><b k="2" l="z"><m>1</m>n<o/></b><l/></a>
--! rows
--! <a><f/><b l="z">n<o/></b><l/></a>
--! rows
--! <a><f/><b l="z">p q<o/></b><l/></a>
--! rows
--! <a><i>1</i><i>2</i><f/><b l="z">p q<o/></b><l/></a>
--! rows
--! <a/>
--! rows
--! <a><!-- c --></a><?p i?>
DECLARE @x xml = N'<a/>'; SET @x.modify('insert <b/> into /a');
GO
--! error 2226
DECLARE @x xml = N'<a/>'; SET @x.modify('insert 1 into (/a)[1]');
GO
--! error 2207
DECLARE @x xml = N'<a b="1"/>'; SET @x.modify('insert <c/> into (/a/@b)[1]');
GO
--! error 2240
DECLARE @x xml = N'<a b="1"/>'; SET @x.modify('insert <c/> before (/a/@b)[1]');
GO
--! error 2249
DECLARE @x xml = N'<a b="1"/>'; SET @x.modify('insert attribute b {2} into (/a)[1]');
GO
--! error 6308
DECLARE @x xml = N'<a/>'; SET @x.modify('insert <b/> beneath (/a)[1]');
GO
--! error 2248
DECLARE @x xml = N'<a/>'; SET @x.modify('insert <b/> as second into (/a)[1]');
GO
--! error 2351
DECLARE @x xml = N'<a><b/><b/></a>'; SET @x.modify('replace value of /a/b with 1');
GO
--! error 2337
DECLARE @x xml = N'<a/>'; SET @x.modify('replace value of (/a)[1] with 1');
GO
--! error 2356
DECLARE @x xml = N'<a b="1"/>'; SET @x.modify('replace value of (/a/@b)[1] with /c');
GO
--! error 6325
DECLARE @x xml = N'<a/>'; SET @x.modify('delete /');
GO
--! error 2264
DECLARE @x xml = N'<a/>'; SET @x.modify('/a');
GO
--! error 6305
DECLARE @x xml; SET @x.modify('delete /a');
GO
--! error 5302
-- In UPDATE and MERGE, columns of the row by sql:column().
CREATE TABLE dbo.U (Id int, N nvarchar(9), X xml, Y xml);
INSERT INTO dbo.U VALUES (1, N'a', N'<r/>', N'<y/>'), (2, N'b', N'<r/>', N'<z/>');
UPDATE dbo.U SET X.modify('insert <o n="{sql:column("N")}">{sql:column("Id")}</o> into (/r)[1]');
UPDATE u SET X.modify('insert sql:column("u.Y") as first into (/r)[1]') FROM dbo.U AS u WHERE Id = 2;
SELECT X FROM dbo.U ORDER BY Id;
MERGE dbo.U AS t USING (SELECT 1 AS k, 'q' AS v) AS s ON s.k = t.Id WHEN MATCHED THEN UPDATE SET X.modify('replace value of (/r/o/@n)[1] with sql:column("s.v")');
SELECT X FROM dbo.U WHERE Id = 1;
GO
--! rows
--! <r><o n="a">1</o></r>
--! <r><z/><o n="b">2</o></r>
--! rows
--! <r><o n="q">1</o></r>
