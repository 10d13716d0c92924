"""What an argument of the command line may look like, and what is said of one that does not.

Each function makes a value of a text, for `type=` of argparse. It must not know which option it is for: argparse puts
that in front.
"""

from __future__ import annotations

import argparse
import codecs
import math
from datetime import UTC, datetime

__all__ = ["code_pages", "moment_of", "seconds_of", "time_limit", "whole_number", "width_of"]

_WIDEST = 8000
_LONGEST_WAIT = 65534


def whole_number(text: str) -> int:
    """A whole number. Raises ArgumentTypeError."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number") from None


def seconds_of(text: str) -> float:
    """A number of seconds. Raises ArgumentTypeError."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < 1e9:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds")
    return seconds


def moment_of(text: str) -> float:
    """A date, perhaps with a time, in UTC if it has no zone: seconds since 1970. Raises ArgumentTypeError."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a date: write 2008-01-31 or 2008-01-31T12:00:00") from None
    return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp()


def width_of(text: str) -> int:
    """A number of characters, 0 for all. Raises ArgumentTypeError."""
    width = whole_number(text)
    if not 0 <= width <= _WIDEST:
        raise argparse.ArgumentTypeError(f"{width} is not between 0 (all) and {_WIDEST}")
    return width


def time_limit(text: str) -> float:
    """Whole seconds, 0 for no limit. Raises ArgumentTypeError."""
    seconds = whole_number(text)
    if not 0 <= seconds <= _LONGEST_WAIT:
        raise argparse.ArgumentTypeError(f"{seconds} is not between 0 (no limit) and {_LONGEST_WAIT} seconds")
    return float(seconds)


def code_pages(text: str) -> tuple[str | None, str | None]:
    """`1252`, `i:1252`, `o:65001` or `i:1252,o:65001`: the encodings of input and output. Raises ArgumentTypeError."""
    found: dict[str, str] = {}
    for part in text.split(","):
        way, colon, page = part.strip().rpartition(":")
        if way.lower() not in ("", "i", "o") or (colon and not way):
            raise argparse.ArgumentTypeError(f"'{text}' is not a code page: write 1252, or i:1252,o:65001 for each way")
        for one in way.lower() or "io":
            found[one] = _encoding(page)
    return found.get("i"), found.get("o")


_ENCODINGS = {"65001": "utf-8", "1200": "utf-16-le", "1201": "utf-16-be", "28591": "latin-1", "20127": "ascii"}


def _encoding(page: str) -> str:
    """Raises ArgumentTypeError for a code page that Python does not have."""
    try:
        return codecs.lookup(_ENCODINGS.get(page, f"cp{page}")).name
    except LookupError:
        raise argparse.ArgumentTypeError(f"there is no code page '{page}' here: 65001 is UTF-8") from None
