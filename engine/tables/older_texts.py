"""Texts of a store that was written before halves of surrogate pairs had a form of
their own (`catalog/stored_text.py`).

Such a store has the characters U+10F000 to U+10F7FF as they are, which now stand for halves. Decides which
columns may have them, and gives them the form that they have today, once, when the store is opened. It must
not know how a store tells its age.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.catalog.changes import storage_name
from sbql.catalog.duck_types import quote
from sbql.catalog.records.tables import Column, Table
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.stored_text import FIRST_RESERVED, LAST_RESERVED
from sbql.grammar.values.kinds import is_national, is_utf8

__all__ = ["rewrite_older_texts"]

_RESERVED = f"[\\x{{{FIRST_RESERVED:X}}}-\\x{{{LAST_RESERVED:X}}}]"


def rewrite_older_texts(
    rows: Callable[[str, str], Any], define: Callable[[str], Any], catalog: CatalogSnapshot
) -> list[str]:
    """A line for each table with such characters. `rows` counts by a query over a stored table, `define` changes."""
    lines = []
    for table in catalog.all(Table):
        columns = [column for column in table.columns if _may_have(column)]
        if not columns:
            continue
        storage = storage_name(table.storage_schema, table.storage_name)
        found = " OR ".join(f"regexp_matches({quote(column.name)}, '{_RESERVED}')" for column in columns)
        count = rows(f"SELECT count(*) FROM {storage} WHERE {found}", storage)
        if count:
            changes = ", ".join(f"{quote(column.name)} = {_today(quote(column.name))}" for column in columns)
            define(f"UPDATE {storage} SET {changes} WHERE {found}")
            lines.append(
                f"Characters U+10F000 to U+10F7FF in {count} rows of table '{table.name}', written by an older version, have been given their new form."
            )
    return lines


def _may_have(column: Column) -> bool:
    """Text that is not of a code page, stored as such. A sql_variant's is not looked at."""
    return column.computed is None and (column.type.name == "xml" or is_national(column.type) or is_utf8(column.type))


def _today(text: str) -> str:
    """Each of these characters as its two halves."""
    code = f"(unicode(c) - {0x10000})"
    high, low = (
        f"chr({FIRST_RESERVED} + CAST({code} // 1024 AS INTEGER))",
        f"chr({FIRST_RESERVED + 0x400} + CAST({code} % 1024 AS INTEGER))",
    )
    each = f"CASE WHEN unicode(c) BETWEEN {FIRST_RESERVED} AND {LAST_RESERVED} THEN {high} || {low} ELSE c END"
    return f"array_to_string(list_transform(string_split({text}, ''), lambda c: {each}), '')"
