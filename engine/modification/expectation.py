"""Expectation: whether a statement will write so many rows that DuckDB should write them as a set.

Row by row every value passes through Python, which few rows do not notice and a million do. As a set, what the query
finds stays in DuckDB's memory (`catalog.found_rows`), checks are queries over it, and the table is locked as a whole,
as SQL Server does past five thousand row locks.

Which way is better depends on the number of rows, which is known only when the query has run. The first time that a
text is run, its rows are found as for a set; that costs a small statement half a millisecond. After that the text
goes the way that its last run would have wanted. It must not know what is written.
"""

from __future__ import annotations

from msgspec import Struct

from sbql.engine.ports import Transaction
from sbql.engine.scalars.scope import Frame

__all__ = ["Expectation"]


class Expectation(Struct):
    """Of one statement of a compiled text, shared by all sessions that run it. `is_big` is None before it has run."""

    is_big: bool | None = None

    def wants_set(self, frame: Frame, txn: Transaction) -> bool:
        """Whether to begin as for a set. Under SNAPSHOT each row is compared with what others have committed since
        (3960), and SET ROWCOUNT cuts rows off."""
        return self.is_big is not False and not txn.is_snapshot and not frame.session.options.rowcount

    def note(self, frame: Frame, count: int) -> bool:
        """So many rows it was. Returns whether that is a set."""
        self.is_big = 0 < count >= frame.session.instance.locks.sets_from
        return self.is_big
