"""User functions with a scalar result, called from any expression; and the running of a function's body.

Decides when the function's type is known (when the statement is compiled, if the function is there) and that a function
cannot wait. What its statements do is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from sbql.catalog.records import Module
from sbql.engine.invocation import NEST_MAX, run_in_frame, run_plainly
from sbql.engine.ports import Session
from sbql.engine.query.only_expression import only_expression
from sbql.engine.query.partition_numbers import compile_partition_number, names_partition_function
from sbql.engine.query.quick_bodies import quick_body
from sbql.engine.running_lines import are_heard
from sbql.engine.scalars.expressions import compile_scalar, convert_scalar
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security import check_permission
from sbql.engine.security.resolver import in_text_of, resolve
from sbql.engine.steps import LateBound, Return, Step
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import walk
from sbql.grammar.types import NULL_TYPE, NVARCHAR_MAX, TABLE_TYPE, SqlType
from sbql.grammar.values.conversions import converter

__all__ = ["compile_user_function", "find_function", "run_compiled_function", "run_user_function"]


def compile_user_function(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """`schema.function(…)`. Raises 4121 when there is no such function, at run time if it may still be made."""
    if names_partition_function(node.name):
        return compile_partition_number(node, scope)
    arguments = [_argument(a, scope) for a in node.arguments if isinstance(a, ast.Expression)]
    scope.uses_user_types = True
    returns = _type_now(node, scope)

    def find(session: Session) -> Module:
        return find_function(session, node, len(arguments))

    bound = LateBound(lambda session: _bound(session, node, arguments, returns, find))

    def run(frame: Frame) -> Any:
        session = frame.session
        call = bound.get(session)
        if not session.contexts[-1].is_sa:
            check_permission(session, "EXECUTE", call.module, session.running_module)
        result = call.result(frame) if call.value is None or session.nest_level >= NEST_MAX else call.quickly(frame)
        return result if call.change is None else call.change(result)

    return Scalar(returns, run)


_DEFAULT = Scalar(NULL_TYPE, lambda frame: None)


def _argument(node: ast.Expression, scope: Scope) -> Scalar:
    """A scalar, the name of a table variable, or DEFAULT."""
    if isinstance(node, ast.DefaultValue):
        return _DEFAULT
    slot = scope.table_slot(node.name) if isinstance(node, ast.VariableReference) else None
    return compile_scalar(node, scope) if slot is None else Scalar(TABLE_TYPE, lambda frame: frame.variables[slot])


class _Call(Struct, frozen=True):
    """A call that is bound. `given` are the parameters' slots and what makes their values, `value` makes the result
    where the body is no more than an expression over them, `change` what the caller was promised of it. `null_on_null`:
    a NULL among them is the result, and the body does not run."""

    module: Module
    given: tuple[tuple[int, Callable[[Frame], Any]], ...]
    size: int
    value: Callable[[Frame], Any] | None
    change: Callable[[Any], Any] | None
    null_on_null: bool

    def result(self, frame: Frame) -> Any:
        values = [give(frame) for _, give in self.given]
        if self.null_on_null and any(value is None for value in values):
            return None
        return run_user_function(frame, self.module, values).result

    def quickly(self, frame: Frame) -> Any:
        """By `value` alone, which is there."""
        assert self.value is not None
        own = FunctionFrame(frame.session, self.size)
        variables = own.variables
        for slot, give in self.given:
            variables[slot] = give(frame)
        try:
            return self.value(own)
        except SqlError:  # the body says where
            return run_user_function(frame, self.module, [variables[slot] for slot, _ in self.given]).result


def _bound(
    session: Session,
    node: ast.FunctionCall,
    arguments: list[Scalar],
    returns: SqlType,
    find: Callable[[Session], Module],
) -> _Call:
    module = find(session)
    compiled = session.instance.modules.module(module, session)
    given = tuple((p.slot, _giving(p, a, node)) for p, a in zip(compiled.parameters, arguments, strict=True))
    found = compiled.returns
    change = None if found is None or found == returns else converter(found, returns, None, True)
    null_on_null = "RETURNS NULL ON NULL INPUT" in compiled.node.options
    return _Call(module, given, compiled.scope.size, _value(session, compiled), change, null_on_null)


def _value(session: Session, compiled: Any) -> Callable[[Frame], Any] | None:
    """What the function returns, if that is an expression which asks nothing of the frame and session around it."""
    record = compiled.record
    if (
        session.options.deviations
        or are_heard()  # RETURN is a line that runs
        or not record.uses_ansi_nulls
        or {record.database_id} != {session.database_id, session.contexts[-1].database_id}
    ):
        return None
    expression = only_expression(compiled.node)
    if expression is None:
        return _value_of_body(session, compiled)
    if record.execute_as != "CALLER" or not all(map(_is_pure, walk(expression))):
        return None
    try:
        with in_text_of(session, record):
            value = convert_scalar(compile_scalar(expression, compiled.scope.of(session)), compiled.returns).run
    except SqlError:
        return None
    return value


def _value_of_body(session: Session, compiled: Any) -> Callable[[Frame], Any] | None:
    """The same for a body of more statements (a loop, most often), if these ask nothing either."""
    body = quick_body(session, compiled)
    if body is None:
        return None
    run = body.run

    def value(frame: Frame) -> Any:
        signal = run(frame)
        return signal.value if isinstance(signal, Return) else None

    return value


def _is_pure(node: object) -> bool:
    return not isinstance(node, ast.FunctionCall) or (len(node.name.parts) == 1 and node.name.name.upper() in _PURE)


_PURE = frozenset(
    "ABS ASCII CEILING CHAR CHARINDEX COALESCE CONCAT DATEADD DATEDIFF DATEFROMPARTS DATEPART DAY EOMONTH EXP FLOOR IIF ISNULL LEFT LEN LOG LOWER LTRIM MONTH"
    " NCHAR NULLIF PATINDEX POWER REPLACE REPLICATE REVERSE RIGHT ROUND RTRIM SIGN SPACE SQRT SQUARE STR STUFF SUBSTRING TRIM UNICODE UPPER YEAR".split()
)
"""Functions of their arguments alone."""


def _giving(parameter: Any, scalar: Scalar, node: ast.FunctionCall) -> Callable[[Frame], Any]:
    """What makes the value of a parameter: a table-valued one sees the rows of the variable. Raises 206, 257, 313."""
    if scalar is _DEFAULT:
        if parameter.default is None:
            raise sql_error(313, str(node.name), span=node.span)
        scalar = parameter.default
    run = scalar.run
    if (parameter.table is not None) != (scalar.type is TABLE_TYPE):
        given = "table" if parameter.table is None else str(scalar.type)
        raise sql_error(206, given, str(parameter.type))
    if parameter.table is not None:
        return lambda frame: run(frame).as_parameter(parameter.name)
    change = converter(scalar.type, parameter.type)
    return run if change is None else lambda frame: change(run(frame))


def find_function(session: Session, node: ast.FunctionCall, count: int) -> Module:
    """Raises 4121, 313, 8144."""
    found = resolve(session, node.name, Module, missing_ok=True)
    if found is None or found.type != "FN":
        written = str(node.name)
        raise sql_error(4121, written.split(".")[0], written, span=node.span)
    parameters = session.instance.modules.parameter_count(found)
    if count != parameters:
        raise sql_error(8144 if count > parameters else 313, str(node.name), state=2, span=node.span)
    return found


def _type_now(node: ast.FunctionCall, scope: Scope) -> SqlType:
    session = scope.session
    if session is None:
        return NVARCHAR_MAX
    found = resolve(session, node.name, Module, missing_ok=True)
    if found is None or found.type != "FN":
        return NVARCHAR_MAX
    returns = session.instance.modules.returns(found, session)
    return returns if returns is not None else NVARCHAR_MAX


class FunctionFrame(Frame):
    """The frame of a function that has ended, with its result."""

    result: Any = None


def run_user_function(
    caller: Frame, module: Module, values: list[Any], slots: dict[int, Any] | None = None
) -> FunctionFrame:
    """Run a function's body to its end. Returns its frame, whose `result` is what RETURN gave, of the function's type.
    `slots` are variables that have a value before the body begins."""
    session = caller.session
    return run_compiled_function(session, session.instance.modules.module(module, session), values, slots)


def run_compiled_function(
    session: Session, compiled: Any, values: Sequence[Any], slots: dict[int, Any] | None = None
) -> FunctionFrame:
    """As `run_user_function`, for the CompiledModule of a function."""
    module, step = compiled.record, compiled.step
    frame = FunctionFrame(session, compiled.scope.size)
    frame.module, frame.module_name = module, module.name
    variables = frame.variables
    for parameter, value in zip(compiled.parameters, values, strict=True):
        variables[parameter.slot] = value
    for slot, value in (slots or {}).items():
        variables[slot] = value
    rowcount = session.rowcount
    try:
        with session.told_to(None):
            run = _ended if step.waits else run_plainly
            signal = run(session, step, frame, module)
    finally:
        session.completed(rowcount)
    if isinstance(signal, Return):
        frame.result = signal.value
    return frame


def _ended(session: Session, step: Step, frame: FunctionFrame, module: Module) -> Any:
    """A body with statements that may wait, which none does in a function."""
    work = run_in_frame(session, step, frame, module)
    try:
        next(work)
    except StopIteration as end:
        return end.value
    work.close()
    raise sql_error(40517, f"a wait inside the function {module.name}")
