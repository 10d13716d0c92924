"""XML text: checking that it is well formed, and the form in which an xml value is kept.

An xml value may be a fragment (several roots, text between them). It is kept without declaration, white space between
elements dropped (style 1 keeps it), empty elements as `<a/>`, attributes in double quotes. It decides which of the
errors 94xx a fault is; it must not know schemas or paths.
"""

from __future__ import annotations

import re
from typing import Any
from xml.parsers import expat

from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.checkpoints import checked, checkpoint
from sbql.grammar.values.xml_encoding import check_wide, declared_text
from sbql.grammar.values.xml_plain import plain_xml

__all__ = ["escape_attribute", "escape_text", "only_xml", "parse_xml", "protected"]

_DECLARATION = re.compile(r"\s*<\?xml\s[^>]*?\?>", re.IGNORECASE)
_ROOT = "sbql-root"
_DEEPEST = 128
"""Levels of elements that an xml value may have."""
_OPEN = f"<{_ROOT}>"
_XML = "http://www.w3.org/XML/1998/namespace"
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML document may have, not even as text alone."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK_REFERENCE = re.compile(r"&#(?:x0*(?:20|9|A|D)|0*(?:32|9|10|13));", re.IGNORECASE)

_CODES = {
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN]: 9400,
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]: 9400,
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION]: 9400,
    expat.errors.codes[expat.errors.XML_ERROR_PARTIAL_CHAR]: 9420,
    expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH]: 9436,
    expat.errors.codes[expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE]: 9437,
    expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]: 9448,
    expat.errors.codes[expat.errors.XML_ERROR_BAD_CHAR_REF]: 9420,
    expat.errors.codes[expat.errors.XML_ERROR_MISPLACED_XML_PI]: 9438,
    expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING]: 9401,
}


def escape_text(text: str) -> str:
    """Character data: & < > and the carriage return."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#x0D;")


def only_xml(text: str) -> str:
    """A text of anybody's, with U+FFFD for what XML cannot hold even escaped."""
    return _ILLEGAL.sub("\ufffd", text)


def escape_attribute(text: str) -> str:
    """An attribute value, to stand in double quotes."""
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
        .replace("\t", "&#x09;").replace("\n", "&#x0A;").replace("\r", "&#x0D;")
    )  # fmt: skip


class _Writer:
    """Expat events to text. Text runs are held back until the next event, to know if they are only white space."""

    def __init__(self, preserve: bool) -> None:
        self.parts: list[str] = []
        self.preserve = [preserve]
        self.scopes: list[frozenset[str]] = [frozenset({"xml", "xmlns"})]
        self.open_tag = False
        self.text: list[str] = []
        self.is_solid = False
        self.depth = 0
        self.events = 0

    def start(self, name: str, attributes: list[str]) -> None:
        self.flush()
        self.close_tag()
        self.depth += 1
        if self.depth == 1:
            return
        if self.depth > _DEEPEST + 1:
            raise _Fault(6335)
        pairs = list(zip(attributes[::2], attributes[1::2], strict=True))
        declared = {n[6:]: v for n, v in pairs if n.startswith("xmlns:")}
        if declared:
            _check_declared(declared)
        scope = self.scopes[-1] | declared.keys() if declared else self.scopes[-1]
        self.scopes.append(scope)
        space = dict(pairs).get("xml:space")
        if space not in (None, "preserve", "default"):
            raise _Fault(9463)
        self.preserve.append(space == "preserve" if space else self.preserve[-1])
        for qualified in checked((name, *(n for n, _ in pairs))):
            prefix, colon, local = qualified.partition(":")
            if colon and (not prefix or not local or ":" in local):
                raise _Fault(9457 if not prefix else 9456 if ":" in local else 9455)
            if colon and prefix not in scope:
                raise _Fault(9459)
        self.parts.append("<" + name)
        self.parts.extend(f' {n}="{escape_attribute(v)}"' for n, v in checked(pairs))
        self.open_tag = True

    def end(self, name: str) -> None:
        self.flush(closing=True)
        self.depth -= 1
        if self.depth == 0:
            return
        self.scopes.pop()
        self.preserve.pop()
        if self.open_tag:
            self.parts.append("/>")
            self.open_tag = False
        else:
            self.parts.append(f"</{name}>")

    def close_tag(self) -> None:
        if self.open_tag:
            self.parts.append(">")
            self.open_tag = False

    def flush(self, *, closing: bool = False) -> None:
        self.events += 1
        if not self.events % 256:
            checkpoint()
        if not self.text:
            return
        text, is_solid = "".join(self.text), self.is_solid
        self.text.clear()
        self.is_solid = False
        if not is_solid and not text.strip(" \t\r\n") and not self.preserve[-1]:
            return
        self.close_tag()
        self.parts.append(escape_text(text))

    def comment(self, data: str) -> None:
        self.flush()
        self.close_tag()
        self.parts.append(f"<!--{data}-->")

    def instruction(self, target: str, data: str) -> None:
        self.flush()
        self.close_tag()
        self.parts.append(f"<?{target} {data}?>" if data else f"<?{target}?>")


class _Fault(Exception):
    """A fault that expat does not see."""


def _check_declared(declared: dict[str, str]) -> None:
    """Prefixes of namespaces that cannot be declared so."""
    if "xmlns" in declared:
        raise _Fault(9465)
    if declared.get("xml", _XML) != _XML:
        raise _Fault(9464)
    if "" in declared.values():
        raise _Fault(9460)


_PROLOG = re.compile(r"(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
"""What stands before a document type declaration. What looks like one further on is text, or an error."""
_DOCTYPE = re.compile(r"<!DOCTYPE\s[^\[>]*+(?:\[((?:[^\]\"']|\"[^\"]*+\"|'[^']*+')*)\]\s*+)?>", re.DOTALL)


def _prolog_end(text: str) -> int:
    found = _PROLOG.match(text)
    return 0 if found is None else found.end()


def parse_xml(text: str, *, preserve: bool = False, is_national: bool | None = None, may_have_dtd: bool = False) -> str:
    """The kept form of an XML document or fragment.

    A document type declaration is error 6359; with `may_have_dtd` it is taken away, and its defaults and entities are
    put in before.

    `is_national` tells that the text came as nvarchar (True) or varchar (False): its declared encoding must fit (9402).
    None: the bytes were decoded by their own declaration. Raises 94xx with line and character.
    """
    if not text.isascii() and _SURROGATE.search(text):  # halves that came one by one
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    declaration = _DECLARATION.match(text)
    offset = 0
    if declaration is not None:
        if declaration[0][0] != "<":
            raise sql_error(9438, 1, len(declaration[0]) - len(declaration[0].lstrip()) + 5)
        if is_national:
            check_wide(text)
        elif is_national is False:
            text = declared_text(text)
        offset = declaration.end()
        text = re.sub(r"[^\n]", " ", declaration[0]) + text[offset:]
    if "<" not in text and "&" not in text and "]]>" not in text and _ILLEGAL.search(text) is None:
        stripped = text if preserve else text if text.strip(" \t\r\n") else ""
        return escape_text(stripped.replace("\r\n", "\n").replace("\r", "\n"))
    if "\n" not in text[:offset]:
        plain = plain_xml(text[offset:] if offset else text, preserve, _DEEPEST)
        if plain is not None:
            return plain
    subset = ""
    found = _DOCTYPE.match(text, _prolog_end(text)) if "<!DOCTYPE" in text else None
    if found is not None:
        subset = found[1] or ""
        if not may_have_dtd:
            raise sql_error(6359)
        text = text[: found.start()] + re.sub(r"[^\n]", " ", found[0]) + text[found.end() :]
    return _run(text, preserve, offset, subset)


def _run(text: str, preserve: bool, skipped: int, subset: str) -> str:
    """`subset` holds the declarations of a document type; it stands in the first line, so that places stay right in the
    others."""
    writer = _Writer(preserve)
    parser: Any = expat.ParserCreate(encoding="utf-8")
    parser.ordered_attributes = True
    parser.buffer_text = True
    parser.StartElementHandler = writer.start
    parser.EndElementHandler = writer.end
    parser.CharacterDataHandler = writer.text.append
    declarations = f"<!DOCTYPE {_ROOT} [{subset}]>".encode("utf-8", "surrogatepass") if subset else b""
    parser.CommentHandler = writer.comment
    parser.ProcessingInstructionHandler = writer.instruction
    body = text[skipped:] if skipped and "\n" not in text[:skipped] else text
    document = f"{_OPEN}{body}</{_ROOT}>"
    data = declarations + document.encode("utf-8", "surrogatepass")
    if _BLANK_REFERENCE.search(body):
        _watch_references(parser, writer, data)
    try:
        if declarations:
            parser.Parse(declarations, False)
        parser.Parse(data[len(declarations) :], True)
    except expat.ExpatError as error:
        raise _located(error.code, error.lineno, error.offset, document, body) from None
    except _Fault as fault:
        if fault.args[0] == 6335:
            raise sql_error(6335, _DEEPEST) from None
        column = parser.CurrentColumnNumber - (len(_OPEN) if parser.CurrentLineNumber == 1 else 0)
        raise sql_error(fault.args[0], parser.CurrentLineNumber, max(column, 1)) from None
    return "".join(writer.parts)


def _watch_references(parser: Any, writer: _Writer, data: bytes) -> None:
    """Blanks that are written as references are no insignificant white space."""

    def text(content: str) -> None:
        writer.text.append(content)
        writer.is_solid = writer.is_solid or data[parser.CurrentByteIndex : parser.CurrentByteIndex + 1] == b"&"

    parser.buffer_text = False
    parser.CharacterDataHandler = text


_SUPPLEMENTARY = re.compile(r"<!--.*?-->|<\?.*?\?>|</?[^\s/>]+|([\U00010000-\U0010ffff])", re.DOTALL)
_BLANK = re.compile(r"<!--.*?-->|<\?.*?\?>|(?<![^>])([ \t\n]*)([ \t\n])(?=<|\Z)", re.DOTALL)


def protected(text: str) -> str:
    """A kept xml value as text or bytes that can be read again: of a text that is only white space the last character
    becomes a reference, and so do characters beyond the sixteen-bit ones (docs: "Define the Serialization of XML
    Data")."""
    if _LOOSE.search(text):
        text = _BLANK.sub(lambda m: m[0] if m[2] is None else f"{m[1]}&#x{ord(m[2]):02X};", text)
    if not text.isascii() and max(text) > "\uffff":
        text = _SUPPLEMENTARY.sub(lambda m: m[0] if m[1] is None else f"&#x{ord(m[1]):08X};", text)
    return text


_LOOSE = re.compile(r"(?<![^>])[ \t\n]")


_LINE_END = re.compile(r"\r\n?|\n")
"""As expat counts lines."""


def _located(code: int, line: int, column: int, document: str, body: str) -> SqlError:
    """The 94xx error for an expat error; the wrapping root must not show."""
    lines = _LINE_END.split(document)
    at_end = line == len(lines) and column >= len(lines[-1]) - len(_ROOT) - 3
    number = _CODES.get(code, 0)
    shown = column + 1 - (len(_OPEN) if line == 1 else 0)
    if at_end and number in (9436, 9400, 0):
        last = _LINE_END.split(body)
        return sql_error(9400, len(last), len(last[-1]) + (1 if len(last) > 1 else 0))
    if number == 0:
        number, shown = _syntax_fault(lines[line - 1], column, shown)
    return sql_error(number, line, max(shown, 1))


def _syntax_fault(line: str, column: int, shown: int) -> tuple[int, int]:
    """Which fault `not well-formed` is, from what stands there."""
    character = line[column : column + 1]
    before = line[:column]
    if before.endswith("</") and not (character.isalpha() or character == "_"):
        return 9455, shown
    if before.rfind("<!--") > before.rfind("-->"):
        return 9424, shown
    if before.endswith("]]") and character == ">":
        return 9454, shown
    if re.search(r"&#(x?)[0-9A-Fa-f]*$", before):
        return (9416 if re.search(r"&#x[0-9A-Fa-f]*$", before) else 9417), shown
    in_tag = before.rfind("<") > before.rfind(">")
    if before.endswith("&") or re.search(r"&\w+$", before):
        return (9411 if re.search(r"&\w+$", before) else 9421), shown
    if character and character < " " and character not in "\t\n\r":
        return 9420, shown
    if in_tag:
        tag = before[before.rfind("<") :]
        if tag == "<":
            return 9455, shown
        if re.search(r"=\s*$", tag):
            return 9413, shown
        if re.search(r"[\"']", re.split(r"\s", tag)[-1]) and tag.count('"') % 2 == 0 and tag.count("'") % 2 == 0:
            return 9410, shown
        if re.search(r"\s[\w:.-]+\s*$", tag):
            return 9414, shown
        if character == "<":
            return 9415, shown
        return 9455, shown
    return 9422 if character == "]" else 9420, shown
