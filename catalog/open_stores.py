"""Which stores this process has open: the same file twice would be two writers who do not know of each other.

Decides

- what the same file is: device and inode, whatever name it was opened by
- that a store which the program leaves open is closed when the process ends
- that a child made by fork leaves its parent's stores alone: it neither writes nor closes nor unlocks them.

It must not know what is in a store.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from typing import Any, Final, NoReturn, Protocol

from sbql.grammar.errors import SqlError

__all__ = ["adopt", "forget", "identity", "opening"]


class Store(Protocol):
    """What of a store is about its being open."""

    path: str | None

    def close(self) -> None: ...

    def sessions(self) -> Sequence[object]: ...

    def disown(self) -> None: ...


_open: weakref.WeakSet[Store] = weakref.WeakSet()
_opening = threading.Lock()

_TWICE: Final = (
    "The store '%s' is open in this process already%s. Use the instance that has it: sbql.connect(instance=…), or sbql.connect() "
    "with the same clock and seed."
)


def identity(path: str | os.PathLike[str]) -> tuple[int, int] | str:
    """What is the same for all names of one file: device and inode, or the full name
    of a file that is not there yet."""
    try:
        found = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


@contextlib.contextmanager
def opening(path: str) -> Iterator[str]:
    """Around the opening of `path`. Gives the name to open it by: DuckDB's log
    stands beside the file that a link means.

    Raises 5120 when the file is open here by any name.
    """
    with _opening:
        name = os.path.realpath(path)
        wanted = identity(name)
        for store in list(_open):
            if store.path is not None and identity(store.path) == wanted:
                other = "" if store.path == name else f", as '{store.path}'"
                raise SqlError(5120, _TWICE % (path, other))
        yield name


def adopt(store: Store) -> None:
    """Count `store` as open until it is closed."""
    _open.add(store)


def forget(store: Store) -> None:
    """It is closed."""
    _open.discard(store)


@atexit.register
def _close_all() -> None:
    """DuckDB objects that outlive their module complain on stderr: close what the program left open."""
    for store in list(_open):
        with contextlib.suppress(SqlError):
            store.close()


# --- in the child of a fork ----------------------------------------------------------------------------------


class _Inherited:
    """In the place of what belongs to the parent: ending it does nothing, everything else is refused."""

    def rollback(self) -> None: ...

    def close(self) -> None: ...

    def interrupt(self) -> None: ...

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise SqlError(596, "The store belongs to the process that this one was forked from.", severity=21)


def _after_fork() -> None:
    """DuckDB writes to the file when its last object goes, so those of the parent stay for ever: one reference
    more than there is anybody to drop."""
    global _opening
    _opening = threading.Lock()
    for store in list(_open):
        for owner in (store, *list(store.sessions())):
            _keep(owner)
            for name, value in list(vars(owner).items()):
                if name in _THE_PARENTS:
                    _keep(value)
                    setattr(owner, name, _Inherited())
        store.disown()
    _open.clear()


_THE_PARENTS: Final = frozenset({"_connection", "_records", "_folder", "_reader", "connection", "journal"})


def _keep(value: Any) -> None:
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
