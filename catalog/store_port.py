"""The store port: the one way in which the store calls DuckDB and the file system for what it keeps.

It decides nothing: `call` makes the call. It is handed to `Store.open`, so that a test can hand in one whose n-th call
fails as a disk fails (tests/faults). The store must not reach its file in any other way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, ParamSpec, TypeVar

__all__ = ["PORT", "Call", "StorePort"]

Call = Literal["open", "read", "write", "commit", "journal", "fold", "reload", "probe", "log", "backup", "append"]
"""What a call is for:

- open: opening and preparing the file
- read: a query
- write: rows, definitions and records on their way into a transaction
- commit: the commit of tables
- journal: the commit of records alone
- fold: moving the journal into the readable tables
- reload: reading the broker's tables
- probe: asking whether a commit that failed is on disk
- log: lines of the error log
- backup: everything that touches a backup file
- append: a batch of messages, with the fold before it, on its way into a transaction
"""

_P = ParamSpec("_P")
_T = TypeVar("_T")


class StorePort:
    """Calls through. A port that injects faults overrides `call`: it may raise duckdb.Error or OSError before the call,
    after it, or instead of it."""

    def call(self, kind: Call, work: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return work(*args, **kwargs)

    def close(self) -> None:
        """The store lets go of its file."""


PORT: Final = StorePort()
