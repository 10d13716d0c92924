-- CONVERT to and from xml: styles, document types, encodings (the page "CAST and CONVERT", "XML styles").
SELECT CONVERT(xml, N'<a> <b/> </a>'), CONVERT(xml, N'<a> <b/> </a>', 0), CONVERT(xml, N'<a> <b/> </a>', 1);
SELECT CONVERT(xml, N'<!DOCTYPE a [<!ENTITY e "text"><!ATTLIST b c CDATA "d">]><a>&e; <b/></a>', 2), CONVERT(xml, N'<!DOCTYPE a [<!ENTITY e "x">]><a> <b/>&e;</a>', 3);
SELECT CONVERT(xml, N'<!DOCTYPE a SYSTEM "a.dtd"><a/>', 2), CAST(N'<a xml:space="preserve"> <b/></a>' AS xml);
GO
--! rows
--! <a><b/></a> | <a><b/></a> | <a> <b/> </a>
--! rows
--! <a>text <b c="d"/></a> | <a> <b/>x</a>
--! rows
--! <a/> | <a xml:space="preserve"> <b/></a>
SELECT CAST(N'<!DOCTYPE a [<!ENTITY e "text">]><a>&e;</a>' AS xml);
GO
--! error 6359
SELECT CAST(N'<!DOCTYPE a SYSTEM "a.dtd"><a/>' AS xml);
GO
--! error 6359
SELECT CONVERT(xml, N'<a/>', 4);
GO
--! error 6358
SELECT CONVERT(nvarchar(100), CAST(N'<a/>' AS xml), 3);
GO
--! error 6360
SELECT CAST(CAST(N'<a/>' AS xml) AS varchar(3));
GO
--! error 6354
SELECT CAST(CAST(N'<a>Ω</a>' AS xml) AS varchar(30));
GO
--! error 6355
SELECT CAST(CAST(N'<a>Ω</a>' AS xml) AS nvarchar(30)), CAST(CAST(N'<a>é</a>' AS xml) AS varchar(30)), CAST(CAST(N'<a/>' AS xml) AS nvarchar(4));
GO
--! rows
--! <a>Ω</a> | <a>é</a> | <a/>
-- The encoding of bytes: a byte order mark, UTF-16 by its zero bytes, the declaration, UTF-8.
SELECT CAST(0xFFFE3C0061002F003E00 AS xml), CAST(0x3C0061002F003E00 AS xml), CAST(0xEFBBBF3C612F3E AS xml), CAST(0x3C613EC3A93C2F613E AS xml),
    CAST(CAST('<?xml version="1.0" encoding="iso-8859-1"?><a>' AS varbinary(60)) + 0xE93C2F613E AS xml);
GO
--! rows
--! <a/> | <a/> | <a/> | <a>é</a> | <a>é</a>
SELECT CAST(N'<?xml version="1.0" encoding="utf-8"?><a/>' AS xml);
GO
--! error 9402
SELECT CAST('<?xml version="1.0" encoding="utf-16"?><a/>' AS xml);
GO
--! error 9402
SELECT CAST('<?xml version="1.0" encoding="utf-8"?><a/>' AS xml), CAST(N'<?xml version="1.0" encoding="utf-16"?><a/>' AS xml);
GO
--! rows
--! <a/> | <a/>
SELECT CAST('<a><![CDATA[<!DOCTYPE a>]]></a>' AS xml), CAST('<a><!-- <!DOCTYPE a> --></a>' AS xml), CAST('<a><?p <!DOCTYPE a> ?></a>' AS xml)
GO
--! rows
--! <a>&lt;!DOCTYPE a&gt;</a> | <a><!-- <!DOCTYPE a> --></a> | <a><?p <!DOCTYPE a> ?></a>
SELECT CAST('<?xml version="1.0"?> <!-- x --> <?p?><!DOCTYPE a><a/>' AS xml)
GO
--! error 6359
