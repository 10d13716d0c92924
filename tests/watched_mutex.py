"""What others would find if they came as soon as they may: a mutex that tells when it is about to be free again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["WatchedMutex"]


class WatchedMutex:
    """`lock`, which may be taken again by who has it. `look` is called before it is free."""

    def __init__(self, lock: Any, look: Callable[[], object]) -> None:
        self._lock, self._look, self._depth = lock, look, 0

    def acquire(self, blocking: bool = True) -> bool:
        """Not looked at: who only tries has seen nothing."""
        return self._lock.acquire(blocking)

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> bool:
        self._lock.acquire()
        self._depth += 1
        return True

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._look()
        self._lock.release()
