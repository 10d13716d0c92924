"""Result sets as Arrow tables, for `Cursor.arrow` and `Cursor.df`, and as Parquet and Arrow files.

It decides which Arrow type carries a SQL type: the narrowest that holds every value (tinyint is unsigned), text for
uniqueidentifier and xml. Moments are microseconds, for Arrow's nanoseconds end in 2262: a seventh fractional digit is
cut off; time(7) is nanoseconds. Only who needs pyarrow imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.grammar.types import SqlType
from sbql.grammar.values.checkpoints import checked_rows
from sbql.grammar.values.display import to_display
from sbql.grammar.values.ticks import time_ticks
from sbql.grammar.values.utf16 import without_halves

__all__ = ["frame_of_table", "to_arrow", "to_pandas", "write_file"]

_TYPES: dict[str, Callable[[], Any]] = {
    "bit": pa.bool_,
    "tinyint": pa.uint8,
    "smallint": pa.int16,
    "int": pa.int32,
    "bigint": pa.int64,
    "float": pa.float64,
    "real": pa.float32,
    "money": lambda: pa.decimal128(19, 4),
    "smallmoney": lambda: pa.decimal128(10, 4),
    "date": pa.date32,
    "datetime": lambda: pa.timestamp("us"),
    "smalldatetime": lambda: pa.timestamp("us"),
    "datetime2": lambda: pa.timestamp("us"),
    "datetimeoffset": lambda: pa.timestamp("us", tz="UTC"),
    "binary": pa.binary,
    "varbinary": pa.binary,
    "image": pa.binary,
    "rowversion": pa.binary,
    "timestamp": pa.binary,
    "null": pa.int32,
}

_MOST_OF_FLOAT = 2**53
"""Every whole number up to it is a float64."""


def arrow_type(sql_type: SqlType) -> Any:
    """The Arrow type for values of `sql_type`."""
    if sql_type.name in ("decimal", "numeric"):
        return pa.decimal128(sql_type.precision or 18, sql_type.scale or 0)
    if sql_type.name == "time":
        return pa.time64("ns" if sql_type.scale in (7, None) else "us")
    return _TYPES.get(sql_type.name, pa.string)()


def to_arrow(columns: Sequence[ResultColumn], rows: Sequence[tuple[Any, ...]]) -> Any:
    """The rows as a pyarrow Table. Columns without a name are called `column1`, `column2` and so on."""
    arrays = []
    for index, column in enumerate(columns):
        kind = arrow_type(column.type)
        values: list[Any] = [row[index] for row in checked_rows(rows)]
        if pa.types.is_string(kind):
            values = [_text(value, column.type) for value in checked_rows(values)]
        elif kind == pa.time64("ns"):
            values = [None if value is None else time_ticks(value) * 100 for value in values]
        arrays.append(pa.array(values, type=kind))
    names = [without_halves(column.name) or f"column{index}" for index, column in enumerate(columns, 1)]
    return pa.Table.from_arrays(arrays, names=names)


def to_pandas(columns: Sequence[ResultColumn], rows: Sequence[tuple[Any, ...]]) -> Any:
    """The rows as a pandas DataFrame. Times are objects of Python, those with a seventh digit the ones that rows have,
    for pandas takes none of Arrow's."""
    table = to_arrow(columns, rows)
    ticked = [index for index, field in enumerate(table.schema) if field.type == pa.time64("ns")]
    for index in ticked:
        name = table.schema.names[index]
        table = table.set_column(index, name, table.column(index).cast(pa.time64("us"), safe=False))
    frame = frame_of_table(table)
    for index in ticked if rows else ():
        frame.isetitem(index, [row[index] for row in rows])
    return frame


def frame_of_table(table: Any) -> Any:
    """An Arrow table as a pandas DataFrame. A column of whole numbers with NULLs becomes float64, as everywhere in
    pandas; where that would change a number, they are objects of Python."""
    frame = table.to_pandas()
    for index, field in enumerate(table.schema):
        column = table.column(index)
        if field.type == pa.int64() and column.null_count:
            values = column.to_pylist()
            if any(value is not None and abs(value) > _MOST_OF_FLOAT for value in values):
                frame.isetitem(index, pa.array(values).to_pandas(integer_object_nulls=True))
    return frame


def write_file(result: ResultSet, path: str, kind: str) -> None:
    """Write a Parquet file (`kind` "parquet") or an Arrow one ("arrow"). Raises OSError, and ValueError for
    values that such a file cannot hold."""
    found = to_arrow(result.columns, result.rows)
    if kind == "parquet":
        pa.parquet.write_table(found, path)
    else:
        pa.feather.write_feather(found, path)


def _text(value: Any, sql_type: SqlType) -> str | None:
    """Half of a surrogate pair, which UTF-8 does not have, is U+FFFD."""
    return None if value is None else to_display(value, sql_type)
