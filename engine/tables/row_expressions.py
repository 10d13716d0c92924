"""Expressions over the columns of a row, evaluated here and not in DuckDB: CHECK, DEFAULT, computed columns, OUTPUT.

A column reference becomes a variable of a small scope of its own, and a row becomes that scope's frame, so that the one
scalar compiler serves rows too. Outer variables (`OUTPUT @x`) are copied in. It decides which columns a name can mean;
it must not know tables, only lists of names and types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from msgspec import Struct

from sbql.catalog.records import Synonym
from sbql.engine.ports import Session
from sbql.engine.scalars.expressions import compile_condition, compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security.resolver import resolve_itself
from sbql.engine.tables.definition_text import definition_text
from sbql.grammar.ast import (
    ColumnReference,
    Condition,
    Expression,
    FunctionCall,
    Identifier,
    NextValueFor,
    Node,
    ObjectName,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
    SelectStatement,
    UpdatePredicate,
    VariableReference,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.parser import parse_batch
from sbql.grammar.tree import find_all, rewrite
from sbql.grammar.types import SqlType

__all__ = [
    "RowColumn",
    "RowScope",
    "in_own_database",
    "parse_condition",
    "parse_expression",
    "stored_text",
    "without_synonyms",
]


N = TypeVar("N", bound=Node)


class RowColumn(Struct, frozen=True):
    """A value of the row: `qualifier` is '', a table alias, or inserted / deleted (lower case)."""

    qualifier: str
    name: str
    type: SqlType


class RowScope:
    """Compiles expressions over one row layout. All closures take (frame, values): the outer frame and the row's values
    in the order of `columns`."""

    def __init__(self, columns: Sequence[RowColumn], session: Session, outer: Scope | None = None) -> None:
        self.columns = list(columns)
        self.outer = outer
        self.scope = Scope(session)
        self.scope.is_definition = outer is None
        self.captured: list[tuple[int, Callable[[Frame], Any]]] = []
        self._by_variable: dict[str, str] = {}
        self._slots = [self.scope.declare_hidden(f"@{i}", column.type) for i, column in enumerate(self.columns)]

    def scalar(self, node: Expression) -> tuple[Callable[[Frame, Sequence[Any]], Any], SqlType]:
        """The closure and the type of an expression. Raises 207 for a column that the row does not have."""
        tree, read = self._over_slots(node)
        compiled = compile_scalar(tree, self.scope)
        return self._over_rows(compiled.run, read), compiled.type

    def condition(self, node: Condition) -> Callable[[Frame, Sequence[Any]], bool | None]:
        tree, read = self._over_slots(node)
        return self._over_rows(compile_condition(tree, self.scope), read)

    def position(self, reference: ColumnReference) -> int | None:
        """Which of the row's values a reference means, or None."""
        name = reference.name.lower()
        qualifier = None
        if len(reference.parts) > 1 and reference.parts[-2] is not None:
            qualifier = reference.parts[-2].value.lower()
        for i, column in enumerate(self.columns):
            if column.name.lower() == name and (qualifier is None or column.qualifier == qualifier):
                return i
        return None

    def _over_slots(self, node: N) -> tuple[N, Sequence[tuple[int, int]]]:
        """The expression over variables, and which of the row's values it reads: (slot, place)."""
        places: set[int] = set()
        tree = rewrite(node, lambda part: self._replace(part, places))
        return tree, [(self._slots[place], place) for place in sorted(places)]

    def _replace(self, node: Node, places: set[int]) -> Node | None:
        if isinstance(node, ColumnReference):
            position = self.position(node)
            if position is None:
                raise sql_error(207, node.name, span=node.span)
            places.add(position)
            return VariableReference(f"@{position}", span=node.span)
        if isinstance(node, VariableReference) and self.outer is not None:
            return VariableReference(self._capture(node), span=node.span)
        if isinstance(node, QueryExpression):
            raise sql_error(1046, span=node.span)
        if isinstance(node, UpdatePredicate):
            raise sql_error(40517, "UPDATE() outside a trigger", span=node.span)
        return None

    def _capture(self, node: VariableReference) -> str:
        name = node.name.lower()
        inner = self._by_variable.get(name)
        if inner is None:
            assert self.outer is not None
            scalar = compile_scalar(node, self.outer)
            inner = self._by_variable[name] = f"@outer{len(self._by_variable)}"
            self.captured.append((self.scope.declare_hidden(inner, scalar.type, scalar.label[0]), scalar.run))
        return inner

    def _over_rows(
        self, run: Callable[[Frame], Any], read: Sequence[tuple[int, int]]
    ) -> Callable[[Frame, Sequence[Any]], Any]:
        scope, captured = self.scope, self.captured

        def evaluate(frame: Frame, values: Sequence[Any]) -> Any:
            inner = Frame(frame.session, scope.size)
            variables = inner.variables
            for slot, place in read:
                variables[slot] = values[place]
            for slot, outer in captured:
                variables[slot] = outer(frame)
            return run(inner)

        return evaluate


def in_own_database(tree: N, database: str) -> N:
    """An expression of a table, where the functions and sequences that it names are those of the table's database:
    whoever writes the table may be in another one. '' leaves it as it is."""
    if not database:
        return tree

    def placed(name: ObjectName) -> ObjectName:
        parts = name.parts if len(name.parts) == 2 else (None, *name.parts)
        return ObjectName((Identifier(database), *parts), span=name.span)

    def change(node: Node) -> Node | None:
        if isinstance(node, FunctionCall) and len(node.name.parts) == 2 and not str(node.name).startswith("$"):
            return replace(node, name=placed(node.name), arguments=tuple(rewrite(a, change) for a in node.arguments))
        if isinstance(node, NextValueFor) and len(node.sequence.parts) <= 2:
            return replace(node, sequence=placed(node.sequence))
        return None

    return rewrite(tree, change)


def without_synonyms(tree: N, session: Session) -> N:
    """An expression of a table that calls things by their own names. Raises 2788 for another one."""
    for call in find_all(tree, FunctionCall):
        if len(call.name.parts) > 1 and isinstance(resolve_itself(session, call.name), Synonym):
            raise sql_error(2788, span=call.name.span)
    return tree


def stored_text(node: Expression | Condition, *, is_filter: bool = False) -> str:
    """What the catalog keeps of a definition, in parentheses; the two below read it
    again. Raises 1046 for a subquery."""
    for query in find_all(node, QueryExpression):
        raise sql_error(1046, span=query.span)
    return definition_text(node, is_filter=is_filter)


def parse_expression(text: str) -> Expression:
    """The tree of a stored expression text (DEFAULT, computed column)."""
    item = _query(f"SELECT {text}").items[0]
    assert isinstance(item, SelectColumn)
    return item.expression


def parse_condition(text: str) -> Condition:
    """The tree of a stored condition text (CHECK, filtered index)."""
    condition = _query(f"SELECT 1 WHERE {text}").where
    assert condition is not None
    return condition


def _query(text: str) -> QuerySpecification:
    statement = parse_batch(text).statements[0]
    assert isinstance(statement, SelectStatement)
    query = statement.query.query
    assert isinstance(query, QuerySpecification)
    return query
