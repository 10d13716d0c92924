"""The text of a definition as it is kept and shown: a CREATE statement, whichever word made it.

Decides the first words only; the rest stays as it was written. It must not know what a module is.
"""

from __future__ import annotations

from sbql.grammar.lexer import Source, scan, unquote

__all__ = ["as_create", "defined_module"]

_KINDS = frozenset({"PROC", "PROCEDURE", "FUNCTION", "VIEW", "TRIGGER"})


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


def defined_module(text: str) -> str:
    """The name of the module that a batch creates or alters, without its schema; '' for other
    batches. The text may be wrong anywhere."""
    tokens = scan(Source(text), [])[:-1]
    keys = [token.key for token in tokens[:4]]
    at = 3 if keys[:3] == ["CREATE", "OR", "ALTER"] else 1 if keys[:1] in (["CREATE"], ["ALTER"]) else 0
    if not at or keys[at : at + 1] == [] or keys[at] not in _KINDS:
        return ""
    name = ""
    for token in tokens[at + 1 :]:
        if token.kind in ("word", "quoted"):
            if name:
                break
            name = unquote(token.text) if token.kind == "quoted" else token.text
        elif token.text == ".":
            name = ""
        else:
            break
    return name
