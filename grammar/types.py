"""SQL types: what they are called, how they are sized, and which one wins.

A `SqlType` is a value: two equal types are interchangeable. Python values that carry them:

| type | Python value |
|---|---|
| tinyint, smallint, int, bigint | int |
| bit | bool |
| decimal, numeric, money, smallmoney | decimal.Decimal, already at the type's scale |
| float, real | float |
| char, varchar, nchar, nvarchar, text, ntext, sysname | str (char and nchar padded with blanks) |
| binary, varbinary, image, rowversion | bytes |
| date, time | datetime.date, datetime.time |
| datetime, smalldatetime, datetime2 | datetime.datetime without zone |
| datetimeoffset | datetime.datetime with a fixed offset |
| time, datetime2, datetimeoffset with a seventh fractional digit | TickTime, TickDatetime (`values/ticks.py`) |
| uniqueidentifier | uuid.UUID |
| xml | str, serialised without declaration |
| sql_variant | Variant(type, value) |
| NULL of any type | None |
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

__all__ = [
    "BIGINT",
    "BIT",
    "CURSOR_TYPE",
    "DATABASE_DEFAULT_COLLATION",
    "DATE",
    "DATETIME",
    "FLOAT",
    "INT",
    "MAX",
    "MONEY",
    "NULL_TYPE",
    "NVARCHAR_MAX",
    "REAL",
    "SMALLINT",
    "SQL_VARIANT",
    "SYSNAME",
    "SqlType",
    "TABLE_TYPE",
    "TINYINT",
    "UNIQUEIDENTIFIER",
    "VARBINARY_MAX",
    "Variant",
    "XML",
    "binary",
    "char",
    "datetime2",
    "datetimeoffset",
    "decimal",
    "nchar",
    "numeric",
    "nvarchar",
    "time",
    "varbinary",
    "varchar",
]

MAX = -1
"""Length of varchar(max), nvarchar(max), varbinary(max)."""

DATABASE_DEFAULT_COLLATION = "SQL_Latin1_General_CP1_CI_AS"


@dataclass(frozen=True, slots=True)
class SqlType:
    """A scalar type.

    `length` counts characters (char types) or bytes (binary types), MAX for (max); `precision` and `scale` belong to
    decimal/numeric, `scale` alone to time, datetime2 and datetimeoffset (fractional digits). `collation` None means
    the database default; names of broker objects carry Latin1_General_BIN. `collection` is the key of the XML schema
    collection of a typed xml (`values/typed_xml.py`). `spelling` is what the catalog calls a type that is otherwise the
    same as its synonym: numeric, whose name here is decimal.
    """

    name: str
    length: int | None = None
    precision: int | None = None
    scale: int | None = None
    collation: str | None = None
    collection: str | None = None
    spelling: str | None = field(default=None, compare=False)

    @property
    def word(self) -> str:
        """What metadata call it."""
        return self.spelling or self.name

    def __str__(self) -> str:
        if self.length is not None:
            return f"{self.name}({'max' if self.length == MAX else self.length})"
        if self.precision is not None:
            return f"{self.word}({self.precision},{self.scale})"
        if self.scale is not None and self.name in ("time", "datetime2", "datetimeoffset"):
            return f"{self.name}({self.scale})"
        return self.name

    def with_collation(self, collation: str | None) -> SqlType:
        return replace(self, collation=collation)


@dataclass(frozen=True, slots=True)
class Variant:
    """A sql_variant value: never NULL inside (a NULL sql_variant is None)."""

    type: SqlType
    value: Any


BIT = SqlType("bit")
TINYINT = SqlType("tinyint")
SMALLINT = SqlType("smallint")
INT = SqlType("int")
BIGINT = SqlType("bigint")
MONEY = SqlType("money")
FLOAT = SqlType("float")
REAL = SqlType("real")
DATE = SqlType("date")
DATETIME = SqlType("datetime")
UNIQUEIDENTIFIER = SqlType("uniqueidentifier")
XML = SqlType("xml")
SQL_VARIANT = SqlType("sql_variant")
SYSNAME = SqlType("nvarchar", length=128)
NVARCHAR_MAX = SqlType("nvarchar", length=MAX)
VARBINARY_MAX = SqlType("varbinary", length=MAX)
CURSOR_TYPE = SqlType("cursor")
TABLE_TYPE = SqlType("table")
"""Stands for the type of a table-valued parameter; its shape is a Table record."""
NULL_TYPE = SqlType("null")
"""Type of the bare word NULL: converts to anything, ends up int where nothing else decides."""


def nvarchar(length: int) -> SqlType:
    return SqlType("nvarchar", length=length)


def varchar(length: int) -> SqlType:
    return SqlType("varchar", length=length)


def nchar(length: int) -> SqlType:
    return SqlType("nchar", length=length)


def char(length: int) -> SqlType:
    return SqlType("char", length=length)


def binary(length: int) -> SqlType:
    return SqlType("binary", length=length)


def varbinary(length: int) -> SqlType:
    return SqlType("varbinary", length=length)


def decimal(precision: int = 18, scale: int = 0) -> SqlType:
    return SqlType("decimal", precision=precision, scale=scale)


def numeric(precision: int, scale: int) -> SqlType:
    """decimal by its other name, which literals have."""
    return SqlType("decimal", precision=precision, scale=scale, spelling="numeric")


def time(scale: int = 7) -> SqlType:
    return SqlType("time", scale=scale)


def datetime2(scale: int = 7) -> SqlType:
    return SqlType("datetime2", scale=scale)


def datetimeoffset(scale: int = 7) -> SqlType:
    return SqlType("datetimeoffset", scale=scale)
