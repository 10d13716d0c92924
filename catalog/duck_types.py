"""Which DuckDB type holds which SQL type, and how a value goes in and comes out.

Decides the stored form only. It knows nothing of conversion rules between SQL types, collations or comparison: a
value arrives as the Python value that grammar.types names for its type. All but two types store that value as it is:

- datetimeoffset is STRUCT(utc TIMESTAMP, minutes SMALLINT), so that ordering by the struct orders by instant first;
- sql_variant is STRUCT(sort VARCHAR, base VARCHAR, text VARCHAR): what it is compared by, the base type as T-SQL writes
  it, and the value as text.

`to_store` and `from_store` are the identity for every other type, which `is_plain` tells a hot path in advance.
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from sbql.grammar.types import MAX, SqlType, Variant
from sbql.grammar.values.compare import variant_key

__all__ = ["duck_type", "from_store", "is_plain", "parse_type", "quote", "quote_literal", "to_store"]

OFFSET_TYPE: Final = "STRUCT(utc TIMESTAMP, minutes SMALLINT)"
VARIANT_TYPE: Final = "STRUCT(sort VARCHAR, base VARCHAR, text VARCHAR)"

_FIXED: Final = {
    "bit": "BOOLEAN", "tinyint": "UTINYINT", "smallint": "SMALLINT", "int": "INTEGER", "bigint": "BIGINT",
    "money": "DECIMAL(19,4)", "smallmoney": "DECIMAL(10,4)", "float": "DOUBLE", "real": "FLOAT",
    "date": "DATE", "time": "TIME", "datetime": "TIMESTAMP", "smalldatetime": "TIMESTAMP", "datetime2": "TIMESTAMP",
    "uniqueidentifier": "UUID", "binary": "BLOB", "varbinary": "BLOB", "image": "BLOB", "rowversion": "BLOB",
    "timestamp": "BLOB", "datetimeoffset": OFFSET_TYPE, "sql_variant": VARIANT_TYPE, "null": "INTEGER",
}  # fmt: skip
_TEXT: Final = frozenset({"char", "varchar", "nchar", "nvarchar", "text", "ntext", "sysname", "xml"})
_STRUCTS: Final = frozenset({"datetimeoffset", "sql_variant"})


def duck_type(sql_type: SqlType) -> str:
    """The DuckDB column type for `sql_type`. Raises KeyError for a name that is no SQL type: a bug in the caller."""
    name = sql_type.name
    if name in _TEXT:
        return "VARCHAR"
    if name in ("decimal", "numeric"):
        precision = 18 if sql_type.precision is None else sql_type.precision
        return f"DECIMAL({precision},{sql_type.scale or 0})"
    return _FIXED[name]


def is_plain(sql_type: SqlType) -> bool:
    """True when values of this type are stored as they are."""
    return sql_type.name not in _STRUCTS


def to_store(value: Any, sql_type: SqlType) -> Any:
    """The stored form of a Python value of `sql_type`."""
    if value is None or sql_type.name not in _STRUCTS:
        return value
    if sql_type.name == "datetimeoffset":
        offset = value.utcoffset() or dt.timedelta(0)
        return {"utc": (value - offset).replace(tzinfo=None), "minutes": int(offset.total_seconds()) // 60}
    assert isinstance(value, Variant)
    return {"sort": variant_key(value), "base": _spell(value.type), "text": _to_text(value.value)}


def from_store(value: Any, sql_type: SqlType) -> Any:
    """The Python value of `sql_type` for what DuckDB gave back."""
    if value is None or sql_type.name not in _STRUCTS:
        return value
    if sql_type.name == "datetimeoffset":
        zone = dt.timezone(dt.timedelta(minutes=value["minutes"]))
        return (value["utc"] + dt.timedelta(minutes=value["minutes"])).replace(tzinfo=zone)
    base = parse_type(value["base"])
    return Variant(base, _from_text(value["text"], base))


def quote(name: str) -> str:
    """A DuckDB identifier."""
    return '"' + name.replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    """A DuckDB string literal."""
    return "'" + text.replace("'", "''") + "'"


_TYPE_TEXT = re.compile(
    r"\s*(?P<name>\w+)\s*(?:\(\s*(?P<first>max|\d+)\s*(?:,\s*(?P<second>\d+)\s*)?\))?(?:\s+collate\s+(?P<collation>\w+))?\s*",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def parse_type(text: str) -> SqlType:
    """The SqlType that `text` spells, such as `nvarchar(128)`, `decimal(10,2)`, `char(2) collate
    Latin1_General_BIN`."""
    found = _TYPE_TEXT.fullmatch(text)
    if found is None:
        raise ValueError(f"not a type: {text!r}")
    name, first, collation = found["name"].lower(), found["first"], found["collation"]
    if name == "sysname":
        return SqlType("nvarchar", length=128, collation=collation)
    if first is None:
        return SqlType(name, collation=collation)
    if name in ("decimal", "numeric"):
        return SqlType(name, precision=int(first), scale=int(found["second"] or 0))
    if name in ("time", "datetime2", "datetimeoffset"):
        return SqlType(name, scale=int(first))
    return SqlType(name, length=MAX if first.lower() == "max" else int(first), collation=collation)


def _spell(sql_type: SqlType) -> str:
    return f"{sql_type} collate {sql_type.collation}" if sql_type.collation else str(sql_type)


def _to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return repr(value) if isinstance(value, float) else str(value)


def _from_text(text: str, base: SqlType) -> Any:
    if base.name == "bit":
        return text == "1"
    kind = duck_type(base)
    if kind in ("UTINYINT", "SMALLINT", "INTEGER", "BIGINT"):
        return int(text)
    if kind in ("DOUBLE", "FLOAT"):
        return float(text)
    if kind.startswith("DECIMAL"):
        return Decimal(text)
    match kind:
        case "BLOB":
            return bytes.fromhex(text)
        case "UUID":
            return UUID(text)
        case "DATE":
            return dt.date.fromisoformat(text)
        case "TIME":
            return dt.time.fromisoformat(text)
    return text if kind == "VARCHAR" else dt.datetime.fromisoformat(text)
