"""Values as JSON in SQL: strings with their escapes.

Decides that DuckDB writes them, but for the solidus, which is an escape in SQL Server, and for control characters
without a letter of their own, which have other digits here: these are left to whoever asks.
"""

from __future__ import annotations

__all__ = ["json_string"]


def json_string(text: str, other: str) -> str:
    """`text` as a string of JSON; `other` for one with other control characters, or
    what looks like them. NULL for NULL."""
    return rf"invoke(lambda q: CASE WHEN contains(q, '\u') THEN {other} ELSE replace(q, '/', '\/') END, CAST(to_json({text}) AS VARCHAR))"
