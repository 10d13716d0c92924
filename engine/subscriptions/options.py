"""The options of a notification: `service=…;local database=…` or `service=…;broker instance=…`.

Decides what is written how (names in any case, values bare or in quotation marks) and which error a fault is. It must
not know whether there is such a service or database.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from sbql.grammar.errors import sql_error

__all__ = ["Deployment", "parse_options"]

_SERVICE, _INSTANCE, _DATABASE = "service", "broker instance", "local database"
_LONGEST: Final = {_SERVICE: 256, _INSTANCE: 128, _DATABASE: 128}
_QUOTES: Final = "\"'"
_SHOWN: Final = 20


class Deployment(Struct, frozen=True):
    """Where somebody listens. '' for what was not given."""

    service: str
    broker_instance: str = ""
    local_database: str = ""


def parse_options(text: str) -> Deployment:
    """Raises 9226 to 9235."""
    found: dict[str, str] = {}
    place = 0
    while text[place:].strip(" ;"):
        name, place = _name(text, place)
        value, place = _value(text, place, name)
        if name in found:
            raise sql_error(9230, name)
        if len(value) > _LONGEST[name]:
            raise sql_error(9226, value[:_SHOWN], _LONGEST[name])
        found[name] = value
    if _SERVICE not in found:
        raise sql_error(9233)
    if _INSTANCE in found and _DATABASE in found:
        raise sql_error(9234)
    return Deployment(found[_SERVICE], found.get(_INSTANCE, ""), found.get(_DATABASE, ""))


def _name(text: str, place: int) -> tuple[str, int]:
    """A name and where its value begins."""
    end = text.find("=", place)
    written = (text[place:] if end < 0 else text[place:end]).strip(" ;")
    if end < 0:
        raise sql_error(9231, written[-_SHOWN:])
    if not written:
        raise sql_error(9228)
    name = " ".join(written.lower().split())
    if name not in _LONGEST:
        raise sql_error(9229, written)
    return name, end + 1


def _value(text: str, place: int, name: str) -> tuple[str, int]:
    """A value and where the next option begins."""
    while place < len(text) and text[place] == " ":
        place += 1
    if place < len(text) and text[place] in _QUOTES:
        value, place = _quoted(text, place)
        end = text.find(";", place)
        behind = text[place:] if end < 0 else text[place:end]
        if behind.strip():
            raise sql_error(9232, behind.strip()[:_SHOWN])
    else:
        end = text.find(";", place)
        value = (text[place:] if end < 0 else text[place:end]).strip()
    if not value:
        raise sql_error(9235, name)
    return value, len(text) if end < 0 else end + 1


def _quoted(text: str, place: int) -> tuple[str, int]:
    """A doubled quotation mark stands for one."""
    mark, parts = text[place], []
    place += 1
    while True:
        end = text.find(mark, place)
        if end < 0:
            raise sql_error(9227)
        parts.append(text[place:end])
        if text[end + 1 : end + 2] != mark:
            return mark.join(parts), end + 1
        place = end + 2
