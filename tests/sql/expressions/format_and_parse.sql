-- FORMAT: the widths of X, digits of G and R, exponents in custom formats, general dates, and the invariant formats (.NET's documentation).
SELECT FORMAT(CAST(-1 AS smallint), 'X'), FORMAT(-1, 'x'), FORMAT(CAST(-1 AS bigint), 'X'), FORMAT(12345.678, 'G3'), FORMAT(0.00001234E0, 'G'), FORMAT(1E20, 'G');
GO
--! rows
--! FFFF | ffffffff | FFFFFFFFFFFFFFFF | 1.23E+04 | 1.234E-05 | 1E+20
SELECT FORMAT(12345, '0.00E+00'), FORMAT(99999, '0.0e0'), FORMAT(0.00012345, '0.0##E-0'), FORMAT(12345.678, 'R'), FORMAT(12345.678E0, 'R');
GO
--! rows
--! 1.23E+04 | 1.0e5 | 1.235E-4 | NULL | 12345.678
DECLARE @o datetimeoffset(0) = '2011-10-05 10:00 +05:30', @d datetime = '2011-10-15 13:05';
SELECT FORMAT(@o, 'r'), FORMAT(@o, 'u'), FORMAT(@d, 'R', 'de-DE'), FORMAT(@d, ''), FORMAT(@o, '');
GO
--! rows
--! Wed, 05 Oct 2011 04:30:00 GMT | 2011-10-05 04:30:00Z | Sat, 15 Oct 2011 13:05:00 GMT | 10/15/2011 1:05:00 PM | 10/5/2011 10:00:00 AM +05:30
SELECT FORMAT(@@SPID, 5);
GO
--! error 8116
-- Cultures: names, short names, AM and PM; a language alone; groups of two digits in India.
DECLARE @d datetime = '2011-10-15 13:05';
SELECT FORMAT(@d, 'ddd', 'de-DE'), FORMAT(@d, 'dddd', 'ja-JP'), FORMAT(@d, 'tt', 'zh-CN'), FORMAT(1234.5, 'N', 'de'), FORMAT(1234567.5, 'N', 'en-IN'), FORMAT(1234.5, 'N', 'de-CH');
GO
--! rows
--! Sa | 土曜日 | 下午 | 1.234,50 | 12,34,567.50 | 1'234.50
SELECT FORMAT(1, 'N', 'xx-XX');
GO
--! error 9818
-- PARSE: the styles of .NET that its page lists (Number, Float, Currency); "if a null constant is passed, an error is raised".
SELECT PARSE('1,234' AS int), PARSE('5.00' AS int), PARSE('5-' AS int), PARSE('1e5' AS float), PARSE('($1,234.50)' AS money), PARSE('1.234,5' AS decimal(9, 2) USING 'de-DE');
GO
--! rows
--! 1234 | 5 | -5 | 100000.0 | -1234.5000 | 1234.50
SELECT TRY_PARSE('(5)' AS int), TRY_PARSE('$5' AS int), TRY_PARSE('1e5' AS int), TRY_PARSE('5.5' AS int), TRY_PARSE('1,000' AS float), TRY_PARSE('$5' AS money USING 'de-DE');
GO
--! rows
--! NULL | NULL | NULL | NULL | NULL | NULL
SELECT PARSE(NULL AS int);
GO
--! error 8116
SELECT PARSE(5 AS int);
GO
--! error 8116
DECLARE @none nvarchar(10); SELECT PARSE(@none AS int);
GO
--! rows
--! NULL
SELECT TRY_PARSE('1' AS int USING 'xx-XX');
GO
--! error 9818
SELECT PARSE('13 déc. 2010' AS date USING 'fr-FR'), PARSE('13 Mrz 2010' AS date USING 'de-DE');
GO
--! rows
--! 2010-12-13 | 2010-03-13
-- ISDATE: "Date and time data types, except datetime and smalldatetime, are not allowed".
SELECT ISDATE(CAST('2020-01-01' AS date));
GO
--! error 8116 text date
SELECT ISDATE(GETDATE()), ISDATE('20200230');
GO
--! rows
--! 1 | 0
-- Styles 130 and 131 are read, too.
SELECT CONVERT(date, '27/03/1427', 131), CONVERT(datetime, '27/3/1427 15:50:59:997', 131), CONVERT(date, CONVERT(nvarchar(60), CAST('2006-04-25' AS datetime), 130), 130);
SELECT COUNT(*) FROM (SELECT DATEADD(day, value * 37, '19900101') AS d FROM GENERATE_SERIES(0, 500)) AS days WHERE CONVERT(datetime, CONVERT(varchar(40), d, 131), 131) <> d;
GO
--! rows
--! 2006-04-25 | 2006-04-25 15:50:59.997 | 2006-04-25
--! rows
--! 0
SELECT CONVERT(date, '31/03/1427', 131);
GO
--! error 241
-- The percent sign stands where the culture has it.
SELECT FORMAT(0.256, 'P1', 'de-DE'), FORMAT(0.256, 'P', 'en-US'), FORMAT(-0.256, 'P0', 'fr-FR'), FORMAT(0.5, 'P0', 'tr-TR');
GO
--! rows
--! 25,6 % | 25.60% | -26 % | %50
-- What is rounded to zero has no sign, in FORMAT (.NET Framework) and in the text of money, from a column and from a variable.
DECLARE @m money = -0.0001, @f float = -0.00001;
SELECT FORMAT(@m, 'N2'), FORMAT(@f, 'F2'), FORMAT(@m, 'C', 'en-US'), FORMAT(@f, 'P1', 'en-US'), FORMAT(@m, '0.00'), CAST(@m AS varchar(10)), CONVERT(varchar(10), @m, 1), CONVERT(varchar(10), @m, 2), CONCAT(@m, ''), FORMAT(-0.005, 'N2');
SELECT FORMAT(m, 'N2'), FORMAT(f, 'F2'), FORMAT(m, 'C', 'en-US'), CAST(m AS varchar(10)), CONVERT(varchar(10), m, 1), CONVERT(varchar(10), m, 2), CONCAT(m, '') FROM (VALUES (@m, @f)) AS v (m, f);
GO
--! rows
--! 0.00 | 0.00 | $0.00 | 0.0% | 0.00 | 0.00 | 0.00 | -0.0001 | 0.00 | -0.01
--! rows
--! 0.00 | 0.00 | $0.00 | 0.00 | 0.00 | -0.0001 | 0.00
-- PARSE reads dates as .NET does: what begins with a year has the month next in every culture, digits alone are no date.
SELECT PARSE('2024-02-03' AS datetime USING 'de-DE'), PARSE('2024/02/03 10:30' AS datetime2(0) USING 'fr-FR'), PARSE('03.02.2024' AS datetime USING 'de-DE'), TRY_PARSE('20240203' AS date USING 'en-US'), TRY_PARSE('' AS date);
SELECT PARSE(a AS datetime USING 'de-DE'), TRY_PARSE(b AS date USING 'en-US') FROM (VALUES ('2024-02-03', '20240203')) AS v (a, b);
GO
--! rows
--! 2024-02-03 00:00:00.000 | 2024-02-03 10:30:00 | 2024-02-03 00:00:00.000 | NULL | NULL
--! rows
--! 2024-02-03 00:00:00.000 | NULL
SELECT PARSE('20240203' AS date USING 'en-US');
GO
--! error 9819
-- A zero with a sign is shown without it by custom formats, too.
DECLARE @zero float = 0E0 * -1;
SELECT FORMAT(@zero, '0.00'), FORMAT(@zero, 'N2'), FORMAT(f, '0.00'), FORMAT(f, '#,##0.0'), FORMAT(f, 'C', 'en-US'), FORMAT(f, 'P') FROM (VALUES (@zero)) AS v (f);
GO
--! rows
--! 0.00 | 0.00 | 0.00 | 0.0 | $0.00 | 0.00%
-- Currencies and percents of columns: the signs and groups of the culture, the sign of a negative number where the culture has it, in full precision.
SELECT FORMAT(m, 'C', 'en-US'), FORMAT(m, 'c0', 'de-DE'), FORMAT(i, 'C', 'en-GB'), FORMAT(f, 'P1', 'en-US'), FORMAT(f, 'P', 'de-DE') FROM (VALUES
    (CAST(-1234567.891 AS money), -5, 0.1234E0), (922337203685477.5807, 2147483647, -0.5E0), (-922337203685477.5808, -2147483648, 12.34567E0), (0.005, 0, 0.00005E0)) AS v (m, i, f);
GO
--! rows
--! ($1,234,567.89) | -1.234.568 € | -£5.00 | 12.3% | 12,34 %
--! $922,337,203,685,477.58 | 922.337.203.685.478 € | £2,147,483,647.00 | -50.0% | -50,00 %
--! ($922,337,203,685,477.58) | -922.337.203.685.478 € | -£2,147,483,648.00 | 1,234.6% | 1.234,57 %
--! $0.01 | 0 € | £0.00 | 0.0% | 0,01 %
