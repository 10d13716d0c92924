"""Mathematical, bit, logical, string and conversion functions: one or more examples of each page that no other topic
has."""

from __future__ import annotations

MATHEMATICS = [
    ("t-sql/functions/abs", "SELECT ABS(-1.0), ABS(0.0), ABS(1.0)", "1.0 | .0 | 1.0"),
    ("t-sql/functions/abs", "DECLARE @i int = -2147483648; SELECT ABS(@i)", "error 8115"),
    (
        "t-sql/functions/acos",
        "DECLARE @cos float = -1.0; SELECT 'The ACOS of the number is: ' + CONVERT(varchar, ACOS(@cos))",
        "The ACOS of the number is: 3.14159",
    ),
    ("t-sql/functions/acos", "SELECT ACOS(1.01)", "error 3623"),
    (
        "t-sql/functions/asin",
        "DECLARE @angle float = -1.00; SELECT 'The ASIN of the angle is: ' + CONVERT(varchar, ASIN(@angle))",
        "The ASIN of the angle is: -1.5708",
    ),
    ("t-sql/functions/asin", "SELECT ASIN(1.01)", "error 3623"),
    (
        "t-sql/functions/atan",
        "SELECT 'The ATAN of -45.01 is: ' + CONVERT(varchar, ATAN(-45.01))",
        "The ATAN of -45.01 is: -1.54858",
    ),
    (
        "t-sql/functions/atan",
        "SELECT 'The ATAN of 197.1099392 is: ' + CONVERT(varchar, ATAN(197.1099392))",
        "The ATAN of 197.1099392 is: 1.56572",
    ),
    (
        "t-sql/functions/atn2",
        "DECLARE @x float = 35.175643, @y float = 129.44; SELECT 'The ATN2 of the angle is: ' + CONVERT(varchar, ATN2(@y, @x))",
        "The ATN2 of the angle is: 1.30545",
    ),
    (
        "t-sql/functions/cos",
        "DECLARE @angle float = 14.78; SELECT 'The COS of the angle is: ' + CONVERT(varchar, COS(@angle))",
        "The COS of the angle is: -0.599465",
    ),
    (
        "t-sql/functions/cot",
        "DECLARE @angle float = 124.1332; SELECT 'The COT of the angle is: ' + CONVERT(varchar, COT(@angle))",
        "The COT of the angle is: -0.040312",
    ),
    (
        "t-sql/functions/degrees",
        "SELECT 'The number of degrees in PI/2 radians is: ' + CONVERT(varchar, DEGREES(PI() / 2))",
        "The number of degrees in PI/2 radians is: 90",
    ),
    (
        "t-sql/functions/exp",
        "DECLARE @var float = 10; SELECT 'The EXP of the variable is: ' + CONVERT(varchar, EXP(@var))",
        "The EXP of the variable is: 22026.5",
    ),
    ("t-sql/functions/floor", "SELECT FLOOR(123.45), FLOOR(-123.45), FLOOR($123.45)", "123 | -124 | 123.0000"),
    (
        "t-sql/functions/log",
        "DECLARE @var float = 10; SELECT 'The LOG of the variable is: ' + CONVERT(varchar, LOG(@var))",
        "The LOG of the variable is: 2.30259",
    ),
    (
        "t-sql/functions/log10",
        "DECLARE @var float = 145.175643; SELECT 'The LOG10 of the variable is: ' + CONVERT(varchar, LOG10(@var))",
        "The LOG10 of the variable is: 2.16189",
    ),
    ("t-sql/functions/log10", "SELECT POWER(10, LOG10(5)), LOG10(POWER(10, 5))", "5 | 5.0"),
    ("t-sql/functions/pi", "SELECT CONVERT(varchar(30), PI(), 2)", "3.141592653589793e+000"),
    (
        "t-sql/functions/radians",
        "SELECT 'The RADIANS of the angle is: ' + CONVERT(varchar, RADIANS(CAST(-45.01 AS float)))",
        "The RADIANS of the angle is: -0.785573",
    ),
    (
        "t-sql/functions/radians",
        "SELECT 'The RADIANS of the angle is: ' + CONVERT(varchar, RADIANS(CAST(197.1099392 AS float)))",
        "The RADIANS of the angle is: 3.44022",
    ),
    (
        "t-sql/functions/rand",
        "SELECT STR(RAND(100), 17, 15), STR(RAND(), 16, 14), STR(RAND(), 18, 16)",
        "0.715436657367485 | 0.28463380767982 | 0.0131039082850364",
    ),
    (
        "t-sql/functions/sign",
        "DECLARE @value real = -1; SELECT SIGN(@value), SIGN(@value + 1), SIGN(@value + 2)",
        "-1.0 | 0.0 | 1.0",
    ),
    (
        "t-sql/functions/sin",
        "DECLARE @angle float = 45.175643; SELECT 'The SIN of the angle is: ' + CONVERT(varchar, SIN(@angle))",
        "The SIN of the angle is: 0.929607",
    ),
    ("t-sql/functions/sqrt", "DECLARE @v float = 1; SELECT SQRT(@v), SQRT(@v + 3), SQRT(@v + 8)", "1.0 | 2.0 | 3.0"),
    (
        "t-sql/functions/square",
        "DECLARE @h float = 5, @r float = 1; SELECT CONVERT(varchar(20), PI() * SQUARE(@r) * @h)",
        "15.708",
    ),
    ("t-sql/functions/tan", "SELECT TAN(PI() / 2)", "1.633123935319537E+16"),
]

BITS = [
    ("t-sql/functions/bit-count-transact-sql", "SELECT BIT_COUNT(0xabcdef), BIT_COUNT(17)", "17 | 2"),
    ("t-sql/functions/get-bit-transact-sql", "SELECT GET_BIT(0xabcdef, 2), GET_BIT(0xabcdef, 3)", "1 | 1"),
    ("t-sql/functions/left-shift-transact-sql", "SELECT LEFT_SHIFT(12345, 5), LEFT_SHIFT(12345, -5)", "395040 | 385"),
    (
        "t-sql/functions/right-shift-transact-sql",
        "SELECT RIGHT_SHIFT(12345, 5), RIGHT_SHIFT(12345, -5)",
        "385 | 395040",
    ),
    ("t-sql/functions/set-bit-transact-sql", "SELECT SET_BIT(0x00, 2), SET_BIT(0xabcdef, 0, 0)", "0x04 | 0xABCDEE"),
]

LOGIC = [
    (
        "t-sql/functions/logical-functions-choose",
        "SELECT CHOOSE(3, 'Manager', 'Director', 'Developer', 'Tester')",
        "Developer",
    ),
    (
        "t-sql/functions/logical-functions-choose",
        "SELECT ISNULL(CHOOSE(5, 'Manager', 'Director'), 'outside')",
        "outside",
    ),
    (
        "t-sql/functions/logical-functions-iif",
        "DECLARE @a int = 45, @b int = 40; SELECT IIF(@a > @b, 'TRUE', 'FALSE')",
        "TRUE",
    ),
    ("t-sql/functions/logical-functions-iif", "SELECT IIF(45 > 30, NULL, NULL)", "error 8133"),
    (
        "t-sql/functions/logical-functions-iif",
        "DECLARE @p int = NULL, @s int = NULL; SELECT IIF(45 > 30, @p, @s)",
        "NULL",
    ),
    ("t-sql/functions/logical-functions-greatest", "SELECT GREATEST('6.62', 3.1415, N'7')", "7.0000"),
    (
        "t-sql/functions/logical-functions-greatest",
        "SELECT GREATEST('Glacier', N'Joshua Tree', 'Mount Rainier')",
        "Mount Rainier",
    ),
    ("t-sql/functions/logical-functions-least", "SELECT LEAST('6.62', 3.1415, N'7')", "3.1415"),
    ("t-sql/functions/logical-functions-least", "SELECT LEAST('Glacier', N'Joshua Tree', 'Mount Rainier')", "Glacier"),
    ("t-sql/language-elements/coalesce", "SELECT COALESCE(NULL, NULL, 'third_value', 'fourth_value')", "third_value"),
    ("t-sql/language-elements/nullif", "SELECT NULLIF(4, 4), NULLIF(5, 7)", "NULL | 5"),
]

STRINGS = [
    ("t-sql/functions/char", "SELECT CHAR(65), CHAR(66), CHAR(256), CHAR(-1)", "A | B | NULL | NULL"),
    ("t-sql/functions/nchar", "SELECT NCHAR(UNICODE(N'København')), NCHAR(248), NCHAR(-1)", "K | ø | NULL"),
    ("t-sql/functions/unicode", "SELECT UNICODE(N'Åkergatan 24'), NCHAR(UNICODE(N'Åkergatan 24'))", "197 | Å"),
    ("t-sql/functions/concat", "SELECT CONCAT('Happy ', 'Birthday ', 11, '/', '25')", "Happy Birthday 11/25"),
    ("t-sql/functions/left", "SELECT LEFT('abcdefg', 2)", "ab"),
    ("t-sql/functions/right", "SELECT RIGHT('abcdefg', 2)", "fg"),
    (
        "t-sql/functions/len",
        "DECLARE @v1 varchar(40) = 'The cat is here ', @v2 nvarchar(40) = 'The cat is here '; SELECT LEN(@v1), DATALENGTH(@v1), LEN(@v2), DATALENGTH(@v2)",
        "15 | 16 | 15 | 32",
    ),
    ("t-sql/functions/ltrim", "SELECT LTRIM('123abc.', '123.')", "abc."),
    ("t-sql/functions/rtrim", "SELECT RTRIM('.123abc.', 'abc.')", ".123"),
    (
        "t-sql/functions/quotename",
        "SELECT QUOTENAME('abc[]def'), QUOTENAME('abc def'), QUOTENAME('abc', 'x')",
        "[abc[]]def] | [abc def] | NULL",
    ),
    ("t-sql/functions/replace", "SELECT REPLACE('abcdefghicde', 'cde', 'xxx')", "abxxxfghixxx"),
    ("t-sql/functions/replicate", "SELECT REPLICATE('0', 4) + 'A'", "0000A"),
    ("t-sql/functions/reverse", "SELECT REVERSE(1234)", "4321"),
    ("t-sql/functions/soundex", "SELECT SOUNDEX('Smith'), SOUNDEX('Smythe')", "S530 | S530"),
    ("t-sql/functions/space", "SELECT 'a' + SPACE(2) + 'b'", "a  b"),
    ("t-sql/functions/stuff", "SELECT STUFF('abcdef', 2, 3, 'ijklmn')", "aijklmnef"),
    ("t-sql/functions/lower", "SELECT LOWER('SELECT'), UPPER('select')", "select | SELECT"),
    (
        "t-sql/functions/datalength",
        "SELECT DATALENGTH(N'abc'), DATALENGTH('abc '), DATALENGTH(CAST(1 AS bigint))",
        "6 | 4 | 8",
    ),
]

CONVERSION = [
    (
        "t-sql/functions/parse",
        "SELECT PARSE('Monday, 13 December 2010' AS datetime2 USING 'en-US')",
        "2010-12-13 00:00:00.0000000",
    ),
    ("t-sql/functions/parse", "SELECT PARSE('€345,98' AS money USING 'de-DE')", "345.9800"),
    (
        "t-sql/functions/parse",
        "SET LANGUAGE 'English'; SELECT PARSE('12/16/2010' AS datetime2)",
        "2010-12-16 00:00:00.0000000",
    ),
    (
        "t-sql/functions/parse",
        "SET LANGUAGE German; SELECT PARSE('16.12.2010' AS date), PARSE('1.234,5' AS decimal(9, 2))",
        "2010-12-16 | 1234.50",
    ),
    ("t-sql/functions/try-parse", "SELECT TRY_PARSE('Jabberwokkie' AS datetime2 USING 'en-US')", "NULL"),
    (
        "t-sql/functions/try-parse",
        "SET LANGUAGE English; SELECT IIF(TRY_PARSE('01/01/2011' AS datetime2) IS NULL, 'True', 'False')",
        "False",
    ),
    (
        "t-sql/functions/try-cast",
        "SELECT CASE WHEN TRY_CAST('test' AS float) IS NULL THEN 'Cast failed' ELSE 'Cast succeeded' END",
        "Cast failed",
    ),
    ("t-sql/functions/try-cast", "SELECT TRY_CAST(4 AS xml)", "error 529"),
    ("t-sql/functions/try-cast", "SET DATEFORMAT dmy; SELECT TRY_CAST('12/31/2022' AS datetime2)", "NULL"),
    (
        "t-sql/functions/try-convert",
        "SELECT CASE WHEN TRY_CONVERT(float, 'test') IS NULL THEN 'Cast failed' ELSE 'Cast succeeded' END",
        "Cast failed",
    ),
    (
        "t-sql/functions/try-convert",
        "SET DATEFORMAT mdy; SELECT TRY_CONVERT(datetime2, '12/31/2022')",
        "2022-12-31 00:00:00.0000000",
    ),
    (
        "t-sql/functions/sql-variant-property",
        "DECLARE @v sql_variant = CAST(46279.1 AS decimal(8, 2)); SELECT SQL_VARIANT_PROPERTY(@v, 'BaseType'), SQL_VARIANT_PROPERTY(@v, 'Precision'), SQL_VARIANT_PROPERTY(@v, 'Scale')",
        "decimal | 8 | 2",
    ),
    (
        "t-sql/functions/isnumeric",
        "SELECT ISNUMERIC('12.3'), ISNUMERIC('$'), ISNUMERIC('abc'), ISNUMERIC('-')",
        "1 | 1 | 0 | 1",
    ),
    ("t-sql/functions/isnull", "DECLARE @w varchar(3) = NULL; SELECT ISNULL(@w, 'abcdef')", "abc"),
    (
        "t-sql/functions/generate-series",
        "SELECT value FROM GENERATE_SERIES(1, 50, 5)",
        *[str(n) for n in range(1, 50, 5)],
    ),
    (
        "t-sql/functions/generate-series",
        "DECLARE @start decimal(2, 1) = 0.0, @stop decimal(2, 1) = 1.0, @step decimal(2, 1) = 0.5; SELECT value FROM GENERATE_SERIES(@start, @stop, @step)",
        ".0",
        ".5",
        "1.0",
    ),
]

DATES = [
    ("t-sql/functions/datefromparts", "SELECT DATEFROMPARTS(2010, 12, 31)", "2010-12-31"),
    (
        "t-sql/functions/datetimefromparts",
        "SELECT DATETIMEFROMPARTS(2010, 12, 31, 23, 59, 59, 0)",
        "2010-12-31 23:59:59.000",
    ),
    (
        "t-sql/functions/datetimeoffsetfromparts",
        "SELECT DATETIMEOFFSETFROMPARTS(2010, 12, 31, 14, 23, 23, 0, 12, 0, 7)",
        "2010-12-31 14:23:23.0000000 +12:00",
    ),
    (
        "t-sql/functions/datetimeoffsetfromparts",
        "SELECT DATETIMEOFFSETFROMPARTS(2011, 8, 15, 14, 30, 0, 5, 12, 30, 1), DATETIMEOFFSETFROMPARTS(2011, 8, 15, 14, 30, 0, 500, 12, 30, 3)",
        "2011-08-15 14:30:00.5 +12:30 | 2011-08-15 14:30:00.500 +12:30",
    ),
    (
        "t-sql/functions/smalldatetimefromparts",
        "SELECT SMALLDATETIMEFROMPARTS(2010, 12, 31, 23, 59)",
        "2010-12-31 23:59:00",
    ),
    (
        "t-sql/functions/timefromparts",
        "SELECT TIMEFROMPARTS(14, 23, 44, 5, 1), TIMEFROMPARTS(14, 23, 44, 50, 2), TIMEFROMPARTS(14, 23, 44, 500, 3)",
        "14:23:44.5 | 14:23:44.50 | 14:23:44.500",
    ),
    ("t-sql/functions/day", "SELECT DAY('2015-04-30 01:01:01.1234567'), DAY(0)", "30 | 1"),
    ("t-sql/functions/month", "SELECT MONTH('2007-04-30T01:01:01.1234567 -07:00'), MONTH(0)", "4 | 1"),
    ("t-sql/functions/year", "SELECT YEAR('2010-04-30T01:01:01.1234567-07:00'), YEAR(0)", "2010 | 1900"),
    (
        "t-sql/functions/datename",
        "SELECT DATENAME(year, '2007-10-30 12:15:32'), DATENAME(month, '2007-10-30 12:15:32'), DATENAME(weekday, '2007-10-30 12:15:32')",
        "2007 | October | Tuesday",
    ),
    (
        "t-sql/functions/datediff-big",
        "SELECT DATEDIFF_BIG(day, '2005-12-12', '2007-10-07'), DATEDIFF_BIG(millisecond, '0001-01-01', '9999-12-31')",
        "664 | 315537811200000",
    ),
    (
        "t-sql/functions/switchoffset",
        "DECLARE @d datetimeoffset = '1998-09-20 7:45:50.71345 -5:00'; SELECT SWITCHOFFSET(@d, '-08:00')",
        "1998-09-20 04:45:50.7134500 -08:00",
    ),
    (
        "t-sql/functions/current-timezone",
        "SELECT CURRENT_TIMEZONE(), CURRENT_TIMEZONE_ID()",
        "(UTC) Coordinated Universal Time | UTC",
    ),
    (
        "t-sql/statements/set-language",
        "DECLARE @today datetime = '11/5/2017'; SET LANGUAGE Italian; SELECT DATENAME(month, @today); SET LANGUAGE us_english; SELECT DATENAME(month, @today)",
        "novembre",
        "November",
    ),
    (
        "t-sql/statements/set-dateformat",
        "SET DATEFORMAT mdy; DECLARE @d datetime2 = '12/31/2008 09:01:01.1234567'; SELECT @d; SET DATEFORMAT dmy; DECLARE @e datetime2 = '31/12/2008 09:01:01'; SELECT @e",
        "2008-12-31 09:01:01.1234567",
        "2008-12-31 09:01:01.0000000",
    ),
    (
        "t-sql/statements/set-datefirst",
        "SET DATEFIRST 3; SELECT @@DATEFIRST, CAST('1999-1-1' AS datetime2), DATEPART(dw, '1999-1-1')",
        "3 | 1999-01-01 00:00:00.0000000 | 3",
    ),
]

EXAMPLES: list[tuple[str, ...]] = [*MATHEMATICS, *BITS, *LOGIC, *STRINGS, *CONVERSION, *DATES]
