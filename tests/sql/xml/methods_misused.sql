-- Where methods of xml cannot stand, and what their expressions cannot be.
DECLARE @x xml = '<a/>'; SELECT @x.Query('/a');
GO
--! error 227 text Query
DECLARE @x xml = '<a/>'; SET @x.query('/a');
GO
--! error 8113
DECLARE @x xml = '<a/>'; PRINT @x.value('/a[1]', 'int');
GO
--! error 2722
CREATE TABLE t (x xml, CHECK (x.exist('/a') = 1));
GO
--! error 423 text 't'
CREATE TABLE t (x xml, c AS x.value('/a[1]', 'int'));
GO
--! error 435 text 'c'
DECLARE @t TABLE (x xml, c AS x.value('/a[1]', 'int'));
GO
--! error 424
CREATE FUNCTION dbo.of_a (@x xml) RETURNS int AS BEGIN RETURN @x.value('(/a)[1]', 'int'); END;
GO
CREATE TABLE t (x xml, c AS dbo.of_a(x), CHECK (dbo.of_a(x) > 0));
INSERT INTO t VALUES ('<a>5</a>');
SELECT c FROM t;
GO
--! rows
--! 5
DECLARE @x xml = '<a/>'; SELECT CAST(t.c AS nvarchar(max)) FROM @x.nodes('/a') AS t(c);
GO
--! error 525 text nvarchar(max)
DECLARE @x xml = '<a/>'; SELECT CONVERT(xml, t.c) FROM @x.nodes('/a') AS t(c);
GO
--! error 525
DECLARE @x xml = '<a/>'; SELECT DISTINCT @x;
GO
--! error 421
DECLARE @x xml = '<a/>'; SELECT @x.value('<b/>', 'int');
GO
--! error 2373
DECLARE @x xml = '<a/>'; SELECT t.c.query('.') FROM @x.nodes('<b/>') AS t(c);
GO
--! error 2373
DECLARE @x xml = '<a/>'; SELECT @x.exist(' ');
GO
--! error 6306
DECLARE @x xml = '<a/>'; SET @x.modify('');
GO
--! error 6306
-- What is missing is named: 9303 where one word belongs, 2205 where a token does.
DECLARE @x xml = '<a/>'; SELECT @x.query('if (true()) 2 else 3');
GO
--! error 9303 text then
DECLARE @x xml = '<a/>'; SELECT @x.query('some $a of /a satisfies $a');
GO
--! error 9303 text 'in'
DECLARE @x xml = '<a/>'; SELECT @x.query('some $a in /a return 1');
GO
--! error 9303 text satisfies
DECLARE @x xml = '<a/>'; SELECT @x.query('/a[1');
GO
--! error 9303 text ']'
DECLARE @x xml = '<a/>'; SELECT @x.query('for $a /a return 1');
GO
--! error 2205 text "in"
DECLARE @x xml = '<a/>'; SELECT @x.query('let $a = 1 return 1');
GO
--! error 2205 text ":="
DECLARE @x xml = '<a>1</a>'; SET @x.modify('replace value of (/a/text())[1] "x"');
GO
--! error 2205 text "with"
DECLARE @x xml = '<a>1</a>'; SET @x.modify('replace value of (/a/text())[1] with <b/>');
GO
--! error 9310
DECLARE @x xml = '<a k="1"/>'; SET @x.modify('replace value of (/a/@k)[1] with ()');
GO
--! error 6320
-- Types that are known before anything runs.
DECLARE @x xml = '<a/>'; SELECT @x.query('"a" = 1');
GO
--! error 2234
DECLARE @x xml = '<a/>'; SELECT @x.query('true() eq 1');
GO
--! error 2234
DECLARE @x xml = '<a/>'; SELECT @x.query('1 + "x"');
GO
--! error 9308
DECLARE @x xml = '<a/>'; SELECT @x.query('string-length(1)');
GO
--! error 2364
DECLARE @x xml = '<a/>'; SELECT @x.query('substring("a", "b")');
GO
--! error 2364
DECLARE @x xml = '<a/>'; SELECT @x.query('number("12")');
GO
--! error 2374
DECLARE @x xml = '<a>2</a>'; SELECT @x.query('/a = 2'), @x.query('/a = "2"'), @x.query('(/a)[1] + 1'), @x.query('concat((/a)[1], "b")'), @x.query('number((/a)[1])'), @x.query('xs:double("INF")');
GO
--! rows
--! true | true | 3 | 2b | 2 | INF
-- A fault in an xml value ends the batch and dooms the transaction.
BEGIN TRANSACTION;
BEGIN TRY DECLARE @x xml = '<a'; END TRY
BEGIN CATCH SELECT ERROR_NUMBER(), XACT_STATE(); ROLLBACK; END CATCH;
GO
--! rows
--! 9400 | -1
BEGIN TRANSACTION;
BEGIN TRY DECLARE @x xml; SET @x.modify('delete /a'); END TRY
BEGIN CATCH SELECT ERROR_NUMBER(), XACT_STATE(); ROLLBACK; END CATCH;
GO
--! rows
--! 5302 | -1
