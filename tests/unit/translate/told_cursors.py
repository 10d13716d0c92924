"""What a cursor is told, with the message of an error, for tests that ask two instances the same."""

from __future__ import annotations

from typing import Any

import sbql

__all__ = ["cursor_outcome"]


def cursor_outcome(cursor: Any, sql: str) -> Any:
    """The rows of the first result, or number and message of the error."""
    try:
        return [tuple(row) for row in cursor.execute(sql).fetchall()]
    except sbql.DatabaseError as error:
        return error.number, error.message
