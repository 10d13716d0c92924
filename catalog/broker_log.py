"""The broker's log: a file beside the store to which commits that change the broker alone are written, for
DuckDB takes four times as long for one.

A row of sbql.broker_log says whose log it is and from where on it is needed. It is written in the transaction of the
fold that moves the records into the tables, so a crash finds each record in the log or in the tables. What has the log
open has format 3, which releases that know no log refuse. Everything has one order: who writes here has the pen of the
journal, as has a commit of DuckDB, and each is on disk before the next begins.

Decides when a log is begun (a script of a few statements needs none) and when it is given up, and what one is that is
left from before (`left_log`). It must not know what a record says.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Final, Protocol
from uuid import UUID

from msgspec import Struct, field

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.duckdb_errors import damaged
from sbql.catalog.first_row import first_row
from sbql.catalog.journal import Batch
from sbql.catalog.log_frames import RING, Frame, epoch_of, frames, head, later_frames, looks_torn
from sbql.catalog.log_ring import LogRing
from sbql.catalog.new_store import stored_id
from sbql.catalog.newer_log import has_commits
from sbql.catalog.store_file import FORMAT_VERSION, FORMAT_WITH_LOG, log_of
from sbql.catalog.synced_file import SyncedFile, sync_folder
from sbql.grammar.errors import SqlError

__all__ = ["NO_LOG", "BrokerLog", "Logged", "begin_after", "forget_log", "left_log", "salvaged_records"]


class BeginAfter:
    """`batches`: so many have gone to DuckDB by themselves before there is a log. For tests to change."""

    batches = 32


begin_after: Final = BeginAfter()


class Logged(Protocol):
    """Records that stand in no table of DuckDB, to whoever folds."""

    def catch_up(self, connection: duckdb.DuckDBPyConnection) -> None:
        """In the fold's transaction, first."""

    def count(self, through: int) -> int: ...

    def read(self, through: int) -> Iterator[tuple[int, bytes]]:
        """Up to an LSN, in order. Raises OSError."""

    def note(self, connection: duckdb.DuckDBPyConnection, through: int) -> None:
        """In the fold's transaction: everything up to an LSN is in the tables."""

    def folded(self, through: int) -> None:
        """The transaction is committed."""


class _NoLog:
    """Of a store without one."""

    def catch_up(self, connection: duckdb.DuckDBPyConnection) -> None: ...

    def count(self, through: int) -> int:
        return 0

    def read(self, through: int) -> Iterator[tuple[int, bytes]]:
        return iter(())

    def note(self, connection: duckdb.DuckDBPyConnection, through: int) -> None: ...

    def folded(self, through: int) -> None: ...


NO_LOG: Final = _NoLog()


class BrokerLog:
    """One for each store; `path` is the store's, None in memory, where there is never a log. What writes has the pen of
    the journal, what folds the fold mutex."""

    _epoch: bytes
    """Of the log that was begun last."""

    def __init__(self, path: str | None) -> None:
        self._path = log_of(path) if path is not None else None
        self._ring: LogRing | None = None
        self._next: LogRing | None = None
        self._is_given_up = path is None
        self._is_known = False
        self._batches = 0

    # -- with the pen ------------------------------------------------------------------------------------------------

    def takes(self, batch: Batch) -> bool:
        """Whether this batch is to be written here."""
        return self._ring is not None and not self._is_given_up and self._ring.takes(batch)

    def append(self, batch: Batch) -> None:
        """On disk on return. Raises OSError: nothing more is written here then."""
        assert self._ring is not None
        try:
            self._ring.append(batch)
        except OSError:
            self._is_given_up = True
            raise

    def has(self, lsn: int) -> bool:
        """Is this the last record here?"""
        return self._ring is not None and self._ring.last_lsn == lsn

    def strike_out(self, since: int) -> None:
        """Records that nobody could write are lost, all from an LSN on: those that may stand here, in part too, must
        not be found again. Raises OSError."""
        if self._ring is not None:
            self._ring.strike_out(since)

    def is_due(self, connection: duckdb.DuckDBPyConnection) -> bool:
        """A batch goes to DuckDB: shall a log be begun with it? Makes the file if so."""
        self._batches += 1
        if self._ring is not None or self._is_given_up or self._batches <= begin_after.batches:
            return False
        if self._next is not None:  # begun once, and nobody knows what became of it
            return not self._is_entered(connection)
        assert self._path is not None
        self._epoch = _new_epoch(connection)
        try:
            self._next = _made(self._path, self._epoch, stored_id(connection))
        except OSError:  # no room, perhaps, or something is in its place: DuckDB takes what comes
            self._is_given_up = True
            return False
        return True

    def _is_entered(self, connection: duckdb.DuckDBPyConnection) -> bool:
        """Whether the store has the log that was begun: it has been one from then on."""
        if first_row(connection, "SELECT epoch FROM sbql.broker_log") != (self._epoch.hex(),):
            return False
        self.begun()
        return True

    def enter(self, connection: duckdb.DuckDBPyConnection) -> None:
        """In the transaction of that batch."""
        connection.execute("DELETE FROM sbql.broker_log")
        connection.execute("INSERT INTO sbql.broker_log VALUES (?, 1, ?, 0, true)", [self._epoch.hex(), RING])
        connection.execute(_SET_FORMAT, [str(FORMAT_WITH_LOG)])

    def begun(self) -> None:
        """It is committed."""
        self._ring, self._next = self._next, None

    # -- for the fold ------------------------------------------------------------------------------------------------

    def catch_up(self, connection: duckdb.DuckDBPyConnection) -> None:
        """A fold before this one may have raised and be on disk all the same. A log that is begun meanwhile
        is not known in its transaction."""
        self._is_known = False
        if self._ring is not None:
            row = first_row(connection, f"SELECT lsn FROM sbql.broker_log WHERE epoch = '{self._epoch.hex()}'")
            if row is not None:
                self._ring.let_go(row[0])
                self._is_known = True

    def count(self, through: int) -> int:
        return 0 if self._ring is None else self._ring.count(through)

    def read(self, through: int) -> Iterator[tuple[int, bytes]]:
        return iter(()) if self._ring is None else self._ring.read(through)

    def note(self, connection: duckdb.DuckDBPyConnection, through: int) -> None:
        if self._ring is not None and self._is_known:
            number, place = self._ring.after(through)
            connection.execute(
                "UPDATE sbql.broker_log SET frame = ?, place = ?, lsn = greatest(lsn, ?)", [number, place, through]
            )

    def folded(self, through: int) -> None:
        if self._ring is not None:
            self._ring.let_go(through)

    # -- its end -----------------------------------------------------------------------------------------------------

    def end(self, connection: duckdb.DuckDBPyConnection) -> None:
        """With the pen, too: nothing is written any more. If everything is folded, the store is one
        file again. Raises DuckDB's errors."""
        ring = self._ring or self._next
        is_empty = ring is not None and ring.count(1 << 62) == 0
        self.close()
        if is_empty and self._path is not None:
            connection.begin()
            _close_row(connection)
            connection.commit()
            _remove(self._path)

    def close(self) -> None:
        """Let go of the file, whatever is in it."""
        self._is_given_up = True
        for ring in (self._ring, self._next):
            if ring is not None:
                ring.close()
        self._ring = self._next = None


# --- at the start --------------------------------------------------------------------------------------------


class LeftLog(Struct):
    """What the log of a killed process holds, for the fold that ends it."""

    path: str | None = None
    is_open: bool = False
    records: Batch = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def catch_up(self, connection: duckdb.DuckDBPyConnection) -> None: ...

    def count(self, through: int) -> int:
        return len(self.records)

    def read(self, through: int) -> Iterator[tuple[int, bytes]]:
        return iter(self.records)

    def note(self, connection: duckdb.DuckDBPyConnection, through: int) -> None:
        if self.is_open:
            _close_row(connection)

    def folded(self, through: int) -> None:
        if self.path is not None and self.is_open:
            _remove(self.path)


def left_log(connection: duckdb.DuckDBPyConnection, store: str | None) -> LeftLog:
    """The log beside the store at this path (None: in memory). Raises SqlError when it is
    damaged, gone or cannot be read."""
    row = first_row(connection, "SELECT epoch, frame, place, lsn, is_open FROM sbql.broker_log")
    if store is None:
        return LeftLog(None, row is not None and row[4])
    path = log_of(store)
    if row is None or not row[4]:
        return LeftLog(path, notices=_tidied(path, None if row is None else row[0]))
    epoch, number, place, lsn, _ = row
    try:
        data = _bytes_of(path)
    except FileNotFoundError:
        raise damaged(
            store, f"its broker's log '{path}' is not there. If it was moved, put it back beside the store"
        ) from None
    except OSError as error:
        raise SqlError(5120, _UNREADABLE % (store, path, error.strerror)) from None
    if epoch_of(data) != bytes.fromhex(epoch):
        raise damaged(store, f"'{path}' is not its broker's log")
    found = list(frames(bytes.fromhex(epoch), data, number, place))
    number, place = (found[-1].number + 1, found[-1].end) if found else (number, place)
    later = later_frames(bytes.fromhex(epoch), data, number)
    if later:
        raise damaged(
            store, f"frame {number} of its broker's log '{path}' is damaged, and {len(later)} whole frames follow"
        )
    left = LeftLog(path, True, _needed(found, lsn))
    if looks_torn(data, number, place):
        left.notices.append(
            f"The broker's log '{path}' was torn in frame {number}, as a power failure leaves it: the last write belonged to no acknowledged commit."
        )
    return left


def salvaged_records(row: tuple[str, int, int, int, bool] | None, path: str) -> tuple[Batch, list[str]]:
    """What of a log can be read, the row of the store being this one, and each loss as a sentence."""
    is_open = row is not None and row[4]
    try:
        data = _bytes_of(path)
    except FileNotFoundError:
        return [], [f"what stood in the broker's log {path}: the file is not there"] if is_open else []
    except OSError as error:
        return [], [f"what stood in the broker's log {path}: it cannot be read ({error.strerror})"] if is_open else []
    if row is None or not is_open:
        other = epoch_of(data)
        whole = later_frames(other, data, 0) if other is not None and (row is None or other.hex() != row[0]) else []
        count = sum(len(one.batch) for one in whole)
        return [], [f"{count} commits in {path}: the store does not say that it is its broker's log"] if whole else []
    epoch, number, place, lsn, _ = row
    key = bytes.fromhex(epoch)
    if epoch_of(data) not in {key, None}:
        return [], [f"what stood in the broker's log: {path} is another store's"]
    found, losses = list(frames(key, data, number, place)), []
    last = found[-1].number if found else number - 1
    for one in later_frames(key, data, last):
        if one.number > last + 1:
            losses.append(f"frames {last + 1} to {one.number - 1} of the broker's log {path}")
        found.append(one)
        last = one.number
    return _needed(found, lsn), losses


def forget_log(connection: duckdb.DuckDBPyConnection, alias: str) -> None:
    """In a copy of a store of which everything is folded: it has no log."""
    connection.execute(f"UPDATE {alias}.sbql.broker_log SET is_open = false")
    connection.execute(f"UPDATE {alias}.sbql.meta SET value = ? WHERE key = 'format_version'", [str(FORMAT_VERSION)])


def _made(path: str, epoch: bytes, owner: str) -> LogRing:
    """A new log; where it cannot be made whole, nothing of it is left, for DuckDB needs the room. Raises OSError."""
    file = SyncedFile(path, is_new=True)
    try:
        file.write(0, head(epoch, owner))
        ring = LogRing(file, epoch)
    except BaseException:
        file.close()
        _remove(path)
        raise
    sync_folder(os.path.dirname(path))
    return ring


def _new_epoch(connection: duckdb.DuckDBPyConnection) -> bytes:
    """Chance of the disk's own, as the store's id is: what a simulation repeats does not depend on it."""
    ((given,),) = connection.execute("SELECT uuid()::VARCHAR").fetchall()
    return UUID(given).bytes


_UNREADABLE: Final = (
    "The store '%s' cannot be opened: its broker's log '%s', where the newest commits stand, cannot be read (%s)."
)
_SET_FORMAT: Final = "UPDATE sbql.meta SET value = ? WHERE key = 'format_version'"


def _close_row(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("UPDATE sbql.broker_log SET is_open = false")
    connection.execute(_SET_FORMAT, [str(FORMAT_VERSION)])


def _needed(found: list[Frame], lsn: int) -> Batch:
    return [entry for one in found for entry in one.batch if entry[0] > lsn]


def _tidied(path: str, epoch: str | None) -> list[str]:
    """The store needs no log, and there is a file: of a fold that was killed at its end, or of another store. What
    cannot be moved out of the way stays, and there is no log while it does."""
    try:
        if not has_commits(_bytes_of(path), epoch):
            _remove(path)
            return []
        kept = next(name for n in range(1, 1 << 20) if not os.path.exists(name := f"{path}.other-{n}"))
        os.rename(path, kept)
    except FileNotFoundError:
        return []
    except OSError as error:
        return [
            f"'{path}' stands where the broker's log would be, and cannot be read or moved ({error.strerror}): commits go without a log."
        ]
    return [f"The broker's log '{path}' is another store's. It is kept in '{kept}'."]


def _bytes_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.remove(path)
    sync_folder(os.path.dirname(path))
