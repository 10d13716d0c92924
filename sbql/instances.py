"""Which instance a connection uses, and when it is closed.

It decides the sharing: all connections of this process to one file share one instance, which closes with the last of
them; a store in memory belongs to the connection that made it, and to those that were given its `instance`. An
instance that somebody else opened is never closed here. It must not know what connections do.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from typing import Literal

from sbql.engine.instance import Instance

__all__ = ["Clock", "acquire", "adopt", "release"]

Clock = Literal["system", "virtual"]


@dataclass(slots=True)
class _Shared:
    instance: Instance
    path: str | None
    settings: tuple[str, int]
    users: int = 1


_lock = threading.Lock()
_shared: list[_Shared] = []


def acquire(store: str | os.PathLike[str] | None, clock: Clock, seed: int) -> Instance:
    """The instance of this store, opened if nobody here has it open.

    Raises SqlError as Instance.open does, and ValueError when it is open with another clock or seed.
    """
    path = None if store is None else os.path.realpath(os.fspath(store))
    with _lock:
        for entry in _shared:
            if path is not None and entry.path == path:
                if entry.settings != (clock, seed):
                    raise ValueError(f"{path} is open with clock={entry.settings[0]!r}, seed={entry.settings[1]}")
                entry.users += 1
                return entry.instance
        instance = Instance.open(path, clock=clock, seed=seed)
        _shared.append(_Shared(instance, path, (clock, seed)))
        return instance


def adopt(instance: Instance) -> None:
    """One more connection uses `instance`."""
    with _lock:
        for entry in _shared:
            if entry.instance is instance:
                entry.users += 1


def release(instance: Instance) -> None:
    """A connection no longer uses `instance`; the last one closes it."""
    with _lock:
        for index, entry in enumerate(_shared):
            if entry.instance is instance:
                entry.users -= 1
                if entry.users == 0:
                    del _shared[index]
                    instance.close()
                return
