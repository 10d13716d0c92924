"""TdsInstance: a server that is reached by TDS, for whoever has an Instance or RemoteInstance otherwise.

It decides which of an instance's methods there are over TDS: sessions; trace events and lines of the error log through
a procedure of ours, where the server has it. The server's clock is its own. It must not know what sessions run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.broker.trace import TraceSink, class_name, event_of
from sbql.engine.error_log import LogRecord
from sbql.engine.patience import Report
from sbql.engine.server.elsewhere import InstanceElsewhere
from sbql.engine.server.tds_client import ServerAddress, TdsConnection
from sbql.engine.server.tds_listener import TdsListener
from sbql.engine.server.tds_session import TdsSession
from sbql.engine.system.listening import ERROR_LOG
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
        """Call `listener` for each new line of the server's error log, in a thread of its own. Returns what stops it.
        Nothing is heard where the login may not (securityadmin), nor from SQL Server."""

        def hear(said: dict[str, Any]) -> None:
            if "log" in said:
                listener(LogRecord(*said["log"]))

        try:
            return self._listen(ERROR_LOG, hear)
        except SqlError:
            return lambda: None

    def trace(self, sink: TraceSink, *classes: str) -> Callable[[], None]:
        """As `Instance.trace`; `sink` is called in a thread of its own. Raises KeyError for an unknown class, SqlError
        without the right (ALTER TRACE), or from SQL Server."""
        wanted = ",".join(map(class_name, classes)) or "broker"

        def hear(said: dict[str, Any]) -> None:
            if "trace" in said:
                sink(event_of(said["trace"]))

        return self._listen(wanted, hear)

    def _listen(self, to: str, hear: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        """Hear what sys.sp_sbql_listen says, on a connection of its own. Raises SqlError when it does not begin."""
        listener = TdsListener(self.connect(), self.connect, to, hear)
        listener.start()
        return self.until_closed(listener.stop)
