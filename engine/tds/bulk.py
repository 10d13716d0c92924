"""Bulk load: the columns and rows that a client sends after INSERT BULK.

It decides how they are read. It must not know the table that they are for.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from sbql.engine.tds.decoding import Incoming, behind_pointer, read_type
from sbql.engine.tds.login import TDS_71, TDS_72
from sbql.engine.tds.reading import ProtocolError, Reader
from sbql.engine.tds.types import LONG
from sbql.grammar.types import SqlType
from sbql.grammar.values.checkpoints import checkpoint

__all__ = ["read_bulk"]

_PIECE = 1024
"""Rows that are read between two checkpoints."""
_METADATA, _ROW, _ROW_WITH_NULLS, _DONE = 0x81, 0xD1, 0xD2, 0xFD


class BulkRows(Struct, frozen=True):
    types: tuple[SqlType, ...]
    rows: list[tuple[Any, ...]]


def read_bulk(data: bytes, version: int) -> BulkRows:
    """A message of kind BULK, which has no headers. Raises ProtocolError."""
    reader = Reader(data, has_collations=version >= TDS_71)
    if reader.byte() != _METADATA:
        raise ProtocolError("rows in bulk begin with their columns")
    columns = [_column(reader, version) for _ in range(reader.u16())]
    reads = [column.read for column in columns]
    rows: list[tuple[Any, ...]] = []
    while not reader.is_over and (token := reader.byte()) != _DONE:
        if not len(rows) % _PIECE:
            checkpoint()
        if token == _ROW:
            rows.append(tuple([read(reader) for read in reads]))
        elif token == _ROW_WITH_NULLS:
            nulls = reader.take((len(reads) + 7) // 8)
            rows.append(tuple([None if nulls[i // 8] >> i % 8 & 1 else read(reader) for i, read in enumerate(reads)]))
        else:
            raise ProtocolError(f"{token:02X} is no row")
    return BulkRows(tuple(column.type for column in columns), rows)


def _column(reader: Reader, version: int) -> Incoming:
    reader.take(6 if version >= TDS_72 else 4)
    is_long = reader.peek() in LONG.values()
    found = read_type(reader)
    if is_long:
        for _ in range(reader.byte() if version >= TDS_72 else 1):
            reader.us_varchar()
        found = behind_pointer(found)
    reader.b_varchar()
    return found
