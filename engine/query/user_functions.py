"""User functions with a scalar result, called from any expression; and the running of a function's body.

Decides when the function's type is known (when the statement is compiled, if the function is there) and that a function
cannot wait. What its statements do is theirs.
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import Module
from sbql.engine.invocation import run_in_frame
from sbql.engine.ports import Session
from sbql.engine.query.partition_numbers import compile_partition_number, names_partition_function
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security import check_permission
from sbql.engine.security.resolver import resolve
from sbql.engine.steps import LateBound, Return
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import NULL_TYPE, NVARCHAR_MAX, TABLE_TYPE, SqlType
from sbql.grammar.values.conversions import converter

__all__ = ["FunctionFrame", "compile_user_function", "find_function", "run_user_function"]


def compile_user_function(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """`schema.function(…)`. Raises 4121 when there is no such function, at run time if it may still be made."""
    if names_partition_function(node.name):
        return compile_partition_number(node, scope)
    arguments = [_argument(a, scope) for a in node.arguments if isinstance(a, ast.Expression)]
    scope.uses_user_types = True
    bound = LateBound(lambda session: find_function(session, node, len(arguments)))
    returns = _type_now(node, scope, len(arguments))

    def run(frame: Frame) -> Any:
        module = bound.get(frame.session)
        if not frame.session.contexts[-1].is_sa:
            check_permission(frame.session, "EXECUTE", module, frame.session.running_module)
        compiled = frame.session.instance.modules.module(module, frame.session)
        values = []
        for parameter, scalar in zip(compiled.parameters, arguments, strict=True):
            if scalar is not _DEFAULT:
                values.append(_given(parameter, scalar, frame))
            elif parameter.default is not None:
                values.append(_given(parameter, parameter.default, frame))
            else:
                raise sql_error(313, str(node.name), span=node.span)
        result = run_user_function(frame, module, values).result
        found = compiled.returns
        if found is None or found == returns:
            return result
        change = converter(found, returns, None, True)
        return result if change is None else change(result)

    return Scalar(returns, run)


_DEFAULT = Scalar(NULL_TYPE, lambda frame: None)


def _argument(node: ast.Expression, scope: Scope) -> Scalar:
    """A scalar, the name of a table variable, or DEFAULT."""
    if isinstance(node, ast.DefaultValue):
        return _DEFAULT
    slot = scope.table_slot(node.name) if isinstance(node, ast.VariableReference) else None
    return compile_scalar(node, scope) if slot is None else Scalar(TABLE_TYPE, lambda frame: frame.variables[slot])


def _given(parameter: Any, scalar: Scalar, frame: Frame) -> Any:
    """The value of a parameter: a table-valued one sees the rows of the variable. Raises 206."""
    value = scalar.run(frame)
    if (parameter.table is not None) != (scalar.type is TABLE_TYPE):
        raise sql_error(206, "table" if parameter.table is None else str(scalar.type), str(parameter.type))
    if parameter.table is not None:
        return value.as_parameter(parameter.name)
    change = converter(scalar.type, parameter.type)
    return value if change is None else change(value)


def find_function(session: Session, node: ast.FunctionCall, count: int) -> Module:
    """Raises 4121, 313, 8144."""
    found = resolve(session, node.name, Module, missing_ok=True)
    if found is None or found.type != "FN":
        written = str(node.name)
        raise sql_error(4121, written.split(".")[0], written, span=node.span)
    parameters = len(session.instance.modules.module(found, session).parameters)
    if count != parameters:
        raise sql_error(8144 if count > parameters else 313, str(node.name), span=node.span)
    return found


def _type_now(node: ast.FunctionCall, scope: Scope, count: int) -> SqlType:
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
    compiled = session.instance.modules.module(module, session)
    frame = FunctionFrame(session, compiled.scope.size)
    frame.module, frame.module_name = module, module.name
    for parameter, value in zip(compiled.parameters, values, strict=True):
        frame.variables[parameter.slot] = value
    for slot, value in (slots or {}).items():
        frame.variables[slot] = value
    rowcount = session.rowcount
    work = run_in_frame(session, compiled.step, frame, module)
    try:
        with session.told_to(None):
            next(work)
    except StopIteration as end:
        signal = end.value
    else:
        work.close()
        raise sql_error(40517, f"a wait inside the function {module.name}")
    finally:
        session.completed(rowcount)
    if isinstance(signal, Return):
        frame.result = signal.value
    return frame
