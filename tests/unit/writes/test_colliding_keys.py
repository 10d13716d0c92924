"""A store of an older rule of comparison, with unique rows that are equal by today's."""

from __future__ import annotations

from pathlib import Path

import duckdb

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session


def answer(session: Session, text: str) -> list[object]:
    found: list[object] = []
    for outcome in session.run(text):
        if isinstance(outcome, ResultSet):
            found += outcome.rows
        elif isinstance(outcome, ErrorOutcome):
            found.append(outcome.error.number)
    return found


def older(path: Path) -> None:
    """Two rows that were different once, in a store that was never checked."""
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{path}' AS s")
        connection.execute("UPDATE s.\"master.dbo\".streets SET street = 'STRASSE' WHERE street = 'other'")
        connection.execute("DELETE FROM s.sbql.meta WHERE key = 'text_rules'")


def test_a_store_with_colliding_keys_opens_and_names_them(tmp_path: Path) -> None:
    path = tmp_path / "old.duckdb"
    instance = Instance.open(path, clock="virtual", seed=0)
    made = "CREATE TABLE streets (street nvarchar(30) CONSTRAINT pk_streets PRIMARY KEY); INSERT streets VALUES (N'Straße'), (N'other')"
    assert answer(instance.connect(), made) == []
    instance.close()
    older(path)
    instance = Instance.open(path, clock="virtual", seed=0)
    session = instance.connect()
    told = [line for line in instance.error_log if "pk_streets" in str(line)]
    assert len(told) == 1
    assert "Straße" in str(told[0])
    assert "STRASSE" in str(told[0])
    assert answer(session, "SELECT COUNT(*) FROM streets WHERE street = N'strasse'") == [(2,)]
    assert answer(session, "INSERT streets VALUES (N'STRAẞE')") == [2627]
    assert answer(session, "DELETE streets WHERE street COLLATE Latin1_General_BIN2 = N'STRASSE'") == []
    instance.close()
    instance = Instance.open(path, clock="virtual", seed=0)
    assert [line for line in instance.error_log if "pk_streets" in str(line) and "equal" in str(line)][1:] == []
    instance.close()


def test_private_characters_of_an_older_store_stay_what_they_are(tmp_path: Path) -> None:
    """They were stored as they are, which today means halves of surrogate pairs."""
    path = tmp_path / "older.duckdb"
    text, plain = "a\U0010f000b\U0010f7ff\U0001f600\U0010efff", "Straße 😀"
    instance = Instance.open(path, clock="virtual", seed=0)
    made = "CREATE TABLE texts (i int PRIMARY KEY, a nvarchar(30), x xml); INSERT texts VALUES (1, N'-', N'<a/>'), (2, N'Straße 😀', N'<b/>'), (3, NULL, NULL)"
    assert answer(instance.connect(), made) == []
    instance.close()
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{path}' AS s")
        connection.execute('UPDATE s."master.dbo".texts SET a = ?, x = ? WHERE i = 1', [text, f"<a>{text}</a>"])
        connection.execute("DELETE FROM s.sbql.meta WHERE key = 'text_rules'")
    for _ in range(2):
        instance = Instance.open(path, clock="virtual", seed=0)
        assert len([line for line in instance.error_log if "U+10F000" in str(line) and "texts" in str(line)]) == 1, (
            "it is told once"
        )
        found = answer(
            instance.connect(), "SELECT a, x.value('/*[1]', 'nvarchar(30)'), DATALENGTH(a) FROM texts ORDER BY i"
        )
        assert found == [(text, text, 20), (plain, "", 18), (None, None, None)]
        instance.close()
