"""The body of a scalar function as one value of a query.

A variable stands for what was assigned to it last, IF is CASE, SELECT @v = … FROM a query. What is long and named more
than once behind its assignment gets a name in a lambda, unless a query comes behind, which may not stand in one.
Decides nothing of which bodies may be said so (`only_expression`), nor in whose names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from sbql.engine.query.context import Context, has_aggregate
from sbql.engine.query.conversions import convert
from sbql.engine.query.looked_up import finds_by_key, looked_up
from sbql.engine.query.names import Level
from sbql.engine.query.only_expression import statements_of
from sbql.engine.query.queries import translate_inner
from sbql.engine.tables.typed_sql import Typed, null_of, strictly
from sbql.grammar import ast
from sbql.grammar.tree import find_all
from sbql.grammar.types import SqlType

__all__ = ["Body", "asks", "has_query"]

_SHORT: Final = 40
"""Characters of a value that needs no name."""
_LONGEST: Final = 20_000
"""Characters of what stands for a variable."""
_MOST: Final = 100
"""Statements, those behind a branch that may return counted on both of its ways."""


class NotOneValue(Exception):
    """The body, or the call, cannot be said as one value."""


def has_query(tree: Any) -> bool:
    """Whether rows are read: by more than SELECT @v = … without FROM."""
    return any(
        n.from_ is not None or not all(isinstance(item, ast.SelectAssign) for item in n.items)
        for n in find_all(tree, ast.QuerySpecification)
    )


def asks(sql: str) -> bool:
    """Whether a query stands in it."""
    return "SELECT " in sql


class Body:
    """`cx` sees nothing around the function; its statement's `arguments` are what variables stand for. To the rows
    of `host` others may be joined."""

    def __init__(self, cx: Context, returns: SqlType, host: Level | None = None) -> None:
        self.cx, self.returns = cx, returns
        cx.level.host = host
        self.types: dict[str, SqlType] = {}
        self._names = self._steps = 0
        self._returned: Typed | None = None
        self._queries: set[str] = set()
        """The variables that were assigned from queries, which may be asked again."""
        self._empty: dict[str, Typed] = {}
        """What variables stand for that were declared without a value."""

    def value(self, body: Sequence[ast.Statement], given: Mapping[str, Typed]) -> Typed | None:
        """What the body returns for the values of its parameters. None where that cannot be said."""
        self.types = {name: value.type for name, value in given.items()}
        statements = (*statements_of(body),)
        try:
            text, is_once = self._with_names(list(given), statements)
        except NotOneValue:
            return None
        is_once = is_once or asks(text) or _calls_users(body)
        found = Typed(text, self.returns, True, stands_once=is_once)
        if self._returned is not None and self._returned.sql == text:
            return strictly(msgspec.structs.replace(found, beside=self._returned.beside), [self._returned])
        return found

    # --- a value -------------------------------------------------------------------------------------------

    def _with_names(self, names: list[str], rest: tuple[ast.Statement, ...]) -> tuple[str, bool]:
        """What the rest returns where these variables have just been assigned, and whether it stands once."""
        arguments = self.cx.statement.arguments
        named = [name for name in names if _is_long(arguments[name]) and _count(name, rest) > 1]
        if not named:
            return self._result(rest)
        if has_query(rest) or _calls_users(rest):
            if any(arguments[name].stands_once and name not in self._queries for name in named):
                raise NotOneValue
            return self._result(rest)
        values = [arguments[name] for name in named]
        depth = self.cx.statement.view_depth
        places = [f"v{depth}_{self._names + i}" for i in range(len(named))]
        self._names += len(named)
        for name, place, value in zip(named, places, values, strict=True):
            arguments[name] = Typed(place, value.type, value.nullable, value.rank)
        text, is_once = self._result(rest)
        is_once = is_once or any(value.stands_once for value in values)
        return f"invoke(lambda {', '.join(places)}: {text}, {', '.join(value.sql for value in values)})", is_once

    def _result(self, statements: tuple[ast.Statement, ...]) -> tuple[str, bool]:
        """What these statements return; NULL where they end without RETURN."""
        if not statements:
            return null_of(self.returns).sql, False
        self._steps += 1
        if self._steps > _MOST:
            raise NotOneValue
        first, rest = statements[0], statements[1:]
        if isinstance(first, ast.ReturnStatement):
            assert first.value is not None
            found = self._returned = convert(self.cx.expression(first.value), self.returns, self.cx)
            return found.sql, found.stands_once
        if isinstance(first, ast.IfStatement):
            return self._branched(first, rest)
        return self._with_names(self._assign(first), rest)

    def _branched(self, node: ast.IfStatement, rest: tuple[ast.Statement, ...]) -> tuple[str, bool]:
        then = (*statements_of((node.then,)),)
        otherwise = (*statements_of((node.otherwise,)),) if node.otherwise is not None else ()
        condition = self.cx.condition(node.condition)
        if not any(True for _ in find_all((*then, *otherwise), ast.ReturnStatement)):
            return self._with_names(self._merge(condition, then, otherwise), rest)
        before = dict(self.cx.statement.arguments)
        one, is_once = self._result((*then, *rest))
        self.cx.statement.arguments = before
        other, is_other_once = self._result((*otherwise, *rest))
        return f"(CASE WHEN {condition} THEN {one} ELSE {other} END)", is_once or is_other_once

    # --- assignments ---------------------------------------------------------------------------------------

    def _merge(
        self, condition: str, then: tuple[ast.Statement, ...], otherwise: tuple[ast.Statement, ...]
    ) -> list[str]:
        """The variables that either branch assigns, which stand for one value or the other."""
        statement, before = self.cx.statement, dict(self.cx.statement.arguments)
        ends = []
        for branch in (then, otherwise):
            statement.arguments = dict(before)
            self._run(branch)
            ends.append(statement.arguments)
        one, other = ends
        changed = [name for name in one | other if one.get(name) is not other.get(name)]
        statement.arguments = before
        for name in changed:
            values = [end[name] if name in end else null_of(self.types[name]) for end in ends]
            text = f"(CASE WHEN {condition} THEN {values[0].sql} ELSE {values[1].sql} END)"
            is_once = any(value.stands_once for value in values)
            self._put(name, Typed(text, self.types[name], True, stands_once=is_once))
        return changed

    def _run(self, statements: tuple[ast.Statement, ...]) -> None:
        """Of a branch that returns nothing."""
        for statement in statements:
            if isinstance(statement, ast.IfStatement):
                otherwise = () if statement.otherwise is None else (*statements_of((statement.otherwise,)),)
                condition = self.cx.condition(statement.condition)
                self._merge(condition, (*statements_of((statement.then,)),), otherwise)
            else:
                self._assign(statement)

    def _assign(self, node: ast.Statement) -> list[str]:
        """The variables that a statement assigns; they stand for their new values then."""
        if isinstance(node, ast.DeclareStatement):
            return [self._declare(declaration) for declaration in node.declarations]
        if isinstance(node, ast.SetVariableStatement):
            return [self._set(node.name, self.cx.expression(node.value))]
        assert isinstance(node, ast.SelectStatement)
        query = node.query.query
        assert isinstance(query, ast.QuerySpecification)
        items = [item for item in query.items if isinstance(item, ast.SelectAssign)]
        if query.from_ is None and query.where is None:
            return [self._set(item.variable, self.cx.expression(item.expression)) for item in items]
        self._queries.update(item.variable.lower() for item in items)
        return [self._set(item.variable, self._found(item, node.query, query)) for item in items]

    def _declare(self, declaration: ast.VariableDeclaration) -> str:
        name = declaration.name.lower()
        if name in self.types:
            raise NotOneValue
        self.types[name] = self.cx.statement.scope.resolve_type(declaration.type)
        if declaration.value is None:
            self._empty[name] = null_of(self.types[name])
            self._put(name, self._empty[name])
            return name
        return self._set(name, self.cx.expression(declaration.value))

    def _set(self, variable: str, value: Typed) -> str:
        name = variable.lower()
        if name not in self.types:
            raise NotOneValue
        self._put(name, convert(value, self.types[name], self.cx))
        return name

    def _put(self, name: str, value: Typed) -> None:
        if len(value.sql) > _LONGEST:
            raise NotOneValue
        self.cx.statement.arguments[name] = value

    def _found(self, item: ast.SelectAssign, whole: ast.QueryExpression, query: ast.QuerySpecification) -> Typed:
        """What a query assigns: of one row at most, for which row is the last one is said nowhere. Where no row need be
        found, the variable must have been NULL."""
        column = ast.SelectColumn(item.expression, span=item.span)
        one = replace(whole, query=replace(query, items=(column,)))
        name = item.variable.lower()
        before = self.cx.statement.arguments.get(name)
        joined = looked_up(one, self.cx)
        if joined is not None and before is self._empty.get(name, joined):
            return joined.value
        if joined is not None and before is not None:
            value = convert(joined.value, before.type, self.cx)
            text = f"(CASE WHEN {joined.is_there()} THEN {value.sql} ELSE {before.sql} END)"
            return Typed(text, before.type, True, before.rank, stands_once=before.stands_once)
        inner = self.cx.inner()
        query_text = translate_inner(one, inner)
        found = query_text.columns[0].value
        if has_aggregate(query.items) and query.group_by is None and query.having is None:
            return Typed(f"({query_text.sql})", found.type, True, found.rank, stands_once=True)
        is_null = before is self._empty.get(name, found)
        if not is_null or not (_shows_one(query) or finds_by_key(query, inner)):
            raise NotOneValue
        return Typed(f"({query_text.sql})", found.type, True, found.rank, stands_once=True)


def _is_long(value: Typed) -> bool:
    return not value.is_literal and (value.stands_once or len(value.sql) > _SHORT)


def _count(name: str, statements: tuple[ast.Statement, ...]) -> int:
    """How often a variable is named; a condition stands in each of the values that depend on it."""
    conditions = tuple(n.condition for n in find_all(statements, ast.IfStatement))
    return sum(n.name.lower() == name for n in find_all((*statements, *conditions), ast.VariableReference))


def _calls_users(tree: Any) -> bool:
    """Whether user functions are called, whose bodies may have queries."""
    return any(len(n.name.parts) > 1 for n in find_all(tree, ast.FunctionCall))


def _shows_one(query: ast.QuerySpecification) -> bool:
    top = query.top
    return top is not None and not top.percent and not top.with_ties and top.count == ast.IntegerLiteral(1)
