"""XQuery programs: a text is read with its prolog, checked, and run over a tree.

It decides the prolog, sql:variable(), and which faults are which error; expressions are read and written elsewhere.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.documents.xquery.bare_trees import bare_text
from sbql.engine.documents.xquery.documents import context_of, is_reference, new_document, opened, references
from sbql.engine.documents.xquery.expressions import Expressions
from sbql.engine.documents.xquery.functions import make_parser
from sbql.engine.documents.xquery.items import is_node, item_text, items_as_xml, number_text
from sbql.engine.documents.xquery.nodes import context_class
from sbql.engine.documents.xquery.pieces import Piece
from sbql.engine.documents.xquery.reader import Reader
from sbql.engine.documents.xquery.shortcuts import PlainPath, plain_path
from sbql.engine.documents.xquery.templates import Made
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.checkpoints import checked

__all__ = [
    "Compiled", "Program", "compile_xquery", "evaluate", "is_node", "item_text", "items_as_xml", "leads_anywhere", "new_document", "number_text", "plain_nodes", "plain_text", "plain_value", "run_over",
]  # fmt: skip

_PREDEFINED = {
    "xs": "http://www.w3.org/2001/XMLSchema", "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "fn": "http://www.w3.org/2004/07/xpath-functions", "xdt": "http://www.w3.org/2004/07/xpath-datatypes",
    "sqltypes": "http://schemas.microsoft.com/sqlserver/2004/sqltypes",
    "sql": "http://schemas.microsoft.com/sqlserver/2004/07/showplan",
    "xml": "http://www.w3.org/XML/1998/namespace",
}  # fmt: skip
_OTHER_DECLARATIONS = frozenset("variable function default option ordering construction boundary-space".split())
_FUNCTIONS = "http://www.w3.org/2005/xpath-functions"


class Program:
    """One XQuery text while it is compiled: its prolog is read, its expressions are read one by one."""

    def __init__(
        self, text: str, namespaces: tuple[tuple[str, str], ...], method: str, *, is_lenient: bool = False
    ) -> None:
        if not text.strip():
            raise sql_error(6306).within(text)
        self.reader = Reader(text, method)
        self.is_lenient = is_lenient
        known = {**_PREDEFINED, **dict(namespaces)}
        self.default = known.get("", "")
        self.made = Made()
        self.expressions = Expressions(self.reader, known, self.made, is_lenient=is_lenient)
        self._prolog(known)

    def _prolog(self, known: dict[str, str]) -> None:
        """`declare namespace p = "…"; declare default element namespace "…";`. Raises 9327, 9335, 2230."""
        reader = self.reader
        declared: set[str] = set()
        while True:
            if (
                reader.peek_words("xquery", "version")
                or reader.peek_words("import", "schema")
                or reader.peek_words("import", "module")
            ):
                raise reader.unsupported(reader.name())
            if not reader.peek_words("declare"):
                return
            start = reader.at
            reader.take_word("declare")
            if reader.take_words("default", "element", "namespace"):
                prefix = ""
            elif reader.take_word("namespace"):
                prefix = reader.name()
                reader.expect("=")
            elif (word := reader.peek_name()) in _OTHER_DECLARATIONS:
                raise reader.unsupported(f"declare {word}")
            else:
                reader.at = start
                return
            if prefix in declared:
                raise reader.fault(2230, prefix)
            declared.add(prefix)
            known[prefix] = reader.string()
            self.default = known.get("", "")
            if not reader.take(";"):
                raise reader.fault(9327, reader.peek_name() or reader.text[reader.at : reader.at + 1] or "<eof>")

    @property
    def variables(self) -> tuple[str, ...]:
        """The T-SQL variables that were named so far (with the at sign), in order."""
        return tuple(self.expressions.sql_variables)

    @property
    def scope(self) -> dict[str, str]:
        return self.expressions.namespaces

    def expect_end(self) -> None:
        if not self.reader.at_end():
            raise self.reader.syntax_fault()

    def token(self, piece: Piece) -> Any:
        """A piece made ready to run. Raises 2209, 9319, 2234."""
        from elementpath import ElementPathError

        namespaces = {**self.scope, "fn": _FUNCTIONS}
        try:
            return make_parser(namespaces, self.default, self.made).parse(piece.text)
        except ElementPathError as error:
            raise self._static_fault(error, piece) from None
        except (ValueError, ArithmeticError) as error:
            raise self.reader.fault(9319, str(error)) from None
        except RecursionError:
            raise self.reader.fault(2363) from None

    def _static_fault(self, error: Any, piece: Piece) -> SqlError:
        code = getattr(error, "code", None) or ""
        if "FORG0001" in code or "FOCA" in code or "FODT" in code:
            return self.reader.fault(9319, str(error).split(": ")[-1])
        if "XPTY0004" in code or "FORG0006" in code:
            return self.reader.fault(9311, self.reader.method, str(error).split(": ")[-1], piece.type_name)
        if "FOAR" in code:
            return self.reader.fault(9319, piece.text[:40])
        return self.reader.fault(2209, piece.text[:40])


class Compiled(Struct, frozen=True):
    """An XQuery expression ready to run. `variables` are the T-SQL variables it names (with the at sign), in order;
    `plain` is what a plain path is."""

    token: Any
    piece: Piece
    variables: tuple[str, ...]
    method: str
    plain: PlainPath | None = None


@functools.lru_cache(maxsize=512)
def compile_xquery(
    text: str, namespaces: tuple[tuple[str, str], ...], method: str, *, is_lenient: bool = False
) -> Compiled:
    """Read and check an expression. `namespaces` come from WITH XMLNAMESPACES; `is_lenient`: for typed xml."""
    program = Program(text, namespaces, method, is_lenient=is_lenient)
    try:
        piece = program.expressions.expression()
    except RecursionError:
        raise program.reader.fault(2363) from None
    program.expect_end()
    plain = plain_path(piece.text, program.scope, program.default)
    return Compiled(program.token(piece), piece, program.variables, method, plain)


def evaluate(compiled: Compiled, text: str, values: tuple[Any, ...]) -> list[Any]:
    """The items of the result: nodes and atomic values. `values` are those of the T-SQL variables."""
    document, item = opened(text)
    return run_over(compiled.token, document, item, values, compiled.method)


def plain_value(plain: PlainPath, text: str) -> str | None:
    """The first value of a plain path."""
    return None if _is_nowhere(plain, text) else plain.value(*context_of(text))


def plain_text(plain: PlainPath, text: str) -> str | None:
    """The elements of a plain path as xml; None where names have namespaces, or the path is to something else."""
    if plain.is_own or not plain.ends_with_element:
        return None
    return bare_text(plain.elements(*context_of(text)))


def leads_anywhere(plain: PlainPath, text: str) -> bool:
    """Whether a plain path gives anything."""
    return not _is_nowhere(plain, text) and plain.exists(*context_of(text))


def _is_nowhere(plain: PlainPath, text: str) -> bool:
    """Whether nobody needs to read the document for it."""
    return bool(plain.needed) and not is_reference(text) and plain.leads_nowhere(text)


def plain_nodes(plain: PlainPath, text: str) -> Sequence[str] | None:
    """References to the elements of a plain path; None where a value refers to a node that is no element."""
    return [] if _is_nowhere(plain, text) else references(text, plain.elements)


def run_over(token: Any, document: Any, item: Any, values: tuple[Any, ...], method: str) -> list[Any]:
    """What an expression gives for one item of a document; `values` are those of its sql:variable and sql:column.
    Raises 9319 for an error of the expression, 2363 when it is nested too deeply; `method` is named in both."""
    from elementpath import ElementPathError

    variables = {f"sqlvariable{i}": [] if v is None else v for i, v in enumerate(values)}
    context = context_class()(document, item=item, variables=variables)
    try:
        return list(checked(token.select(context)))
    except (ElementPathError, ValueError, ArithmeticError) as error:
        raise sql_error(9319, method, str(error).split("\n")[0]) from None
    except RecursionError:
        raise sql_error(2363, method) from None
