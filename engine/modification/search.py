"""Search: which rows an UPDATE or DELETE touches, found, locked, and found again if somebody else was quicker.

It decides which table of FROM is the target, and keeps READ COMMITTED: what is handed out was committed (or the
transaction's own) at a moment after the last lock was granted. It must not know what happens to the rows.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct

from sbql.engine.cursors.cursor import find_cursor, no_cursor, positioned_row, row_has_changed
from sbql.engine.modification.locking import drop_locks, lock_all, lock_free, lock_table
from sbql.engine.modification.sources import (
    ImageSearch,
    RowLimit,
    TargetRows,
    over_images,
    target_rows,
    view_rows,
)
from sbql.engine.modification.views import triggered_view
from sbql.engine.modification.writable import Target, common_table_of, sources_of, view_check, writable
from sbql.engine.ports import Session
from sbql.engine.query.translation import Beginning
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security.resolver import resolve
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.pending_images import others_at_work, wait_for_images
from sbql.engine.work import Suspend
from sbql.grammar.ast import (
    Assignment,
    BinaryExpression,
    ColumnReference,
    DeleteStatement,
    DerivedTable,
    Expression,
    Identifier,
    MethodCall,
    NamedTable,
    NextValueFor,
    ObjectName,
    TableSource,
    UpdateStatement,
    VariableReference,
    VariableTable,
    WithClause,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import find_all, rewrite
from sbql.grammar.types import SqlType
from sbql.grammar.values.checkpoints import checked_rows

__all__ = ["QUICK_TRIES", "Search", "assigned", "make_search", "value_of"]

Match = tuple[int, Sequence[Any], tuple[Any, ...]]
"""Row id, old row, extra values."""

QUICK_TRIES = 10


class Search(Struct):
    """Made by `make_search`, ready after `finish`."""

    node: UpdateStatement | DeleteStatement
    target: Target
    from_: TableSource | None
    limit: RowLimit
    rows: TargetRows | None = None
    images: ImageSearch | None = None
    shown_from: int = 0
    at_hand: Callable[[Frame, int | None], list[Match] | None] | None = None
    is_triggered: bool = False
    cursor_slot: int = 0
    is_whole_variable: bool = False
    """DELETE of a table variable without any condition, as loops of RECEIVE … INTO have it: its rows are at hand."""

    @property
    def bound(self) -> BoundTable:
        return self.target.bound

    @property
    def slot(self) -> int | None:
        return self.target.slot

    @property
    def alias(self) -> str:
        return self.target.alias

    @property
    def hints(self) -> frozenset[str]:
        return self.target.hints

    @property
    def is_private(self) -> bool:
        """A table variable or a #temp table: its rows need no locks."""
        return self.target.slot is not None or not self.target.bound.needs_locks

    @property
    def has_dependent_rows(self) -> bool:
        """Whether a row is found may depend on other rows of the table."""
        return self.limit.is_set or self.target.columns is not None

    def finish(self, extras: Sequence[Expression], session: Session, scope: Scope) -> tuple[SqlType, ...]:
        """Translate the search with these values beside each row. Returns their types."""
        if self.node.current_of is not None:
            name, _ = self.node.current_of
            if isinstance(name, VariableReference):
                self.cursor_slot = scope.lookup_cursor(name.name)
            if extras:  # in OUTPUT: no row of another table comes with the cursor's
                raise sql_error(4104, str(getattr(extras[0], "name", "")), span=extras[0].span)
            return ()
        if self.slot is not None and isinstance(self.node, DeleteStatement) and _is_bare(self.node):
            self.is_whole_variable = True
            return ()
        values = [*self.target.images(), *extras]
        if self.is_triggered:
            self.rows = view_rows(self.node, values, scope, session)
        else:
            self.rows = self.translated(values, scope, session)
            self.at_hand = self.rows.at_hand(self.bound.width)
            if self.bound.needs_locks and "READPAST" not in self.hints:
                self.images = self._image_search(self.target.source, scope)
        return self.rows.types[self.bound.width :]

    @property
    def may_be_set(self) -> bool:
        """Whether nothing in the statement asks for its rows one by one, and there may be many: see `set_changes`. To
        be asked behind `finish`."""
        node = self.node
        return (
            self.slot is None
            and not (self.rows is not None and self.rows.is_of_one_row)
            and not self.is_triggered
            and node.current_of is None
            and "READPAST" not in self.hints
            and not any(find_all(node, NextValueFor))
        )

    def translated(
        self, values: Sequence[Expression], scope: Scope, session: Session, beginning: Beginning | None = None
    ) -> TargetRows:
        """The search with these values beside each row id; `beginning` is that of the statement itself. Of a table
        alone, where each row comes once, no more than TOP wants are asked for."""
        where, with_ = self.node.where, self.node.with_
        is_alone = self.from_ is None and self.target.columns is None and not self.limit.is_percent
        top = self.node.top if is_alone else None
        return target_rows(
            self.target.source, self.from_, where, values, scope, session, with_=with_, top=top, beginning=beginning
        )

    def _image_search(self, target: TableSource, scope: Scope) -> ImageSearch:
        """The same search over the images of other transactions. Where rows decide about each other (TOP, a query with
        row numbers), over the table as it would be with them."""
        node, with_rows = self.node, self.has_dependent_rows

        def translate(session: Session) -> TargetRows:
            own = over_images(target, with_rows=with_rows)
            from_ = self.from_ and rewrite(self.from_, lambda part: own if part is target else None)
            return target_rows(own, from_, node.where, (), scope, session, with_=node.with_)

        return ImageSearch(lambda session: scope.within(node.with_, lambda: translate(session)))

    @property
    def shared(self) -> BoundTable | None:
        """The table whose rows it finds to change, if others see it."""
        return None if self.is_private or self.is_triggered else self.bound

    # --- rows ----------------------------------------------------------------------------------------------

    def locked_rows(self, frame: Frame, txn: Any, store: Any) -> Generator[Suspend, None, list[Match]]:
        """The matches, each target row once, all locked until the transaction ends."""
        bound = self.bound
        if self.is_private:
            return self.matches(frame, store)
        table_id = bound.table.id
        if txn.owner.held.get(("table", table_id)) != "IX":
            yield from lock_table(txn, table_id)
        shared = frame.session.instance.store
        tables = (bound.storage,)
        nowait = "NOWAIT" in self.hints
        looked_at: set[Any] = set()
        tries = 0
        while True:
            clock = shared.feed.until  # rows may come from what was told of commits
            others = others_at_work(txn, table_id)
            if others and self.images is not None:
                search = functools.partial(self._image_ids, store=store)
                if (yield from wait_for_images(frame, txn, bound.table, search, nowait=nowait)):
                    continue
            matches = self.matches(frame, store)
            wanted = [("row", table_id, row_id) for row_id, _, _ in matches]
            if "READPAST" in self.hints:
                if not lock_free(txn, wanted):
                    continue
                waited = False
            else:
                if others:
                    looked_at.update(resource for resource in wanted if resource not in txn.owner.held)
                waited = yield from lock_all(txn, table_id, wanted, nowait=nowait)
            if txn.is_snapshot and store.changed_since((row_id, image) for row_id, image, _ in matches):
                raise sql_error(3960, bound.display, frame.session.database_name)
            if not waited and (txn.is_snapshot or not shared.is_stale(clock, tables)):
                if looked_at:
                    drop_locks(frame, txn, looked_at.difference(wanted))
                return matches
            tries += 1
            if tries == QUICK_TRIES and "READPAST" not in self.hints:
                yield from lock_table(txn, table_id, "X")

    def _image_ids(self, frame: Frame, store: Any) -> Iterable[int]:
        """The ids of the rows that the search finds among the images of others, or by
        which it would differ with them."""
        assert self.images is not None
        found = dict.fromkeys(row[0] for row in self.images.fetch(frame) if row[0] is not None)
        if not self.has_dependent_rows:
            return found
        count = self.limit.of(frame, len(found))
        return set(list(found)[:count]).symmetric_difference(row_id for row_id, _, _ in self.matches(frame, store))

    def matches(self, frame: Frame, store: Any) -> list[Match]:
        """The matches, each target row once, as they are; of a private table nobody else has any."""
        if self.node.current_of is not None:
            return self._current_row(frame, store)
        most = self.limit.before(frame)
        if self.is_whole_variable:
            found = [(row_id, row, ()) for row_id, row in store.rows.items()][:most]
        else:
            found = self._rows_found(frame, most)
        return found[: self.limit.of(frame, len(found))] if self.limit.is_percent else found

    def _rows_found(self, frame: Frame, most: int | None) -> list[Match]:
        """What the query finds, each target row once, up to `most`."""
        assert self.rows is not None
        if self.at_hand is not None and (known := self.at_hand(frame, most)) is not None:
            return known if most is None else known[:most]
        width = self.bound.width
        seen: dict[int, Match] = {}
        for number, values in enumerate(checked_rows(self.rows.fetch(frame)), 1):
            if self.is_triggered:
                values = (number, *values)  # no row id comes through a view: each row is its own
            row_id = values[0]
            if row_id is not None and row_id not in seen:
                if most is not None and len(seen) >= most:
                    break
                seen[row_id] = (row_id, list(values[1 : width + 1]), tuple(values[width + 1 :]))
        return list(seen.values())

    def _current_row(self, frame: Frame, store: Any) -> list[Match]:
        """WHERE CURRENT OF: the row that the cursor stands on."""
        node = self.node
        target = node.target.name if isinstance(node.target, VariableTable) else self.bound.table
        assigned = node.assignments if isinstance(node, UpdateStatement) else ()
        columns = frozenset(a.column.name.lower() for a in assigned if a.column is not None)
        cursor = self._cursor(frame)
        place, row_id = positioned_row(cursor, target, columns, node.span)
        if self.slot is None and not store.txn.is_snapshot:
            image = cursor.rows.current_image(place, row_id, store)
        else:
            image = next(iter(store.by_id(row_id)), None)
        if image is None:
            raise row_has_changed(frame.session, node.span)
        return [(row_id, image, ())]

    def _cursor(self, frame: Frame) -> Any:
        """The cursor of WHERE CURRENT OF. Raises 16916, 16950."""
        assert self.node.current_of is not None
        name, is_global = self.node.current_of
        if isinstance(name, Identifier):
            return find_cursor(frame, name.value, is_global)
        cursor = frame.variables[self.cursor_slot]
        if cursor is None:
            raise no_cursor(name.name)
        return cursor

    def written(self, frame: Frame) -> None:
        """The rows of `locked_rows` are written: a cursor on its row has done that itself."""
        if self.node.current_of is not None:
            self._cursor(frame).written()


def _is_bare(node: DeleteStatement) -> bool:
    return (node.from_, node.where, node.current_of, node.output) == (None, None, None, None)


# --- finding the target ------------------------------------------------------------------------------------


def value_of(item: Assignment, qualifier: tuple[Identifier, ...]) -> Expression:
    """The expression of one item, compound forms written out."""
    if item.op in ("=", "modify"):
        return item.expression
    if item.op == "write":
        assert isinstance(item.expression, MethodCall)
        return item.expression.arguments[0]
    left: Expression
    if item.column is not None:
        parts: tuple[Identifier | None, ...] = item.column.parts
        if len(parts) == 1:
            parts = (*qualifier, *parts)
        left = ColumnReference(parts, span=item.column.span)
    else:
        assert item.variable is not None
        left = VariableReference(item.variable, span=item.span)
    return BinaryExpression(item.op[:-1], left, item.expression, span=item.span)


def assigned(target: Target, item: Assignment, session: Session) -> Assignment:
    """An item of SET with the column of a view, common table expression or derived table replaced by the table's.
    Raises 4104 for a column of another source."""
    if item.column is None:
        return item
    target.check_qualifier(item.column, session.database_name)
    if target.columns is None:
        return item
    column = ObjectName((Identifier(target.column(item.column.name, item.column.span)),), span=item.column.span)
    if item.op in ("modify", "write"):
        return replace(item, column=column)
    return replace(item, column=column, expression=value_of(item, target.parts), op="=")


def make_search(node: UpdateStatement | DeleteStatement, session: Session, scope: Scope) -> Search:
    """Which table the statement means, and what the search reads. Raises 208, 414, 415 (a join with a
    view that has an INSTEAD OF trigger), 416, 1087, 4403 to 4436, 8154."""
    limit = RowLimit(node.top, scope)
    found = _source_of(node.target, node.from_, node.with_, session)
    source = found if found is not None else node.target
    is_update = isinstance(node, UpdateStatement)
    triggered = None
    if isinstance(source, NamedTable) and common_table_of(source, node.with_) is None:
        triggered = triggered_view(session, source, "UPDATE" if is_update else "DELETE")
    if triggered is not None:
        assert isinstance(source, NamedTable)
        if any(other is not source for other in sources_of(node.from_)):
            raise sql_error(414 if is_update else 415, source.name.name, span=node.span)
        alias = source.alias.value if source.alias is not None else source.name.name
        search = Search(node, Target(source, alias, triggered), node.from_, limit, is_triggered=True)
    else:
        wanted = None
        if isinstance(node, UpdateStatement):
            wanted = [(a.column.name, a.column.span) for a in node.assignments if a.column is not None]
        target = writable(source, wanted, session, scope, node.with_)
        if target.check is not None:
            target.bound = msgspec.structs.replace(target.bound, view_check=view_check(target, session))
        from_ = node.from_
        if from_ is not None and isinstance(source, NamedTable) and source.alias is None:
            target.qualifier = _apart(source, from_, session)
        if found is not None and from_ is not None:
            from_ = rewrite(from_, lambda part: target.source if part is found else None)
        search = Search(node, target, from_, limit)
    return search


def _source_of(
    target: NamedTable | VariableTable, from_: TableSource | None, with_: WithClause | None, session: Session
) -> TableSource | None:
    """The source of FROM that the target names: by alias, or the same table, without alias if there is one. Raises 8154
    where only aliases tell several of them apart."""
    sources = [s for s in sources_of(from_) if isinstance(s, NamedTable | VariableTable | DerivedTable)]
    if isinstance(target, VariableTable):
        same = [s for s in sources if isinstance(s, VariableTable) and s.name.lower() == target.name.lower()]
        return same[0] if same else None
    if len(target.name.parts) == 1:
        for source in sources:
            if source.alias is not None and source.alias.value.lower() == target.name.name.lower():
                return source
    tables = [s for s in sources if isinstance(s, NamedTable) and _is_same(s, target, with_, session)]
    found = [s for s in tables if s.alias is None] or tables
    if len(found) > 1 and found[0].alias is not None:  # 1013 otherwise
        raise sql_error(8154, str(target.name), span=target.span)
    return found[0] if found else None


def _apart(found: NamedTable, from_: TableSource, session: Session) -> tuple[Identifier, ...]:
    """What tells a source of FROM from another one with the same name, of another schema or
    database; () when there is none."""
    name = found.name
    others = (s for s in sources_of(from_) if s is not found and isinstance(s, NamedTable) and s.alias is None)
    if all(other.name.name.lower() != name.name.lower() for other in others):
        return ()
    parts = (name.database or session.database_name, name.schema or "dbo", name.name)
    return tuple(map(Identifier, parts))


def _is_same(one: NamedTable, other: NamedTable, with_: WithClause | None, session: Session) -> bool:
    """Whether two names mean one table, in whichever schema and database and by whichever
    synonym, or one common table expression."""
    common = common_table_of(one, with_), common_table_of(other, with_)
    if common != (None, None):
        return common[0] is common[1]
    if str(one.name).lower() == str(other.name).lower():
        return True
    found = resolve(session, one.name, missing_ok=True)
    return found is not None and found is resolve(session, other.name, missing_ok=True)
