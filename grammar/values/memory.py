"""Memory: how large a value may be, and how much this process may hold.

Decides the errors of what is too large: 7119 for a value beyond 2 GB, 701 when the process has no room for it. Who is
about to make something large asks before; small things ask nobody. The limit is three quarters of the machine's (or the
container's) memory, or less where somebody called `set_limit`, as RECONFIGURE does for `max server memory (MB)`.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from sbql.grammar.errors import sql_error

__all__ = ["LARGE", "in_use", "limit", "reserve", "reserve_room", "set_limit"]

LARGE: Final = 1 << 20
"""Bytes from which on a value is asked for."""

LARGEST: Final = 2**31 - 1
"""Bytes of the largest value."""

_SHARE: Final = 0.75
_CONTAINER: Final = Path("/sys/fs/cgroup/memory.max")
_STATM: Final = Path("/proc/self/statm")
_set: WeakKeyDictionary[Any, int] = WeakKeyDictionary()


def reserve(size: int) -> None:
    """Before a value of `size` bytes is made. Raises 7119, 701."""
    if size > LARGEST:
        raise sql_error(7119, LARGEST)
    reserve_room(size)


def reserve_room(size: int) -> None:
    """Before rows, or other things that are no value, take `size` bytes. Raises 701."""
    if size >= LARGE and in_use() + size > limit():
        raise sql_error(701)


def in_use() -> int:
    """Bytes of memory that this process has now, 0 where the system does not tell."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * _page()
    except OSError:
        return 0


def limit() -> int:
    return min([_machine(), *_set.values()])


def set_limit(owner: object, size: int | None) -> None:
    """No more than so many bytes for this process, as long as `owner` lives; None: it sets
    none. The least of all owners counts."""
    if size is None:
        _set.pop(owner, None)
    else:
        _set[owner] = size


@cache
def _page() -> int:
    return os.sysconf("SC_PAGE_SIZE")


@cache
def _machine() -> int:
    """Three quarters of what there is."""
    try:
        found = os.sysconf("SC_PHYS_PAGES") * _page()
    except (OSError, ValueError, AttributeError):
        return LARGEST * 2
    try:
        found = min(found, int(_CONTAINER.read_text(encoding="ascii")))
    except (OSError, ValueError):  # no container, or "max"
        pass
    return int(found * _SHARE)
