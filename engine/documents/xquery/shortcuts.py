"""Plain paths, which most programs shred documents with, read without the XPath machine.

`@id`, `(name)[1]`, `(./a/b/text())[1]`, `/r[1]/a[1]/@k`, `/r/a[@k = "x"]`, `//a`, `.`: steps to children by name or
to all of a name in the document, then an element, an attribute or a text node. Decides which paths are plain; what they
give is what elementpath would give, ten times as fast.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from sbql.grammar.digits import whole
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.xml_tree import XmlElement, all_text, expanded_name

__all__ = ["PlainPath", "plain_path"]

_NAME = r"[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?"
_STEP = rf'(?:{_NAME}|\*)(?:\[0*[1-9]\d*\]|\[@?{_NAME} = "[^"&]*"\])?'
_PATH = re.compile(rf"(//|/|\./)?((?:{_STEP}/)*)({_STEP}|@{_NAME}|text\(\)|\.)")
_SPLIT = re.compile(_STEP)
_PARTS = re.compile(rf'({_NAME}|\*)(?:\[(?:(\d+)|(@?)({_NAME}) = "([^"]*)")\])?')
_CHOSEN = re.compile(r"\(([^()]*(?:text\(\))?)\)\[(\d+)\]")

Elements = Iterable[ET.Element]
Test = Callable[[ET.Element], bool]


class _Step(Struct, frozen=True):
    """To elements of a name, '' for any: those at the place among the children (0: all), or that pass the test."""

    name: str
    place: int = 0
    test: Test | None = None
    is_deep: bool = False
    needed: str = ""

    def __call__(self, elements: Elements) -> Iterator[ET.Element]:
        name, place, test = self.name, self.place, self.test
        for element in elements:
            if self.is_deep:
                children: Elements = (e for e in checked(element.iter(name or None), 4096) if e is not element)
            else:
                children = checked(element, 4096) if len(element) > _MANY_CHILDREN else element
            position = 0
            for child in children:
                if child.tag == name or not name and isinstance(child.tag, str):
                    position += 1
                    if (not place or position == place) and (test is None or test(child)):
                        yield child


_MANY_CHILDREN: Final = 4096


class PlainPath(Struct, frozen=True):
    """A path to the values of elements, attributes or text nodes. Each method takes the element below which the
    document hangs, and the context item: an element, or what is none."""

    steps: Sequence[_Step]
    values: Callable[[Elements], Iterator[str]]
    first: Callable[[ET.Element], str | None]
    number: int = 0
    is_absolute: bool = False
    ends_with_element: bool = True
    quick: tuple[str, ...] | None = None
    are_all_quick: bool = False
    """Whether `quick` are all steps to all elements."""
    needed: tuple[str, ...] = ()
    """What stands in each document in which the path leads anywhere."""
    attribute: str = ""
    """Its name, if the path ends with one."""

    @property
    def names(self) -> tuple[str, ...] | None:
        """The names of the elements on the way to the first value, wherever each but the first and the last one
        stands among its like; None for a path that says more of them, or has names of a namespace."""
        steps, last = self.steps, len(self.steps) - 1
        if self.number > 1 or not steps:
            return None
        for place, step in enumerate(steps):
            is_free = not step.place or step.place == 1 and (place == 0 or place == last and not self.attribute)
            if not (is_free and step.name and step.test is None and not step.is_deep and "}" not in step.name):
                return None
        return tuple(step.name for step in steps)

    @property
    def anywhere(self) -> str:
        """The name of elements to the first of which it leads wherever that stands: of `(//a)[1]`; else empty."""
        is_one = len(self.steps) == 1 and self.number <= 1 and not self.attribute
        (step,) = self.steps if is_one else (None,)
        is_named = step is not None and step.is_deep and step.test is None and "}" not in step.name
        return step.name if step is not None and is_named else ""

    def leads_nowhere(self, text: str) -> bool:
        """Whether that is seen in the text of a document."""
        return any(word not in text for word in self.needed)

    @property
    def is_own(self) -> bool:
        """Whether it is the context item."""
        return not self.steps and self.ends_with_element

    def value(self, top: ET.Element, here: Any) -> str | None:
        """The first value; that of the number where the path has one."""
        start: Any = top if self.is_absolute else here
        if type(start) not in _ELEMENTS:
            return str(start.string_value) if self.is_own else None
        if self.quick is not None:
            element: Any = start
            for name in self.quick:
                element = element.find(name)
                if element is None:
                    break
            else:
                found = self.first(element)
                if found is not None:
                    return found
        return next(islice(self.values(self._elements(start)), max(self.number - 1, 0), None), None)

    def exists(self, top: ET.Element, here: Any) -> bool:
        """Whether it leads anywhere."""
        if self.is_own or not self.ends_with_element:
            return self.value(top, here) is not None
        return bool(self.elements(top, here))

    def elements(self, top: ET.Element, here: Any) -> Sequence[ET.Element]:
        """The elements that the path leads to."""
        start = top if self.is_absolute else here
        if not self.are_all_quick or type(start) not in _ELEMENTS:
            found = self._elements(start)
            return list(found if not self.number else islice(found, self.number - 1, self.number))
        quick: list[Any] = [start]
        for name in self.quick or ():
            if len(quick) == 1:
                quick = quick[0].findall(name)
            else:
                quick = [child for element in checked(quick, 4096) for child in element.findall(name)]
        return quick

    def _elements(self, start: Any) -> Elements:
        found: Elements = (start,) if type(start) in _ELEMENTS else ()
        for step in self.steps:
            found = step(found)
        return found


_ELEMENTS: Final = (ET.Element, XmlElement)


def plain_path(text: str, namespaces: dict[str, str], default: str) -> PlainPath | None:
    """The path that an XPath expression is; None for one that is not plain."""
    chosen = _CHOSEN.fullmatch(text)
    found = _PATH.fullmatch(chosen[1] if chosen is not None else text)
    if found is None:
        return None
    start, middle, last = found[1] or "", found[2], found[3]
    number = whole(chosen[2]) if chosen is not None else 0
    is_element = last[0] not in "@." and last != "text()"
    if (chosen is not None and number == 0) or (last == "." and text != "."):
        return None
    is_deep = start == "//"  # elementpath loses the order of the document where it does not begin at its top
    path = middle + (last if is_element else "")
    steps = [_step(step, namespaces, default, is_deep=is_deep) for step in _SPLIT.findall(path)]
    if is_deep and (len(steps) != 1 or steps[0].place or last == "text()"):
        return None
    values, first = _last(last, namespaces)
    quick = _quick(steps, number)
    are_all_quick = is_element and quick is not None and not number and not any(step.place for step in steps)
    is_absolute, is_element = start in ("/", "//"), is_element or last == "."
    names = [step.name.rpartition("}")[2] for step in steps[-1:]] + [last[1:].rpartition(":")[2]] * (last[0] == "@")
    needed = tuple(filter(None, (*names, *(step.needed for step in steps))))
    attribute = expanded_name(last[1:], namespaces, "") if last[0] == "@" else ""
    return PlainPath(steps, values, first, number, is_absolute, is_element, quick, are_all_quick, needed, attribute)


def _step(step: str, namespaces: dict[str, str], default: str, *, is_deep: bool) -> _Step:
    parts = _PARTS.fullmatch(step)
    assert parts is not None
    written, place, at, tested, literal = parts.groups()
    name = "" if written == "*" else expanded_name(written, namespaces, default)
    test = None
    if tested:
        tested = expanded_name(tested, namespaces, "" if at else default)
        test = _has_attribute(tested, literal) if at else _has_child(tested, literal)
    needed = literal if literal and literal.isalnum() else ""  # other signs may be written as references
    return _Step(name, whole(place or "0"), test, is_deep, needed)


def _has_attribute(name: str, value: str) -> Test:
    return lambda element: element.get(name) == value


def _has_child(name: str, value: str) -> Test:
    return lambda element: any(child.tag == name and all_text(child) == value for child in element)


def _quick(steps: Sequence[_Step], number: int) -> tuple[str, ...] | None:
    """The names of steps that lead to the first value where each first child of its name has the next; None where
    `find` would take a name for a path."""

    def is_quick(step: _Step) -> bool:
        namespace, _, name = step.name.rpartition("}")
        is_plain = step.place <= 1 and not step.is_deep and step.test is None
        return is_plain and bool(name) and "." not in name and "}" not in namespace

    return tuple(step.name for step in steps) if number <= 1 and all(map(is_quick, steps)) else None


def _last(last: str, namespaces: dict[str, str]) -> tuple[Callable[[Elements], Iterator[str]], Any]:
    """What gives the values of elements, and the first of one; None where it has none."""
    if last.startswith("@"):
        name = expanded_name(last[1:], namespaces, "")

        def values(elements: Elements) -> Iterator[str]:
            return (element.attrib[name] for element in elements if name in element.attrib)

        return values, lambda element: element.get(name)
    if last == "text()":
        return _texts, lambda element: element.text or None
    return lambda elements: map(all_text, elements), all_text


def _texts(elements: Elements) -> Iterator[str]:
    for element in elements:
        if element.text:
            yield element.text
        for child in element:
            if child.tail:
                yield child.tail
