"""Rows that the bodies of functions look up by a key, joined to the rows of the query that calls them.

Decides which queries inside of a body find one row at most, by the primary key of one table, and says their values as
columns of an outer join of the caller's FROM: these may stand as often as they like, in GROUP BY too, and the keys of
their texts are computed once for each row that is found. It must not know what a body does with the values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from sbql.engine.query.context import Context, has_aggregate
from sbql.engine.query.names import Level
from sbql.engine.tables.keyed_rows import key_conversion
from sbql.engine.tables.typed_sql import Beside, Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError
from sbql.grammar.tree import column_equations, columns_in, conjuncts, find_all
from sbql.grammar.types import SqlType

__all__ = ["finds_by_key", "host_of", "joined_rows", "looked_up"]


class LookUp:
    """A row of one table beside each row of the caller's. `inner` is where its columns mean something."""

    def __init__(self, inner: Context, source: str, where: str, alias: str) -> None:
        self.inner, self.alias = inner, alias
        self._source, self._where = source, where
        self._columns: dict[str, str] = {}

    def column(self, sql: str) -> str:
        """What shows a value of the row."""
        name = self._columns.setdefault(sql, f"c{len(self._columns) + 1}")
        return f"{self.alias}.{name}"

    def shown(self, value: Typed) -> Typed:
        """A value of the row, and the keys of its text as further columns."""

        def key(make: Callable[[Typed], str], sql_type: SqlType) -> str:
            return self.column(make(msgspec.structs.replace(value, type=sql_type)))

        sql = self.column(value.sql)
        return Typed(sql, value.type, True, value.rank, beside=Beside(sql, key))

    @property
    def join(self) -> str:
        columns = ", ".join(f"{sql} AS {name}" for sql, name in self._columns.items())
        return f" LEFT JOIN LATERAL (SELECT {columns} FROM {self._source} WHERE {self._where}) AS {self.alias} ON TRUE"


class Found(msgspec.Struct, frozen=True):
    """`value` is NULL where no row is found, which `is_there` tells from a row with a NULL."""

    value: Typed
    is_there: Callable[[], str]


def host_of(node: ast.FunctionCall, cx: Context) -> Level | None:
    """The query to whose rows others can be joined for a call: the one that has all of the columns of its arguments,
    as they are before GROUP BY."""
    level = cx.level
    columns = columns_in(node.arguments)
    if level.look_ups is None or not columns or (level.grouping is not None and level.grouping.is_active):
        return None
    try:
        return level if all(level.column(column)[0] is level for column in columns) else None
    except SqlError:
        return None  # said where they are translated


def joined_rows(level: Level, *texts: str) -> str:
    """What stands behind the FROM of a query, of whose parts these are the texts."""
    used, joins = " ".join(texts), []
    for one in reversed((level.look_ups or {}).values()):
        if f"{one.alias}." in used:
            joins.append(one.join)
            used += one.join
    return "".join(reversed(joins))


def looked_up(query: ast.QueryExpression, cx: Context) -> Found | None:
    """What a query inside of a body finds, `cx` being that of the body. None where that is not one row by its key."""
    host, one = cx.level.host, query.query
    if host is None or not isinstance(one, ast.QuerySpecification) or len(one.items) != 1 or one.where is None:
        return None
    item = one.items[0]
    plain = ast.QuerySpecification(one.items, one.from_, one.where)
    if not isinstance(item, ast.SelectColumn) or query != ast.QueryExpression(plain) or not _is_plain(one):
        return None
    given = _given(one.where, cx), _given(item.expression, cx)
    if any(value.stands_once for part in given for value in part.values()):
        return None
    found = _row(one, cx, host, tuple((name, value.sql) for name, value in given[0].items()))
    if found is None:
        return None
    value = found.inner.expression(item.expression)
    return None if value.stands_once else Found(found.shown(value), lambda: found.column("TRUE"))


def _is_plain(query: ast.QuerySpecification) -> bool:
    """Whether it reads one table alone, row by row, and calls no function that may read another one."""
    return (
        isinstance(query.from_, ast.NamedTable)
        and not has_aggregate(query.items)
        and not any(True for _ in find_all(query, ast.QueryExpression))
        and all(len(call.name.parts) == 1 and call.over is None for call in find_all(query, ast.FunctionCall))
    )


def _given(tree: ast.Node, cx: Context) -> dict[str, Typed]:
    """What the variables in it stand for."""
    names = {variable.name.lower() for variable in find_all(tree, ast.VariableReference)}
    return {name: value for name, value in cx.statement.arguments.items() if name in names}


def _row(query: ast.QuerySpecification, cx: Context, host: Level, given: Any) -> LookUp | None:
    assert host.look_ups is not None and query.from_ is not None and query.where is not None
    module = cx.statement.inside
    key = (module.id if module is not None else 0, query.from_, query.where, given)
    found: LookUp | None = host.look_ups.get(key)
    if found is None:
        inner = cx.inner()
        inner.level.where = query.where
        source = inner.source(query.from_)
        if not finds_by_key(query, inner):
            return None
        where = inner.within("WHERE").condition(query.where)
        found = host.look_ups[key] = LookUp(inner, source, where, cx.statement.alias())
    return found


def finds_by_key(query: ast.QuerySpecification, inner: Context) -> bool:
    """Whether all rows are of one table, whose key is said by values from elsewhere that compare as its keys do: by
    another collation two keys may be equal."""
    relations = inner.level.relations
    key = relations[0].address[1] if len(relations) == 1 and relations[0].address is not None else ()
    if not key or not isinstance(query.from_, ast.NamedTable) or query.where is None:
        return False
    given = set()
    for test in conjuncts(query.where):
        for column, value in column_equations(test):
            if not columns_in(value):
                _, _, known = inner.level.column(column)
                if key_conversion(known.type, inner.expression(value).type):
                    given.add(known.name.lower())
    return {name.lower() for name in key} <= given
