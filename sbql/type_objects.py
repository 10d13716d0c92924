"""Type objects and constructors of PEP 249.

A type object equals every SQL type of its kind, so that `description[0][1] == sbql.NUMBER` works; the type code itself
is the exact `SqlType` (`str(code)` is `decimal(9,2)`). It must not know cursors.
"""

from __future__ import annotations

import datetime

from sbql.grammar.types import SqlType

__all__ = [
    "BINARY",
    "Binary",
    "DATETIME",
    "Date",
    "DateFromTicks",
    "NUMBER",
    "ROWID",
    "STRING",
    "Time",
    "TimeFromTicks",
    "Timestamp",
    "TimestampFromTicks",
]


class TypeObject:
    """Equals the SqlTypes whose names it lists."""

    def __init__(self, name: str, *types: str) -> None:
        self.name = name
        self.types = frozenset(types)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SqlType):
            return other.name in self.types
        return self is other

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"sbql.{self.name}"


STRING = TypeObject("STRING", "char", "varchar", "nchar", "nvarchar", "text", "ntext", "sysname", "xml")
BINARY = TypeObject("BINARY", "binary", "varbinary", "image", "rowversion", "timestamp")
NUMBER = TypeObject(
    "NUMBER",
    "bit",
    "tinyint",
    "smallint",
    "int",
    "bigint",
    "decimal",
    "numeric",
    "money",
    "smallmoney",
    "float",
    "real",
)
DATETIME = TypeObject("DATETIME", "date", "time", "datetime", "smalldatetime", "datetime2", "datetimeoffset")
ROWID = TypeObject("ROWID", "uniqueidentifier")

Date = datetime.date
Time = datetime.time
Timestamp = datetime.datetime
Binary = bytes


def DateFromTicks(ticks: float) -> datetime.date:
    """The local date at `ticks` seconds since 1970-01-01 UTC."""
    return datetime.date.fromtimestamp(ticks)


def TimeFromTicks(ticks: float) -> datetime.time:
    """The local time of day at `ticks` seconds since 1970-01-01 UTC."""
    return datetime.datetime.fromtimestamp(ticks).time()


def TimestampFromTicks(ticks: float) -> datetime.datetime:
    """The local date and time at `ticks` seconds since 1970-01-01 UTC, without a zone."""
    return datetime.datetime.fromtimestamp(ticks)
