"""When the disk refuses: what is lost, what is on disk after all, and when the store stops.

Decides what an error of a commit means. A record that the disk refused is lost, and memory goes back to what is
committed. Where nobody can say whether a commit is on disk, or memory cannot be read anew, the store stops: nothing is
written or acknowledged any more, and opening it again finds what is there. It must not know who waits for what is lost,
nor how memory is read anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.duckdb_errors import has_committed, is_fatal, lost_error, stopped_error, to_sql_error
from sbql.catalog.interrupts import is_from_outside, leave
from sbql.catalog.journal import Journal
from sbql.grammar.errors import SqlError

__all__ = ["Losses"]

Reload = Callable[[Callable[[], None], SqlError], None]


class Losses:
    """One for each store. `last_record()` asks DuckDB for the last LSN on disk; it raises what DuckDB raises."""

    def __init__(self, journal: Journal, last_record: Callable[[], int | None]) -> None:
        self.failure: SqlError | None = None
        """Why the store has stopped, None while it works."""
        self._journal = journal
        self._last_record = last_record
        self._mutex = threading.Lock()
        self._reload: Reload | None = None
        self._on_stop: Callable[[SqlError], None] | None = None

    def around(self, reload: Reload) -> None:
        """`reload(discard, error)` is called, with the pen, when the disk has refused records: it calls `discard()`
        under what keeps others from submitting more, and takes what is in memory back to what `Store.reload` finds. It
        may raise SqlError: the store stops then."""
        self._reload = reload

    def on_stop(self, call: Callable[[SqlError], None]) -> None:
        """`call(error)` when the store stops."""
        self._on_stop = call

    def stop(self, cause: BaseException) -> SqlError:
        """Nobody can know what is on disk: nothing is written or acknowledged any
        more. Returns the error that says so."""
        with self._mutex:
            is_first = self.failure is None
            if self.failure is None:
                self.failure = stopped_error(cause)
        if is_first:
            self._journal.stop(self.failure)
            if self._on_stop is not None:
                self._on_stop(self.failure)
        return self.failure.again()

    def has_reached(self, lsn: int | None, cause: BaseException, *, has_pen: bool = True) -> bool:
        """After a commit that raised `cause`, with the pen or in the turn: is it on disk? `lsn`: its last
        record's, None for rows alone, of which DuckDB's error says that they are not. Raises SqlError when nobody
        can say: the store has then stopped."""
        if has_committed(cause):  # whoever calls DuckDB next learns that it has given the file up
            return True
        try:
            with nullcontext() if has_pen else self._journal.pen(has_turn=True):
                found = self._last_record()
        except (duckdb.Error, OSError):
            raise self.stop(cause) from None
        has_reached = lsn is not None and found == lsn
        if has_reached and is_from_outside(cause):
            leave(cause)
        return has_reached

    def sql_error(self, error: BaseException) -> SqlError:
        """The SqlError for a DuckDB error. One after which nothing works stops the store, but for that of a commit that
        is on disk: it is told to those who wait for it first (`has_reached`)."""
        if has_committed(error):
            return stopped_error(error)
        return self.stop(error) if is_fatal(error) else to_sql_error(error)

    def refused(self, error: SqlError) -> None:
        """With the pen: the journal could not write its records."""
        lost = lost_error(error)
        try:
            if self._reload is not None:
                self._reload(partial(self._journal.discard, lost), lost)
            else:
                self._journal.discard(lost)
        except (SqlError, duckdb.Error, OSError) as second:
            self.stop(second)
