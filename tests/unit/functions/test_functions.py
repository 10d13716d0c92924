"""Built-in functions: the examples of their pages in the Transact-SQL reference (each block names its pages)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbql.grammar.errors import SqlError

STRINGS = [
    ("LEN('abc  ')", "3"), ("DATALENGTH(N'abc')", "6"), ("SUBSTRING('abcdef', 2, 3)", "bcd"), ("SUBSTRING('abc', 0, 2)", "a"),
    ("CHARINDEX('bicycle', 'Reflectors are vital safety components of your bicycle.')", "48"), ("CHARINDEX('is', 'This is a string', 4)", "6"),
    ("PATINDEX('%ter%', 'interesting data')", "3"), ("PATINDEX('%[^ 0-9A-Za-z]%', 'Please ensure the door is locked!')", "33"),
    ("REPLACE('abcdefghicde', 'cde', 'xxx')", "abxxxfghixxx"), ("STUFF('abcdef', 2, 3, 'ijklmn')", "aijklmnef"), ("STUFF('abc', 5, 1, 'x')", "NULL"),
    ("QUOTENAME('abc[]def')", "[abc[]]def]"), ("QUOTENAME('abc def', '''')", "'abc def'"), ("CONCAT('Happy ', 'Birthday ', 11, '/', '25')", "Happy Birthday 11/25"),
    ("CONCAT(NULL, NULL)", ""), ("CONCAT_WS(',', '1 Microsoft Way', NULL, 'Redmond')", "1 Microsoft Way,Redmond"), ("REVERSE('abc')", "cba"),
    ("REPLICATE('0', 3)", "000"), ("LEFT('abcdefg', 2)", "ab"), ("RIGHT('abcdefg', 2)", "fg"), ("LTRIM('   x')", "x"), ("TRIM('  test  ')", "test"),
    ("TRIM('.,! ' FROM '     #     test    .')", "#     test"), ("TRANSLATE('2*[3+4]/{7-2}', '[]{}', '()()')", "2*(3+4)/(7-2)"), ("STR(123.45, 6, 1)", " 123.5"),
    ("STR(123.45, 2, 2)", "**"), ("SOUNDEX('Smith')", "S530"), ("SOUNDEX('Smythe')", "S530"), ("DIFFERENCE('Green', 'Greene')", "4"), ("ASCII('A')", "65"),
    ("UNICODE(N'Åkergatan 24')", "197"), ("NCHAR(197)", "Å"), ("CHAR(256)", "NULL"), ("PARSENAME('AdventureWorks2022..Person', 1)", "Person"),
    ("PARSENAME('AdventureWorks2022..Person', 2)", "NULL"), ("PARSENAME('AdventureWorks2022..Person', 3)", "AdventureWorks2022"), ("UPPER('abc')", "ABC"),
    ("FORMATMESSAGE('This is the %s and this is the %d.', 'first variable', 2)", "This is the first variable and this is the 2."), ("SPACE(2) + 'x'", "  x"),
    (r"STRING_ESCAPE('\   /  " + '"' + r"', 'json')", r"\\   \/  \""),
]  # fmt: skip

DATES = [
    ("DATEADD(month, 1, '2006-08-30')", "2006-09-30 00:00:00.000"), ("DATEADD(month, 1, '2006-08-31')", "2006-09-30 00:00:00.000"),
    ("DATEDIFF(year, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", "1"), ("DATEDIFF(second, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", "1"),
    ("DATEDIFF(week, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", "1"), ("DATEDIFF_BIG(day, '2005-12-12', '2007-10-07')", "664"),
    ("DATENAME(year, '12:10:30.123')", "1900"), ("DATENAME(weekday, '2007-04-21')", "Saturday"), ("DATEPART(week, '2007-04-21')", "16"), ("DATEPART(weekday, '2007-04-21')", "7"),
    ("DATEPART(iso_week, '2010-01-01')", "53"), ("DATEPART(dayofyear, '2007-10-30')", "303"), ("DATEPART(tzoffset, CAST('2007-05-10 00:00:01.1234567 +05:10' AS datetimeoffset))", "310"),
    ("EOMONTH('2024-02-10')", "2024-02-29"), ("EOMONTH('2024-02-10', -1)", "2024-01-31"), ("DATEFROMPARTS(2010, 12, 31)", "2010-12-31"),
    ("DATETIME2FROMPARTS(2011, 8, 15, 14, 23, 44, 5, 1)", "2011-08-15 14:23:44.5"), ("TIMEFROMPARTS(23, 59, 59, 0, 0)", "23:59:59"),
    ("DATETIMEOFFSETFROMPARTS(2010, 12, 31, 14, 23, 23, 0, 12, 0, 7)", "2010-12-31 14:23:23.0000000 +12:00"), ("ISDATE('2009/05/12')", "1"), ("ISDATE('2009')", "1"), ("ISDATE('x')", "0"),
    ("DATETRUNC(quarter, CAST('2021-12-08 11:30:15.1234567' AS datetime2))", "2021-10-01 00:00:00.0000000"), ("DATETRUNC(iso_week, CAST('2021-12-08' AS date))", "2021-12-06"),
    ("SWITCHOFFSET(CAST('1998-09-20 7:45:50.71345 -5:00' AS datetimeoffset), '-08:00')", "1998-09-20 04:45:50.7134500 -08:00"),
    ("DATE_BUCKET(week, 1, CAST('2020-04-15 21:22:11' AS datetime2))", "2020-04-13 00:00:00.0000000"), ("YEAR('2010-04-30T01:01:01.1234567')", "2010"),
    ("CAST('2022-03-27T02:01:00' AS datetime2(0)) AT TIME ZONE 'Central European Standard Time'", "2022-03-27 03:01:00 +02:00"),
    ("CAST('2022-03-27T03:01:00' AS datetime2(0)) AT TIME ZONE 'Central European Standard Time'", "2022-03-27 03:01:00 +02:00"), ("GETDATE()", "2026-01-01 00:00:00.000"),
]  # fmt: skip

NUMBERS = [
    ("ROUND(123.9994, 3)", "123.9990"), ("ROUND(123.9995, 3)", "124.0000"), ("ROUND(123.4545, 2)", "123.4500"), ("ROUND(150.75, 0)", "151.00"), ("ROUND(150.75, 0, 1)", "150.00"),
    ("ROUND(748.58, -1)", "750.00"), ("ROUND(748.58, -4)", ".00"), ("CEILING(-123.45)", "-123"), ("FLOOR(-123.45)", "-124"), ("ABS(-1.0)", "1.0"), ("SIGN(-125)", "-1"),
    ("POWER(2, 10)", "1024"), ("POWER(2.0, -100.0)", ".0"), ("SQRT(16)", "4.0"), ("SQUARE(3)", "9.0"), ("LOG(1)", "0.0"), ("DEGREES(PI())", "180.0"), ("RAND(1)", "0.71359199321292355"),
    ("BIT_COUNT(0xabcdef)", "17"), ("BIT_COUNT(17)", "2"), ("GET_BIT(0xabcdef, 2)", "1"), ("SET_BIT(0xabcdef, 0, 0)", "0xABCDEE"), ("LEFT_SHIFT(12345, 5)", "395040"),
    ("RIGHT_SHIFT(12345, 5)", "385"), ("ISNUMERIC('$')", "1"), ("ISNUMERIC('12x')", "0"), ("GREATEST('6.62', 3.1415, N'7')", "7.0000"), ("LEAST(5, NULL, 3)", "3"),
]  # fmt: skip

OTHERS = [
    ("ISNULL(CAST(NULL AS varchar(3)), 'abcdef')", "abc"), ("COALESCE(NULL, NULL, 3)", "3"), ("NULLIF(4, 4)", "NULL"), ("IIF(45 > 30, 'TRUE', 'FALSE')", "TRUE"),
    ("CHOOSE(3, 'Manager', 'Director', 'Developer', 'Tester')", "Developer"), ("CHOOSE(9, 'a')", "NULL"), ("HASHBYTES('MD5', 'abc')", "0x900150983CD24FB0D6963F7D28E17F72"),
    ("CAST(DECOMPRESS(COMPRESS(N'abc')) AS nvarchar(max))", "abc"), ("TRY_CAST('test' AS float)", "NULL"), ("TRY_CONVERT(int, '12')", "12"), ("CHECKSUM(NULL)", "2147483647"),
    ("PARSE('Monday, 13 December 2010' AS datetime2 USING 'en-US')", "2010-12-13 00:00:00.0000000"), ("PARSE('€345,98' AS money USING 'de-DE')", "345.9800"),
    ("TRY_PARSE('Jabberwokkie' AS datetime2 USING 'en-US')", "NULL"), ("FORMAT(123456789, '###-##-####')", "123-45-6789"), ("FORMAT(CAST('2022-11-22' AS date), 'd', 'en-US')", "11/22/2022"),
    ("FORMAT(CAST('2022-11-22' AS date), 'D', 'de-de')", "Dienstag, 22. November 2022"), ("FORMAT(1, 'C', 'en-us')", "$1.00"), ("FORMAT(CAST('07:35' AS time), N'hh.mm')", "NULL"),
    (r"FORMAT(CAST('07:35' AS time), N'hh\:mm')", "07:35"), ("ISJSON('{\"a\":1}')", "1"), ("JSON_VALUE('{\"a\":{\"b\":\"x\"}}', '$.a.b')", "x"), ("JSON_QUERY('{\"a\": [1, 2]}', '$.a')", "[1, 2]"),
    ("JSON_MODIFY('{\"name\":\"John\",\"skills\":[\"C#\"]}', 'append $.skills', 'Azure')", '{"name":"John","skills":["C#","Azure"]}'),
    ("JSON_MODIFY('{\"name\":\"John\"}', '$.name', NULL)", "{}"), ("XACT_STATE()", "0"), ("ERROR_NUMBER()", "NULL"), ("@@ROWCOUNT", "3"), ("@@SPID", "51"), ("CURRENT_TIMESTAMP", "2026-01-01 00:00:00.000"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), STRINGS + DATES + NUMBERS + OTHERS)
def test_documented_examples(show: Callable[[str], str], text: str, expected: str) -> None:
    assert show(text) == expected


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("NOSUCH(1)", 195), ("LEN()", 174), ("SUBSTRING('a', 1, -1)", 537), ("LEFT('a', -1)", 536), ("SUBSTRING('a')", 174), ("CHARINDEX('a')", 189), ("DATEADD(foo, 1, '2024-01-01')", 155),
        ("DATEDIFF(second, '1900-01-01', '2025-01-01')", 535), ("DATEADD(year, 9000, '2024-01-01')", 517), ("DATEFROMPARTS(2024, 2, 30)", 289), ("DATEPART(hour, CAST('2024-01-01' AS date))", 9810),
        ("NULLIF(NULL, 1)", 4151), ("COALESCE(NULL, NULL)", 4127), ("CASE WHEN 1 = 1 THEN NULL END", 8133), ("ROUND(748.58, -3)", 8115), ("SQRT(-1)", 3623), ("POWER(2, 31)", 232), ("LEN(CAST('<a/>' AS xml))", 8116),
        ("TRANSLATE('a', 'ab', 'c')", 9828), ("JSON_VALUE('{', '$.a')", 13609), ("JSON_VALUE('{}', 'strict $.a')", 13608), ("JSON_VALUE('{}', 'a')", 13607), ("CONVERT(varchar(20), GETDATE(), 999)", 281),
        ("CAST('2024-01-01' AS datetime2) AT TIME ZONE 'Nowhere'", 9820), ("PARSE('x' AS int)", 9819), ("@nosuch", 137), ("x", 128), ("x.y", 4104), ("1 / 0", 8134), ("CAST('x' AS foo)", 243),
    ],
)  # fmt: skip
def test_errors(show: Callable[[str], str], text: str, number: int) -> None:
    with pytest.raises(SqlError) as caught:
        show(text)
    assert caught.value.number == number


def test_new_guids_repeat_with_the_seed(show: Callable[[str], str]) -> None:
    assert show("NEWID()") == "CD613E30-D8F1-4ADF-91B7-584A2265B1F5"


def test_every_function_is_bound_or_belongs_to_queries() -> None:
    from sbql.engine.scalars.function_registry import SCALAR, all_functions

    functions = all_functions()
    assert len(functions) > 200
    assert all((f.make is not None) == (f.kind == SCALAR) for f in functions.values())


def test_every_global_variable_has_a_value() -> None:
    from sbql.engine.functions.globals import GLOBALS
    from sbql.grammar.keywords import GLOBAL_VARIABLES

    assert GLOBALS.keys() == GLOBAL_VARIABLES
