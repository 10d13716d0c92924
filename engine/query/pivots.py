"""PIVOT and UNPIVOT.

Decides how both are written with what DuckDB has anyway: PIVOT is a GROUP BY of the columns that it does not name with
an aggregate over a CASE for each value; UNPIVOT is a list of (name, value) pairs, unnested.
"""

from __future__ import annotations

from dataclasses import replace

from sbql.engine.query.aggregates import aggregate_call
from sbql.engine.query.conditions import comparison
from sbql.engine.query.context import AGGREGATES, Context, source
from sbql.engine.query.conversions import literal_value, unify
from sbql.engine.query.names import Level, Relation, RelationColumn
from sbql.engine.tables.comparison_keys import equality_key, has_key
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import nvarchar
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import DATE_NAMES, kind, spelled

__all__: list[str] = []

_CONVERTED = DATE_NAMES | {"int", "bit", "decimal", "money", "float", "guid"}
"""The kinds of types that text becomes where it is compared with one, and not each text does."""


def _inside(node: ast.TableSource, cx: Context) -> tuple[str, Context]:
    """The source in a level of its own, and the context of that level."""
    inner = Context(cx.statement, Level(cx.level.parent))
    return inner.source(node), inner


def _columns(cx: Context) -> list[tuple[Relation, RelationColumn]]:
    return [(r, c) for r in cx.level.relations for c in r.columns]


@source(ast.Pivot)
def pivot(node: ast.Pivot, cx: Context) -> str:
    """Raises 265 for a value that is the name of a column, 8156 for one that stands twice."""
    source, inner = _inside(node.source, cx)
    aggregate = node.aggregate.name.upper()
    if aggregate not in AGGREGATES or len(node.value) != 1:
        raise sql_error(195, node.aggregate.name, "aggregate function", span=node.span)
    value_column, name_column = inner.expression(node.value[0]), inner.expression(node.column)
    used = {value_column.sql, name_column.sql}
    kept = [(r, c) for r, c in _columns(inner) if c.text not in used]
    alias = cx.statement.alias("p")
    items, keys, columns = [], [], []
    for position, (relation, column) in enumerate(kept, 1):
        typed = column.typed(relation.alias)
        key = equality_key(typed)
        items.append(f"{f'first({typed.sql})' if has_key(typed) else typed.sql} AS c{position}")
        keys.append(key)
        columns.append(RelationColumn(column.name, column.type, f"{alias}.c{position}", column.nullable))
    taken = {c.name.lower() for _, c in _columns(inner)}
    for position, name in enumerate(node.names, len(kept) + 1):
        _check_value(name, name_column, cx)
        if name.value.lower() in taken:
            raise sql_error(265, name.value, "PIVOT", span=name.span)
        if any(name.value.lower() == c.name.lower() for c in columns):
            raise sql_error(8156, name.value, node.alias.value, span=name.span)
        value = _pivoted(aggregate, node, value_column, name_column, name, inner)
        items.append(f"{value.sql} AS c{position}")
        columns.append(RelationColumn(name.value, value.type, f"{alias}.c{position}"))
    group = f" GROUP BY {', '.join(keys)}" if keys else ""
    cx.level.add(Relation(node.alias.value, tuple(columns)), node.span)
    return f"(SELECT {', '.join(items)} FROM {source}{group}) AS {alias}"


def _check_value(name: ast.Identifier, column: Typed, cx: Context) -> None:
    """A value has to become one of the column's type. Raises 473, and 8114 in front of it."""
    if kind(column.type) not in _CONVERTED:
        return
    run = converter(nvarchar(max(len(name.value), 1)), column.type, explicit=False, dates=cx.session.options.dates)
    assert run is not None, "text is no number and no date"
    try:
        run(name.value)
    except SqlError:
        failed = sql_error(473, name.value, span=name.span)
        failed.before = (sql_error(8114, "nvarchar", spelled(column.type), state=1, span=name.span),)
        raise failed from None


def _pivoted(
    aggregate: str, node: ast.Pivot, value: Typed, name_column: Typed, name: ast.Identifier, cx: Context
) -> Typed:
    """The aggregate over the rows whose column has one value."""
    wanted = literal_value(name.value, nvarchar(max(len(name.value), 1)))
    test = comparison("=", name_column, wanted, cx, name.span)
    hidden = RelationColumn("$pivot", value.type, f"(CASE WHEN {test} THEN {value.sql} END)")
    level = Level(None, [Relation("$pivot", (hidden,))])
    argument = ast.ColumnReference((ast.Identifier("$pivot"),), span=name.span)
    call = ast.FunctionCall(node.aggregate, (argument,), span=node.span)
    return aggregate_call(aggregate, call, Context(cx.statement, level), lambda text: text)


@source(ast.Unpivot)
def unpivot(node: ast.Unpivot, cx: Context) -> str:
    """Rows with NULL are left out. The columns must be of one type (8167), and the new
    ones have names of their own (265)."""
    source, inner = _inside(node.source, cx)
    chosen: list[Typed] = []
    names = []
    for name in node.names:
        _, relation, column = inner.level.column(ast.ColumnReference((name,), span=name.span))
        chosen.append(column.typed(relation.alias))
        names.append(column.name)
    if len({replace(value.type, collation=None) for value in chosen}) > 1:
        raise sql_error(8167, names[-1], span=node.span)
    met = unify(chosen, node.span, "UNPIVOT")
    used = {value.sql for value in chosen}
    kept = [(r, c) for r, c in _columns(inner) if c.text not in used]
    taken = {column.name.lower() for _, column in kept}
    for name in (node.value_column, node.name_column):
        if name.value.lower() in taken:
            raise sql_error(265, name.value, "UNPIVOT", span=name.span)
    alias = cx.statement.alias("p")
    items = [f"{column.text} AS c{i}" for i, (_, column) in enumerate(kept, 1)]
    columns = [RelationColumn(c.name, c.type, f"{alias}.c{i}", c.nullable) for i, (_, c) in enumerate(kept, 1)]
    pairs = ", ".join(
        f"struct_pack(n := {literal_value(name, nvarchar(128)).sql}, v := {value.sql})"
        for name, value in zip(names, chosen, strict=True)
    )
    items.append(f"unnest([{pairs}]) AS s")
    columns.append(RelationColumn(node.value_column.value, met.type, f"struct_extract({alias}.s, 'v')", False))
    columns.append(RelationColumn(node.name_column.value, nvarchar(128), f"struct_extract({alias}.s, 'n')", False))
    cx.level.add(Relation(node.alias.value, tuple(columns)), node.span)
    body = f"SELECT {', '.join(items)} FROM {source}"
    return f"(SELECT * FROM ({body}) WHERE struct_extract(s, 'v') IS NOT NULL) AS {alias}"
