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
from sbql.grammar.errors import sql_error
from sbql.grammar.types import nvarchar

__all__: list[str] = []


def _inside(node: ast.TableSource, cx: Context) -> tuple[str, Context]:
    """The source in a level of its own, and the context of that level."""
    inner = Context(cx.statement, Level(cx.level.parent))
    return inner.source(node), inner


def _columns(cx: Context) -> list[tuple[Relation, RelationColumn]]:
    return [(r, c) for r in cx.level.relations for c in r.columns]


@source(ast.Pivot)
def pivot(node: ast.Pivot, cx: Context) -> str:
    """Raises 8156 for a value that has the name of a kept column."""
    source, inner = _inside(node.source, cx)
    aggregate = node.aggregate.name.upper()
    if aggregate not in AGGREGATES or len(node.value) != 1:
        raise sql_error(195, node.aggregate.name, "aggregate function", span=node.span)
    value_column, name_column = inner.expression(node.value[0]), inner.expression(node.column)
    used = {value_column.sql, name_column.sql}
    kept = [(r, c) for r, c in _columns(inner) if c.sql not in used]
    alias = cx.statement.alias("p")
    items, keys, columns = [], [], []
    for position, (relation, column) in enumerate(kept, 1):
        typed = column.typed(relation.alias)
        key = equality_key(typed)
        items.append(f"{f'first({typed.sql})' if has_key(typed) else typed.sql} AS c{position}")
        keys.append(key)
        columns.append(RelationColumn(column.name, column.type, f"{alias}.c{position}", column.nullable))
    for position, name in enumerate(node.names, len(kept) + 1):
        if any(name.value.lower() == c.name.lower() for c in columns):
            raise sql_error(8156, name.value, node.alias.value, span=name.span)
        value = _pivoted(aggregate, node, value_column, name_column, name, inner)
        items.append(f"{value.sql} AS c{position}")
        columns.append(RelationColumn(name.value, value.type, f"{alias}.c{position}"))
    group = f" GROUP BY {', '.join(keys)}" if keys else ""
    cx.level.add(Relation(node.alias.value, tuple(columns)), node.span)
    return f"(SELECT {', '.join(items)} FROM {source}{group}) AS {alias}"


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
    """Rows with NULL are left out. The columns must be of one type (8167)."""
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
    kept = [(r, c) for r, c in _columns(inner) if c.sql not in used]
    alias = cx.statement.alias("p")
    items = [f"{column.sql} AS c{i}" for i, (_, column) in enumerate(kept, 1)]
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
