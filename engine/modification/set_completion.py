"""What the rows of a set have beside the values that a statement gives: computed columns, defaults that are another
value for each row (NEWID), row versions.

A query over the new rows computes them, and keeps the whole rows as a table of their own. Where a value of it fails,
the rows themselves tell the error. It decides which tables can have their rows completed so. It must not know where
the rows come from, nor how they are written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sbql.catalog.changes import ROW_ID
from sbql.catalog.duck_types import quote
from sbql.catalog.found_rows import FoundTable
from sbql.engine.modification.set_checks import is_empty
from sbql.engine.modification.set_columns import Beside
from sbql.engine.modification.stored_rows import StoredRows
from sbql.engine.query.running import find_query
from sbql.engine.query.translation import translate_query
from sbql.engine.query.written_sources import NewRows
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.row_expressions import parse_expression
from sbql.grammar.ast import (
    ColumnReference,
    Expression,
    FunctionCall,
    Identifier,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
)
from sbql.grammar.errors import CANCELLED, SqlError
from sbql.grammar.tree import columns_in, find_all

__all__ = [
    "Made",
    "completed_rows",
    "computed_columns",
    "default_of_each_row",
    "is_completed",
    "read_by_computed",
    "version_text",
]

Made = Mapping[int, Expression]
"""The columns that a query over the rows computes, by their positions."""


def is_completed(bound: BoundTable) -> bool:
    """Whether each computed column is one that is stored, by functions that are built in."""
    return all(
        bound.table.columns[position].is_deterministic and not _calls_own(_computed(bound, position))
        for position, _, _ in bound.computed
    )


def computed_columns(bound: BoundTable, changed: Collection[int] | None = None) -> dict[int, Expression]:
    """The computed columns; those alone that read one of the `changed`."""
    found = {position: _computed(bound, position) for position, _, _ in bound.computed}
    if changed is None:
        return found
    return {position: tree for position, tree in found.items() if not _read(bound, tree).isdisjoint(changed)}


def read_by_computed(bound: BoundTable, changed: Collection[int]) -> frozenset[int]:
    """The columns that must be known to compute what depends on the `changed`."""
    trees = computed_columns(bound, changed).values()
    return frozenset(position for tree in trees for position in _read(bound, tree))


def default_of_each_row(bound: BoundTable, position: int) -> Expression | None:
    """The default of a column if it is NEWID()."""
    text = bound.table.columns[position].default
    tree = parse_expression(text) if text is not None else None
    if not isinstance(tree, FunctionCall) or tree.arguments or len(tree.name.parts) > 1:
        return None
    return tree if tree.name.name.upper() == "NEWID" else None


def _computed(bound: BoundTable, position: int) -> Expression:
    text = bound.table.columns[position].computed
    assert text is not None
    return parse_expression(text)


def _calls_own(tree: Expression) -> bool:
    return any(len(call.name.parts) > 1 for call in find_all(tree, FunctionCall))


def _read(bound: BoundTable, tree: Expression) -> frozenset[int]:
    return frozenset(bound.index_of[column.name.lower()] for column in columns_in(tree))


def version_text(store: StoredRows, count: int, number: str) -> str:
    """The row version of the row of that number, of so many."""
    store.txn.has_row_versions = True
    first = store.states.next_row_versions(count, store.txn.id)
    return f"unhex(lpad(hex(CAST({first} + {number} AS BIGINT)), 16, '0'))"


def completed_rows(
    frame: Frame, bound: BoundTable, found: FoundTable, images: str, steps: Sequence[Made]
) -> tuple[FoundTable, str] | None:
    """The rows with the columns of the steps, which are computed one after the other: a table that has
    them, for whoever drops it, and the query that gives them. The same ones, if there is nothing to compute. None: a
    value fails."""
    whole, text = found, images
    for made in steps:
        if not made:
            continue
        try:
            following = _completed(frame, bound, text, made)
        except SqlError as error:
            if error.number == CANCELLED or error.severity > 16:
                raise
            following = None
        finally:
            if whole is not found:
                whole.drop()
        if following is None:
            return None
        whole, text = following
    return whole, text


def _completed(frame: Frame, bound: BoundTable, images: str, made: Made) -> tuple[FoundTable, str] | None:
    session, table = frame.session, bound.table
    names = [ROW_ID, *(column.name for column in table.columns)]
    items = [SelectColumn(ColumnReference((Identifier(name),))) for name in names]
    items += [SelectColumn(tree) for tree in made.values()]
    scope = Scope(session)
    scope.is_definition = True
    query = QueryExpression(QuerySpecification(tuple(items), from_=NewRows(table, images)))
    with session.in_database(session.database_id if table.name.startswith("#") else table.database_id):
        translated = translate_query(query, scope, session)
        beside = Beside(len(items), session.options)
        texts = [f"c{place}" for place in range(1, len(names) + 1)]
        odd = []
        for place, position in enumerate(made, len(names) + 1):
            column = beside.column(place, translated.columns[place - 1].type, bound.types[position])
            texts[position + 1] = column.sql
            odd.append(column.odd)
        whole = find_query(beside.of(translated), frame)
    if not is_empty(whole, whole.name, odd):
        whole.drop()
        return None
    shown = ", ".join(f"{text} AS {quote(name)}" for text, name in zip(texts, names, strict=True))
    return whole, f"SELECT {shown} FROM {whole.name}"
