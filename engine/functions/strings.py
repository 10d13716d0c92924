"""String functions that look into or cut strings: LEN, SUBSTRING, CHARINDEX, TRIM … (documentation: "String
functions").

Positions count UTF-16 units and begin at 1. Comparison follows the collation of the arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.type_rules import as_text, integer_or_bigint, long_text, text_like
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, INT, MAX, SqlType, char, nchar, nvarchar, varbinary, varchar
from sbql.grammar.values.checkpoints import checkpoint
from sbql.grammar.values.codepage import CodePage, Utf8, decode_1252, page_numbered
from sbql.grammar.values.collation import Rule, counts_characters, rule_of
from sbql.grammar.values.kinds import code_page, is_national, kind, spelled, storage_size
from sbql.grammar.values.like import place_of
from sbql.grammar.values.numbers import rounded_to
from sbql.grammar.values.text_search import first_place, found_places
from sbql.grammar.values.utf16 import expanded, unit_slice, utf16_length, whole

__all__ = ["name_parts", "rule_of_texts"]

Types = tuple[SqlType, ...]


def rule_of_texts(types: Types) -> Rule:
    """How texts that meet in a function compare."""
    return rule_of(_collation(types), any(map(is_national, types)))


def _collation(types: Types) -> str | None:
    return next((t.collation for t in types if t.collation), None)


def _count_result(types: Types) -> SqlType:
    return BIGINT if types[0].length == MAX else INT


def _text_or_binary(sql_type: SqlType, position: int, name: str) -> SqlType:
    is_plain_binary = kind(sql_type) == "binary" and sql_type.name != "image"
    return sql_type if is_plain_binary else as_text(sql_type, position, name)


def _long_text_or_binary(sql_type: SqlType, position: int, name: str) -> SqlType:
    """What has a SUBSTRING: character and binary strings of any length, and nothing else. Raises 8116."""
    if kind(sql_type) == "null":
        raise sql_error(8116, "NULL", position, name)
    if kind(sql_type) not in ("string", "binary"):
        raise sql_error(8116, spelled(sql_type), position, name)
    if sql_type.name == "image":
        return varbinary(MAX)
    return sql_type if kind(sql_type) == "binary" else long_text(sql_type, position, name)


@function("LEN", _count_result, [_text_or_binary], typed=True)
def _len(types: Types) -> Callable[[Any], int]:
    """Without trailing blanks; binary counts bytes."""
    if kind(types[0]) == "binary":
        return len
    if counts_characters(types[0].collation):
        return lambda value: len(value.rstrip(" "))
    return lambda value: utf16_length(value.rstrip(" "))


def _datalength_result(types: Types) -> SqlType:
    return BIGINT if types[0].length == MAX or types[0].name in ("xml", "text", "ntext", "image") else INT


@function("DATALENGTH", _datalength_result, [None], typed=True)
def _datalength(types: Types) -> Callable[[Any], int]:
    sql_type = types[0]
    if kind(sql_type) == "string":
        return (lambda v: 2 * utf16_length(v)) if is_national(sql_type) else code_page(sql_type).size
    if kind(sql_type) == "binary":
        return len
    if kind(sql_type) == "xml":
        return lambda v: 2 * utf16_length(v)
    if kind(sql_type) == "variant":
        return lambda v: _datalength((v.type,))(v.value)
    return lambda v: storage_size(sql_type)


def _substring_result(types: Types) -> SqlType:
    first = types[0]
    if kind(first) == "binary":
        return SqlType("varbinary", length=first.length or 8)
    return text_like(types)


@function("SUBSTRING", _substring_result, [_long_text_or_binary, integer_or_bigint, integer_or_bigint], typed=True)
def _substring(types: Types) -> Callable[[Any, int, int], Any]:
    """A start before 1 eats into the length, as on SQL Server."""
    takes = _slicer(types[0])

    def substring(value: Any, start: int, length: int) -> Any:
        if length < 0:
            raise sql_error(537)
        begin, end = max(start - 1, 0), max(start + length - 1, 0)
        return takes(value, begin, max(end - begin, 0))

    return substring


def _slicer(sql_type: SqlType) -> Callable[[Any, int, int], Any]:
    """What cuts a string: (value, 0-based start, count) -> piece."""
    if kind(sql_type) != "binary" and not counts_characters(sql_type.collation):
        return unit_slice
    return lambda value, start, count: value[start : start + count]


@function("LEFT", text_like, [as_text, integer_or_bigint], typed=True)
def _left(types: Types) -> Callable[[str, int], str]:
    takes = _slicer(types[0])

    def left(value: str, count: int) -> str:
        if count < 0:
            raise sql_error(536, "left")
        found: str = takes(value, 0, count)
        return found

    return left


@function("RIGHT", text_like, [as_text, integer_or_bigint], typed=True)
def _right(types: Types) -> Callable[[str, int], str]:
    takes, length = _slicer(types[0]), len if counts_characters(types[0].collation) else utf16_length

    def right(value: str, count: int) -> str:
        if count < 0:
            raise sql_error(536, "right")
        found: str = takes(value, max(length(value) - count, 0), count)
        return found

    return right


def _mapping(change: Callable[[str], str]) -> Callable[[Types], Callable[[str], str]]:
    def make(types: Types) -> Callable[[str], str]:
        page = None if is_national(types[0]) else code_page(types[0])
        return lambda value: _one_to_one(value, change, page)

    return make


function("UPPER", text_like, [as_text], typed=True)(_mapping(str.upper))
function("LOWER", text_like, [as_text], typed=True)(_mapping(str.lower))


_PIECE = 1 << 18
"""Characters that are changed in some ten milliseconds."""


def _one_to_one(value: str, change: Callable[[str], str], page: CodePage | None) -> str:
    """Each character by itself: the length never changes on SQL Server (ß stays ß), nor does varchar leave its code
    page (µ stays µ)."""
    if value.isascii():
        return change(value)
    changed = {c: _mapped(c, change, page) for c in set(value)}
    table = str.maketrans({old: new for old, new in changed.items() if old != new})
    pieces = []
    for start in range(0, len(value), _PIECE):
        checkpoint()
        pieces.append(value[start : start + _PIECE].translate(table))
    return "".join(pieces)


def _mapped(character: str, change: Callable[[str], str], page: CodePage | None) -> str:
    found = change(character)
    if len(found) != 1 or (page is not None and page.narrowed(found) != found):
        return character
    return found


@function("LTRIM", text_like, [as_text, as_text], optional=1)
def _ltrim(value: str, characters: str = " ") -> str:
    return expanded(value).lstrip(expanded(characters))


@function("RTRIM", text_like, [as_text, as_text], optional=1)
def _rtrim(value: str, characters: str = " ") -> str:
    return expanded(value).rstrip(expanded(characters))


@function("TRIM", text_like, [as_text, as_text, as_text], optional=2)
def _trim(value: str, characters: str = " ", side: str = "BOTH") -> str:
    """TRIM([LEADING|TRAILING|BOTH] [characters FROM] value); the parser puts the value first."""
    value, characters = expanded(value), expanded(characters)
    if side.upper() == "LEADING":
        return value.lstrip(characters)
    return value.rstrip(characters) if side.upper() == "TRAILING" else value.strip(characters)


def _charindex_result(types: Types) -> SqlType:
    return BIGINT if types[1].length == MAX else INT


@function("CHARINDEX", _charindex_result, [as_text, as_text, integer_or_bigint], optional=1, typed=True)
def _charindex(types: Types) -> Callable[..., int]:
    rule, by_character = rule_of_texts(types[:2]), counts_characters(_collation(types[:2]))

    def find(needle: str, value: str, start: int = 1) -> int:
        skipped = max(start - 1, 0)
        if value.isascii() and needle.isascii():  # most are, and each of their characters is its own place
            return first_place(value, needle, rule, skipped) + 1
        if by_character:
            skipped = utf16_length(value[:skipped])
        first = next(found_places(value, needle, rule, skipped), None)
        if first is None:
            return 0
        return (len(whole(expanded(value)[: first[0]])) if by_character else first[0]) + 1

    return find


def _searched(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Any text, but not the constant NULL. Raises 8116."""
    if kind(sql_type) == "null":
        raise sql_error(8116, "NULL", position, name)
    return long_text(sql_type, position, name)


@function("PATINDEX", _charindex_result, [as_text, _searched], typed=True)
def _patindex(types: Types) -> Callable[[str, str], int]:
    collation, national = _collation(types), any(map(is_national, types))

    def find(pattern: str, value: str) -> int:
        return place_of(pattern, value, collation, is_national=national) + 1

    return find


@function("ASCII", INT, [as_text], typed=True)
def _ascii(types: Types) -> Callable[[str], int | None]:
    """The first byte in the code page of its collation, of national text, too."""
    page = code_page(types[0])
    if isinstance(page, Utf8):
        page = page_numbered(1252)
    return lambda v: page.encode(v[0])[0] if v else None


@function("UNICODE", INT, [as_text], typed=True)
def _unicode(types: Types) -> Callable[[str], int | None]:
    if counts_characters(types[0].collation):
        return lambda value: ord(value[0]) if value else None
    return _first_unit


def _first_unit(value: str) -> int | None:
    return int.from_bytes(value[0].encode("utf-16-le", "surrogatepass")[:2], "little") if value else None


@function("CHAR", char(1), [INT])
def _char(code: int) -> str | None:
    return decode_1252(bytes([code])) if 0 <= code <= 255 else None


@function("NCHAR", nchar(1), [INT])
def _nchar(code: int) -> str | None:
    return chr(code) if 0 <= code <= 0xFFFF else None


@function("REVERSE", text_like, [as_text], typed=True)
def _reverse(types: Types) -> Callable[[str], str]:
    """By units, of which two make a supplementary character: it comes out as two halves, but not under _SC."""
    if counts_characters(types[0].collation):
        return lambda value: value[::-1]
    return lambda value: expanded(value)[::-1]


_LONGEST_STR = 8000


@function("STR", varchar(_LONGEST_STR), [SqlType("float"), INT, INT], optional=2)
def _str(value: float, length: int = 10, digits: int = 0) -> str | None:
    """Right aligned; stars when the whole part does not fit; NULL for a length that no varchar has."""
    if not 0 <= length <= _LONGEST_STR or digits < 0:
        return None
    digits = min(digits, 16)
    exact = Decimal(repr(value))
    text = f"{rounded_to(exact, digits):f}"
    if len(text) > length:
        whole = len(text.partition(".")[0])
        if whole > length:
            return "*" * length
        room = max(length - whole - 1, 0)
        text = f"{rounded_to(exact, room):f}"
    return text.rjust(length)


_SOUNDS = {
    c: d for d, cs in {"1": "BFPV", "2": "CGJKQSXZ", "3": "DT", "4": "L", "5": "MN", "6": "R"}.items() for c in cs
}


_SOUNDED = 8000
"""Characters of a text that are looked at: four sounds are found long before, or it has none."""


def soundex(value: str) -> str:
    """Four characters: the first letter, then codes; a letter of the same code as the one before counts once, also
    across H and W."""
    text = value[:_SOUNDED].upper()
    if not text or not text[0].isalpha():
        return "0000"
    code, last = text[0], _SOUNDS.get(text[0], "")
    for letter in text[1:]:
        if not letter.isalpha():
            break
        digit = _SOUNDS.get(letter, "")
        if digit and digit != last:
            code += digit
        if letter not in "HW":
            last = digit
    return code[:4].ljust(4, "0")


@function("SOUNDEX", SqlType("varchar", length=4), [as_text])
def _soundex(value: str) -> str:
    return soundex(value)


def _sounded(sql_type: SqlType, position: int, name: str) -> SqlType:
    """As as_text; text, alone of its kind, is taken too."""
    return long_text(sql_type, position, name) if sql_type.name == "text" else as_text(sql_type, position, name)


@function("DIFFERENCE", INT, [_sounded, _sounded])
def _difference(first: str, second: str) -> int:
    return sum(a == b for a, b in zip(soundex(first), soundex(second), strict=True))


@function("PARSENAME", nvarchar(128), [as_text, INT])
def _parsename(name: str, piece: int) -> str | None:
    """The part of an object name, 1 the object to 4 the server."""
    values = name_parts(name)
    if not 1 <= piece <= 4 or len(values) > 4 or piece > len(values):
        return None
    if any(len(value) > _LONGEST_NAME for value in values):
        return None
    return values[-piece] or None


_LONGEST_NAME = 128
_NAME_PART = re.compile(r'\[((?:[^\]]|\]\])*)\]|"((?:[^"]|"")*)"|([^.\[\]"]*)')


def name_parts(name: str) -> list[str]:
    """The parts of a dotted name, without their delimiters."""
    found: list[str] = []
    position = 0
    while True:
        match = _NAME_PART.match(name, position)
        assert match is not None, "the pattern matches the empty string"
        found.append((match[1] or "").replace("]]", "]") or (match[2] or "").replace('""', '"') or match[3] or "")
        position = match.end()
        if position >= len(name) or name[position] != ".":
            return found
        position += 1
