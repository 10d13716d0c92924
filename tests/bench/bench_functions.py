"""Functions, operators and conversions in a query, beside bare DuckDB's cheapest for the same rows.

`python tests/bench/bench_functions.py [--rows 100000 1000000] [--nulls 90]` prints a table: milliseconds here, and the
ratio. Both sides read the same values and count the results, in turn; figures are processor time, the best of
the runs, so that who else uses the machine does not count. Ratios of one run can be compared between machines.
No result is certain to be there, or DuckDB would count rows and compute nothing; a quotient of decimals is one
on both sides, where DuckDB's own is a double.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import duckdb

from sbql.engine.functions.metadata import SYSTEM_TYPE_NAMES
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

COLUMNS = {
    "i": ("int", "INTEGER", "k"), "k": ("bigint", "BIGINT", "k"), "m": ("decimal(18,4)", "DECIMAL(18,4)", "CAST(k * 1.25 / 7 AS DECIMAL(18,4))"),
    "f": ("float", "DOUBLE", "k / 7.0"), "d": ("datetime", "TIMESTAMP", "TIMESTAMP '2000-01-01' + to_minutes(k)"),
    "e": ("datetime2(7)", "TIMESTAMP", "TIMESTAMP '2001-01-01' + to_minutes(2 * k)"),
    "g": ("date", "DATE", "CAST(TIMESTAMP '2000-01-01' + to_minutes(k) AS DATE)"),
    "s": ("varchar(30)", "VARCHAR", "'item ' || k"), "t": ("varchar(30)", "VARCHAR", "CAST(k AS VARCHAR)"),
    "u": ("varchar(30)", "VARCHAR", "strftime(TIMESTAMP '2000-01-01' + to_minutes(k), '%Y-%m-%d')"),
    "n": ("nvarchar(30)", "VARCHAR", "'Item ' || k"),
    "j": (
        "nvarchar(200)", "VARCHAR", """'{"id":' || k || ',"name":"item ' || k || '","price":' || k % 100 || '.50,"tags":["a","b"],"at":{"x":' || k || '}}'""",
    ),
    "v": ("varchar(30)", "VARCHAR", "CASE WHEN k % 2 = 0 THEN '$.name' ELSE '$.id' END"),
}  # fmt: skip
"""Columns: the type here, in bare DuckDB, and what makes the values of row k."""

_CODES = "list_transform(string_split(upper(s), ''), lambda c: CAST(ascii(c) AS BIGINT))"
_SUM = f"list_reduce({_CODES}, lambda a, b: xor(((a << 4) & 4294967295) | (a >> 28), b), 0::BIGINT)"
_CONSONANTS = "translate(upper(s), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01230120022455012623010202')"

_FIRST = "(CAST(i AS BIGINT) * 40014 % 2147483563 - 617246118)"
_NAMED = (
    "CASE i % 257 " + " ".join(f"WHEN {number} THEN '{name}'" for number, name in SYSTEM_TYPE_NAMES.items()) + " END"
)

CALLS: list[tuple[str, str]] = [
    ("CAST(i AS bigint)", "CAST(i AS BIGINT)"),
    ("CAST(i AS varchar(10))", "CAST(i AS VARCHAR)"),
    ("CAST(m AS int)", "CAST(trunc(m) AS INTEGER)"),
    ("CAST(m AS varchar(30))", "CAST(m AS VARCHAR)"),
    ("CAST(m AS decimal(10,2))", "CAST(m AS DECIMAL(10,2))"),
    ("CAST(t AS int)", "CAST(t AS INTEGER)"),
    ("CAST(t AS decimal(18,2))", "CAST(t AS DECIMAL(18,2))"),
    ("ISNULL(TRY_CAST(s AS int), 5)", "coalesce(TRY_CAST(s AS INTEGER), 5)"),
    ("ISNULL(TRY_CAST(s AS decimal(9,2)), 5)", "coalesce(TRY_CAST(s AS DECIMAL(9,2)), 5)"),
    ("ISNULL(TRY_CAST(s AS float), 5)", "coalesce(TRY_CAST(s AS DOUBLE), 5)"),
    ("CAST(u AS date)", "CAST(u AS DATE)"),
    ("CAST(d AS date)", "CAST(d AS DATE)"),
    ("CAST(g AS datetime)", "CAST(g AS TIMESTAMP)"),
    ("CAST(d AS time)", "CAST(d AS TIME)"),
    ("CAST(f AS decimal(18,4))", "CAST(f AS DECIMAL(18,4))"),
    ("CAST(d AS float)", "epoch_us(d) / 86400e6"),
    ("CAST(d AS int)", "CAST(epoch_us(d) / 86400e6 AS INTEGER)"),
    ("CAST(FLOOR(CAST(d AS float)) AS datetime)", "date_trunc('day', d)"),
    ("CAST(f AS varchar(30))", "CAST(f AS VARCHAR)"),
    ("CONVERT(varchar(19), d, 120)", "strftime(d, '%Y-%m-%d %H:%M:%S')"),
    ("CONVERT(varchar(23), d, 121)", "strftime(d, '%Y-%m-%d %H:%M:%S.%g')"),
    ("CONVERT(varchar(8), d, 112)", "strftime(d, '%Y%m%d')"),
    ("CAST(d AS varchar(30))", "strftime(d, '%b %d %Y %I:%M%p')"),
    ("YEAR(d)", "year(d)"),
    ("MONTH(e)", "month(e)"),
    ("DATEPART(hour, d)", "hour(d)"),
    ("DATENAME(month, d)", "monthname(d)"),
    ("DATEADD(day, 1, d)", "d + INTERVAL 1 DAY"),
    ("DATEADD(hour, i, d)", "d + to_hours(i)"),
    ("DATEADD(month, 1, g)", "CAST(g + INTERVAL 1 MONTH AS DATE)"),
    ("DATEADD(day, DATEDIFF(day, 0, d), 0)", "date_trunc('day', d)"),
    ("DATEADD(month, DATEDIFF(month, 0, d), 0)", "date_trunc('month', d)"),
    ("DATEDIFF(day, d, e)", "date_diff('day', d, e)"),
    ("DATEDIFF(second, d, e)", "date_diff('second', d, e)"),
    ("DATEDIFF(minute, d, DATEADD(day, 1, e))", "date_diff('minute', d, e + INTERVAL 1 DAY)"),
    ("EOMONTH(d)", "last_day(d)"),
    (
        "DATETIMEFROMPARTS(2000, 1 + i % 12, 1 + i % 28, i % 24, 0, 0, 0)",
        "make_timestamp(2000, 1 + i % 12, 1 + i % 28, i % 24, 0, 0)",
    ),
    ("DATEFROMPARTS(2000 + i % 50, 1 + i % 12, 1 + i % 28)", "make_date(2000 + i % 50, 1 + i % 12, 1 + i % 28)"),
    ("ABS(m)", "abs(m)"),
    ("ROUND(m, 2)", "round(m, 2)"),
    ("ROUND(f, 2)", "round(f, 2)"),
    ("FLOOR(m)", "floor(m)"),
    ("CEILING(f)", "ceil(f)"),
    ("POWER(f, 2)", "pow(f, 2)"),
    ("SQRT(f)", "sqrt(f)"),
    ("EXP(i / 100000.0)", "exp(i / 100000.0)"),
    ("i / 100000.0", "CAST(trunc(i / 100000.0 * 1e12) / 1e12 AS DECIMAL(18,12))"),
    ("SIGN(m)", "sign(m)"),
    ("i * 2 + 1", "i * 2 + 1"),
    ("i / 3", "i // 3"),
    ("m * 3", "m * 3"),
    ("m + m", "m + m"),
    ("m * m", "CAST(m AS DECIMAL(19,4)) * m"),
    ("m / 3", "CAST(trunc(m / 3 * 1e6) / 1e6 AS DECIMAL(20,6))"),
    ("m / NULLIF(m, 0)", "CAST(m / nullif(m, 0) AS DECIMAL(38,20))"),
    ("f * f / 2", "f * f / 2"),
    ("ISNULL(k, i)", "coalesce(k, i)"),
    ("NULLIF(i, 5)", "nullif(i, 5)"),
    ("IIF(i > 5, 1, NULL)", "CASE WHEN i > 5 THEN 1 END"),
    ("LEFT(s, 4)", "left(s, 4)"),
    ("RIGHT(s, 4)", "right(s, 4)"),
    ("SUBSTRING(n, 2, 4)", "substring(n, 2, 4)"),
    ("LEN(s)", "length(s)"),
    ("UPPER(n)", "upper(n)"),
    ("LTRIM(s)", "ltrim(s)"),
    ("TRIM(s)", "trim(s)"),
    ("TRIM('0i' FROM s)", "trim(s, '0i')"),
    ("TRIM('m ' FROM t)", "trim(t, 'm ')"),
    ("REPLACE(s, ' ', '-')", "replace(s, ' ', '-')"),
    ("REPLACE(n, 'em', 'x')", "replace(n, 'em', 'x')"),
    ("REPLACE(s, t, 'x')", "replace(s, t, 'x')"),
    ("STRING_ESCAPE(s, 'json')", "replace(replace(replace(s, '\\', '\\\\'), '\"', '\\\"'), '/', '\\/')"),
    ("SUBSTRING(CAST(s AS varbinary(30)), 2, 3)", "encode(s[2:4])"),
    ("PARSE(t AS int)", "CAST(t AS INTEGER)"),
    ("PARSE(u AS date USING 'en-GB')", "CAST(u AS DATE)"),
    ("PARSE(t AS decimal(18,2))", "CAST(t AS DECIMAL(18,2))"),
    ("PARSE(u AS datetime)", "CAST(u AS TIMESTAMP)"),
    ("TRY_PARSE(t + ',5' AS money USING 'de-DE')", "TRY_CAST(replace(t || ',5', ',', '.') AS DECIMAL(19,4))"),
    ("CAST(u AS datetime)", "CAST(u AS TIMESTAMP)"),
    ("CAST(u + ' 10:00:00' AS datetime)", "CAST(u || ' 10:00:00' AS TIMESTAMP)"),
    ("CONVERT(datetime, u + ' 10:00:00.123', 121)", "CAST(u || ' 10:00:00.123' AS TIMESTAMP)"),
    ("CONVERT(datetime, CONVERT(varchar(10), d, 103), 103)", "strptime(strftime(d, '%d/%m/%Y'), '%d/%m/%Y')"),
    ("CONVERT(date, CONVERT(char(8), d, 112))", "CAST(strptime(strftime(d, '%Y%m%d'), '%Y%m%d') AS DATE)"),
    ("CHARINDEX('m 1', s)", "strpos(s, 'm 1')"),
    ("s + ': ' + t", "s || ': ' || t"),
    ("CONCAT(s, i)", "concat(s, i)"),
    ("REPLICATE(t, 2)", "repeat(t, 2)"),
    ("STR(f, 10, 2)", "lpad(CAST(CAST(f AS DECIMAL(10,2)) AS VARCHAR), 10, ' ')"),
    ("IIF(s LIKE '%m 1[0-4]%', 1, NULL)", "CASE WHEN regexp_matches(s, 'm 1[0-4]') THEN 1 END"),
    ("PATINDEX('%m 1%', s)", "strpos(s, 'm 1')"),
    ("NULLIF(ISNUMERIC(t), 0)", "CASE WHEN TRY_CAST(t AS DOUBLE) IS NOT NULL THEN 1 END"),
    ("FORMAT(g, 'yyyy-MM-dd')", "strftime(g, '%Y-%m-%d')"),
    (
        "FORMAT(m, '#,##0.00')",
        "format('{:,}', CAST(trunc(round(m, 2)) AS BIGINT)) || '.' || right(CAST(round(m, 2) AS VARCHAR), 2)",
    ),
    (
        "FORMAT(CAST(m AS money), 'C', 'en-US')",
        "CASE WHEN m < 0 THEN '-' ELSE '' END || '$' || format('{:,}', CAST(trunc(round(m, 2)) AS BIGINT)) || '.' || right(CAST(round(m, 2) AS VARCHAR), 2)",
    ),
    ("FORMAT(f, 'P1')", "format('{:,.1f}', f * 100) || '%'"),
    ("FORMAT(f, '#,##0.00')", "format('{:,.2f}', f)"),
    ("STUFF(s, 2, 3, 'x')", "left(s, 1) || 'x' || substring(s, 5)"),
    ("QUOTENAME(s)", "'[' || replace(s, ']', ']]') || ']'"),
    ("CHARINDEX('m', s, 3)", "strpos(substring(s, 3), 'm') + 2"),
    ("CONCAT_WS(',', s, t)", "concat_ws(',', s, t)"),
    ("ASCII(s)", "ascii(s)"),
    ("DATALENGTH(n)", "2 * length(n)"),
    ("TRANSLATE(s, 'ab', 'xy')", "translate(s, 'ab', 'xy')"),
    ("NULLIF(GREATEST(i, 50000), 5)", "nullif(greatest(i, 50000), 5)"),
    ("GREATEST(s, t)", "greatest(s, t)"),
    ("HASHBYTES('SHA2_256', s)", "sha256(s)"),
    ("IIF(s = t, 1, NULL)", "CASE WHEN s = t THEN 1 END"),
    ("IIF(s < t, 1, NULL)", "CASE WHEN s < t THEN 1 END"),
    (
        "IIF(s COLLATE Latin1_General_CS_AS < LEFT(s, 6) COLLATE Latin1_General_CS_AS, 1, NULL)",
        "CASE WHEN s < left(s, 6) THEN 1 END",
    ),
    ("IIF(n COLLATE Latin1_General_CS_AS < N'Item 5', 1, NULL)", "CASE WHEN n < 'Item 5' THEN 1 END"),
    ("IIF(s BETWEEN 'item 3' AND 'item 5', 1, NULL)", "CASE WHEN s BETWEEN 'item 3' AND 'item 5' THEN 1 END"),
    ("IIF(n < N'item 5', 1, NULL)", "CASE WHEN n < 'Item 5' THEN 1 END"),
    ("IIF(n = N'item 50', 1, NULL)", "CASE WHEN n = 'Item 50' THEN 1 END"),
    ("ROUND(m, -1)", "round(m, -1)"),
    ("ROUND(m, 1, 1)", "trunc(m * 10) / 10"),
    ("LEN(CAST(n AS nvarchar(max)))", "length(n)"),
    ("CAST(s AS varbinary(30))", "encode(s)"),
    ("IIF(s LIKE t, 1, NULL)", "CASE WHEN lower(s) LIKE lower(t) THEN 1 END"),
    ("IIF(s = 'item 50', 1, NULL)", "CASE WHEN s = 'item 50' THEN 1 END"),
    ("TODATETIMEOFFSET(d, '+02:00')", "d - INTERVAL 2 HOUR"),
    ("SWITCHOFFSET(TODATETIMEOFFSET(d, 60), 0)", "d - INTERVAL 1 HOUR"),
    ("NULLIF(ISDATE(u), 0)", "CASE WHEN TRY_CAST(u AS TIMESTAMP) IS NOT NULL THEN 1 END"),
    ("PARSENAME(s + '.x', 2)", "nullif(string_split(s || '.x', '.')[-2], '')"),
    ("NULLIF(CHECKSUM(i), 5)", "nullif(coalesce(i, 2147483647), 5)"),
    ("NULLIF(CHECKSUM(s), 5)", f"nullif(coalesce({_SUM}, 2147483647), 5)"),
    ("TIMEFROMPARTS(i % 24, i % 60, 0, 0, 0)", "make_time(i % 24, i % 60, 0)"),
    ("BIT_COUNT(i)", "bit_count(i)"),
    (
        "SOUNDEX(s)",
        f"regexp_replace(upper(left(s, 1)) || rpad(replace({_CONSONANTS}, '0', ''), 3, '0'), '(....).*', '\\1')",
    ),
    ("DIFFERENCE(s, t)", "levenshtein(s, t)"),
    ("dbo.Twice(i)", "i * 2 + 1"),
    ("JSON_VALUE(j, '$.name')", "json_extract_string(j, '$.name')"),
    ("JSON_VALUE(j, '$.price')", "json_extract_string(j, '$.price')"),
    ("JSON_VALUE(j, '$.at.x')", "json_extract_string(j, '$.at.x')"),
    ("JSON_VALUE(j, '$.none')", "json_extract_string(j, '$.none')"),
    ("JSON_QUERY(j, '$.tags')", "json_extract(j, '$.tags')"),
    ("ISJSON(j)", "json_valid(j)"),
    ("JSON_PATH_EXISTS(j, '$.at')", "json_exists(j, '$.at')"),
    ("JSON_MODIFY(j, '$.name', s)", "replace(j, json_extract(j, '$.name'), '\"' || s || '\"')"),
    ("JSON_MODIFY(j, '$.more', i)", "CASE WHEN j IS NOT NULL THEN json_merge_patch(j, json_object('more', i)) END"),
    ("JSON_VALUE(j, v)", "json_extract_string(j, v)"),
    ("JSON_VALUE(j, CONCAT('$.tags[', i % 2, ']'))", "json_extract_string(j, concat('$.tags[', i % 2, ']'))"),
    ("JSON_QUERY(j, LEFT('$.tags', i + 6))", "json_extract(j, left('$.tags', i + 6))"),
    ("JSON_PATH_EXISTS(j, v)", "json_exists(j, v)"),
    ("JSON_MODIFY(j, v, i)", "replace(j, json_extract(j, v), CAST(i AS VARCHAR))"),
    ("JSON_MODIFY(j, '$.name', NULL)", "replace(j, '\"name\":' || json_extract(j, '$.name') || ',', '')"),
    (
        "JSON_MODIFY(j, 'append $.tags', s)",
        "replace(j, json_extract(j, '$.tags'), json_extract(j, '$.tags')[:-2] || ',\"' || s || '\"]')",
    ),
    ("JSON_MODIFY(j, '$.name', s + '/')", "replace(j, json_extract(j, '$.name'), '\"' || s || '\\/\"')"),
    (
        "JSON_MODIFY(j, '$.at', JSON_QUERY(j, '$.tags'))",
        "replace(j, json_extract(j, '$.at'), json_extract(j, '$.tags'))",
    ),
    (
        "RAND(i)",
        f"CASE WHEN i IS NOT NULL THEN ({_FIRST} + CASE WHEN {_FIRST} < 1 THEN 2147483562 ELSE 0 END) * 4.656613e-10 ELSE 0 END",
    ),
    ("FORMATMESSAGE('%s of %d', s, i)", "coalesce(printf('%s of %d', s, i), '')"),
    ("TYPE_NAME(i % 257)", _NAMED),
    (
        "COL_LENGTH('dbo.t', SUBSTRING('ikmfde', 1 + i % 6, 1))",
        "MAP {'i': 4, 'k': 8, 'm': 9, 'f': 8, 'd': 8, 'e': 8}[substring('ikmfde', 1 + i % 6, 1)]",
    ),
    ("CAST(s AS xml)", "replace(replace(s, '&', '&amp;'), '<', '&lt;')"),
    (
        "CAST('<a b=\"1\">' + s + '</a>' AS xml)",
        "CASE WHEN regexp_matches('<a b=\"1\">' || s || '</a>', '^<a b=\"[^\"]*\">[^<>&]*</a>$') THEN 1 END",
    ),
    ("JSON_ARRAY(s, i)", "json_array(s, i)"),
    ("JSON_ARRAY(d, m NULL ON NULL)", "json_array(d, m)"),
    ("JSON_OBJECT('name': s, 'at': i)", "json_object('name', s, 'at', i)"),
    ("NEWID()", "uuid()"),
    ("ABS(CHECKSUM(NEWID())) % 100", "abs(CAST(hash(uuid()) >> 33 AS INTEGER)) % 100"),
    ("RAND(CHECKSUM(NEWID()))", "hash(uuid()) / 18446744073709551616.0"),
    ("COMPRESS(s)", "sha256(s)"),
    ("DECOMPRESS(COMPRESS(s))", "sha256(sha256(s))"),
    ("DATEADD(ms, i, d)", "d + to_milliseconds(i)"),
    ("DATEADD(ms, i, e)", "e + to_milliseconds(i)"),
    ("CAST(i AS varbinary(4))", "unhex(lpad(hex(i), 8, '0'))"),
    ("CAST(CAST(i AS varbinary(4)) AS int)", "CAST('0x' || lpad(hex(i), 8, '0') AS INTEGER)"),
    ("CAST(CAST(s AS varbinary(30)) AS varchar(30))", "decode(encode(s))"),
    ("CAST(n AS varbinary(60))", "encode(array_to_string(string_split(n, ''), chr(0)) || chr(0))"),
    (
        "CAST(CAST(n AS varbinary(60)) AS nvarchar(30))",
        "replace(decode(encode(array_to_string(string_split(n, ''), chr(0)) || chr(0))), chr(0), '')",
    ),
    ("CONVERT(varchar(62), CAST(s AS varbinary(30)), 1)", "'0x' || hex(encode(s))"),
    ("CAST(i AS sql_variant)", "CAST(i AS VARCHAR)"),
    ("CAST(CAST(i AS sql_variant) AS int)", "CAST(CAST(i AS VARCHAR) AS INTEGER)"),
    ("SQL_VARIANT_PROPERTY(i, 'BaseType')", "CASE WHEN CAST(i AS VARCHAR) <> '' THEN 'int' END"),
    (
        "SQL_VARIANT_PROPERTY(CAST(i AS sql_variant), 'BaseType')",
        "CASE WHEN regexp_extract('int ' || CAST(i AS VARCHAR), '[a-z]+') = 'int' THEN 'int' END",
    ),
    ("CAST(TODATETIMEOFFSET(d, 60) AS varchar(40))", "strftime(d, '%Y-%m-%d %H:%M:%S.%g') || ' +01:00'"),
    ("CAST(u + ' 10:00:00 +01:00' AS datetimeoffset)", "CAST(u || ' 10:00:00+01:00' AS TIMESTAMPTZ)"),
    ("CAST(e AS datetime)", "CAST(e AS TIMESTAMP_MS)"),
    ("CAST(e AS datetime2(3))", "CAST(e AS TIMESTAMP_MS)"),
    ("CAST(d AS smalldatetime)", "date_trunc('minute', d + INTERVAL 30 SECOND)"),
    ("CAST(m / 10000 AS datetime)", "TIMESTAMP '1900-01-01' + to_milliseconds(m / 10000 * 86400000)"),
    ("d - CAST('19000102' AS datetime)", "d - INTERVAL 1 DAY"),
    ("DATEPART(ms, e)", "millisecond(e)"),
    ("DATETRUNC(week, d)", "date_trunc('week', d)"),
    ("DATEDIFF_BIG(microsecond, d, e)", "date_diff('microsecond', d, e)"),
    ("DATEADD(month, 1, TODATETIMEOFFSET(d, 60))", "d + INTERVAL 1 MONTH"),
    ("CONVERT(varchar(30), d, 127)", "strftime(d, '%Y-%m-%dT%H:%M:%S')"),
    ("CONVERT(varchar(30), d, 109)", "replace(strftime(d, '%b %d %Y %I:%M:%S:%g%p'), ' 0', '  ')"),
    ("FORMAT(e, 'HH:mm:ss.fff')", "strftime(e, '%H:%M:%S.%g')"),
    ("DATE_BUCKET(minute, 15, d)", "time_bucket(INTERVAL 15 MINUTE, d)"),
    (
        "DATETIMEOFFSETFROMPARTS(2000 + i % 50, 1, 1 + i % 28, i % 24, 0, 0, 0, 2, 0, 0)",
        "make_timestamp(2000 + i % 50, 1, 1 + i % 28, i % 24, 0, 0) - INTERVAL 2 HOUR",
    ),
    ("d AT TIME ZONE 'Central European Standard Time'", "timezone('Europe/Warsaw', d)"),
    (
        "e AT TIME ZONE 'UTC' AT TIME ZONE 'Pacific Standard Time'",
        "timezone('America/Los_Angeles', timezone('UTC', e))",
    ),
]
"""Expressions here, and the cheapest in DuckDB that give the same for these rows."""


def run(session: Session, text: str) -> None:
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            raise AssertionError(f"{text}: {outcome.error}")


def fill(rows: int, nulls: int) -> tuple[Session, duckdb.DuckDBPyConnection]:
    """Both sides with the same table, in which so many of a hundred rows have nothing but NULL."""
    session = Instance.open(None).connect()
    run(session, "CREATE FUNCTION dbo.Twice (@a int) RETURNS int AS BEGIN RETURN @a * 2 + 1 END")
    run(session, f"CREATE TABLE dbo.t ({', '.join(f'{c} {ours}' for c, (ours, _, _) in COLUMNS.items())})")
    bare = duckdb.connect(config={"threads": 1})
    bare.execute("LOAD icu")
    made = ", ".join(f"CAST({value} AS {duck}) AS {c}" for c, (_, duck, value) in COLUMNS.items())
    bare.execute(f"CREATE TABLE t AS SELECT {made} FROM range({rows}) AS r(k)")
    for side in (session, bare):  # with a NULL nobody may count rows instead of values
        text = f"INSERT INTO {'dbo.' if side is session else ''}t ({', '.join(COLUMNS)}) VALUES ({', '.join(['NULL'] * len(COLUMNS))})"
        run(session, text) if side is session else bare.execute(text)
    for start in range(0, rows, 100_000):
        inner = ", ".join(f"CAST({text} AS {ours})" for (ours, _, _), text in zip(COLUMNS.values(), _OURS, strict=True))
        run(
            session,
            f"INSERT dbo.t SELECT {inner} FROM (SELECT value AS k FROM GENERATE_SERIES({start}, {min(start + 100_000, rows) - 1})) AS g",
        )
    if gone := rows * nulls // 100:
        empty = ", ".join(["NULL"] * len(COLUMNS))
        run(session, f"DELETE dbo.t WHERE k < {gone}; INSERT dbo.t SELECT {empty} FROM GENERATE_SERIES(1, {gone}) AS g")
        bare.execute(f"DELETE FROM t WHERE k < {gone}; INSERT INTO t SELECT {empty} FROM range({gone})")
    return session, bare


_OURS = (
    "k", "k", "k * 1.25 / 7", "k / 7e0", "DATEADD(minute, k, CAST('20000101' AS datetime))",
    "DATEADD(minute, 2 * k, CAST('20010101' AS datetime2))", "DATEADD(minute, k, CAST('20000101' AS datetime))", "'item ' + CAST(k AS varchar(10))",
    "CAST(k AS varchar(10))", "CONVERT(varchar(10), DATEADD(minute, k, CAST('20000101' AS datetime)), 120)", "N'Item ' + CAST(k AS varchar(10))",
    """CONCAT('{"id":', k, ',"name":"item ', k, '","price":', k % 100, '.50,"tags":["a","b"],"at":{"x":', k, '}}')""",
    "IIF(k % 2 = 0, '$.name', '$.id')",
)  # fmt: skip


def seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def measure(rows: int, only: str, runs: int, nulls: int) -> None:
    session, bare = fill(rows, nulls)
    print(f"\n| {rows:,} rows | ms | to bare DuckDB |\n|---|--:|--:|")
    for ours, theirs in CALLS:
        if only and only.lower() not in ours.lower():
            continue
        text, other = f"SELECT COUNT({ours}) FROM dbo.t", f"SELECT count({theirs}) FROM t"
        run(session, text)
        (outcome, *_), ((expected,),) = session.run(text), bare.execute(other).fetchall()
        assert outcome.rows == [(expected,)], (ours, outcome.rows, expected)
        here = there = float("inf")
        for _ in range(runs):
            here = min(here, seconds(lambda: run(session, text)))  # noqa: B023
            there = min(there, seconds(lambda: bare.execute(other)))  # noqa: B023
        print(f"| {ours} | {here * 1000:.1f} | {here / there:.1f} |", flush=True)
    session.instance.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--nulls", type=int, default=0, help="rows of a hundred that have nothing but NULL")
    parser.add_argument("--only", default="", help="calls that contain this")
    given = parser.parse_args()
    for count in given.rows:
        measure(count, given.only, given.runs, given.nulls)
