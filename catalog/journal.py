"""The journal: records in LSN order, who may commit now, and when a record is on disk.

Decides the order in which commits reach the disk and who performs them. A record is queued at once (`submit`) and
written by whoever first wants it durable. A waiting session writes everything that is queued itself, so that one
durable call costs no change of thread. What nobody waits for is written by the committer thread a moment later, which
looks for it by itself. Only one of them, or one commit of a record with user tables, holds the pen at a time. Others
queue up, and the first of the queue that the commit before has not served takes the pen next.

Commits of tables have a turn besides:

- A commit with a record takes the turn and the pen.
- A commit of tables alone takes the turn. Every record that it may rest on is on disk before, and nobody sees its rows
  before DuckDB has them on disk, so no record that is written meanwhile rests on them. Others send beside it, however
  long it takes.

A record that the disk refuses is lost, and so is all that was queued by then, for it may rest on it: none of it is
written later. Whoever waits for one of those LSNs, or commits something that rests on one, gets the error.

An interrupt waits until pen and turn are put down again. There is a moment in which they are a thread's already and the
thread does not know it yet: an interrupt then would leave them to nobody, and all who come later would wait for ever.

It must not know what a record says, nor who folds it.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import msgspec

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.interrupts import held, raise_left
from sbql.catalog.records.broker import BrokerChange, MonologMessage, QueuedMessage, SameBodies, TransmissionMessage
from sbql.grammar.errors import SqlError

__all__ = ["Batch", "Journal", "decode", "encode", "last_record", "size_of"]

Batch = list[tuple[int, bytes]]

_EAGER_RECORDS: Final = 2048
"""So many waiting records wake the committer at once."""
_LOOK: Final = 0.005
"""Seconds between two looks of the committer: what has been waiting at the one is written at the other, so that a
record nobody waits for stays in memory for two of them at most."""
_MOST_BYTES: Final = 64 << 20
"""So many waiting bytes, and who submits more waits for the disk (see `relieve`)."""
_FOREVER: Final = 1 << 62
_PEN: Final = 1
_TURN: Final = 2

_LARGE_BODY: Final = 256
"""A body of so many bytes is worth a look whether it is there already."""
_SEVERAL: Final = 5
"""A SEND to two has at least so many changes."""

_encoder: Final = msgspec.msgpack.Encoder(uuid_format="bytes")
_decoder: Final = msgspec.msgpack.Decoder(list[BrokerChange | SameBodies])


def encode(changes: Sequence[BrokerChange]) -> bytes:
    """The stored form of one transaction's broker changes. A body that several of its messages have (one SEND to many)
    is in it once."""
    return _encoder.encode(_with_shared_bodies(changes) if len(changes) >= _SEVERAL else changes)


def decode(record: bytes) -> list[BrokerChange]:
    changes: list[Any] = _decoder.decode(record)
    if changes and type(changes[-1]) is SameBodies:
        for place, source in changes.pop().pairs:
            changes[place].message_body = changes[source].message_body
    return changes


def _with_shared_bodies(changes: Sequence[BrokerChange]) -> Sequence[BrokerChange | SameBodies]:
    seen: dict[int, int] = {}
    shared: list[BrokerChange | SameBodies] = []
    pairs: list[tuple[int, int]] = []
    for place, change in enumerate(changes):
        if type(change) is QueuedMessage or type(change) is TransmissionMessage or type(change) is MonologMessage:
            body = change.message_body
            if body is not None and len(body) >= _LARGE_BODY:
                source = seen.setdefault(id(body), place)
                if source != place:
                    shared = shared or list(changes)
                    shared[place] = msgspec.structs.replace(change, message_body=None)
                    pairs.append((place, source))
    return [*shared, SameBodies(pairs)] if pairs else changes


def size_of(batch: Batch) -> int:
    return sum([len(record) for _, record in batch])


def last_record(connection: duckdb.DuckDBPyConnection) -> int | None:
    """The LSN of the last record on disk that is not folded yet."""
    # To its end: the connection is free then.
    ((lsn,),) = connection.execute("SELECT max(lsn) FROM sbql.journal").fetchall()
    return None if lsn is None else int(lsn)


class _Sleeper:
    """A thread that waits for the disk, asleep until `bed` is released. What it `needs` is the pen, the turn or both;
    `has_them`: it was woken with that in hand."""

    __slots__ = ("bed", "has_them", "lsn", "needs")

    def __init__(self, needs: int, lsn: int) -> None:
        self.needs = needs
        self.lsn = lsn
        self.bed = threading.Lock()
        self.bed.acquire()
        self.has_them = False


class Journal:
    """The queue of records before the disk, and the pen.

    LSNs count from the opening of the store. `write(batch)` puts a batch on disk in one DuckDB transaction or raises
    SqlError having written nothing. `refused(error)` is called then, with the pen: it has to call `discard(error)` with
    whatever locked that keeps others from submitting more that rests on what is lost.
    """

    def __init__(self, write: Callable[[Batch], None], refused: Callable[[SqlError], None] | None = None) -> None:
        self._write = write
        self._refused = refused or self.discard
        self._lost: list[tuple[int, int, SqlError]] = []
        self._end: SqlError | None = None
        self._mutex = threading.Lock()
        self._waiting: Batch = []
        self._taken: Batch = []
        """Whoever has the pen is writing these, or was when Ctrl+C came."""
        self._waiting_bytes = 0
        self._last = 0
        self._durable = 0
        self._held = 0
        """The pen and the turn, as bits: those that somebody has."""
        self._sleepers: deque[_Sleeper] = deque()
        self._watchers: list[tuple[int, Callable[[], None]]] = []
        self._bell = threading.Condition(self._mutex)
        self._is_armed = False
        self._is_closing = False
        self._committer: threading.Thread | None = None

    @property
    def last_lsn(self) -> int:
        return self._last

    @property
    def durable_lsn(self) -> int:
        return self._durable

    def start(self) -> None:
        committer = threading.Thread(target=self._commit_in_background, name="sbql-committer", daemon=True)
        committer.start()
        self._committer = committer

    def submit(self, record: bytes) -> int:
        """Queue a record. Returns its LSN without waiting. Raises SqlError after `stop`."""
        with self._mutex:
            self._require_life()
            self._last = lsn = self._last + 1
            waiting = self._waiting
            waiting.append((lsn, record))
            self._waiting_bytes += len(record)
            if not self._is_armed or len(waiting) == _EAGER_RECORDS:
                self._is_armed = True
                self._bell.notify()
        return lsn

    def relieve(self) -> None:
        """Wait when memory is full of records that the disk has not taken. Not for somebody who holds a lock: who has
        the pen may be waiting for it."""
        if self._waiting_bytes > _MOST_BYTES:
            with contextlib.suppress(SqlError):  # who waits for durability gets the error
                self.settle(self._last)

    def wait_durable(self, lsn: int) -> None:
        """Return when everything up to `lsn` is on disk. Raises SqlError when `lsn` was lost."""
        if self._durable < lsn:
            self.settle(lsn)
        if self._lost:
            self.require(lsn)

    def when_durable(self, lsn: int, call: Callable[[], None]) -> None:
        """Have `call` called, once, when everything up to `lsn` is on disk or lost (`require` tells which): at once, or
        later in the thread that has written it. It must be quick. After `stop` it is not called any more."""
        with self._mutex:
            if self._durable < lsn:
                self._watchers.append((lsn, call))
                return
        call()

    def require(self, lsn: int) -> None:
        """Raise the error with which `lsn` was lost, if it was."""
        for first, last, error in self._lost:
            if first <= lsn <= last:
                raise error.again()

    def require_since(self, lsn: int) -> None:
        """Raise the error with which anything after `lsn` was lost."""
        for _, last, error in self._lost:
            if last > lsn:
                raise error.again()

    def settle(self, lsn: int) -> None:
        """Return when everything up to `lsn` is on disk or lost. Raises SqlError after `stop`, and what was left."""
        if self._durable < lsn:
            self._settle(lsn)
        raise_left()

    def _settle(self, lsn: int) -> None:
        # Over all its tries: who left between a sleep and the next try would have been woken instead of another.
        with held:
            try:
                while self._durable < lsn:
                    if self._get(_PEN, lsn):
                        try:
                            if self._durable < lsn:
                                self.flush_with_pen()
                        finally:
                            self._drop(_PEN)
            except BaseException:
                self._drop(0)  # the same for an interrupt that nobody holds back
                raise

    @contextmanager
    def pen(self, *, has_turn: bool = False) -> Iterator[None]:
        """Alone at the disk: for a commit that carries the waiting records itself (see `take`). `has_turn`:
        whoever asks is inside of `turn`."""
        needs = _PEN if has_turn else _PEN | _TURN
        with held:
            while not self._get(needs, _FOREVER):
                pass
            try:
                yield
            finally:
                self._drop(needs)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Alone in committing tables, while others write records: for a commit that has none. Entered, everything that
        was submitted before is on disk or lost. Raises SqlError after `stop`."""
        with held:
            while not self._get(_TURN, _FOREVER):
                pass
            try:
                self.settle(self._last)
                self._require_life()
                yield
            finally:
                self._drop(_TURN)

    def take(self, record: bytes | None) -> tuple[int, Batch]:
        """With the pen: an LSN for this commit and all records ordered before it, its own one last.

        The batch must end in `written` or, without the own record, in `put_back`. Raises SqlError after `stop`.
        """
        with self._mutex:
            self._require_life()
            self._last = lsn = self._last + 1
            batch = self._take_waiting()
        return lsn, batch if record is None else [*batch, (lsn, record)]

    def written(self, lsn: int) -> None:
        """With the pen: everything up to `lsn` is on disk."""
        self._taken = []
        self._durable = lsn

    def put_back(self, batch: Batch) -> None:
        """With the pen: a batch that did not reach the disk waits again, before all that came later."""
        with self._mutex:
            self._waiting[:0] = batch
            self._waiting_bytes += size_of(batch)
            self._taken = []

    def flush_with_pen(self) -> None:
        """Write what waits. What the disk refuses is lost, which those learn who wait for it."""
        with self._mutex:
            self._require_life()
            batch = self._take_waiting()
            last = self._last
        if batch:
            try:
                self._write(batch)
            except BaseException as error:
                self.put_back(batch)
                if not isinstance(error, SqlError):
                    raise
                if self._end is None:
                    self._refused(error)
                self._require_life()
                return
        self.written(last)

    def discard(self, error: SqlError) -> None:
        """With the pen: everything that waits is lost."""
        with self._mutex:
            self._take_waiting()
            self._taken = []
            self._lost.append((self._durable + 1, self._last, error))
            self._durable = self._last

    def stop(self, error: SqlError) -> None:
        """Nothing is written any more: whoever waits or submits gets `error`."""
        with self._mutex:
            self._end = error
            sleepers, self._sleepers = self._sleepers, deque()
        for sleeper in sleepers:
            sleeper.bed.release()

    def _require_life(self) -> None:
        if self._end is not None:
            raise self._end.again()

    def close(self) -> None:
        """Stop the committer. Records still waiting are the caller's to flush before."""
        with self._mutex:
            self._is_closing = True
            self._bell.notify_all()
        if self._committer is not None:
            self._committer.join()
            self._committer = None

    def _take_waiting(self) -> Batch:
        """Whom Ctrl+C meets before it has written them, or put them back, leaves them to the next one."""
        batch = [*self._taken, *self._waiting] if self._taken else self._waiting
        self._taken, self._waiting, self._waiting_bytes = batch, [], 0
        return batch

    def _get(self, needs: int, lsn: int) -> bool:
        """True with the pen, the turn or both in hand. False after a sleep: something was committed,
        or it is this one's turn to try."""
        sleeper = _Sleeper(needs, lsn) if needs & self._held else None  # a likely one, made while others have the mutex
        try:
            with self._mutex:
                if self._durable >= lsn:
                    return False
                self._require_life()
                if not needs & self._held and not (needs & _TURN and self._is_turn_wanted()):
                    self._held |= needs
                    return True
                if sleeper is None:
                    sleeper = _Sleeper(needs, lsn)
                self._sleepers.append(sleeper)
            sleeper.bed.acquire()
        except BaseException:  # Ctrl+C while asleep
            if sleeper is None:
                raise
            # who was woken in vain, or stood in the way of others, wakes the next
            with self._mutex:
                if sleeper in self._sleepers:
                    self._sleepers.remove(sleeper)
            self._drop(needs if sleeper.has_them else 0)
            raise
        return sleeper.has_them

    def _is_turn_wanted(self) -> bool:
        """Somebody waits for the turn already, perhaps for the pen besides: it comes first."""
        return any(sleeper.needs & _TURN for sleeper in self._sleepers)

    def _drop(self, needs: int) -> None:
        """Put down the pen, the turn or both. Wakes all that are served, and of the others those
        that wait longest for what is free.

        Who waits for durability may find that somebody quicker has the pen: as well, for what it waits for is then
        written too. A commit of tables is served by nobody else, and is handed what it needs.
        """
        with self._mutex:
            durable, sleepers = self._durable, self._sleepers
            woken = [sleeper for sleeper in sleepers if sleeper.lsn <= durable]
            if woken:
                self._sleepers = sleepers = deque(sleeper for sleeper in sleepers if sleeper.lsn > durable)
            self._held &= ~needs
            if sleepers:
                woken += self._next()
            calls = [call for lsn, call in self._watchers if lsn <= durable] if self._watchers else ()
            if calls:
                self._watchers = [watcher for watcher in self._watchers if watcher[0] > durable]
        for sleeper in woken:
            sleeper.bed.release()
        for call in calls:
            call()

    def _next(self) -> list[_Sleeper]:
        """With the mutex: the sleepers that what is free is for, handed to them or, to those who wait
        for durability, left to be taken."""
        found: list[_Sleeper] = []
        blocked = self._held
        for sleeper in self._sleepers:
            needs = sleeper.needs
            if needs & blocked:
                blocked |= needs & _TURN
                continue
            blocked |= needs
            sleeper.has_them = sleeper.lsn == _FOREVER
            if sleeper.has_them:
                self._held |= needs
            found.append(sleeper)
            if blocked == _PEN | _TURN:
                break
        for sleeper in found:
            self._sleepers.remove(sleeper)
        return found

    def _commit_in_background(self) -> None:
        """While records come it looks now and then. To be woken for each, in vain where a session writes its own, costs
        that session as much as half of its statement."""
        seen = 0
        while True:
            with self._mutex:
                while not self._is_due(seen) and not self._is_over():
                    self._is_armed = self._last != seen or self._durable < seen
                    seen = self._last
                    self._bell.wait(_LOOK if self._is_armed else None)
                if self._is_over():
                    return
                seen = self._last
            try:
                self.settle(seen)
            except SqlError:
                return  # the store has stopped

    def _is_due(self, seen: int) -> bool:
        """Are there records that were waiting when LSN `seen` was the last, or many?"""
        waiting = self._waiting
        return bool(waiting) and (waiting[0][0] <= seen or len(waiting) >= _EAGER_RECORDS)

    def _is_over(self) -> bool:
        return self._is_closing or self._end is not None
