"""Statements over tables that refer to each other and to themselves: whatever the rows and actions are, the foreign
keys hold behind a statement, or it was 547 and nothing has changed. All cascades are done before any NO ACTION is
asked (documentation: "Primary and foreign key constraints", Cascading referential integrity)."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest
from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

TABLES = ("t0", "t1", "t2", "t3")
MOVE = 100
Rows = dict[str, dict[int, dict[str, int | None]]]
"""Of each table its rows by id, with the values of its foreign keys' columns."""


class Key(NamedTuple):
    child: str
    column: str
    parent: str
    on_delete: str
    on_update: str


def keys_of_graph(chance: random.Random) -> list[Key]:
    """Each table has at most one parent that takes it along (1785 else), and any number of others."""
    found = []
    for place, child in enumerate(TABLES):
        taking = chance.choice(TABLES[:place]) if place else ""
        for parent in TABLES[: place + 1]:
            column = f"r_{parent}"
            if parent == taking and chance.random() < 0.8:
                found.append(Key(child, column, parent, *(chance.choice(("CASCADE", "SET NULL")) for _ in "du")))
            elif parent != taking and chance.random() < 0.6:
                found.append(Key(child, column, parent, "NO ACTION", "NO ACTION"))
    return found


def rows_of_graph(chance: random.Random, keys: list[Key]) -> Rows:
    rows: Rows = {}
    for table in TABLES:
        ids = list(range(1, chance.randint(2, 5)))
        rows[table] = {i: {} for i in ids}
        for key in keys:
            if key.child == table:
                parents = [*(ids if key.parent == table else rows[key.parent]), None]
                for i in ids:
                    rows[table][i][key.column] = chance.choice(parents)
    return rows


def hold(keys: list[Key], rows: Rows) -> bool:
    return all(
        row[key.column] is None or row[key.column] in rows[key.parent]
        for key in keys
        for row in rows[key.child].values()
    )


def copied(rows: Rows) -> Rows:
    return {table: {i: dict(row) for i, row in found.items()} for table, found in rows.items()}


def without(keys: list[Key], rows: Rows, table: str, gone: set[int]) -> None:
    for i in gone:
        del rows[table][i]
    for key in keys:
        if key.parent == table and key.on_delete != "NO ACTION":
            children = {i for i, row in rows[key.child].items() if row[key.column] in gone}
            if key.on_delete == "CASCADE":
                without(keys, rows, key.child, children)
            for i in children if key.on_delete == "SET NULL" else ():
                rows[key.child][i][key.column] = None


def moved(keys: list[Key], rows: Rows, table: str, ids: set[int], own: str | None) -> None:
    """`own`: the column by which the table refers to itself moves along."""
    rows[table] = {
        i + MOVE if i in ids else i: {
            c: v + MOVE if c == own and v is not None and v in ids else v for c, v in row.items()
        }
        for i, row in rows[table].items()
    }
    for key in keys:
        if key.parent == table and key.on_update != "NO ACTION":
            for row in rows[key.child].values():
                value = row[key.column]
                if value in ids:
                    row[key.column] = None if key.on_update == "SET NULL" or value is None else value + MOVE


def create(session: Session, keys: list[Key], rows: Rows) -> None:
    assert told(session, "DROP TABLE IF EXISTS t3, t2, t1, t0") == []
    for table in TABLES:
        columns = "".join(
            f", {k.column} int NULL REFERENCES {k.parent} ON DELETE {k.on_delete} ON UPDATE {k.on_update}"
            for k in keys
            if k.child == table
        )
        values = ", ".join(
            f"({', '.join(str('NULL' if v is None else v) for v in (i, *row.values()))})"
            for i, row in rows[table].items()
        )
        text = f"CREATE TABLE {table} (id int PRIMARY KEY{columns}); INSERT {table} VALUES {values}"
        assert told(session, text) == [], text


def there(session: Session, rows: Rows) -> Rows:
    found: Rows = {}
    for table in TABLES:
        columns = list(next(iter(rows[table].values())))
        shown = told(session, f"SELECT {', '.join(['id', *columns])} FROM {table} ORDER BY id")
        found[table] = {row[0]: dict(zip(columns, row[1:], strict=True)) for row in shown}  # type: ignore[index]
    return found


def statements(chance: random.Random, keys: list[Key], rows: Rows) -> tuple[str, Rows]:
    """A statement over one table, and what it leaves if the foreign keys hold then."""
    table = chance.choice(TABLES)
    ids = {i for i in rows[table] if chance.random() < 0.6}
    where = f"id IN ({', '.join(map(str, sorted(ids))) or 'NULL'})"
    own = next((k.column for k in keys if k.child == k.parent == table), None)
    kind, wanted = chance.choice(("DELETE", "UPDATE", "UPDATE own", "MERGE", "MERGE and INSERT")), copied(rows)
    if kind == "DELETE":
        without(keys, wanted, table, ids)
        return f"DELETE {table} WHERE {where}", wanted
    if kind == "MERGE":
        without(keys, wanted, table, ids)
        return (
            f"MERGE {table} AS d USING (SELECT 1 AS x) AS s ON 1 = 0 WHEN NOT MATCHED BY SOURCE AND {where} THEN DELETE;",
            wanted,
        )
    if kind == "MERGE and INSERT":
        without(keys, wanted, table, ids)
        new: dict[str, int | None] = {k.column: 1 if k.parent == table else None for k in keys if k.child == table}
        wanted[table][50] = new
        values = ", ".join(str("NULL" if v is None else v) for v in (50, *new.values()))
        return (
            f"MERGE {table} AS d USING (SELECT 50 AS x) AS s ON d.id = s.x WHEN NOT MATCHED THEN INSERT VALUES ({values}) WHEN NOT MATCHED BY SOURCE AND {where} THEN DELETE;",
            wanted,
        )
    takes_own = own if kind == "UPDATE own" else None
    moved(keys, wanted, table, ids, takes_own)
    if takes_own is None:
        return f"UPDATE {table} SET id = id + {MOVE} WHERE {where}", wanted
    inner = where.replace("id IN", f"{own} IN")
    return (
        f"UPDATE {table} SET id = CASE WHEN {where} THEN id + {MOVE} ELSE id END, {own} = CASE WHEN {inner} THEN {own} + {MOVE} ELSE {own} END",
        wanted,
    )


@pytest.mark.parametrize("level", [0, 5000])
def test_foreign_keys_hold_behind_every_statement(level: int) -> None:
    wrong, refused = [], 0
    instance = Instance.open()
    instance.locks.sets_from = level
    session = instance.connect()
    for seed in range(60):
        chance = random.Random(seed)
        keys = keys_of_graph(chance)
        rows = rows_of_graph(chance, keys)
        create(session, keys, rows)
        text, wanted = statements(chance, keys, rows)
        is_allowed = hold(keys, wanted)
        said = told(session, text)
        found = there(session, rows)
        refused += not is_allowed
        if found != (wanted if is_allowed else rows) or said != ([] if is_allowed else [547]):
            wrong.append(f"{seed}: {text}\n{keys}\n{rows}\n{said} {found}\nnot {wanted if is_allowed else 547}")
    instance.close()
    assert not wrong, f"{len(wrong)}\n" + "\n".join(wrong[:3])
    assert 5 < refused < 55
