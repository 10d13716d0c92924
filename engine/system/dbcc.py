"""DBCC.

It decides which DBCC commands do something here (CHECKIDENT, CHECKDB, CHECKTABLE, USEROPTIONS, INPUTBUFFER, OPENTRAN),
which are accepted because there is nothing to do (`dbcc_rights`), and which are refused (40517).
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sbql.catalog.records import Table
from sbql.engine.host import local_time
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.modification.target import check_permission
from sbql.engine.outcomes import InfoMessage, ResultColumn, ResultSet
from sbql.engine.ports import Session
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import has_right
from sbql.engine.security.resolver import resolve
from sbql.engine.steps import Step, handles
from sbql.engine.system.consistency import check_database, check_table, owned_database
from sbql.engine.system.dbcc_commands import check_command
from sbql.engine.system.dbcc_rights import DBCC_ACCEPTED, check_rights
from sbql.engine.tables.bound_table import bind
from sbql.grammar.ast import DbccStatement, Expression, ObjectName, StringLiteral
from sbql.grammar.errors import sql_error
from sbql.grammar.messages import message
from sbql.grammar.names import parse_object_name
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.types import NVARCHAR_MAX, SqlType, nvarchar

__all__: list[str] = []

_OPTIONS = frozenset({
    "ALL_ERRORMSGS", "COUNT_ROWS", "DATA_PURITY", "ESTIMATEONLY", "EXTENDED_LOGICAL_CHECKS", "MARK_IN_USE_FOR_REMOVAL", "MAXDOP", "NO_INFOMSGS", "PHYSICAL_ONLY", "TABLOCK",
})  # fmt: skip
"""Options that say how to go through pages, of which there are none; NO_INFOMSGS is heeded."""
_OTHER_OUTPUT = frozenset({"TABLERESULTS"})
"""Options that ask for something else than the messages that we give."""


@handles(DbccStatement)
def compile_dbcc(node: DbccStatement, compiler: Compiler) -> Step:
    arguments = [_argument(a, compiler) for a in node.arguments]
    command = _COMMANDS.get(node.command)
    check_command(node, _COMMANDS.keys() | DBCC_ACCEPTED)
    is_quiet = "NO_INFOMSGS" in node.options
    if command is not None or node.command in DBCC_ACCEPTED:
        for option in node.options:
            _check_option(option, node)

    def run(frame: Frame) -> int:
        session = frame.session
        if command is not None:
            command(frame, node, [a(frame) for a in arguments])
        elif node.command in DBCC_ACCEPTED:
            check_rights(session, node, [a(frame) for a in arguments])
        else:
            raise sql_error(40517, f"DBCC {node.command}", span=node.span)
        if not is_quiet:
            _say(session, 2528)
        return 0

    return Step(run)


def _check_option(option: str, node: DbccStatement) -> None:
    """Raises 155, 40517, and 102 for a value of an option that has none."""
    name, _, value = option.partition(" = ")
    if name in _OTHER_OUTPUT:
        raise sql_error(40517, f"DBCC {node.command} WITH {name}", span=node.span)
    if name not in _OPTIONS:
        advice = did_you_mean(name, _OPTIONS | _OTHER_OUTPUT)
        raise sql_error(155, name, "DBCC", span=node.span).advise(advice)
    if bool(value) != (name == "MAXDOP"):
        raise sql_error(102, "=" if value else name, span=node.span)


def _argument(argument: Expression | ObjectName, compiler: Compiler) -> Callable[[Frame], Any]:
    """A name stands for its own text."""
    if isinstance(argument, ObjectName):
        text = str(argument)
        return lambda frame: text
    if isinstance(argument, StringLiteral):
        return lambda frame: argument.value
    return compiler.scalar(argument).run


def _say(session: Session, number: int, *arguments: object) -> None:
    said = message(number)
    session.emit(InfoMessage(said.format(*arguments), number, said.severity))


def _checkdb(frame: Frame, node: DbccStatement, arguments: list[Any]) -> None:
    check_database(
        frame.session, arguments[0] if arguments and arguments[0] != 0 else None, "NO_INFOMSGS" in node.options
    )


def _checktable(frame: Frame, node: DbccStatement, arguments: list[Any]) -> None:
    if arguments:
        check_table(frame.session, arguments[0], node.span)


def _checkident(frame: Frame, node: DbccStatement, arguments: list[Any]) -> None:
    """Say the current identity value, and set it: to the highest of the column when it lags behind, or to the one
    given."""
    session = frame.session
    if not 1 <= len(arguments) <= 3:
        raise sql_error(2526, span=node.span)
    what = str(arguments[1]).upper() if len(arguments) > 1 else ""
    if what not in ("", "RESEED", "NORESEED") or (len(arguments) == 3 and what != "RESEED"):
        raise sql_error(2526, span=node.span)
    table = resolve(session, parse_object_name(str(arguments[0])), Table, missing_ok=True)
    if table is None:
        raise sql_error(2501, arguments[0], span=node.span)
    check_permission(session, table, "ALTER", node.span)
    bound = bind(table, session)
    if bound.identity is None:
        raise sql_error(7997, table.name, span=node.span)
    column = table.columns[bound.identity]
    with session.statement() as txn:
        rows = StoredRows(bound, txn)
        highest = rows.highest_identity()
    state, states = rows.state, rows.states
    shown = [_shown(state.last_identity), _shown(highest)]
    if "NO_INFOMSGS" not in node.options:
        _say(session, 7998, *shown)
    if len(arguments) == 3:
        given = _number(arguments[2], node)
        states.reseed(state, given - column.increment if state.last_identity is None else given)
        states.keep_reset(state)
    elif what != "NORESEED" and highest is not None:
        behind = state.last_identity is None or (
            state.last_identity < highest if column.increment > 0 else state.last_identity > highest
        )
        if behind:
            states.reseed(state, highest)
            states.keep_reset(state)


def _shown(value: int | None) -> str:
    return "NULL" if value is None else str(value)


def _number(value: Any, node: DbccStatement) -> int:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise sql_error(2526, span=node.span)
    return int(value)


def _useroptions(frame: Frame, node: DbccStatement, arguments: list[Any]) -> None:
    """The SET options that are on."""
    options = frame.session.options
    rows: list[tuple[Any, ...]] = [
        ("textsize", str(options.textsize)), ("language", options.dates.language.name), ("dateformat", options.dates.order),
        ("datefirst", str(options.datefirst)), ("lock_timeout", str(options.lock_timeout)),
    ]  # fmt: skip
    flags = (
        "quoted_identifier", "arithabort", "ansi_warnings", "ansi_padding", "ansi_nulls", "concat_null_yields_null",
        "numeric_roundabort", "xact_abort", "nocount", "implicit_transactions", "cursor_close_on_commit",
    )  # fmt: skip
    rows += [(flag, "SET") for flag in flags if getattr(options, flag)]
    rows.append(("isolation level", options.isolation_level.lower()))
    columns = (ResultColumn("Set Option", nvarchar(128)), ResultColumn("Value", nvarchar(128)))
    frame.session.emit(ResultSet(columns, rows))


def _inputbuffer(frame: Frame, node: DbccStatement, arguments: list[Any]) -> None:
    """The last text that a session sent. Another one's needs VIEW SERVER STATE (2571)."""
    session = frame.session
    if not arguments:
        raise sql_error(2526, span=node.span)
    spid = _number(arguments[0], node)
    if spid != session.spid and not has_right(session, "VIEW SERVER STATE", "SERVER"):
        raise sql_error(2571, session.login.name, "INPUTBUFFER", span=node.span)
    other = session.instance.sessions.get(spid)
    if other is None:
        raise sql_error(7955, arguments[0], span=node.span)
    text = other.current_statement
    columns = (
        ResultColumn("EventType", nvarchar(30)), ResultColumn("Parameters", SqlType("smallint")), ResultColumn("EventInfo", NVARCHAR_MAX),
    )  # fmt: skip
    session.emit(ResultSet(columns, [("Language Event" if text else "No Event", 0, text or None)]))


def _opentran(frame: Frame, node: DbccStatement, arguments: list[Any]) -> None:
    """The oldest open transaction of the instance: all databases share one store."""
    session = frame.session
    database = owned_database(session, arguments[0] if arguments else None, "opentran")
    sessions = list(session.instance.sessions.values())
    found = [(s.transaction.begin_time, s) for s in sessions if s.transaction is not None and s.trancount > 0]
    if not found:
        session.print("No active open transactions.")
        return
    begin_time, oldest = min(found, key=lambda transaction: transaction[0])
    began = local_time(session.instance.host, begin_time).strftime("%b %d %Y %I:%M:%S:%f")[:-3]
    name = oldest.transaction_name or "user_transaction"
    session.print(
        f"Transaction information for database '{database.name}'.\n\nOldest active transaction:\n"
        f"    SPID (server process ID): {oldest.spid}\n    UID (user ID) : -1\n    Name          : {name}\n"
        f"    Start time    : {began}"
    )


_COMMANDS: dict[str, Callable[[Frame, DbccStatement, list[Any]], None]] = {
    "CHECKDB": _checkdb,
    "CHECKIDENT": _checkident,
    "CHECKTABLE": _checktable,
    "USEROPTIONS": _useroptions,
    "INPUTBUFFER": _inputbuffer,
    "OPENTRAN": _opentran,
}
