"""Conversion: CAST and CONVERT with their styles, implicit conversions, PARSE, FORMAT."""

from __future__ import annotations

_CONVERT = "t-sql/functions/cast-and-convert"
_NOW = "DECLARE @t datetime = '2019-08-23T13:39:17.090'; SELECT CONVERT(nvarchar(40), @t, {})"


def _styles(document: str, template: str, results: dict[int, str]) -> list[tuple[str, ...]]:
    return [(document, template.format(style), result) for style, result in results.items()]


STYLES = _styles(_CONVERT, _NOW, {
    0: "Aug 23 2019  1:39PM", 1: "08/23/19", 2: "19.08.23", 3: "23/08/19", 4: "23.08.19", 5: "23-08-19", 6: "23 Aug 19",
    7: "Aug 23, 19", 8: "13:39:17", 24: "13:39:17", 108: "13:39:17", 9: "Aug 23 2019  1:39:17:090PM", 109: "Aug 23 2019  1:39:17:090PM",
    10: "08-23-19", 11: "19/08/23", 12: "190823", 13: "23 Aug 2019 13:39:17:090", 14: "13:39:17:090", 114: "13:39:17:090",
    20: "2019-08-23 13:39:17", 21: "2019-08-23 13:39:17.090", 25: "2019-08-23 13:39:17.090", 22: "08/23/19  1:39:17 PM",
    23: "2019-08-23", 101: "08/23/2019", 102: "2019.08.23", 103: "23/08/2019", 104: "23.08.2019", 105: "23-08-2019",
    106: "23 Aug 2019", 107: "Aug 23, 2019", 110: "08-23-2019", 111: "2019/08/23", 112: "20190823", 120: "2019-08-23 13:39:17",
    121: "2019-08-23 13:39:17.090", 126: "2019-08-23T13:39:17.090", 127: "2019-08-23T13:39:17.090", 131: "22/12/1440  1:39:17:090PM",
})  # fmt: skip

BINARY = [
    (_CONVERT, "SELECT CONVERT(char(8), 0x4E616D65, 0)", "Name"),
    (_CONVERT, "SELECT CONVERT(char(8), 0x4E616D65, 1)", "0x4E616D"),
    (_CONVERT, "SELECT CONVERT(char(8), 0x4E616D65, 2)", "4E616D65"),
    (_CONVERT, "SELECT CONVERT(binary(8), 'Name', 0)", "0x4E616D6500000000"),
    (_CONVERT, "SELECT CONVERT(binary(4), '0x4E616D65', 1)", "0x4E616D65"),
    (_CONVERT, "SELECT CONVERT(binary(4), '4E616D65', 2)", "0x4E616D65"),
    (_CONVERT, "SELECT CAST(CAST(0x41 AS nvarchar(30)) AS varbinary(30))", "0x4100"),
]

ROUNDING = [
    (_CONVERT, "SELECT CAST(10.6496 AS int), CAST(-10.6496 AS int), CAST(10.6496 AS numeric), CAST(-10.6496 AS numeric)", "10 | -10 | 11 | -11"),
    (_CONVERT, "SELECT CAST(10.3496847 AS money)", "10.3497"),
    (_CONVERT, "DECLARE @v decimal(5, 2) = 193.57; SELECT CAST(CAST(@v AS varbinary(20)) AS decimal(10, 5))", "193.57000"),
    (_CONVERT, "SELECT CAST(h AS char(1)), CAST(h AS varchar(1)) FROM (VALUES (69), (20)) AS sick(h)", "* | *", "* | *"),
    (_CONVERT, "SELECT CAST(69 AS nchar(1))", "error 8115"),
    (_CONVERT, "SELECT CAST(12.5 AS varchar(2))", "error 8115"),
    (_CONVERT, "DECLARE @m money = 4235.98; SELECT CONVERT(varchar(20), @m, 0)", "4235.98"),
    (_CONVERT, "DECLARE @m money = 3510.92; SELECT CONVERT(varchar(20), @m, 1)", "3,510.92"),
    (_CONVERT, "DECLARE @m money = 4235.9819; SELECT CONVERT(varchar(20), @m, 2)", "4235.9819"),
    (_CONVERT, "SELECT 'The list price is ' + CAST(p AS varchar(12)) FROM (VALUES (CAST(357.0600 AS money))) AS list(p)", "The list price is 357.06"),
    (_CONVERT, "SELECT p FROM (VALUES (CAST(337.22 AS money)), (3374.99), (430.10)) AS list(p) WHERE CAST(p AS int) LIKE '33%'", "337.2200", "3374.9900"),
    (_CONVERT, "SELECT CAST(ROUND(CAST(18.5043 AS money) * CAST(0.05 AS float), 0) AS int), CAST(ROUND(CAST(37.4950 AS money) * CAST(0.10 AS float), 0) AS int)", "1 | 4"),
]  # fmt: skip

IMPLICIT = [
    (_CONVERT, "DECLARE @s varchar(10); SET @s = 1; SELECT @s + ' is a string.'", "1 is a string."),
    (_CONVERT, "DECLARE @n int; SET @n = '1'; SELECT @n + ' is not a string.'", "error 245"),
    (_CONVERT, "DECLARE @n int; SET @n = '1'; SELECT @n + '1'", "2"),
    (_CONVERT, "SELECT CAST('2006-04-25T15:50:59.997' AS datetime), CONVERT(datetime, '2006-04-25T15:50:59.997', 126)", "2006-04-25 15:50:59.997 | 2006-04-25 15:50:59.997"),
    (_CONVERT, "DECLARE @t datetime = '2006-04-18T09:58:04.570'; SELECT CAST(@t AS nvarchar(30)), CONVERT(nvarchar(30), @t, 126)", "Apr 18 2006  9:58AM | 2006-04-18T09:58:04.570"),
    (_CONVERT, "DECLARE @t datetime2 = '2010-07-20T13:44:31.587900'; SELECT CAST(@t AS nvarchar(30)), CONVERT(nvarchar(30), @t, 126)", "2010-07-20 13:44:31.5879000 | 2010-07-20T13:44:31.5879000"),
    (_CONVERT, "SELECT CONVERT(xml, '<root>          <child/>         </root>', 1)", "<root>          <child/>         </root>"),
    (_CONVERT, "SELECT CONVERT(xml, '<root>          <child/>         </root>')", "<root><child/></root>"),
]  # fmt: skip

_FORMAT = "t-sql/functions/format"
_RATES = "SELECT r, FORMAT(r, 'N', '{0}'), FORMAT(r, 'G', '{0}'), FORMAT(r, 'C', '{0}') FROM (VALUES (1, CAST(1.0002 AS money)), (2, 1.55), (3, 1.9419), (4, 1.4683), (5, 8.2784)) AS rates(id, r) ORDER BY id"
FORMATS = [
    (_FORMAT, "DECLARE @d date = '2024-08-09'; SELECT FORMAT(@d, 'd', 'en-US'), FORMAT(@d, 'd', 'en-gb'), FORMAT(@d, 'd', 'de-de'), FORMAT(@d, 'd', 'zh-cn')", "8/9/2024 | 09/08/2024 | 09.08.2024 | 2024/8/9"),
    (_FORMAT, "DECLARE @d date = '2024-08-09'; SELECT FORMAT(@d, 'D', 'en-US'), FORMAT(@d, 'D', 'en-gb'), FORMAT(@d, 'D', 'de-de'), FORMAT(@d, 'D', 'zh-cn')", "Friday, August 9, 2024 | 09 August 2024 | Freitag, 9. August 2024 | 2024年8月9日"),
    (_FORMAT, "DECLARE @d date = '2024-08-09'; SELECT FORMAT(@d, 'dd/MM/yyyy', 'en-US')", "09/08/2024"),
    (_FORMAT, _RATES.format("en-us"), "1.0002 | 1.00 | 1.0002 | $1.00", "1.5500 | 1.55 | 1.5500 | $1.55", "1.9419 | 1.94 | 1.9419 | $1.94", "1.4683 | 1.47 | 1.4683 | $1.47", "8.2784 | 8.28 | 8.2784 | $8.28"),
    (_FORMAT, _RATES.format("de-de"), "1.0002 | 1,00 | 1,0002 | 1,00 €", "1.5500 | 1,55 | 1,5500 | 1,55 €", "1.9419 | 1,94 | 1,9419 | 1,94 €", "1.4683 | 1,47 | 1,4683 | 1,47 €", "8.2784 | 8,28 | 8,2784 | 8,28 €"),
    (_FORMAT, r"SELECT FORMAT(CAST('07:35' AS time), N'hh:mm'), FORMAT(CAST('07:35' AS time), N'hh\.mm')", "NULL | 07.35"),
    (_FORMAT, "DECLARE @a datetime2 = '2018-01-01 01:00'; SELECT FORMAT(@a, N'hh:mm tt'), FORMAT(@a, N'hh:mm t')", "01:00 AM | 01:00 A"),
    (_FORMAT, "DECLARE @a datetime2 = '2018-01-01 14:00'; SELECT FORMAT(@a, N'hh:mm tt'), FORMAT(@a, N'hh:mm t'), FORMAT(@a, N'HH:mm')", "02:00 PM | 02:00 P | 14:00"),
]  # fmt: skip

EXAMPLES = STYLES + BINARY + ROUNDING + IMPLICIT + FORMATS
