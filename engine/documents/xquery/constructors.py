"""Constructors of XQuery: direct ones (`<a b="{x}">…</a>`) and computed ones (`element a {…}`), read to templates.

A constructor becomes a call `sbql:made(number, expression…)` in the XPath text. Decides the white space that is
dropped, escapes, and the errors 2266 to 2271, 9313, 9315, 9316, 9322 to 9326, 9338. What a template makes is decided in
`templates.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from sbql.engine.documents.xquery import templates
from sbql.engine.documents.xquery.pieces import Piece
from sbql.engine.documents.xquery.reader import Reader, resolve_references
from sbql.engine.documents.xquery.templates import Made

__all__ = ["Constructors"]

_COMPUTED = ("element", "attribute", "text", "comment", "processing-instruction")


class Constructors(ABC):
    """What every part of the translation shares, and the constructors.

    `namespaces` are the prefixes of the prolog and the host, `local` those of the constructors around; `variables`
    those of FLWOR in scope; `item_kind` the kind of the context item; `is_lenient` asks for no static singletons (typed
    xml, whose schema would tell).
    """

    def __init__(self, reader: Reader, namespaces: dict[str, str], made: Made, *, is_lenient: bool = False) -> None:
        self.reader = reader
        self.namespaces = namespaces
        self.local: dict[str, str] = {}
        self.variables: dict[str, Piece] = {}
        self.made = made
        self.sql_variables: list[str] = []
        self.item_kind = "node"
        self.in_predicate = False
        self.is_lenient = is_lenient

    # The other parts of the grammar, which the subclasses read.

    @abstractmethod
    def expression(self) -> Piece: ...

    @abstractmethod
    def single(self) -> Piece: ...

    @abstractmethod
    def primary(self) -> Piece | None: ...

    def check_prefix(self, name: str) -> None:
        """Raises 2229 for a prefix without a namespace."""
        prefix, colon, _ = name.rpartition(":")
        if colon and prefix not in self.namespaces:
            raise self.reader.fault(2229, prefix)

    def written(self, name: str, *, is_element: bool) -> str:
        """A name of a node test: those of the constructors around are written with their namespaces, which XPath does
        not know."""
        prefix, colon, local = name.rpartition(":")
        if prefix in self.local and (colon or is_element):
            return f"Q{{{self.local[prefix]}}}{local}"
        return name

    def check_singleton(self, piece: Piece, what: str) -> None:
        """Raises 2389 for what may be several items."""
        if piece.many and not self.is_lenient:
            raise self.reader.fault(2389, what, piece.type_name)

    def _called(self, template: templates.Template, arguments: list[Piece], scope: dict[str, str]) -> str:
        self.made.templates.append((template, scope))
        parts = "".join(f", ({a.text})" for a in arguments)
        return f"sbql:made({len(self.made.templates) - 1}{parts})"

    # --- computed ------------------------------------------------------------------------------------------

    def computed_constructor(self) -> Piece | None:
        """`element n {…}`, `attribute n {…}`, `text {…}`; None when none comes next."""
        reader = self.reader
        word = reader.peek_name()
        if word not in _COMPUTED:
            return None
        start = reader.at
        reader.at += len(word)
        named = reader.peek_name()
        if word in ("text", "comment") and not reader.peek("{") or (not named and not reader.peek("{")):
            reader.at = start
            return None
        if named and not reader.follows(named, "{"):
            reader.at = start
            return None
        if word in ("comment", "processing-instruction"):
            raise reader.fault(9326 if word == "comment" else 9325)
        name = "" if word == "text" else self._constant_name()
        inner = self._enclosed()
        arguments = [inner] if inner is not None else []
        parts = (0,) if arguments else ()
        if word == "text":
            return Piece(self._called(templates.Text(parts), arguments, {}), False, "text", is_made=True)
        self.check_prefix(name)
        scope = dict(self.namespaces)
        if word == "attribute":
            if name == "xmlns" or name.startswith("xmlns:"):
                raise reader.fault(9316)
            return Piece(
                self._called(templates.Attribute(name, parts), arguments, scope), False, "attribute", is_made=True
            )
        return Piece(
            self._called(templates.Element(name, scope, content=list(parts)), arguments, scope),
            False,
            "element",
            is_made=True,
        )

    def _constant_name(self) -> str:
        """Raises 9315 for a name that is worked out."""
        reader = self.reader
        if not reader.take("{"):
            return reader.name()
        if not (reader.peek('"') or reader.peek("'")):
            raise reader.fault(9315)
        name = reader.string()
        if not reader.take("}"):
            raise reader.fault(9315)
        return name

    def _enclosed(self) -> Piece | None:
        """`{ expression }`; None for an empty one."""
        reader = self.reader
        reader.expect("{")
        if reader.take("}"):
            return None
        inner = self.expression()
        reader.expect("}")
        return inner

    # --- direct --------------------------------------------------------------------------------------------

    def direct_constructor(self) -> Piece:
        reader = self.reader
        arguments: list[Piece] = []
        scope = dict(self.namespaces)
        reader.at += 1
        if reader.text.startswith("!--", reader.at):
            return Piece(self._called(self._remark(), [], {}), False, "comment", is_made=True)
        if reader.text.startswith("?", reader.at):
            return Piece(self._called(self._instruction(), [], {}), False, "processing-instruction", is_made=True)
        if reader.text.startswith("![CDATA[", reader.at):
            return Piece(self._called(templates.Text((self._cdata(),)), [], {}), False, "text", is_made=True)
        if reader.text.startswith("!", reader.at):
            raise reader.fault(2281 if reader.text.startswith("!DOCTYPE", reader.at) else 2280)
        return Piece(self._called(self._element(scope, arguments), arguments, scope), False, "element", is_made=True)

    def _remark(self) -> templates.Remark:
        self.reader.at += 3
        text = self.reader.until("-->", 2340, 1)
        if "--" in text or text.endswith("-"):
            raise self.reader.fault(9322)
        return templates.Remark(text)

    def _instruction(self) -> templates.Instruction:
        reader = self.reader
        reader.at += 1
        if reader.text[reader.at : reader.at + 1].isspace():
            raise reader.fault(2278, " ")
        target = reader.name()
        if target.lower() == "xml":
            raise reader.fault(2294)
        return templates.Instruction(target, reader.until("?>", 2272).strip())

    def _cdata(self) -> str:
        self.reader.at += len("![CDATA[")
        return self.reader.until("]]>", 2273)

    def _tag_name(self) -> str:
        reader = self.reader
        character = reader.text[reader.at : reader.at + 1]
        if character.isspace() or not character:
            raise reader.fault(2278, character or " ")
        return reader.name()

    def _element(self, outer: dict[str, str], arguments: list[Piece]) -> templates.Element:
        """After `<`. Names are looked up once the declarations of the tag are known."""
        reader = self.reader
        line = reader.text.count("\n", 0, reader.at) + 1
        name = self._tag_name()
        element = templates.Element(name, outer)
        attributes: list[templates.Attribute] = []
        before = self.namespaces, self.local
        while not reader.peek("/>") and not reader.peek(">"):
            found = reader.name()
            reader.expect("=")
            parts = self._attribute_parts(arguments)
            if found == "xmlns" or found.startswith("xmlns:"):
                if any(isinstance(p, int) for p in parts):
                    raise reader.fault(9338)
                if len(found) > 6 and not "".join(map(str, parts)).strip():
                    raise reader.fault(2348)
                prefix, uri = found[6:], "".join(str(p) for p in parts)
                element.declared[prefix] = uri
                self.namespaces = {**self.namespaces, prefix: uri}
                self.local = {**self.local, prefix: uri}
            elif any(a.name == found for a in attributes):
                raise reader.fault(2271, found)
            else:
                attributes.append(templates.Attribute(found, parts))
        element.attributes = attributes
        if element.declared:
            element.scope = {**outer, **element.declared}
        for one in (name, *(a.name for a in attributes)):
            self.check_prefix(one)
        if reader.take(">"):
            self._content(element, arguments)
            self._end_tag(name, line)
        else:
            reader.expect("/>")
        self.namespaces, self.local = before
        return element

    def _end_tag(self, name: str, line: int) -> None:
        found = self._tag_name()
        if found != name:
            raise self.reader.fault(2323, found, name, line)
        self.reader.expect(">")

    def _attribute_parts(self, arguments: list[Piece]) -> tuple[str | int, ...]:
        """Text, or one enclosed expression. Raises 9313 for a mixture."""
        reader = self.reader
        reader.skip()
        quote = reader.text[reader.at : reader.at + 1]
        if quote not in ('"', "'"):
            raise reader.fault(2225)
        reader.at += 1
        parts: list[str | int] = []
        text = ""
        while True:
            character = reader.text[reader.at : reader.at + 1]
            if not character:
                raise reader.fault(2274, 1)
            if character == quote:
                reader.at += 1
                if not reader.text.startswith(quote, reader.at):
                    break
                text += quote
                reader.at += 1
            elif character in "{}":
                if reader.text.startswith(character, reader.at + 1):
                    text += character
                    reader.at += 2
                elif character == "}":
                    raise reader.fault(9324)
                else:
                    inner = self._enclosed()
                    if inner is not None:
                        arguments.append(inner)
                        parts.append(len(arguments) - 1)
            elif character == "<":
                raise reader.syntax_fault()
            else:
                text += character
                reader.at += 1
        if parts and (text or len(parts) > 1):
            raise reader.fault(9313)
        return tuple(parts) if parts else (resolve_references(text, reader),)

    def _content(self, element: templates.Element, arguments: list[Piece]) -> None:
        """Up to and with `</`. Text between tags that is only white space is dropped."""
        reader, content = self.reader, element.content
        text, is_solid = "", False

        def flush() -> None:
            nonlocal text, is_solid
            if is_solid or text.strip():
                content.append(text)
            text, is_solid = "", False

        while True:
            character = reader.text[reader.at : reader.at + 1]
            if not character:
                raise reader.fault(2267, element.name)
            if reader.text.startswith("</", reader.at):
                flush()
                reader.at += 2
                return
            if character == "<":
                reader.at += 1
                if reader.text.startswith("![CDATA[", reader.at):
                    text, is_solid = text + self._cdata(), True
                    continue
                flush()
                if reader.text.startswith("!--", reader.at):
                    content.append(self._remark())
                elif reader.text.startswith("?", reader.at):
                    content.append(self._instruction())
                else:
                    content.append(self._element(element.scope, arguments))
            elif character in "{}":
                if reader.text.startswith(character, reader.at + 1):
                    text, is_solid = text + character, True
                    reader.at += 2
                    continue
                if character == "}":
                    raise reader.fault(9324)
                flush()
                inner = self._enclosed()
                if inner is not None:
                    arguments.append(inner)
                    content.append(len(arguments) - 1)
            elif character == "&":
                end = reader.text.find(";", reader.at)
                if end < 0:
                    raise reader.fault(2282)
                text, is_solid = text + resolve_references(reader.text[reader.at : end + 1], reader), True
                reader.at = end + 1
            else:
                text += character
                reader.at += 1
