-- Bytes as base64 and hexadecimal by XQuery: the ways in which scripts encode and decode.
DECLARE @b varbinary(max) = 0x48656C6C6F2C2053657276696365204272, @t varchar(max) = 'SGVsbG8=', @h varchar(max) = '48656C6C6F';
SELECT CAST('' AS xml).value('xs:base64Binary(sql:variable("@b"))', 'varchar(max)'), CAST('' AS xml).value('xs:hexBinary(sql:variable("@b"))', 'varchar(max)');
SELECT CAST('' AS xml).value('xs:base64Binary(sql:variable("@t"))', 'varbinary(max)'), CAST('' AS xml).value('xs:hexBinary(sql:variable("@h"))', 'varbinary(max)');
SELECT CAST('' AS xml).value('xs:base64Binary(sql:column("c.b"))', 'varchar(20)'), CAST('' AS xml).value('xs:hexBinary(substring(sql:column("c.h"), 3))', 'varbinary(9)') FROM (VALUES (0x0102, '0xAB')) AS c (b, h);
SELECT CAST('' AS xml).value('xs:hexBinary(xs:base64Binary("AQID"))', 'varchar(9)'), CAST('<a>AQID</a>' AS xml).value('(/a)[1]', 'varbinary(2)'), CAST('<a>?</a>' AS xml).value('(/a)[1]', 'varbinary(2)');
SELECT LEN(CAST('' AS xml).value('xs:base64Binary(sql:column("c.b"))', 'varchar(max)')) FROM (VALUES (CAST(REPLICATE('x', 300) AS varbinary(300)))) AS c (b);
DECLARE @x xml = (SELECT @b AS [@b] FOR XML PATH ('r'), TYPE);
SELECT CASE WHEN @x.value('(/r/@b)[1]', 'varbinary(max)') = @b THEN 'same' END;
GO
--! rows
--! SGVsbG8sIFNlcnZpY2UgQnI= | 48656C6C6F2C2053657276696365204272
--! rows
--! 0x48656C6C6F | 0x48656C6C6F
--! rows
--! AQI= | 0xAB
--! rows
--! 010203 | 0x0102 | NULL
--! rows
--! 400
--! rows
--! same
