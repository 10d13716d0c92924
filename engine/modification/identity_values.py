"""Identity values: those that a table gives to new rows, and those that rows bring along.

It decides how a value stands in its column, and when a type is used up. The counters are `table_state`'s.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.identity_types import identity_range
from sbql.engine.tables.row_images import RowImages
from sbql.grammar.errors import sql_error

__all__ = ["Identities", "fill_identity", "identity_value", "no_identity"]

Identities = tuple[range, bool]
"""New identity values, and whether none of them can be in the table."""


def identity_value(bound: BoundTable, value: int) -> Any:
    """A new identity as its column holds it. Raises 8115 when the type is used up."""
    assert bound.identity is not None
    sql_type = bound.types[bound.identity]
    low, high = identity_range(sql_type)
    if not low <= value <= high:
        raise sql_error(8115, "IDENTITY", sql_type.name)
    return Decimal(value) if sql_type.name == "decimal" else value


def no_identity(bound: BoundTable, rows: Iterable[list[Any]]) -> None:
    """What an INSTEAD OF trigger sees where the table would give a value: 0. None is taken."""
    assert bound.identity is not None
    for row in rows:
        row[bound.identity] = identity_value(bound, 0)


def fill_identity(
    store: Any, is_given: bool, rows: list[list[Any]], images: RowImages, taken: Identities | None
) -> int | None:
    """Fill in the identity values, `taken` beforehand or now; or note those that `is_given` says the rows bring along.
    Returns the last one. Raises 8115."""
    bound: BoundTable = store.bound
    position = bound.identity
    assert position is not None
    if not rows:
        return None
    if is_given:
        for row in rows:
            if row[position] is not None:
                store.note_identity(int(row[position]))
        return None if rows[-1][position] is None else int(rows[-1][position])
    values, images.is_fresh_identity = store.take_identities(len(rows)) if taken is None else taken
    for row, value in zip(rows, values, strict=True):
        row[position] = identity_value(bound, value)
    return int(values[-1])
