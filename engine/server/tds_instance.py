"""TdsInstance: a server that is reached by TDS, for whoever has an Instance or RemoteInstance otherwise.

It decides which of an instance's methods there are over TDS: sessions. What the server does by itself, its log and its clock, it tells nobody this way. It must not know what
sessions run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.error_log import LogRecord
from sbql.engine.patience import Report
from sbql.engine.server.elsewhere import InstanceElsewhere
from sbql.engine.server.tds_client import ServerAddress, TdsConnection
from sbql.engine.server.tds_session import TdsSession
from sbql.grammar.errors import SqlError

__all__ = ["TdsInstance"]


class TdsInstance(InstanceElsewhere):
    """Connects when the first session is asked for. All methods are thread safe."""

    def __init__(self, address: ServerAddress) -> None:
        super().__init__()
        self.address = address
        self.name = address.name
        self.loop = None
        self.failures = 0

    def connect(self, database: str = "", login: str = "", *, admin: bool = False) -> TdsSession:
        """A new session; database '' is the login's own. Raises SqlError."""
        if admin:
            raise SqlError(
                87,
                "There is no dedicated administrator connection by TDS. Use the server's store (--store) or its own address (--endpoint).",
            )
        if login and login != self.address.user:
            raise SqlError(87, f"The login is '{self.address.user}': a session for '{login}' needs its password.")
        found = TdsSession(TdsConnection(self.address, database))
        self._sessions.add(found)
        return found

    def busy(self) -> list[str]:
        """Nobody is known to be."""
        return []

    def wait_idle(self, timeout: float | None = None, report: Report | None = None) -> bool:
        """Activated procedures are the server's: nobody waits for them here."""
        return True

    def listen_log(self, listener: Callable[[LogRecord], None]) -> Callable[[], None]:
        """The error log is the server's: nothing is heard of it."""
        return lambda: None

    def trace(self, sink: Any, *classes: str) -> Callable[[], None]:
        """Raises SqlError."""
        raise SqlError(
            87, "Trace events do not come by TDS. Use the server's store (--store) or its own address (--endpoint)."
        )
