"""OUTPUT of a write that is done as a set: its rows are asked for by one query, when all is written.

- Where each item is a column or a constant, DuckDB makes the rows, and puts them into the table of INTO as a set.
- Where an item is an expression over columns, DuckDB gives the values that it reads, and the rows are made here, as
  those of a write row by row are: the write itself is a set all the same.
- Rows for a table variable are Python's in any case, as are those that `set_insert` does not take: for a table of INTO
  in which others are at work, that has IGNORE_DUP_KEY, or where a row fails a check, whose error is that of the row.

It must not know how the write was done.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from sbql.engine.modification.expectation import Expectation
from sbql.engine.modification.insert_targets import target_of
from sbql.engine.modification.output import OutputPlan
from sbql.engine.modification.set_insert import Left, set_insert
from sbql.engine.modification.set_rows import SetRows
from sbql.engine.modification.sources import QueryRows
from sbql.engine.outcomes import ResultSet
from sbql.engine.ports import Transaction
from sbql.engine.query.running import found_values
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.typed_sql import has_literals, literal
from sbql.engine.work import Suspend
from sbql.grammar.values.checkpoints import checked_rows

__all__ = ["deliver_set"]


def deliver_set(
    frame: Frame, txn: Transaction, output: OutputPlan, rows: SetRows
) -> Generator[Suspend, None, ResultSet | None]:
    """As `OutputPlan.deliver`, for what a set has written."""
    if not rows.parts:
        return (yield from output.deliver_rows(frame, txn, [], lambda shown: []))
    done = None
    if output.into is not None and output.into.slot is None:
        done = yield from _insert_set(frame, txn, output, rows)
    if isinstance(done, int):
        shown = output.shown
        return None if shown is None else ResultSet(shown.columns, _rows(frame, shown, rows))
    made = _rows(frame, output, rows) if done is None else done.rows
    identities = None if done is None else done.identities
    return (yield from output.deliver_rows(frame, txn, made, lambda shown: _rows(frame, shown, rows), (), identities))


def _rows(frame: Frame, output: OutputPlan, rows: SetRows) -> list[tuple[Any, ...]]:
    places = [item.place for item in output.items if item.place is not None]
    if len(places) == len(output.items):
        return _values(output, rows, places)
    read = sorted({place for item in output.items for place in item.reads})
    return output.made(frame, _spread(_values(output, rows, read or [2 * output.width]), read, len(output.types)))


def _values(output: OutputPlan, rows: SetRows, places: Sequence[int]) -> list[tuple[Any, ...]]:
    return found_values(rows.query(places, [output.types[place] for place in places]), rows.found)


def _spread(found: Sequence[tuple[Any, ...]], places: Sequence[int], width: int) -> Iterator[list[Any]]:
    """Each row with its values at their places, and nothing at the others."""
    for row in checked_rows(found):
        values: list[Any] = [None] * width
        for place, value in zip(places, row, strict=False):
            values[place] = value
        yield values


def _insert_set(
    frame: Frame, txn: Transaction, output: OutputPlan, rows: SetRows
) -> Generator[Suspend, None, int | Left | None]:
    """How many rows DuckDB has put into the table of INTO; or what is left to do of that; None: all."""
    into = output.into
    assert into is not None
    positions = tuple(position for position, _, _ in into.cells)
    items = _items(frame, output)
    if items is None or into.shape.identity in positions:
        return None
    types = [column.type for column in output.columns]
    query = QueryRows(rows.query(items, types), tuple(types))
    defaults = target_of(into.shape, None, positions).defaults
    as_set = set_insert(into.shape, positions, defaults, query, frame.session, Expectation())
    if as_set is None:
        return None
    identities = frame.identities
    try:
        done = yield from as_set.perform(frame, txn, lambda: None)
    finally:
        frame.identities = identities  # those that count are the statement's
    return done if isinstance(done, Left) else done[0]


def _items(frame: Frame, output: OutputPlan) -> list[int | str] | None:
    """The place of each item, or the text of its value, the same for all rows. None: one is neither."""
    found: list[int | str] = []
    for item, column in zip(output.items, output.columns, strict=True):
        if item.place is not None:
            found.append(item.place)
        elif item.is_constant and has_literals(column.type):
            found.append(literal(item.run(frame, ()), column.type))
        else:
            return None
    return found
