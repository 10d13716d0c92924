"""Kinds: which family a type belongs to, its place in the order of precedence, and its spelling in messages.

It decides how types compare as types. It must not know a single value.
"""

from __future__ import annotations

from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.codepage import CodePage, page_of_collation

__all__ = [
    "DATE_NAMES",
    "INTEGER_RANGES",
    "code_page",
    "digits_after",
    "digits_before",
    "digits_of_integer",
    "is_national",
    "is_utf8",
    "is_wide",
    "kind",
    "max_length",
    "precedence",
    "spelled",
    "storage_size",
]

INTEGER_RANGES: dict[str, tuple[int, int]] = {
    "tinyint": (0, 255),
    "smallint": (-(2**15), 2**15 - 1),
    "int": (-(2**31), 2**31 - 1),
    "bigint": (-(2**63), 2**63 - 1),
}
"""Smallest and largest value of each integer type."""

NATIONAL_NAMES = frozenset({"nchar", "nvarchar", "ntext"})
DATE_NAMES = frozenset({"date", "time", "datetime", "smalldatetime", "datetime2", "datetimeoffset"})

_KINDS = {
    "tinyint": "int", "smallint": "int", "int": "int", "bigint": "int", "bit": "bit", "decimal": "decimal",
    "money": "money", "smallmoney": "money", "float": "float", "real": "float", "char": "string", "varchar": "string",
    "nchar": "string", "nvarchar": "string", "text": "string", "ntext": "string", "binary": "binary",
    "varbinary": "binary", "image": "binary", "rowversion": "binary", "date": "date", "time": "time",
    "datetime": "datetime", "smalldatetime": "datetime", "datetime2": "datetime2", "datetimeoffset": "datetimeoffset",
    "uniqueidentifier": "guid", "xml": "xml", "sql_variant": "variant", "null": "null",
}  # fmt: skip

_ORDER = (
    "sql_variant", "xml", "datetimeoffset", "datetime2", "datetime", "smalldatetime", "date", "time", "float", "real",
    "decimal", "money", "smallmoney", "bigint", "int", "smallint", "tinyint", "bit", "ntext", "text", "image",
    "rowversion", "uniqueidentifier", "nvarchar", "nchar", "varchar", "char", "varbinary", "binary", "null",
)  # fmt: skip
_RANKS = {name: len(_ORDER) - i for i, name in enumerate(_ORDER)}

_STORAGE = {
    "tinyint": 1, "smallint": 2, "int": 4, "bigint": 8, "bit": 1, "money": 8, "smallmoney": 4, "float": 8, "real": 4,
    "date": 3, "datetime": 8, "smalldatetime": 4, "uniqueidentifier": 16, "rowversion": 8,
}  # fmt: skip


def kind(sql_type: SqlType) -> str:
    """The family: int, bit, decimal, money, float, string, binary, date, time, datetime, datetime2, datetimeoffset,
    guid, xml, variant, null."""
    return _KINDS[sql_type.name]


def precedence(sql_type: SqlType) -> int:
    """Higher wins where two types meet (documentation page "Data type precedence")."""
    return _RANKS[sql_type.name]


def is_national(sql_type: SqlType) -> bool:
    """True for the UTF-16 types."""
    return sql_type.name in NATIONAL_NAMES


def is_utf8(sql_type: SqlType) -> bool:
    """True for char, varchar and text under a collation whose name ends in _UTF8: their lengths count its bytes."""
    collation = sql_type.collation
    return collation is not None and sql_type.name not in NATIONAL_NAMES and collation.upper().endswith("_UTF8")


def code_page(sql_type: SqlType) -> CodePage:
    """That of char, varchar and text."""
    return page_of_collation(sql_type.collation)


def is_wide(sql_type: SqlType) -> bool:
    """True for char, varchar and text under a collation of another code page than 1252."""
    collation = sql_type.collation
    return collation is not None and sql_type.name not in NATIONAL_NAMES and page_of_collation(collation).number != 1252


def max_length(sql_type: SqlType) -> int:
    """The largest length that is not (max): 4000 for national characters, else 8000."""
    return 4000 if sql_type.name in NATIONAL_NAMES else 8000


def digits_of_integer(name: str) -> int:
    """Precision of an integer type or bit as a decimal, in arithmetic with decimals."""
    return {"bit": 1, "tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}[name]


def digits_after(sql_type: SqlType) -> int:
    """Of an exact number: digits after the point."""
    return 4 if kind(sql_type) == "money" else sql_type.scale or 0


def digits_before(sql_type: SqlType) -> int:
    """Of a decimal: digits before the point."""
    return (sql_type.precision or 18) - (sql_type.scale or 0)


def spelled(sql_type: SqlType) -> str:
    """The name as error messages write it: without length, except for (max); decimal is `numeric` there."""
    if sql_type.length == MAX and sql_type.name in ("varchar", "nvarchar", "varbinary"):
        return f"{sql_type.name}(max)"
    if sql_type.name == "decimal":
        return "numeric"
    if sql_type.name == "rowversion":
        return "timestamp"
    return "NULL" if sql_type.name == "null" else sql_type.name


def storage_size(sql_type: SqlType) -> int:
    """Bytes that a value of a fixed-size type takes, as DATALENGTH counts them. 0 for types of varying size."""
    if sql_type.name in _STORAGE:
        return _STORAGE[sql_type.name]
    if sql_type.name == "decimal":
        digits = sql_type.precision or 18
        return 5 if digits <= 9 else 9 if digits <= 19 else 13 if digits <= 28 else 17
    if sql_type.name in ("time", "datetime2", "datetimeoffset"):
        scale = 7 if sql_type.scale is None else sql_type.scale
        time_size = 3 if scale <= 2 else 4 if scale <= 4 else 5
        return time_size + {"time": 0, "datetime2": 3, "datetimeoffset": 5}[sql_type.name]
    return 0
