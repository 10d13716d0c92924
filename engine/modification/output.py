"""OUTPUT: rows made of inserted, deleted, $action and columns of FROM, for the client or for another table.

The expressions are evaluated over row images here, never in DuckDB. It decides what may stand in the list; the images
come from the mechanism.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from operator import itemgetter
from typing import Any

from msgspec import Struct

from sbql.engine.modification.identity_values import Identities
from sbql.engine.modification.output_into import Into, bind_into
from sbql.engine.modification.row_changes import Triggers, apply_images, write
from sbql.engine.modification.search import Search
from sbql.engine.modification.target import rows_of
from sbql.engine.modification.writable import Target
from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.ports import Session
from sbql.engine.query.context import is_aggregate, is_one_for_all
from sbql.engine.query.translation import translate_query
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.engine.tables.row_images import RowImages
from sbql.engine.work import Suspend
from sbql.grammar.ast import (
    ColumnReference,
    Identifier,
    OutputClause,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
    SelectItem,
    SelectStar,
    TableSource,
    WithClause,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import columns_in, walk
from sbql.grammar.types import SqlType, nvarchar
from sbql.grammar.values.checkpoints import checked_rows

__all__ = [
    "OutputPlan",
    "expand_stars",
    "extra_columns",
    "output_plan",
    "refuse_extra_columns",
    "shared_tables",
    "write_found",
]

ACTION = "$action"
_ROW_SIDES = ("inserted", "deleted")


def _qualifier(node: ColumnReference) -> str | None:
    if len(node.parts) > 1 and node.parts[-2] is not None:
        return node.parts[-2].value.lower()
    return None


def _is_source_star(item: SelectItem) -> bool:
    """`s.*`, where s is a table of FROM."""
    return isinstance(item, SelectStar) and (item.qualifier is None or item.qualifier.name.lower() not in _ROW_SIDES)


def expand_stars(
    clause: OutputClause | None, from_: TableSource | None, with_: WithClause | None, scope: Scope, session: Session
) -> OutputClause | None:
    """The clause with `s.*` of tables of FROM written out. Raises 107 for a name that is none."""
    if clause is None or not any(map(_is_source_star, (*clause.items, *clause.shown))):
        return clause

    def expanded(items: tuple[SelectItem, ...]) -> tuple[SelectItem, ...]:
        found: list[SelectItem] = []
        for item in items:
            if not _is_source_star(item):
                found.append(item)
                continue
            assert isinstance(item, SelectStar)
            if item.qualifier is None or from_ is None:
                raise sql_error(107, str(item.qualifier or "*"), span=item.span)
            query = QueryExpression(QuerySpecification((item,), from_=from_), span=item.span)
            alias = item.qualifier.parts[-1]
            for column in translate_query(query, scope, session, with_=with_).columns:
                name = Identifier(column.name)
                found.append(SelectColumn(ColumnReference((alias, name), span=item.span), name, span=item.span))
        return tuple(found)

    return replace(clause, items=expanded(clause.items), shown=expanded(clause.shown))


def extra_columns(clause: OutputClause | None) -> list[ColumnReference]:
    """The columns of FROM that the lists ask for: those of neither inserted nor deleted."""
    if clause is None:
        return []
    found = []
    for item in (*clause.items, *clause.shown):
        if isinstance(item, SelectStar):
            if _is_source_star(item):
                raise sql_error(107, str(item.qualifier or "*"), span=item.span)
            continue
        for column in columns_in(item):
            if column.name.lower() != ACTION and _qualifier(column) not in _ROW_SIDES:
                found.append(column)
    return list(dict.fromkeys(found))


def refuse_extra_columns(clause: OutputClause) -> None:
    """INSERT has no FROM whose columns could be shown. Raises 207 for a name alone, 4104 for one of several parts."""
    for column in extra_columns(clause):
        if len(column.parts) > 1:
            raise sql_error(4104, ".".join(p.value if p else "" for p in column.parts), span=clause.span)
        raise sql_error(207, column.name, span=clause.span)


def shared_tables(target: BoundTable | None, output: OutputPlan | None) -> tuple[BoundTable, ...]:
    """Of the table that a write changes and that of its OUTPUT INTO those that others see."""
    into = output.into.shape if output is not None and output.into is not None and output.into.slot is None else None
    return tuple(bound for bound in (target, into) if bound is not None and bound.needs_locks)


class OutputItem(Struct, frozen=True):
    """One item of the list: the value at `place`, or else what `run` makes of those that it `reads`. `is_constant`: the
    same for all rows of a statement."""

    run: Callable[[Frame, Sequence[Any]], Any]
    place: int | None = None
    reads: tuple[int, ...] = ()
    is_constant: bool = False


class OutputPlan(Struct):
    """Compiled for one target table. An item has a place among the values of a row: those of the new image, of the old
    one, $action, those of FROM, of which `types` are the types. `pick` makes a row of the two images, where all items
    are columns of these."""

    columns: tuple[ResultColumn, ...]
    items: list[OutputItem]
    width: int
    types: tuple[SqlType, ...]
    into: Into | None = None
    shown: OutputPlan | None = None
    pick: Callable[[Sequence[Any]], tuple[Any, ...]] | None = None

    @property
    def reads(self) -> frozenset[int]:
        """The places of all values that it asks for, for the client and for INTO."""
        own = frozenset(place for item in self.items for place in item.reads)
        return own if self.shown is None else own | self.shown.reads

    def columns_read(self, changed: Collection[int]) -> list[int]:
        """The positions of the columns whose old values it asks for: those of deleted, and those of
        inserted that are not `changed`."""
        images = [divmod(place, self.width) for place in self.reads if place < 2 * self.width]
        return sorted({position for side, position in images if side == 1 or position not in changed})

    def rows(self, frame: Frame, images: RowImages) -> list[tuple[Any, ...]]:
        """One row an image, in the order inserted, updated, deleted."""
        blank, pick = [None] * self.width, self.pick
        if pick is not None:
            return [
                *[pick((*inserted.new, *blank)) for inserted in checked_rows(images.inserted)],
                *[pick((*updated.new, *updated.old)) for updated in checked_rows(images.updated)],
                *[pick((*blank, *deleted.old)) for deleted in checked_rows(images.deleted)],
            ]
        return self.made(
            frame,
            itertools.chain(
                ([*inserted.new, *blank, "INSERT", *inserted.extra] for inserted in images.inserted),
                ([*updated.new, *updated.old, "UPDATE", *updated.extra] for updated in images.updated),
                ([*blank, *deleted.old, "DELETE", *deleted.extra] for deleted in images.deleted),
            ),
        )

    def made(self, frame: Frame, found: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
        """The rows made of the values of each."""
        runs = [_once(item.run) if item.is_constant else item.run for item in self.items]
        return [tuple([run(frame, values) for run in runs]) for values in found]

    def deliver(
        self, frame: Frame, txn: Any, images: RowImages, triggers: Triggers
    ) -> Generator[Suspend, None, ResultSet | None]:
        """The result set for the client, if there is one, after the rows of INTO are written and the statement's
        triggers have run."""
        rows = self.rows(frame, images)
        return (yield from self.deliver_rows(frame, txn, rows, lambda shown: shown.rows(frame, images), triggers))

    def deliver_rows(
        self,
        frame: Frame,
        txn: Any,
        rows: list[tuple[Any, ...]],
        show: Callable[[OutputPlan], list[tuple[Any, ...]]],
        triggers: Triggers | tuple[()] = (),
        identities: Identities | None = None,
    ) -> Generator[Suspend, None, ResultSet | None]:
        """The same for `rows`, which were made already; `show` makes those that the client gets
        beside them. `identities` were taken for INTO."""
        if self.into is None:
            yield from triggers
            return ResultSet(self.columns, rows)
        into = self.into
        store = rows_of(into.shape, into.slot, frame, txn)
        shape: BoundTable = store.bound
        news = into.new_rows(frame, shape, rows)
        if shape.identity is not None and news:
            values, _ = store.take_identities(len(news)) if identities is None else identities
            for inserted, value in zip(news, values, strict=True):
                inserted.new[shape.identity] = (
                    Decimal(value) if shape.types[shape.identity].name == "decimal" else value
                )
        added = RowImages("INSERT", news)
        try:
            if news:
                yield from apply_images(frame, txn, store, added, [], [])
            told = ResultSet(self.shown.columns, show(self.shown)) if self.shown is not None else None
            yield from triggers
            return told
        except BaseException:
            if into.slot is not None:
                store.undo(added)
            raise


def output_plan(
    clause: OutputClause,
    bound: BoundTable,
    session: Session,
    scope: Scope,
    extras: Sequence[tuple[ColumnReference, SqlType]],
    target: Target | None = None,
    *,
    verb: str,
    called: str = "",
) -> OutputPlan:
    """Compile an OUTPUT clause. The columns of a view or of a common table expression (`target`) go by their names
    there. `called` is what the statement calls its target. Raises 334 (triggers), 207, 4104, 213, 120, 121, 8709."""
    _check_items((*clause.items, *clause.shown), verb)
    events = {"MERGE": {"INSERT", "UPDATE", "DELETE"}}.get(verb, {verb})
    if (clause.into is None or clause.shown) and any(events & set(trigger.events) for trigger in bound.triggers):
        raise sql_error(334, bound.table.name, span=clause.span)
    table = bound.table
    names = [c.name for c in table.columns]
    shown = list(enumerate(names))
    if target is not None and target.columns is not None:
        shown = [(bound.index_of[c.lower()], name) for name, c in target.columns.items() if c is not None]
        by_place = dict(shown)
        names = [by_place.get(i, "") for i in range(bound.width)]
    _refuse_target((*clause.items, *clause.shown), {name.lower() for _, name in shown}, called.lower())
    layout = [RowColumn(side, n, c.type) for side in _ROW_SIDES for n, c in zip(names, table.columns, strict=True)]
    layout.append(RowColumn("", ACTION, nvarchar(10)))
    layout += [RowColumn(_qualifier(node) or "", node.name, sql_type) for node, sql_type in extras]
    rows = RowScope(layout, session, scope)
    columns: list[ResultColumn] = []
    items: list[OutputItem] = []
    for item in clause.items:
        if isinstance(item, SelectStar):
            assert item.qualifier is not None
            start = 0 if item.qualifier.name.lower() == "inserted" else bound.width
            for i, name in shown:
                columns.append(ResultColumn(name, table.columns[i].type, table.columns[i].is_nullable))
                items.append(_column(start + i))
            continue
        if not isinstance(item, SelectColumn):
            raise sql_error(102, "=", span=item.span)  # OUTPUT @v = column
        run, sql_type = rows.scalar(item.expression)
        places = [place for column in columns_in(item.expression) if (place := rows.position(column)) is not None]
        columns.append(ResultColumn(_name(item), sql_type))
        if isinstance(item.expression, ColumnReference):
            items.append(_column(*places))
        else:
            items.append(OutputItem(run, None, tuple(places), is_one_for_all(item.expression)))
    types = tuple(column.type for column in layout)
    plan = OutputPlan(tuple(columns), items, bound.width, types, pick=_pick(items, 2 * bound.width))
    if clause.into is not None:
        plan.into = bind_into(clause.into, clause.into_columns, columns, session, scope)
    if clause.shown:
        plan.shown = output_plan(
            OutputClause(clause.shown, span=clause.span),
            bound,
            session,
            scope,
            extras,
            target,
            verb=verb,
            called=called,
        )
    return plan


def _check_items(items: Sequence[SelectItem], verb: str) -> None:
    """What may stand in the list. Raises 10705, 158, 4104 for a side that the
    statement does not have, 207 for $action."""
    missing = {"INSERT": "deleted", "DELETE": "inserted"}.get(verb)
    for item in items:
        if isinstance(item, SelectStar):
            if item.qualifier is not None and item.qualifier.name.lower() == missing:
                raise sql_error(107, missing, span=item.span)
            continue
        for part in walk(item):
            if isinstance(part, QueryExpression):
                raise sql_error(10705, span=item.span)
            if is_aggregate(part):
                raise sql_error(158, span=item.span)
        for column in columns_in(item):
            if missing is not None and _qualifier(column) == missing:
                raise sql_error(4104, f"{missing}.{column.name}", span=column.span)
            if column.name.lower() == ACTION and verb != "MERGE":
                raise sql_error(207, column.name, span=column.span)


def _refuse_target(items: Sequence[SelectItem], columns: set[str], called: str) -> None:
    """A column of the target is one of inserted or of deleted, and says so. Raises 207 for it
    alone, 4104 behind the target's name."""
    for item in items:
        for column in columns_in(item):
            qualifier = _qualifier(column)
            if qualifier is None and column.name.lower() in columns:
                raise sql_error(207, column.name, span=column.span)
            if qualifier is not None and qualifier == called and qualifier not in _ROW_SIDES:
                raise sql_error(4104, f"{called}.{column.name}", span=column.span)


def _pick(items: Sequence[OutputItem], width: int) -> Callable[[Sequence[Any]], tuple[Any, ...]] | None:
    """What takes these of so many values, if each is one of them."""
    known = [item.place for item in items if item.place is not None and item.place < width]
    if not known or len(known) != len(items):
        return None
    if len(known) == 1:
        (only,) = known
        return lambda values: (values[only],)
    return itemgetter(*known)


def _column(place: int) -> OutputItem:
    return OutputItem(lambda frame, values: values[place], place, (place,))


def _once(run: Callable[[Frame, Sequence[Any]], Any]) -> Callable[[Frame, Sequence[Any]], Any]:
    found: list[Any] = []

    def first(frame: Frame, values: Sequence[Any]) -> Any:
        if not found:
            found.append(run(frame, values))
        return found[0]

    return first


def _name(item: SelectColumn) -> str:
    if item.alias is not None:
        return item.alias.value
    return item.expression.name if isinstance(item.expression, ColumnReference) else ""


def write_found(
    frame: Frame, txn: Any, search: Search, rows: Any, images: RowImages, output: OutputPlan | None
) -> Generator[Suspend, None, ResultSet | None]:
    """Write what UPDATE or DELETE makes of the rows found, and give OUTPUT its rows. A table variable has no
    transaction: an error puts its rows back here."""
    try:
        shown = yield from write(frame, txn, rows, images, output)
        search.written(frame)
        return shown
    except BaseException:
        if search.slot is not None:
            rows.undo(images)
        raise
