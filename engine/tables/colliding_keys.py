"""Rows of one unique key that today's rule of comparison makes equal: what an older state of sbql kept apart.

Decides which tables are looked at, once for each store and rule: `text_rules` in the store says by which one its keys
were checked. Such rows stay; who opens the store is told of them, and a new row with such a key is refused as always.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sbql.catalog.duck_types import quote
from sbql.catalog.records.tables import Column, Table
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.tables.column_conversion import key_sql
from sbql.engine.tables.definitions import storage_of
from sbql.engine.tables.older_texts import rewrite_older_texts
from sbql.grammar.values.collation import CODE_PAGE, rule_of
from sbql.grammar.values.kinds import is_national, kind

__all__ = ["told_collisions"]

_RULES = "1"
"""Goes up when a rule of comparison changes."""

_SHOWN = 3


def told_collisions(store: Any, catalog: CatalogSnapshot) -> list[str]:
    """A line for each unique key of which rows collide, and for each table whose texts have been rewritten; nothing
    when the store's keys have been checked before."""
    session = store.connect()
    try:
        unit = session.begin()
        known = unit.query("SELECT value FROM sbql.meta WHERE key = 'text_rules'", tables=_NO_TABLE).rows
        if known == [(_RULES,)]:
            return []
        lines = []
        if not known:  # keys were first checked when halves of surrogate pairs got their form

            def count(query: str, storage: str) -> Any:
                return unit.query(query, tables=frozenset({storage})).rows[0][0]

            lines += rewrite_older_texts(count, session.define, catalog)
        for table, name, columns in _unique_keys(catalog):
            found = unit.query(_collisions(table, columns), tables=frozenset({storage_of(table)})).rows
            if found:
                shown = "; ".join(" = ".join(map(str, texts)) for (texts,) in found[:_SHOWN])
                lines.append(
                    f"The key '{name}' of table '{table.name}' has rows that are equal by the collation: {shown}"
                    f"{' …' if len(found) > _SHOWN else ''}. They stay. Change or delete all but one of each."
                )
        unit.rollback()
        session.define("DELETE FROM sbql.meta WHERE key = 'text_rules'")
        session.define(f"INSERT INTO sbql.meta VALUES ('text_rules', '{_RULES}')")
        return lines
    finally:
        session.close()


_NO_TABLE = frozenset({"-"})


def _unique_keys(catalog: CatalogSnapshot) -> Iterator[tuple[Table, str, list[Column]]]:
    """Those with text that the rule of a code page does not compare."""
    for table in catalog.all(Table):
        columns = {c.name.lower(): c for c in table.columns}
        keys = [(c.name, c.columns) for c in table.constraints if c.type in ("PK", "UQ")]
        keys += [(i.name, i.columns) for i in table.indexes if i.is_unique and not i.is_disabled and i.filter is None]
        for name, parts in keys:
            found = [columns[part.name.lower()] for part in parts]
            if any(_is_changed(column) for column in found):
                yield table, name, found


def _is_changed(column: Column) -> bool:
    text = kind(column.type) == "string"
    return text and rule_of(column.type.collation, is_national(column.type)).kind != CODE_PAGE


def _collisions(table: Table, columns: list[Column]) -> str:
    shown = " || ', ' || ".join(f"coalesce(CAST({quote(c.name)} AS VARCHAR), '<NULL>')" for c in columns)
    keys = ", ".join(key_sql(quote(c.name), c.type) for c in columns)
    return f"SELECT list({shown} ORDER BY 1) FROM {storage_of(table)} GROUP BY {keys} HAVING count(*) > 1 LIMIT {_SHOWN + 1}"
