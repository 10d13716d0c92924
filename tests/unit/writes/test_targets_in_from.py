"""Whatever stands in FROM, an UPDATE or DELETE changes the table that its target names, or none: names alike
in schemas and databases, synonyms, aliases that are names of tables. The same where the names are those of
views, each over a table of its own."""

from __future__ import annotations

from itertools import product

import pytest
from told import told

from sbql.engine.instance import Instance

TABLES = {
    "t": "here.dbo.t",
    "dbo.t": "here.dbo.t",
    "far.t": "here.far.t",
    "s": "here.dbo.t",
    "there.dbo.t": "there.dbo.t",
}
"""What each name means; s is a synonym."""
ALIASES = ("", "t", "far", "s", "z")
SOURCES = [(name, alias) for name, alias in product(TABLES, ALIASES)]
REFUSED = {8154, 1011, 1013, 209, 4104}
"""Ambiguous, or two of one name."""
WRITES = ("UPDATE {target} SET n = 99 FROM {from_}", "DELETE {target} FROM {from_}")


@pytest.fixture(scope="module", params=["tables", "views"])
def session(request):
    instance = Instance.open(clock="virtual", seed=1)
    found = instance.connect()
    for batch in (
        "CREATE DATABASE there; CREATE DATABASE here",
        "USE here",
        "CREATE SCHEMA far",
        "CREATE SYNONYM s FOR dbo.t",
    ):
        assert told(found, batch) == []
    for table in sorted(set(TABLES.values())):
        database, _, name = table.partition(".")
        written = name if request.param == "tables" else f"{name}_of"
        made = f"CREATE TABLE {written} (id int PRIMARY KEY, n int); INSERT {written} VALUES (1, 1), (2, 2)"
        assert told(found, f"USE {database}") == told(found, made) == []
        if request.param == "views":
            assert told(found, f"CREATE VIEW {name} AS SELECT id, n FROM {written}") == []
    assert told(found, "USE here") == []
    yield found
    instance.close()


def meant(target: str, sources: list[tuple[str, str]]) -> str:
    """The table that is to change: of an alias of that name, or by what the target's name means."""
    return next((TABLES[name] for name, alias in sources if alias == target), TABLES[target])


@pytest.mark.matrix
@pytest.mark.parametrize("is_set", [False, True], ids=["rows", "set"])
@pytest.mark.parametrize("write", WRITES, ids=["update", "delete"])
@pytest.mark.parametrize("target", TABLES)
def test_no_other_table_changes(session, target: str, write: str, is_set: bool) -> None:
    session.instance.locks.sets_from = 0 if is_set else 10_000
    look = {table: told(session, f"SELECT * FROM {table}") for table in TABLES.values()}
    wrong, done = [], 0
    for sources in [[one] for one in SOURCES] + [list(two) for two in product(SOURCES, SOURCES)][::3]:
        from_ = " CROSS JOIN ".join(f"{name} AS {alias}" if alias else name for name, alias in sources)
        text = write.format(target=target, from_=from_)
        said = told(session, f"BEGIN TRAN; {text}")
        changed = {table for table, before in look.items() if told(session, f"SELECT * FROM {table}") != before}
        told(session, "IF @@TRANCOUNT > 0 ROLLBACK")
        done += not said
        if not ((not said and changed == {meant(target, sources)}) or (set(said) <= REFUSED and not changed)):
            wrong.append(f"{text}: {said} {changed}")
    assert not wrong, "\n".join(wrong[:20])
    assert done > 50


@pytest.mark.parametrize("source", TABLES)
@pytest.mark.parametrize("target", TABLES)
def test_columns_by_all_of_their_name(session, target: str, source: str) -> None:
    """Alone in FROM, without FROM, and beside another one."""
    own, other = (TABLES[name] if name != "s" else "here.dbo.s" for name in (target, source))
    texts = [
        f"UPDATE {target} SET n = {own}.n + 7 WHERE {own}.id = 1",
        f"UPDATE {target} SET n = {own}.n + 7 FROM {target} WHERE {own}.id = 1",
        f"DELETE {target} WHERE {own}.id = 1 AND {own}.n < 5",
    ]
    if TABLES[source] != TABLES[target]:
        texts.append(f"UPDATE {target} SET n = {own}.n + {other}.n FROM {target} JOIN {source} ON {other}.id = {own}.id WHERE {own}.id = 1")  # fmt: skip
        texts.append(f"DELETE {target} FROM {source} JOIN {target} ON {other}.id = {own}.id AND {other}.n = 1")
    for text in texts:
        before = told(session, f"SELECT * FROM {target}")
        assert told(session, f"BEGIN TRAN; {text}") == [], text
        assert told(session, f"SELECT * FROM {target} WHERE id = 2") == before[1:] or before == [], text
        assert told(session, f"SELECT * FROM {target}") != before, text
        assert told(session, "ROLLBACK") == []
