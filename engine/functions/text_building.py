"""String functions that build strings: CONCAT, REPLACE, STUFF, REPLICATE, QUOTENAME, TRANSLATE, STRING_ESCAPE …"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sbql.engine.functions.errors import message_text
from sbql.engine.functions.strings import rule_of_texts
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.type_rules import (
    as_text,
    integer_or_bigint,
    long_text,
    national_text,
    wide_collation,
    wide_text_like,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT, MAX, NVARCHAR_MAX, VARBINARY_MAX, SqlType, nvarchar, varbinary, varchar
from sbql.grammar.values.binary import to_bytes
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.collation import counts_characters, is_case_sensitive
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import is_national, kind, spelled
from sbql.grammar.values.memory import LARGE, reserve
from sbql.grammar.values.printf import format_message
from sbql.grammar.values.text_conversions import cut_text
from sbql.grammar.values.text_search import found_places
from sbql.grammar.values.utf16 import expanded, unit_slice, utf16_length

__all__ = ["QUOTES"]

Types = tuple[SqlType, ...]


def _limit(sql_type: SqlType) -> int | None:
    return None if sql_type.length == MAX else sql_type.length


def _cut(value: str, sql_type: SqlType) -> str:
    limit = _limit(sql_type)
    return value if limit is None else cut_text(value, limit, is_national(sql_type))


def concat_type(types: Types) -> SqlType:
    """CONCAT: lengths add up; (max) when an argument is."""
    national = any(is_national(t) for t in types)
    name = "nvarchar" if national else "varchar"
    collation = wide_collation(types)
    if any(t.length == MAX for t in types):
        return SqlType(name, length=MAX, collation=collation)
    total = sum(t.length or 1 if kind(t) == "string" else 30 for t in types)
    return SqlType(name, length=max(min(total, 4000 if national else 8000), 1), collation=collation)


@function("CONCAT", concat_type, [long_text, long_text], variadic=True, null_on_null=False, typed=True)
def _concat(types: Types) -> Callable[..., str]:
    result = concat_type(types)
    return lambda *values: _cut(_joined("", values), result)


def _joined(separator: str, values: Iterable[str | None]) -> str:
    parts = [v for v in values if v is not None]
    reserve(sum(map(len, parts)) + len(separator) * len(parts))
    return separator.join(parts)


@function(
    "CONCAT_WS",
    lambda types: concat_type(types[1:] * 2),
    [long_text, long_text, long_text],
    variadic=True,
    null_on_null=False,
)
def _concat_ws(separator: str | None, *values: str | None) -> str:
    return _joined(separator or "", values)


@function("REPLACE", wide_text_like, [as_text, as_text, as_text], typed=True)
def _replace(types: Types) -> Callable[[str, str, str], str]:
    rule, result = rule_of_texts(types), wide_text_like(types)

    def replace(value: str, old: str, new: str) -> str:
        value = expanded(value)
        parts, position, size = [], 0, 0
        for begin, end in checked(found_places(value, old, rule)):
            parts += [value[position:begin], new]
            size += begin - position + len(new)
            position = end
            if size >= LARGE:
                reserve(size)
        parts.append(value[position:])
        return _cut("".join(parts), result)

    return replace


def _stuff_result(types: Types) -> SqlType:
    if kind(types[0]) != "binary":
        return wide_text_like(types)
    return VARBINARY_MAX if MAX in (types[0].length, types[3].length) else varbinary(8000)


def _stuffed(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Text, and binary strings as they are."""
    return sql_type if kind(sql_type) == "binary" and sql_type.name != "image" else as_text(sql_type, position, name)


@function(
    "STUFF", _stuff_result, [_stuffed, integer_or_bigint, integer_or_bigint, _stuffed], null_on_null=False, typed=True
)
def _stuff(types: Types) -> Callable[[Any, int | None, int | None, Any], Any]:
    """NULL for a start outside the string or a negative length; a NULL insert only deletes. What is put
    into a binary string becomes one."""
    if kind(types[0]) == "binary":
        return lambda value, start, length, insert: _stuff_bytes(value, start, length, insert, types[3])
    bring = converter(types[3], varchar(MAX)) if kind(types[3]) == "binary" else None

    by_character = counts_characters(types[0].collation)

    def run(value: str | None, start: int | None, length: int | None, insert: Any) -> str | None:
        if value is None or start is None or length is None:
            return None
        if insert is not None and bring is not None:
            insert = bring(insert)
        size = len(value) if by_character else utf16_length(value)
        if start < 1 or start > size or length < 0:
            return None
        reserve(len(value) + len(insert or ""))
        if by_character:
            return value[: start - 1] + (insert or "") + value[start - 1 + length :]
        return unit_slice(value, 0, start - 1) + (insert or "") + unit_slice(value, start - 1 + length)

    return run


def _stuff_bytes(
    value: bytes | None, start: int | None, length: int | None, insert: Any, inserted: SqlType
) -> bytes | None:
    if value is None or start is None or length is None or not 1 <= start <= len(value) or length < 0:
        return None
    piece = to_bytes(insert, inserted) if insert is not None else b""
    reserve(len(value) + len(piece))
    return value[: start - 1] + piece + value[start - 1 + length :]


@function("REPLICATE", wide_text_like, [as_text, integer_or_bigint], typed=True)
def _replicate(types: Types) -> Callable[[str, int], str | None]:
    """Cut at 8000 bytes unless the string is (max): the famous trap."""
    result = wide_text_like(types)
    limit = _limit(result)

    def replicate(value: str, count: int) -> str | None:
        if count < 0:
            return None
        if limit is not None and value:
            count = min(count, limit // len(value) + 1)
        reserve(len(value) * count)
        return _cut(value * count, result)

    return replicate


@function("SPACE", SqlType("varchar", length=8000), [INT])
def _space(count: int) -> str | None:
    return " " * min(count, 8000) if count >= 0 else None


QUOTES = {"[": ("[", "]"), "]": ("[", "]"), "'": ("'", "'"), '"': ('"', '"'), "(": ("(", ")"), ")": ("(", ")"),
           "<": ("<", ">"), ">": ("<", ">"), "{": ("{", "}"), "}": ("{", "}"), "`": ("`", "`")}  # fmt: skip


@function("QUOTENAME", nvarchar(258), [national_text, national_text], optional=1)
def _quotename(name: str, quote: str = "[") -> str | None:
    """NULL for a name over 128 characters or an unknown quote; the closing quote is doubled inside."""
    pair = QUOTES.get(quote[:1] or "[")
    if pair is None or utf16_length(name) > 128:
        return None
    return pair[0] + name.replace(pair[1], pair[1] * 2) + pair[1]


@function("TRANSLATE", wide_text_like, [as_text, as_text, as_text], typed=True)
def _translate(types: Types) -> Callable[[str, str, str], str]:
    sensitive = is_case_sensitive(types[0].collation)

    def translate(value: str, characters: str, translations: str) -> str:
        value, characters, translations = expanded(value), expanded(characters), expanded(translations)
        if len(characters) != len(translations):
            raise sql_error(9828)
        table: dict[int, str] = {}
        for old, new in checked(zip(characters, translations, strict=True)):
            for variant in (old,) if sensitive else (old, old.lower(), old.upper()):
                if len(variant) == 1:
                    table.setdefault(ord(variant), new)
        return value.translate(table)

    return translate


_JSON_TABLE = str.maketrans(
    {chr(c): f"\\u{c:04x}" for c in range(32)}
    | {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
)


@function("STRING_ESCAPE", NVARCHAR_MAX, [national_text, as_text])
def _string_escape(value: str, kind_of_text: str) -> str:
    if kind_of_text.lower() != "json":
        raise sql_error(13622, 2)
    return value.translate(_JSON_TABLE)


def _template(sql_type: SqlType, position: int, name: str) -> SqlType:
    """The number or the text of a message. Raises 8116."""
    if kind(sql_type) not in ("string", "int", "bit", "null"):
        raise sql_error(8116, spelled(sql_type), position, name)
    return sql_type


@function(
    "FORMATMESSAGE", nvarchar(4000), [_template, None], optional=1, variadic=True, null_on_null=False, needs_frame=True
)
def _formatmessage(frame: object, message: object, *arguments: object) -> str | None:
    text = message_text(frame, message)
    return None if text is None else cut_text(format_message(text, list(arguments)), 2047, True)
