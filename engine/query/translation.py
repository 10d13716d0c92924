"""What other rooms of execution call: translate a query, run it for a frame, search the rows of a write.

It decides how a translation begins and ends, and what happens when a constant part of a query fails before the query
runs: that part is translated into the query, so that it fails only where a row needs it. It must not know single nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

# Modules register what they translate; a query may need any of them.
import sbql.engine.query.conditions
import sbql.engine.query.expressions
import sbql.engine.query.functions
import sbql.engine.query.parsed_texts
import sbql.engine.query.sequences
import sbql.engine.query.time_zones  # noqa: F401
from sbql.engine.lazy_registry import Registry
from sbql.engine.outcomes import ResultColumn
from sbql.engine.ports import Session
from sbql.engine.query.context import Context
from sbql.engine.query.limits import limit_of
from sbql.engine.query.names import Level, Relation
from sbql.engine.query.queries import refuse_useless_order, translate_whole
from sbql.engine.query.query_text import QueryText, settled
from sbql.engine.query.running import run_query
from sbql.engine.query.set_operations import with_clause
from sbql.engine.query.statement import Statement
from sbql.engine.scalars.scope import QUERIES, Frame, Scope
from sbql.engine.tables.elements import MAX_COLUMNS
from sbql.engine.tables.typed_sql import TranslatedQuery, Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, SqlType
from sbql.grammar.values.collation_precedence import Unresolved, check_assigned, check_column

__all__ = [
    "DIRECT",
    "Beginning",
    "TargetQuery",
    "begin_translation",
    "check_inline_function",
    "check_view",
    "fetch",
    "forget_unread",
    "translate_condition",
    "translate_query",
    "translate_target_query",
]

DIRECT: Registry[Callable[..., TranslatedQuery]] = Registry("direct")
"""What gives a translated query, or the search of a write, its form without DuckDB, if it has one."""


def translate_query(
    query: ast.QueryExpression,
    scope: Scope,
    session: Session,
    *,
    with_: ast.WithClause | None = None,
    hoists: bool = True,
    is_assigned: bool = False,
) -> TranslatedQuery:
    """A query as a statement of its own. Its FOR clause becomes one column. `is_assigned`: its columns become values of
    something that has a collation. Raises SqlError with the line of the node at fault."""

    def translate(statement: Statement) -> TranslatedQuery:
        cx = Context(statement, Level())
        prefix = with_clause(with_, cx)
        whole = _finish(statement, prefix, translate_whole(query, cx), is_assigned)
        render = statement.renders.get(id(query))
        return whole if render is None else msgspec.structs.replace(whole, render=render)

    found = begin_translation(translate, scope, session, hoists)
    return DIRECT["query"](query, with_, found, scope, session, hoists)


def begin_translation(
    translate: Callable[[Statement], TranslatedQuery], scope: Scope, session: Session, hoists: bool
) -> TranslatedQuery:
    """Run a translation; keep the way to do it again without hoisting or the bodies of functions."""
    statement = Statement(scope, session, hoists=hoists)
    before = scope.namespaces
    try:
        found = translate(statement)
    finally:
        scope.namespaces = before
    if hoists and (found.parameters or found.inlines):
        found.lazily.append(lambda: begin_translation(translate, scope, session, False))
    return found


def _finish(statement: Statement, prefix: str, text: QueryText, is_assigned: bool) -> TranslatedQuery:
    for place, column in enumerate(text.columns, 1):
        if is_assigned:
            check_assigned(column.type)
        else:
            check_column(column.type, "SELECT", place)
    columns = tuple(ResultColumn(c.name, _shown(c.type), c.nullable) for c in text.columns)
    return statement.finish(prefix + text.sql, columns, tuple(c.value.origin for c in text.columns))


def _shown(sql_type: SqlType) -> SqlType:
    """A column of bare NULLs is an int; where texts of different collations met, the target's counts."""
    if isinstance(sql_type.collation, Unresolved):
        return sql_type.with_collation(None)
    return settled(sql_type)


def fetch(query: TranslatedQuery, frame: Frame) -> list[tuple[Any, ...]]:
    """Run a query for a frame, to its end. The values are Python values of the column types."""
    return run_query(query, frame)


def translate_condition(node: ast.Condition, scope: Scope, session: Session, hoists: bool = True) -> TranslatedQuery:
    """A condition over subqueries, as a query of one row with one column: true, false or NULL."""

    def translate(statement: Statement) -> TranslatedQuery:
        statement.common_tables.append({})
        text = Context(statement, Level(), "IF").condition(node)
        return statement.finish(f"SELECT {text} AS c1", (ResultColumn("", SqlType("bit")),))

    return begin_translation(translate, scope, session, hoists)


# --- the search of UPDATE, DELETE and MERGE ----------------------------------------------------------------


Beginning = Callable[[str, Sequence[Typed]], str | None]
"""The UPDATE or DELETE of a source and the extra values of its rows, up to WHERE; None
if there is none for such values."""


class TargetQuery(Struct, frozen=True):
    """`query` gives (row id, extra values …) for each match. `target` is the table source that the statement writes to.
    `is_single`: nothing but a stored table is in FROM, and a row is found once. `own`, if it was asked for: the
    statement which changes the rows that are found, where it reads no other table and calls no function of ours; its
    parameters are among those of `query`."""

    query: TranslatedQuery
    target: ast.TableSource
    is_single: bool = False
    own: TranslatedQuery | None = None


def translate_target_query(
    target: ast.TableSource,
    from_: ast.TableSource | None,
    where: ast.Condition | None,
    extras: Sequence[ast.Expression],
    scope: Scope,
    session: Session,
    *,
    with_: ast.WithClause | None = None,
    top: ast.Top | None = None,
    beginning: Beginning | None = None,
) -> TargetQuery:
    """The rows of `target` that a statement touches: their row ids, and values over the same rows.

    With `from_`, `target` is a table of it, by alias or by name, or else joins it as a table of its own. Of rows that
    need no query there may be more than `top` says.
    """

    is_single, own = False, None

    def translate(statement: Statement) -> TranslatedQuery:
        nonlocal is_single, own
        cx = Context(statement, Level(target=target))
        prefix = with_clause(with_, cx)
        source, relation = _target_source(target, from_, cx)
        if relation.row_id is None:
            raise sql_error(4405, relation.alias, span=target.span)
        condition = f" WHERE {cx.within('WHERE').condition(where)}" if where is not None else ""
        text = f" FROM {source}{condition}"
        values = [cx.within("SET").expression(extra) for extra in extras]
        for value in values:
            check_assigned(value.type)
        forget_unread(relation, statement)
        items = [f"{relation.row_id} AS c1"] + [f"{value.sql} AS c{i}" for i, value in enumerate(values, 2)]
        limit = limit_of(top, None, None, False, cx) if top is not None else None
        qualify = limit.qualify([]) if limit is not None else ""
        text += f" QUALIFY {qualify}" if qualify else ""
        columns = [ResultColumn("", BIGINT, False)] + [ResultColumn("", _shown(v.type), v.nullable) for v in values]
        suffix = limit.suffix if limit is not None else ""
        found = statement.finish(f"{prefix}SELECT {', '.join(items)}{text}{suffix}", tuple(columns))
        is_single = len(cx.level.relations) == 1 and relation.storage is not None and limit is None
        if is_single and found.is_simple and found.tables == {relation.storage} and beginning is not None:
            begins = beginning(source, values)
            own = statement.finish(f"{begins}{condition}", ()) if begins is not None else None
        return found

    query = begin_translation(translate, scope, session, True)
    query = DIRECT["target"](target, from_, where, extras, with_, query, scope, session)
    return TargetQuery(query, target, is_single, own)


def forget_unread(relation: Relation, statement: Statement) -> None:
    """A write that looks at no column of its table needs no right to read it."""
    if not relation.used:
        statement.reads[:] = [read for read in statement.reads if getattr(read, "columns", None) is not relation.used]


def _target_source(target: ast.TableSource, from_: ast.TableSource | None, cx: Context) -> tuple[str, Relation]:
    """FROM text, and the relation in it that is written. Raises 208."""
    if from_ is None:
        source = cx.source(target)
        return source, cx.level.relations[0]
    source = cx.source(from_)
    found = cx.level.target_relation
    if found is None:
        first = len(cx.level.relations)
        source = f"{cx.source(target)} CROSS JOIN {_grouped(source, from_)}"
        found = cx.level.relations[first]
    return source, found


def _grouped(source: str, node: ast.TableSource) -> str:
    return f"({source})" if isinstance(node, ast.Join | ast.Apply) else source


# --- views -------------------------------------------------------------------------------------------------


def check_view(session: Session, node: ast.CreateViewStatement) -> tuple[ResultColumn, ...]:
    """The columns of a view about to be created. Raises what is wrong with its query (4511 for a column without
    name), 4505 for more columns than a table may have."""
    refuse_useless_order(node.query.query)
    translated = translate_query(node.query.query, Scope(session), session, with_=node.query.with_)
    columns = translated.columns
    if node.columns:
        if len(node.columns) != len(columns):
            raise sql_error(8158 if len(columns) > len(node.columns) else 8159, node.name.name, span=node.span)
        columns = tuple(ResultColumn(n.value, c.type, c.nullable) for n, c in zip(node.columns, columns, strict=True))
    if len(columns) > MAX_COLUMNS:
        raise sql_error(4505, columns[MAX_COLUMNS].name, node.name.name, f"{MAX_COLUMNS:,}", span=node.span)
    if node.columns:
        return columns
    if node.query.query.for_ is not None:
        raise sql_error(4511, 1, span=node.span)
    _check_names(node, columns, 4511)
    return columns


def check_inline_function(session: Session, node: ast.CreateFunctionStatement, scope: Scope) -> None:
    """What is wrong with the query of an inline function about to be created; `scope` knows its parameters."""
    assert node.query is not None
    refuse_useless_order(node.query.query)
    translated = translate_query(node.query.query, scope, session, with_=node.query.with_)
    if node.query.query.for_ is not None:
        raise sql_error(4514, 1, span=node.span)
    _check_names(node, translated.columns, 4514)


def _check_names(
    node: ast.CreateViewStatement | ast.CreateFunctionStatement, columns: tuple[ResultColumn, ...], nameless: int
) -> None:
    """Each column has a name of its own. Raises `nameless` and 4506."""
    seen: set[str] = set()
    for position, column in enumerate(columns, 1):
        if not column.name:
            raise sql_error(nameless, position, span=node.span)
        if column.name.lower() in seen:
            raise sql_error(4506, column.name, node.name.name, span=node.span)
        seen.add(column.name.lower())


QUERIES.add("translate_query", translate_query)
QUERIES.add("check_view", check_view)
QUERIES.add("fetch", fetch)
