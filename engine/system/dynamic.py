"""sp_executesql: a batch with parameters."""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import Table
from sbql.engine.batch.compiled_modules import DeclaredParameters
from sbql.engine.batch.execute import Argument, check_cursor_argument, check_table_argument, converted_argument
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.invocation import end_scope, run_text
from sbql.engine.scalars.conversion import converter
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.table_variables import new_table_variable
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import CURSOR_TYPE, TABLE_TYPE

__all__ = ["sp_executesql"]


@procedure("sp_executesql")
def sp_executesql(call: ProcedureCall) -> Work:
    """sp_executesql @stmt [, @params, values…]: OUTPUT parameters come back, and it returns what @@ERROR is at the end
    of the text. Raises 214 for a statement that is not Unicode."""

    if not call.arguments:
        raise sql_error(201, "sp_executesql", "@statement", state=10).of_call("sp_executesql")
    statement = call.arguments[0]
    for argument, what, state in zip(call.arguments, ("@statement", "@params"), (2, 3), strict=False):
        is_null = argument.value is None and what == "@params"
        if argument.type.name not in ("nvarchar", "nchar", "ntext") and not is_null:
            raise sql_error(214, what, "ntext/nchar/nvarchar", state=state).of_call("sp_executesql", 1)
    if statement.value is None:
        return 0
    text = call.arguments[1].value if len(call.arguments) > 1 else None
    try:
        declared = call.session.instance.modules.declared(str(text or ""), call.session)
    except SqlError as error:
        end_scope(error)  # as in the text itself: the batch outside goes on
        raise
    try:
        given = _match(call, declared)
        values = {name: _value(name, declared, given.get(name), call) for name in declared.types}
    except SqlError as error:  # the text has no name, and line 0 as a procedure's arguments have
        raise error.of_call(None, 0 if call.arguments[2:] else 1) from None
    with call.session.deeper():  # @@NESTLEVEL in its text is two above the caller's
        _, frame, scope = yield from run_text(call.session, statement.value, values, declared.types)
        code = call.session.error_number
    for name, argument in given.items():
        if argument.assign is not None:
            is_cursor = declared.types[name] is CURSOR_TYPE
            slot = scope.lookup_cursor(name) if is_cursor else scope.lookup(name)[0]
            argument.assign(frame.variables[slot], declared.types[name])
    return code


def _match(call: ProcedureCall, declared: DeclaredParameters) -> dict[str, Argument]:
    """Which argument each parameter gets. What is missing is told before what is too much."""
    types, outputs = declared.types, declared.outputs
    names, values = list(types), call.arguments[2:]
    if values and not names:
        raise sql_error(8146, call.name)
    if sum(argument.name is None for argument in values) > len(names):
        raise sql_error(8144, call.name)
    found: dict[str, Argument] = {}
    unknown = False
    for place, argument in enumerate(values):
        name = names[place] if argument.name is None else argument.name.lower()
        if name in found:
            raise sql_error(8144, call.name)
        if name in types:
            found[name] = argument
        unknown = unknown or name not in types
    for name in names:
        is_missing = name not in found or found[name].is_default
        if is_missing and name not in declared.defaults and not isinstance(types[name], Table):
            raise sql_error(8178, call.arguments[0].value, name)
    if unknown:
        raise sql_error(8144, call.name)
    for name, argument in found.items():
        if argument.assign is not None and name not in outputs:
            raise sql_error(8162, name, state=2)
    return found


def _value(name: str, declared: DeclaredParameters, argument: Argument | None, call: ProcedureCall) -> Any:
    """What a parameter is given; one of a table type that is given nothing has no rows."""
    sql_type, default = declared.types[name], declared.defaults.get(name)
    if argument is None or argument.is_default:
        if default is not None:
            return converter(default.type, sql_type)(default.run(Frame(call.session, 0)))
        return new_table_variable(name, sql_type, call.session)
    if sql_type is CURSOR_TYPE:
        check_cursor_argument(name, argument)
        return None
    if isinstance(sql_type, Table):
        check_table_argument(argument, sql_type, call.session)
    elif argument.type is TABLE_TYPE:
        raise sql_error(206, "table", sql_type.name)
    return argument.value.as_parameter(name) if isinstance(sql_type, Table) else converted_argument(argument, sql_type)
