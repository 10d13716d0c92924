"""The text of a definition as it is kept and shown: a CREATE statement, whichever word made it.

Decides the first words only; the rest stays as it was written. It must not know what a module is.
"""

from __future__ import annotations

from sbql.grammar.lexer import Source, scan

__all__ = ["as_create"]


def as_create(text: str, start: int, verb: str) -> str:
    """A batch whose statement begins at `start` (0-based) with ALTER or CREATE OR ALTER: with CREATE alone, blanks and
    comments as they stood. OBJECT_DEFINITION and sys.sql_modules show it so (ALTER PROCEDURE, sys.sql_modules)."""
    if verb == "CREATE":
        return text
    words = [token for token in scan(Source(text)) if token.start >= start]
    if verb == "ALTER":
        return text[:start] + "CREATE" + text[words[0].end :]
    _, first, second = words[:3]
    return text[: first.start] + text[first.end : second.start] + text[second.end :]
