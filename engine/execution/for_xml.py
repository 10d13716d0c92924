"""FOR XML: rows become one XML text, in the modes RAW, AUTO, PATH and EXPLICIT.

Pure functions of columns, options and rows of Python values. Decides element and attribute structure, names and the
text of each value (docs: "FOR XML"). It must not know queries or sessions; EXPLICIT is `for_xml_explicit.py`.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sbql.engine.execution.for_xml_checks import check_prefix, check_value
from sbql.grammar.errors import sql_error
from sbql.grammar.types import NVARCHAR_MAX, SqlType
from sbql.grammar.values.conversions import convert, converter
from sbql.grammar.values.kinds import kind

__all__ = ["Element", "XmlColumn", "XmlOptions", "encode_name", "renderer", "value_text"]

XSI = "http://www.w3.org/2001/XMLSchema-instance"


@dataclass(frozen=True, slots=True)
class XmlColumn:
    """`owner` is the table that the column comes from, as the query calls it ('' for an expression)."""

    name: str
    type: SqlType
    owner: str = ""


@dataclass(frozen=True, slots=True)
class XmlOptions:
    """`element` None is the default name of a row; `elements` is '', 'ABSENT' or 'XSINIL'; `namespaces` are (prefix or
    None, URI)."""

    mode: str
    element: str | None = None
    root: str | None = None
    elements: str = ""
    binary_base64: bool = False
    is_typed: bool = False
    namespaces: tuple[tuple[str | None, str], ...] = ()

    @property
    def with_nil(self) -> bool:
        return self.elements == "XSINIL"


@dataclass(slots=True)
class Element:
    """An element in the making. Children are elements or finished text."""

    name: str
    attributes: list[tuple[str, str]] = field(default_factory=list)
    children: list[Element | str] = field(default_factory=list)

    def write(self, out: list[str], declarations: str = "") -> None:
        out.append(f"<{self.name}{declarations}" if self.name else "")
        for name, value in self.attributes:
            out.append(f' {name}="{value}"')
        if not self.children:
            out.append("/>" if self.name else "")
            return
        out.append(">" if self.name else "")
        for child in self.children:
            if isinstance(child, str):
                out.append(child)
            else:
                child.write(out)
        out.append(f"</{self.name}>" if self.name else "")


# --- values and names --------------------------------------------------------------------------------------

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
    if family == "binary":
        return lambda value: base64.b64encode(value).decode("ascii")
    if family == "bit":
        return lambda value: "1" if value else "0"
    if sql_type.name == "real":
        return lambda value: str(convert(value, sql_type, NVARCHAR_MAX, 1))
    style = {"float": 2, "money": 2}.get(
        family, 126 if family in ("date", "time", "datetime", "datetime2", "datetimeoffset") else None
    )
    change = converter(sql_type, NVARCHAR_MAX, style)
    return str if change is None else change


_NAME_START = re.compile(r"[A-Za-z_\u00c0-\u02ff\u0370-\u1fff\u3001-\ud7ff]")
_NAME_REST = re.compile(r"[\w.\-\u00b7\u00c0-\u1fff\u3001-\ud7ff]")


def encode_name(name: str, *, keeps_prefix: bool = False) -> str:
    """A column or table name as an XML name: what may not stand there becomes _xHHHH_."""
    if keeps_prefix and name.count(":") == 1:
        prefix, local = name.split(":")
        if prefix and local:
            return f"{encode_name(prefix)}:{encode_name(local)}"
    parts = []
    for position, character in enumerate(name):
        good = _NAME_REST.fullmatch(character) if position else _NAME_START.fullmatch(character)
        is_escape = character == "_" and re.match(r"_x[0-9A-Fa-f]{4}_", name[position:])
        parts.append(character if good and not is_escape else f"_x{ord(character):04X}_")
    return "".join(parts)


# --- the whole text ----------------------------------------------------------------------------------------

Rows = Sequence[Sequence[Any]]


def renderer(columns: Sequence[XmlColumn], options: XmlOptions) -> Callable[[Rows], str | None]:
    """A function from rows to the document, NULL for no rows. Raises 6809, 6829, 6852, 6864 and other errors of the
    columns."""
    build = _MODES[options.mode](columns, options)
    names = "".join(
        f' xmlns:{prefix}="{escape_attribute(uri)}"' if prefix else f' xmlns="{escape_attribute(uri)}"'
        for prefix, uri in reversed(options.namespaces)
    )
    if options.with_nil or (
        options.mode == "EXPLICIT" and any(c.name.lower().endswith("!elementxsinil") for c in columns)
    ):
        names = f' xmlns:xsi="{XSI}"' + names
    root = encode_name(options.root, keeps_prefix=True) if options.root is not None else None

    def render(rows: Rows) -> str | None:
        if not rows:
            return None
        out: list[str] = []
        if root is not None:
            out.append(f"<{root}{names}>")
        for item in build(rows):
            if isinstance(item, str):
                out.append(item)
            else:
                item.write(out, "" if root is not None else names)
        if root is not None:
            out.append(f"</{root}>")
        return "".join(out)

    return render


def nil(name: str) -> Element:
    return Element(name, [("xsi:nil", "true")])


# --- RAW and AUTO ------------------------------------------------------------------------------------------

Put = Callable[[Element, Any], None]


def _putter(column: XmlColumn, options: XmlOptions, number: int) -> Put:
    """How one value goes into the element of its row or table: as an attribute, or as a child element."""
    text = value_text(column.type)
    is_xml = column.type.name == "xml"
    if not column.name:
        if is_xml:
            return lambda element, value: None if value is None else element.children.append(str(value))
        raise sql_error(6809)
    name = encode_name(column.name)
    if kind(column.type) == "binary" and not options.binary_base64:
        raise sql_error(6831 if options.mode == "AUTO" else 6829, column.name)
    if not options.elements and not is_xml:

        def put_attribute(element: Element, value: Any) -> None:
            if value is not None:
                element.attributes.append((name, escape_attribute(text(value))))

        return put_attribute

    def put_element(element: Element, value: Any) -> None:
        if value is not None:
            content = str(value) if is_xml else escape_text(text(value))
            element.children.append(Element(name, [], [content]))
        elif options.with_nil:
            element.children.append(nil(name))

    return put_element


def _raw(columns: Sequence[XmlColumn], options: XmlOptions) -> Callable[[Rows], Iterable[Element | str]]:
    if options.element == "" and not options.elements:
        raise sql_error(6864)
    row_name = (
        "row" if options.element is None else encode_name(options.element, keeps_prefix=True) if options.element else ""
    )
    putters = [_putter(column, options, i) for i, column in enumerate(columns)]

    def build(rows: Rows) -> Iterable[Element | str]:
        for row in rows:
            element = Element(row_name)
            for put, value in zip(putters, row, strict=True):
                put(element, value)
            yield element

    return build


def _auto(columns: Sequence[XmlColumn], options: XmlOptions) -> Callable[[Rows], Iterable[Element | str]]:
    """One level for each table, in the order in which the select list first names them. An expression belongs to the
    level before it."""
    levels: list[str] = []
    level_of: list[int] = []
    for column in columns:
        if column.owner and column.owner not in levels:
            levels.append(column.owner)
        level_of.append(levels.index(column.owner) if column.owner else max(len(levels) - 1, 0))
    if not levels:
        raise sql_error(6800)
    names = [encode_name(level) for level in levels]
    putters = [_putter(column, options, i) for i, column in enumerate(columns)]
    members = [[i for i, at in enumerate(level_of) if at == level] for level in range(len(levels))]

    def build(rows: Rows) -> Iterable[Element | str]:
        open_: list[Element] = []
        before: Sequence[Any] | None = None
        for row in rows:
            same = 0
            if before is not None:
                while same < len(levels) - 1 and all(row[i] == before[i] for i in members[same]):
                    same += 1
            if same == 0 and open_:
                yield open_[0]
            del open_[same:]
            for level in range(same, len(levels)):
                element = Element(names[level])
                for i in members[level]:
                    putters[i](element, row[i])
                if open_:
                    open_[-1].children.append(element)
                open_.append(element)
            before = row
        if open_:
            yield open_[0]

    return build


# --- PATH --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Path:
    """A column name read as a path: elements to open, then what the value becomes there."""

    steps: tuple[str, ...]
    leaf: str
    detail: str = ""


def _path(name: str, namespaces: Sequence[tuple[str | None, str]]) -> _Path:
    """Raises 6849, 6846, 6854, 6867, 6879."""
    if name in ("", "*"):
        return _Path((), "inline")
    steps = name.split("/")
    if any(not step for step in steps):
        raise sql_error(6849, name)
    last = steps[-1]
    for step in steps[:-1] if last.endswith(")") or last == "*" else steps:
        check_prefix(step.removeprefix("@"), "column", name, namespaces)
    before = tuple(encode_name(step, keeps_prefix=True) for step in steps[:-1])
    if last.startswith("@"):
        return _Path(before, "attribute", encode_name(last[1:], keeps_prefix=True))
    if last in ("text()", "data()", "comment()"):
        return _Path(before, last[:-2])
    if last in ("*", "node()"):
        return _Path(before, "inline")
    if last.startswith("processing-instruction"):
        found = re.fullmatch(r"processing-instruction\((.+)\)", last)
        if found is None:
            raise sql_error(6854, name)
        target = found[1].strip("'\"")
        if target.lower() == "xml":
            raise sql_error(6879)
        return _Path(before, "instruction", target)
    return _Path((*before, encode_name(last, keeps_prefix=True)), "element")


def _check_attributes(columns: Sequence[XmlColumn], paths: Sequence[_Path]) -> None:
    """An attribute must come before everything else of its element. Raises 6852."""
    content: set[tuple[str, ...]] = set()
    open_: tuple[str, ...] = ()
    for column, path in zip(columns, paths, strict=True):
        shared = 0
        while shared < min(len(open_), len(path.steps)) and open_[shared] == path.steps[shared]:
            shared += 1
        content = {steps for steps in content if len(steps) <= shared}
        if path.leaf == "attribute":
            if path.steps in content:
                raise sql_error(6852, column.name)
            content.update(path.steps[:n] for n in range(len(path.steps)))
        else:
            content.update(path.steps[:n] for n in range(len(path.steps) + 1))
        open_ = path.steps


def _path_mode(columns: Sequence[XmlColumn], options: XmlOptions) -> Callable[[Rows], Iterable[Element | str]]:
    row_name = (
        "row" if options.element is None else encode_name(options.element, keeps_prefix=True) if options.element else ""
    )
    if options.element:
        check_prefix(options.element, "row", options.element, options.namespaces)
    paths = [_path(column.name, options.namespaces) for column in columns]
    _check_attributes(columns, paths)
    for column, path in zip(columns, paths, strict=True):
        if column.type.name == "xml" and path.leaf in ("attribute", "text", "data", "comment", "instruction"):
            raise sql_error(6851 if path.leaf == "attribute" else 6853, column.name)
    if not row_name and any(path.leaf == "attribute" and not path.steps for path in paths):
        raise sql_error(6864)
    texts = [value_text(column.type) for column in columns]
    is_xml = [column.type.name == "xml" for column in columns]

    def build(rows: Rows) -> Iterable[Element | str]:
        element, after_data = Element(row_name), None
        for row in rows:
            after_data = _fill(element, row, paths, texts, is_xml, after_data, with_nil=options.with_nil)
            if row_name:
                yield element
                element = Element(row_name)
        if not row_name:
            yield element

    return build


def _fill(
    element: Element,
    row: Sequence[Any],
    paths: Sequence[_Path],
    texts: Sequence[Callable[[Any], str]],
    is_xml: Sequence[bool],
    after_data: Element | None,
    *,
    with_nil: bool,
) -> Element | None:
    """Put a row's values in. Columns next to each other share the elements that their paths have in common.
    `after_data` is the element whose content ends with the value of a data() column, also of the row before; given back
    for the next row."""
    steps: tuple[str, ...] = ()
    open_: list[Element | None] = []
    for value, path, text, xml in zip(row, paths, texts, is_xml, strict=True):
        shared = 0
        if path.leaf != "inline" or path.steps:
            while shared < min(len(steps), len(path.steps)) and steps[shared] == path.steps[shared]:
                shared += 1
        open_[shared:] = [None] * (len(path.steps) - shared)
        steps = path.steps
        if value is None and not (with_nil and path.leaf == "element"):
            continue
        place = element
        for i, name in enumerate(path.steps):
            child = open_[i]
            if child is None:
                child = open_[i] = Element(name)
                place.children.append(child)
            place = child
        if value is None:
            place.attributes.append(("xsi:nil", "true"))
            continue
        content = text(value)
        if path.leaf == "attribute":
            place.attributes.append((path.detail, escape_attribute(content)))
        elif path.leaf == "comment":
            check_value("comment", content)
            place.children.append(f"<!--{content}-->")
        elif path.leaf == "instruction":
            place.children.append(f"<?{path.detail} {content}?>")
        else:
            shown = content if xml else escape_text(content)
            if path.leaf == "data" and after_data is place:
                shown = " " + shown
            place.children.append(shown)
        after_data = place if path.leaf == "data" else None
    return after_data


def _explicit(columns: Sequence[XmlColumn], options: XmlOptions) -> Callable[[Rows], Iterable[Element | str]]:
    from sbql.engine.execution.for_xml_explicit import explicit

    return explicit(columns, options)


_MODES: dict[str, Callable[[Sequence[XmlColumn], XmlOptions], Callable[[Rows], Iterable[Element | str]]]] = {
    "RAW": _raw, "AUTO": _auto, "PATH": _path_mode, "EXPLICIT": _explicit,
}  # fmt: skip
