"""Rows that go into an internal table, or the keys of those that leave it: by a statement, by rows, or by columns.

Decides by how many there are. A few are a statement's parameters; many are numpy columns that DuckDB reads in
place, four times as quick as an appender that looks at each value of each row. Identifiers are 16 bytes. It
must not know what the tables mean.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final
from uuid import UUID

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.duck_types import quote_literal

__all__ = ["delete_keys", "insert_rows"]

Columns = Sequence[tuple[str, str]]
"""Names and DuckDB's types."""

_FEW_KEYS: Final = 16
_FEW_ROWS: Final = 3
"""Up to so many, a statement is faster than an appender (measured: 0.3 against 0.7 ms, 0.7 against 1.1 ms)."""
_MANY: Final = 500
"""From so many on columns are worth it: numpy takes a tenth of a second to load, which a
short script should not have to."""

_FIXED: Final = {
    "BIGINT": "i8", "INTEGER": "i4", "UTINYINT": "u1", "DOUBLE": "f8", "BOOLEAN": "?",
}  # fmt: skip
"""Types of which no column is ever NULL."""
_EMPTY: Final[dict[str, Any]] = {"VARCHAR": "", "BLOB": b"", "UUID": bytes(16)}
_RELATION: Final = "fold_columns"


def insert_rows(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Columns, rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows of all columns into `sbql.table`. Raises what DuckDB raises."""
    if not rows:
        return
    if len(rows) >= _MANY:
        with _relation(connection, columns, rows) as expressions:
            connection.execute(f"INSERT INTO sbql.{table} SELECT {', '.join(expressions)} FROM {_RELATION}")
        return
    rows = _with_identifiers(columns, rows)
    if len(rows) <= _FEW_ROWS:
        marks = ", ".join(["(" + ", ".join("?" * len(rows[0])) + ")"] * len(rows))
        connection.execute(f"INSERT INTO sbql.{table} VALUES {marks}", [value for row in rows for value in row])
        return
    with connection.appender(f"sbql.{table}") as appender:
        appender.append_rows(rows)


def delete_keys(
    connection: duckdb.DuckDBPyConnection, table: str, key: Columns, keys: Sequence[tuple[Any, ...]]
) -> None:
    """Delete the rows of `sbql.table` that have one of `keys`. Raises what DuckDB raises."""
    if not keys:
        return
    if len(keys) >= _MANY:
        with _relation(connection, key, keys) as expressions:
            matches = " AND ".join(f"{table}.{name} = k.{name}" for name, _ in key)
            named = ", ".join(f"{value} AS {name}" for (name, _), value in zip(key, expressions, strict=True))
            connection.execute(f"DELETE FROM sbql.{table} USING (SELECT {named} FROM {_RELATION}) k WHERE {matches}")
        return
    keys = _with_identifiers(key, keys)
    if len(key) == 1 and len(keys) <= _FEW_KEYS:
        marks = ", ".join("?" * len(keys))
        connection.execute(f"DELETE FROM sbql.{table} WHERE {key[0][0]} IN ({marks})", [k for (k,) in keys])
        return
    with connection.appender(f"sbql.{table}", action="delete", key=[name for name, _ in key]) as appender:
        appender.append_rows(keys)


def _with_identifiers(columns: Columns, rows: Sequence[tuple[Any, ...]]) -> Sequence[tuple[Any, ...]]:
    """The rows with UUIDs, which an appender and a statement want."""
    places = {place for place, (_, kind) in enumerate(columns) if kind == "UUID"}
    if not places:
        return rows
    return [
        tuple(UUID(bytes=value) if place in places and value is not None else value for place, value in enumerate(row))
        for row in rows
    ]


@contextmanager
def _relation(
    connection: duckdb.DuckDBPyConnection, columns: Columns, rows: Sequence[tuple[Any, ...]]
) -> Iterator[list[str]]:
    """The rows as the relation _RELATION; gives the expressions of its columns."""
    numpy = importlib.import_module("numpy")
    data: dict[str, Any] = {}
    expressions = []
    for (name, kind), values in zip(columns, zip(*rows, strict=True), strict=True):
        if data and values.count(values[0]) == len(values) and (same := _literal(kind, values[0])):
            expressions.append(same)  # one column at least has to say how many rows there are
            continue
        expression = _add_column(numpy, data, name, kind, values)
        if kind not in _FIXED and None in values:
            data[f"{name}_is_null"] = numpy.array([value is None for value in values])
            expression = f"CASE WHEN {name}_is_null THEN NULL ELSE {expression} END"
        expressions.append(expression)
    connection.register(_RELATION, data)
    try:
        yield expressions
    except duckdb.Error:
        with suppress(duckdb.Error):  # it goes with the transaction
            connection.unregister(_RELATION)
        raise
    connection.unregister(_RELATION)


def _literal(kind: str, value: Any) -> str:
    """The text of a value that all rows have, as most have in most columns: what is no array needs no conversion. Empty
    for what has none."""
    if value is None:
        return f"CAST(NULL AS {kind})"
    if kind == "UUID":
        return f"CAST('{UUID(bytes=value)}' AS UUID)"
    if kind == "VARCHAR":
        return "" if "\0" in value else quote_literal(value)
    if kind == "BLOB":
        return "" if value else f"CAST('' AS {kind})"
    return f"CAST('{value!r}' AS {kind})"


def _add_column(numpy: Any, data: dict[str, Any], name: str, kind: str, values: tuple[Any, ...]) -> str:
    """Put the values of a column into `data`, those that are None as an empty one.
    Returns the expression that gives them."""
    if fixed := _FIXED.get(kind):
        data[name] = numpy.array(values, dtype=fixed)
        return name
    if None in values:
        values = tuple(_EMPTY[kind] if value is None else value for value in values)
    if kind != "UUID":
        data[name] = numpy.array(values, dtype=object)
        return name
    halves = numpy.frombuffer(b"".join(values), dtype=">u8").astype("u8")
    data[f"{name}_high"], data[f"{name}_low"] = halves[::2].copy(), halves[1::2].copy()
    return f"CAST((CAST({name}_high AS UHUGEINT) << 64) | CAST({name}_low AS UHUGEINT) AS UUID)"
