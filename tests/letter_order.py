"""Makes grammar/values/letter_order.txt of DuckDB's icu_sort_key: `python tests/letter_order.py`.

A line is the characters of one primary weight, by their secondary weight, lines by the primary one. Only
characters that are their own lower case, and no compatibility forms, stand in it. Marks, which have no primary
weight, stand alone in front. Any Python makes the same file: of characters that are younger than the oldest
Python's Unicode none stands in it.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

import duckdb

FILE = Path(__file__).parents[1] / "grammar" / "values" / "letter_order.txt"
_RANGES = ((0x20, 0x2E80), (0x3000, 0x3040), (0x3041, 0x3097), (0x3099, 0x30A1), (0x30FB, 0x30FF), (0x3105, 0x3130))
_YOUNGER = frozenset("\u0cf3\u0ece" + "\u0897\u1b4e\u1b4f\u1b7f\u1c89\u1c8a\u2427\u2428\u2429")
"""In these ranges: what came with Unicode 15 and with 16. Python 3.11 has Unicode 14."""


def _stands_alone(character: str) -> bool:
    kind = unicodedata.category(character)
    has_form = unicodedata.decomposition(character).startswith("<")
    is_known = kind not in ("Cn", "Cs", "Co", "Cc") and character not in _YOUNGER
    return is_known and character.lower() == character and not has_form


def levels(texts: list[str]) -> dict[str, tuple[bytes, bytes]]:
    """The first two levels of each text's key."""
    with duckdb.connect() as connection:
        rows = connection.execute("SELECT t, icu_sort_key(t, 'und') FROM (SELECT unnest(?) AS t)", [texts]).fetchall()
    found = {}
    for text, key in rows:
        first, second, *_ = bytes.fromhex(key).split(b"\x01")
        found[text] = (first, second)
    return found


def letter_order() -> str:
    """The content of the file."""
    characters = [chr(code) for start, end in _RANGES for code in range(start, end) if _stands_alone(chr(code))]
    weights = levels(characters)
    groups: dict[bytes, list[str]] = {}
    for character in sorted(characters, key=lambda c: (weights[c], c)):
        first = weights[character][0] or b"\0" + chr(0x10000 + ord(character)).encode()
        groups.setdefault(first, []).append(character)
    return "".join("".join(groups[first]) + "\n" for first in sorted(groups))


if __name__ == "__main__":
    FILE.write_text(letter_order(), "utf-8")
