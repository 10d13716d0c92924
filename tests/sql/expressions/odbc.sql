-- ODBC escapes: literals of date, time, timestamp and GUID, and {fn …} (pages "datetime" and "ODBC scalar functions").
SELECT {d '1998-05-02'}, {ts '1998-05-02 01:23:56.123'}, {t '13:33:41'}, {guid '6F9619FF-8B86-D011-B42D-00C04FC964FF'}
SELECT SQL_VARIANT_PROPERTY({d '1998-05-02'}, 'BaseType'), DATEDIFF(day, {t '13:00:00'}, GETDATE())
GO
--! rows
--! 1998-05-02 00:00:00.000 | 1998-05-02 01:23:56.123 | 2026-01-01 13:33:41.000 | 6F9619FF-8B86-D011-B42D-00C04FC964FF
--! rows
--! datetime | 0
SELECT {fn CURDATE()}, {fn CURTIME()}, {fn NOW()}, {fn CURRENT_DATE()}, {fn CURRENT_TIME(6)}
DECLARE @string nvarchar(100) = N'Returns the length.', @date nvarchar(30) = N'2007-04-21 01:01:01.1234567'
SELECT {fn BIT_LENGTH(@string)}, {fn OCTET_LENGTH(@string)}, {fn CONCAT('CONCAT ', 'returns a character string')}, {fn TRUNCATE(100.123456, 4)}
SELECT {fn DAYNAME(@date)}, {fn DAYOFMONTH(@date)}, {fn DAYOFWEEK(@date)}, {fn HOUR(@date)}, {fn MINUTE(@date)}, {fn SECOND(@date)},
       {fn MONTHNAME(@date)}, {fn QUARTER(@date)}, {fn WEEK(@date)}, {fn EXTRACT(YEAR FROM {ts '2007-04-21 01:01:01'})}, {fn UCASE('a')}, {fn LEFT('abc', 2)}
CREATE TABLE t (d datetime)
INSERT t VALUES ({ts '2024-02-29 00:00:00'}), ({d '2023-01-01'})
SELECT COUNT(*) FROM t WHERE d >= {d '2024-01-01'} AND {fn DAYOFMONTH(d)} = 29
GO
--! rows
--! 2026-01-01 | 00:00:00 | 2026-01-01 00:00:00.000 | 2026-01-01 | 00:00:00.000000
--! rows
--! 304 | 38 | CONCAT returns a character string | 100.123400
--! rows
--! Saturday | 21 | 7 | 1 | 1 | 1 | April | 2 | 16 | 2007 | A | ab
--! rows
--! 1
SELECT {d '1998-13-02'}
GO
--! error 242 line 1
SELECT {x '1998-05-02'}
GO
--! error 102 line 1
SELECT {fx NOW()}
GO
--! error 102 line 1
