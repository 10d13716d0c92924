"""Which DuckDB type holds which SQL type, and how a value goes in and comes out.

Decides the stored form only. It knows nothing of conversion rules between SQL types, collations or comparison: a
value arrives as the Python value that grammar.types names for its type. Most types store that value as it is, but

- time(7) and datetime2(7) are BIGINT, the 100 ns since midnight or since 0001-01-01, for DuckDB's microseconds hold six
  fractional digits and its nanoseconds only the years 1677 to 2262; fewer digits are TIME and TIMESTAMP;
- datetimeoffset is STRUCT(utc, minutes SMALLINT), so that ordering by the struct orders by instant first; `utc` is
  stored as a datetime2 with as many digits;
- sql_variant is STRUCT(sort VARCHAR, base VARCHAR, text VARCHAR): what it is compared by, the base type as T-SQL writes
  it, and the value as text;
- national text is VARCHAR in the form that stored_text decides, in which halves of surrogate pairs have a place.

`to_store` and `from_store` are the identity for every other type, which `is_plain` tells a hot path in advance; one
that meets many values of a type keeps its `decoder`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Context, Decimal
from functools import cache, lru_cache
from typing import Any, Final
from uuid import UUID

from sbql.catalog.stored_text import from_stored, to_stored
from sbql.grammar.types import MAX, SqlType, Variant
from sbql.grammar.values.compare import variant_key
from sbql.grammar.values.kinds import is_utf8
from sbql.grammar.values.ticks import (
    TICKS_A_SECOND,
    datetime_from_ticks,
    datetime_ticks,
    time_from_ticks,
    time_ticks,
    with_tick,
)

__all__ = [
    "decoder", "duck_type", "encoder", "from_store", "in_ticks", "instant_type", "is_all_fraction", "is_plain", "is_units", "parse_type",
    "quote", "quote_literal", "to_store",
]  # fmt: skip

VARIANT_TYPE: Final = "STRUCT(sort VARCHAR, base VARCHAR, text VARCHAR)"

_FIXED: Final = {
    "bit": "BOOLEAN", "tinyint": "UTINYINT", "smallint": "SMALLINT", "int": "INTEGER", "bigint": "BIGINT",
    "money": "DECIMAL(19,4)", "smallmoney": "DECIMAL(10,4)", "float": "DOUBLE", "real": "FLOAT",
    "date": "DATE", "datetime": "TIMESTAMP", "smalldatetime": "TIMESTAMP",
    "uniqueidentifier": "UUID", "binary": "BLOB", "varbinary": "BLOB", "image": "BLOB", "rowversion": "BLOB",
    "timestamp": "BLOB", "sql_variant": VARIANT_TYPE, "null": "INTEGER",
}  # fmt: skip
_TEXT: Final = frozenset({"char", "varchar", "nchar", "nvarchar", "text", "ntext", "sysname", "xml"})
_UNITS: Final = frozenset({"nchar", "nvarchar", "ntext", "sysname", "xml"})
_SCALED: Final = frozenset({"time", "datetime2", "datetimeoffset"})


def duck_type(sql_type: SqlType) -> str:
    """The DuckDB column type for `sql_type`. Raises KeyError for a name that is no SQL type: a bug in the caller."""
    name = sql_type.name
    if name in _TEXT:
        return "VARCHAR"
    if name in ("decimal", "numeric"):
        precision = 18 if sql_type.precision is None else sql_type.precision
        return f"DECIMAL({precision},{sql_type.scale or 0})"
    if name in _SCALED:
        if name == "datetimeoffset":
            return f"STRUCT(utc {instant_type(sql_type)}, minutes SMALLINT)"
        return "BIGINT" if in_ticks(sql_type) else "TIME" if name == "time" else "TIMESTAMP"
    return _FIXED[name]


def in_ticks(sql_type: SqlType) -> bool:
    """Whether a type's values are counted in 100 ns: those with a seventh fractional digit."""
    return sql_type.name in _SCALED and sql_type.scale in (7, None)


def instant_type(sql_type: SqlType) -> str:
    """The DuckDB type of a datetimeoffset's instant."""
    return "BIGINT" if in_ticks(sql_type) else "TIMESTAMP"


def is_units(sql_type: SqlType) -> bool:
    """Whether values are UTF-16 units, whose halves of pairs are stored in a form of their own."""
    return sql_type.name in _UNITS or is_utf8(sql_type)


def is_plain(sql_type: SqlType) -> bool:
    """True when values of this type are stored as they are."""
    return (
        not is_units(sql_type)
        and not is_all_fraction(sql_type)
        and sql_type.name not in ("datetimeoffset", "sql_variant")
        and not in_ticks(sql_type)
    )


def to_store(value: Any, sql_type: SqlType) -> Any:
    """The stored form of a Python value of `sql_type`."""
    encode = encoder(sql_type)
    return value if value is None or encode is None else encode(value)


@lru_cache(maxsize=1024)
def encoder(sql_type: SqlType) -> Callable[[Any], Any] | None:
    """The function from Python values of `sql_type` that are not NULL to what is
    stored; None where they are the same."""
    if is_all_fraction(sql_type):
        return _in_few_digits
    if is_plain(sql_type):
        return None
    match sql_type.name:
        case "datetime2":
            return datetime_ticks
        case "time":
            return time_ticks
        case "datetimeoffset":
            return _stored_ticks if in_ticks(sql_type) else _stored_offset
        case "sql_variant":
            return _stored_variant
    return to_stored


_EXACT: Final = Context(prec=38)
_LAST_DIGIT: Final = Decimal("1E-38")


def is_all_fraction(sql_type: SqlType) -> bool:
    """decimal(38, 38): DuckDB's client makes floats of its values that have fewer digits, unless
    zeros at their end are left out."""
    return sql_type.name == "decimal" and sql_type.scale == _EXACT.prec


def _in_few_digits(value: Decimal) -> Decimal:
    return value.normalize(_EXACT)


def _in_all_digits(value: Decimal) -> Decimal:
    return value.quantize(_LAST_DIGIT, context=_EXACT)


def _stored_ticks(value: dt.datetime) -> dict[str, Any]:
    stored = _stored_offset(value)
    return {"utc": datetime_ticks(stored["utc"]), "minutes": stored["minutes"]}


def _stored_offset(value: dt.datetime) -> dict[str, Any]:
    offset = value.utcoffset() or dt.timedelta(0)
    return {"utc": (value - offset).replace(tzinfo=None), "minutes": int(offset.total_seconds()) // 60}


def _stored_variant(value: Variant) -> dict[str, str]:
    text = to_stored(_to_text(value.value))
    return {"sort": to_stored(variant_key(value)), "base": _spell(value.type), "text": text}


def from_store(value: Any, sql_type: SqlType) -> Any:
    """The Python value of `sql_type` for what DuckDB gave back."""
    decode = decoder(sql_type)
    return value if value is None or decode is None else decode(value)


@lru_cache(maxsize=1024)
def decoder(sql_type: SqlType) -> Callable[[Any], Any] | None:
    """The function from stored values that are not NULL to Python values of `sql_type`; None where they are the
    same."""
    if is_all_fraction(sql_type):
        return _in_all_digits
    if is_plain(sql_type):
        return None
    match sql_type.name:
        case "datetime2":
            return datetime_from_ticks
        case "time":
            return time_from_ticks
        case "datetimeoffset":
            return _offset_from_ticks if in_ticks(sql_type) else _offset_value
    return _variant_value if sql_type.name == "sql_variant" else from_stored


def _offset_from_ticks(stored: dict[str, int]) -> dt.datetime:
    minutes = stored["minutes"]
    return datetime_from_ticks(stored["utc"] + minutes * _TICKS_A_MINUTE).replace(tzinfo=_zone(minutes))


def _offset_value(stored: dict[str, Any]) -> dt.datetime:
    minutes = stored["minutes"]
    moment: dt.datetime = stored["utc"] + dt.timedelta(minutes=minutes)
    return moment.replace(tzinfo=_zone(minutes))


_TICKS_A_MINUTE: Final = 60 * TICKS_A_SECOND


@cache
def _zone(minutes: int) -> dt.timezone:
    return dt.timezone(dt.timedelta(minutes=minutes))


def _variant_value(stored: dict[str, str]) -> Variant:
    base = parse_type(stored["base"])
    return Variant(base, _from_text(from_stored(stored["text"]), base))


def quote(name: str) -> str:
    """A DuckDB identifier."""
    return '"' + to_stored(name).replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    """A DuckDB string literal."""
    return "'" + text.replace("'", "''") + "'"


_TYPE_TEXT = re.compile(
    r"\s*+(?P<name>\w++)(?:\s*+\(\s*(?P<first>max|\d+)\s*(?:,\s*(?P<second>\d+)\s*)?\))?(?:\s++collate\s++(?P<collation>\w++))?\s*+",
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
    if name in ("decimal", "numeric"):
        spelling = name if name == "numeric" else None
        return SqlType("decimal", precision=int(first or 18), scale=int(found["second"] or 0), spelling=spelling)
    if first is None:
        return SqlType(name, collation=collation)
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
    if base.name in ("time", "datetime2", "datetimeoffset", "datetime", "smalldatetime"):
        return _from_iso(text, base)
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
    return text


_SEVENTH_DIGIT = re.compile(r"(\.\d{6})(\d)")


def _from_iso(text: str, base: SqlType) -> dt.datetime | dt.time:
    found = _SEVENTH_DIGIT.search(text)
    tick = int(found[2]) if found else 0
    plain = _SEVENTH_DIGIT.sub(r"\1", text)
    if base.name == "time":
        return with_tick(dt.time.fromisoformat(plain), tick)
    return with_tick(dt.datetime.fromisoformat(plain), tick)
