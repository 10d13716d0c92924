"""The status line below the input: where one is, what is open, what is ready, what runs.

It decides what is worth a line and when it is asked anew: before each input, and every few seconds while somebody sits
there. It must not know the terminal.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final

from sbql.grammar.errors import SqlError
from sbql.grammar.names import bracketed, dotted
from sbql.repl.side_session import SideSession

if TYPE_CHECKING:
    from sbql.repl.sessions import AnySession

__all__ = ["Status"]

_EVERY: Final = 2.0
_QUEUES: Final = """SELECT s.name, q.name FROM {db}.sys.service_queues AS q JOIN {db}.sys.schemas AS s ON s.schema_id = q.schema_id WHERE q.is_ms_shipped = 0;
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks WHERE database_id = DB_ID(N'{name}');
SELECT COUNT(*) FROM {db}.sys.transmission_queue"""


class Status:
    """`text` is cheap and may be asked at any time."""

    def __init__(self, aside: SideSession, *, is_live: bool) -> None:
        """`is_live`: asked anew while nobody has pressed Enter. Not where time is
        virtual: a question would let it run."""
        self.is_on = True
        self._aside = aside
        self._is_live = is_live
        self._counts: tuple[int, int, int] | None = None
        self._asked = 0.0
        self._is_asking = False
        self._thread: threading.Thread | None = None

    def text(self, session: AnySession) -> str:
        """`Shop · spid 51 · 1 open transaction · 3 ready · 1 task`, '' when it is off."""
        if not self.is_on:
            return ""
        if self._is_live and not self._is_asking and time.monotonic() - self._asked > _EVERY:
            self._is_asking = True
            self._thread = threading.Thread(
                target=self.refresh, args=(session.database_name,), name="sbql-status", daemon=True
            )
            self._thread.start()
        parts = [session.database_name, f"spid {session.spid}", _counted(session.trancount, "open transaction")]
        if self._counts is not None:
            ready, tasks, delayed = self._counts
            parts += [f"{ready} ready", _counted(tasks, "task"), f"{delayed} to be transmitted" if delayed else ""]
        return " | ".join(part for part in parts if part)

    def expire(self, database: str) -> None:
        """What it says may not hold any more: a batch has run. Who types does not wait for the
        answer, where that can be helped."""
        if self._is_live:
            self._asked = 0.0
        else:
            self.refresh(database)

    def refresh(self, database: str) -> None:
        """Ask what there is. A database that does not tell leaves the line short."""
        if not self.is_on:
            return
        try:
            self._counts = self._count(database)
        except SqlError:
            self._counts = None
        finally:
            self._asked, self._is_asking = time.monotonic(), False

    def close(self) -> None:
        """Nobody asks any more when this returns."""
        self.is_on = False
        if self._thread is not None:
            self._thread.join()

    def _count(self, database: str) -> tuple[int, int, int]:
        name = database.replace("'", "''")
        queues, ((tasks,),), ((delayed,),) = self._aside.ask(_QUEUES.format(db=bracketed(database), name=name))
        ready = 0
        if queues:
            each = " UNION ALL ".join(
                f"SELECT COUNT(*) AS n FROM {dotted(database, schema, queue)} WITH (NOLOCK) WHERE status = 1"
                for schema, queue in queues
            )
            (((total,),),) = self._aside.ask(f"SELECT SUM(n) FROM ({each}) AS q")
            ready = int(total or 0)
        return ready, int(tasks), int(delayed)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}" if number else ""
