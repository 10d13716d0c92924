"""What system procedures keep in the instance's memory and a rollback takes back, as it takes back rows of the catalog.

It decides nothing of what is kept: messages of sp_addmessage, values of sp_configure.
"""

from __future__ import annotations

from typing import Any, TypeVar

from sbql.engine.ports import Session

__all__ = ["keep"]

K = TypeVar("K")


def keep(session: Session, values: dict[K, Any], key: K, value: Any) -> None:
    """Put a value under its key, None: remove it, until what happens now is rolled back. Raises 3930 in a transaction
    that can only be rolled back."""
    with session.statement() as transaction:
        before = values.get(key)
        transaction.on_rollback(lambda: _put(values, key, before))
        _put(values, key, value)


def _put(values: dict[K, Any], key: K, value: Any) -> None:
    if value is None:
        values.pop(key, None)
    else:
        values[key] = value
