"""Where a client is sent for an error in a dynamic text: to the batch, never to a line of the client's own file, for
the error's line counts in the text. The number and the line are the text's, however it was run and whatever ends."""

from __future__ import annotations

from typing import Any, Final

import pytest

from sbql.engine.outcomes import ErrorOutcome
from sbql.grammar.batches import Place
from sbql.grammar.errors import SqlError

FAILS: Final = {
    "goes on": ("SELECT 1 / 0", 8134),
    "a write": ("INSERT #t VALUES (1), (1)", 2627),
    "ends the batch": ("SELECT CAST('x' AS int)", 245),
    "a missing table": ("SELECT * FROM dbo.nosuch", 208),
    "a missing procedure": ("EXEC dbo.nosuch", 2812),
    "not compiled": ("SELECT FROM", 156),
    "a variable": ("SELECT @nosuch", 137),
    "RAISERROR": ("RAISERROR ('x', 16, 1)", 50000),
    "THROW": (";THROW 50001, 'x', 1", 50001),
    "a broker's": ("END CONVERSATION '11111111-1111-1111-1111-111111111111'", 8426),
    "a conversion": ("END CONVERSATION 'x'", 8169),
}
RUNS: Final = {
    "EXEC": "EXEC (N'{}')",
    "sp_executesql": "EXEC sp_executesql N'{}'",
    "a variable": "DECLARE @text nvarchar(4000) = N'{}' EXEC (@text)",
    "in a TRY": "BEGIN TRY EXEC (N'{}') END TRY BEGIN CATCH THROW END CATCH",
    "in a text": "EXEC (N'EXEC (N''{}'')')",
    "for a table": "INSERT #t EXEC (N'{}')",
}


def quoted(text: str, times: int) -> str:
    return text.replace("'", "'" * 2**times)


def errors(session: Any, text: str) -> list[SqlError]:
    return [outcome.error for outcome in session.run(text) if isinstance(outcome, ErrorOutcome)]


@pytest.fixture
def session(instance: Any) -> Any:
    found = instance.connect()
    for text in ("CREATE DATABASE Shop", "USE Shop", "CREATE TABLE #t (a int PRIMARY KEY)"):
        assert errors(found, text) == []
    return found


@pytest.mark.parametrize("way", RUNS)
@pytest.mark.parametrize("kind", FAILS)
def test_the_place_is_the_batch(session: Any, way: str, kind: str) -> None:
    text, number = FAILS[kind]
    inner = quoted(f"\n\n{text}", 2 if way == "in a text" else 1)
    heard = errors(session, f"PRINT 'one'\n{RUNS[way].format(inner)}")
    assert [(error.number, error.line) for error in heard] == [(number, 3)]
    assert Place("s.sql", 10).of(heard[0]) == "s.sql, batch at line 10"


@pytest.mark.parametrize("kind", FAILS)
def test_the_same_words_in_the_batch_have_its_line(session: Any, kind: str) -> None:
    text, number = FAILS[kind]
    heard = errors(session, f"PRINT 'one'\n\n{text}")
    assert [(error.number, error.line) for error in heard] == [(number, 3)]
    assert Place("s.sql", 10).of(heard[0]) == "s.sql:12"
