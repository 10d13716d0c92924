-- Faults of XML texts: their numbers, and where they are (messages 9400 to 9465 of the list of errors).
SELECT CAST('<test><2016>a</2016></test>' AS xml);
GO
--! error 9455 text line 1, character 8
SELECT CAST('<test><row 2016-12-17="2"/></test>' AS xml);
GO
--! error 9455 text line 1, character 12
SELECT CAST('a < b' AS xml);
GO
--! error 9455
SELECT CAST('<row>' + CHAR(10) + '<\row>' AS xml);
GO
--! error 9455 text line 2, character 2
SELECT CAST('a & b' AS xml);
GO
--! error 9421
SELECT CAST('<a>&lt</a>' AS xml);
GO
--! error 9411
SELECT CAST('<a>&#xZ;</a>' AS xml);
GO
--! error 9416
SELECT CAST('<a>&#1z;</a>' AS xml);
GO
--! error 9417
SELECT CAST('<a>]]></a>' AS xml);
GO
--! error 9454
SELECT CAST('<a><!-- a -- b --></a>' AS xml);
GO
--! error 9424
SELECT CAST('<a:b:c xmlns:a="u"/>' AS xml);
GO
--! error 9456
SELECT CAST('<a xmlns:p=""/>' AS xml);
GO
--! error 9460
SELECT CAST('<a xml:space="x"/>' AS xml);
GO
--! error 9463
SELECT CAST('<a xmlns:xml="u"/>' AS xml);
GO
--! error 9464
SELECT CAST('<a xmlns:xmlns="u"/>' AS xml);
GO
--! error 9465
SELECT CAST('<p:a/>' AS xml);
GO
--! error 9459
-- The encoding that a varchar declares is the one of its bytes; bytes without declaration are UTF-8 (the page "Create Instances of XML Data").
SELECT CAST('<?xml version="1.0" encoding="utf-8"?><a>' + CHAR(195) + CHAR(169) + '</a>' AS xml), CAST('<?xml version="1.0" encoding="windows-1252"?><a>é</a>' AS xml),
    CAST('<?xml version="1.0" encoding="windows-1251"?><a>' + CHAR(233) + '</a>' AS xml), CAST('<a>é</a>' AS xml), CAST(CAST('<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>' AS varbinary(99)) AS xml);
GO
--! rows
--! <a>é</a> | <a>é</a> | <a>й</a> | <a>é</a> | <a>é</a>
SELECT CAST('<?xml version="1.0" encoding="utf-8"?><a>é</a>' AS xml);
GO
--! error 9420 text line 1, character 42
SELECT CAST(CAST('<Test>®</Test>' AS varbinary(max)) AS xml);
GO
--! error 9420 text line 1, character 7
SELECT CAST('<?xml version="1.0" encoding="nosuch"?><a/>' AS xml);
GO
--! error 9401
-- White space that is written as references stays (the same page).
SELECT CAST('<a>&#x20;</a>' AS xml), CAST('<a> &#32;<b/> </a>' AS xml), CAST('<a>&#10;</a>' AS xml).value('string-length((/a)[1])', 'int'), CONVERT(xml, N'<!DOCTYPE a [<!ENTITY e "x">]><a>&#x20;<b/>&e;</a>', 2);
GO
--! rows
--! <a> </a> | <a>  <b/></a> | 1 | <a> <b/>x</a>
-- As text and bytes (the page "Define the Serialization of XML Data").
SELECT CAST(CAST(N'<Δ/>' AS xml) AS varbinary(max)), CAST(CONVERT(xml, N'<a a="' + NCHAR(10) + N'' + NCHAR(0xD800) + NCHAR(0xDF00) + N'>">   ' + NCHAR(10) + N'</a>', 1) AS nvarchar(50)),
    CONVERT(nvarchar(50), CONVERT(xml, '<a>   </a>', 1), 1), CONVERT(nvarchar(50), CONVERT(xml, '<a>   </a>', 1));
SELECT CAST(CONVERT(xml, '<a> b </a><!-- > < -->', 1) AS nvarchar(50)), CAST(CONVERT(xml, ' ', 1) AS varchar(9)), CONVERT(varbinary(30), CONVERT(xml, '<a> </a>', 1));
SELECT CAST(CAST(N'<a>' + NCHAR(0xD800) + NCHAR(0xDF00) + N'</a>' AS xml) AS nvarchar(50)), CAST(CAST(CAST(N'<a>' + NCHAR(0xD800) + NCHAR(0xDF00) + N'</a>' AS xml) AS nvarchar(50)) AS xml).value('(/a)[1]', 'nvarchar(5)');
CREATE TABLE w (x xml); INSERT INTO w SELECT CONVERT(xml, '<a>  </a>', 1); SELECT CAST(x AS nvarchar(30)), x FROM w;
GO
--! rows
--! 0xFFFE3C0094032F003E00 | <a a=" &#x00010300;&gt;">   &#x0A;</a> | <a>   </a> | <a>  &#x20;</a>
--! rows
--! <a> b </a><!-- > < --> | &#x20; | 0xFFFE3C0061003E00260023007800320030003B003C002F0061003E00
--! rows
--! <a>&#x00010300;</a> | 𐌀
--! rows
--! <a> &#x20;</a> | <a>  </a>
SELECT CAST(CAST('<a/>' AS xml) AS varbinary(5));
GO
--! error 6354
