"""sp_executesql: a batch with parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from msgspec import Struct

from sbql.catalog.records import Table
from sbql.engine.batch.compiled_modules import DeclaredParameters
from sbql.engine.batch.execute import Argument, check_cursor_argument, check_table_argument, converted_argument, stays
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

    arguments, shape, session = call.arguments, call.shape, call.frame.session
    known: _Matched | None = shape.kept if shape is not None else None
    is_sure = known is not None or _are_texts(arguments)
    statement = arguments[0].value
    if statement is None:
        return 0
    text = arguments[1].value if len(arguments) > 1 else None
    try:
        declared = session.instance.modules.declared(str(text or ""), session)
    except SqlError as error:
        end_scope(error)  # as in the text itself: the batch outside goes on
        raise
    try:
        if known is None or known.declared is not declared:
            known = _matched(call, declared)
            if shape is not None and is_sure:
                shape.kept = known
        values = {name: arguments[place].value if give is None else give(call) for name, place, give in known.values}
    except SqlError as error:  # the text has no name, and line 0 as a procedure's arguments have
        raise error.of_call(None, 0 if arguments[2:] else 1) from None
    with session.deeper():  # @@NESTLEVEL in its text is two above the caller's
        _, frame, scope = yield from run_text(session, statement, values, declared.types)
        code = session.error_number
    for name, place in known.outputs:
        assign = arguments[place].assign
        assert assign is not None
        assign(frame.variables[scope.find(name).slot], declared.types[name])
    return code


def _are_texts(arguments: Sequence[Argument]) -> bool:
    """Raises 201 and 214 for what is no text of Unicode. False: only since @params is NULL are they as they should."""
    if not arguments:
        raise sql_error(201, "sp_executesql", "@statement", state=10).of_call("sp_executesql")
    is_sure = True
    for argument, what, state in zip(arguments, ("@statement", "@params"), (2, 3), strict=False):
        if argument.type.name not in ("nvarchar", "nchar", "ntext"):
            is_sure = False
            if argument.value is not None or what == "@statement":
                raise sql_error(214, what, "ntext/nchar/nvarchar", state=state).of_call("sp_executesql", 1)
    return is_sure


class _Matched(Struct, frozen=True):
    """Which argument each parameter gets, by the names and types alone of the arguments: name, place of the argument,
    and what gives its value where that does not stay as it is. `outputs`: name and place of those that come back."""

    declared: DeclaredParameters
    values: tuple[tuple[str, int, Callable[[ProcedureCall], Any] | None], ...]
    outputs: tuple[tuple[str, int], ...]


def _matched(call: ProcedureCall, declared: DeclaredParameters) -> _Matched:
    places = _match(call, declared)
    values = tuple(
        (name, places.get(name, -1), _giver(name, declared, places.get(name), call)) for name in declared.types
    )
    outputs = tuple((name, place) for name, place in places.items() if call.arguments[place].assign is not None)
    return _Matched(declared, values, outputs)


def _match(call: ProcedureCall, declared: DeclaredParameters) -> dict[str, int]:
    """The place of the argument that each parameter gets. What is missing is told before what is too much."""
    types, outputs, arguments = declared.types, declared.outputs, call.arguments
    names, values = list(types), arguments[2:]
    if values and not names:
        raise sql_error(8146, call.name)
    if sum(argument.name is None for argument in values) > len(names):
        raise sql_error(8144, call.name)
    found: dict[str, int] = {}
    unknown = False
    for place, argument in enumerate(values):
        name = names[place] if argument.name is None else argument.name.lower()
        if name in found:
            raise sql_error(8144, call.name)
        if name in types:
            found[name] = place + 2
        unknown = unknown or name not in types
    for name in names:
        is_missing = name not in found or arguments[found[name]].is_default
        if is_missing and name not in declared.defaults and not isinstance(types[name], Table):
            raise sql_error(8178, arguments[0].value, name)
    if unknown:
        raise sql_error(8144, call.name)
    for name, place in found.items():
        if arguments[place].assign is not None and name not in outputs:
            raise sql_error(8162, name, state=2)
    return found


def _giver(
    name: str, declared: DeclaredParameters, place: int | None, call: ProcedureCall
) -> Callable[[ProcedureCall], Any] | None:
    """What a parameter is given, None for the argument as it is; one of a table type that is given nothing has no rows.
    What is wrong with an argument is told when its turn comes."""
    wanted, default = declared.types[name], declared.defaults.get(name)
    if place is None or call.arguments[place].is_default:
        if default is not None:
            return lambda call: converter(default.type, wanted)(default.run(Frame(call.session, 0)))
        return lambda call: new_table_variable(name, wanted, call.session)
    at, source = place, call.arguments[place].type
    if wanted is CURSOR_TYPE:
        return lambda call: check_cursor_argument(name, call.arguments[at])
    if isinstance(wanted, Table):
        return lambda call: _rows(name, wanted, call.arguments[at], call)
    if source is TABLE_TYPE or source is CURSOR_TYPE:
        return lambda call: _refuse(sql_error(206, source.name, wanted.name))
    return None if stays(source, wanted) else lambda call: converted_argument(call.arguments[at], wanted)


def _rows(name: str, wanted: Table, argument: Argument, call: ProcedureCall) -> Any:
    check_table_argument(argument, wanted, call.session)
    return argument.value.as_parameter(name)


def _refuse(error: SqlError) -> NoReturn:
    raise error
