"""Conditions of a join without DuckDB that ask whether another table has such rows: EXISTS, NOT EXISTS and IN of a
query over one table.

Decides which of them can be asked of rows at hand, of rows by a key or of rows by other columns, as an outer join finds
its rows. It must not know what is asked of the rows that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sbql.engine.direct.join_rows import JoinRows, Met, tables_of
from sbql.engine.direct.joins import Joined, Order, conjuncts, side_of
from sbql.engine.direct.sources import Row
from sbql.engine.ports import Session
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.grammar import ast
from sbql.grammar.tree import rewrite, walk

__all__ = ["asks_for_others", "with_semi_joins"]


class _Semi(Struct, frozen=True):
    """Rows stay that have a match, or that have none."""

    met: Met
    is_anti: bool

    def of(self, frame: Frame, found: Sequence[Row]) -> list[Row]:
        """Raises NotAtHand."""
        on = self.met.on
        return [
            row
            for row, matches in self.met.met(frame, found)
            if any(on is None or on(frame, [*row[1], *image]) for _, image in matches) != self.is_anti
        ]


class SemiRows(JoinRows, frozen=True):
    """Those of a join that `semis` leave."""

    semis: tuple[_Semi, ...] = ()

    def _rows(self, frame: Frame) -> list[Row]:
        found = super()._rows(frame)
        for semi in self.semis:
            if not found:
                return found
            found = semi.of(frame, found)
        return found


def asks_for_others(where: ast.Condition | None) -> bool:
    """Whether one of the conditions is of this kind."""
    return any(_asked(part) is not None for part in conjuncts(where))


def with_semi_joins(joined: Joined, scope: Scope, session: Session) -> Joined:
    """The same rows, with those conditions answered that can be. Raises SqlError for what does not compile."""
    made: list[_Semi] = []
    used = [*joined.used]
    for part in joined.conditions:
        asked = _asked(part)
        semi = None if asked is None else _semi(*asked, joined.layout, scope, session)
        if semi is not None:
            made.append(semi)
            used.append(part)
    if not made:
        return joined
    rows = joined.rows
    others = [name for semi in made for name in tables_of(semi.met.source)]
    semi_rows = SemiRows(rows.met, rows.width, rows.has_target, tuple({*rows.tables, *others}), semis=tuple(made))
    return msgspec.structs.replace(joined, rows=semi_rows, used=used)


def _asked(part: ast.Condition) -> tuple[ast.QueryExpression, ast.Expression | None, bool] | None:
    """The query, what is looked for in it, and whether there has to be none."""
    if isinstance(part, ast.Exists):
        return part.query, None, False
    if isinstance(part, ast.Not) and isinstance(part.operand, ast.Exists):
        return part.operand.query, None, True
    if isinstance(part, ast.InSubquery) and not part.negated:  # NOT IN has a meaning of its own for NULL
        return part.query, part.operand, False
    return None


def _semi(
    query: ast.QueryExpression, operand: ast.Expression | None, is_anti: bool, layout: Sequence[RowColumn], scope: Scope, session: Session,
) -> _Semi | None:  # fmt: skip
    body = query.query
    if query.offset or query.for_ or query.order_by or not isinstance(body, ast.QuerySpecification):
        return None
    if body.group_by or body.having or body.top or body.into or body.windows or body.from_ is None:
        return None
    asked = [*body.items, *([] if body.where is None else [body.where])]
    if any(isinstance(part, ast.QueryExpression) for node in asked for part in walk(node)):
        return None
    if any(isinstance(part, ast.FunctionCall) for item in body.items for part in walk(item)):  # it may be an aggregate
        return None
    side = side_of(body.from_, scope, session, is_target=False)
    if side is None or side.alias in {column.qualifier for column in layout}:
        return None
    conditions = [_named(part, side.names) for part in conjuncts(body.where)]
    if operand is not None:
        item = body.items[0]
        if len(body.items) != 1 or not isinstance(item, ast.SelectColumn):
            return None
        conditions.append(ast.Comparison("=", _named(operand, layout), _named(item.expression, side.names)))
    side.place = len(layout)
    order = Order(RowScope([*layout, *side.names], session, scope), scope, session, None)
    order.placed.update(range(len(layout)))
    return _Semi(order.met[0], is_anti) if order.meets_outer(side, conditions) else None


def _named(node: Any, columns: Sequence[RowColumn]) -> Any:
    """With these columns called by their sources: in the query its own come first, outside there are no others."""
    sources: dict[str, set[str]] = {}
    for column in columns:
        sources.setdefault(column.name.lower(), set()).add(column.qualifier)

    def named(part: Any) -> Any:
        if not isinstance(part, ast.ColumnReference) or len(part.parts) > 1:
            return None
        found = sources.get(part.name.lower(), set())
        if len(found) != 1:
            return None
        return ast.ColumnReference((ast.Identifier(next(iter(found))), *part.parts), span=part.span)

    return rewrite(node, named)
