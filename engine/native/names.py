"""Native forms of functions that name things: TYPE_NAME of the types that every database has, FORMATMESSAGE
of a text that the statement holds.

What the catalog says (types of users, numbers of messages) is Python's.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.functions.metadata import SYSTEM_TYPE_NAMES
from sbql.engine.native.forms import Call, Form, Forms, Row, has_pairs, in_form
from sbql.engine.tables.typed_sql import text_literal
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind

__all__ = ["NAMES"]

_KINDS: Final = {"s": "string", "d": "int", "i": "int"}
"""Formats without flags, widths and sizes to the kind of their argument."""
_LONGEST: Final = 2047


def _formatmessage(call: Call) -> Form | None:
    """A missing or NULL argument shows as (null). A text that is cut, or has halves of
    characters that might meet, is Python's."""
    template = call.values[0]
    if not isinstance(template, str) or len(template) > _LONGEST:
        return None
    pieces: list[str] = []
    text, at, place = "", 0, 1
    while at < len(template):
        sign = template[at : at + 2]
        if sign[0] != "%":
            text, at = text + sign[0], at + 1
            continue
        if sign == "%%":
            text += "%"
        elif sign[1:] not in _KINDS:
            return None
        elif place >= len(call.types):
            text, place = f"{text}(null)", place + 1
        elif not _is_of(call.types[place], _KINDS[sign[1:]]):
            return None
        else:
            pieces += [in_form(text_literal(text)), f"coalesce(CAST({{{place}}} AS VARCHAR), '(null)')"]
            text, place = "", place + 1
        at += 2
    joined = " || ".join([*pieces, in_form(text_literal(text))])
    is_plain = f"strlen(x) <= {_LONGEST} AND NOT {has_pairs('x')}"
    return Form(f"invoke(lambda x: CASE WHEN {is_plain} THEN x END, {joined})", misses=True, takes_nulls=True)


def _is_of(sql_type: SqlType, family: str) -> bool:
    return kind(sql_type) == family and sql_type.name not in ("text", "ntext")


_TYPES: Final = " ".join(f"WHEN {number} THEN '{name}'" for number, name in SYSTEM_TYPE_NAMES.items())

NAMES: Final[Forms] = {
    "TYPE_NAME": (Row("int", Form(f"CASE {{0}} {_TYPES} END", f"{{0}} > {max(SYSTEM_TYPE_NAMES)}")),),
    "FORMATMESSAGE": (Row("* ...", _formatmessage),),
}
"""Functions to their forms."""
