"""XQuery to XPath: the expressions that SQL Server supports, written as XPath 3.1 that elementpath runs.

Decides syntax, names, and the static rules: what is not supported (9335), what must be a single item (2389), which
sequences may not be mixed (2210). FLWOR becomes nested `for`, `let` and `if`; `order by` sorts tuples by a function of
`functions.py`; constructors become calls of a function that fills a template (`constructors.py`). It must not know
documents or values.
"""

from __future__ import annotations

import msgspec

from sbql.engine.documents.xquery.paths import Paths
from sbql.engine.documents.xquery.pieces import ATOMIC, NODES, Piece, together, xpath_string
from sbql.engine.documents.xquery.templates import Ordering

__all__ = ["Expressions"]

_ARITHMETIC = ("+", "-", "*", "div", "mod")
_GENERAL = ("=", "!=", "<=", "<", ">=", ">")
_SINGLE = ("eq", "ne", "lt", "le", "gt", "ge", "is", "<<", ">>")
_COMPARED = (*_GENERAL, "eq", "ne", "lt", "le", "gt", "ge")
_TYPED = {"string", "number", "boolean"}
_WORDS = ("div", "mod", "eq", "ne", "lt", "le", "gt", "ge", "is")
_REFUSED = ("union", "intersect", "except", "idiv", "to", "treat", "castable")
_UNKNOWN_SYNTAX = ("typeswitch", "validate", "ordered", "unordered", "document")


class Expressions(Paths):
    """The expressions of one XQuery text, read from left to right."""

    # --- sequences -----------------------------------------------------------------------------------------

    def expression(self) -> Piece:
        """Expressions with commas between them."""
        parts = [self.single()]
        while self.reader.take(","):
            parts.append(self.single())
        if len(parts) == 1:
            return parts[0]
        return self.sequence(parts)

    def sequence(self, parts: list[Piece]) -> Piece:
        """Raises 2210 for nodes beside values."""
        full = [p for p in parts if p.kind != "empty"]
        for part in full[1:]:
            if {full[0].is_nodes, part.is_nodes} == {True, False} and "item" not in (full[0].kind, part.kind):
                raise self.reader.fault(2210, full[0].kind, part.kind)
        kind = together([p.kind for p in full])
        text = ", ".join(p.text for p in parts)
        return Piece(text, len(full) > 1 or any(p.many for p in full), kind, is_made=any(p.is_made for p in full))

    def single(self) -> Piece:
        reader = self.reader
        word = reader.peek_name()
        if word in ("for", "let") and reader.follows(word, "$"):
            return self._flwor()
        if word in ("some", "every") and reader.follows(word, "$"):
            return self._quantified(word)
        if word == "if" and reader.follows(word, "("):
            return self._conditional()
        if word in _UNKNOWN_SYNTAX and (
            reader.follows(word, "{") or (word == "typeswitch" and reader.follows(word, "("))
        ):
            raise reader.unsupported(word)
        return self._operators()

    # --- FLWOR ---------------------------------------------------------------------------------------------

    def _flwor(self) -> Piece:
        reader = self.reader
        outer = self.variables
        self.variables = dict(outer)
        heads: list[str] = []
        names: list[str] = []
        many = False
        while reader.peek_name() in ("for", "let") and reader.follows(reader.peek_name(), "$"):
            word = reader.name()
            while True:
                name = self._new_variable()
                if word == "for" and reader.peek_name() == "at":
                    raise reader.unsupported("at")
                if reader.peek_name() == "as":
                    raise reader.unsupported("as")
                source = self._binding(word)
                many = many or (word == "for" and source.many)
                self.variables[name] = msgspec.structs.replace(source, many=source.many and word == "let")
                heads.append(f"for ${name} in ({source.text})" if word == "for" else f"let ${name} := ({source.text})")
                names.append(name)
                if not reader.take(","):
                    break
        condition = self._condition(self.single()) if reader.take_word("where") else None
        keys = self._order_by()
        if not reader.take_word("return"):
            found = reader.peek_name() or reader.text[reader.at : reader.at + 1] or "<eof>"
            raise reader.fault(9332, found)
        result = self.single()
        self.variables = outer
        text = self._loops(heads, names, condition, keys, result.text)
        return Piece(text, many or result.many, result.kind, is_made=result.is_made)

    def _loops(
        self,
        heads: list[str],
        names: list[str],
        condition: Piece | None,
        keys: list[tuple[Piece, Ordering]],
        result: str,
    ) -> str:
        inner = result
        if keys:
            inner = "[" + ", ".join([f"(${n})" for n in names] + [f"({k.text})" for k, _ in keys]) + "]"
        if condition is not None:
            inner = f"if ({condition.text}) then ({inner}) else ()"
        for head in reversed(heads):
            inner = f"({head} return ({inner}))"
        if not keys:
            return inner
        self.made.orderings.append(tuple(o for _, o in keys))
        row = f"sbqlrow{len(self.made.orderings)}"
        sorted_rows = f"sbql:sorted({len(self.made.orderings) - 1}, {len(names)}, {inner})"
        again = "".join(f"let ${name} := ${row}({i}) return " for i, name in enumerate(names, 1))
        return f"(for ${row} in {sorted_rows} return {again}({result}))"

    def _new_variable(self) -> str:
        """Raises 2241, 9323."""
        reader = self.reader
        if not reader.take("$"):
            raise reader.fault(2241)
        name = reader.name()
        if ":" in name:
            raise reader.fault(9323)
        return name

    def _binding(self, word: str) -> Piece:
        """Raises 2205, and 2373 for constructed nodes."""
        if word != "let":
            if not self.reader.take_word("in"):
                raise self.reader.fault(2205, "in") if word == "for" else self.reader.missing("in")
        elif not self.reader.take(":="):
            raise self.reader.fault(2205, ":=")
        source = self.single()
        if source.is_made:
            raise self.reader.fault(2373, word)
        return source

    def _order_by(self) -> list[tuple[Piece, Ordering]]:
        reader = self.reader
        if not (reader.take_words("stable", "order", "by") or reader.take_words("order", "by")):
            return []
        keys = []
        while True:
            key = self.single()
            self.check_singleton(key, "order by")
            descending = reader.take_word("descending")
            if not descending:
                reader.take_word("ascending")
            greatest = False
            if reader.take_word("empty"):
                greatest = reader.take_word("greatest")
                if not greatest and not reader.take_word("least"):
                    raise reader.syntax_fault()
            keys.append((key, Ordering(descending, greatest)))
            if not reader.take(","):
                return keys

    def _quantified(self, word: str) -> Piece:
        reader = self.reader
        reader.name()
        outer = self.variables
        self.variables = dict(outer)
        bindings = []
        while True:
            name = self._new_variable()
            source = self._binding("some")
            self.variables[name] = msgspec.structs.replace(source, many=False)
            bindings.append(f"${name} in ({source.text})")
            if not reader.take(","):
                break
        if not reader.take_word("satisfies"):
            raise reader.missing("satisfies")
        test = self._condition(self.single())
        self.variables = outer
        return Piece(f"({word} {', '.join(bindings)} satisfies ({test.text}))", False, "boolean")

    def _conditional(self) -> Piece:
        """Raises 9303 for what is missing."""
        reader = self.reader
        reader.name()
        reader.expect("(")
        test = self._condition(self.expression())
        reader.expect(")")
        if not reader.take_word("then"):
            raise reader.missing("then")
        then = self.single()
        if not reader.take_word("else"):
            raise reader.missing("else")
        other = self.single()
        kind = together([p.kind for p in (then, other) if p.kind != "empty"])
        text = f"(if ({test.text}) then ({then.text}) else ({other.text}))"
        return Piece(text, then.many or other.many, kind, is_made=then.is_made or other.is_made)

    def _condition(self, piece: Piece) -> Piece:
        """What a condition may be: boolean or nodes. Raises 2204."""
        if piece.kind in ("string", "number"):
            raise self.reader.fault(2204, f"xs:{piece.kind}")
        return piece

    # --- operators -----------------------------------------------------------------------------------------

    def _operators(self) -> Piece:
        """Comparisons with `and` and `or` between them."""
        first = self._comparison()
        texts, parts = [first.text], [first]
        while (word := self.reader.peek_name()) in ("and", "or"):
            self.reader.name()
            parts.append(self._comparison())
            texts += [f" {word} ", parts[-1].text]
        if len(parts) == 1:
            return first
        for part in parts:
            self._condition(part)
        return Piece("".join(texts), False, "boolean")

    def _comparison(self) -> Piece:
        """Operands with operators between them. XPath sorts out what binds to what; the static rules need the
        neighbours only."""
        first = self._operand()
        texts, previous, result = [first.text], first, first
        while (operator := self._operator()) is not None:
            if operator in ("cast", "instance"):
                result = previous = self._typed_operator(operator, previous, texts)
                continue
            operand = self._operand()
            self._check_operands(operator, previous, operand)
            texts += [f" {operator} ", operand.text]
            previous = operand
            is_number = operator in _ARITHMETIC and result.kind != "boolean"
            result = Piece("", False, "number" if is_number else "boolean")
        return msgspec.structs.replace(result, text="".join(texts))

    def _check_operands(self, operator: str, left: Piece, right: Piece) -> None:
        if operator in _ARITHMETIC or operator in _SINGLE:
            self.check_singleton(left, operator)
            self.check_singleton(right, operator)
        if operator in _ARITHMETIC:
            for piece in (left, right):
                if piece.kind in ("boolean", "string"):
                    raise self.reader.fault(9308, operator, piece.type_name)
        elif operator in _COMPARED and {left.kind, right.kind} <= _TYPED and left.kind != right.kind:
            raise self.reader.fault(2234, operator, left.type_name, right.type_name)
        if operator in ("is", "<<", ">>"):
            for piece in (left, right):
                if not piece.is_nodes and piece.kind not in ("item", "empty"):
                    raise self.reader.fault(2374, operator)

    def _operator(self) -> str | None:
        """The operator that comes next, read. Raises 9335 for those that SQL Server does not have."""
        reader = self.reader
        if reader.at_end():
            return None
        word = reader.peek_name()
        if word in _REFUSED:
            raise reader.unsupported({"treat": "treat as", "castable": "castable as"}.get(word, word))
        if word in _WORDS:
            return reader.name()
        if reader.peek_words("cast", "as") or reader.peek_words("instance", "of"):
            return word
        for sign in ("<<", ">>", "||", "=>", *_GENERAL, "+", "-", "*", "|", "!"):
            if reader.take(sign):
                if sign in ("|", "||", "=>", "!"):
                    raise reader.unsupported("union" if sign == "|" else sign)
                return sign
        return None

    def _typed_operator(self, operator: str, operand: Piece, texts: list[str]) -> Piece:
        """`cast as T?` and `instance of T`. Raises 9301 for a cast without `?`, 2365 for one of several items, 9305."""
        reader = self.reader
        reader.name()
        reader.name()
        begin = reader.at
        text, kind = self.sequence_type()
        mark = next((m for m in "?*+" if reader.take(m)), "")
        if operator == "cast":
            if mark != "?":
                reader.at = begin
                raise reader.fault(9301)
            if operand.many and not self.is_lenient:
                raise reader.fault(2365, operand.type_name, text)
            texts.append(f" cast as {text}?")
            return Piece("", False, kind)
        if mark in ("*", "+") or not mark and ":" in text and "(" not in text:
            raise reader.fault(9305)
        texts.append(f" instance of {text}{mark}")
        return Piece("", False, "boolean")

    def _operand(self) -> Piece:
        reader = self.reader
        signs = ""
        while reader.peek("+") or reader.peek("-"):
            signs += reader.text[reader.at]
            reader.at += 1
        piece = self.path()
        if not signs:
            return piece
        self.check_singleton(piece, signs[-1])
        return Piece(signs + piece.text, False, "number")

    # --- primaries -----------------------------------------------------------------------------------------

    def primary(self) -> Piece | None:
        """A literal, variable, parenthesis or constructor; None for a step or a call."""
        reader = self.reader
        if reader.at_end():
            raise reader.syntax_fault()
        character = reader.text[reader.at]
        if character in "\"'":
            return Piece(xpath_string(reader.string()), False, "string")
        if character.isdigit() or (character == "." and reader.text[reader.at + 1 : reader.at + 2].isdigit()):
            return Piece(reader.number(), False, "number", is_constant=True)
        if character == "$":
            return self._variable()
        if character == "(":
            reader.at += 1
            if reader.take(")"):
                return Piece("()", False, "empty")
            inner = self.expression()
            reader.expect(")")
            return msgspec.structs.replace(inner, text=f"({inner.text})", is_constant=False)
        if character == "<":
            return self.direct_constructor()
        return self.computed_constructor()

    def _variable(self) -> Piece:
        """Raises 2227 for a variable that is not in scope."""
        name = self._new_variable()
        known = self.variables.get(name)
        if known is None:
            raise self.reader.fault(2227, name)
        return Piece(f"${name}", known.many, known.kind)


assert NODES.isdisjoint(ATOMIC)
