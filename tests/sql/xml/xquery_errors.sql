-- What XQuery refuses, and with which number.
DECLARE @x xml = N'<a b="1"/>'; SELECT @x.value('/a/@b', 'int');
GO
--! error 2389 text value()
DECLARE @x xml = N'<a b="1"/>'; SELECT @x.value('/a[1]/@b', 'int'), @x.value('(/a/@b)[1]', 'int'), @x.value('(//@b)[1]', 'int'), @x.value('/a[1]/@b[1]', 'int');
GO
--! rows
--! 1 | 1 | 1 | 1
DECLARE @x xml = N'<a/>'; SELECT @x.query('string(/a)');
GO
--! error 2389 text string()
DECLARE @x xml = N'<a/>'; SELECT @x.query('/a + 1');
GO
--! error 2389
DECLARE @x xml = N'<a/>'; SELECT @x.query('/a cast as xs:int ?');
GO
--! error 2365
DECLARE @x xml = N'<a/>'; SELECT @x.query('1 cast as xs:int');
GO
--! error 9301
DECLARE @x xml = N'<a/>'; SELECT @x.query('"x" cast as xs:int ?');
GO
--! error 9319
DECLARE @x xml = N'<a/>'; SELECT @x.query('matches("a", "b")');
GO
--! error 2395 text matches
DECLARE @x xml = N'<a/>'; SELECT @x.query('contains("a")');
GO
--! error 2236
DECLARE @x xml = N'<a/>'; SELECT @x.query('count(1, 2)');
GO
--! error 2238
DECLARE @x xml = N'<a/>'; SELECT @x.query('/a/following-sibling::b');
GO
--! error 9335 text following-sibling
DECLARE @x xml = N'<a/>'; SELECT @x.query('/a union /b');
GO
--! error 9335 text union
DECLARE @x xml = N'<a/>'; SELECT @x.query('/a | /b');
GO
--! error 9335 text union
DECLARE @x xml = N'<a/>'; SELECT @x.query('1 to 3');
GO
--! error 9335
DECLARE @x xml = N'<a/>'; SELECT @x.query('/a/string()');
GO
--! error 9335
DECLARE @x xml = N'<a/>'; SELECT @x.query('for $x at $i in /a return $i');
GO
--! error 9335
DECLARE @x xml = N'<a/>'; SELECT @x.query('declare variable $v := 1; $v');
GO
--! error 9335
DECLARE @x xml = N'<a/>'; SELECT @x.query('(1, /a)');
GO
--! error 2210
DECLARE @x xml = N'<a/>'; SELECT @x.query('/a["x"]');
GO
--! error 2203
DECLARE @x xml = N'<a/>'; SELECT @x.query('if ("x") then 1 else 2');
GO
--! error 2204
DECLARE @x xml = N'<a/>'; SELECT @x.query('if (/a) then 1');
GO
--! error 9303 text else
DECLARE @x xml = N'<a/>'; SELECT @x.query('position()');
GO
--! error 2371
DECLARE @x xml = N'<a/>'; SELECT @x.query('$v');
GO
--! error 2227
DECLARE @x xml = N'<a/>'; SELECT @x.query('/p:a');
GO
--! error 2229 text p
DECLARE @x xml = N'<a/>'; SELECT @x.query('for $x in /a retrun $x');
GO
--! error 9332 text retrun
DECLARE @x xml = N'<a/>'; SELECT @x.query('<a><b></a>');
GO
--! error 2323
DECLARE @x xml = N'<a/>'; SELECT @x.query('<a b="1{2}"/>');
GO
--! error 9313
DECLARE @x xml = N'<a/>'; SELECT @x.query('<a xmlns="{1}"/>');
GO
--! error 9338
DECLARE @x xml = N'<a/>'; SELECT @x.query('<a>}</a>');
GO
--! error 9324
DECLARE @x xml = N'<a/>'; SELECT @x.query('<!-- a -- b -->');
GO
--! error 9322
DECLARE @x xml = N'<a/>'; SELECT @x.query('comment {"x"}');
GO
--! error 9326
DECLARE @x xml = N'<a/>'; SELECT @x.query('processing-instruction x {"x"}');
GO
--! error 9325
DECLARE @x xml = N'<a/>'; SELECT @x.query('element {concat("a", "b")} {1}');
GO
--! error 9315
DECLARE @x xml = N'<a b="1"/>'; SELECT @x.query('/a/@b');
GO
--! error 2396
DECLARE @x xml = N'<a b="1"/>'; SELECT @x.query('<c>{(<d/>, /a/@b)}</c>');
GO
--! error 6307
DECLARE @x xml = N'<a/>'; SELECT @x.query('1 +');
GO
--! error 2209
DECLARE @x xml = N'<a/>'; SELECT @x.query('"open');
GO
--! error 2274
DECLARE @x xml = N'<a/>'; SELECT @x.query('"&nosuch;"');
GO
--! error 2282
DECLARE @x xml = N'<a/>'; SELECT @x.query('sql:variable("@nosuch")');
GO
--! error 9501
DECLARE @x xml = N'<a/>'; SELECT @x.query('sql:variable("@x")');
GO
--! error 9342
DECLARE @x xml = N'<a/>'; SELECT t.c.value('.', 'int') FROM @x.nodes('1') AS t (c);
GO
--! error 2374
