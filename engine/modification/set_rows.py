"""The rows of a set as OUTPUT sees them: the values before and after, and those of FROM, where they lie in DuckDB's
memory.

A value has a place, as in `OutputPlan`: those of the new image come first, then those of the old one, $action, and
those of FROM. It decides how a query asks for them, in the order in which the rows were found. It must not know what
OUTPUT makes of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from sbql.catalog.changes import ROW_ID
from sbql.catalog.duck_types import is_plain, quote
from sbql.catalog.found_rows import FoundTable
from sbql.catalog.marked_sql import MarkedSql
from sbql.engine.outcomes import ResultColumn
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.typed_sql import TranslatedQuery, literal
from sbql.grammar.types import SqlType

__all__ = ["SetPart", "SetRows", "of_inserted", "of_joined"]


class SetPart(Struct, frozen=True):
    """Rows with which the same was done. `source` stands behind FROM, `order` is the number by which they are in order,
    and `texts` are values by their places; all others are NULL. Parts of a lower `kind` come first."""

    source: str
    order: str
    texts: Mapping[int, str]
    kind: int = 0


class SetRows(Struct, frozen=True):
    """`found` is a table of theirs, by which they are asked for."""

    found: FoundTable
    parts: Sequence[SetPart]

    def query(self, items: Sequence[int | str], types: Sequence[SqlType]) -> TranslatedQuery:
        """What gives c1, c2 …, of these types: the value at a place, or that of a constant's text."""
        if len(self.parts) == 1:
            text = f"{_select(self.parts[0], items, types)} ORDER BY {self.parts[0].order}"
        else:
            several = [_select(part, items, types, f", {part.kind} AS k, {part.order} AS o") for part in self.parts]
            names = ", ".join(f"c{number}" for number in range(1, len(items) + 1))
            text = f"SELECT {names} FROM ({' UNION ALL '.join(several)}) ORDER BY k, o"
        columns = tuple(ResultColumn("", sql_type) for sql_type in types)
        return TranslatedQuery(text, MarkedSql((text,)), columns, is_plain=all(map(is_plain, types)))


def _select(part: SetPart, items: Sequence[int | str], types: Sequence[SqlType], more: str = "") -> str:
    texts = [
        item if isinstance(item, str) else part.texts.get(item) or literal(None, sql_type)
        for item, sql_type in zip(items, types, strict=True)
    ]
    named = ", ".join(f"{text} AS c{number}" for number, text in enumerate(texts, 1))
    return f"SELECT {named}{more} FROM {part.source}"


def of_inserted(bound: BoundTable, images: str) -> SetPart:
    """New rows alone. `images` is a query of them, with the names of the table's columns and the row ids."""
    texts = {position: quote(name) for position, name in enumerate(bound.names[1:])}
    return SetPart(f"({images})", quote(ROW_ID), texts)


def of_joined(bound: BoundTable, found: str, images: str, others: Mapping[int, str], kind: int = 0) -> SetPart:
    """New rows as `of_inserted` has them, each beside what was `found` of it, a table or query with the row ids in c1
    and with a rowid: `others` are the values of that by their places, columns of it or constants."""
    texts = {position: f"made.{quote(name)}" for position, name in enumerate(bound.names[1:])}
    texts.update((place, text if text.startswith("'") else f"old.{text}") for place, text in others.items())
    source = f"({images}) AS made JOIN {found} AS old ON made.{quote(ROW_ID)} = old.c1"
    return SetPart(source, "old.rowid", texts, kind)
