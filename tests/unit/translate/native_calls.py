"""The calls that the sweep of native forms makes: functions, operators and
conversions over every type that they take."""

from __future__ import annotations

from collections.abc import Iterator

from native_document_calls import document_calls

__all__ = ["CALLS"]

Call = tuple[str, tuple[str, ...]]

DATED = "date datetime smalldatetime datetime2(0) datetime2(3) datetime2(7) datetimeoffset(3) datetimeoffset(7)".split()
TIMES = "time(0) time(3) time(7)".split()
NUMBERS = (
    "tinyint smallint int bigint decimal(9,2) decimal(18,4) decimal(4,4) decimal(38,0) decimal(38,10) money smallmoney real float bit"
).split()
CONSTANTS = (
    "2", "-1", "7", "100", "100.0", "-1000.", "0.01", "0.001", "-0.125", "8.0", "6.25", "3.0", "0.0", "0.00000001", "12345678.9", "1e2", "100000000000000000000.0",
    "0.00000000000000000000000000000000000001", "99999999999999999999999999999999999999",
)  # fmt: skip
TEXTS = ("varchar(40)", "nvarchar(40)", "char(10)", "nchar(10)")
PARTS = "year quarter month dayofyear day week weekday iso_week hour minute second millisecond microsecond nanosecond tzoffset".split()
STYLES = (*range(15), *range(20, 26), *range(100, 115), 120, 121, 126, 127, 130, 131)
NARROW = (
    "varchar(1)", "varchar(5)", "varchar(10)", "varchar(20)", "varchar(30)", "nvarchar(3)", "nvarchar(30)", "char(12)", "varchar(max)",
    "datetime", "smalldatetime", "decimal(5,0)", "decimal(3,2)", "numeric(20,10)",
)  # fmt: skip


def _dates() -> Iterator[Call]:
    for t in (*DATED, *TIMES):
        for name in ("YEAR", "MONTH", "DAY", "EOMONTH"):
            yield f"{name}(a0)", (t,)
        for part in PARTS:
            for name in ("DATEPART", "DATENAME", "DATETRUNC"):
                yield f"{name}({part}, a0)", (t,)
            yield f"DATEADD({part}, a0, a1)", ("int", t)
            yield f"DATEDIFF({part}, a0, a1)", (t, t)
            yield f"DATEDIFF_BIG({part}, a0, a1)", (t, t)
            yield f"DATEADD({part}, DATEDIFF({part}, 0, a0), 0)", (t,)
            yield f"DATEADD({part}, a0, '5899-11-30')", ("int",)
        for part in ("year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond"):
            for width in (1, 7, 90, 0, 2_000_000):
                yield f"DATE_BUCKET({part}, {width}, a0)", (t,)
        for part in ("day", "hour", "month"):
            yield f"DATE_BUCKET({part}, a0, a1)", ("smallint", t)
            yield f"DATE_BUCKET({part}, 5, a0, a1)", (t, t)
            yield f"DATEADD({part}, DATEDIFF({part}, 0, a0), a1)", (t, "datetime")
        yield "DATEADD(dd, DATEDIFF(day, 0, a0), 0)", (t,)
        yield "DATEADD(day, DATEDIFF(hour, 0, a0), 0)", (t,)
        yield "EOMONTH(a0, a1)", (t, "int")
        yield "DATEFROMPARTS(YEAR(a0), MONTH(a0), 1)", (t,)
        yield "DATEFROMPARTS(YEAR(a0) + 1, MONTH(a0), DAY(a0))", (t,)
        yield "DATEFROMPARTS(DATEPART(year, a0) - 1, DATEPART(month, a0) - 1, DATEPART(day, a0) - 4)", (t,)
        for part in ("day", "millisecond"):
            yield f"DATEADD({part}, a0, a1)", ("bigint", t)
    for types in (
        ("date", "datetime2(7)"), ("datetime", "datetime2(3)"), ("date", "datetime"), ("smalldatetime", "datetimeoffset(7)"), ("time(3)", "datetime"),
    ):  # fmt: skip
        for part in PARTS:
            yield f"DATEDIFF({part}, a0, a1)", types
        for zone in ("'+02:00'", "'-05:30'", "'+14:00'", "'-14:00'", "0", "840", "'+14:01'", "'x'", "NULL"):
            yield f"SWITCHOFFSET(a0, {zone})", (t,)
            yield f"TODATETIMEOFFSET(a0, {zone})", (t,)
    yield "SWITCHOFFSET(a0, a1)", ("datetimeoffset(3)", "smallint")
    yield "DATEFROMPARTS(a0, a1, a2)", ("smallint", "tinyint", "tinyint")
    yield "DATETIMEFROMPARTS(a0, a1, 28, a1, 0, 59, 0)", ("smallint", "tinyint")
    yield "DATETIMEFROMPARTS(2024, 2, a0, 23, a1, 7, 0)", ("tinyint", "smallint")
    for precision in (0, 3, 7, 8):
        yield f"TIMEFROMPARTS(a0, a1, 59, 0, {precision})", ("tinyint", "smallint")
        yield f"TIMEFROMPARTS(23, 59, a0, a1, {precision})", ("tinyint", "smallint")
        yield f"DATETIME2FROMPARTS(a0, a1, 28, 23, 59, a1, 0, {precision})", ("smallint", "tinyint")
        yield f"DATETIMEOFFSETFROMPARTS(a0, a1, 28, 23, 59, a1, 0, 2, 30, {precision})", ("smallint", "tinyint")
        yield f"DATETIMEOFFSETFROMPARTS(2024, 2, a0, a0, 5, 7, a1, -5, 0, {precision})", ("tinyint", "smallint")
        yield f"DATETIME2FROMPARTS(2024, 2, a0, a0, 5, 7, a1, {precision})", ("tinyint", "smallint")
    yield "TIMEFROMPARTS(1, 2, 3, 4, NULL)", ("int",)
    yield "SMALLDATETIMEFROMPARTS(a0, a1, 28, a1, 59)", ("smallint", "tinyint")
    yield "SMALLDATETIMEFROMPARTS(a0, 6, 6, 23, a1)", ("smallint", "tinyint")
    yield "DATETIMEOFFSETFROMPARTS(2024, 2, 3, 4, 5, 6, a0, 1, -30, 3)", ("tinyint",)
    yield "DATETIMEOFFSETFROMPARTS(2024, 2, 3, 4, 5, 6, 0, a0, a1, 3)", ("tinyint", "smallint")
    yield "DATETIMEFROMPARTS(1999, 12, 31, 0, 0, a0, a1)", ("tinyint", "smallint")


def _numbers() -> Iterator[Call]:
    yield "PI()", ("int",)
    yield "ATN2(a0, a1)", ("float", "float")
    yield "LOG(a0, a1)", ("float", "float")
    for t in NUMBERS:
        for (
            name
        ) in "DEGREES RADIANS ABS CEILING FLOOR SIGN SQRT SQUARE EXP LOG LOG10 SIN COS TAN ATAN ASIN ACOS".split():
            yield f"{name}(a0)", (t,)
        for places in (0, 1, 2, 3, -1, 5, 8, -3, -4, -5, -9, -10, -11, -18, -19, -20, 20):
            yield f"ROUND(a0, {places})", (t,)
        for places in (0, 1, 2, 3, 5, 8, -1, -2, -7, -10, -15, -18, -19, 20):
            yield f"ROUND(a0, {places}, 1)", (t,)
        yield "ROUND(a0, -2)", (t,)
        yield "ROUND(a0, -7)", (t,)
        yield "ROUND(a0, -15)", (t,)
        yield "ROUND(a0, a1)", (t, "tinyint")
        yield "POWER(a0, a1)", (t, "tinyint")
        yield "POWER(a0, 2)", (t,)
        yield "POWER(a0, 3)", (t,)
        yield "POWER(a0, a1)", (t, "decimal(9,2)")
        yield "LEN(a0)", (t,)
        yield "JSON_ARRAY(a0, 1)", (t,)
        yield "POWER(a0, 0.5)", (t,)
        yield "-a0", (t,)
        for u in NUMBERS:
            for op in "+-*/%":
                yield f"a0 {op} a1", (t, u)
        for constant in CONSTANTS:
            for op in "*/%":
                yield f"a0 {op} {constant}", (t,)
    for t in DATED:
        for goal in ("date", "datetime", "smalldatetime", "datetime2(0)", "datetime2(7)", "datetimeoffset(3)", "int"):
            for shown in ("char(8)", "char(30)", "varchar(7)", "nvarchar(max)", "varchar(30)"):
                yield f"CONVERT({goal}, CONVERT({shown}, a0, 112))", (t,)
            yield f"TRY_CAST(CONVERT(char(8), a0, 112) AS {goal})", (t,)
    for t in ("datetime", "smalldatetime"):
        yield "CAST(FLOOR(CAST(a0 AS float)) AS datetime)", (t,)
        yield "CONVERT(datetime, FLOOR(CONVERT(float, a0)))", (t,)
        yield "TRY_CAST(FLOOR(CAST(a0 AS float)) AS datetime)", (t,)
        yield "CAST(FLOOR(CAST(a0 AS real)) AS datetime)", (t,)
        yield "CAST(a0 AS bigint)", (t,)
        for u in ("int", "float", "datetime", "decimal(9,2)", "tinyint"):
            yield "a0 + a1", (t, u)
            yield "a0 - a1", (t, u)


def _conversions() -> Iterator[Call]:
    goals = {
        **dict.fromkeys(NUMBERS, (*NUMBERS, *NARROW)),
        **dict.fromkeys(
            (*DATED, *TIMES), (*DATED, *TIMES, "varchar(30)", "varchar(10)", "nvarchar(30)", "int", "float")
        ),
        **dict.fromkeys(
            TEXTS,
            (
                *NUMBERS,
                *DATED,
                *TIMES,
                "varchar(3)",
                "char(5)",
                "varchar(max)",
                "decimal(5,0)",
                "decimal(3,2)",
                "uniqueidentifier",
            ),
        ),
        "uniqueidentifier": ("varchar(36)", "varchar(50)", "varchar(20)", "char(40)"),
    }
    for t, targets in goals.items():
        for u in targets:
            yield f"CAST(a0 AS {u})", (t,)
            yield f"TRY_CAST(a0 AS {u})", (t,)
    for t in DATED:
        for u in DATED if "offset" in t else ():
            for op in ("=", "<", "<=", "<>"):
                yield f"IIF(a0 {op} a1, 1, 0)", (t, u)
            yield "IIF(a0 IN (a1, '2024-02-29T13:05:06.123'), 1, 0)", (u, t)
    for t in NUMBERS:
        yield "CONVERT(varchar(30), a0, 2)", (t,)
        for style in (1, 3, 4, 126, 128):
            yield f"CONVERT(varchar(30), a0, {style})", (t,)
            yield f"CONVERT(nchar(14), a0, {style})", (t,)
    for t in (*DATED, *TIMES):
        for style in STYLES:
            yield f"CONVERT(varchar(40), a0, {style})", (t,)
        for style in (0, 101, 112, 120, 121, 126):
            yield f"CONVERT(varchar(10), a0, {style})", (t,)
            yield f"CONVERT(char(30), a0, {style})", (t,)
        for place, style in enumerate(STYLES):
            for length in (5 + place % 7, 7 + place % 4, 18 + place % 9):
                yield f"CONVERT(varchar({length}), a0, {style})", (t,)
    for t in TEXTS:
        for style in (20, 21, 23, 101, 103, 112, 120, 121, 126):
            yield f"CONVERT(date, a0, {style})", (t,)
            yield f"CONVERT(datetime, a0, {style})", (t,)


def _texts() -> Iterator[Call]:
    for t in TEXTS:
        for call in (
            "LEFT(a0, 3)", "RIGHT(a0, 3)", "SUBSTRING(a0, 2, 3)", "LTRIM(a0)", "RTRIM(a0)", "TRIM(a0)", "REVERSE(a0)", "ISNUMERIC(a0)",
            "CHARINDEX('b', a0)", "CHARINDEX('-', a0)", "CHARINDEX('', a0)", "CHARINDEX(N'é', a0)", "REPLACE(a0, 'b', 'xy')", "REPLACE(a0, '-', '')",
            "REPLACE(a0, 'B', '\\1')", "PATINDEX('%[b-d]%', a0)", "PATINDEX('_B%', a0)", "PATINDEX('%b', a0 COLLATE Latin1_General_BIN)",
            "CHARINDEX('b', a0, 2)", "CHARINDEX('B', a0, 0)", "CHARINDEX('-', a0, -5)", "CHARINDEX('a', a0, NULL)", "ASCII(a0)", "UNICODE(a0)", "DATALENGTH(a0)",
            "STUFF(a0, 2, 3, 'xy')", "STUFF(a0, 1, 0, N'é')", "STUFF(a0, 3, 1, NULL)", "STUFF(a0, -1, 2, 'x')", "QUOTENAME(a0)", "QUOTENAME(a0, '<')", "QUOTENAME(a0, '`')",
            "QUOTENAME(a0, 'x')", "QUOTENAME(REPLICATE(a0, 20), '(')", "DATALENGTH(CAST(a0 AS varbinary(60)))",
            "PATINDEX(N'%[^é0-9]_%', a0)", "IIF(a0 LIKE '%[0-9]%', 1, 0)", "IIF(a0 NOT LIKE '[^a]%' ESCAPE '!', 1, 0)",
            "SUBSTRING(a0, CHARINDEX('b', a0) + 1, LEN(a0))", "LEFT(a0, CHARINDEX('-', a0) - 1)", "SUBSTRING(a0, CHARINDEX('2', a0), 3)", "SUBSTRING(a0, 1 + PATINDEX('%[a-c]%', a0), LEN(a0) - 2)",
            "RIGHT(a0, LEN(a0) - CHARINDEX('2', a0))", "RIGHT(a0, CHARINDEX('a', a0 + 'a') - 1)", "SUBSTRING(CAST(a0 AS nvarchar(max)), CHARINDEX('b', a0) + 1, LEN(CAST(a0 AS varchar(max))))",
            "SUBSTRING(a0, CAST(CHARINDEX('b', a0) AS bigint) + 1, CAST(LEN(a0) AS smallint))", "STUFF(a0, CHARINDEX('b', a0), LEN(a0) - 1, 'x')", "LEFT(a0, CHARINDEX('a', a0) + 2147483640)",
            "TRANSLATE(a0, 'ab-', 'xy+')", "TRANSLATE(a0, 'aAb', '123')", "TRANSLATE(a0 COLLATE Latin1_General_BIN, 'aB', '{}')", "TRANSLATE(a0, 'a', '')",
            "TRANSLATE(a0, 'é', 'e')", "TRANSLATE(a0, a0, 'x')", "TRANSLATE(a0, '', '')", "TRANSLATE(a0, '%_', '{}')", "TRANSLATE(a0, 'k', N'é')",
            "REPLACE(a0, 'b', NULL)", "REPLACE(a0, 'A', a0)", "REPLACE(a0, 'bB', 'b')", "REPLACE(a0, 'Aba', 'x')", "REPLACE(REPLACE(a0, 'b', 'Ba'), 'bA', 'abAB')", "REPLACE(a0 + 'aAaBb', 'ab', '')",
            "REPLACE(UPPER(a0) + LOWER(a0), 'b', '_')", "REPLACE(a0, '-a', '+')", "REPLACE('aaA' + a0, 'aa', 'b')", "REPLACE('aaA' + a0, 'aa', NULL)",
            "PATINDEX('%B%', a0)", "PATINDEX('%a-%', a0)", "PATINDEX('%é%', a0)", "PATINDEX('%b_%', a0)", "PATINDEX('%[ab]', a0)", "PATINDEX('a%', a0)", "PATINDEX('%a%b%', a0)", "PATINDEX('%_', a0)",
            "PATINDEX('%B%', a0 COLLATE Latin1_General_CS_AS)", "PATINDEX('% %', a0)", "PATINDEX('a', a0)", "CHARINDEX('b', REVERSE(a0), 2)", "CHARINDEX('a', a0, 100)",
            "REPLACE(a0, ' ', '_')", "REPLACE(a0 COLLATE Latin1_General_BIN, 'b', 'x')", "CHARINDEX('B', a0 COLLATE Latin1_General_BIN)",
            "CONCAT_WS(', ', a0, NULL, a0)", "HASHBYTES('SHA2_256', a0)", "HASHBYTES('md5', a0)", "HASHBYTES('Sha1 ', a0)", "HASHBYTES('SHA2_512', a0)", "HASHBYTES('x', a0)", "CONCAT_WS(NULL, a0, a0, 'é')", "CONCAT_WS(a0, 'x', 5, N'y')", "REPLICATE(a0, 2)", "REPLICATE(a0, -1)", "REPLICATE(a0, 300)", "CONCAT(a0, '|', a0)", "CONCAT(a0, 5)", "a0 + 'x'",
            "CAST(a0 AS nvarchar(3))", "CAST(a0 + a0 AS nvarchar(5))", "CAST(REVERSE(a0) + UPPER(a0) AS varchar(4))", "CAST(N'é' + a0 + ISNULL(a0, '') + REVERSE(a0) + CAST(LEN(a0) AS varchar(5)) + REPLACE(a0, 'b', '') AS varchar(12))",
            "REPLACE(a0, 'x', 'y') + a0 + 'x'", "REPLICATE(a0, 1999) + 'é' + a0", "REPLICATE(a0, 800) + N'x' + REPLICATE(a0, 400)", "REPLICATE('a', 7998) + REVERSE(a0)", "REPLACE(a0, '-', '') + REPLICATE(N'é', 3998) + a0 + N'y'",
            "REPLICATE(N'a', 3999) + a0", "REPLICATE('é', 7990) + a0 + a0 + 'z'", "SPACE(7999) + a0 + a0",
            "a0 + 'x' + a0 + 'y'", "'@' + a0 + ':' + REVERSE(a0) + N'é' + a0", "a0 + NULL + a0 + 'x'", "a0 + (' ' + a0 + '_' + a0)", "LEFT('a' + a0 + ISNULL(a0, '') + CAST(LEN(a0) AS varchar(5)), 60)",
            "LEN(a0 + REPLICATE(a0, 190) + 'x' + a0)", "STUFF(a0, 1, 2, a0)", "STUFF(a0, 1, 0, NULL)", "STUFF(a0, 0, 1, 'x')", "STUFF(a0, 2, -1, 'x')", "STUFF(a0, 1, 50, '')", "QUOTENAME(a0, ']')",
            "QUOTENAME(a0 + ']]' + a0)", "QUOTENAME(a0, '''')", "REPLACE(a0, 'a', 'xA')", "REPLACE(a0, 'A', 'a')", "REPLACE(a0, 'b', 'bB')", "REPLACE(a0, 'B', N'Bé')", "REPLACE(a0, 'k', '\\1')",
            "LEFT(a0, 0)", "LEFT(a0, -1)", "SUBSTRING(a0, 0, 2)", "SUBSTRING(a0, 1, 0)", "SUBSTRING(a0, 3, -1)", "SUBSTRING(a0, 2, 2147483647)", "LEN(a0)", "UPPER(a0)", "LOWER(a0)",
            "REPLACE(REPLICATE(a0, 130), 'a', 'xyz')", "REPLACE(REPLACE(REPLACE(a0, 'a', 'bb'), 'b', 'cé'), 'C', '\\1x')", "STUFF(REPLICATE(a0, 100), 2, 1, REPLICATE('é', 3960))",
            "STUFF(STUFF(a0, 2, 1, a0), 3, 0, REPLICATE(a0, 3))", "REPLICATE(REPLICATE(a0, 10), 30)", "REPLICATE(CAST(a0 AS varchar(max)), 5)", "CONCAT_WS('-', REPLICATE(a0, 200), a0, REPLICATE(a0, 200))",
            "UPPER(a0 + 'µÿƒßœ')", "LOWER('ÀÞŸŒ' + a0)", "LEFT(a0 + 'üß', 5)", "CHARINDEX('ß', a0 + 'sSß')", "REPLACE(a0 + 'Üé', 'B', 'x')", "LEN(CONCAT(a0, a0, a0, '  '))",
            "IIF(CONCAT(a0, REVERSE(a0), a0, REVERSE(a0)) LIKE '%b_a%', 1, 0)", "GREATEST(REVERSE(a0), REPLACE(REPLACE(a0, 'b', 'x'), 'a', 'y'), a0)", "NULLIF(REPLACE(REPLACE(a0, 'b', 'B'), 'a', 'A'), a0)",
            "IIF(REPLACE(REPLACE(a0, 'b', 'x'), 'a', 'y') BETWEEN a0 AND '_z:', 1, 0)", "IIF(REPLACE(REPLACE(a0, 'b', 'x'), 'a', 'y') IN (a0, 'xyx', N'日本'), 1, 0)",
        ):  # fmt: skip
            yield call, (t,)
        for call in (
            "LEFT(a0, a1)",
            "RIGHT(a0, a1)",
            "SUBSTRING(a0, a1, 2)",
            "SUBSTRING(a0, 1, a1)",
            "REPLICATE(a0, a1)",
            "CHARINDEX('a', a0, a1)",
            "STUFF(a0, a1, 2, '|')",
            "STUFF(a0, 2, a1, '|')",
        ):
            yield call, (t, "smallint")
        for piece in (1, 2, 3, 4, 5, 0):
            yield f"PARSENAME(a0, {piece})", (t,)
            yield f"PARSENAME(a0 + '.b..' + a0, {piece})", (t,)
            yield f"PARSENAME('[a.b].\"c\".' + a0, {piece})", (t,)
            yield f"PARSENAME(REPLICATE(a0, 30) + '.x', {piece})", (t,)
        for target in (
            "int",
            "tinyint",
            "bigint",
            "date",
            "datetime2(3)",
            "datetime",
            "decimal(9,2)",
            "float",
            "money",
        ):
            for culture in ("", " USING 'en-US'", " USING 'de-DE'", " USING 'xx-YY'", " USING NULL"):
                yield f"TRY_PARSE(a0 AS {target}{culture})", (t,)
            yield f"PARSE(a0 AS {target})", (t,)
        yield "STRING_ESCAPE(a0, 'json')", (t,)
        yield "STRING_ESCAPE(a0 + '/\"\\' + CHAR(9), 'JSON')", (t,)
        yield "STRING_ESCAPE(a0, 'xml')", (t,)
        for call in (
            "SUBSTRING({}, 2, 3)",
            "SUBSTRING({}, 0, 3)",
            "SUBSTRING({}, 40, 3)",
            "SUBSTRING({}, 2, -1)",
            "SUBSTRING({}, 1, 0)",
        ):
            yield call.format("CAST(a0 AS varbinary(60))"), (t,)
        for u in TEXTS:
            yield "REPLACE(a0, a1, 'x')", (t, u)
            yield "REPLACE(UPPER(a0) + LOWER(a0), a1, 'bA')", (t, u)
            yield "REPLACE(a0, LEFT(a1, 1), '')", (t, u)
            yield "REPLACE('aAAaAbB' + a0, LEFT(a1, 2), a1)", (t, u)
            yield "REPLACE(a0, SUBSTRING(a1, 2, 2), NULL)", (t, u)
        yield "REPLACE(a0 COLLATE Latin1_General_CS_AS, a1, 'x')", (t, t)
        yield "ISDATE(a0)", (t,)
        yield "LEN(CAST(a0 AS varchar(max)))", (t,)
        yield "LEN(CAST(a0 AS nvarchar(max)))", (t,)
        for size in ("5", "60", "max"):
            yield f"CAST(a0 AS varbinary({size}))", (t,)
        for u in TEXTS:
            for call in (
                "a0 LIKE a1",
                "a0 NOT LIKE a1",
                "a0 LIKE '%' + a1 + '%'",
                "a0 LIKE a1 + '_'",
                "a0 LIKE LEFT(a1, 1) + '%'",
            ):
                yield f"IIF({call}, 1, 0)", (t, u)
        yield "IIF(a0 COLLATE Latin1_General_CS_AS LIKE a1, 1, 0)", (t, t)
        yield "CHARINDEX(a1, a0)", (t, "char(10)")
        yield "CONCAT(a0, a1)", (t, "int")
        yield "a0 + '-' + CAST(a1 AS varchar(12)) + a0 + ISNULL(CAST(a1 AS nvarchar(3)), '*')", (t, "smallint")
        for u in TEXTS:
            yield "a0 + ' ' + a1 + ', ' + a0", (t, u)
    for t in ("tinyint", "smallint", "int"):
        yield "CHAR(a0)", (t,)
        yield "NCHAR(a0)", (t,)
    yield "SPACE(a0)", ("int",)
    for t in ("tinyint", "smallint", "int"):
        for sign in ("'x'", "N'{'", "''''", "' '", "'é'", "CHAR(0)", "'ab'"):
            yield f"REPLICATE({sign}, a0)", (t,)
            yield f"REPLICATE({sign}, a0 % 60)", (t,)
    for t in (*NUMBERS, *DATED):
        yield "ISNUMERIC(a0)", (t,)
    for t in ("tinyint", "smallint", "int", "bigint", "bit"):
        yield "BIT_COUNT(a0)", (t,)
        for name in ("GET_BIT", "SET_BIT", "LEFT_SHIFT", "RIGHT_SHIFT"):
            for place in ("0", "1", "7", "15", "30", "31", "32", "63", "64", "-1"):
                yield f"{name}(a0, {place})", (t,)
            yield f"{name}(a0, a1)", (t, "smallint")
    for name in ("CHECKSUM", "BINARY_CHECKSUM"):
        yield f"{name}(a0)", ("bit",)
        for t in (*NUMBERS, "decimal(22,4)", "decimal(19,0)", "decimal(38,18)", *DATED, *TIMES):
            yield f"{name}(a0)", (t,)
            yield f"{name}(a0, a1)", (t, "smallint")
        for t in ("tinyint", "smallint", "int", "bigint", "uniqueidentifier", *TEXTS):
            yield f"{name}(a0)", (t,)
            for u in ("int", "varchar(40)", "char(10)", "date", "bigint", "nvarchar(40)"):
                yield f"{name}(a0, a1, a0)", (t, u)
        for t in TEXTS:
            for collation in (
                "Latin1_General_CS_AS",
                "Latin1_General_BIN2",
                "Latin1_General_CI_AI",
                "SQL_Latin1_General_CP1_CS_AS",
            ):
                yield f"{name}(a0 COLLATE {collation})", (t,)


FORMATS_OF_DATES = (
    "yyyy-MM-dd", "yyyyMMddHHmmss", "d/M/yy h:mm:ss tt", "dd/MM/yyyy", "MM/dd/yyyy HH:mm", "dddd, MMMM d, yyyy", "ddd dd MMM", "yyyy-MM-ddTHH:mm:ss",
    "yyyy''-''MM \"%d 50%\"", "\\dd", "HH:mm:ss.fff", "yyyyMMdd HHmmssffffff", "h", "%h", "d", "D", "f", "g", "G", "m", "o", "R", "s", "u", "y", "t", "T", "yyy", "ss.FF", "zzz", "K", "", "%", "50%",
    "q", "hh:mm", "H-s", "m:s",
)  # fmt: skip
FORMATS_OF_NUMBERS = (
    "N0", "n2", "N", "N10", "F0", "F2", "F", "f3", "D", "D5", "d12", "C", "P1", "E2", "G", "X", "x4", "X08", "0", "00000", "0.00", "0.000", "#,##0", "#,##0.00", "#,##0.0000", "#", "#.##", "00.0", "",
    "0.00%", "N2;(N2)", "#,##0.00;(#,##0.00)", "#,#", "D100", "N30",
)  # fmt: skip


def _formats() -> Iterator[Call]:
    cultures = ("", ", 'en-US'", ", 'de-DE'", ", 'en-IN'", ", 'fr-FR'", ", 'xx-YY'")
    for place, t in enumerate((*DATED, *TIMES)):
        for number, pattern in enumerate(FORMATS_OF_DATES):
            for known in ("", cultures[(place + number) % len(cultures)]):
                yield f"FORMAT(a0, '{pattern}'{known})", (t,)
    for place, t in enumerate(NUMBERS):
        for number, pattern in enumerate(FORMATS_OF_NUMBERS):
            for known in ("", cultures[(place + number) % len(cultures)]):
                yield f"FORMAT(a0, '{pattern}'{known})", (t,)
        for more in (
            "", ", 8", ", 10, 2", ", 5, 3", ", 12, 6", ", 20, 10", ", 22", ", 40, 3", ", 1", ", 0", ", 3, -1", ", 2, 1", ", a0",
        ):  # fmt: skip
            yield f"STR(a0{more})", (t,)
    yield "FORMAT(a0, a1)", ("date", "varchar(40)")


def _extremes() -> Iterator[Call]:
    every = (*NUMBERS, *DATED, *TIMES, *TEXTS, "uniqueidentifier")
    for name in ("GREATEST", "LEAST"):
        for place, t in enumerate(every):
            yield f"{name}(a0, a1)", (t, t)
            yield f"{name}(a0, NULL, a1, a0)", (t, every[place - 1])
            yield f"{name}(a0)", (t,)
            yield f"{name}(NULL, a0)", (t,)
        for t in TEXTS:
            yield f"{name}(a0, a1, N'é', a0)", (t, "varchar(40)")
            yield f"{name}(REVERSE(a0), a1)", (t, t)
            yield f"{name}(a0, a1 COLLATE Latin1_General_BIN)", (t, t)


def _json() -> Iterator[Call]:
    paths = (
        "$", "$.a", "$.b", "$.c.a", "$.c.b", "$.a.b", "$.a[0]", "$.a[0].b", "$.a[1]", "$[0]", "$[1]", "$[2].b", "lax $.a", "strict $.a", "strict $.b", "strict $[0]", "strict $",
        '$."a"', '$."a.b"', '$."x y"."*"', '$.""', '$."a\\u0041"', '$."\\q"', "$.A", "$.é", "append $.a", "$[5000000000]", "", "a", "$.a[x]", "$.", "$.c[0].a", "$[0][0]", "$.a.a.a", '$.","',
    )  # fmt: skip
    for t in ("nvarchar(300)", "varchar(max)", "nvarchar(max)"):
        for name in ("JSON_VALUE", "JSON_QUERY", "JSON_PATH_EXISTS"):
            for path in paths:
                yield f"{name}(a0, '{path}')", (t,)
            yield f"{name}(a0, NULL)", (t,)
        for call in ("ISJSON(a0)", "ISJSON(a0, VALUE)", "ISJSON(a0, ARRAY)", "ISJSON(a0, OBJECT)", "ISJSON(a0, SCALAR)", "JSON_QUERY(a0)", "JSON_VALUE(a0 + ' ', '$.a')"):  # fmt: skip
            yield call, (t,)
        for path in (
            "$.a",
            "$.b",
            "$[1]",
            "$[3]",
            "append $.a",
            "strict $.z",
            "$.c.z",
            "$.z",
            "$.A",
            "$",
            "append $",
            "append $.z",
        ):
            for value in (
                "'x'",
                "NULL",
                "5",
                "'a/b'",
                "2.50",
                "JSON_QUERY('[1]')",
                "CAST(1 AS bit)",
                "JSON_QUERY(a0)",
                "CAST(NULL AS int)",
                "N'\"é\\'",
                "CHAR(10) + CHAR(8)",
                "CAST(1 AS float)",
            ):
                yield f"JSON_MODIFY(a0, '{path}', {value})", (t,)
        for u in (
            "int",
            "bit",
            "decimal(9,2)",
            "decimal(38,10)",
            "decimal(4,4)",
            "money",
            "char(10)",
            "nvarchar(40)",
            "date",
        ):
            yield "JSON_MODIFY(a0, '$.a', a1)", (t, u)
            yield "JSON_MODIFY(a0, 'append $.a', a1)", (t, u)
            yield "JSON_MODIFY(a0, 'strict $.b', a1)", (t, u)
        yield "JSON_MODIFY(JSON_MODIFY(a0, '$.a', NULL), '$.b', a1)", (t, "int")
        for name in ("JSON_VALUE", "JSON_QUERY", "JSON_PATH_EXISTS"):
            yield f"{name}(a0, a1)", (t, "varchar(100)")
        for value in ("NULL", "'x'", "CAST(a0 AS nvarchar(3))", "JSON_QUERY('[1]')"):
            yield f"JSON_MODIFY(a0, a1, {value})", (t, "varchar(100)")
    yield "JSON_VALUE(a0, '$.a')", ("char(10)",)
    yield "ISJSON(a0)", ("nvarchar(40)",)
    for name in ("JSON_VALUE", "JSON_QUERY"):
        yield f"{name}(a0, '$' + a1)", ("nvarchar(300)", "varchar(40)")


def _binary() -> Iterator[Call]:
    """Text, numbers and GUIDs as bytes, and back."""
    sizes = (
        "varbinary(1)",
        "varbinary(3)",
        "varbinary(4)",
        "varbinary(8)",
        "varbinary(60)",
        "varbinary(max)",
        "binary(2)",
        "binary(10)",
    )
    for t in (*TEXTS, "varchar(30)", "nvarchar(max)", "varchar(max)", "tinyint", "smallint", "int", "bigint", "bit"):
        for size in sizes:
            yield f"CAST(a0 AS {size})", (t,)
            for target in ("varchar(5)", "varchar(max)", "nvarchar(5)", "nvarchar(max)", "char(6)", "nchar(6)", "tinyint", "smallint", "int", "bigint"):  # fmt: skip
                yield f"CAST(CAST(a0 AS {size}) AS {target})", (t,)
            for style in (0, 1, 2):
                yield f"CONVERT(varchar(12), CAST(a0 AS {size}), {style})", (t,)
                yield f"CONVERT(nvarchar(max), CAST(a0 AS {size}), {style})", (t,)
    for t in ("uniqueidentifier", "varchar(40)", "bigint"):
        for size in (
            "varbinary(8)",
            "varbinary(15)",
            "varbinary(16)",
            "varbinary(30)",
            "varbinary(max)",
            "binary(16)",
            "binary(20)",
        ):
            yield f"CAST(a0 AS {size})", (t,)
            for target in ("uniqueidentifier", "tinyint", "smallint", "int", "bigint"):
                yield f"CAST(CAST(a0 AS {size}) AS {target})", (t,)
    for text in ("a\0", "\0a", "a\0b", "ab", "\0\0", ""):
        codes = " + ".join(f"CHAR({ord(c)})" for c in text) or "''"
        yield f"CAST(CAST(LEFT(a0, 0) + {codes} AS varbinary(max)) AS nvarchar(max))", ("varchar(40)",)
        yield f"CAST(CAST(LEFT(a0, 0) + {codes} AS varbinary(max)) AS varchar(max))", ("varchar(40)",)


def _variants() -> Iterator[Call]:
    """Values as sql_variant, and back."""
    for t in (*NUMBERS, *DATED, *TIMES, *TEXTS, "uniqueidentifier"):
        yield "CAST(a0 AS sql_variant)", (t,)
        yield "SQL_VARIANT_PROPERTY(CAST(a0 AS sql_variant), 'BaseType')", (t,)
        yield "SQL_VARIANT_PROPERTY(a0, 'Scale')", (t,)
        yield "IIF(CAST(a0 AS sql_variant) < CAST(a1 AS sql_variant), 1, 0)", (t, t)
        yield "IIF(CAST(a0 AS sql_variant) = CAST(a1 AS sql_variant), 1, 0)", (t, "decimal(18,4)")
        yield "IIF(CAST(a0 AS sql_variant) <> a1, 1, 0)", (t, t)
        yield "IIF(CAST(a0 AS sql_variant) >= ALL (SELECT CAST(a1 AS sql_variant)), 1, 0)", (t, "nvarchar(40)")
        yield "IIF(a0 <= CAST(a1 AS sql_variant), 1, 0)", (t, "nvarchar(40)")
        for target in (t, "int", "tinyint", "bigint", "varchar(3)", "varchar(20)", "nvarchar(max)", "nvarchar(30)", "decimal(9,2)", "datetime"):  # fmt: skip
            yield f"CAST(CAST(a0 AS sql_variant) AS {target})", (t,)
            yield f"TRY_CAST(CAST(a0 AS sql_variant) AS {target})", (t,)
    yield "CAST(CAST(CAST(a0 AS numeric(9,2)) AS sql_variant) AS varchar(20))", ("decimal(9,2)",)
    yield "SQL_VARIANT_PROPERTY(CAST(a0 AS numeric(9,2)), 'BaseType')", ("decimal(9,2)",)


def _text_dates() -> Iterator[Call]:
    """Dates and numbers in the spellings of people."""
    for target in ("date", "datetime", "datetime2(0)", "datetime2(3)", "datetime2(7)", "smalldatetime", "time(7)", "datetimeoffset(7)", "int", "decimal(18,4)", "decimal(5,1)", "money", "float", "real"):  # fmt: skip
        yield f"TRY_CAST(a0 AS {target})", ("varchar(30)",)
        for culture in ("", "en-US", "en-GB", "de-DE", "fr-FR", "sv-SE"):
            name = f" USING '{culture}'" if culture else ""
            yield f"TRY_PARSE(a0 AS {target}{name})", ("varchar(30)",)
        if target.startswith("date"):
            for style in STYLES:
                yield f"TRY_CONVERT({target}, a0, {style})", ("varchar(30)",)
                yield f"CONVERT({target}, CAST(a0 AS nchar(30)), {style})", ("varchar(30)",)


def _by_python() -> Iterator[Call]:
    """Functions without native forms, or with few, which are called with their arguments alone."""
    for t in ("tinyint", "smallint", "int", "bigint"):
        for name in ("TYPE_NAME", "OBJECT_NAME", "DB_NAME", "SCHEMA_NAME", "USER_NAME", "RAND"):
            yield f"{name}(a0)", (t,)
        yield "FORMATMESSAGE('%d of %i, 5%% {}', a0, a0)", (t,)
        yield "FORMATMESSAGE('%s', a0)", (t,)
    for t in TEXTS:
        for name in ("TYPE_ID", "OBJECT_ID", "DB_ID", "SCHEMA_ID", "USER_ID", "COMPRESS"):
            yield f"{name}(a0)", (t,)
        yield "COL_LENGTH('sys.objects', a0)", (t,)
        yield "DECOMPRESS(COMPRESS(a0))", (t,)
        yield "DECOMPRESS(CAST(a0 AS varbinary(60)))", (t,)
        yield "FORMATMESSAGE(a0)", (t,)
        for template in ("%s|%s", "%%s", "%s", "", "%5s", "%d", "%s %s %s", "{%s}%i"):
            yield f"FORMATMESSAGE('{template}', a0, a1)", (t, "int")
            yield f"FORMATMESSAGE(N'{template}', a0, a1)", (t, "nvarchar(40)")
        yield "FORMATMESSAGE('%s', REPLICATE(a0, 300))", (t,)
    yield "SQL_VARIANT_PROPERTY(a0, 'BaseType')", ("int",)


CALLS: list[Call] = [
    *_dates(),
    *_numbers(),
    *_conversions(),
    *_texts(),
    *_formats(),
    *_extremes(),
    *_json(),
    *_text_dates(),
    *_variants(),
    *_binary(),
    *_by_python(),
    *document_calls(),
]
"""Expressions over a0, a1 …, and the types of these."""
