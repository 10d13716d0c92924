"""Joins without DuckDB: from few rows at hand (values, table variables, #temp tables, inserted and deleted, a table by
constants, a small table) to the one row of each further table that they name by a unique key, to those that they name
by other columns, or to more rows in memory.

Decides whether the sources of FROM can be met in such an order, and which conditions finding the rows answers. What is
met is the product of all that is not outer, with the conditions behind it: what an outer join adds to a row is the same
when other sources come before it. It must not know what is asked of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from sbql.engine.direct.join_rows import ConstantRows, JoinRows, Met, Source, tables_of
from sbql.engine.direct.query_rows import query_rows
from sbql.engine.direct.shape import Value
from sbql.engine.direct.sources import (
    ByGroup,
    ByKey,
    InMemory,
    alias_of,
    bound_source,
    trigger_rows,
)
from sbql.engine.direct.unfailing import cannot_fail, converts_constant
from sbql.engine.ports import Session
from sbql.engine.query.context import is_constant
from sbql.engine.query.one_row import plain_values
from sbql.engine.query.plain_expressions import is_plain
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.grouped_rows import GroupedRows
from sbql.engine.tables.keyed_rows import KeyedRows, key_conversion
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.grammar import ast
from sbql.grammar.tree import column_equations, walk

__all__ = ["Joined", "Order", "conjuncts", "joined_rows", "side_of"]

_SOURCES: Final = 12
"""Of a join. Their turns take time that grows with the square of their number."""


class Joined(Struct, frozen=True):
    """`used` of the `conditions` are answered by finding the rows. `layout`: the target's columns come first."""

    rows: JoinRows
    layout: list[RowColumn]
    conditions: list[ast.Condition]
    used: list[ast.Condition]
    columns: list[ast.ColumnReference]
    """All, in the order of FROM."""


class _Side(Struct):
    """A source of FROM. `rows` are at hand, or `bound` is a table that is asked by values; `place` is told later."""

    node: ast.TableSource
    alias: str
    names: list[RowColumn]
    bound: BoundTable | None = None
    rows: Source | None = None
    place: int = 0


class _Tree(Struct):
    """The sources of FROM, the outer ones with their ON, and the conditions of all others."""

    inner: list[ast.TableSource] = field(default_factory=list)
    outer: list[tuple[ast.TableSource, ast.Condition]] = field(default_factory=list)
    conditions: list[ast.Condition] = field(default_factory=list)
    all: list[ast.TableSource] = field(default_factory=list)


def conjuncts(condition: ast.Condition | None) -> list[ast.Condition]:
    if isinstance(condition, ast.And):
        return [one for part in condition.operands for one in conjuncts(part)]
    return [] if condition is None else [condition]


def joined_rows(
    from_: ast.TableSource,
    where: ast.Condition | None,
    target: ast.TableSource | None,
    scope: Scope,
    session: Session,
) -> Joined | None:
    """How the rows of FROM are found; None where DuckDB has to. Raises SqlError for what does not compile."""
    tree = _tree(from_)
    if tree is None or len(tree.all) > _SOURCES:
        return None
    sides = [side_of(node, scope, session, is_target=node is target) for node in tree.all]
    known = {id(side.node): side for side in sides if side is not None}
    if len(known) < len(sides) or len({side.alias for side in known.values()}) < len(sides):
        return None
    if target is not None and id(target) not in known:
        return None
    layout: list[RowColumn] = []
    for side in sorted(known.values(), key=lambda side: side.node is not target):
        side.place = len(layout)
        layout += side.names
    conditions = [*tree.conditions, *conjuncts(where)]
    if not _are_clear([*tree.conditions, *(on for _, on in tree.outer)], layout):
        return None
    order = Order(RowScope(layout, session, scope), scope, session, target)
    if not order.meets([known[id(node)] for node in tree.inner], conditions) or not order.leaves(conditions):
        return None
    for node, on in tree.outer:
        if not order.meets_outer(known[id(node)], conjuncts(on)):
            return None
    columns = [
        ast.ColumnReference((ast.Identifier(column.qualifier), ast.Identifier(column.name)))
        for node in tree.all
        for column in known[id(node)].names
    ]
    sources = [one.source for one in order.met]
    tables = tuple({name for one in sources for name in tables_of(one)})
    rows = JoinRows(tuple(order.met), len(layout), target is not None, tables)
    return Joined(rows, layout, conditions, order.used, columns)


def _are_clear(conditions: Sequence[ast.Condition], layout: Sequence[RowColumn]) -> bool:
    """Whether names without an alias mean one column: in ON of a join in parentheses only its own sources count."""
    bare = {
        n.name.lower() for c in conditions for n in walk(c) if isinstance(n, ast.ColumnReference) and len(n.parts) == 1
    }
    return all(sum(column.name.lower() == name for column in layout) == 1 for name in bare)


_DEEPEST: Final = 64
"""Joins in one another."""


def _tree(node: ast.TableSource, depth: int = 0) -> _Tree | None:
    """None for a join of a kind that cannot be met in turn, and for too many of them."""
    if not isinstance(node, ast.Join):
        return _Tree([node], all=[node])
    if depth > _DEEPEST:
        return None
    left, right = _tree(node.left, depth + 1), _tree(node.right, depth + 1)
    if left is None or right is None or node.kind == "FULL":
        return None
    found = _Tree(all=[*left.all, *right.all])
    if node.kind in ("LEFT", "RIGHT"):
        kept, added = (left, right) if node.kind == "LEFT" else (right, left)
        if len(added.all) > 1 or node.on is None:
            return None
        found.inner, found.conditions = kept.inner, kept.conditions
        found.outer = [*kept.outer, (added.all[0], node.on)]
        return found
    found.inner, found.outer = [*left.inner, *right.inner], [*left.outer, *right.outer]
    found.conditions = [*left.conditions, *right.conditions, *conjuncts(node.on)]
    return found


def side_of(node: ast.TableSource, scope: Scope, session: Session, *, is_target: bool) -> _Side | None:
    """None for a source whose rows neither are at hand nor those of a table."""
    if isinstance(node, ast.DerivedTable | ast.InlineValues):
        found = _constants(node, scope, session)
        if found is not None or not isinstance(node, ast.DerivedTable) or node.alias is None:
            return found
        inner = query_rows(node, scope, session)
        return None if inner is None else _Side(node, node.alias.value.lower(), inner[1], rows=inner[0])
    if not isinstance(node, ast.NamedTable | ast.VariableTable):
        return None
    alias = alias_of(node)
    triggered = trigger_rows(node)
    if triggered is not None:
        names = [RowColumn(alias, c.name, c.type) for c in triggered.table.columns]
        return _Side(node, alias, names, rows=triggered)
    bound, slot = bound_source(node, scope, session, is_target=is_target)
    if bound is None or not all(column.is_deterministic for column in bound.table.columns):
        return None
    names = [RowColumn(alias, c.name, c.type) for c in bound.table.columns]
    is_at_hand = slot >= 0 or bool(bound.table.session_id)
    return _Side(node, alias, names, bound, InMemory(slot, bound, (), ()) if is_at_hand else None)


def _constants(node: ast.DerivedTable | ast.InlineValues, scope: Scope, session: Session) -> _Side | None:
    """`(SELECT @a AS x, 1 AS y) AS s` and `(VALUES (@a, 1)) AS s (x, y)`."""
    if node.alias is None:
        return None
    rows: tuple[tuple[ast.Expression, ...], ...]
    if isinstance(node, ast.InlineValues):
        rows, names = node.rows, [name.value for name in node.columns]
    else:
        values = plain_values(node.query, None)
        if values is None:
            return None
        rows, names = (values,), [name.value for name in node.columns] or _names_of(node.query)
    if any(len(row) != len(names) for row in rows) or not all(is_constant(value) for row in rows for value in row):
        return None
    if not all(is_plain(value, scope, session) for row in rows for value in row):
        return None
    scalars = [[compile_scalar(value, scope) for value in row] for row in rows]
    types = [scalar.type for scalar in scalars[0]]
    if any([scalar.type for scalar in row] != types for row in scalars):
        return None
    alias = node.alias.value.lower()
    found = ConstantRows(tuple(tuple(scalar.run for scalar in row) for row in scalars))
    return _Side(node, alias, [RowColumn(alias, n, t) for n, t in zip(names, types, strict=True)], rows=found)


def _names_of(query: ast.QueryExpression) -> list[str]:
    items = query.query.items if isinstance(query.query, ast.QuerySpecification) else ()
    return [i.alias.value for i in items if isinstance(i, ast.SelectColumn) and i.alias is not None]


class Order:
    """The turns of the sources, one after the other."""

    def __init__(self, rows: RowScope, scope: Scope, session: Session, target: ast.TableSource | None) -> None:
        self._rows, self._scope, self._session, self._target = rows, scope, session, target
        self.placed: set[int] = set()
        self.met: list[Met] = []
        self.used: list[ast.Condition] = []

    def meets(self, sides: Sequence[_Side], conditions: Sequence[ast.Condition]) -> bool:
        """Whether each source has its turn: by a key as soon as that is known, else what is at hand, else by other
        columns of which a value is known, and in the end all rows, which may be few."""
        left = [*sides]
        ways = (self._by_key, self._at_hand, self._by_values, self._by_all)
        while left:
            turns = ((side, way(side, conditions)) for way in ways for side in left)
            side, turn = next(((side, turn) for side, turn in turns if turn is not None), (left[0], None))
            if turn is None:
                return False
            source, wanted, used = turn
            self._meet(side, source, wanted, is_outer=False)
            self.used += used
            left = [one for one in left if one is not side]
        return True

    def leaves(self, conditions: Sequence[ast.Condition]) -> bool:
        """Whether what is left of the conditions fails for no row that the others leave out: it cannot fail, or is
        asked of the rows of the first source alone, as soon as they are there."""
        left = [part for part in conditions if part not in self.used and not _has_query(part)]
        early = [part for part in left if not cannot_fail(part, self._rows, but_constants=True)]
        if not early:
            return True
        first = self.met[0]
        for part in early:
            places = [self._rows.position(node) for node in walk(part) if isinstance(node, ast.ColumnReference)]
            if not all(p is not None and first.place <= p < first.place + first.width for p in places):
                return False
        if not all(is_plain(part, self._scope, self._session) for part in early):
            return False
        if any(converts_constant(part, self._rows) for part in early):
            return False
        on = self._rows.condition(early[0] if len(early) == 1 else ast.And(tuple(early)))
        self.met[0] = msgspec.structs.replace(first, on=on)
        self.used += early
        return True

    def meets_outer(self, side: _Side, on: Sequence[ast.Condition]) -> bool:
        """The same of an outer source."""
        turn = self._by_key(side, on) or self._at_hand(side, on) or self._by_values(side, on)
        if turn is None:
            return False
        source, wanted, used = turn
        rest = [part for part in on if part not in used]
        if not all(is_plain(part, self._scope, self._session) for part in rest):
            return False
        if not all(cannot_fail(part, self._rows) for part in rest):
            return False
        condition = self._rows.condition(rest[0] if len(rest) == 1 else ast.And(tuple(rest))) if rest else None
        self._meet(side, source, wanted, is_outer=True, on=condition)
        return True

    def _meet(
        self, side: _Side, source: Source, wanted: Sequence[Value], *, is_outer: bool, on: Value | None = None
    ) -> None:
        width = len(side.names)
        self.met.append(Met(source, side.place, width, tuple(wanted), side.node is self._target, is_outer, on))
        self.placed.update(range(side.place, side.place + width))

    def _by_key(self, side: _Side, conditions: Sequence[ast.Condition]) -> Any:
        if side.rows is not None or side.bound is None:
            return None
        equal = self._equations(side, conditions)
        for key in side.bound.keys:
            if key.filter is None and all(p in equal for p in key.positions):
                chosen = [equal[p] for p in key.positions]
                source = ByKey(KeyedRows(side.bound, key), key, ())
                return source, [value for value, _ in chosen], [part for _, part in chosen]
        return None

    def _at_hand(self, side: _Side, conditions: Sequence[ast.Condition]) -> Any:
        source = side.rows
        if not isinstance(source, InMemory):
            return None if source is None else (source, [], [])
        equal = self._equations(side, conditions)
        places = tuple(sorted(equal))
        found = InMemory(source.slot, source.bound, places, ())
        return found, [equal[p][0] for p in places], [equal[p][1] for p in places]

    def _by_values(self, side: _Side, conditions: Sequence[ast.Condition]) -> Any:
        equal = self._equations(side, conditions) if side.rows is None else {}
        if side.bound is None or not equal:
            return None
        places = tuple(sorted(equal))
        source = ByGroup(GroupedRows(side.bound, places), ())
        return source, [equal[p][0] for p in places], [equal[p][1] for p in places]

    def _by_all(self, side: _Side, conditions: Sequence[ast.Condition]) -> Any:
        if side.rows is not None or side.bound is None:
            return None
        return ByGroup(GroupedRows(side.bound, ()), ()), [], []

    def _equations(self, side: _Side, conditions: Sequence[ast.Condition]) -> dict[int, tuple[Value, ast.Condition]]:
        """By position in the table what a column is equal to, as keys of it are: a value that needs no row, or a
        column of a row so far."""
        found: dict[int, tuple[Value, ast.Condition]] = {}
        for part in conditions:
            for column, other in column_equations(part):
                place = self._rows.position(column)
                if place is None or not side.place <= place < side.place + len(side.names):
                    continue
                for value, kind in self._value(other):
                    if key_conversion(self._rows.columns[place].type, kind):
                        found.setdefault(place - side.place, (value, part))
        return found

    def _value(self, node: ast.Expression) -> Iterator[tuple[Value, Any]]:
        if isinstance(node, ast.ColumnReference):
            place = self._rows.position(node)
            if place is not None and place in self.placed:
                yield _column(place), self._rows.columns[place].type
        elif is_constant(node):
            scalar = compile_scalar(node, self._scope)
            yield _constant(scalar.run), scalar.type


def _has_query(node: ast.Node) -> bool:
    return any(isinstance(part, ast.QueryExpression) for part in walk(node))


def _column(place: int) -> Value:
    return lambda frame, row: row[place]


def _constant(run: Callable[[Frame], Any]) -> Value:
    return lambda frame, row: run(frame)
