"""$PARTITION.function(value): the partition in which a value would lie.

Decides which function the name means; where the boundaries are is `describe/partitions`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.catalog.records import Database, PartitionFunction
from sbql.engine.describe.partitions import partition_number
from sbql.engine.ports import Session
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.steps import LateBound
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT
from sbql.grammar.values.conversions import converter

__all__ = ["compile_partition_number", "names_partition_function"]


def names_partition_function(name: ast.ObjectName) -> bool:
    """Whether a call is $PARTITION.function or database.$PARTITION.function."""
    return (name.schema or "").upper() == "$PARTITION"


def compile_partition_number(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """Raises 208 for a function that is not there when it runs, 174 for another number of arguments."""
    if len(node.arguments) != 1 or not isinstance(node.arguments[0], ast.Expression):
        raise sql_error(174, str(node.name), 1, span=node.span)
    argument = compile_scalar(node.arguments[0], scope)

    def bind(session: Session) -> tuple[Callable[[Any], Any] | None, Callable[[Any], int]]:
        function = _find(session, node.name)
        return converter(argument.type, function.type, None, False), partition_number(function)

    bound = LateBound(bind)

    def run(frame: Frame) -> int:
        change, number = bound.get(frame.session)
        value = argument.run(frame)
        return number(value if change is None else change(value))

    return Scalar(INT, run)


def _find(session: Session, name: ast.ObjectName) -> PartitionFunction:
    home = session.database_id
    if name.database is not None:
        database = session.catalog.find(Database, 0, name.database)
        if database is None:
            raise sql_error(911, name.database, span=name.span)
        home = database.id
    found = session.catalog.find(PartitionFunction, home, name.name)
    if found is None:
        raise sql_error(208, name.name, span=name.span)
    return found
