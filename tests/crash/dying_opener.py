"""Opens a store and dies by SIGKILL at a chosen call of the fold that recovery
makes: dying_opener.py PATH CALL [after].

Call 0 never comes: then it tells how many calls the fold has. It reaches the fold through the store's port alone, so
that it does not depend on how the fold is written.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from sbql.catalog.store import Store
from sbql.catalog.store_port import Call, StorePort


class DyingConnection:
    """A connection of DuckDB whose `last`-th call does not come back: the process is gone before it, or after it."""

    def __init__(self, real: Any, last: int, is_after: bool) -> None:
        self.real, self.last, self.is_after, self.calls = real, last, is_after, 0

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.real, name)

        def called(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            if self.calls == self.last and not self.is_after:
                os.kill(os.getpid(), signal.SIGKILL)
            result = method(*args, **kwargs)
            if self.calls == self.last:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return called


class DyingPort(StorePort):
    """Hands the first fold a connection that dies; `calls` of it were made."""

    def __init__(self, last: int, is_after: bool) -> None:
        self.last, self.is_after, self.calls = last, is_after, 0

    def call(self, kind: Call, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if kind != "fold" or self.calls:
            return work(*args, **kwargs)
        dying = DyingConnection(args[0], self.last, self.is_after)
        result = work(dying, *args[1:], **kwargs)
        self.calls = dying.calls
        return result


if __name__ == "__main__":
    dying_port = DyingPort(int(sys.argv[2]), "after" in sys.argv[3:])
    Store.open(sys.argv[1], port=dying_port).close()
    print(dying_port.calls)
