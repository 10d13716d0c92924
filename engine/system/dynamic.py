"""sp_executesql: a batch with parameters."""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import Table
from sbql.engine.batch.execute import converted_argument
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.invocation import end_scope, run_text
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import TABLE_TYPE


@procedure("sp_executesql")
def sp_executesql(call: ProcedureCall) -> Work:
    """sp_executesql @stmt [, @params, values…]: OUTPUT parameters come back, and it returns what @@ERROR is at the end of the text. Raises 214 for a statement
    that is not Unicode."""

    if not call.arguments:
        raise sql_error(201, "sp_executesql", "@stmt")
    statement = call.arguments[0]
    if statement.type.name not in ("nvarchar", "nchar", "ntext"):
        raise sql_error(214, "@statement", "ntext/nchar/nvarchar")
    if statement.value is None:
        return 0
    text = call.arguments[1].value if len(call.arguments) > 1 else None
    try:
        declared = call.session.instance.modules.declared(str(text or ""), call.session)
    except SqlError as error:
        end_scope(error)  # as in the text itself: the batch outside goes on
        raise
    types = declared.types
    values: dict[str, Any] = {}
    given = _match(call, list(types))
    for name, sql_type in types.items():
        argument = given.get(name)
        if argument is None:
            raise sql_error(8178, statement.value, name)
        if isinstance(sql_type, Table) != (argument.type is TABLE_TYPE):
            raise sql_error(206, str(argument.type), sql_type.name)
        if isinstance(sql_type, Table):
            values[name] = argument.value.as_parameter(name)
        else:
            values[name] = converted_argument(argument, sql_type)
    with call.session.deeper():  # @@NESTLEVEL in its text is two above the caller's
        _, frame, scope = yield from run_text(call.session, statement.value, values, types)
        code = call.session.error_number
    for name, argument in given.items():
        if argument.assign is not None:
            if name not in declared.outputs:
                raise sql_error(8162, name, state=2)
            slot, _ = scope.lookup(name)
            argument.assign(frame.variables[slot], types[name])
    return code


def _match(call: ProcedureCall, names: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for place, argument in enumerate(call.arguments[2:]):
        name = argument.name.lower() if argument.name is not None else names[place] if place < len(names) else None
        if name is None or name not in names:
            raise sql_error(8144, "sp_executesql") if name is None else sql_error(8145, argument.name, "sp_executesql")
        found[name] = argument
    return found
