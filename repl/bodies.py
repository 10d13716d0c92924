"""Values as people read them: bytes of a message as the text that they are, XML and JSON with indentation.

It decides what is taken for text, which is a guess and therefore always marked, and never changes what it shows: what
would come out otherwise than it went in stays as it is. Pure functions.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8, BOM_UTF16_LE
from typing import Final
from xml.dom import minidom
from xml.parsers.expat import ExpatError

__all__ = ["decoded", "indented"]

_LONGEST: Final = 1_000_000
"""What is longer is shown as it is."""
_BLANKS: Final = "\t\r\n"


def decoded(data: bytes) -> tuple[str, str] | None:
    """The text in the bytes of a body and what it is encoded in ("utf-16", "utf-8", "ascii"); None if
    it is no text that could be read."""
    if not data or len(data) > _LONGEST:
        return None
    for mark, name in ((BOM_UTF16_LE, "utf-16"), (BOM_UTF8, "utf-8")):
        if data.startswith(mark):
            return _as(data[len(mark) :], name)
    if data.isascii() and b"\0" not in data:
        return _as(data, "ascii")
    # Few texts in UTF-16 are by chance one in UTF-8, too, but every other one in UTF-8 of even length is one in UTF-16.
    return _as(data, "utf-8") or (_as(data, "utf-16") if len(data) % 2 == 0 else None)


def _as(data: bytes, name: str) -> tuple[str, str] | None:
    try:
        text = data.decode("utf-16-le" if name == "utf-16" else name)
    except UnicodeDecodeError:
        return None
    return (text, name) if text and all(sign.isprintable() or sign in _BLANKS for sign in text) else None


def indented(text: str) -> str | None:
    """XML or JSON over several lines; None for other texts, and for those that already are."""
    first = text.lstrip("\ufeff \t\r\n")[:1]
    if len(text) > _LONGEST or "\n" in text.strip():
        return None
    if first == "<":
        return _xml(text.strip("\ufeff \t\r\n"))
    return _json(text) if first in ("{", "[") else None


def _xml(text: str) -> str | None:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        return None
    declared, rest = "", text
    if text.startswith("<?xml"):
        declared, _, rest = text.partition("?>")
        declared += "?>\n"
    try:
        top = minidom.parseString(f"<x>{rest}</x>".encode()).documentElement
    except (ExpatError, ValueError):
        return None
    if top is None or any(map(_is_mixed, (top, *top.getElementsByTagName("*")))) or not rest.lstrip().startswith("<"):
        return None
    return declared + "\n".join(node.toprettyxml("  ").rstrip() for node in top.childNodes)


def _is_mixed(element: minidom.Element) -> bool:
    """Whether it has text beside elements, where blanks may mean something."""
    kinds = {node.nodeType for node in element.childNodes if node.nodeType != node.TEXT_NODE or node.data.strip()}
    return len(kinds) > 1 and element.TEXT_NODE in kinds


def _json(text: str) -> str | None:
    try:
        shown = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return None
    return shown if "".join(shown.split()) == "".join(text.split()) else None
