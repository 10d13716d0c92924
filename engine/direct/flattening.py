"""Queries over queries without DuckDB: a derived table or common table expression that only picks rows and columns of
tables is said as conditions on these tables.

Decides which queries in FROM say no more than that, and what the names of their columns mean. The tables get aliases of
their own, so that no name can mean another one. What says more (groups, TOP) stays in FROM. It must not know where rows
come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from msgspec import Struct, field

from sbql.engine.direct.expanded import is_view, query_of_function, query_of_view
from sbql.engine.direct.joins import side_of
from sbql.engine.direct.sources import alias_of
from sbql.engine.direct.unfailing import is_unfailing
from sbql.engine.ports import Session
from sbql.engine.query.context import has_aggregate, is_constant
from sbql.engine.query.plain_expressions import is_plain
from sbql.engine.scalars.scope import Scope
from sbql.engine.tables.row_expressions import RowScope
from sbql.grammar import ast
from sbql.grammar.tree import rewrite, walk
from sbql.grammar.types import SqlType

__all__ = ["TooMuch", "flattened", "flattened_source"]

_TABLES: Final = (ast.NamedTable, ast.VariableTable)


_MOST: Final = 24
"""Queries in FROM that are looked into: an expression may double with each of them, and a chain of them is deep."""
_NODES: Final = 600
"""Of a query that is said over tables. DuckDB plans larger ones sooner."""


class TooMuch(Exception):
    """It cannot be said over tables so that names mean what they meant, or not shortly."""


class Flat(Struct, frozen=True):
    """FROM without the queries that could be said otherwise, and what they ask of rows. `inside` says expressions of
    the query around over it."""

    source: ast.TableSource
    conditions: list[ast.Condition]
    columns: Mapping[tuple[str, str], ast.Expression]
    """By alias and name, in lower case, what stands for a column of a query, and columns of tables as they are."""
    is_known: bool
    """The columns of all sources are known."""

    def inside(self, node: Any) -> Any:
        """An expression or condition; one with a query in it must not be given. Raises TooMuch."""
        return rewrite(node, lambda part: self._column(part) if isinstance(part, ast.ColumnReference) else None)

    def _column(self, column: ast.ColumnReference) -> ast.Expression | None:
        before = [part.value.lower() for part in column.parts[:-1] if part is not None]
        name = column.name.lower()
        if len(before) == 1:
            return self.columns.get((before[0], name))
        found = [meant for (_, known), meant in self.columns.items() if known == name]
        if before or len(found) != 1 or not self.is_known:
            raise TooMuch
        return found[0]


class _Work(Struct):
    """Of one FROM. `tables` are the common table expressions that are known; `left` are the queries that may still be
    looked into, in one statement."""

    scope: Scope
    session: Session
    tables: tuple[ast.CommonTableExpression, ...]
    left: list[int]
    columns: dict[tuple[str, str], ast.Expression] = field(default_factory=dict)
    is_known: bool = True
    is_join: bool = False
    count: int = 0

    def names(self, alias: str, columns: Iterable[str]) -> None:
        """Columns of a source that stays as it is."""
        for name in columns:
            meant = ast.ColumnReference((ast.Identifier(alias), ast.Identifier(name)))
            self.columns[alias, name.lower()] = meant


def flattened(
    query: ast.QueryExpression, tables: Sequence[ast.CommonTableExpression], scope: Scope, session: Session
) -> ast.QueryExpression | None:
    """The same query without `tables`, and as few other queries in FROM as can be; None where a common table expression
    cannot be said otherwise. Raises SqlError for what does not compile."""
    try:
        return _flattened(query, tables, scope, session, [_MOST])
    except TooMuch:
        return None if tables else query


def _flattened(
    query: ast.QueryExpression, tables: Sequence[ast.CommonTableExpression], scope: Scope, session: Session, left: list[int]
) -> ast.QueryExpression:  # fmt: skip
    """Itself where nothing in FROM is a query. Raises TooMuch."""
    body = query.query
    if not isinstance(body, ast.QuerySpecification) or body.from_ is None:
        return _unless(tables, query)
    asked = [*body.items, *query.order_by, *([] if body.where is None else [body.where])]
    if any(isinstance(part, ast.QueryExpression) for node in asked for part in walk(node)):
        return _unless(tables, query)
    if not _has_queries(body.from_, tables, session):
        return query
    flat = _flat(body.from_, tables, scope, session, left)
    items: list[ast.SelectItem] = []
    for item in body.items:
        if not isinstance(item, ast.SelectStar):
            items.append(_with_its_name(flat.inside(item), item))
        elif isinstance(body.from_, ast.Join | ast.Apply) or item.qualifier is not None or not flat.is_known:
            raise TooMuch
        else:
            items += [ast.SelectColumn(meant, ast.Identifier(name)) for (_, name), meant in flat.columns.items()]
    group = body.group_by
    changed = replace(
        body,
        items=tuple(items),
        from_=flat.source,
        where=_all([*([] if body.where is None else [flat.inside(body.where)]), *flat.conditions]),
        group_by=None if group is None else flat.inside(group),
    )
    order = tuple(flat.inside(_by_item(item, body.items)) for item in query.order_by)
    found = replace(query, query=changed, order_by=order)
    if sum(1 for _ in walk(found)) > _NODES:
        raise TooMuch
    return found


def _unless(tables: Sequence[ast.CommonTableExpression], query: ast.QueryExpression) -> ast.QueryExpression:
    if tables:
        raise TooMuch
    return query


def _by_item(order: ast.OrderItem, items: Sequence[ast.SelectItem]) -> ast.OrderItem:
    """A bare name in ORDER BY means a column of the result first. Raises TooMuch where it may mean two."""
    node = order.expression
    if not isinstance(node, ast.ColumnReference):
        return order
    if len(node.parts) > 1:
        return order
    found = [
        item for item in items if isinstance(item, ast.SelectColumn) and _name_of(item).lower() == node.name.lower()
    ]
    if len(found) > 1:
        raise TooMuch
    return replace(order, expression=found[0].expression) if found else order


def _name_of(item: ast.SelectItem) -> str:
    """What a column of the result is called; "" if nothing."""
    if not isinstance(item, ast.SelectColumn):
        return ""
    if item.alias is not None:
        return item.alias.value
    return item.expression.name if isinstance(item.expression, ast.ColumnReference) else ""


def _with_its_name(item: ast.SelectItem, before: ast.SelectItem) -> ast.SelectItem:
    """A column is called as it was, whatever it stands for now."""
    name = _name_of(before)
    return replace(item, alias=ast.Identifier(name)) if name and isinstance(item, ast.SelectColumn) else item


def _has_queries(source: ast.TableSource, tables: Sequence[ast.CommonTableExpression], session: Session) -> bool:
    """Whether one of the sources is a query, or what stands for one. Raises SqlError, and TooMuch for a chain of joins
    that is too long to be followed."""
    todo, count, found = [source], 0, False
    while todo:
        one = todo.pop()
        count += 1
        if isinstance(one, ast.Join):
            todo += one.left, one.right
        elif isinstance(one, ast.NamedTable):
            found = found or bool(tables) or is_view(one.name, session)
        else:
            found = found or isinstance(one, ast.DerivedTable | ast.FunctionTable | ast.Apply)
    if found and count > _LONGEST_CHAIN:
        raise TooMuch
    return found


_LONGEST_CHAIN: Final = 200
"""Sources and joins of one FROM."""


def flattened_source(
    source: ast.TableSource, tables: Sequence[ast.CommonTableExpression], scope: Scope, session: Session
) -> Flat:
    """FROM without `tables`. Raises TooMuch, and SqlError for what does not compile."""
    return _flat(source, tables, scope, session, [_MOST])


def _flat(
    source: ast.TableSource, tables: Sequence[ast.CommonTableExpression], scope: Scope, session: Session, left: list[int]
) -> Flat:  # fmt: skip
    work = _Work(scope, session, tuple(tables), left, is_join=isinstance(source, ast.Join | ast.Apply))
    found, conditions = _source(source, work, is_outer=False)
    return Flat(found, conditions, work.columns, work.is_known)


_Found = tuple[ast.TableSource, list[ast.Condition]]


def _source(node: ast.TableSource, work: _Work, *, is_outer: bool) -> _Found:
    """`is_outer`: on the side of a join that may have no row."""
    if isinstance(node, ast.Join):
        return _join(node, work, is_outer=is_outer)
    if isinstance(node, ast.DerivedTable):
        return _derived(node, work.tables, work, is_outer=is_outer)
    if isinstance(node, ast.NamedTable) and len(node.name.parts) == 1:
        for place, table in enumerate(work.tables):
            if table.name.value.lower() == node.name.name.lower():
                if node.hints:
                    raise TooMuch
                derived = ast.DerivedTable(table.query, node.alias or table.name, table.columns, span=node.span)
                return _derived(derived, work.tables[:place], work, is_outer=is_outer)
    if isinstance(node, ast.NamedTable):
        view = None if node.hints else query_of_view(node, work.session)
        if view is not None:
            found, conditions = _derived(view, (), work, is_outer=is_outer)
            return (found, conditions) if not isinstance(found, ast.DerivedTable) else _as_it_is(node, work)
    if isinstance(node, ast.Apply):
        return _apply(node, work, is_outer=is_outer)
    if isinstance(node, ast.FunctionTable) and all(is_constant(argument) for argument in node.arguments):
        function = query_of_function(node, {}, work.scope, work.session)
        if function is not None:
            return _derived(function, (), work, is_outer=is_outer)
    if work.tables and not isinstance(node, _TABLES):
        raise TooMuch
    return _as_it_is(node, work)


def _as_it_is(node: ast.TableSource, work: _Work) -> _Found:
    """A source that stays, with the names of its columns if they are known."""
    alias, names = "", None
    if isinstance(node, _TABLES):
        side = side_of(node, work.scope, work.session, is_target=False)
        alias, names = alias_of(node), None if side is None else [column.name for column in side.names]
    elif isinstance(node, ast.InlineValues | ast.DerivedTable) and node.alias is not None:
        alias, names = node.alias.value.lower(), [name.value for name in node.columns]
        if isinstance(node, ast.DerivedTable) and not names and isinstance(node.query.query, ast.QuerySpecification):
            names = [_name_of(item) for item in node.query.query.items]
    if not names or "" in names:
        work.is_known = False
    else:
        work.names(alias, names)
    return node, []


def _apply(node: ast.Apply, work: _Work, *, is_outer: bool) -> _Found:
    """Rows of tables that are named by values of the row before are a join."""
    left, kept = _source(node.left, work, is_outer=is_outer)
    right: ast.TableSource | None = node.right
    if isinstance(right, ast.FunctionTable):
        right = query_of_function(right, _types(left, work), work.scope, work.session)
    if not isinstance(right, ast.DerivedTable):
        raise TooMuch
    before = Flat(left, [], dict(work.columns), work.is_known)
    found, asked = _derived(right, work.tables, work, is_outer=is_outer or node.kind == "OUTER", is_applied=True)
    if isinstance(found, ast.DerivedTable):
        raise TooMuch
    asked = [before.inside(condition) for condition in asked]
    if node.kind == "OUTER":
        on = _all(asked) or ast.Comparison("=", ast.IntegerLiteral(1), ast.IntegerLiteral(1))
        return ast.Join("LEFT", left, found, on), kept
    return ast.Join("CROSS", left, found), [*kept, *asked]


def _types(source: ast.TableSource, work: _Work) -> dict[tuple[str, str], SqlType]:
    """Of the columns of tables, by alias and name in lower case."""
    sides = [side_of(leaf, work.scope, work.session, is_target=False) for leaf in _leaves(source) or ()]
    return {(c.qualifier, c.name.lower()): c.type for side in sides if side is not None for c in side.names}


def _join(node: ast.Join, work: _Work, *, is_outer: bool) -> _Found:
    has_query = node.on is not None and any(isinstance(part, ast.QueryExpression) for part in walk(node.on))
    if node.kind == "FULL" or has_query:
        if work.tables:
            raise TooMuch
        work.is_known = False
        return node, []
    others = {*work.columns}
    left, kept = _source(node.left, work, is_outer=is_outer or node.kind == "RIGHT")
    right, more = _source(node.right, work, is_outer=is_outer or node.kind == "LEFT")
    within = {name: meant for name, meant in work.columns.items() if name not in others}
    on = [] if node.on is None else [Flat(node, [], within, work.is_known).inside(node.on)]
    if node.kind == "LEFT":
        on, more = [*on, *more], []
    elif node.kind == "RIGHT":
        on, kept = [*on, *kept], []
    return replace(node, left=left, right=right, on=_all(on)), [*kept, *more]


def _derived(
    node: ast.DerivedTable, tables: tuple[ast.CommonTableExpression, ...], work: _Work, *, is_outer: bool,
    is_applied: bool = False,
) -> _Found:  # fmt: skip
    """A query in FROM that knows these common table expressions. `is_applied`: it may name columns of what stands
    before it."""
    work.left[0] -= 1
    if node.alias is None or work.left[0] < 0:
        raise TooMuch
    query = _flattened(node.query, tables, work.scope, work.session, work.left)
    plain = _plain(query, work, is_applied=is_applied)
    names = None if plain is None else [name.value for name in node.columns] or [name for name, _ in plain.items]
    is_whole = plain is not None and names is not None and len(names) == len(plain.items)
    if plain is None or names is None or not is_whole or (is_outer and not plain.is_of_columns):
        return _as_it_is(node if query is node.query else replace(node, query=query), work)
    alias = node.alias.value.lower()
    for name, (_, meant) in zip(names, plain.items, strict=True):
        work.columns[alias, name.lower()] = meant
    return plain.source, plain.conditions


class _Plain(Struct, frozen=True):
    """A query that picks rows and columns of tables, over aliases that nothing else has."""

    source: ast.TableSource
    conditions: list[ast.Condition]
    items: list[tuple[str, ast.Expression]]

    @property
    def is_of_columns(self) -> bool:
        """Nothing is computed, which a row that is missing would have no value of."""
        return all(isinstance(meant, ast.ColumnReference) for _, meant in self.items)


def _plain(query: ast.QueryExpression, work: _Work, *, is_applied: bool) -> _Plain | None:
    body = query.query
    if query.order_by or query.offset or query.for_ or not isinstance(body, ast.QuerySpecification):
        return None
    if body.group_by or body.having or body.distinct or body.top or body.windows or body.into or body.from_ is None:
        return None
    asked = [*body.items, *([] if body.where is None else [body.where])]
    if any(isinstance(part, ast.QueryExpression) for node in asked for part in walk(node)):
        return None
    leaves = _leaves(body.from_)
    sides = [side_of(leaf, work.scope, work.session, is_target=False) for leaf in leaves or ()]
    if not sides or any(isinstance(leaf, ast.NamedTable) and leaf.hints for leaf in leaves or ()):
        return None
    names = _Names({}, {}, [], is_applied)
    for side in sides:
        if side is None or side.alias in names.aliases:
            return None
        names.aliases[side.alias] = alias = ast.Identifier(f"\0{work.count}")
        work.count += 1
        for column in side.names:
            meant = ast.ColumnReference((alias, ast.Identifier(column.name)))
            names.columns.setdefault(column.name.lower(), []).append(meant)
            names.all.append(meant)
    rows = RowScope([column for side in sides if side for column in side.names], work.session, work.scope)
    try:
        items = [*_named_items(body.items, names, rows, work)]
        source = rewrite(body.from_, names.renamed)
        conditions = [] if body.where is None else [rewrite(body.where, names.renamed)]
    except _OfOthers:
        return None
    return _Plain(source, conditions, items)


def _leaves(source: ast.TableSource) -> list[ast.NamedTable | ast.VariableTable] | None:
    """The tables of an inner join; None for other sources, and a chain that is too long."""
    todo, found = [source], []
    while todo:
        one = todo.pop()
        if isinstance(one, _TABLES):
            found.append(one)
        elif isinstance(one, ast.Join) and one.kind in ("INNER", "CROSS"):
            todo += one.right, one.left
        else:
            return None
    return found if len(found) <= _LONGEST_CHAIN else None


class _OfOthers(Exception):
    """A name that means no column of the tables, or more is computed than plain values."""


class _Names(Struct):
    """Of the tables of one query: their new aliases, and what the names of their columns mean."""

    aliases: dict[str, ast.Identifier]
    columns: dict[str, list[ast.ColumnReference]]
    all: list[ast.ColumnReference]
    """In the order of FROM."""
    is_applied: bool
    """Other aliases are those of what stands before."""

    def renamed(self, node: ast.Node) -> ast.Node | None:
        """Raises _OfOthers."""
        if isinstance(node, _TABLES):
            return replace(node, alias=self.aliases[alias_of(node)])
        if not isinstance(node, ast.ColumnReference):
            return None
        if len(node.parts) == 1:
            found = self.columns.get(node.name.lower(), [])
            if len(found) != 1:
                raise _OfOthers
            return found[0]
        before = [part.value.lower() for part in node.parts[:-1] if part is not None]
        alias = self.aliases.get(before[0]) if len(before) == 1 else None
        if alias is not None:
            return ast.ColumnReference((alias, node.parts[-1]), span=node.span)
        if not self.is_applied:
            raise _OfOthers
        return node


def _named_items(
    items: Sequence[ast.SelectItem], names: _Names, rows: RowScope, work: _Work
) -> Iterator[tuple[str, ast.Expression]]:
    """What is selected, with its names. DuckDB computes it before a join, so there it must not fail. Raises
    _OfOthers."""
    for item in items:
        if isinstance(item, ast.SelectStar) and item.qualifier is None:
            yield from ((meant.name, meant) for meant in names.all)
        elif isinstance(item, ast.SelectColumn):
            value, name = item.expression, "" if item.alias is None else item.alias.value
            if isinstance(value, ast.ColumnReference):
                name = name or value.name
            elif has_aggregate(value) or not is_plain(value, work.scope, work.session):
                raise _OfOthers
            elif work.is_join and not is_unfailing(value, rows):
                raise _OfOthers
            yield name, rewrite(value, names.renamed)
        else:
            raise _OfOthers


def _all(conditions: Sequence[ast.Condition]) -> ast.Condition | None:
    return ast.And(tuple(conditions)) if len(conditions) > 1 else conditions[0] if conditions else None
