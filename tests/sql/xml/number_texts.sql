-- Doubles as text (the page "Type casting rules in XQuery"): an exponent below 1.0E-6, from 1.0E6 on, and for 0.
DECLARE @x xml = N'<a>1500000.5</a><a>3000000</a>';
SELECT @x.query('sum(/a)'), @x.value('sum(/a)', 'varchar(30)'), @x.value('sum(/a)', 'float'), @x.value('sum(/a)', 'decimal(18, 2)');
SELECT @x.query('string(1.11e1)'), @x.query('string(-0.00000000002e0)'), @x.query('xs:string(2e6), (1e7 cast as xs:string?)'), @x.query('1e10, 1e6, 999999.5e0, 0e0, 5, 1.50');
SELECT @x.value('sum(/b)', 'int'), @x.value('1e7', 'bigint'), @x.query('<s t="{ 1e6 }">{ 2e6 }</s>');
GO
--! rows
--! 4.5000005E6 | 4.5000005E6 | 4500000.5 | 4500000.50
--! rows
--! 11.1 | -2.0E-11 | 2.0E6 1.0E7 | 1.0E10 1.0E6 999999.5 0.0E0 5 1.5
--! rows
--! 0 | 10000000 | <s t="1.0E6">2.0E6</s>
SELECT CAST(N'' AS xml).query('12345678901234567890123456789');
GO
--! error 2342
-- Nothing stands below attributes and text.
SELECT CAST(N'<a k="1"/>' AS xml).query('/a/@k/text()');
GO
--! error 2377 text /a/@k/text()
SELECT CAST(N'<a>1</a>' AS xml).query('/a/text()/b');
GO
--! error 2377
SELECT CAST(N'<a k="1">1</a>' AS xml).query('/a/@k/..'), CAST(N'<a k="1">1</a>' AS xml).query('/a/text()/..');
GO
--! rows
--! <a k="1">1</a> | <a k="1">1</a>
-- The rows of nodes() need names.
SELECT * FROM (SELECT CAST(N'<a/>' AS xml) AS x) AS t CROSS APPLY x.nodes('/a');
GO
--! error 318
SELECT * FROM (SELECT CAST(N'<a/>' AS xml) AS x) AS t CROSS APPLY t.x.nodes('/a') AS r;
GO
--! error 318
