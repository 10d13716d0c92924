"""Path expressions, predicates and function calls of XQuery.

Decides which axes, node tests and functions there are (9335, 2377, 2395, 2236, 2238), and how many items a step may
give.
"""

from __future__ import annotations

import msgspec

from sbql.engine.documents.xml_nodes import COLUMN
from sbql.engine.documents.xquery.constructors import Constructors
from sbql.engine.documents.xquery.functions import FUNCTIONS, PARAMETERS, SINGLE_ARGUMENTS, TYPES, type_kind
from sbql.engine.documents.xquery.pieces import Piece

__all__ = ["Paths"]

_AXES = ("child", "descendant", "descendant-or-self", "parent", "self", "attribute")
_OTHER_AXES = (
    "ancestor",
    "ancestor-or-self",
    "following",
    "following-sibling",
    "preceding",
    "preceding-sibling",
    "namespace",
)
_TESTS = {
    "node": "node", "text": "text", "comment": "comment", "processing-instruction": "processing-instruction",
    "element": "element",
    "attribute": "attribute", "document-node": "document",
}  # fmt: skip
_ATOMIC = ("string", "number", "boolean")
_FUNCTIONS = "http://www.w3.org/2004/07/xpath-functions"
_RESERVED = ("document-node", "schema-element", "schema-attribute")
# How steps begin that lead to parents, to the same nodes, to all that is below.
_UP, _HERE, _DEEP = ("..", "parent::"), (".", "self::"), ("descendant::", "descendant-or-self::")
# Nodes of these kinds have nothing below them.
_CHILDLESS = frozenset({"attribute", "text", "comment", "processing-instruction"})


class Paths(Constructors):
    """What stands between operators."""

    def path(self) -> Piece:
        reader = self.reader
        if reader.take("//"):
            return self._steps(self._step(Piece("//", True, "document")), nests=True)
        if reader.take("/"):
            if not self._step_follows():
                return Piece("(/)", False, "document")
            return self._steps(self._step(Piece("/", False, "document")))
        primary = self.primary()
        if primary is not None:
            return self._steps(self._predicates(primary, parents_many=False), nests=primary.many)
        return self._steps(self._step(Piece("", False, "node")))

    def _step_follows(self) -> bool:
        reader = self.reader
        if reader.at_end():
            return False
        return reader.text[reader.at] in "@.*" or bool(reader.peek_name())

    def _steps(self, piece: Piece, *, nests: bool = False) -> Piece:
        """The steps behind the first one. `nests`: some of its nodes may stand below others.

        A path gives its nodes in the order of the document (XPath 3.1, 3.3.1). elementpath gives them node for node of
        the step before, which is another order where those nest: so it puts such nodes together with none, which it
        orders."""
        reader = self.reader
        is_ordered = True
        nests = nests or piece.text.startswith(_DEEP)
        while True:
            if reader.take("//"):
                separator, many = "//", True
            elif reader.take("/"):
                separator, many = "/", piece.many
            else:
                return piece if is_ordered else msgspec.structs.replace(piece, text=f"({piece.text} | ())")
            if piece.is_made:
                raise reader.fault(2373, "/")
            if not piece.is_nodes and piece.kind not in ("item", "empty"):
                raise reader.fault(2374, "/")
            if reader.peek("("):
                raise reader.unsupported("/()")
            if not self._step_follows():
                raise reader.fault(9341, reader.text[reader.at : reader.at + 1] or "<eof>")
            before = Piece(piece.text + separator, many, piece.kind)
            piece, has_many = self._step(before), piece.many
            step = piece.text.removeprefix(before.text)
            if step.startswith(_UP):
                is_ordered, nests = is_ordered and not has_many, has_many
            elif separator == "//" or not step.startswith(_HERE):
                is_ordered = is_ordered and separator == "/" and not (nests and has_many)
                nests = nests or separator == "//" or step.startswith(_DEEP)

    def _step(self, before: Piece) -> Piece:
        """One step after `before`, with its predicates."""
        reader = self.reader
        if reader.take(".."):
            found = Piece("..", before.many, "node")
        elif reader.take("."):
            kind = self.item_kind if not before.text else before.kind
            found = Piece(".", before.many, kind)
        elif reader.take("@"):
            test, _, many = self._test("attribute")
            found = Piece("@" + test, before.many or many, "attribute")
        else:
            found = self._named_step(before)
        if before.text and before.kind in _CHILDLESS and not found.text.startswith((".", "self::", "parent::")):
            raise reader.fault(2377, before.text + found.text)
        return self._predicates(msgspec.structs.replace(found, text=before.text + found.text), parents_many=before.many)

    def _named_step(self, before: Piece) -> Piece:
        reader = self.reader
        word = reader.peek_name()
        axis = "child"
        if word and reader.follows(word, "::"):
            if word in _OTHER_AXES and word != "namespace":
                raise reader.unsupported(word)
            if word not in _AXES:
                raise reader.fault(2392, word)
            axis = reader.name()
            reader.expect("::")
        elif word and word not in _TESTS and word not in _RESERVED and reader.follows(word, "("):
            if before.text:
                raise reader.unsupported("/function()")
            return self._call()
        elif word in _RESERVED and reader.follows(word, "("):
            raise reader.unsupported(word)
        test, kind, many = self._test("attribute" if axis == "attribute" else "element")
        text = test if axis == "child" else f"{axis}::{test}"
        if axis in ("self", "parent"):
            return Piece(text, before.many, kind)
        return Piece(text, before.many or many or axis != "attribute", kind)

    def _test(self, kind: str) -> tuple[str, str, bool]:
        """A node test: its text, the kind of its nodes, and whether one parent may have several. Raises 2256, 2229."""
        reader = self.reader
        if reader.take("*"):
            if reader.text.startswith(":", reader.at) and not reader.text.startswith("::", reader.at):
                reader.at += 1
                return f"*:{reader.name()}", kind, True
            return "*", kind, True
        name = reader.peek_name()
        if not name:
            raise reader.fault(2256, reader.text[reader.at : reader.at + 1] or "<eof>")
        reader.at += len(name)
        if name in _TESTS and reader.peek("("):
            return self._kind_test(name)
        if reader.text.startswith(":*", reader.at):
            reader.at += 2
            self.check_prefix(f"{name}:x")
            return f"{name}:*", kind, True
        self.check_prefix(name)
        return self.written(name, is_element=kind == "element"), kind, kind != "attribute"

    def _kind_test(self, name: str) -> tuple[str, str, bool]:
        """`text()`, `element(a)`, `processing-instruction("x")`. Raises 9335 for a type in it."""
        reader = self.reader
        if name in _RESERVED:
            raise reader.unsupported(name)
        reader.expect("(")
        inner = ""
        if not reader.peek(")"):
            if name == "processing-instruction" and (reader.peek('"') or reader.peek("'")):
                inner = reader.string()
            elif reader.take("*"):
                inner = "*"
            else:
                inner = reader.name()
            if reader.peek(","):
                raise reader.unsupported(f"{name}({inner}, type)")
        reader.expect(")")
        return f"{name}({inner})", _TESTS[name], True

    # --- predicates ----------------------------------------------------------------------------------------

    def _predicates(self, piece: Piece, *, parents_many: bool) -> Piece:
        """`[1]` and `[last()]` leave one item, unless they count below each of several parents. Raises 2203."""
        reader = self.reader
        while reader.take("["):
            outer = self.item_kind, self.in_predicate
            self.item_kind, self.in_predicate = piece.kind, True
            inner = self.expression()
            self.item_kind, self.in_predicate = outer
            if not reader.take("]"):
                raise reader.missing("]")
            if inner.kind == "string":
                raise reader.fault(2203, inner.type_name)
            chooses_one = (inner.is_constant or inner.text == "last()") and not parents_many
            piece = Piece(
                f"{piece.text}[{inner.text}]", piece.many and not chooses_one, piece.kind, is_made=piece.is_made
            )
        return piece

    # --- calls ---------------------------------------------------------------------------------------------

    def _call(self) -> Piece:
        reader = self.reader
        name = reader.name()
        reader.expect("(")
        prefix, colon, local = name.rpartition(":")
        if colon and prefix == "sql":
            return self._sql_function(local)
        arguments: list[Piece] = []
        while not reader.peek(")"):
            arguments.append(self.single())
            if not reader.take(","):
                break
        reader.expect(")")
        if colon:
            self.check_prefix(name)
            uri = self.namespaces.get(prefix, "")
            if uri.endswith(("XMLSchema", "xpath-datatypes")):
                return self._constructor_function(name, arguments)
            if not uri.endswith("xpath-functions"):
                raise reader.fault(2395, prefix, local)
        return self._function(local, arguments)

    def _constructor_function(self, name: str, arguments: list[Piece]) -> Piece:
        """`xs:date(x)`. Raises 2232, 2236, 2238, 2365."""
        local = name.partition(":")[2]
        if local not in TYPES:
            raise self.reader.fault(2395, name.partition(":")[0], local)
        if len(arguments) != 1:
            raise self.reader.fault(2238 if len(arguments) > 1 else 2236, name)
        if arguments[0].many and not self.is_lenient:
            raise self.reader.fault(2365, arguments[0].type_name, name)
        return Piece(f"xs:{local}({arguments[0].text})", False, type_kind(local))

    def _function(self, name: str, arguments: list[Piece]) -> Piece:
        reader = self.reader
        known = FUNCTIONS.get(name)
        if known is None:
            raise reader.fault(2395, f"{{{_FUNCTIONS}}}", name)
        least, most, kind, target = known
        if len(arguments) < least:
            raise reader.fault(2236, name)
        if most is not None and len(arguments) > most:
            raise reader.fault(2238, name)
        if name in ("position", "last") and not self.in_predicate:
            raise reader.fault(2371, f"{name}()")
        if name in SINGLE_ARGUMENTS:
            for argument in arguments:
                self.check_singleton(argument, f"{name}()")
        self._check_arguments(name, arguments)
        many = name in ("data", "distinct-values", "id") and (not arguments or arguments[0].many)
        texts = [f"({a.text})" if "," in a.text else a.text for a in arguments]
        return Piece(f"{target}({', '.join(texts)})", many, kind)

    def _check_arguments(self, name: str, arguments: list[Piece]) -> None:
        """Values that a parameter does not take. Raises 2364, and 2374 where a node is wanted."""
        wanted = {"boolean": "xs:boolean ?", "string": "xs:string ?", "number": "numeric ?"}
        for place, argument in enumerate(arguments):
            kind = PARAMETERS.get(name, "")
            if kind == "node" and argument.kind in ("string", "number", "boolean"):
                raise self.reader.fault(2374, f"{name}()")
            if name == "substring" and place:
                kind = "number"
            if argument.kind in _ATOMIC and kind in wanted and argument.kind != kind:
                raise self.reader.fault(2364, argument.type_name, wanted[kind])

    def _sql_function(self, local: str) -> Piece:
        """sql:variable("@v") and sql:column("t.c"): an XPath variable of ours."""
        reader = self.reader
        if local not in ("variable", "column"):
            raise reader.fault(2395, "sql", local)
        name = reader.string()
        reader.expect(")")
        if local == "variable" and (not name.startswith("@") or len(name) < 2):
            raise reader.fault(9519, name)
        self.sql_variables.append(name if local == "variable" else COLUMN + name)
        return Piece(f"$sqlvariable{len(self.sql_variables) - 1}", False, "item")

    # --- types ---------------------------------------------------------------------------------------------

    def sequence_type(self) -> tuple[str, str]:
        """An atomic type or a kind test: its text and kind. Raises 2242, 2231, 2232."""
        reader = self.reader
        name = reader.peek_name()
        if not name:
            raise reader.fault(2242)
        reader.at += len(name)
        if name in _TESTS and reader.peek("("):
            text, kind, _ = self._kind_test(name)
            return text, kind
        if name in ("item", "empty") and reader.take("("):
            reader.expect(")")
            return ("item()" if name == "item" else "empty-sequence()"), "item"
        prefix, colon, local = name.rpartition(":")
        self.check_prefix(name)
        if (
            not colon
            or not self.namespaces.get(prefix, "").endswith(("XMLSchema", "xpath-datatypes"))
            or local not in TYPES
        ):
            raise reader.fault(*((2232, name) if colon else (2231, name)))
        return f"xs:{local}", type_kind(local)
