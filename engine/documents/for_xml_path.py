"""FOR XML PATH: column names are paths, which say what element, attribute or node a value becomes.

Decides which elements neighbouring columns share and where a value goes (docs: "Use PATH Mode with FOR XML"). Names
and values are written as for_xml_names.py and for_xml_parts.py say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.documents.for_xml_checks import check_comment
from sbql.engine.documents.for_xml_names import check_name, check_prefix, checked_target
from sbql.engine.documents.for_xml_parts import (
    Build,
    Element,
    Rows,
    XmlColumn,
    XmlOptions,
    escape_attribute,
    escape_text,
    value_text,
    without_default_namespace,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.values.checkpoints import checked

__all__ = ["path_mode"]

_NODES = {"text()": "text", "data()": "data", "comment()": "comment", "node()": "inline", "*": "inline"}
_NO_XML = ("attribute", "text", "data", "comment", "instruction")
_NO_NIL = ("attribute", "comment", "instruction")


class _Path(Struct, frozen=True):
    """A column name read as a path: elements to open, then what the value becomes there."""

    steps: tuple[str, ...]
    leaf: str
    detail: str = ""


def _path(name: str, options: XmlOptions) -> _Path:
    """Raises 6849, 6846, 6850, 6854, 6867, 6879."""
    if name in ("", "*"):
        return _Path((), "inline")
    steps = name.split("/")
    if any(not step for step in steps):
        raise sql_error(6849, name)
    last = steps[-1]
    is_instruction = last.startswith("processing-instruction") and "(" in last or last == "processing-instruction"
    is_node = last in _NODES or is_instruction
    is_attribute = last.startswith("@") and len(last) > 1
    names = [*steps[:-1], *([] if is_node else [last[1:] if is_attribute else last])]
    for step in names:
        check_prefix(step, "column", name, options.namespaces, has_nil=options.with_nil)
    for step in names:
        check_name(step, "column", name)
    before = tuple(steps[:-1])
    if is_attribute:
        return _Path(before, "attribute", last[1:])
    if is_instruction:
        return _Path(before, "instruction", checked_target(last, name))
    return _Path(before, _NODES[last]) if is_node else _Path((*before, last), "element")


def _check_attributes(columns: Sequence[XmlColumn], paths: Sequence[_Path]) -> None:
    """An attribute must come before everything else of its element, and once. Raises 6852, 6810."""
    content: set[tuple[str, ...]] = set()
    seen: set[tuple[str, ...]] = set()
    open_: tuple[str, ...] = ()
    for column, path in zip(columns, paths, strict=True):
        shared = 0
        while shared < min(len(open_), len(path.steps)) and open_[shared] == path.steps[shared]:
            shared += 1
        content = {steps for steps in content if len(steps) <= shared}
        seen = {steps for steps in seen if len(steps) <= shared + 1}
        if path.leaf == "attribute":
            if path.steps in content:
                raise sql_error(6852, column.name)
            if (*path.steps, path.detail) in seen:
                raise sql_error(6810, column.name)
            seen.add((*path.steps, path.detail))
            content.update(path.steps[:n] for n in range(len(path.steps)))
        else:
            content.update(path.steps[:n] for n in range(len(path.steps) + 1))
        open_ = path.steps


def path_mode(columns: Sequence[XmlColumn], options: XmlOptions) -> Build:
    """Raises 6810, 6846, 6849 to 6854, 6864, 6867, 6879."""
    row_name = "row" if options.element is None else options.element
    paths = [_path(column.name, options) for column in columns]
    _check_attributes(columns, paths)
    for column, path in zip(columns, paths, strict=True):
        if column.type.name == "xml" and path.leaf in _NO_XML:
            raise sql_error(6851 if path.leaf == "attribute" else 6853, column.name)
    if not row_name and any(path.leaf == "attribute" and not path.steps for path in paths):
        raise sql_error(6864)
    texts: list[Callable[[Any], str]] = []
    for column in columns:
        is_plain = column.type.name != "xml" or not options.has_default_namespace
        texts.append(value_text(column.type) if is_plain else without_default_namespace)
    is_xml = [column.type.name == "xml" for column in columns]

    def build(rows: Rows) -> Iterable[Element]:
        element, after_data = Element(row_name), None
        for row in checked(rows):
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
        if value is None and (not with_nil or not path.steps or path.leaf in _NO_NIL):
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
        _put(place, path, text(value), xml=xml, after_data=after_data is place)
        after_data = place if path.leaf == "data" else None
    return after_data


def _put(place: Element, path: _Path, content: str, *, xml: bool, after_data: bool) -> None:
    if path.leaf == "attribute":
        place.attributes.append((path.detail, escape_attribute(content)))
    elif path.leaf == "comment":
        check_comment(content)
        place.children.append(f"<!--{content}-->")
    elif path.leaf == "instruction":
        place.children.append(f"<?{path.detail} {content}?>")
    else:
        shown = content if xml else escape_text(content)
        place.children.append(" " + shown if path.leaf == "data" and after_data else shown)
