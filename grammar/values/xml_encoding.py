"""The text of XML in bytes, and of XML in varchar whose declaration names another code page.

Decides which encoding bytes have: by their byte order mark, by the zero bytes of UTF-16, by their declaration, else
UTF-8 (docs: "Create Instances of XML Data"), and the errors 9401, 9402 and 9420. It must not know what XML is beyond
its first line.
"""

from __future__ import annotations

import codecs
import re

from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.codepage import decode_1252, encode_1252, to_1252

__all__ = ["check_wide", "decode_xml_bytes", "declared_text"]

_DECLARED = re.compile(r"<\?xml\s[^>]*?encoding\s*=\s*[\"']([^\"']*)[\"'][^>]*?\?>", re.IGNORECASE)
_LONGEST = 1000
"""Characters of a declaration: matching takes the square of its length."""

_WIDE = ("utf-16", "ucs-2", "utf-16le", "unicode", "iso-10646-ucs-2")


def decode_xml_bytes(data: bytes) -> str:
    """The text of an XML document in bytes."""
    if data.startswith(codecs.BOM_UTF16_LE):
        return _wide(data[2:], "utf-16-le")
    if data.startswith(codecs.BOM_UTF16_BE):
        return _wide(data[2:], "utf-16-be")
    if data.startswith(codecs.BOM_UTF8):
        return _narrow(data[3:], "utf-8")
    if len(data) > 1 and data[1] == 0:
        return _wide(data, "utf-16-le")
    if len(data) > 1 and data[0] == 0:
        return _wide(data, "utf-16-be")
    found = _declared(data[:_LONGEST].decode("latin-1"))
    if found is None:
        return _narrow(data, "utf-8")
    if found[1].lower() in _WIDE:
        raise _switch(found)
    return _narrow(data, _codec(found))


def declared_text(text: str) -> str:
    """The text of a varchar: its bytes are read as its declaration says. Raises 9402 for UTF-16."""
    found = _declared(text)
    if found is None:
        return text
    if found[1].lower() in _WIDE:
        raise _switch(found)
    codec = _codec(found)
    if text.isascii() or codec == "cp1252" or to_1252(text) != text:  # it is of another code page
        return text
    return _narrow(encode_1252(text), codec)


def check_wide(text: str) -> None:
    """What an nvarchar declares: UTF-16 or nothing. Raises 9402."""
    found = _declared(text)
    if found is not None and found[1].lower() not in _WIDE:
        raise _switch(found)


def _declared(text: str) -> re.Match[str] | None:
    start = len(text) - len(text.lstrip())
    return _DECLARED.match(text[start : start + _LONGEST]) if text.startswith("<?", start) else None


def _switch(found: re.Match[str]) -> SqlError:
    return sql_error(9402, 1, len(found[0].strip()))


def _codec(found: re.Match[str]) -> str:
    """Python's name of the declared encoding. Raises 9401."""
    try:
        return codecs.lookup(found[1].strip()).name
    except LookupError:
        raise sql_error(9401, 1, len(found[0].strip())) from None


def _wide(data: bytes, codec: str) -> str:
    """UTF-16, with a last odd byte filled up. Raises 9402 for one that says that it is something else."""
    text = (data + b"\0" if len(data) % 2 else data).decode(codec, "surrogatepass")
    check_wide(text)
    return text


def _narrow(data: bytes, codec: str) -> str:
    if codec == "cp1252":
        return decode_1252(data)
    try:
        return data.decode(codec)
    except UnicodeDecodeError as fault:
        before = data[: fault.start].decode(codec, "replace")
        line = before.count("\n") + 1
        raise sql_error(9420, line, len(before) - before.rfind("\n")) from None
