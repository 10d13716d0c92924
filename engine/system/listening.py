"""sys.sp_sbql_listen: what happens in the server, as messages of a batch that does not end: for
clients that have no other way to hear it.

Decides the form of a message, a JSON object each, who may listen, and that a client which does not keep up loses the
oldest events and is told how many. It must not know who sends the messages on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from sbql.engine.broker.trace import TraceEvent, class_name, event_record
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.error_log import LogRecord
from sbql.engine.event_queue import EventQueue
from sbql.engine.outcomes import InfoMessage
from sbql.engine.security import has_right, is_in_server_role
from sbql.engine.work import Suspend, Waiter, Work
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["ERROR_LOG"]

ERROR_LOG: Final = "errorlog"
_ALL: Final = "broker"
LISTENING: Final = "SBQL_LISTEN"
"""What a session that listens waits for."""


_HEARD: Final = "what sys.sp_sbql_listen hears"
"""Where a session that listens has it."""


class _Heard:
    """What has arisen and is not said yet. `hear` and `end` come from any thread, and return at once."""

    def __init__(self) -> None:
        self._lines: EventQueue[dict[str, Any]] = EventQueue(lambda: self.waiter.wake())
        self.waiter = Waiter()
        self.is_over = False

    def end(self) -> None:
        """When everything that has arisen until now is said."""
        self.is_over = True
        self.waiter.wake()

    def hear_event(self, event: TraceEvent) -> None:
        self._lines.put({"trace": event_record(event)})

    def hear_log(self, record: LogRecord) -> None:
        self._lines.put({"log": [record.time, record.number, record.text, record.source]})

    def take(self) -> Iterator[dict[str, Any]]:
        for lost, line in self._lines.take():
            if lost:
                yield {"lost": lost}
            yield line


@procedure("sp_sbql_listen")
def sp_sbql_listen(call: ProcedureCall) -> Work:
    """Say each event of @to as it arises: 'broker' (all classes of trace events), classes of them, 'errorlog', with
    commas between. It ends when it is cancelled, after @seconds, or when another session says so (@ends), with what has
    arisen by then. The first message says that it listens, and in which session.

    Trace events need ALTER TRACE (8189), the error log securityadmin (15003). Raises 87 for what there is not, 6102 for
    @ends of another login's session."""
    given, seconds, ends = call.values()
    session = call.session
    if ends is not None:
        _end(session, int(ends))
        return 0
    names = [name.strip() for name in str(given or _ALL).split(",") if name.strip()]
    heard = _Heard()
    deadline = None if seconds is None else session.instance.host.now() + max(seconds, 0)
    stops: list[Callable[[], None]] = []
    try:
        _begin(session, names, heard, stops)
        session.context_values[_HEARD] = heard
        said = {"listening": names, "session": session.spid}
        session.emit(InfoMessage(json.dumps(said, ensure_ascii=False)))
        while True:
            heard.waiter = waiter = Waiter()
            is_last = heard.is_over  # what arose before it is over is taken now
            for line in heard.take():
                session.emit(InfoMessage(json.dumps(line, ensure_ascii=False)))
            if is_last or (deadline is not None and session.instance.host.now() >= deadline):
                return 0
            yield Suspend(waiter, deadline, LISTENING)
            session.check_cancelled()
    finally:
        session.context_values.pop(_HEARD, None)
        for stop in stops:
            stop()


def _end(session: Any, spid: int) -> None:
    """One that has ended stays so. Raises 6102."""
    other = session.instance.sessions.get(spid)
    heard = None if other is None else other.context_values.get(_HEARD)
    if other is None or heard is None:
        return
    if other.login_name != session.login_name and not is_in_server_role(session, "processadmin"):
        raise sql_error(6102)
    heard.end()


def _begin(session: Any, names: list[str], heard: _Heard, stops: list[Callable[[], None]]) -> None:
    """Listen to all of them, after everything about them has been checked. `stops`
    gets what stops it. Raises SqlError."""
    log = [name for name in names if name.lower() == ERROR_LOG]
    classes = [name for name in names if name.lower() != ERROR_LOG]
    if classes and not has_right(session, "ALTER TRACE", "SERVER"):
        raise sql_error(8189, "sys.sp_sbql_listen")
    if log and not is_in_server_role(session, "securityadmin"):
        raise sql_error(15003, "securityadmin")
    try:
        wanted = [class_name(name) for name in classes if name.lower() != _ALL]
    except KeyError as error:
        raise SqlError(
            87, f"'{error.args[0]}' is nothing to listen to: 'broker', 'errorlog', or a name of sys.trace_events."
        ) from None
    instance = session.instance
    if log:
        stops.append(instance.error_log.listen(heard.hear_log))
    if classes:
        stops.append(instance.trace(heard.hear_event, *([] if len(wanted) < len(classes) else wanted)))
