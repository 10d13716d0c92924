"""Names and strings as text: `[db].[dbo].[proc]` in a variable, in OBJECT_ID('…') or in
the catalog, taken apart, and written.

The same rules as in a statement: brackets or double quotes delimit, a doubled closing delimiter stands for itself, a
part may be empty (`db..t`), four parts at most.
"""

from __future__ import annotations

from sbql.grammar.ast.base import Identifier, ObjectName
from sbql.grammar.errors import sql_error

__all__ = ["bracketed", "dotted", "parse_object_name", "string_literal"]

_PARTS_MAX = 4
_CLOSING = {"[": "]", '"': '"'}


def bracketed(name: str) -> str:
    """A name in brackets, as QUOTENAME writes it: `[a]]b]`."""
    return f"[{name.replace(']', ']]')}]"


def dotted(*parts: str | None) -> str:
    """The parts of a name, each in brackets; nothing stands for None, as in `[db]..[t]`."""
    return ".".join("" if part is None else bracketed(part) for part in parts)


def string_literal(text: str, *, is_national: bool = False) -> str:
    """Text as a literal of T-SQL."""
    return ("N'" if is_national else "'") + text.replace("'", "''") + "'"


def parse_object_name(text: str) -> ObjectName:
    """A one- to four-part name. Raises 102 for text that is no name, 117 for too many parts."""
    parts: list[Identifier | None] = []
    rest = text.strip()
    while True:
        part, rest = _part(rest, text)
        parts.append(part)
        rest = rest.lstrip()
        if not rest:
            break
        if rest[0] != ".":
            raise sql_error(102, rest.split()[0])
        rest = rest[1:].lstrip()
    if len(parts) > _PARTS_MAX:
        raise sql_error(117, "object", text, _PARTS_MAX)
    if parts[-1] is None:
        raise sql_error(102, text)
    return ObjectName(tuple(parts))


def _part(rest: str, text: str) -> tuple[Identifier | None, str]:
    if not rest or rest[0] == ".":
        return None, rest
    closing = _CLOSING.get(rest[0])
    if closing is None:
        end = min((i for i in (rest.find("."),) if i >= 0), default=len(rest))
        return Identifier(rest[:end].rstrip()), rest[end:]
    at = 1
    value: list[str] = []
    while at < len(rest):
        if rest[at] == closing:
            if rest[at + 1 : at + 2] != closing:
                return Identifier("".join(value), quoted=True), rest[at + 1 :]
            at += 1
        value.append(rest[at])
        at += 1
    raise sql_error(105, text)
