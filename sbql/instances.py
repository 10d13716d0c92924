"""Which instance a connection uses, and when it is closed.

It decides the sharing: all connections of this process to one file, by whatever name, share one instance, which closes
with the last of them; a store in memory belongs to the connection that made it, and to those that were given its
`instance`. An instance that somebody else opened is never closed here. A connection that its program drops without
close() is ended by a thread of its own, as the collector may find it while this or that lock is held. It must not know
what connections do.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Literal

from sbql.catalog.open_stores import identity
from sbql.catalog.store_port import PORT, StorePort
from sbql.engine.ending import PATIENCE
from sbql.engine.instance import Instance
from sbql.engine.session import Session
from sbql.grammar.errors import SqlError

__all__ = ["Clock", "abandon", "acquire", "adopt", "release"]

Clock = Literal["system", "virtual"]


@dataclass(slots=True)
class _Shared:
    instance: Instance
    file: tuple[int, int] | str | None
    settings: tuple[str, int]
    users: int = 1


_lock = threading.Lock()
_shared: list[_Shared] = []
_dropped: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
_reaper: threading.Thread | None = None


def acquire(store: str | os.PathLike[str] | None, clock: Clock, seed: int, *, port: StorePort = PORT) -> Instance:
    """The instance of this store, opened (through `port`) if nobody here has it open.

    Raises SqlError as Instance.open does, and ValueError when it is open with another clock or seed.
    """
    path = None if store is None else os.path.realpath(os.fspath(store))
    with _lock:
        _start_reaper()
        file = None if path is None else identity(path)
        for entry in list(_shared):
            if file is not None and entry.file == file and entry.instance.store.failure is not None:
                _shared.remove(entry)  # it has stopped: connecting again recovers
                entry.instance.close()
            elif file is not None and entry.file == file:
                if entry.settings != (clock, seed):
                    raise ValueError(f"{path} is open with clock={entry.settings[0]!r}, seed={entry.settings[1]}")
                entry.users += 1
                return entry.instance
        instance = Instance.open(path, clock=clock, seed=seed, port=port)
        _shared.append(_Shared(instance, None if path is None else identity(path), (clock, seed)))
        return instance


def adopt(instance: Instance) -> None:
    """One more connection uses `instance`."""
    with _lock:
        _start_reaper()
        for entry in _shared:
            if entry.instance is instance:
                entry.users += 1


def release(instance: Instance) -> None:
    """A connection no longer uses `instance`; the last one closes it. Raises SqlError as Instance.close does."""
    with _lock:
        for index, entry in enumerate(_shared):
            if entry.instance is instance:
                entry.users -= 1
                if entry.users == 0:
                    del _shared[index]
                    instance.close()
                return


# --- connections that nobody closes --------------------------------------------------------------------------


def abandon(session: Session, instance: Instance) -> None:
    """A connection was dropped without close(): its transaction is rolled back and its session ends, soon.

    Takes no lock: whoever called the collector may hold it. On a virtual clock it happens in the loop, so that a run
    repeats; but for the last connection, with which the loop ends.
    """
    if instance.is_inherited:
        return
    call = partial(_end, session, instance)
    is_last = any(entry.instance is instance and entry.users == 1 for entry in _shared)
    if instance.loop is not None and not is_last:
        instance.loop.soon(call)
    else:
        _dropped.put(call)
    text = f"a connection was dropped without close(); its session {session.spid} ends, and rolls back what is open"
    warnings.warn(text, ResourceWarning, stacklevel=2)


def _end(session: Session, instance: Instance) -> None:
    try:
        session.close()
    finally:
        release(instance)


def _start_reaper() -> None:
    """With the lock."""
    global _reaper
    if _reaper is None:
        _reaper = threading.Thread(target=_reap, name="sbql-dropped", daemon=True)
        _reaper.start()


def _reap() -> None:
    while (call := _dropped.get()) is not None:
        with contextlib.suppress(SqlError):  # nobody is left to be told; the journal keeps what was committed
            call()


@atexit.register
def _stop_reaper() -> None:
    """A thread that is inside of DuckDB when Python stops would take the process down."""
    if _reaper is not None:
        _dropped.put(None)
        _reaper.join(PATIENCE)


def _after_fork() -> None:
    """In the child: nothing is open here."""
    global _lock, _dropped, _reaper
    _lock, _dropped, _reaper = threading.Lock(), SimpleQueue(), None
    _shared.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
