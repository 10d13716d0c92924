"""printf formats of messages: what RAISERROR, FORMATMESSAGE and xp_sprintf do with %s, %d and friends.

Flags, width and precision (also `*`) are those of C; types are d i o s u x X. A missing or NULL argument shows as
(null). It decides the text and the errors 2786 (wrong type) and 2787 (no such format).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from sbql.grammar.digits import whole
from sbql.grammar.errors import sql_error
from sbql.grammar.values.checkpoints import checked

__all__ = ["format_message"]

_FORMAT = re.compile(
    r"%(?:%|(?P<flags>[-+0# ]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+))?(?P<size>h|l|I64|w)?(?P<type>[a-zA-Z])?)"
)
_MAX_WIDTH = 2047


def format_message(template: str, arguments: Sequence[Any]) -> str:
    """The template with its arguments put in. Raises 2786 and 2787."""
    parts: list[str] = []
    position, index = 0, 0
    for found in checked(_FORMAT.finditer(template)):
        parts.append(template[position : found.start()])
        position = found.end()
        if found[0] == "%%":
            parts.append("%")
            continue
        if found["type"] is None or found["type"] not in "diosuxX":
            raise sql_error(2787, found[0][:2] if found["type"] else "%" + template[found.end() : found.end() + 1])
        width, index = _number(found["width"], arguments, index)
        precision, index = _number(found["precision"], arguments, index)
        value = arguments[index] if index < len(arguments) else None
        parts.append(_one(found, value, width, precision, index + 1))
        index += 1
    parts.append(template[position:])
    return "".join(parts)


def _number(text: str | None, arguments: Sequence[Any], index: int) -> tuple[int | None, int]:
    """A width or precision, taken from the arguments when it is `*`."""
    if text is None:
        return None, index
    if text != "*":
        return min(whole(text), _MAX_WIDTH), index
    value = arguments[index] if index < len(arguments) else 0
    if value is not None and not isinstance(value, int):
        raise sql_error(2786, index + 1)
    return (min(abs(value or 0), _MAX_WIDTH), index + 1)


def _one(found: re.Match[str], value: Any, width: int | None, precision: int | None, position: int) -> str:
    if value is None:
        text = "(null)"
    elif found["type"] == "s":
        if not isinstance(value, str):
            raise sql_error(2786, position)
        text = value
        if precision is not None:
            text = text[:precision]
    else:
        text = _integer(found, value, precision, width, position)
    if width is not None:
        text = text.ljust(width) if "-" in found["flags"] else text.rjust(width)
    return text


def _integer(found: re.Match[str], value: Any, precision: int | None, width: int | None, position: int) -> str:
    if isinstance(value, Decimal) and found["size"] == "I64" and value == int(value):
        value = int(value)  # a literal too large for int is numeric
    if not isinstance(value, int):
        raise sql_error(2786, position)
    kind, flags = found["type"], found["flags"]
    bits = 64 if found["size"] == "I64" or not -(2**31) <= value < 2**32 else 32
    if kind in "oxXu" and value < 0:
        value += 2**bits
    digits = {"o": f"{abs(value):o}", "x": f"{abs(value):x}", "X": f"{abs(value):X}"}.get(kind, str(abs(value)))
    if precision is not None:
        digits = digits.rjust(precision, "0")
    if "#" in flags and value:
        digits = {"o": "0", "x": "0x", "X": "0X"}.get(kind, "") + digits
    sign = "-" if value < 0 else "+" if "+" in flags and kind in "di" else " " if " " in flags and kind in "di" else ""
    if "0" in flags and "-" not in flags and precision is None and width is not None:
        digits = digits.rjust(width - len(sign), "0")
    return sign + digits
