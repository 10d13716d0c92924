"""sys.sp_sbql_diagnose: the diagnosis as a result set, for T-SQL and for every door.

Decides its parameters and columns, and who may ask (VIEW SERVER STATE, as for dynamic views). It must not know causes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from sbql.engine.definition.queues import find_queue
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.diagnosis.causes import LEVELS, Evidence, Finding
from sbql.engine.diagnosis.configuration import Conversation, diagnose
from sbql.engine.diagnosis.scope import Scope
from sbql.engine.diagnosis.stuck import merged, stuck
from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.ports import Session
from sbql.engine.security import has_right
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.types import NVARCHAR_MAX, SqlType, nvarchar

COLUMNS: Final = (
    ResultColumn("level", nvarchar(10)), ResultColumn("code", SqlType("int")), ResultColumn("cause", nvarchar(128)),
    ResultColumn("database_name", nvarchar(128)), ResultColumn("subject", nvarchar(256)), ResultColumn("finding", NVARCHAR_MAX),
    ResultColumn("evidence", NVARCHAR_MAX), ResultColumn("repair", NVARCHAR_MAX),
)  # fmt: skip
_TIMES: Final = (
    "enqueue_time",
    "time",
    "oldest_message",
    "start_date",
    "expiry_date",
    "lifetime",
    "begin_time",
    "last_activated_time",
)


@procedure("sp_sbql_diagnose")
def sp_sbql_diagnose(call: ProcedureCall) -> Work:
    """Why messages are stuck: all of them, those of a @conversation (handle, group or conversation id), of a
    @queue, or between @from_service and @to_service. If none is stuck between these two, or with @configuration =
    1, the way between them is checked, from @from_database to @to_database (left out: the current one; empty:
    another instance). Raises 300, 208, 8169."""
    session = call.session
    if not has_right(session, "VIEW SERVER STATE", "SERVER"):
        raise sql_error(300, "VIEW SERVER STATE", "server", "master")
    given = {name.lstrip("@"): value for name, value in call.given.items()}
    level = str(given["level"] or "WARNING").upper()
    shown = LEVELS[: LEVELS.index(level) + 1] if level in LEVELS else LEVELS
    source, target, queue = given["from_service"], given["to_service"], given["queue"]
    scope = Scope(
        _guids(given["conversation"]), find_queue(session, parse_object_name(queue)).id if queue is not None else None,
        frozenset({source, target}) if source is not None and target is not None else frozenset(),
    )  # fmt: skip
    findings = [] if given["configuration"] else stuck(session.instance, scope)
    if given["configuration"] or (scope.services and not findings):
        findings = merged(diagnose(session.instance, _pair(session, given)))
    session.emit(ResultSet(list(COLUMNS), [_row(finding) for finding in findings if finding.level in shown]))
    return 0
    yield


def _pair(session: Session, given: dict[str, Any]) -> Conversation:
    """The conversation that is asked about."""

    def place(name: str) -> str | None:
        database = given[name]
        return (str(database) or None) if database is not None else str(session.database.name)

    return Conversation(
        given["from_service"], place("from_database"), given["to_service"], place("to_database"), given["contract"] or "DEFAULT",
        given["broker_instance"], str(given["encryption"] or "ON").upper(),
    )  # fmt: skip


def _guids(text: Any) -> frozenset[UUID]:
    if text is None:
        return frozenset()
    try:
        return frozenset({UUID(str(text))})
    except ValueError:
        raise sql_error(8169) from None


def _row(finding: Finding) -> tuple[Any, ...]:
    evidence = json.dumps(list(_readable(finding.evidence)), ensure_ascii=False, default=str)
    return (
        finding.level, finding.code, finding.name, finding.database, finding.subject, finding.text, evidence if finding.evidence else None,
        finding.repair or None,
    )  # fmt: skip


def _readable(rows: Iterable[Evidence]) -> Iterable[Evidence]:
    """Times as text, in UTC."""
    for row in rows:
        yield {
            name: _moment(value) if name in _TIMES and isinstance(value, float) and value else value
            for name, value in row.items()
        }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
