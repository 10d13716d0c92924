"""How a query without DuckDB is put together: a source of rows, and what is asked of them.

Decides whether all that is asked can be computed here, and from where a table gives its rows. It must not know which
queries ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sbql.engine.direct.aggregates import aggregated, counts_rows
from sbql.engine.direct.form import Direct, DirectGroup, Source
from sbql.engine.direct.joins import Joined, conjuncts
from sbql.engine.direct.listed_keys import listed_source
from sbql.engine.direct.over_aggregates import OverAggregates, over_aggregates
from sbql.engine.direct.shape import (
    ordered_by,
    shape_of,
)
from sbql.engine.direct.sources import (
    ByGroup,
    ByKey,
    InMemory,
    alias_of,
    bound_source,
    chosen_source,
    equalities,
    group_source,
    needed_columns,
    trigger_rows,
)
from sbql.engine.direct.unfailing import cannot_fail, has_failing_literal, is_unfailing
from sbql.engine.ports import Session
from sbql.engine.query.lock_hints import EXCLUSIVE_HINTS, held_rows, hint_names, rows_of_others
from sbql.engine.query.plain_expressions import Constants, is_plain
from sbql.engine.scalars.scope import Scope
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.keyed_rows import KeyedRows
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar import ast
from sbql.grammar.errors import SqlError

__all__ = ["Asked", "is_alone", "made_of", "of_join", "of_table"]


class Asked(Struct, frozen=True):
    """What a query says of one source of rows."""

    where: ast.Condition | None
    items: list[Any]
    order: Sequence[ast.OrderItem] = ()
    top: ast.Top | None = None
    has_id: bool = False
    by: list[Any] | None = None
    is_distinct: bool = False

    @property
    def conditions(self) -> list[ast.Condition]:
        return conjuncts(self.where)

    def nodes(self, but: Sequence[ast.Condition]) -> tuple[ast.Node, ...]:
        """All that it says of the rows, without the conditions that are answered already."""
        rest = [part for part in self.conditions if part not in but]
        return (*rest, *self.items, *(self.by or ()), *self.order, *((self.top.count,) if self.top is not None else ()))


def is_alone(found: TranslatedQuery) -> bool:
    """It reads one table."""
    return not found.reads_broker and len(found.tables) + len(found.locals) == 1


def of_table(
    source: ast.NamedTable | ast.VariableTable, asked: Asked, found: TranslatedQuery, scope: Scope, session: Session
) -> Direct | None:
    try:
        triggered = trigger_rows(source)
        if triggered is not None:
            layout = [RowColumn(alias_of(source), c.name, c.type) for c in triggered.table.columns]
            return made_of((triggered, []), asked, layout, found, scope, session)
        hints = hint_names(source) if isinstance(source, ast.NamedTable) else frozenset()
        is_held = bool(EXCLUSIVE_HINTS & hints)
        bound, slot = bound_source(source, scope, session, is_target=asked.has_id or is_held, may_pass=True)
        if bound is None or not all(column.is_deterministic for column in bound.table.columns):
            return None  # a column that changes by itself is not what was stored with the row
        layout = [RowColumn(alias_of(source), c.name, c.type) for c in bound.table.columns]
        columns = RowScope(layout, session, scope)
        equal = [pair for part in asked.conditions for pair in equalities(part, columns, scope)]
        chosen: tuple[Source, list[Any]] | None = chosen_source(bound, slot, equal)
        if chosen is None:
            chosen = listed_source(bound, equal, asked.conditions, columns, scope)
        if chosen is None:
            made = _of_group(bound, equal, asked, columns, found, scope, session)
            used = []
        else:
            used = chosen[1]
            made = made_of(chosen, asked, layout, found, scope, session)
        if made is None:
            return None
        origin = made.source
        if isinstance(source, ast.NamedTable) and not bound.table.session_id:
            held = held_rows(source) if is_held else None
            passed = rows_of_others(bound.table.id) if "READPAST" in hints else None
            if passed is not None and isinstance(origin, ByGroup):
                origin = msgspec.structs.replace(origin, passes=True)
            made = msgspec.structs.replace(made, source=origin, held=held, passed=passed)
        if isinstance(origin, ByKey) and not (asked.has_id or is_held):
            nodes = asked.nodes(but=used)
            origin = msgspec.structs.replace(origin, keyed=KeyedRows(bound, origin.key, needed_columns(nodes, columns)))
        is_whole = made.where is None and made.shape.is_all and not made.constants
        if isinstance(origin, InMemory) and not origin.positions and is_whole:
            origin = msgspec.structs.replace(origin, most=None)
        return msgspec.structs.replace(made, source=origin)
    except SqlError:
        return None


def _of_group(
    bound: BoundTable, equal: list[Any], asked: Asked, columns: RowScope, found: TranslatedQuery, scope: Scope, session: Session,
) -> Direct | None:  # fmt: skip
    """By values of columns that are no key. Where TOP asks for the first ones, they are kept in their order."""
    is_first_enough = asked.top is not None and asked.by is None and not asked.is_distinct
    order = ordered_by(asked.order, columns) if is_first_enough else None
    origin = group_source(bound, equal, order[0] if order else (), is_descending=bool(order and order[1]))
    made = made_of(origin, asked, columns.columns, found, scope, session)
    if made is None:
        return None
    shape = made.shape if order is None else msgspec.structs.replace(made.shape, order=())
    return DirectGroup(made.source, made.where, shape, made.constants, asks_all=made.asks_all)


def of_join(joined: Joined, asked: Asked, found: TranslatedQuery, scope: Scope, session: Session) -> Direct | None:
    if len(asked.items) != len(found.columns) - asked.has_id:
        return None
    return made_of((joined.rows, joined.used), asked, joined.layout, found, scope, session)


def _folded(item: Any, constants: Constants) -> Any:
    return item if isinstance(item, ast.ColumnReference) else constants.folded(item)


def _parts(item: Any) -> list[Any]:
    """What has to be computed of the rows for an item of the select list, but for aggregates."""
    if isinstance(item, OverAggregates):
        return [part for call in item.calls for part in _parts(call)]
    return [] if counts_rows(item) else [aggregated(item) or item]


def made_of(
    chosen: tuple[Source, list[Any]],
    asked: Asked,
    layout: Sequence[RowColumn],
    found: TranslatedQuery,
    scope: Scope,
    session: Session,
) -> Direct | None:
    """`chosen`: where the rows come from, and the conditions that this answers. Raises SqlError for what does not
    compile."""
    if session.options.deviations:
        return None
    origin, used = chosen
    constants, top = Constants(scope), asked.top
    rest = [constants.folded(part) for part in asked.conditions if part not in used]
    is_one = asked.by is None and not asked.is_distinct
    items = [
        (over_aggregates(item, constants.folded) if is_one else None) or _folded(item, constants)
        for item in asked.items
    ]
    values = [part for item in items for part in _parts(item)]
    behind = [item.node for item in items if isinstance(item, OverAggregates)]
    if not all(
        is_plain(node, scope, session) for node in (*rest, *values, *behind, top.count if top is not None else None)
    ):
        return None
    rows = RowScope([*layout, *constants.columns], session, scope)
    if any(has_failing_literal(node, rows) for node in (*rest, *values)):
        return None
    condition = rows.condition(rest[0] if len(rest) == 1 else ast.And(tuple(rest))) if rest else None
    columns = found.columns[1 if asked.has_id else 0 :]
    shape = shape_of(
        items, asked.order, top, columns, rows, scope, has_id=asked.has_id, by=asked.by, is_distinct=asked.is_distinct
    )
    if shape is None:
        return None
    asks_all = not all(cannot_fail(part, rows) for part in rest)
    made = [item for item in items if not isinstance(item, OverAggregates)]
    if shape.takes_first and not all(is_unfailing(item, rows) for item in made):
        asks_all, shape = True, msgspec.structs.replace(shape, makes_all=True)
    return Direct(origin, condition, shape, tuple(constants.runs), asks_all=asks_all)
