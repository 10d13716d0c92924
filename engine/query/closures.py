"""Queries inside scalar expressions: (SELECT …), EXISTS, IN, ANY and ALL, user functions and sequences of a SET, an IF,
an argument.

Decides how a closure over a Frame finds its value by a query that is translated when it first runs, and again when
names may have changed. It registers itself with Scope as the compiler of what needs the catalog.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.describe.sequence_values import compile_next_value
from sbql.engine.query.queries import refuse_useless_order
from sbql.engine.query.registered import running
from sbql.engine.query.translation import fetch, translate_condition, translate_query
from sbql.engine.query.user_functions import compile_user_function
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import SUBQUERIES, Frame, Scope
from sbql.engine.scalars.warnings_told import tell_warnings
from sbql.engine.steps import LateBound
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import INT, NVARCHAR_MAX, XML, SqlType
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import kind

__all__ = ["converted", "late"]


def compile_subquery(node: Any, kind: str, scope: Scope) -> Any:
    """See Scope.compile_subquery."""
    if kind == "scalar":
        return _scalar(node, scope)
    if kind == "function":
        return compile_user_function(node, scope)
    if kind == "sequence":
        return compile_next_value(node, scope)
    if kind == "exists" and node.query.for_ is None:
        return _exists(node, scope)
    return _condition(node, scope)


def late(translate: Callable[[Any], TranslatedQuery]) -> Callable[[Frame], TranslatedQuery]:
    """The query for a frame, translated once for each binding. Inside a trigger the translation looks at the frame."""
    bound = LateBound(translate)

    def get(frame: Frame) -> TranslatedQuery:
        session = frame.session
        if frame.trigger is None:
            return bound.get(session)
        with running(frame):
            return bound.get(session)

    return get


def _scalar(node: ast.ScalarSubquery, scope: Scope) -> Scalar:
    """A subquery as a value. Its type is asked for at once; when its tables are not there yet, a guess stands for it,
    and whoever compiles the whole expression compiles it again when it runs (Compiler.scalar)."""
    refuse_useless_order(node.query)
    get = late(lambda session: _one_column(translate_query(node.query, scope, session, is_assigned=True), node))
    sql_type = _type_now(node, scope)

    def run(frame: Frame) -> Any:
        query = get(frame)
        rows = fetch(query, frame)
        tell_warnings(frame.session)
        if not rows:
            return None
        if len(rows) > 1:
            raise sql_error(512)
        value, found = rows[0][0], query.columns[0].type
        return value if found == sql_type else converted(value, found, sql_type)

    return Scalar(sql_type, run)


def _one_column(query: TranslatedQuery, node: ast.ScalarSubquery) -> TranslatedQuery:
    if len(query.columns) != 1:
        raise sql_error(116, span=node.span)
    return query


def _type_now(node: ast.ScalarSubquery, scope: Scope) -> SqlType:
    if scope.session is None:
        return NVARCHAR_MAX
    try:
        query = translate_query(node.query, scope, scope.session, is_assigned=True)
    except SqlError:
        # Names are bound when the statement runs; what is wrong then is said then.
        scope.guesses += 1
        return _guess(node)
    scope.uses_user_types = True
    return query.columns[0].type


def _guess(node: ast.ScalarSubquery) -> SqlType:
    """The type of a query over tables that do not exist yet: text becomes any other type without being asked."""
    query, for_ = node.query.query, node.query.for_
    if for_ is not None:
        return XML if for_.kind == "XML" and "TYPE" in dict(for_.options) else NVARCHAR_MAX
    if (
        isinstance(query, ast.QuerySpecification)
        and len(query.items) == 1
        and isinstance(query.items[0], ast.SelectColumn)
    ):
        item = query.items[0].expression
        if isinstance(item, ast.FunctionCall) and item.name.name.upper() == "COUNT":
            return INT
    return NVARCHAR_MAX


def converted(value: Any, source: SqlType, target: SqlType) -> Any:
    """A value in the type that was expected of it. Dates keep their fraction when they become text."""
    is_dated = kind(source) in ("date", "time", "datetime", "datetime2", "datetimeoffset") and kind(target) == "string"
    change = converter(source, target, 121 if is_dated else None)
    return value if change is None else change(value)


def _exists(node: ast.Exists, scope: Scope) -> Callable[[Frame], bool | None]:
    refuse_useless_order(node.query)
    get = late(lambda session: translate_query(node.query, scope, session, is_assigned=True).limited())

    return lambda frame: bool(fetch(get(frame), frame))


def _condition(node: ast.Condition, scope: Scope) -> Callable[[Frame], bool | None]:
    get = late(lambda session: translate_condition(node, scope, session))

    def run(frame: Frame) -> bool | None:
        found: bool | None = fetch(get(frame), frame)[0][0]
        tell_warnings(frame.session)
        return found

    return run


SUBQUERIES.add("subquery", compile_subquery)
