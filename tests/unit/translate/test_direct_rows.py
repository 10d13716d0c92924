"""What is computed of a row found by its key without DuckDB is what DuckDB computes: every call of the
sweep of native forms, for some rows.

`k + 0 = n` is no key to the translator, so the same statement goes to DuckDB.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from math import prod
from typing import Any

import pytest
from native_calls import CALLS
from native_sweep import VALUES, Sweep

from sbql.engine.direct import form
from sbql.engine.outcomes import ErrorOutcome, ResultSet

SHARE = int(os.environ.get("NATIVE_SHARE", "151"))
"""One of so many calls is made."""
FORMS = (
    "SELECT {call} FROM {table} WHERE {key} = {number}",
    "SELECT k FROM {table} WHERE {key} = {number} AND {call} IS NOT NULL",
    "SELECT CASE WHEN {call} = {call} THEN {call} END, ISNULL(CAST({call} AS varchar(60)), 'none') FROM {table} WHERE {key} = {number}",
    "SELECT {call}, GETDATE() FROM {table} WHERE {key} = {number} AND DATEDIFF(day, GETDATE(), GETDATE()) = LEN('') AND k >= ABS(-{number})",
)


class KeyedSweep(Sweep):
    """Its tables have a key."""

    def run(self, text: str) -> list[Any]:
        return super().run(text.replace("(k int,", "(k int NOT NULL PRIMARY KEY,", 1))


@pytest.fixture(scope="module")
def sweep() -> Iterator[KeyedSweep]:
    found = KeyedSweep()
    yield found
    found.close()


def asked(sweep: Sweep, text: str) -> Any:
    """Values with their types, and what the columns say; or the number of the error."""
    for outcome in sweep.session.run(text):
        if isinstance(outcome, ErrorOutcome):
            return outcome.error.number
        if isinstance(outcome, ResultSet):
            rows = [tuple((type(value), repr(value)) for value in row) for row in outcome.rows]
            return rows, [(column.name, column.type, column.nullable) for column in outcome.columns]
    raise AssertionError(text)


def test_a_row_gives_what_duckdb_gives(sweep: KeyedSweep, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    run = form.Direct.__call__

    def counted(self: Any, frame: Any) -> Any:
        found.append(run(self, frame))
        return found[-1]

    monkeypatch.setattr(form.Direct, "__call__", counted)
    chance, differences = random.Random(SHARE), []
    for call, types in CALLS[::SHARE]:
        table = sweep.table(types)
        for _ in range(2):
            number = chance.randrange(prod(len(VALUES[t]) + 1 for t in types))
            for shape in FORMS:
                texts = [shape.format(call=call, table=table, key=key, number=number) for key in ("k", "k + 0")]
                by_key, by_duckdb = (asked(sweep, text) for text in texts)
                if by_key != by_duckdb:
                    differences.append(f"{texts[0]} {types}: {by_key} {by_duckdb}")
    assert not differences, "\n".join(differences[:20])
    assert sum(one is not None for one in found) > len(CALLS) // SHARE * 3, "most need no DuckDB"


OTHERS = (
    "JSON_OBJECT('a': JSON_QUERY(n))", "JSON_MODIFY(n, '$.a', JSON_QUERY(n, '$.b'))", "JSON_ARRAY(n, JSON_QUERY(n, '$.b'), p, d)", "JSON_ARRAY(JSON_QUERY('[1]'), p)",
    "JSON_ARRAY(JSON_OBJECT('k': p), JSON_QUERY('[1]'))", "JSON_OBJECT('a': JSON_ARRAY(1, p), 'd': d)", "JSON_MODIFY(n, 'append $.l', JSON_OBJECT('q': p))", "JSON_QUERY('[1]')",
    "ISJSON(n, OBJECT)", "JSON_VALUE(n, '$.a')", "ISNULL(JSON_QUERY(n, '$.zz'), JSON_QUERY(n, '$.b'))", "STRING_ESCAPE(n, 'json')", "p LIKE '5'", "CHOOSE(p - 4, n, 'x')",
    "IIF(p BETWEEN 1 AND LEN('abcdefghi'), n, NULL)", "CASE p WHEN ABS(-5) THEN 'five' WHEN 6 THEN NULL ELSE n END", "COALESCE(NULL, n, 'x')", "LEFT(n, LEN('abc'))",
    "FORMATMESSAGE('%d %s', p, n)", "TRIM('{' FROM n)", "d AT TIME ZONE 'UTC'", "TODATETIMEOFFSET(d, p)", "CAST(DECOMPRESS(COMPRESS(n)) AS nvarchar(max))", "CHECKSUM(n, p, 'x')",
    "SOUNDEX(n)", "RAND(p)", "TYPE_NAME(p)", "USER_NAME(p)", "PARSE('1' AS int) + p", "TRY_CONVERT(int, n)", "DATE_BUCKET(week, 1, d)", "n COLLATE Latin1_General_BIN", "c + UPPER('x')",
    "CASE WHEN c = LOWER('A') THEN 1 ELSE 0 END", "NULLIF(c, CONCAT('a', ''))", "x.value('(/a/@b)[1]', 'int')", "CAST(x AS nvarchar(50)) + CAST(p AS varchar(5))", "SQL_VARIANT_PROPERTY(v, 'BaseType')",
    "CAST(v AS varchar(10))", "b + 0x01", "CAST(b AS int)", "1 / (p - 5)", "CAST(n AS int)", "p / 0.0", "CURRENT_TIMESTAMP", "SYSTEM_USER", "@@TRANCOUNT + p", "DATENAME(month, d)", "DATEPART(weekday, d)",
    "CONVERT(varchar(30), CAST(d AS datetime))", "c + NULL", "CASE WHEN c = NULL THEN 1 ELSE 0 END", "CAST('3' + c AS varchar(3))", "CAST('01/02/2024' AS datetime)", "DATEDIFF(day, '01/02/2024', d)",
)  # fmt: skip
OPTIONS = ("", "SET DATEFORMAT dmy", "SET LANGUAGE German", "SET DATEFIRST 3", "SET ANSI_NULLS OFF", "SET CONCAT_NULL_YIELDS_NULL OFF", "SET ARITHABORT OFF; SET ANSI_WARNINGS OFF")  # fmt: skip


def test_other_types_and_options(sweep: KeyedSweep) -> None:
    """JSON that is an argument already, collations that meet, what looks at the session, under options that change
    meanings; the same texts under each."""
    sweep.run(
        "CREATE TABLE other (id int PRIMARY KEY, n nvarchar(200), p int, d date, x xml, v sql_variant, b varbinary(9), c varchar(9) COLLATE Latin1_General_CS_AS)"
    )
    sweep.run(
        'INSERT other VALUES (1, N\'{"b":{"x":1},"a":"é"}\', 5, \'2024-01-02\', \'<a b="1"/>\', CAST(1.5 AS decimal(5, 2)), 0x0102, \'a\'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL)'
    )
    differences = []
    for option in OPTIONS:
        sweep.run(option)
        for call in OTHERS:
            for number in (1, 2):
                texts = [f"SELECT {call} FROM other WHERE {key} = {number}" for key in ("id", "id + 0")]
                if asked(sweep, texts[0]) != asked(sweep, texts[1]):
                    differences.append(f"{option}: {texts[0]}")
    assert not differences, "\n".join(differences[:20])
