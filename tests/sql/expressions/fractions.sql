-- Seven fractional digits in expressions: groups, sets, windows, variants, text, bytes, and where a value becomes another type.
CREATE TABLE #t (id int, d datetime2, t time, o datetimeoffset, s datetime2(3));
INSERT #t VALUES
    (1, '2020-01-01 10:00:00.1234567', '10:00:00.1234567', '2020-01-01 10:00:00.1234567 +01:00', '2020-01-01 10:00:00.123'),
    (2, '2020-01-01 10:00:00.1234568', '10:00:00.1234568', '2020-01-01 09:00:00.1234567 +00:00', '2020-01-01 10:00:00.124'),
    (3, '2020-01-01 10:00:00.1234567', '10:00:00.1234567', '2020-01-01 10:00:00.1234568 +01:00', '2020-01-01 10:00:00.123');
SELECT d, COUNT(*) FROM #t GROUP BY d ORDER BY d DESC;
SELECT COUNT(DISTINCT d), COUNT(DISTINCT t), COUNT(DISTINCT o), MAX(d), MIN(t) FROM #t;
SELECT a.id, b.id FROM #t a JOIN #t b ON a.o = b.o AND a.id < b.id;
SELECT id FROM #t ORDER BY o DESC, id;
SELECT d FROM #t UNION SELECT s FROM #t ORDER BY 1;
SELECT id, LAG(t) OVER (ORDER BY t, id), DENSE_RANK() OVER (ORDER BY d) FROM #t ORDER BY id;
SELECT id FROM #t WHERE d IN ('2020-01-01 10:00:00.1234568', '2020-01-01 10:00:00.1234569') OR t BETWEEN '10:00:00.12345671' AND '10:00:00.2';
GO
--! error 241
--! rows
--! 2020-01-01 10:00:00.1234568 | 1
--! 2020-01-01 10:00:00.1234567 | 2
--! rows
--! 2 | 2 | 2 | 2020-01-01 10:00:00.1234568 | 10:00:00.1234567
--! rows
--! 1 | 2
--! rows
--! 3
--! 1
--! 2
--! rows
--! 2020-01-01 10:00:00.1230000
--! 2020-01-01 10:00:00.1234567
--! 2020-01-01 10:00:00.1234568
--! 2020-01-01 10:00:00.1240000
--! rows
--! 1 | NULL | 1
--! 2 | 10:00:00.1234567 | 2
--! 3 | 10:00:00.1234567 | 1
-- Beside a type of fewer digits nothing is cut off; text is read to all seven.
SELECT id, CASE WHEN s < d THEN 'less' WHEN s > d THEN 'more' END FROM #t ORDER BY id;
SELECT id FROM #t WHERE s = '2020-01-01 10:00:00.1230001';
SELECT id FROM #t WHERE s = '2020-01-01 10:00:00.1240000';
SELECT CASE WHEN CAST('10:00:00.1' AS time(1)) = CAST('1900-01-01 10:00:00.1000001' AS datetime2) THEN 'equal' ELSE 'unequal' END;
GO
--! rows
--! 1 | less
--! 2 | more
--! 3 | less
--! rows
--! rows
--! 2
--! rows
--! unequal
-- Variants keep type, scale and value.
SELECT CASE WHEN a < b THEN 1 ELSE 0 END, SQL_VARIANT_PROPERTY(a, 'Scale'), SQL_VARIANT_PROPERTY(a, 'BaseType'), a
FROM (SELECT CAST(CAST('10:00:00.1234567' AS time) AS sql_variant), CAST(CAST('10:00:00.1234568' AS time) AS sql_variant)) AS v (a, b);
SELECT COUNT(DISTINCT CAST(o AS sql_variant)) FROM #t;
GO
--! rows
--! 1 | 7 | time | 10:00:00.1234567
--! rows
--! 2
-- Rounding up goes into the next second, day and year; a time begins anew.
DECLARE @d datetime2 = '2019-12-31 23:59:59.9999999', @t time = '23:59:59.9999999', @o datetimeoffset = '2019-12-31 23:59:59.9999999 -08:00';
SELECT CAST(@d AS datetime2(6)), CAST(@d AS datetime2(0)), CAST(@d AS datetime), CAST(@d AS smalldatetime), CAST(@d AS date);
SELECT CAST(@t AS time(6)), CAST(@t AS datetime2(3)), CAST(@t AS datetime), CAST(@o AS datetimeoffset(3)), CAST(@o AS time), CAST(@o AS datetime2);
SELECT CAST('2019-12-31 23:59:59.99999994' AS datetime2);
GO
--! error 241
--! rows
--! 2020-01-01 00:00:00.000000 | 2020-01-01 00:00:00 | 2020-01-01 00:00:00.000 | 2020-01-01 00:00:00 | 2019-12-31
--! rows
--! 00:00:00.000000 | 1900-01-02 00:00:00.000 | 1900-01-02 00:00:00.000 | 2020-01-01 00:00:00.000 -08:00 | 23:59:59.9999999 | 2019-12-31 23:59:59.9999999
SELECT CAST(CAST('9999-12-31 23:59:59.9999999' AS datetime2) AS datetime);
GO
--! error 242
SELECT DATEADD(ns, 50, CAST('9999-12-31 23:59:59.9999999' AS datetime2));
GO
--! error 517
SELECT DATEDIFF(ns, '2020-01-01', '2020-01-01 00:00:02.1474836'), DATEDIFF_BIG(ns, '2000-01-01', '2020-01-01 00:00:00.0000001');
SELECT DATEDIFF(ns, '2020-01-01', '2020-01-01 00:00:02.1474837');
GO
--! error 535
--! rows
--! 2147483600 | 631152000000000100
-- Text in the styles that show a fraction, and back.
DECLARE @d datetime2 = '2020-02-29 13:01:02.0000001', @o datetimeoffset = '2020-02-29 13:01:02.0000001 -01:30';
SELECT CONVERT(varchar(40), @d), CONVERT(varchar(40), @d, 109), CONVERT(varchar(40), @d, 113), CONVERT(varchar(40), @d, 114),
    CONVERT(varchar(40), @d, 121), CONVERT(varchar(40), @d, 126), CONVERT(varchar(40), @d, 127);
SELECT CONVERT(varchar(40), @o), CONVERT(varchar(40), @o, 126), CONVERT(varchar(40), @o, 127), CONVERT(varchar(22), @d);
SELECT FORMAT(@d, 'HH:mm:ss.fffffff'), FORMAT(@d, 'ss.FFF'), FORMAT(@d, 'ss.FFFFFFF'), FORMAT(@o, 'o'),
    FORMAT(CAST(@d AS time), 'c'), FORMAT(CAST('10:00' AS time), 'c'), FORMAT(CAST('10:00' AS time), N'hh\.FFF'), FORMAT(CAST(@d AS time), 'g'), FORMAT(CAST(@d AS time), N'hh\:mm\:ss\.fffffff');
SELECT CONVERT(datetime2, '2020-02-29T13:01:02.0000001', 126), PARSE('2020-02-29 13:01:02.0000001' AS datetime2 USING 'en-US'),
    TRY_CAST('13:01:02.00000001' AS time), {ts '2020-02-29 13:01:02.123'};
GO
--! rows
--! 2020-02-29 13:01:02.0000001 | Feb 29 2020  1:01:02.0000001PM | 29 Feb 2020 13:01:02.0000001 | 13:01:02.0000001 | 2020-02-29 13:01:02.0000001 | 2020-02-29T13:01:02.0000001 | 2020-02-29T13:01:02.0000001
--! rows
--! 2020-02-29 13:01:02.0000001 -01:30 | 2020-02-29T13:01:02.0000001-01:30 | 2020-02-29T14:31:02.0000001Z | 2020-02-29 13:01:02.00
--! rows
--! 13:01:02.0000001 | 02 | 02.0000001 | 2020-02-29T13:01:02.0000001-01:30 | 13:01:02.0000001 | 10:00:00 | 10. | 13:01:02.0000001 | 13:01:02.0000001
--! rows
--! 2020-02-29 13:01:02.0000001 | 2020-02-29 13:01:02.0000001 | NULL | 2020-02-29 13:01:02.123
-- Bytes: the scale, the ticks of the day, the days since 0001-01-01 (in UTC), the minutes of the offset; low bytes first.
DECLARE @d datetime2 = '0001-01-02 00:00:00.0000258', @t time = '00:00:00.0000001', @o datetimeoffset = '0001-01-02 00:00:00.0000001 -00:01';
SELECT CAST(@d AS varbinary(20)), CAST(@t AS varbinary(20)), CAST(@o AS varbinary(20)), CAST(CAST(@d AS datetime2(5)) AS varbinary(20));
SELECT CAST(0x07020100000001000000 AS datetime2), CAST(0x070100000000 AS time), CAST(0x070146C32300010000FFFF AS datetimeoffset), CAST(0x07020100000001000000 AS datetime2(6));
SELECT CAST(0x0700C0692AC9 AS time);
GO
--! error 8114
--! rows
--! 0x070201000000010000 | 0x070100000000 | 0x070146C32300010000FFFF | 0x050300000000010000
--! rows
--! 0001-01-02 00:00:00.0000258 | 00:00:00.0000001 | 0001-01-02 00:00:00.0000001 -00:01 | 0001-01-02 00:00:00.000026
-- Hashes see the digit.
SELECT CASE WHEN CHECKSUM(a) <> CHECKSUM(b) THEN 1 ELSE 0 END, CASE WHEN HASHBYTES('SHA1', CAST(a AS varbinary(9))) <> HASHBYTES('SHA1', CAST(b AS varbinary(9))) THEN 1 ELSE 0 END
FROM (SELECT CAST('2020-01-01 00:00:00.0000001' AS datetime2), CAST('2020-01-01 00:00:00.0000002' AS datetime2)) AS v (a, b);
GO
--! rows
--! 1 | 1
-- Offsets move the clock and leave the fraction.
DECLARE @o datetimeoffset = '2020-07-01 00:00:00.1234567 +05:30', @d datetime2 = '2020-07-01 00:00:00.1234567';
SELECT SWITCHOFFSET(@o, '-08:00'), TODATETIMEOFFSET(@d, 60), @d AT TIME ZONE 'Central European Standard Time', @o AT TIME ZONE 'UTC';
SELECT DATE_BUCKET(millisecond, 1, @d), DATE_BUCKET(second, 1, @d, CAST('2020-01-01 00:00:00.0000001' AS datetime2)), DATETRUNC(microsecond, @o), EOMONTH(@d);
SELECT DATEDIFF(microsecond, @d, DATEADD(ns, 400, @d)), DATEDIFF(second, '10:00:00.9999999', '10:00:01'), DATEPART(ms, @d), DATENAME(ns, @o);
GO
--! rows
--! 2020-06-30 10:30:00.1234567 -08:00 | 2020-07-01 00:00:00.1234567 +01:00 | 2020-07-01 00:00:00.1234567 +02:00 | 2020-06-30 18:30:00.1234567 +00:00
--! rows
--! 2020-07-01 00:00:00.1230000 | 2020-07-01 00:00:00.0000001 | 2020-07-01 00:00:00.1234560 +05:30 | 2020-07-31
--! rows
--! 1 | 1 | 123 | 123456700
-- A datetime is worth its 300ths of a second.
DECLARE @x datetime = '2020-01-01 00:00:00.007';
SELECT @x, CAST(@x AS datetime2), CAST(@x AS datetime2(4)), CAST(@x AS datetime2(3)), CAST(@x AS time), CAST(@x AS datetimeoffset(5)), DATEPART(ns, @x), DATEPART(mcs, @x);
GO
--! rows
--! 2020-01-01 00:00:00.007 | 2020-01-01 00:00:00.0066667 | 2020-01-01 00:00:00.0067 | 2020-01-01 00:00:00.007 | 00:00:00.0066667 | 2020-01-01 00:00:00.00667 +00:00 | 6666666 | 6666
CREATE TABLE #x (x datetime, v sql_variant);
INSERT #x VALUES ('2020-01-01 00:00:00.003', CAST('2020-01-01 00:00:00.007' AS datetime)), ('1753-01-01 23:59:59.997', CAST('2020-01-01 00:00:00.0066667' AS datetime2));
SELECT CAST(x AS datetime2), CASE WHEN x > CAST('2020-01-01 00:00:00.0033332' AS datetime2) THEN 1 ELSE 0 END FROM #x ORDER BY x;
SELECT x FROM #x WHERE x = CAST('2020-01-01 00:00:00.0033333' AS datetime2);
SELECT COUNT(*) FROM #x a JOIN #x b ON a.v = b.v;
GO
--! rows
--! 1753-01-01 23:59:59.9966667 | 0
--! 2020-01-01 00:00:00.0033333 | 1
--! rows
--! 2020-01-01 00:00:00.003
--! rows
--! 4
SELECT DATEADD(ns, 1, '2020-01-01');
GO
--! error 9810
-- XML and JSON, in and out.
DECLARE @d datetime2 = '2020-01-01 00:00:00.1234567', @t time = '10:00:00.0000001', @o datetimeoffset = '2020-01-01 00:00:00.1234567 +02:00', @e xml = '<e/>';
SELECT (SELECT @d AS d, @t AS t, @o AS o FOR JSON PATH), (SELECT @d AS d, @t AS t, @o AS o FOR XML PATH('r'));
SELECT d, t, o FROM OPENJSON('[{"d":"2020-01-01T00:00:00.1234567","t":"10:00:00.0000001","o":"2020-01-01T00:00:00.1234567+02:00"}]')
WITH (d datetime2, t time, o datetimeoffset);
DECLARE @r xml = '<r d="2020-01-01T00:00:00.1234567" t="10:00:00.0000001" z="2020-01-01T01:00:00.1234567+01:00"/>', @h int;
SELECT @r.value('/r[1]/@d', 'datetime2'), @r.value('/r[1]/@t', 'time'), @r.value('/r[1]/@z', 'datetimeoffset'), @r.value('/r[1]/@z', 'datetime2');
SELECT @e.query('sql:variable("@d")'), @e.query('sql:variable("@t")'), @e.query('sql:variable("@o")'),
    @e.value('xs:dateTime("2020-01-01T00:00:00.1234567Z")', 'datetime2'), @e.value('xs:time("10:00:00.0000001")', 'time'),
    @e.exist('/e[sql:variable("@d") lt xs:dateTime("2020-01-01T00:00:00.1234568")]'), @e.exist('/e[sql:variable("@d") lt xs:dateTime("2020-01-01T00:00:00.1234567")]');
EXECUTE sp_xml_preparedocument @h OUTPUT, '<r d="2020-01-01T00:00:00.1234567" t="10:00:00.0000001"/>';
SELECT d, t FROM OPENXML(@h, '/r') WITH (d datetime2, t time);
GO
--! rows
--! [{"d":"2020-01-01T00:00:00.1234567","t":"10:00:00.0000001","o":"2020-01-01T00:00:00.1234567+02:00"}] | <r><d>2020-01-01T00:00:00.1234567</d><t>10:00:00.0000001</t><o>2020-01-01T00:00:00.1234567+02:00</o></r>
--! rows
--! 2020-01-01 00:00:00.1234567 | 10:00:00.0000001 | 2020-01-01 00:00:00.1234567 +02:00
--! rows
--! 2020-01-01 00:00:00.1234567 | 10:00:00.0000001 | 2020-01-01 01:00:00.1234567 +01:00 | 2020-01-01 00:00:00.1234567
--! rows
--! 2020-01-01T00:00:00.1234567 | 10:00:00.0000001 | 2020-01-01T00:00:00.1234567+02:00 | 2020-01-01 00:00:00.1234567 | 10:00:00.0000001 | 1 | 0
--! rows
--! 2020-01-01 00:00:00.1234567 | 10:00:00.0000001
-- XQuery compares, sorts and converts them as wholes.
DECLARE @e xml = '<e d="2020-01-01T00:00:00.1234567"/>', @d datetime2 = '2020-01-01 00:00:00.1234567';
SELECT @e.value('("2020-01-01T00:00:00.1234567" cast as xs:dateTime?)', 'datetime2'), @e.value('xs:time(xs:dateTime("2020-01-01T00:00:00.1234567"))', 'time'),
    @e.value('max((xs:dateTime("2020-01-01T00:00:00.1234567"), xs:dateTime("2020-01-01T00:00:00.1234568")))', 'datetime2'),
    @e.value('string(sql:variable("@d"))', 'varchar(40)');
SELECT @e.exist('/e[xs:dateTime(@d) = sql:variable("@d")]'), @e.exist('/e[xs:dateTime(@d) = xs:dateTime("2020-01-01T00:00:00.1234568")]');
SELECT @e.query('for $t in (xs:time("10:00:00.0000002"), xs:time("10:00:00.0000001")) order by $t return <t>{$t}</t>'), @e.query('<a t="{sql:variable("@d")}"/>');
SET @e.modify('replace value of (/e/@d)[1] with sql:variable("@d")');
SELECT @e;
GO
--! rows
--! 2020-01-01 00:00:00.1234567 | 00:00:00.1234567 | 2020-01-01 00:00:00.1234568 | 2020-01-01T00:00:00.1234567
--! rows
--! 1 | 0
--! rows
--! <t>10:00:00.0000001</t><t>10:00:00.0000002</t> | <a t="2020-01-01T00:00:00.1234567"/>
--! rows
--! <e d="2020-01-01T00:00:00.1234567"/>
