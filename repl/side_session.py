"""A session beside those of whoever types: what completion and the status line ask goes here.

It decides that such questions change nothing for anybody (@@ROWCOUNT, transactions), that they stay in
master, so that no database is in use because of them, and that they wait for locks half a second at
most. It must not know what is asked.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from sbql.engine.outcomes import ErrorOutcome, ResultSet

if TYPE_CHECKING:
    from sbql.repl.sessions import AnyInstance, AnySession

__all__ = ["SideSession"]


class SideSession:
    """Connects when it is asked first. From any thread."""

    def __init__(self, instance: AnyInstance) -> None:
        self._instance = instance
        self._session: AnySession | None = None
        self._mutex = threading.Lock()

    def ask(self, text: str) -> list[list[tuple[Any, ...]]]:
        """The rows of each result set. Raises the first SqlError."""
        with self._mutex:
            if self._session is None or self._session.is_ended:
                self._session = self._instance.connect()
            outcomes = self._session.run(f"SET LOCK_TIMEOUT 500; {text}")
        for outcome in outcomes:
            if isinstance(outcome, ErrorOutcome):
                raise outcome.error
        return [outcome.rows for outcome in outcomes if isinstance(outcome, ResultSet)]

    def close(self) -> None:
        with self._mutex:
            if self._session is not None:
                self._session.close()
