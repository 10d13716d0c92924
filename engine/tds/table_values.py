"""Table-valued parameters: the columns and rows of one, as a client sends them.

It decides how they are read. It must not know the table type that they are for: rows are matched
with it where the parameter is bound.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from sbql.engine.tds.decoding import read_type
from sbql.engine.tds.reading import ProtocolError, Reader
from sbql.grammar.types import SqlType

__all__ = ["TableValue", "read_table_value"]

_NO_COLUMNS = 0xFFFF
_COLUMNS_MOST = 1024
_USES_DEFAULT = 0x0200
_ORDER_UNIQUE, _COLUMN_ORDER, _ROW, _END = 0x10, 0x11, 0x01, 0x00


class TableValue(Struct, frozen=True):
    """`type_name`: the parts of the table type's name that the client gave. `types`: of the columns, in their order;
    `defaults`: those that take their default in every row, and have no values."""

    type_name: tuple[str, str, str]
    types: tuple[SqlType, ...]
    rows: list[tuple[Any, ...]]
    defaults: tuple[bool, ...] = ()


def read_table_value(reader: Reader) -> TableValue:
    """Behind the type's byte. Raises ProtocolError."""
    name = reader.b_varchar(), reader.b_varchar(), reader.b_varchar()
    count = reader.u16()
    columns, defaults = [], []
    if count != _NO_COLUMNS:
        if not 1 <= count <= _COLUMNS_MOST:
            raise ProtocolError(f"a table has 1 to {_COLUMNS_MOST} columns, not {count}")
        for _ in range(count):
            reader.u32()
            defaults.append(bool(reader.u16() & _USES_DEFAULT))
            columns.append(read_type(reader))
            reader.b_varchar()
    order = _metadata(reader, len(columns))
    sent = [column for column, by_default in zip(columns, defaults, strict=True) if not by_default]
    rows = []
    while (token := reader.byte()) != _END:
        if token != _ROW:
            raise ProtocolError(f"{token:02X} is no row of a table")
        rows.append(tuple([column.read(reader) for column in sent]))
    if order is not None:
        raise ProtocolError("the columns of a table-valued parameter must come in their order")
    return TableValue(name, tuple(column.type for column in columns), rows, tuple(defaults))


def _metadata(reader: Reader, columns: int) -> list[int] | None:
    """What may stand in front of the rows: sort orders, which are hints, and another order of
    columns, when it is another one."""
    order: list[int] | None = None
    while (token := reader.byte()) != _END:
        if token == _ORDER_UNIQUE:
            for _ in range(reader.u16()):
                reader.take(3)
        elif token == _COLUMN_ORDER:
            found = [reader.u16() for _ in range(reader.u16())]
            order = found if found != list(range(1, columns + 1)) else None
        else:
            raise ProtocolError(f"{token:02X} does not belong to a table's columns")
    return order
