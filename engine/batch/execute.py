"""EXEC: procedures, procedure variables, strings, return codes, OUTPUT parameters; and running any module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct

from sbql.catalog.records import Database, Module, Table, UserType
from sbql.engine import ports
from sbql.engine.batch.result_sets import described, wanted_sets
from sbql.engine.cursors.cursor import Cursor
from sbql.engine.describe.procedure_registry import SYSTEM_PROCEDURES, CallShape, ProcedureCall, SystemProcedure
from sbql.engine.describe.procedures import find_procedure
from sbql.engine.describe.system_modules import is_system_module, system_module
from sbql.engine.invocation import end_scope, run_in_frame, run_text
from sbql.engine.ports import Session
from sbql.engine.query.user_functions import run_user_function
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.conversion import converter
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import LateBound, Return, Step, handles
from sbql.engine.tables.table_variables import new_table_variable
from sbql.engine.work import Work
from sbql.grammar.ast import (
    ColumnReference,
    DefaultValue,
    ExecuteArgument,
    ExecuteStatement,
    ExecuteStringStatement,
    ObjectName,
    StringLiteral,
    VariableReference,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.types import CURSOR_TYPE, INT, NVARCHAR_MAX, TABLE_TYPE, SqlType
from sbql.grammar.values import conversions
from sbql.grammar.values.kinds import spelled

__all__ = [
    "Argument",
    "call_procedure",
    "check_cursor_argument",
    "check_table_argument",
    "converted_argument",
    "stays",
]

_NOTHING: Mapping[str, Any] = MappingProxyType({})
"""What a procedure without a header says of its arguments."""

_UNREADABLE = frozenset({220, 232, 235, 241, 242, 244, 245, 248, 8114, 8115, 8169})
"""Errors of text that is no value of a type, and of numbers that do not fit it."""


class Argument(Struct):
    """One actual argument. `name` None: by position. `is_default`: the word DEFAULT. `assign` stores an OUTPUT value
    back."""

    value: Any
    type: SqlType
    name: str | None = None
    is_default: bool = False
    assign: Callable[[Any, SqlType], None] | None = None


Evaluated = Callable[[Frame], Argument]


def _evaluated(name: str | None, value: Callable[[Frame], Any], own: SqlType, slot: int | None = None) -> Evaluated:
    """What makes the argument of each call; `slot` is the variable that an OUTPUT value goes to."""
    if slot is None:
        return lambda frame: Argument(value(frame), own, name)
    target = slot

    def with_output(frame: Frame) -> Argument:
        def assign(given: Any, source: SqlType) -> None:
            is_ready = source is own or own is CURSOR_TYPE
            frame.variables[target] = given if is_ready else converter(source, own)(given)

        return Argument(value(frame), own, name, False, assign)

    return with_output


def _always(argument: Argument) -> Evaluated:
    return lambda frame: argument


def _compile_argument(node: ExecuteArgument, compiler: Compiler) -> Evaluated:
    value = node.value
    if isinstance(value, DefaultValue):
        return _always(Argument(None, INT, node.name, is_default=True))
    if isinstance(value, ColumnReference):
        # A bare word as an argument is a string: EXEC sp_help Trades.
        value = StringLiteral(".".join(p.value for p in value.parts if p is not None), national=True, span=value.span)
    if isinstance(value, VariableReference):
        variable = compiler.scope.find(value.name)
        if variable is not None and variable.table is not None:
            table_slot = variable.slot
            return _evaluated(node.name, lambda frame: frame.variables[table_slot], TABLE_TYPE)
        if variable is not None and variable.is_cursor:
            slot = variable.slot if node.output else None
            own = variable.slot
            return _evaluated(node.name, lambda frame: frame.variables[own], CURSOR_TYPE, slot)
    scalar = compiler.scalar(value)
    if node.output:
        if not isinstance(value, VariableReference):
            raise sql_error(179)
        slot, _ = compiler.scope.lookup(value.name, value.span)
        return _evaluated(node.name, scalar.run, scalar.type, slot)
    if scalar.is_constant:
        return _always(Argument(scalar.value, scalar.type, node.name))
    return _evaluated(node.name, scalar.run, scalar.type)


@handles(ExecuteStatement)
def compile_execute(node: ExecuteStatement, compiler: Compiler) -> Step:
    arguments = [_compile_argument(a, compiler) for a in node.arguments]
    _check_order(node.arguments)
    result = compiler.scope.lookup(node.result, node.span) if node.result is not None else None
    sets = wanted_sets(node.result_sets, compiler.scope)
    if isinstance(node.procedure, str):
        holder = compiler.scalar(VariableReference(node.procedure, span=node.span)).run
        bound: LateBound[Any] | None = None
    else:
        holder, name = None, node.procedure
        is_bare = (name.span.line, name.span.column) == (node.span.line, node.span.column)
        bound = LateBound(lambda session: (find_procedure(session, name, is_bare=is_bare), CallShape()))

    def run(frame: Frame) -> Work:
        session = frame.session
        if bound is not None:
            target, shape = bound.get(session)
        else:
            assert holder is not None
            shape = None
            target = find_procedure(session, _name_in_variable(holder(frame)))
        if frame.module is not None and frame.module.type in ("FN", "TF") and not _is_for_functions(target):
            raise sql_error(557)
        values = [evaluate(frame) for evaluate in arguments]
        try:
            if sets is None:
                code, kind = yield from call_procedure(target, values, frame, shape)
            else:
                with described(session, sets):
                    code, kind = yield from call_procedure(target, values, frame, shape)
        except SqlError as error:
            failed = _code_of_failure(target, error)
            if result is not None and failed is not None and session.try_depth == 0:
                frame.variables[result[0]] = converter(INT, result[1])(failed)
            raise
        if result is not None:
            frame.variables[result[0]] = converter(kind, result[1])(code)

    return Step(run, waits=True)


_FAILURES: Final = {"sp_getapplock": -999, "sp_releaseapplock": -999}


def _code_of_failure(target: object, error: SqlError) -> int | None:
    """The return code of a system procedure that has failed: what its page documents, of most that it is not 0; that of
    sp_executesql is the number of the error. None where the arguments do not fit, and for what T-SQL has a body of."""
    if not isinstance(target, SystemProcedure):
        return None
    if target.name == "sp_executesql":
        return error.number if error.procedure != target.name else None
    return _FAILURES.get(target.name, 1) if error.call_line is None else None


def _is_for_functions(target: Any) -> bool:
    """Functions, and the extended procedures."""
    return target.type == "FN" if isinstance(target, Module) else str(getattr(target, "name", target)).startswith("xp_")


def _check_order(arguments: Sequence[ExecuteArgument]) -> None:
    """After a named argument all must be named (119)."""
    named_at = 0
    for place, argument in enumerate(arguments, 1):
        if argument.name is not None:
            named_at = named_at or place
        elif named_at:
            raise sql_error(119, place, span=argument.span)


def _name_in_variable(text: Any) -> ObjectName:
    if text is None or not str(text).strip():
        raise sql_error(2812, "")
    return parse_object_name(str(text))


def call_procedure(
    target: Module | SystemProcedure, arguments: Sequence[Argument], frame: Frame, shape: CallShape | None = None
) -> Work:
    """Run a user or system procedure, or a scalar function. Returns its return code or value, with the type of that.
    `shape` is of the EXEC in whose text the arguments stand."""
    if isinstance(target, Module):
        if target.type == "FN":
            return _call_function(target, arguments, frame)
        return (yield from run_module(frame.session, target, arguments)), INT
    session = frame.session
    if target.database_id in (None, session.database_id):
        return (yield from _system_work(target, arguments, frame, shape)), INT
    database = session.catalog.get(Database, 0, target.database_id or 0)
    assert database is not None, "find_procedure has found it"
    with session.keeping_context():
        session.use(database.name)
        return (yield from _system_work(target, arguments, frame, shape)), INT


def _system_work(target: SystemProcedure, arguments: Sequence[Argument], frame: Frame, shape: CallShape | None) -> Work:
    """What a procedure that is Python does. Its header, where it has one, says what its arguments are, as that of any
    procedure does."""
    session, run = frame.session, SYSTEM_PROCEDURES[target.name]
    header = system_module(target.name, session.database_id)
    if header is None:
        return run(ProcedureCall(target.name, arguments, frame, _NOTHING, _NOTHING, shape))
    module = session.instance.modules.module(header, session)
    own = module.new_frame(session)
    outputs = {p.name.lower(): partial(_give, p, argument) for p, argument in _bind_arguments(module, arguments, own)}
    given = {p.name.lower(): own.variables[p.slot] for p in module.parameters}
    return run(ProcedureCall(target.name, arguments, frame, given, outputs, shape))


def _give(parameter: Any, argument: Argument, value: Any) -> None:
    assert argument.assign is not None
    argument.assign(value, parameter.type)


def _call_function(target: Module, arguments: Sequence[Argument], frame: Frame) -> tuple[Any, SqlType]:
    """EXEC of a function: arguments as those of a procedure, by name and with defaults too."""
    session = frame.session
    _check_right(session, target)
    module = session.instance.modules.module(target, session)
    given = module.new_frame(session)
    _bind_arguments(module, arguments, given)
    values = [given.variables[parameter.slot] for parameter in module.parameters]
    assert module.returns is not None
    return run_user_function(frame, target, values).result, module.returns


def _check_right(session: Session, record: Module) -> None:
    """Raises 229, which is told of the procedure that was called, in its line 1."""
    try:
        session.instance.check_permission(session, "EXECUTE", record, session.running_module)
    except SqlError as error:
        raise (error.of_call(record.name, 1) if error.number == 229 else error) from None


def run_module(session: Session, record: Module, arguments: Sequence[Argument]) -> Work:
    """Run a procedure in a frame of its own and hand OUTPUT values back. Returns the return code.

    SET options, EXECUTE AS and temp tables of the procedure end with it. Raises 217 beyond 32 levels, 201, 8144, 8145
    for arguments that do not fit; reports 266 when the transaction count differs at the end.
    """
    if not is_system_module(record):
        _check_right(session, record)
    try:
        module = session.instance.modules.module(record, session)
    except SqlError as error:
        end_scope(error)
        raise
    frame = module.new_frame(session)
    frame.module_name = record.name
    frame.module = record
    outputs = _bind_arguments(module, arguments, frame)
    signal = yield from run_in_frame(session, module.step, frame, record)
    for parameter, argument in outputs:
        assert argument.assign is not None
        argument.assign(_returned(frame.variables[parameter.slot]), parameter.type)
    if isinstance(signal, Return) and signal.value is not None:
        return signal.value
    # Without a value of its own the procedure tells of its errors: -6 after one of severity 16.
    return 10 - frame.worst_severity if frame.worst_severity > 10 else 0


def _returned(value: Any) -> Any:
    """What a parameter with OUTPUT brings back: a cursor only if it is open."""
    return None if isinstance(value, Cursor) and value.rows is None else value


def _bind_arguments(
    module: ports.CompiledModule, arguments: Sequence[Argument], frame: ports.Frame
) -> list[tuple[Any, Argument]]:
    """Put arguments and defaults into the parameters' slots. Returns the OUTPUT pairs to copy back. What is wrong with
    them is told of the procedure that was called, in its line 0."""
    try:
        return _bound(module, arguments, frame)
    except SqlError as error:
        raise error.of_call(module.record.name) from None


def _bound(
    module: ports.CompiledModule, arguments: Sequence[Argument], frame: ports.Frame
) -> list[tuple[Any, Argument]]:
    name = module.record.name
    if arguments and not module.parameters:
        error = sql_error(8146, name)
        error.batch_aborting = True
        raise error
    if len(arguments) > len(module.parameters):
        raise sql_error(8144, name)
    given: dict[int, Argument] = {}
    for place, argument in enumerate(arguments):
        parameter = module.parameters[place] if argument.name is None else _parameter(module, argument.name)
        if parameter is None:
            raise sql_error(8145, argument.name, name)
        if parameter.slot in given:
            raise sql_error(8143, parameter.name)
        given[parameter.slot] = argument
    outputs = []
    for parameter in module.parameters:
        passed = given.get(parameter.slot)
        if parameter.table is not None:
            frame.variables[parameter.slot] = _table_value(parameter, passed, frame)
            continue
        if parameter.type is CURSOR_TYPE and passed is not None:
            check_cursor_argument(parameter.name, passed)
            outputs += [(parameter, passed)] if passed.assign is not None else []
            continue
        if passed is None or passed.is_default:
            if parameter.default is None:
                raise sql_error(201, name, parameter.name)
            value = converter(parameter.default.type, parameter.type)(parameter.default.run(frame))
        else:
            if passed.type is TABLE_TYPE or passed.type is CURSOR_TYPE:
                raise sql_error(206, passed.type.name, spelled(parameter.type))
            value = converted_argument(passed, parameter.type)
            if passed.assign is not None:
                if not parameter.output:
                    raise sql_error(8162, parameter.name, state=2)
                outputs.append((parameter, passed))
        frame.variables[parameter.slot] = value
    return outputs


def _parameter(module: ports.CompiledModule, name: str) -> Any:
    """A parameter by its name, None if there is none."""
    wanted = name.lower()
    return next((p for p in module.parameters if p.name.lower() == wanted), None)


def converted_argument(argument: Argument, wanted: SqlType) -> Any:
    """An argument as its parameter wants it. Raises 8114 for a value that the type does not have."""
    if argument.type is wanted and wanted is INT:  # of most calls
        return argument.value
    try:
        return converter(argument.type, wanted)(argument.value)
    except SqlError as error:
        if error.number not in _UNREADABLE:
            raise
        told = sql_error(8114, argument.type.name, wanted.name)
        told.batch_aborting = told.dooms_transaction = False
        raise told from None


def stays(source: SqlType, wanted: SqlType) -> bool:
    """Whether `converted_argument` leaves every value of a type as it is."""
    try:
        return source is wanted or conversions.converter(source, wanted, None, False) is None
    except SqlError:  # told at the call
        return False


def check_cursor_argument(name: str, argument: Argument) -> None:
    """The parameter `name`, CURSOR OUTPUT, starts without a cursor. Raises 206 for an argument that is no cursor
    variable, 16951 for one with a cursor."""
    if argument.type is not CURSOR_TYPE:
        raise sql_error(206, str(argument.type), "cursor")
    if argument.value is not None:
        raise sql_error(16951, name)


def _table_value(parameter: Any, argument: Argument | None, frame: ports.Frame) -> Any:
    """The rows of a table-valued parameter, read-only; none given: no rows. Raises 206 for another kind of argument."""
    if argument is None or argument.is_default:
        return new_table_variable(parameter.name, parameter.table, frame.session)
    check_table_argument(argument, parameter.table, frame.session)
    return argument.value.as_parameter(parameter.name)


def check_table_argument(argument: Argument, wanted: Table, session: Session) -> None:
    """A table-valued parameter takes a variable of its own table type. Raises 206 for any other, and for a value."""
    if argument.type is TABLE_TYPE and argument.value.table.id == wanted.id:
        return
    found = session.catalog.all(UserType, session.database_id)
    names = {user_type.table.id: user_type.name for user_type in found if user_type.table is not None}
    given = names.get(argument.value.table.id, "table") if argument.type is TABLE_TYPE else str(argument.type)
    raise sql_error(206, given, names.get(wanted.id, "table"))


@handles(ExecuteStringStatement)
def compile_execute_string(node: ExecuteStringStatement, compiler: Compiler) -> Step:
    """EXEC ('…' + @v): compiled and run as a batch of its own, which sees temp tables but no variables.

    The sign between the pieces is no operator: each piece becomes text, a number too, and NULL nothing.
    """
    if node.at_server is not None:
        raise sql_error(40517, "EXECUTE … AT linked server", span=node.span)
    if node.values:
        raise sql_error(102, ",", span=node.values[0].span)
    parts = [compiler.scalar(p) for p in node.pieces]
    sets = wanted_sets(node.result_sets, compiler.scope)
    to_text = [converter(p.type, NVARCHAR_MAX) for p in parts]

    def run(frame: Frame) -> Work:
        session = frame.session
        text = "".join(convert(p.run(frame)) or "" for p, convert in zip(parts, to_text, strict=True))
        with session.keeping_context(), described(session, sets):
            if node.as_kind is not None:
                session.instance.impersonate(session, node.as_kind, node.as_name)
            yield from run_text(session, text)

    return Step(run, waits=True)
