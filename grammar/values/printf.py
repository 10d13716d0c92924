"""The formats of RAISERROR and FORMATMESSAGE: %d %i %u %o %x %X %s with flags, width and precision, `*`, l and h and I64."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sbql.grammar.errors import sql_error

__all__ = ["format_message"]

_SPEC = re.compile(r"%(?P<flags>[-+0# ]*)(?P<width>\d+|\*)?(?:\.(?P<precision>\d+|\*))?(?P<size>I64|l|h)?(?P<kind>[a-zA-Z%])")


def format_message(template: str, arguments: Sequence[Any]) -> str:
    """`template` with `arguments` filled in. A missing argument shows as (null), as SQL Server does.

    Raises 2787 for a wrong format specification, 2786 when an argument's type does not fit.
    """
    given = iter(arguments)
    place = 0

    def next_argument() -> Any:
        nonlocal place
        place += 1
        return next(given, None)

    def fill(found: re.Match[str]) -> str:
        kind = found["kind"]
        if kind == "%":
            return "%"
        width = next_argument() if found["width"] == "*" else found["width"]
        precision = next_argument() if found["precision"] == "*" else found["precision"]
        return _one(kind, found["flags"] or "", width, precision, next_argument(), found, place)

    return _SPEC.sub(fill, template)


def _one(kind: str, flags: str, width: Any, precision: Any, value: Any, found: re.Match[str], place: int) -> str:
    if kind not in "diuoxXs":
        raise sql_error(2787, found[0])
    if value is None:
        text = "(null)"
        return text.ljust(int(width or 0)) if "-" in flags else text.rjust(int(width or 0))
    if kind == "s":
        if not isinstance(value, str):
            raise sql_error(2786, place)
    elif isinstance(value, bool) or not isinstance(value, int):
        raise sql_error(2786, place)
    elif kind in "uoxX" and value < 0:
        value += 2**64 if found["size"] == "I64" else 2**32
    spec = "%" + flags + (str(int(width)) if width is not None else "")
    spec += f".{int(precision)}" if precision is not None else ""
    return str((spec + ("d" if kind in "diu" else kind)) % value)
