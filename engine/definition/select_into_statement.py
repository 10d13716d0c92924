"""SELECT … INTO: the query is translated as any other; the write mechanism makes the table and fills it, in one
statement.

Decides which column has the IDENTITY property: the one of IDENTITY(type, seed, increment), numbered here in the order
of the rows, or a plain column of the one table that the query reads, which keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import msgspec

from sbql.catalog.records import Column, Table
from sbql.engine.definition.select_into import IntoRows, select_into
from sbql.engine.modification.expectation import Expectation
from sbql.engine.outcomes import ResultColumn, RowsAffected
from sbql.engine.ports import Session, Transaction
from sbql.engine.query.closures import late
from sbql.engine.query.running import find_query, taken_values
from sbql.engine.query.translation import fetch, translate_query
from sbql.engine.scalars.scope import Frame
from sbql.engine.scalars.warnings_told import tell_warnings
from sbql.engine.security.resolver import resolve
from sbql.engine.steps import Step
from sbql.engine.tables.identity_types import check_identity_values
from sbql.engine.tables.typed_sql import TranslatedQuery, cast_text
from sbql.engine.work import Work
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, SqlType, decimal
from sbql.grammar.values.conversions import converter

__all__ = ["compile_select_into", "into_of"]


def compile_select_into(node: ast.SelectStatement, compiler: Any) -> Step:
    query = node.query.query
    target = into_of(query)
    assert target is not None
    query = _without_into(query)
    numbered = None
    if isinstance(query, ast.QuerySpecification):
        query, numbered = _without_identity_call(query, target)
    plain = replace(node.query, query=query)
    expectation = Expectation()

    def translate(session: Session) -> TranslatedQuery:
        translated = translate_query(plain, compiler.scope, session, with_=node.with_)
        kept = _identity(query, session) if numbered is not None else None
        if kept is not None:
            raise sql_error(8108, target.name, kept[0], span=node.span)
        if not all(column.name for column in translated.columns):
            raise sql_error(1038, span=node.span)
        return translated

    get = late(translate)

    def run(frame: Frame) -> Work:
        session = frame.session
        translated = get(frame)
        kept = _identity(query, session)
        columns: Sequence[ResultColumn] = translated.columns
        place = -1
        if numbered is not None:
            place = next(i for i, c in enumerate(columns) if c.name == numbered.name)
            columns = [
                *columns[:place],
                msgspec.structs.replace(columns[place], type=numbered.type, nullable=False),
                *columns[place + 1 :],
            ]

        def values(found: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
            return found if numbered is None else _numbered(found, place, numbered)

        def find(txn: Transaction) -> Any:
            if not expectation.wants_set(frame, txn):
                rows, most = fetch(translated, frame), session.options.rowcount
                rows = rows[:most] if most else rows
                expectation.note(frame, len(rows))
                return values(rows)
            found = find_query(translated, frame)
            return found if expectation.note(frame, found.count) else values(taken_values(translated, found))

        def texts(count: int) -> list[str]:
            names = [f"c{number}" for number in range(1, len(columns) + 1)]
            if numbered is not None:
                names[place] = _number_text(numbered, count)
            return names

        source = IntoRows(find, texts, lambda found: values(taken_values(translated, found)))
        identity = kept if numbered is None else (numbered.name, numbered)
        count = yield from select_into(frame, target, columns, source, node.span, identity=identity)
        tell_warnings(session)
        return RowsAffected(count, "SELECT INTO")

    return Step(run, waits=True)


def into_of(query: ast.Query) -> ast.ObjectName | None:
    """The INTO of a query: of a set operation it stands in the first SELECT."""
    while isinstance(query, ast.BinaryQuery):
        query = query.left
    return query.into if isinstance(query, ast.QuerySpecification) else None


def _without_into(query: ast.Query) -> ast.Query:
    if isinstance(query, ast.BinaryQuery):
        return replace(query, left=_without_into(query.left))
    assert isinstance(query, ast.QuerySpecification)
    return replace(query, into=None)


def _without_identity_call(
    query: ast.QuerySpecification, target: ast.ObjectName
) -> tuple[ast.QuerySpecification, Column | None]:
    """The query with 0 for its IDENTITY(type, seed, increment), and the column that it describes. Raises 8109, 1038."""
    items = list(query.items)
    found: Column | None = None
    for i, item in enumerate(items):
        if not (isinstance(item, ast.SelectColumn) and _is_identity_call(item.expression)):
            continue
        if found is not None:
            raise sql_error(8109, target.name, span=item.span)
        if item.alias is None:
            raise sql_error(1038, span=item.span)
        assert isinstance(item.expression, ast.FunctionCall)
        found = _described(item.alias.value, item.expression)
        items[i] = replace(item, expression=ast.IntegerLiteral(0, span=item.expression.span))
    return (query, None) if found is None else (replace(query, items=tuple(items)), found)


def _is_identity_call(node: Any) -> bool:
    return isinstance(node, ast.FunctionCall) and len(node.name.parts) == 1 and node.name.name.upper() == "IDENTITY"


_WHOLE = ("int", "bigint", "smallint", "tinyint")


def _described(name: str, call: ast.FunctionCall) -> Column:
    """The column of IDENTITY(type [, seed, increment]). Raises 2749 for a type that is
    no whole number, 174, 2752, 2753."""
    if len(call.arguments) not in (1, 3):
        raise sql_error(174, "identity", 3, span=call.span)
    given = call.arguments[0]
    word = ""
    size: tuple[int | str, ...] = ()
    if isinstance(given, ast.DataTypeReference):
        word, size = given.name.name.lower(), given.arguments
    if word in _WHOLE and not size:
        sql_type = SqlType(word)
    elif word in ("decimal", "numeric", "dec") and size[1:] in ((), (0,)):
        sql_type = decimal(int(size[0]) if size else 18, 0)
    else:
        raise sql_error(2749, name, span=call.span)
    seed, increment = (_number(a) for a in call.arguments[1:]) if len(call.arguments) == 3 else (1, 1)
    check_identity_values(name, sql_type, seed, increment, call.span)
    return Column(name=name, column_id=0, type=sql_type, is_identity=True, seed=seed, increment=increment)


def _number(node: Any) -> int:
    """A whole number as it stands in the text. Raises 102."""
    sign = 1
    while isinstance(node, ast.UnaryExpression) and node.op in "+-":
        sign, node = sign * (-1 if node.op == "-" else 1), node.operand
    if not isinstance(node, ast.IntegerLiteral):
        raise sql_error(102, "IDENTITY", span=node.span)
    return sign * node.value


def _numbered(rows: Sequence[Sequence[Any]], place: int, column: Column) -> list[Any]:
    """The rows with their numbers. Raises 8115 when the type is too small."""
    make = Decimal if column.type.name == "decimal" else int
    fits = converter(BIGINT, column.type) or (lambda value: value)
    numbers = (make(fits(column.seed + n * column.increment)) for n in range(len(rows)))
    return [(*row[:place], number, *row[place + 1 :]) for row, number in zip(rows, numbers, strict=True)]


def _number_text(column: Column, count: int) -> str:
    """The same numbers in DuckDB. Raises 8115."""
    fits = converter(BIGINT, column.type) or (lambda value: value)
    fits(column.seed + (count - 1) * column.increment)
    return cast_text(f"{column.seed} + rowid * {column.increment}", column.type)


def _identity(query: ast.Query, session: Session) -> tuple[str, Column] | None:
    """The identity column of the source, and what the result calls it."""
    if (
        not isinstance(query, ast.QuerySpecification)
        or not isinstance(query.from_, ast.NamedTable)
        or query.group_by is not None
        or query.distinct
    ):
        return None
    table = resolve(session, query.from_.name, Table, missing_ok=True)
    column = next((c for c in table.columns if c.is_identity), None) if table is not None else None
    if column is None:
        return None
    for item in query.items:
        if isinstance(item, ast.SelectStar):
            return column.name, column
        if isinstance(item, ast.SelectColumn) and isinstance(item.expression, ast.ColumnReference):
            if item.expression.name.lower() == column.name.lower():
                return (item.alias.value if item.alias is not None else column.name), column
    return None
