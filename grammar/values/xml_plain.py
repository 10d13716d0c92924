"""XML text that is plain: elements, attributes in double quotes, and characters that stand for themselves.

Most documents in tables are. Their kept form is made here several times as fast as by a parser, and what stands in it
already is only checked. It decides which texts are plain, and leaves all others, and whatever is not well formed, to
`xml_text`, which has the errors.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from sbql.grammar.values.checkpoints import checkpoint

__all__ = ["plain_xml"]

_NAME = r"[A-Za-z_][A-Za-z0-9_.-]*+"
_NEVER = "<>&\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff"
"""Marks, and characters that a document may not have or changes."""
_ATTRIBUTE = re.compile(rf' ++({_NAME})="([^"\t\n{_NEVER}]*+)"')
_CHARACTERS = re.compile(rf"[^{_NEVER}]*+")
_PIECE = re.compile(
    rf'<(?:(?P<open>{_NAME})((?: ++{_NAME}="[^"\t\n{_NEVER}]*+")*+) *+(/?)|/({_NAME}) *+)>([^{_NEVER}]*+)'
)
_KEPT = re.compile(
    rf'(?![ \t\n])[^{_NEVER}]*+(?:<(?:{_NAME}(?: {_NAME}="[^"\t\n{_NEVER}]*+")*+(?:/>|>(?!</))|/{_NAME}>)(?![ \t\n])[^{_NEVER}]*+)*+'
)
"""What stands as it is kept if its tags belong together: no blanks that are dropped, no empty element as a pair."""
_BLANKS = " \t\n"


def plain_xml(text: str, preserve: bool, deepest: int) -> str | None:
    """The kept form of a plain text, None for any other. White space alone between tags is
    dropped, unless it is to be preserved."""
    if text.count("</") < deepest and _KEPT.fullmatch(text) is not None:
        return text if _is_well_formed(text) else None
    first = _CHARACTERS.match(text)
    assert first is not None
    parts = [first[0]] if preserve or first[0].strip(_BLANKS) else []
    names: list[str] = []
    place, size, count = first.end(), len(text), 0
    while place < size:
        found = _PIECE.match(text, place)
        if found is None:
            return None
        count += 1
        if not count % 256:
            checkpoint()
        opened, attributes, is_empty, closed, characters = found.groups()
        if opened is not None:
            if len(names) >= deepest or attributes and (attributes := _attributes(attributes)) is None:
                return None
            parts.append(f"<{opened}{attributes}")
            if is_empty:
                parts.append("/>")
            else:
                names.append(opened)
                parts.append(">")
        elif not names or names.pop() != closed:
            return None
        elif parts[-1] == ">":
            parts[-1] = "/>"
        else:
            parts.append(f"</{closed}>")
        if characters and (preserve or characters.strip(_BLANKS)):
            parts.append(characters)
        place = found.end()
    return None if names else "".join(parts)


def _is_well_formed(text: str) -> bool:
    try:
        expat.ParserCreate().Parse(f"<all>{text}</all>", True)
    except expat.ExpatError:
        return False
    return True


def _attributes(text: str) -> str | None:
    """With one blank before each; None if two have the same name."""
    if text.count('"') == 2 and text[1] != " ":  # one, as it is kept
        return text
    pairs = _ATTRIBUTE.findall(text)
    if len(pairs) > 1 and len({name for name, _ in pairs}) < len(pairs):
        return None
    return "".join(f' {name}="{value}"' for name, value in pairs)
