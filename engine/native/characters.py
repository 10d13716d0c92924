"""Native forms of functions that look at the single characters of a text: ASCII, UNICODE, CHAR, NCHAR, REVERSE.

National text has UTF-16 units and DuckDB characters, of which it takes some together: what may be more than one or
less is Python's. So are SOUNDEX and DIFFERENCE: the many replace() that they would be take DuckDB as long.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.native.forms import Call, Form, Forms, Row, beyond_ascii, has_pairs, in_form
from sbql.grammar.values.codepage import Utf8, page_numbered
from sbql.grammar.values.kinds import code_page

__all__ = ["CHARACTERS"]

_ALONE: Final = (
    (0x00, 0x0C), (0x0E, 0xAC), (0xAE, 0x2FF), (0x370, 0x482), (0x48A, 0x58F), (0x5D0, 0x5EA), (0x1E00, 0x1FFF), (0x2010, 0x2027), (0x2030, 0x205E), (0x20A0, 0x20CF),
    (0x2190, 0x2328), (0x2500, 0x25FF), (0x3001, 0x3029), (0x3041, 0x3096), (0x30A0, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xFF01, 0xFF9D),
)  # fmt: skip
"""Characters that are never one with their neighbours, as marks and the ends of lines are."""
_JOINED: Final = "[^" + "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in _ALONE) + "]"
_REVERSE: Final = Form("reverse({0})", f"{beyond_ascii('{0}')} AND regexp_matches({{0}}, '{in_form(_JOINED)}')")

_UNKNOWN: Final = ((0x400, 0x1D2B), (0x3001, 0x309A), (0x3400, 0xA7F1), (0xAC00, 0xD7A3))
"""Characters that a code page shows as a question mark, without a nearest one."""
_ASCII: Final = Form(
    "CASE WHEN ascii({0}) > 255 THEN 63 ELSE ascii({0}) END",
    "{0} = '' OR ascii({0}) BETWEEN 128 AND 159 OR ascii({0}) > 255 AND NOT ("
    + " OR ".join(f"ascii({{0}}) BETWEEN {low} AND {high}" for low, high in _UNKNOWN)
    + ")",
    when="ascii({0}) BETWEEN 1 AND 127",
    quick="ascii({0})",
)


def _ascii(call: Call) -> Form:
    page = code_page(call.types[0])
    if page is page_numbered(1252) or isinstance(page, Utf8):
        return _ASCII
    return Form("ascii({0})", "ascii({0}) NOT BETWEEN 1 AND 127")


CHARACTERS: Final[Forms] = {
    "ASCII": (Row("string", _ascii),),
    "UNICODE": (Row("string", Form("unicode({0})", f"{{0}} = '' OR {has_pairs('{0}')}")),),
    "CHAR": (Row("int", Form("chr({0})", "{0} NOT BETWEEN 1 AND 127")),),
    "NCHAR": (Row("int", Form("chr({0})", "{0} NOT BETWEEN 1 AND 55295")),),
    "REVERSE": (Row("string", _REVERSE),),
}
"""Functions to their forms."""
