"""Values on their way into a column, and values as parts of keys.

It decides when a value does not fit its column (2628: a column refuses what a variable would cut off) and what makes
two key values equal. The conversions themselves are the scalar compiler's.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from sbql.catalog.duck_types import duck_type, in_ticks, instant_type
from sbql.engine.scalars.arithmetic_errors import forgives, forgiving_conversion, may_lose_digits, without_loss
from sbql.engine.session_options import SessionOptions
from sbql.engine.tables.comparison_keys import equality_key
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar.errors import sql_error
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.collation import key_function
from sbql.grammar.values.collation_precedence import IMPLICIT
from sbql.grammar.values.compare import variant_key
from sbql.grammar.values.conversion_rules import check_conversion
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import code_page
from sbql.grammar.values.ticks import datetime_ticks, time_ticks
from sbql.grammar.values.utf16 import padded, unit_slice, utf16_length

__all__ = ["Converter", "assignment", "key_duck_type", "key_normaliser", "key_sql"]

Converter = Callable[[Any], Any]

_SIZED_TEXT = frozenset({"char", "varchar", "nchar", "nvarchar"})
_SIZED_BINARY = frozenset({"binary", "varbinary"})
_BYTES = _SIZED_BINARY | {"rowversion", "timestamp", "image"}
_TEXT = _SIZED_TEXT | {"text", "ntext", "sysname"}
_SHOWN = 100


def assignment(
    source: SqlType, target: SqlType, table: str, column: str, options: SessionOptions | None = None
) -> Converter | None:
    """The converter of a value for a column; None when any value of `source` fits as it is. `options` are the
    session's, of which the binding key makes a plan's. Raises 206 and 257 for types that do not convert by themselves.
    It raises 2628, 245, 8114, 8115 …; with ANSI_WARNINGS OFF a value is cut instead, and with ARITHABORT OFF too a
    number that does not fit becomes NULL."""
    if source == target:
        return None
    check_conversion(source, target, explicit=False)
    if source.name in _TEXT and target.name in _SIZED_TEXT and target.length not in (None, MAX):
        refuses = options is None or options.ansi_warnings
        return _sized_text(source, target, table, column) if refuses else converter(source, target, None, True)
    if source.name in _BYTES and target.name in _SIZED_BINARY and target.length not in (None, MAX):
        refuses = options is None or options.ansi_warnings
        return _sized_binary(target, table, column) if refuses else converter(source, target, None, True)
    is_same = source.name == target.name and (source.name[0] == "n" or code_page(source) is code_page(target))
    if is_same and replace(source, collation=None) == replace(target, collation=None):
        return None
    if options is None:
        return converter(source, target, None, True)
    if options.numeric_roundabort and may_lose_digits(source, target):
        exactly = without_loss(source, target, options)
        return lambda value: exactly(value, None)
    convert = converter(source, target, None, True, options.dates)
    return forgiving_conversion(convert) if convert is not None and forgives(options) else convert


def _sized_text(source: SqlType, target: SqlType, table: str, column: str) -> Converter | None:
    is_national = target.name[0] == "n"
    if not is_national and code_page(target).counts_bytes:
        return _sized_bytes(source, target, table, column)
    limit = target.length or 1
    is_fixed = target.name in ("char", "nchar")
    is_alike = code_page(source) is code_page(target)
    is_held = is_national or (source.name in ("char", "varchar") and is_alike)
    fits = source.length is not None and 0 < source.length <= limit and is_held
    if fits and not is_fixed and source.name in ("varchar", "nvarchar"):
        return None
    # Text of varchar is already what its code page holds, and goes into nvarchar as it is.
    is_kept = is_national or (source.name in ("char", "varchar", "text") and is_alike)
    widen = None if is_kept else converter(source, SqlType("varchar", length=MAX, collation=target.collation))

    def convert(value: Any) -> Any:
        if value is None:
            return None
        text: str = value if widen is None else widen(value)
        if len(text) > limit or (is_national and not text.isascii() and utf16_length(text) > limit):
            if unit_slice(text, limit).strip(" "):
                raise sql_error(2628, table, column, unit_slice(text, 0, min(limit, _SHOWN)))
            text = unit_slice(text, 0, limit)
        return padded(text, limit) if is_fixed else text

    return convert


def _sized_bytes(source: SqlType, target: SqlType, table: str, column: str) -> Converter | None:
    """Where a code page has several bytes for a character the length of a column counts bytes."""
    limit, is_fixed, page = target.length or 1, target.name == "char", code_page(target)
    is_held = source.name == "varchar" and code_page(source) is page
    if is_held and not is_fixed and 0 < (source.length or 0) <= limit:
        return None
    widen = converter(source, SqlType("varchar", length=MAX, collation=target.collation))

    def convert(value: Any) -> Any:
        if value is None:
            return None
        text: str = value if widen is None else widen(value)
        size = page.size(text)
        if size > limit:
            cut = page.cut(text, limit)
            if text[len(cut) :].strip(" "):
                raise sql_error(2628, table, column, text[: min(limit, _SHOWN)])
            text, size = cut, page.size(cut)
        return text + " " * (limit - size) if is_fixed else text

    return convert


def _sized_binary(target: SqlType, table: str, column: str) -> Converter:
    limit = target.length or 1
    is_fixed = target.name == "binary"

    def convert(value: Any) -> Any:
        if value is None:
            return None
        if len(value) > limit:
            raise sql_error(2628, table, column, "0x" + value[: min(limit, _SHOWN)].hex())
        return value.ljust(limit, b"\0") if is_fixed else value

    return convert


@lru_cache(maxsize=256)
def key_normaliser(sql_type: SqlType) -> Converter | None:
    """What turns a value into one that Python compares as T-SQL does; None when that is the value itself."""
    if sql_type.name in _TEXT:
        return key_function(sql_type)
    if sql_type.name == "datetimeoffset":
        return _instant_in_ticks if in_ticks(sql_type) else _instant
    if in_ticks(sql_type):
        return datetime_ticks if sql_type.name == "datetime2" else time_ticks
    if sql_type.name == "sql_variant":
        return variant_key
    return _without_zeros if sql_type.name == "varbinary" else None


def _instant(value: datetime.datetime) -> datetime.datetime:
    return value.astimezone(datetime.UTC).replace(tzinfo=None)


def _instant_in_ticks(value: datetime.datetime) -> int:
    return datetime_ticks(value.astimezone(datetime.UTC))


def _without_zeros(value: bytes) -> bytes:
    return value.rstrip(b"\0")


def key_sql(column: str, sql_type: SqlType) -> str:
    """The DuckDB text that equals the normalised value."""
    return equality_key(Typed(column, sql_type, rank=IMPLICIT))


def key_duck_type(sql_type: SqlType) -> str:
    if sql_type.name == "sql_variant":
        return "VARCHAR"
    return instant_type(sql_type) if sql_type.name == "datetimeoffset" else duck_type(sql_type)
