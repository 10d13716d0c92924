"""Dates as texts whose bytes have the order of every collation (`typed_sql.Typed.ordered`): the highest, the lowest and
all in turn, as the keys of Python have them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from sbql.engine.native.conversions import conversion_form
from sbql.engine.native.forms import Form
from sbql.engine.session import Session
from sbql.grammar.types import SqlType
from sbql.grammar.values.collation import sort_key_function
from sbql.grammar.values.languages import US_ENGLISH, DateFormat
from tests.told import last_rows, prepared

KINDS = {
    "date": SqlType("date"),
    "datetime": SqlType("datetime"),
    "smalldatetime": SqlType("smalldatetime"),
    "datetime2(3)": SqlType("datetime2", scale=3),
    "datetime2(7)": SqlType("datetime2", scale=7),
    "time(0)": SqlType("time", scale=0),
    "time(7)": SqlType("time", scale=7),
    "datetimeoffset(3)": SqlType("datetimeoffset", scale=3),
}
STYLES = (0, 1, 3, 6, 7, 8, 10, 12, 20, 21, 23, 24, 100, 101, 104, 106, 107, 108, 110, 112, 114, 120, 121, 126)
COLLATIONS = (
    "SQL_Latin1_General_CP1_CI_AS",
    "SQL_Latin1_General_CP1_CS_AS",
    "Latin1_General_CI_AS",
    "Latin1_General_CS_AI",
    "Latin1_General_BIN2",
)
TEXTS = {"varchar(40)": 40, "char(40)": 40, "nvarchar(40)": 40, "varchar(11)": 11, "char(7)": 7}
FORMATS = (
    "yyyy-MM",
    "dd/MM/yyyy",
    "d/M/yyyy",
    "HH:mm",
    "h:mm tt",
    "MMM yyyy",
    "'the' dd.MM.yy ",
    "yyyyMMddHHmmss",
    "d",
)
MOMENTS = (
    "2024-02-29 23:59:59", "2024-02-29 23:59:59.003", "2024-02-03 04:05:06.7", "1999-12-31 00:00:00", "1999-01-01 12:00:00.997",
    "2079-06-06 01:02:03", "1900-01-01 00:00:00", "2000-10-10 10:10:10.01", "2009-09-09 09:09:09", "2030-11-12 13:00:00",
)  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    columns = ", ".join(f"[{name}] {name}" for name in KINDS)
    with prepared("CREATE DATABASE shop", f"USE shop; CREATE TABLE t (n int, {columns})") as session:
        rows = ", ".join(f"({n}" + f", '{moment}'" * len(KINDS) + ")" for n, moment in enumerate(MOMENTS))
        assert last_rows(session, f"SET NOCOUNT ON; INSERT t VALUES {rows}, (99{', NULL' * len(KINDS)})") is None
        yield session


def is_ordered(name: str, text: str, style: int) -> bool:
    form = conversion_form(KINDS[name], _text_type(text), style, DateFormat())
    return isinstance(form, Form) and form.is_ordered


def _text_type(text: str) -> SqlType:
    return SqlType(text.partition("(")[0], length=TEXTS[text])


def agree(session: Session, value: str, sql_type: SqlType, collations: Sequence[str] = COLLATIONS) -> None:
    """The texts of a value in all rows: their ends under each collation, and their order under one."""
    texts = [text for (text,) in last_rows(session, f"SELECT {value} FROM t")]
    given = [text for text in texts if text is not None]
    keys = [sort_key_function(replace(sql_type, collation=collation)) for collation in collations]
    ends = ", ".join(f"MIN({value} COLLATE {collation}), MAX({value} COLLATE {collation})" for collation in collations)
    ((found),) = last_rows(session, f"SELECT {ends} FROM t")
    for i, key in enumerate(keys):
        assert list(map(key, found[2 * i : 2 * i + 2])) == [min(map(key, given)), max(map(key, given))], (value, i)
    way, key = random.Random(value).choice(("ASC", "DESC")), keys[0]
    sql = f"SELECT {value} FROM t WHERE {value} IS NOT NULL ORDER BY {value} COLLATE {collations[0]} {way}"
    in_turn = [key(text) for (text,) in last_rows(session, sql)]
    assert in_turn == sorted(map(key, given), reverse=way == "DESC"), (value, way)


@pytest.mark.matrix
@pytest.mark.parametrize("name", KINDS)
def test_converted(session: Session, name: str) -> None:
    ordered = 0
    for style in STYLES:
        for text in TEXTS:
            if not is_ordered(name, text, style):
                continue
            ordered += 1
            agree(session, f"CONVERT({text}, [{name}], {style})", _text_type(text))
    assert ordered >= 3 * len(TEXTS), "else this test looks at nothing"


@pytest.mark.parametrize("pattern", FORMATS)
def test_formatted(session: Session, pattern: str) -> None:
    quoted = pattern.replace("'", "''")
    agree(session, f"FORMAT([datetime2(3)], '{quoted}')", SqlType("nvarchar", length=4000))


_DIGEST = "CAST(HASHBYTES('MD5', CAST(NULLIF(n, 99) AS varchar(5))) AS varbinary(16))"
_GUID = f"CAST({_DIGEST} AS uniqueidentifier)"
TOGETHER = (
    f"CAST({_GUID} AS varchar(36))", f"CAST({_GUID} AS nchar(40))", f"'{{' + CAST({_GUID} AS char(36)) + '}} '", f"CONVERT(nvarchar(100), {_GUID})",
    "CONVERT(varchar(10), [date], 101) + CONVERT(char(8), [datetime], 108)", "CONVERT(varchar(10), [date], 120) + N' - ' + CONVERT(varchar(10), [date], 112) + ''''",
    "CONVERT(varchar(5), [datetime], 108) + '_' + FORMAT([date], 'yyyy-MM') + ' '", "CAST(CONVERT(varchar(10), [date], 104) AS nvarchar(30)) + ':'",
)  # fmt: skip
"""Texts of one layout, and such texts put together."""


@pytest.mark.parametrize("value", TOGETHER)
def test_put_together(session: Session, value: str) -> None:
    is_national = any(word in value for word in ("N'", "FORMAT", "nchar", "nvarchar"))
    agree(session, value, SqlType("nvarchar" if is_national else "varchar", length=200))


_BYTES = f"SUBSTRING({_DIGEST}, 1 + n % 2, n % 4)"
DIGITS = (
    f"CONVERT(varchar(40), {_BYTES}, 1)", f"CONVERT(nvarchar(40), {_BYTES}, 2)", f"CONVERT(varchar(4), {_BYTES}, 2)", "CONVERT(varchar(20), CAST(n * 3 AS varbinary(2)), 1)",
    f"CONVERT(varchar(40), {_BYTES}, 2) + ':' + CAST(n AS varchar(9))", f"CONVERT(nvarchar(40), {_BYTES}, 1) + N'-x'",
)  # fmt: skip
"""Digits of binary strings of several lengths, and texts that go on behind them."""


@pytest.mark.parametrize("value", DIGITS)
def test_digits_of_bytes(session: Session, value: str) -> None:
    agree(session, value, SqlType("nvarchar" if "nvarchar" in value else "varchar", length=200))


GROUPED = (
    *TOGETHER, f"CONVERT(varchar(40), {_DIGEST}, 2)", f"CONVERT(nvarchar(8), SUBSTRING({_DIGEST}, 1, 1), 1)", "CAST(NULLIF(n, 99) - 5 AS varchar(10))",
    "CAST((NULLIF(n, 99) - 5) * 7 % 13 AS nchar(6))", "CAST((NULLIF(n, 99) - 5) * 100 AS varchar(3))", "CAST(CAST(NULLIF(n, 99) % 2 AS bit) AS nvarchar(5))",
    *(f"DATENAME({part}, [datetime2(3)])" for part in ("month", "weekday", "year", "day", "hour", "millisecond", "dayofyear")),
    *(f"CONVERT(varchar(40), [datetime2(3)], {style})" for style in (101, 108, 112, 120, 121, 126)),
    "CONVERT(char(7), [date], 120)", "CONVERT(nvarchar(10), [datetime], 104)", "FORMAT([datetime2(3)], 'yyyy-MM')", "FORMAT([datetime2(3)], 'MMM yyyy')",
    "DATENAME(month, [date]) + ' ' + DATENAME(year, [date])", "UPPER(DATENAME(weekday, [date]))",
)  # fmt: skip


@pytest.mark.parametrize("value", GROUPED)
def test_grouped(session: Session, value: str) -> None:
    """By themselves, where no text is equal to another one: as the keys of Python have it of what is shown."""
    shown = [text for (text,) in last_rows(session, f"SELECT {value} FROM t")]
    for collation in (None, *COLLATIONS):
        of = value if collation is None else f"{value} COLLATE {collation}"
        key = sort_key_function(SqlType("nvarchar", length=40, collation=collation))
        expected = Counter(None if text is None else key(text) for text in shown)
        rows = last_rows(session, f"SELECT {of}, COUNT(*) FROM t GROUP BY {of}")
        assert len(rows) == len(expected)
        assert {None if text is None else key(text): count for text, count in rows} == expected
        ((count,),) = last_rows(session, f"SELECT COUNT(DISTINCT {of}) FROM t")
        assert count == len(expected) - 1
        names = last_rows(session, f"SELECT COUNT(*) FROM t WHERE {of} IN ('FEBRUARY', 'thursday ', '2024')")
        wanted = {key(text) for text in ("FEBRUARY", "thursday ", "2024")}
        assert names == [(sum(number for text, number in expected.items() if text in wanted),)]


def test_names_and_blanks_are_not_ordered() -> None:
    """Where they would be, April were the first month."""
    for style in (0, 6, 7, 9, 13, 100, 106, 107, 109, 113):
        assert not is_ordered("datetime", "varchar(40)", style)
    assert DateFormat().language is US_ENGLISH


@pytest.mark.parametrize(
    "value",
    [
        "UPPER(CONVERT(varchar(10), [date], 101))",
        "REVERSE(CONVERT(varchar(10), [date], 101))",
        "CASE n % 2 WHEN 0 THEN CONVERT(varchar(10), [date], 101) ELSE '-1' END",
        "COALESCE(CONVERT(varchar(10), [date], 101), '_')",
        "ISNULL(CONVERT(nvarchar(10), [date], 101), '-')",
        "CONVERT(varchar(10), [date], 101) + CASE n % 2 WHEN 0 THEN '_' ELSE '0' END",
        "CAST(CONVERT(varchar(10), [date], 101) AS nvarchar(4))",
        "GREATEST(CONVERT(varchar(10), [date], 101), '_')",
    ],
)
def test_what_is_made_of_them_is_not_ordered_by_itself(session: Session, value: str) -> None:
    is_national = value.startswith(("CAST", "ISNULL"))
    agree(session, value, SqlType("nvarchar" if is_national else "varchar", length=40))


def test_they_meet_others_by_keys(session: Session) -> None:
    """The order of signs is not that of their bytes."""
    key = sort_key_function(SqlType("varchar", length=8))
    value = "CONVERT(varchar(8), [time(0)], 108)"
    given = dict(last_rows(session, f"SELECT n, {value} FROM t WHERE n < 99"))
    for sign in ":;<=>?@[\\]^_`{|}~":
        for hour in ("10", "23"):
            other = f"{hour}{sign}10"
            found = last_rows(session, f"SELECT n FROM t WHERE {value} < '{other}' ORDER BY n")
            assert [n for (n,) in found] == [n for n in given if key(given[n]) < key(other)], other
            found = last_rows(session, f"SELECT n FROM t WHERE {value} < ANY (SELECT '{other}') ORDER BY n")
            assert [n for (n,) in found] == [n for n in given if key(given[n]) < key(other)], other
