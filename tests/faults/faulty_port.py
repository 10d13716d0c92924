"""A store port that fails as disks and memory do: at a chosen call, in a chosen way.

It decides when a call fails and what the store then sees of it; what DuckDB itself does in each case was looked up with
a real small disk (test_small_disk.py). It must not know what the store keeps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import duckdb

from sbql.catalog.store_port import Call, StorePort

__all__ = ["FAULTS", "FaultyPort"]

FAULTS: Final = ("full", "input/output", "memory", "commit fails", "unknown and done", "unknown and not done")
_COMMITS: Final = frozenset({"commit", "journal", "fold"})
_WRITES: Final = _COMMITS | {"write", "log", "backup", "append"}


class FaultyPort(StorePort):
    """Calls through until `fail_at`. `counts` are the calls so far, by kind; `hit` the kind of the call that failed."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.hit: str | None = None
        self._fault: str | None = None
        self._left = 0
        self._length = 0
        self._is_dead = False

    def fail_at(self, call: int, fault: str, length: int = 1) -> None:
        """The `call`-th call from now fails (1: the next), and those after it as long as `length` calls. A full disk
        fails what writes, a commit that fails only commits; the unknown ends everything, as a lost device does."""
        self._left, self._fault, self._length, self.hit = call, fault, length, None

    def heal(self) -> None:
        self._fault, self._is_dead = None, False

    def call(self, kind: Call, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        self.counts[kind] += 1
        if self._is_dead:
            raise duckdb.FatalException("FATAL Error: database has been invalidated")
        fault = self._fault  # once: another thread may heal in between
        if fault is None or not _concerns(fault, kind):
            return work(*args, **kwargs)
        self._left -= 1
        if self._left > 0:
            return work(*args, **kwargs)
        self.hit = kind
        if -self._left + 1 >= self._length:
            self._fault = None
        if fault.startswith("unknown"):
            self._fault, self._is_dead = None, True
            if fault.endswith("and done"):
                work(*args, **kwargs)
        raise _ERRORS[fault]


def _concerns(fault: str, kind: str) -> bool:
    if kind == "open":
        return False
    if fault == "full":
        return kind in _WRITES
    if fault == "commit fails" or fault.startswith("unknown"):
        return kind in _COMMITS
    return kind != "probe"


_ERRORS: Final[dict[str, Exception]] = {
    "full": duckdb.IOException('IO Error: Could not write file "store.wal": No space left on device'),
    "input/output": duckdb.IOException('IO Error: Could not read from file "store": Input/output error'),
    "memory": duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate data of size 256.0 KiB"),
    "commit fails": duckdb.TransactionException("TransactionContext Error: Failed to commit: Could not write file"),
    "unknown and done": duckdb.FatalException("FATAL Error: Failed to commit: could not sync"),
    "unknown and not done": duckdb.FatalException("FATAL Error: Failed to commit: could not sync"),
}
