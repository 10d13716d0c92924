"""Which instance a connection uses, and when it is closed.

It decides the sharing:

- All connections of this process to one file, by whatever name, share one instance, which closes with the last of them.
- A store that another process serves is reached through its server, as if it were here.
- A store in memory belongs to the connection that made it, and to those that were given its `instance`.
- An instance that somebody else opened is never closed here.

A connection that its program drops without close() is ended by a thread of its own, as the collector may find it while
this or that lock is held. It must not know what connections do.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import warnings
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from sbql.catalog.open_stores import identity
from sbql.catalog.store_port import PORT, StorePort
from sbql.engine.ending import PATIENCE
from sbql.engine.instance import Instance
from sbql.engine.network.address_map import AddressMap
from sbql.engine.server.broker_network import BrokerNetwork
from sbql.engine.server.client import client_at, client_of_store
from sbql.engine.server.remote_instance import RemoteInstance
from sbql.engine.server.remote_session import RemoteSession
from sbql.engine.session import Session
from sbql.grammar.errors import SqlError

if TYPE_CHECKING:
    from sbql.engine.server.tds_client import ServerAddress
    from sbql.engine.server.tds_instance import TdsInstance
    from sbql.engine.server.tds_session import TdsSession

__all__ = [
    "AnyInstance",
    "AnySession",
    "Clock",
    "abandon",
    "acquire",
    "adopt",
    "reach",
    "reach_by_tds",
    "release",
    "share",
]

Clock = Literal["system", "virtual"]
AnyInstance: TypeAlias = "Instance | RemoteInstance | TdsInstance"
AnySession: TypeAlias = "Session | RemoteSession | TdsSession"


class _Shared(Struct):
    instance: AnyInstance
    file: tuple[int, int] | str | None
    settings: tuple[str, int] | None
    """Clock and seed; None: they are the server's."""
    users: int = 1


_lock = threading.Lock()
_shared: list[_Shared] = []
_dropped: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
_reaper: threading.Thread | None = None


def acquire(
    store: str | os.PathLike[str] | None,
    clock: Clock,
    seed: int,
    *,
    port: StorePort = PORT,
    start: float | None = None,
    addresses: AddressMap | None = None,
) -> AnyInstance:
    """The instance of this store: the one that is open here, or that of the process that serves it,
    or a new one (opened through `port`).

    Raises SqlError as Instance.open and the server do, and ValueError when it is open with another clock or seed.
    """
    path = None if store is None else os.path.realpath(os.fspath(store))
    with _lock:
        _start_reaper()
        file = None if path is None else identity(path)
        for entry in list(_shared):
            if file is not None and entry.file == file and _has_stopped(entry.instance):
                _shared.remove(entry)  # connecting again recovers
                entry.instance.close()
            elif file is not None and entry.file == file:
                if entry.settings is not None and entry.settings != (clock, seed):
                    raise ValueError(f"{path} is open with clock={entry.settings[0]!r}, seed={entry.settings[1]}")
                _check_clock(entry.instance, clock)
                entry.users += 1
                return entry.instance
        served = None if path is None else _served(path)
        if served is not None:
            _check_clock(served, clock)
            _shared.append(_Shared(served, file, None))
            return served
        network = partial(BrokerNetwork, addresses=addresses) if clock == "system" else None
        instance = Instance.open(path, clock=clock, seed=seed, start=start, port=port, network=network)
        _shared.append(_Shared(instance, None if path is None else identity(path), (clock, seed)))
        return instance


def share(instance: Instance) -> None:
    """An instance that was opened elsewhere belongs to its first connection, and to those that are given
    it. Its user is counted already."""
    with _lock:
        _start_reaper()
        _shared.append(_Shared(instance, None, None))


def reach(endpoint: str, token: str, certificate: str = "") -> RemoteInstance:
    """The instance of the server there. Raises SqlError when it does not answer, or does not let us in."""
    with _lock:
        _start_reaper()
        client = client_at(endpoint, token, certificate)
        instance = RemoteInstance(client, client.ping())
        _shared.append(_Shared(instance, None, None))
        return instance


def reach_by_tds(address: ServerAddress) -> TdsInstance:
    """The server there, which speaks SQL Server's protocol; it is asked when the first session is opened."""
    from sbql.engine.server.tds_instance import TdsInstance

    with _lock:
        _start_reaper()
        instance = TdsInstance(address)
        _shared.append(_Shared(instance, None, None))
        return instance


def _served(path: str) -> RemoteInstance | None:
    client = client_of_store(path)
    return RemoteInstance(client, client.ping()) if client is not None else None


def _has_stopped(instance: AnyInstance) -> bool:
    """A store that nobody can write any more, or a server that is gone."""
    if isinstance(instance, Instance):
        return instance.store.failure is not None
    if not isinstance(instance, RemoteInstance):
        return False
    try:
        instance.client.ping()
    except SqlError:
        return True
    return False


def _check_clock(instance: AnyInstance, clock: Clock) -> None:
    """Raises ValueError. Who asks for the system's clock takes that of a server."""
    if isinstance(instance, RemoteInstance) and clock == "virtual" and instance.loop is None:
        raise ValueError(f"{instance.facts.store} is served with clock='system'")


def adopt(instance: AnyInstance) -> None:
    """One more connection uses `instance`."""
    with _lock:
        _start_reaper()
        for entry in _shared:
            if entry.instance is instance:
                entry.users += 1


def release(instance: AnyInstance) -> None:
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


def abandon(session: AnySession, instance: AnyInstance) -> None:
    """A connection was dropped without close(): its transaction is rolled back and its session ends, soon.

    Takes no lock: whoever called the collector may hold it. On a virtual clock it happens in the loop, so that a run
    repeats; but for the last connection, with which the loop ends.
    """
    if instance.is_inherited:
        return
    call = partial(_end, session, instance)
    is_last = any(entry.instance is instance and entry.users == 1 for entry in _shared)
    if isinstance(instance, Instance) and instance.loop is not None and not is_last:
        instance.loop.soon(call)
    else:
        _dropped.put(call)
    text = f"a connection was dropped without close(); its session {session.spid} ends, and rolls back what is open"
    warnings.warn(text, ResourceWarning, stacklevel=2)


def _end(session: AnySession, instance: AnyInstance) -> None:
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
