"""The rows of a table by a list of values of a key: `id IN (@a, @b)`, `id = @a OR id = @b`, and such a list for one
column of a key whose other columns are given.

Decides which conditions are such a list, and that all rows are of one moment. It must not know what is asked of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from sbql.engine.direct.sources import ByKey, Equal, Row, exact_equations
from sbql.engine.query.context import is_constant
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.bound_table import BoundTable, Key
from sbql.engine.tables.keyed_rows import KeyedRows, key_conversion
from sbql.engine.tables.row_expressions import RowScope
from sbql.grammar import ast
from sbql.grammar.tree import column_equations

__all__ = ["ByKeys", "listed_source"]

_MOST: Final = 64
"""Values of a list. DuckDB has the rows of more of them sooner."""
_LOOKS: Final = 2
"""Queries for rows that are not in memory: DuckDB has more of them sooner."""

Run = Callable[[Frame], Any]


class ByKeys(Struct, frozen=True):
    """A table by keys, each a value for each column of the key."""

    keyed: ByKey
    keys: tuple[tuple[Run, ...], ...]

    @property
    def storage(self) -> str:
        return self.keyed.storage

    def rows(self, frame: Frame) -> list[Row] | None:
        """In the order in which they stand. None: ask DuckDB, also where a commit is on its way or has begun meanwhile,
        so that all are of one moment."""
        cache = frame.session.instance.store.feed.rows
        begun = cache.begun((self.storage,))
        found = None if begun is None else self._found(frame)
        if found is None or cache.begun((self.storage,)) != begun:
            return None
        return [found[row_id] for row_id in sorted(found)]

    def _found(self, frame: Frame) -> dict[int, Row] | None:
        store = frame.session.store
        most = store.looks + _LOOKS
        found: dict[int, Row] = {}
        for key in self.keys:
            matches = self.keyed.look(frame, [value(frame) for value in key]) if store.looks <= most else None
            if matches is None:
                return None
            found.update((row[0], row) for row in matches)
        return found


def listed_source(
    bound: BoundTable, equal: Sequence[Equal], conditions: Sequence[ast.Condition], rows: RowScope, scope: Scope
) -> tuple[ByKeys, list[Any]] | None:
    """The source and the conditions that it answers; None where no condition is such a list. Raises SqlError for what
    does not compile."""
    exact = exact_equations(equal)
    for condition in conditions:
        listed = _listed(condition, rows, scope)
        if listed is None:
            continue
        position, values = listed
        key = _key_with(bound, position, exact.keys())
        if key is None:
            continue
        others = [exact[p] for p in key.positions if p != position]
        keys = [tuple([value if p == position else exact[p].value for p in key.positions]) for value in values]
        return ByKeys(ByKey(KeyedRows(bound, key), key, ()), tuple(keys)), [condition, *(one.node for one in others)]
    return None


def _key_with(bound: BoundTable, position: int, given: Any) -> Key | None:
    """A unique key of this column and others that are given."""
    for key in bound.keys:
        if key.filter is None and position in key.positions and all(p == position or p in given for p in key.positions):
            return key
    return None


def _listed(condition: ast.Condition, rows: RowScope, scope: Scope) -> tuple[int, list[Run]] | None:
    """The position of a column, and the values of which it has one."""
    pairs = list(_pairs(condition))
    if not 1 < len(pairs) <= _MOST or any(not is_constant(value) for _, value in pairs):
        return None
    positions = {rows.position(column) for column, _ in pairs}
    position = positions.pop()
    if positions or position is None:
        return None
    values = [compile_scalar(value, scope) for _, value in pairs]
    sql_type = rows.columns[position].type
    return (position, [v.run for v in values]) if all(key_conversion(sql_type, v.type) for v in values) else None


def _pairs(condition: ast.Condition) -> Iterator[tuple[ast.ColumnReference, ast.Expression]]:
    """`column = value` of each alternative; nothing where one is something else."""
    match condition:
        case ast.InList(operand=ast.ColumnReference() as column, negated=False):
            yield from ((column, item) for item in condition.items)
        case ast.Or():
            equations = [next(column_equations(one), None) for one in condition.operands]
            if None not in equations:
                yield from (one for one in equations if one is not None)
