"""Whole numbers from digits that a user wrote.

Python refuses to read more than 4,300 digits, and reading them takes the square of their number. It decides what
such a text counts as: no type takes a number of so many digits, so its first four thousand are as good. It must not
know types, nor what is out of range.
"""

from __future__ import annotations

from typing import Final

__all__ = ["is_whole", "whole"]

_MOST: Final = 4000


def is_whole(text: str) -> bool:
    """Whether it is decimal digits and nothing else: str.isdigit() takes `²`, too, which int() does not."""
    return text.isascii() and text.isdigit()


def whole(text: str) -> int:
    """The number in decimal digits, with or without a sign. One of more than 4,000 digits is at least 10 ** 3999."""
    if len(text) <= _MOST:
        return int(text)
    digits = text.lstrip("+-").lstrip("0") or "0"
    return int(digits[:_MOST]) * (-1 if text.startswith("-") else 1)
