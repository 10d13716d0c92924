"""What a table hint says to the translator: which rows of its table a query does not see.

It decides which rows READPAST leaves out, and which ones a query sees that has locked its rows beforehand. Which locks
are taken, and when, is `reading_locks.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from sbql.engine.scalars.scope import Frame
from sbql.grammar.ast import NamedTable

__all__ = ["EXCLUSIVE_HINTS", "changes_no_rows", "held_rows", "hint_names", "rows_of_others"]

EXCLUSIVE_HINTS = frozenset({"UPDLOCK", "XLOCK"})
_WITHOUT_EFFECT = frozenset({"NOLOCK", "READUNCOMMITTED", "READCOMMITTED", "READCOMMITTEDLOCK", "ROWLOCK", "PAGLOCK"})
"""Nobody sees uncommitted rows, and each row has its lock."""
_TABLE_HINTS = frozenset({"HOLDLOCK", "SERIALIZABLE", "REPEATABLEREAD", "TABLOCK", "TABLOCKX"})
"""The table is locked before anything is read."""

Rows = Callable[[Frame], list[int] | None]


def hint_names(node: NamedTable) -> frozenset[str]:
    return frozenset(hint.name.upper() for hint in node.hints)


def changes_no_rows(node: NamedTable, *, is_target: bool = False, may_pass: bool = False) -> bool:
    """Whether the hints of a table, if it has any, leave what a query sees of it as it is. A write locks the rows of
    its target itself, so UPDLOCK and XLOCK say nothing there. `may_pass`: READPAST is seen to otherwise."""
    allowed = _WITHOUT_EFFECT | _TABLE_HINTS | EXCLUSIVE_HINTS if is_target else _WITHOUT_EFFECT | _TABLE_HINTS
    return hint_names(node) - {"READPAST" if may_pass else ""} <= allowed


def rows_of_others(table_id: int) -> Rows:
    """READPAST: the rows of a table that other transactions have locked."""

    def rows(frame: Frame) -> list[int]:
        transaction = frame.session.transaction
        owner = transaction.owner if transaction is not None else None
        found: list[int] = frame.session.instance.locks.rows_of_others(owner, table_id)
        return found

    return rows


def held_rows(source: NamedTable) -> Rows:
    """The rows that the statement has locked for this source; None: it has not asked for any."""
    key = id(source)

    def rows(frame: Frame) -> list[int] | None:
        found: list[int] | None = frame.session.held_rows.get(key)
        return found

    return rows
