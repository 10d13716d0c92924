r"""Collation: when two strings are equal, and which comes first.

The default SQL_Latin1_General_CP1_CI_AS ignores case and trailing blanks, keeps accents apart, and orders punctuation,
digits, letters, with accented letters after their base letter. The _BIN collations compare code points. It decides keys
only; whoever compares rows in DuckDB uses the same keys.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from sbql.grammar.errors import sql_error
from sbql.grammar.types import DATABASE_DEFAULT_COLLATION, SqlType
from sbql.grammar.values.checkpoints import checked

__all__ = [
    "SWAPPED_CASE",
    "collation_key",
    "is_binary_collation",
    "is_case_sensitive",
    "key_function",
    "known_collation",
    "sort_key",
    "sort_key_function",
]

_BLANK = " "


def is_binary_collation(collation: str | None) -> bool:
    """True for …_BIN and …_BIN2."""
    return collation is not None and collation.upper().endswith(("_BIN", "_BIN2"))


def is_case_sensitive(collation: str | None) -> bool:
    """True for …_CS… and binary collations. None is the default collation, which is not."""
    return collation is not None and ("_CS" in collation.upper() or is_binary_collation(collation))


def known_collation(name: str) -> str:
    """The collation that a COLLATE clause names. Raises 448 for a name that is none, 40517 for UTF-8: varchar has the
    code page 1252 here."""
    upper = name.upper()
    if upper in ("DATABASE_DEFAULT", "CATALOG_DEFAULT"):
        return DATABASE_DEFAULT_COLLATION
    if "_" not in upper or not upper.endswith(("_BIN", "_BIN2", "_AS", "_AI", "_WS", "_KS", "_SC", "_UTF8", "_VSS")):
        raise sql_error(448, name)
    if upper.endswith("_UTF8"):
        raise sql_error(40517, "UTF-8 collations")
    return name


def collation_key(text: str) -> str:
    """The key of the default collation: equal keys mean equal strings."""
    return text.rstrip(_BLANK).lower()


def _rank_table() -> dict[int, int]:
    """Code points to ranks in the private use area, for the characters of Latin-1 whose order is not that of code
    points."""

    def weight(character: str) -> tuple[int, str, int]:
        base = unicodedata.normalize("NFD", character)[0]
        group = 2 if base.isalpha() else 1 if base.isdigit() else 0
        return group, base, ord(character)

    characters = [chr(c) for c in range(32, 256) if not chr(c).isupper() and not 127 <= c < 160]
    return {ord(c): 0xE000 + rank for rank, c in enumerate(sorted(characters, key=weight))}


_RANKS = _rank_table()


def sort_key(text: str) -> str:
    """The key of the default collation for order; also equal exactly when `collation_key` is."""
    return text.rstrip(_BLANK).lower().translate(_RANKS)


def _trimmed(text: str) -> str:
    return text.rstrip(_BLANK)


def _case_sensitive_sort_key(text: str) -> str:
    """Letters first, whatever their case; then the small ones before the capitals."""
    trimmed = text.rstrip(_BLANK)
    return f"{trimmed.lower().translate(_RANKS)}\1{trimmed.translate(_SWAPPED)}"


SWAPPED_CASE = (
    "".join(
        c for c in map(chr, range(32, 256)) if len(c.swapcase()) == 1 and c.swapcase() != c and ord(c.swapcase()) < 256
    ),
    "".join(
        c.swapcase()
        for c in map(chr, range(32, 256))
        if len(c.swapcase()) == 1 and c.swapcase() != c and ord(c.swapcase()) < 256
    ),
)
"""The letters of the code page, and those of the other case."""

_SWAPPED = str.maketrans(*SWAPPED_CASE)


def _accent_insensitive(text: str) -> str:
    lower = text.rstrip(_BLANK).lower()
    if lower.isascii():
        return lower
    return "".join(c for c in checked(unicodedata.normalize("NFD", lower), 4096) if not unicodedata.combining(c))


def _accent_insensitive_sort_key(text: str) -> str:
    return sort_key(_accent_insensitive(text))


def key_function(sql_type: SqlType) -> Callable[[str], str]:
    """The equality key for a character type, by its collation."""
    collation = sql_type.collation
    if collation is None:
        return collation_key
    if is_case_sensitive(collation):
        return _trimmed
    return _accent_insensitive if "_AI" in collation.upper() else collation_key


def sort_key_function(sql_type: SqlType) -> Callable[[str], str]:
    """The order key for a character type, by its collation."""
    collation = sql_type.collation
    if collation is None:
        return sort_key
    if is_binary_collation(collation):
        return _trimmed
    if is_case_sensitive(collation):
        return _case_sensitive_sort_key
    return _accent_insensitive_sort_key if "_AI" in collation.upper() else sort_key
