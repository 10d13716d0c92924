"""Prepared statements, as drivers use them: sp_prepare, sp_execute, sp_prepexec, sp_prepexecrpc, sp_unprepare; and what
a statement's result set and parameters are: sp_describe_first_result_set, sp_describe_undeclared_parameters.

Decides handles, which belong to the session. Running is sp_executesql's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from sbql.engine.batch.execute import call_procedure, converted_argument
from sbql.engine.describe.columns import RESULT_COLUMNS, WIRE_COLUMNS, column_facts, wire_facts
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.describe.procedures import find_procedure
from sbql.engine.describe.result_sets import describe_batch
from sbql.engine.describe.undeclared import PARAMETER_COLUMNS, undeclared_parameters
from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.system.dynamic import sp_executesql
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.types import INT, NVARCHAR_MAX

__all__ = ["PreparedCall", "keep"]


class PreparedCall(NamedTuple):
    """A call of a procedure, among the prepared statements."""

    declarations: None
    name: str


def _prepare(call: ProcedureCall) -> int:
    """Check the text and keep it. Returns its handle. Raises 214 for what is not
    Unicode text, 8180 after other errors."""
    if len(call.arguments) < 3:
        raise sql_error(201, call.name, "@stmt")
    parameters, statement = call.arguments[1], call.arguments[2]
    for argument, name in ((parameters, "@params"), (statement, "@statement")):
        if argument.value is not None and argument.type.name not in ("nvarchar", "nchar", "ntext"):
            raise sql_error(214, name, "ntext/nchar/nvarchar")
    call.session.instance.modules.parse(str(statement.value or ""))
    return keep(call, (parameters.value, str(statement.value or "")))


def keep(call: ProcedureCall, prepared: Any) -> int:
    """Give it a handle, which goes back to the caller. A handle that comes in is the one before, and dropped: ODBC
    prepares a changed statement so, and never says sp_unprepare."""
    session, given = call.session, call.arguments[0]
    if given.value is not None and given.assign is not None:
        session.prepared.pop(converted_argument(given, INT), None)
    handle = max(session.prepared, default=0) + 1
    session.prepared[handle] = prepared
    if given.assign is not None:
        given.assign(handle, INT)
    return handle


@procedure("sp_prepare")
def sp_prepare(call: ProcedureCall) -> Work:
    """sp_prepare @handle OUTPUT, @params, @stmt [, @options]."""
    _prepare(call)
    return 0
    yield


@procedure("sp_prepexec")
def sp_prepexec(call: ProcedureCall) -> Work:
    """sp_prepexec @handle OUTPUT, @params, @stmt [, values …]."""
    handle = _prepare(call)
    return (yield from _execute(call, handle, call.arguments[3:]))


@procedure("sp_prepexecrpc")
def sp_prepexecrpc(call: ProcedureCall) -> Work:
    """sp_prepexecrpc @handle OUTPUT, @name [, values …]: a call of a procedure that sp_execute repeats."""
    if len(call.arguments) < 2:
        raise sql_error(201, call.name, "@rpccall")
    prepared = PreparedCall(None, str(call.arguments[1].value or ""))
    find_procedure(call.session, parse_object_name(prepared.name))
    keep(call, prepared)
    return (yield from _call(call, prepared.name, call.arguments[2:]))


def _call(call: ProcedureCall, name: str, values: Any) -> Work:
    target = find_procedure(call.session, parse_object_name(name))
    code, _ = yield from call_procedure(target, values, call.frame)
    return code


@procedure("sp_execute")
def sp_execute(call: ProcedureCall) -> Work:
    """sp_execute @handle [, values …]. Raises 8179."""
    if not call.arguments:
        raise sql_error(201, call.name, "@handle")
    return (yield from _execute(call, converted_argument(call.arguments[0], INT), call.arguments[1:]))


def _execute(call: ProcedureCall, handle: int, values: Any) -> Work:
    known = call.session.prepared.get(handle)
    if known is None:
        raise sql_error(8179, handle)
    if isinstance(known, PreparedCall):
        return (yield from _call(call, known.name, values))
    first = msgspec.structs.replace(call.arguments[0], value=known[1], type=NVARCHAR_MAX, name=None, assign=None)
    declared = msgspec.structs.replace(first, value=known[0])
    inner = ProcedureCall("sp_executesql", (first, declared, *values), call.frame, shape=call.shape)
    return (yield from sp_executesql(inner))


@procedure("sp_unprepare")
def sp_unprepare(call: ProcedureCall) -> Work:
    """sp_unprepare @handle. Raises 8179."""
    (handle,) = call.values(required=1)
    if call.session.prepared.pop(handle, None) is None:
        raise sql_error(8179, handle)
    return 0
    yield


@procedure("sp_describe_first_result_set")
def sp_describe_first_result_set(call: ProcedureCall) -> Work:
    """sp_describe_first_result_set @tsql [, @params [, @browse_information_mode]]. A
    batch without one gives no rows."""
    text, parameters, mode = call.values(required=1)
    session = call.session
    columns = describe_batch(session, text, parameters) or ()
    browse = mode or 0
    rows = [(*column_facts(session, c, i, browse), *wire_facts(c)) for i, c in enumerate(columns, 1)]
    shown = [ResultColumn(name, sql_type) for name, sql_type in (*RESULT_COLUMNS, *WIRE_COLUMNS)]
    session.emit(ResultSet(shown, rows))
    return 0
    yield


@procedure("sp_describe_undeclared_parameters")
def sp_describe_undeclared_parameters(call: ProcedureCall) -> Work:
    """sp_describe_undeclared_parameters @tsql [, @params]. Raises 11502, 11503."""
    text, parameters = call.values(required=1)
    rows = undeclared_parameters(call.session, text, parameters)
    call.session.emit(ResultSet([ResultColumn(name, sql_type) for name, sql_type in PARAMETER_COLUMNS], rows))
    return 0
    yield
