"""WRITE: a part of a large value replaced, as `UPDATE … SET column.WRITE(expression, offset, length)` does.

It decides which ends are legal. It must not know columns or statements.
"""

from __future__ import annotations

from typing import TypeVar

from sbql.grammar.errors import sql_error

__all__ = ["written"]

T = TypeVar("T", str, bytes)


def written(old: T | None, value: T | None, offset: int | None, length: int | None) -> T:
    """`value` in place of the `length` characters or bytes from `offset` (from 0). Offset NULL appends; length NULL
    replaces all from the offset on; value NULL cuts off there. Raises 7133 for NULL, 7116, 7135."""
    if old is None:
        raise sql_error(7133, "WRITE")
    nothing = old[:0]
    if offset is None:
        return old + (nothing if value is None else value)
    if not 0 <= offset <= len(old):
        raise sql_error(7116, offset)
    if value is None:
        return old[:offset]
    if length is not None and length < 0:
        raise sql_error(7135, length)
    rest = nothing if length is None else old[offset + length :]
    return old[:offset] + value + rest
