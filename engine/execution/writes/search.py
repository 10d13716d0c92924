"""Search: which rows an UPDATE or DELETE touches, found, locked, and found again if somebody else was quicker.

It decides which table of FROM is the target, and keeps READ COMMITTED: what is handed out was committed (or the
transaction's own) at a moment after the last lock was granted. It must not know what happens to the rows.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from sbql.catalog.records import Module
from sbql.engine.execution.reading_locks import hint_names
from sbql.engine.execution.scope import Frame, Scope
from sbql.engine.execution.writes.bound import BoundTable, bind_shape
from sbql.engine.execution.writes.common import CommonTarget, common_table_of, common_target, with_view
from sbql.engine.execution.writes.locking import lock_all, lock_free, lock_table
from sbql.engine.execution.writes.sources import TargetRows, common_rows, row_limit, target_rows, view_rows
from sbql.engine.execution.writes.target import bound_target, find_target, variable_shape
from sbql.engine.execution.writes.views import ViewTarget, checked_bound, is_join_view, triggered_view, view_target
from sbql.engine.steps import Suspend
from sbql.grammar.ast import (
    Apply,
    Assignment,
    BinaryExpression,
    ColumnReference,
    Condition,
    DeleteStatement,
    Expression,
    Identifier,
    Join,
    MethodCall,
    NamedTable,
    ObjectName,
    TableSource,
    UpdateStatement,
    VariableReference,
    VariableTable,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType

__all__ = ["Match", "Search", "make_search", "value_of"]

Match = tuple[int, list[Any], tuple[Any, ...]]
"""Row id, old row, extra values."""

_QUICK_TRIES = 10


@dataclass(slots=True)
class Search:
    """Made by `make_search`, ready after `finish`."""

    node: UpdateStatement | DeleteStatement
    bound: BoundTable
    slot: int | None
    alias: str
    target: NamedTable | VariableTable
    from_: TableSource | None
    where: Condition | None
    view: ViewTarget | None = None
    rows: TargetRows | None = None
    limit: Any = None
    is_percent: bool = False
    shown_from: int = 0
    common: CommonTarget | None = None
    hints: frozenset[str] = frozenset()
    is_triggered: bool = False

    def base_assignment(self, item: Assignment) -> Assignment:
        """The item with the columns of a view or a common table expression replaced by those of the table."""
        if self.common is not None and item.column is not None:
            column = ObjectName(
                (Identifier(self.common.column(item.column.name, item.column.span)),), span=item.column.span
            )
            if item.op in ("modify", "write"):
                return replace(item, column=column)
            return replace(item, column=column, expression=value_of(item, self.alias), op="=")
        return item if self.view is None else self.view.assignment(item)

    def finish(self, extras: Sequence[Expression], session: Any, scope: Scope) -> tuple[SqlType, ...]:
        """Translate the search with these values beside each row. Returns their types."""
        if self.node.current_of is not None:
            if extras:  # in OUTPUT: no row of another table comes with the cursor's
                raise sql_error(4104, str(getattr(extras[0], "name", "")), span=extras[0].span)
            return ()
        own: list[Expression] = [
            ColumnReference((Identifier(self.alias), Identifier(c.name))) for c in self.bound.table.columns
        ]
        if self.is_triggered:
            self.rows = view_rows(self.node, [*own, *extras], scope, session)
            return self.rows.types[self.bound.width :]
        if self.common is not None:
            assert isinstance(self.target, NamedTable)
            self.rows = common_rows(self.node, self.target, self.alias, self.common.source, extras, scope, session)
            return self.rows.types
        target = self.node.target if self.from_ is not None else self.target
        self.rows = target_rows(target, self.from_, self.where, [*own, *extras], scope, session, with_=self.node.with_)
        return self.rows.types[self.bound.width :]

    # --- rows ----------------------------------------------------------------------------------------------

    def locked_rows(self, frame: Frame, txn: Any, store: Any) -> Generator[Suspend, None, list[Match]]:
        """The matches, each target row once, all locked until the transaction ends."""
        bound = self.bound
        if self.slot is not None or not bound.needs_locks:
            return self._matches(frame, store)
        table_id = bound.table.id
        yield from lock_table(txn, table_id)
        shared = frame.session.instance.store
        tables = (bound.storage,)
        tries = 0
        while True:
            clock = shared.clock
            matches = self._matches(frame, store)
            wanted = [("row", table_id, row_id) for row_id, _, _ in matches]
            if "READPAST" in self.hints:
                if not lock_free(txn, wanted):
                    continue
                waited = False
            else:
                waited = yield from lock_all(txn, table_id, wanted, nowait="NOWAIT" in self.hints)
            if txn.is_snapshot and store.changed_since((row_id, image) for row_id, image, _ in matches):
                raise sql_error(3960, bound.display, frame.session.database_name)
            if not waited and (txn.is_snapshot or not shared.is_stale(clock, tables)):
                return matches
            tries += 1
            if tries == _QUICK_TRIES and "READPAST" not in self.hints:
                yield from lock_table(txn, table_id, "X")

    def _matches(self, frame: Frame, store: Any) -> list[Match]:
        if self.node.current_of is not None:
            return self._current_row(frame, store)
        assert self.rows is not None
        width = 0 if self.common is not None else self.bound.width
        most = row_limit(self.limit(frame) if self.limit is not None else None, frame.session, self.node.span)
        seen: dict[int, Match] = {}
        for number, values in enumerate(self.rows.fetch(frame), 1):
            if self.is_triggered:
                values = (number, *values)  # no row id comes through a view: each row is its own
            row_id = values[0]
            if row_id is not None and row_id not in seen:
                if most is not None and not self.is_percent and len(seen) >= most:
                    break
                seen[row_id] = (row_id, list(values[1 : width + 1]), tuple(values[width + 1 :]))
        if self.common is not None:
            images = dict(store.by_ids(list(seen)))
            seen = {i: (i, images[i], (*old, *extra)) for i, (_, old, extra) in seen.items() if i in images}
        found = list(seen.values())
        if self.is_percent and most is not None:
            found = found[: -(-len(found) * most // 100)]
        return found

    def _current_row(self, frame: Frame, store: Any) -> list[Match]:
        """WHERE CURRENT OF: the row that the cursor stands on."""
        from sbql.engine.execution.handlers.cursors import current_row_id

        assert self.node.current_of is not None
        row_id = current_row_id(frame, self.node.current_of, self.bound.table, self.node.span)
        rows = store.by_id(row_id)
        if not rows:
            raise sql_error(16934, span=self.node.span)
        return [(row_id, rows[0], ())]


# --- finding the target ------------------------------------------------------------------------------------


def value_of(item: Assignment, alias: str | None) -> Expression:
    """The expression of one item, compound forms written out."""
    if item.op in ("=", "modify"):
        return item.expression
    if item.op == "write":
        assert isinstance(item.expression, MethodCall)
        return item.expression.arguments[0]
    left: Expression
    if item.column is not None:
        parts: tuple[Identifier | None, ...] = item.column.parts
        if len(parts) == 1 and alias is not None:
            parts = (Identifier(alias), *parts)
        left = ColumnReference(parts, span=item.column.span)
    else:
        assert item.variable is not None
        left = VariableReference(item.variable, span=item.span)
    return BinaryExpression(item.op[:-1], left, item.expression, span=item.span)


def make_search(node: UpdateStatement | DeleteStatement, session: Any, scope: Scope) -> Search:
    """Which table the statement means, and what the search reads. Raises 208, 416, 1087, 4405, 8154."""
    source = _source_of(node.target, node.from_)
    target = source if source is not None else node.target
    from_, where, view = node.from_, node.where, None
    triggered = None
    if isinstance(target, NamedTable) and not _is_common_table(target, node):
        triggered = triggered_view(session, target, "UPDATE" if isinstance(node, UpdateStatement) else "DELETE")
    if isinstance(target, NamedTable) and triggered is None and not _is_common_table(target, node):
        module = find_target(session, target.name)
        if isinstance(module, Module) and (from_ is not None or is_join_view(session, module)):
            return make_search(with_view(node, module, target, session), session, scope)
        view = view_target(session, target)
        if view is not None:
            target, where = view.named_table, view.condition(where)
    hints: frozenset[str] = frozenset()
    common = None
    if isinstance(target, VariableTable):
        slot, shape = variable_shape(scope, target)
        bound = bind_shape(msgspec.structs.replace(shape), session, display=target.name)
        bound.needs_locks = False
        alias = target.alias.value if target.alias is not None else target.name
    else:
        slot = None
        expression = common_table_of(target, node)
        common = common_target(expression, node, session) if expression is not None else None
        if common is not None:
            bound = common.bound
        else:
            bound = triggered if triggered is not None else bound_target(session, target)
            bound = bound if view is None else checked_bound(bound, view, session)
        hints = hint_names(common.source if common is not None else target)
        alias = target.alias.value if target.alias is not None else target.name.name
    search = Search(node, bound, slot, alias, target, from_, where, view)
    search.hints = hints
    search.is_triggered = triggered is not None
    search.common = common
    if node.top is not None:
        from sbql.engine.execution.expressions import compile_scalar

        search.limit = compile_scalar(node.top.count, scope).run
        search.is_percent = node.top.percent
    return search


def _sources(node: TableSource | None) -> list[NamedTable | VariableTable]:
    if isinstance(node, NamedTable | VariableTable):
        return [node]
    if isinstance(node, Join | Apply):
        return [*_sources(node.left), *_sources(node.right)]
    return []


def _source_of(target: NamedTable | VariableTable, from_: TableSource | None) -> NamedTable | VariableTable | None:
    """The table of FROM that the target names: by alias, or by the same name without alias."""
    sources = _sources(from_)
    if isinstance(target, VariableTable):
        same = [s for s in sources if isinstance(s, VariableTable) and s.name.lower() == target.name.lower()]
        return same[0] if same else None
    name = target.name.name.lower()
    if len(target.name.parts) == 1:
        for source in sources:
            if source.alias is not None and source.alias.value.lower() == name:
                return source
    same_name = [s for s in sources if isinstance(s, NamedTable) and s.name.name.lower() == name]
    if len(same_name) > 1:
        raise sql_error(8154, str(target.name), span=target.span)
    return same_name[0] if same_name else None


def _is_common_table(target: NamedTable, node: UpdateStatement | DeleteStatement) -> bool:
    return common_table_of(target, node) is not None
