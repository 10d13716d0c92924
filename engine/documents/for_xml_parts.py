"""FOR XML: what all its modes share: columns and options, elements in the making, and the text of values.

Decides how a value of each type is written and what is escaped (docs: "FOR XML Support for Various SQL Server Data
Types", "Invalid Characters and Escape Rules"). It must not know modes, queries or sessions.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct, field

from sbql.grammar.types import NVARCHAR_MAX, SqlType
from sbql.grammar.values.conversions import convert, converter
from sbql.grammar.values.kinds import kind

__all__ = [
    "XSI", "Address", "Build", "Element", "Rows", "XmlColumn", "XmlOptions", "escape_attribute", "escape_text", "nil",
    "text_style", "value_text", "without_default_namespace",
]  # fmt: skip

XSI = "http://www.w3.org/2001/XMLSchema-instance"


class Address(Struct, frozen=True):
    """What a URL of a binary value is made of: the table as it is written and its primary key."""

    table: str
    key: tuple[str, ...]


class XmlColumn(Struct, frozen=True):
    """`owner` is the table that the column comes from, as the query calls it ('' for an expression), `base` the name
    that the column has there; `address` is known of columns of stored tables."""

    name: str
    type: SqlType
    owner: str = ""
    nullable: bool = True
    base: str = ""
    address: Address | None = None


class XmlOptions(Struct, frozen=True):
    """`element` None is the default name of a row; `elements` is '', 'ABSENT' or 'XSINIL'; `namespaces` are (prefix or
    None, URI); `source` is the first table of the query, for AUTO, None without FROM; `schema` is the target namespace
    of an inline schema, '' for one that sbql numbers, None without."""

    mode: str
    element: str | None = None
    root: str | None = None
    elements: str = ""
    binary_base64: bool = False
    is_typed: bool = False
    namespaces: tuple[tuple[str | None, str], ...] = ()
    source: str | None = None
    schema: str | None = None

    @property
    def with_nil(self) -> bool:
        return self.elements == "XSINIL"

    @property
    def has_default_namespace(self) -> bool:
        return any(prefix is None for prefix, _ in self.namespaces)


class Element(Struct):
    """An element in the making. Children are elements or finished text; one without a name stands for its children.
    `is_open` is never written as an empty tag."""

    name: str
    attributes: list[tuple[str, str]] = field(default_factory=list)
    children: list[Element | str] = field(default_factory=list)
    is_open: bool = False

    def write(self, out: list[str], declarations: str = "") -> None:
        """`declarations` stand on the element, or on those inside of it when it has no name."""
        if not self.name:
            for child in self.children:
                if isinstance(child, str):
                    out.append(child)
                else:
                    child.write(out, declarations)
            return
        out.append(f"<{self.name}{declarations}")
        for name, value in self.attributes:
            out.append(f' {name}="{value}"')
        if not self.children and not self.is_open:
            out.append("/>")
            return
        out.append(">")
        for child in self.children:
            if isinstance(child, str):
                out.append(child)
            else:
                child.write(out)
        out.append(f"</{self.name}>")


Rows = Sequence[Sequence[Any]]
Build = Callable[[Rows], Iterable[Element]]
"""A mode made ready: rows to the elements at the top."""


def nil(name: str) -> Element:
    return Element(name, [("xsi:nil", "true")])


# --- values ------------------------------------------------------------------------------------------------

_NOT_IN_TEXT = re.compile(r"[&<>\r\x00-\x08\x0b\x0c\x0e-\x1f]")
_NOT_IN_ATTRIBUTE = re.compile(r'[&<>"\r\n\t\x00-\x08\x0b\x0c\x0e-\x1f]')
_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def _reference(found: re.Match[str]) -> str:
    character = found[0]
    return _NAMED.get(character) or f"&#x{ord(character):02X};"


def escape_text(text: str) -> str:
    return _NOT_IN_TEXT.sub(_reference, text)


def escape_attribute(text: str) -> str:
    return _NOT_IN_ATTRIBUTE.sub(_reference, text)


def value_text(sql_type: SqlType) -> Callable[[Any], str]:
    """How values of a type are written: ISO dates, base64, 0 and 1 for bit. Not yet escaped, and not for NULL."""
    family = kind(sql_type)
    if family == "string" or family == "xml":
        return str
    if family == "variant":
        return lambda value: value_text(value.type)(value.value)
    if family == "binary":
        return lambda value: base64.b64encode(value).decode("ascii")
    if family == "bit":
        return lambda value: "1" if value else "0"
    if sql_type.name == "real":
        return lambda value: str(convert(value, sql_type, NVARCHAR_MAX, 1))
    change = converter(sql_type, NVARCHAR_MAX, text_style(sql_type))
    return str if change is None else change


def text_style(sql_type: SqlType) -> int | None:
    """The style of CONVERT that writes values of a type as XML does; None for its default."""
    family = kind(sql_type)
    is_date = family in ("date", "time", "datetime", "datetime2", "datetimeoffset")
    return {"float": 2, "money": 2}.get(family, 126 if is_date else None)


_TAG = re.compile(r"<!--.*?-->|<\?.*?\?>|<(/?)[^<>]*?(/?)>", re.DOTALL)
_DEFAULT = re.compile(r"\sxmlns=")


def without_default_namespace(text: str) -> str:
    """An xml value that stands where a default namespace is in force, of which its elements are not: those at its top
    say so, unless they declare their own."""
    parts: list[str] = []
    depth = done = 0
    for tag in _TAG.finditer(text):
        if tag[1] is None:
            continue
        if tag[1]:
            depth -= 1
            continue
        if depth == 0 and not _DEFAULT.search(tag[0]):
            place = tag.end() - (2 if tag[2] else 1)
            parts += [text[done:place], ' xmlns=""']
            done = place
        if not tag[2]:
            depth += 1
    return "".join([*parts, text[done:]])
