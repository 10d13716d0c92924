"""OUTPUT: rows made of inserted, deleted, $action and columns of FROM, for the client or for another table.

The expressions are evaluated over row images here, never in DuckDB. It decides what may stand in the list; the images
come from the mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from operator import itemgetter
from typing import Any

from msgspec import Struct

from sbql.catalog.records import Table
from sbql.engine.modification.row_changes import apply_images, write
from sbql.engine.modification.search import Search
from sbql.engine.modification.target import bound_target, find_target, rows_of, variable_shape
from sbql.engine.modification.writable import Target
from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.ports import Session
from sbql.engine.query.context import is_aggregate
from sbql.engine.query.translation import translate_query
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.bound_table import BoundTable, bind_shape
from sbql.engine.tables.column_conversion import Converter, assignment
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.engine.tables.row_images import Inserted, RowImages
from sbql.engine.work import Suspend
from sbql.grammar.ast import (
    ColumnReference,
    Identifier,
    NamedTable,
    OutputClause,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
    SelectItem,
    SelectStar,
    TableSource,
    VariableTable,
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


class _Into(Struct):
    """OUTPUT INTO: where the rows go and how. `cells` are (position, item, converter). `is_whole`: a row of OUTPUT is
    a row of the table as it is."""

    bound: BoundTable | None
    slot: int | None
    shape: BoundTable
    cells: list[tuple[int, int, Converter | None]]
    is_whole: bool

    def new_rows(self, frame: Frame, shape: BoundTable, rows: Sequence[Sequence[Any]]) -> list[Inserted]:
        """What is inserted, but for identity values."""
        if self.is_whole:
            return [Inserted(list(row)) for row in checked_rows(rows)]
        given = {position for position, _, _ in self.cells}
        defaults = [(i, default) for i, default in enumerate(shape.defaults) if default is not None and i not in given]

        def made(row: Sequence[Any]) -> Inserted:
            new: list[Any] = [None] * shape.width
            for position, item, convert in self.cells:
                value = row[item]
                new[position] = value if value is None or convert is None else convert(value)
            for position, default in defaults:
                new[position] = default(frame)
            return Inserted(new)

        if shape.shares_values:
            return [frame.of_row(partial(made, row)) for row in checked_rows(rows)]
        return [made(row) for row in checked_rows(rows)]


def shared_tables(target: BoundTable | None, output: OutputPlan | None) -> tuple[BoundTable, ...]:
    """Of the table that a write changes and that of its OUTPUT INTO those that others see."""
    into = output.into.shape if output is not None and output.into is not None and output.into.slot is None else None
    return tuple(bound for bound in (target, into) if bound is not None and bound.needs_locks)


class OutputPlan(Struct):
    """Compiled for one target table. `pick` makes a row of the new image and the old one behind it, where all items are
    columns of these."""

    columns: tuple[ResultColumn, ...]
    items: list[Callable[[Frame, Sequence[Any]], Any]]
    width: int
    into: _Into | None = None
    shown: OutputPlan | None = None
    pick: Callable[[Sequence[Any]], tuple[Any, ...]] | None = None

    def rows(self, frame: Frame, images: RowImages) -> list[tuple[Any, ...]]:
        """One row an image, in the order inserted, updated, deleted."""
        blank, pick = [None] * self.width, self.pick
        if pick is not None:
            return [
                *[pick((*inserted.new, *blank)) for inserted in checked_rows(images.inserted)],
                *[pick((*updated.new, *updated.old)) for updated in checked_rows(images.updated)],
                *[pick((*blank, *deleted.old)) for deleted in checked_rows(images.deleted)],
            ]
        found = []
        for inserted in images.inserted:
            found.append(self._row(frame, [*inserted.new, *blank, "INSERT", *inserted.extra]))
        for updated in images.updated:
            found.append(self._row(frame, [*updated.new, *updated.old, "UPDATE", *updated.extra]))
        for deleted in images.deleted:
            found.append(self._row(frame, [*blank, *deleted.old, "DELETE", *deleted.extra]))
        return found

    def _row(self, frame: Frame, values: list[Any]) -> tuple[Any, ...]:
        return tuple([item(frame, values) for item in self.items])

    def deliver(self, frame: Frame, txn: Any, images: RowImages) -> Generator[Suspend, None, ResultSet | None]:
        """The result set for the client, if there is one, after the rows of INTO are written."""
        rows = self.rows(frame, images)
        if self.into is None:
            return ResultSet(self.columns, rows)
        into = self.into
        store = rows_of(into.shape, into.slot, frame, txn)
        shape: BoundTable = store.bound
        news = into.new_rows(frame, shape, rows)
        if shape.identity is not None and news:
            values, _ = store.take_identities(len(news))
            for inserted, value in zip(news, values, strict=True):
                inserted.new[shape.identity] = (
                    Decimal(value) if shape.types[shape.identity].name == "decimal" else value
                )
        added = RowImages("INSERT", news)
        try:
            if news:
                yield from apply_images(frame, txn, store, added, [])
            return ResultSet(self.shown.columns, self.shown.rows(frame, images)) if self.shown is not None else None
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
    items: list[Callable[[Frame, Sequence[Any]], Any]] = []
    places: list[int | None] = []
    for item in clause.items:
        if isinstance(item, SelectStar):
            assert item.qualifier is not None
            start = 0 if item.qualifier.name.lower() == "inserted" else bound.width
            for i, name in shown:
                columns.append(ResultColumn(name, table.columns[i].type, table.columns[i].is_nullable))
                items.append(_picker(start + i))
                places.append(start + i)
            continue
        if not isinstance(item, SelectColumn):
            raise sql_error(102, "=", span=item.span)  # OUTPUT @v = column
        run, sql_type = rows.scalar(item.expression)
        position = rows.position(item.expression) if isinstance(item.expression, ColumnReference) else None
        columns.append(ResultColumn(_name(item), sql_type))
        items.append(_picker(position) if position is not None else run)
        places.append(position)
    plan = OutputPlan(tuple(columns), items, bound.width, pick=_pick(places, 2 * bound.width))
    if clause.into is not None:
        plan.into = _bind_into(clause.into, clause.into_columns, columns, session, scope)
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


def _pick(places: Sequence[int | None], width: int) -> Callable[[Sequence[Any]], tuple[Any, ...]] | None:
    """What takes these of so many values, if each is one of them."""
    known = [place for place in places if place is not None and place < width]
    if not known or len(known) != len(places):
        return None
    if len(known) == 1:
        (only,) = known
        return lambda values: (values[only],)
    return itemgetter(*known)


def _picker(position: int) -> Callable[[Frame, Sequence[Any]], Any]:
    return lambda frame, values: values[position]


def _name(item: SelectColumn) -> str:
    if item.alias is not None:
        return item.alias.value
    return item.expression.name if isinstance(item.expression, ColumnReference) else ""


def _bind_into(
    node: NamedTable | VariableTable,
    names: tuple[Identifier, ...],
    columns: Sequence[ResultColumn],
    session: Session,
    scope: Scope,
) -> _Into:
    bound, slot = None, None
    if isinstance(node, VariableTable):
        slot, table = variable_shape(scope, node)
        shape = bind_shape(table, session, display=node.name)
        shape.needs_locks = False
    else:
        if not isinstance(find_target(session, node.name), Table):
            raise sql_error(330, str(node.name), span=node.span)
        bound = shape = bound_target(session, node)
        if bound.triggers:
            raise sql_error(331, str(node.name), span=node.span)
        for key in (*bound.foreign_keys, *bound.referenced_by):
            raise sql_error(332, str(node.name), key.constraint.name, span=node.span)
        for check in bound.all_checks:
            raise sql_error(333, str(node.name), check.constraint.name, span=node.span)
    if names:
        positions = []
        for name in names:
            position = shape.position(name.value)
            if position is None:
                raise sql_error(207, name.value, span=name.span)
            positions.append(position)
        if len(positions) != len(columns):
            raise sql_error(121 if len(columns) > len(positions) else 120, span=node.span)
    else:
        positions = [i for i in range(shape.width) if i in shape.insert_columns]
        if len(positions) != len(columns):
            raise sql_error(213, span=node.span)
    cells = [
        (
            p,
            i,
            assignment(columns[i].type, shape.types[p], shape.full_name, shape.table.columns[p].name, session.options),
        )
        for i, p in enumerate(positions)
    ]
    is_whole = [(i, i, None) for i in range(shape.width)] == cells
    return _Into(bound, slot, shape, cells, is_whole)


def write_found(
    frame: Frame, txn: Any, search: Search, rows: Any, images: RowImages, output: OutputPlan | None
) -> Generator[Suspend, None, ResultSet | None]:
    """Write what UPDATE or DELETE makes of the rows found, and give OUTPUT its rows. A table variable has no
    transaction: an error puts its rows back here."""
    try:
        yield from write(frame, txn, rows, images)
        search.written(frame)
        return (yield from output.deliver(frame, txn, images)) if output is not None else None
    except BaseException:
        if search.slot is not None:
            rows.undo(images)
        raise
