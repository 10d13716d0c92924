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
-- Every function of the appendix "Scalar functions" of ODBC that the drivers of SQL Server name as theirs (SQLGetInfo, DatabaseMetaData).
SELECT {fn ASCII('a')}, {fn CHAR(65)}, {fn CONCAT('a', 'b')}, {fn DIFFERENCE('a', 'a')}, {fn INSERT('abc', 1, 1, 'x')}, {fn LCASE('A')}, {fn LEFT('abc', 2)},
       {fn LENGTH('abc ')}, {fn LOCATE('b', 'abcb')}, {fn LOCATE('b', 'abcb', 3)}, {fn LTRIM(' a')}, {fn REPEAT('a', 2)}, {fn REPLACE('a', 'a', 'b')},
       {fn RIGHT('abc', 2)}, {fn RTRIM('a ')}, {fn SOUNDEX('a')}, DATALENGTH({fn SPACE(2)}), {fn SUBSTRING('abc', 1, 2)}, {fn UCASE('a')}
SELECT {fn ABS(-1)}, {fn ACOS(1)}, {fn ASIN(0)}, {fn ATAN(0)}, {fn ATAN2(0, 1)}, {fn CEILING(1.2)}, {fn COS(0)}, {fn COT(1)} - COT(1), {fn DEGREES(0)}, {fn EXP(0)},
       {fn FLOOR(1.2)}, {fn LOG(1)}, {fn LOG10(1)}, {fn MOD(5, 3)}, {fn PI()} - PI(), {fn POWER(2, 3)}, {fn RADIANS(0)}, {fn RAND(3)} - RAND(3), {fn ROUND(1.5, 0)},
       {fn SIGN(-1)}, {fn SIN(0)}, {fn SQRT(4)}, {fn TAN(0)}, {fn TRUNCATE(1.55, 1)}
DECLARE @d datetime = '2024-03-05T13:14:15', @e datetime = '2025-05-06T14:15:16'
SELECT {fn DAYNAME(@d)}, {fn DAYOFMONTH(@d)}, {fn DAYOFWEEK(@d)}, {fn DAYOFYEAR(@d)}, {fn HOUR(@d)}, {fn MINUTE(@d)}, {fn MONTH(@d)}, {fn MONTHNAME(@d)},
       {fn QUARTER(@d)}, {fn SECOND(@d)}, {fn WEEK(@d)}, {fn YEAR(@d)}
SELECT {fn TIMESTAMPADD(SQL_TSI_YEAR, 1, @d)}, {fn TIMESTAMPADD(SQL_TSI_QUARTER, 1, @d)}, {fn TIMESTAMPADD(SQL_TSI_MONTH, 1, @d)}, {fn TIMESTAMPADD(SQL_TSI_WEEK, 1, @d)},
       {fn TIMESTAMPADD(SQL_TSI_DAY, -1, @d)}, {fn TIMESTAMPADD(SQL_TSI_HOUR, 1, @d)}, {fn TIMESTAMPADD(SQL_TSI_MINUTE, 1, @d)}, {fn timestampadd(sql_tsi_second, 1, @d)}
SELECT {fn TIMESTAMPDIFF(SQL_TSI_YEAR, @d, @e)}, {fn TIMESTAMPDIFF(SQL_TSI_QUARTER, @d, @e)}, {fn TIMESTAMPDIFF(SQL_TSI_MONTH, @d, @e)}, {fn TIMESTAMPDIFF(SQL_TSI_DAY, @d, @e)},
       {fn TIMESTAMPDIFF(SQL_TSI_WEEK, @d, DATEADD(day, 7, @d))}, {fn TIMESTAMPDIFF(SQL_TSI_HOUR, @d, DATEADD(day, 1, @d))}, {fn TIMESTAMPDIFF(SQL_TSI_SECOND, @e, DATEADD(minute, -1, @e))}
SELECT {fn DATABASE()}, {fn IFNULL(NULL, 1)}, {fn USER()}
GO
--! rows
--! 97 | A | ab | 4 | xbc | a | ab | 3 | 2 | 4 | a | aa | b | bc | a | A000 | 2 | ab | A
--! rows
--! 1 | 0.0 | 0.0 | 0.0 | 0.0 | 2 | 1.0 | 0.0 | 0 | 1.0 | 1 | 0.0 | 0.0 | 2 | 0.0 | 8 | 0 | 0.0 | 2.0 | -1 | 0.0 | 2.0 | 0.0 | 1.50
--! rows
--! Tuesday | 5 | 3 | 65 | 13 | 14 | 3 | March | 1 | 15 | 10 | 2024
--! rows
--! 2025-03-05 13:14:15.000 | 2024-06-05 13:14:15.000 | 2024-04-05 13:14:15.000 | 2024-03-12 13:14:15.000 | 2024-03-04 13:14:15.000 | 2024-03-05 14:14:15.000 | 2024-03-05 13:15:15.000 | 2024-03-05 13:14:16.000
--! rows
--! 1 | 5 | 14 | 427 | 1 | 24 | -60
--! rows
--! master | 1 | dbo
-- The argument list is optional: {fn <function_name> [ (<argument>,....n) ] }.
SELECT {fn NOW}, {fn NOW()}, {fn CURRENT_TIMESTAMP}, {fn CURRENT_TIMESTAMP()}, {fn GETDATE}, {fn CURTIME}, {fn CURRENT_TIME}
SELECT {fn CURDATE}, {fn CURRENT_DATE}, SQL_VARIANT_PROPERTY({fn CURRENT_DATE}, 'BaseType'), SQL_VARIANT_PROPERTY({fn CURRENT_DATE()}, 'BaseType'), {fn DATABASE}, {fn USER}, {fn PI} - PI()
GO
--! rows
--! 2026-01-01 00:00:00.000 | 2026-01-01 00:00:00.000 | 2026-01-01 00:00:00.000 | 2026-01-01 00:00:00.000 | 2026-01-01 00:00:00.000 | 00:00:00 | 00:00:00
--! rows
--! 2026-01-01 | 2026-01-01 | varchar | varchar | master | dbo | 0.0
SELECT {fn TIMESTAMPADD(DAY, 1, GETDATE())}
GO
--! error 102 line 1
SELECT {fn UCASE}
GO
--! error 102 line 1
