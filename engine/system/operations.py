"""What somebody who runs or tests the server asks for: the error log, and the clock of an instance whose time belongs
to a test."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.host import local_time
from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.security import is_in_server_role
from sbql.engine.work import Suspend, Waiter, Work
from sbql.grammar.errors import sql_error
from sbql.grammar.types import DATETIME, nvarchar
from sbql.grammar.values.dates import round_datetime

__all__ = ["SETTLING"]

SETTLING = "SBQL_ADVANCE_CLOCK"
"""What a session that moves a virtual clock waits for."""
_TIME = re.compile(r"(?:(\d{1,6})\.)?(\d{1,2}):([0-5]?\d)(?::([0-5]?\d)(?:\.(\d{1,9}))?)?")

_LOG_COLUMNS = (
    ResultColumn("LogDate", DATETIME),
    ResultColumn("ProcessInfo", nvarchar(50)),
    ResultColumn("Text", nvarchar(4000)),
)


def _seconds(text: str) -> float:
    """'[days.]hh:mm[:ss[.fraction]]' as seconds. Raises 241."""
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise sql_error(241)
    days, hours, minutes, seconds, fraction = found.groups()
    whole = int(days or 0) * 86400 + int(hours) * 3600 + int(minutes) * 60 + int(seconds or 0)
    return whole + (float(f"0.{fraction}") if fraction else 0.0)


@procedure("sp_sbql_advance_clock")
def sp_sbql_advance_clock(call: ProcedureCall) -> Work:
    """Move a virtual clock on, stopping at each deadline on the way, until everything that came due is done. sbql's
    own.

    40517 when the clock is the system's.
    """
    (time,) = call.values(required=1)
    instance = call.session.instance
    if instance.loop is None:
        raise sql_error(40517, "sys.sp_sbql_advance_clock on the system's clock; it needs clock='virtual'")
    end = instance.host.now() + _seconds(time)
    while instance.host.now() < end:
        yield Suspend(Waiter(), end, SETTLING)
    yield Suspend(Waiter(), end, SETTLING)
    while not instance.loop.is_settled(SETTLING):
        yield Suspend(Waiter(), end, SETTLING)
    return 0


@procedure("sp_readerrorlog", "xp_readerrorlog")
def sp_readerrorlog(call: ProcedureCall) -> Work:
    """The error log, oldest first: `@p1` which log (0: the current one, 1 to 6 those before it), `@p2` 1 for the
    server's log, `@p3`, `@p4` what a line must contain; xp_readerrorlog also takes a first and last moment and
    N'asc' or N'desc'. Raises 15003."""
    number, kind, first, second, start, end, order = (call.values() + [None] * 3)[:7]
    session = call.session
    if not is_in_server_role(session, "securityadmin"):
        raise sql_error(15003, "securityadmin")
    rows: list[tuple[Any, ...]] = []
    if (kind or 1) == 1:
        rows = [
            row
            for row in _lines(session.instance, number or 0)
            if _is_wanted(row[2], first, second) and _is_in(row[0], start, end)
        ]
    if (order or "asc").strip().lower() == "desc":
        rows.reverse()
    session.emit(ResultSet(_LOG_COLUMNS, rows))
    return 0
    yield


@procedure("sp_cycle_errorlog")
def sp_cycle_errorlog(call: ProcedureCall) -> Work:
    """Begin a new error log; sp_readerrorlog 1 shows the one before. Raises 15003."""
    session = call.session
    if not is_in_server_role(session, "sysadmin"):
        raise sql_error(15003, "sysadmin")
    session.instance.error_log.cycle()
    session.instance.log(0, "A new error log begins. Older lines are in the log before it.", f"spid {session.spid}")
    session.instance.save_log()
    return 0
    yield


def _lines(instance: Any, number: int) -> list[tuple[dt.datetime, str, str]]:
    return [
        (round_datetime(local_time(instance.host, record.time)), record.process_info, record.text)
        for record in instance.error_log.archive(number)
    ]


def _is_wanted(text: str, *parts: Any) -> bool:
    return all(part is None or part.lower() in text.lower() for part in parts)


def _is_in(moment: dt.datetime, start: Any, end: Any) -> bool:
    return (start is None or moment >= start) and (end is None or moment <= end)
