"""Compiling: what the compiler of a statement may ask of the compiler of the whole batch.

A Protocol, so that statements stand below the compiler that finds them by their node class; the class is
`compiler.Compiler`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from sbql.engine.ports import Session
from sbql.engine.running_lines import Tell
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.steps import Step
from sbql.grammar.ast import BinaryExpression, Condition, Expression, GotoStatement, Statement, VariableReference
from sbql.grammar.types import SqlType

__all__ = ["Compiler", "assignment"]


class Compiler(Protocol):
    """The compiler of one batch or module, as the handler of a statement sees it."""

    scope: Scope
    session: Session
    in_module: str
    text: str
    returns: SqlType | None
    loop_depth: int
    catch_depth: int
    heeds_options: bool
    tell_line: Tell | None

    @property
    def bindings(self) -> Any: ...

    @property
    def facts(self) -> Any: ...

    def scalar(self, node: Expression) -> Scalar: ...

    def condition(self, node: Condition) -> Callable[[Frame], bool | None]: ...

    def statement(self, node: Statement) -> Step: ...

    def block(self, nodes: Iterable[Statement], *, is_try: bool = False) -> Step: ...

    def whole(self, nodes: Iterable[Statement]) -> Step: ...

    def goto(self, node: GotoStatement) -> None: ...


def assignment(compiler: Compiler, name: str, value: Expression, op: str, node: Any) -> tuple[int, Scalar]:
    """The slot of a variable and the converted value for `@name op value`; `op` may be compound (`+=`)."""
    slot, target = compiler.scope.lookup(name, node.span)
    if op != "=":
        value = BinaryExpression(op[:-1], VariableReference(name, span=node.span), value, span=node.span)
    return slot, convert_scalar(compiler.scalar(value), target)
