"""FOR XML: names. RAW and AUTO escape what XML names cannot hold, PATH and the names in quotes refuse it.

Decides what a name is (XML 1.0, fourth edition: the one that Expat knows, so Expat is asked) and raises 6846, 6850,
6854, 6867, 6879. It must not know rows or values.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from xml.parsers import expat

from sbql.grammar.errors import sql_error

__all__ = ["Namespaces", "check_name", "check_prefix", "checked_target", "encode_name", "first_fault"]

Namespaces = Sequence[tuple[str | None, str]]


@functools.lru_cache(maxsize=4096)
def _is_name(name: str) -> bool:
    parser = expat.ParserCreate(encoding="utf-8")
    try:
        parser.Parse(f"<{name}/>".encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError:
        return False
    return True


def _is_start(character: str) -> bool:
    return (
        character.isascii()
        and (character.isalpha() or character == "_")
        or not character.isascii()
        and _is_name(character)
    )


def _is_part(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character in "_.-"
    return _is_name(f"a{character}")


def encode_name(name: str) -> str:
    """A column or table name as an XML name: what may not stand there becomes _xHHHH_, and an underscore that would
    look like that _x005F_. A colon stays, except in front."""
    parts = []
    for place, character in enumerate(name):
        if ord(character) > 0xFFFF:
            parts.append(f"_x{ord(character):06X}_")
        elif character == "_" and name.startswith("x", place + 1):
            parts.append("_x005F_")
        elif _is_part(character) and place or place and character == ":" or not place and _is_start(character):
            parts.append(character)
        else:
            parts.append(f"_x{ord(character):04X}_")
    return "".join(parts)


def check_prefix(name: str, what: str, whole: str, namespaces: Namespaces, *, has_nil: bool = False) -> None:
    """Raises 6867 for the name xmlns, 6846 for a prefix without a namespace. `what` is column, row or ROOT."""
    prefix, colon, _ = name.partition(":")
    if prefix == "xmlns":
        raise sql_error(6867)
    if not colon or not prefix:
        return
    known = {"xml", *(p for p, _ in namespaces if p)} | ({"xsi"} if has_nil else set())
    if prefix not in known:
        raise sql_error(6846, prefix, what, whole)


_WORDS = {"column": "Column", "row": "Row", "ROOT": "ROOT", "": ""}


def first_fault(name: str) -> str | None:
    """The first character that cannot stand where it does in a name without prefix."""
    for place, character in enumerate(name):
        good = ord(character) > 0xFFFF or (_is_part(character) if place else _is_start(character))
        if not good:
            return character
    return None


def check_name(name: str, what: str, whole: str, *, may_have_prefix: bool = True) -> None:
    """A name that is written as it is. Raises 6850 with its first character at fault."""
    prefix, colon, local = name.partition(":") if may_have_prefix else ("", "", name)
    fault = first_fault(prefix) or first_fault(local) if colon and prefix and local else first_fault(name)
    if fault is not None:
        raise sql_error(6850, _WORDS[what], whole, fault, f"{ord(fault):04X}")


def checked_target(step: str, whole: str) -> str:
    """The target of `processing-instruction(x)`. Raises 6854 without one, 6879 for xml, 6850."""
    found = re.fullmatch(r"processing-instruction\((.+)\)", step, re.DOTALL)
    if found is None:
        raise sql_error(6854, whole)
    if found[1] == "xml":
        raise sql_error(6879)
    check_name(found[1], "", whole, may_have_prefix=False)
    return found[1]
