"""Native forms of the methods of XML: value() and exist() of a plain path in a small, ordinary document.

One regular expression reads a document from its beginning to the first thing that the path can mean: start tags with
attributes in double quotes, texts, and elements on the way of which each has no more than elements with texts. It
cannot tell which end tag belongs to which start tag, and need not: a value of type xml is well formed, so that the
order of tags says how deep they are. Whatever else stands before the place (a comment, deeper elements) leaves it
without a match. A second one reads the value, in the spelling that needs no thought. All other documents are Python's:
with a namespace, a reference in the value, a number that may not fit. Decides which paths, documents and spellings are
so; it must not know how Python reads them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from sbql.catalog.duck_types import duck_type, in_ticks, quote_literal
from sbql.engine.native.forms import FIRST_MICROSECOND, Form, guarded, in_form
from sbql.engine.native.moments import to_300ths
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import unless_null
from sbql.engine.query.few_rows import has_few_rows
from sbql.engine.query.row_functions import row_function
from sbql.engine.tables.typed_sql import NODE, Typed
from sbql.grammar import ast
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.kinds import digits_after, digits_before

if TYPE_CHECKING:
    from sbql.engine.documents.xquery.shortcuts import PlainPath

__all__ = ["xml_method"]


def xml_method(node: ast.MethodCall, cx: Context) -> Typed:
    """value(), query() and exist() of a row."""
    if node.method not in ("value", "exist") or cx.session.options.deviations:
        return row_function(node, cx)
    document = cx.of_method().expression(node.target)
    python = row_function(node, cx, document)
    if document.type == NODE or document.constant is not None or has_few_rows(cx):
        return python
    python = msgspec.structs.replace(python, sql=unless_null(python.sql, [document]))
    path = _path(node, document.type, cx)
    form = None if path is None else _exist(path) if node.method == "exist" else _value(path, python.type)
    if form is None:
        return python
    sql, stands_once = guarded(
        form, [document], lambda: python.sql, over=lambda named: row_function(node, cx, named[0]).sql
    )
    return msgspec.structs.replace(python, sql=sql, stands_once=stands_once)


def _path(node: ast.MethodCall, document: SqlType, cx: Context) -> PlainPath | None:
    """A path that is plain, with names alone: of a document without a schema."""
    from sbql.engine.documents.xml_methods import is_schema_bound  # XML is imported when it is used
    from sbql.engine.documents.xquery.programs import compile_xquery

    (text, *_) = node.arguments
    if not isinstance(text, ast.StringLiteral) or is_schema_bound(document):
        return None
    compiled = compile_xquery(text.value, tuple(cx.statement.scope.namespaces.items()), f"{node.method}()")
    path = compiled.plain
    if compiled.variables or path is None or "}" in path.attribute:
        return None
    if path.is_own:
        return path if node.method == "value" else None
    names = (path.anywhere,) if path.anywhere else path.names
    return path if names and all(name.isascii() for name in (*names, path.attribute)) else None


# --- the way to the place ----------------------------------------------------------------------------------

_TEXT: Final = "[^<>]*"
_NAME: Final = r"""[^<>/!?="'\s]+"""
_ATTRIBUTE: Final = f' {_NAME}="[^<>"]*"'
_ATTRIBUTES: Final = f"(?:{_ATTRIBUTE})*"
_DEPTH: Final = 2
"""Levels of elements that are passed on the way."""
_LONGEST: Final = 1 << 16
"""Bytes of a document: Python reads longer ones part by part, and can be stopped."""


def _element(depth: int) -> str:
    inside = f"{_TEXT}(?:{_element(depth - 1)}{_TEXT})*" if depth > 1 else _TEXT
    return f"<{_NAME}{_ATTRIBUTES}(?:/>|>{inside}</{_NAME}>)"


def _way(path: PlainPath) -> str:
    """From the beginning to the name in the start tag of the element, to the quote before the value of an attribute.

    It enters the first element of the name that it can: one that is passed instead has nothing in it that is looked
    for, since all that is in such an element could have been passed, too.
    """
    between = f"{_ATTRIBUTES}>{_TEXT}(?:{_element(_DEPTH)}{_TEXT})*?"
    way = "^" + between.join(f"<{_spelt(name)}" for name in path.names or ())
    return f'{way}(?:{_ATTRIBUTE})*? {_spelt(path.attribute)}="' if path.attribute else way


def _spelt(name: str) -> str:
    return name.replace(".", "[.]")


def _literal(text: str) -> str:
    return in_form(quote_literal(text))


def _is_usual(path: PlainPath) -> str:
    """No start tag but those of elements, where one is looked for anywhere."""
    signs = ("xmlns", "<!", "<?") if path.anywhere else ("xmlns",)
    return " AND ".join([f"strlen({{0}}) <= {_LONGEST}", *(f"NOT contains({{0}}, '{sign}')" for sign in signs)])


def _exist(path: PlainPath) -> Form | None:
    if not path.ends_with_element and not path.attribute:
        return None
    begins = f"<{_spelt(path.anywhere)}" if path.anywhere else _way(path)
    pattern = begins if path.attribute else f"{begins}[ />]"
    is_there = f"{_is_usual(path)} AND regexp_matches({{0}}, {_literal(pattern)})"
    is_nowhere = f"NOT contains({{0}}, {_literal(path.needed[0])})"
    return Form(f"CASE WHEN {is_nowhere} THEN false WHEN {is_there} THEN true END", misses=True)


def _value(path: PlainPath, target: SqlType) -> Form | None:
    """What is entered ends the way, whatever is in it, and so does the first start tag of a name that may stand
    anywhere: the value is looked at behind that, or the next element of the name would be taken for the first."""
    spelling = _spelling(target, is_attribute=bool(path.attribute))
    if spelling is None:
        return None
    if path.is_own:  # of a document that is a text
        is_text = f"strlen({{0}}) <= {_LONGEST} AND regexp_full_match({{0}}, {_literal(spelling.pattern)})"
        return Form(f"CASE WHEN {is_text} THEN {spelling.sql.format('{0}')} END", misses=True)
    if path.anywhere:
        name = _spelt(path.anywhere)
        way, value = rf"<{name}[\s/>][^<]*</?", f"^<{name}{_ATTRIBUTES}>({spelling.pattern})</$"
    elif path.attribute:
        way, value = f'{_way(path)}[^<>"]*"', f'"({spelling.pattern})"$'
    else:
        way, value = f"{_way(path)}{_ATTRIBUTES}(?:/>|>{_TEXT}</?)", f">({spelling.pattern})</$"
    found = f"regexp_extract({{0}}, {_literal(way)})"
    text = f"list_extract(regexp_extract_all({found}, {_literal(value)}, 1), 1)"
    return Form(f"CASE WHEN {_is_usual(path)} THEN {spelling.sql.format(text)} END", misses=True)


# --- values ------------------------------------------------------------------------------------------------


class _Spelling(Struct, frozen=True):
    """How a value is written of whose text, {}, `sql` makes what the converter does."""

    pattern: str
    sql: str


_DIGITS: Final = {"tinyint": 2, "smallint": 4, "int": 9, "bigint": 18}
"""As many always fit."""
_DAY: Final = "[0-9]{3}-[0-9]{2}-[0-9]{2}"
_SECOND: Final = "T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
_GUID: Final = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"


def _spelling(target: SqlType, *, is_attribute: bool) -> _Spelling | None:
    name = target.name
    if name in ("char", "varchar", "nchar", "nvarchar"):
        return _text(target, '"' if is_attribute else "")
    if name in _DIGITS:
        sign = "" if name == "tinyint" else "-?"
        return _Spelling(f"{sign}[0-9]{{1,{_DIGITS[name]}}}", f"CAST({{}} AS {duck_type(target)})")
    if name == "bit":
        return _Spelling("[01]", "CAST({} AS BOOLEAN)")
    if name in ("decimal", "numeric", "money", "smallmoney"):
        return _number(target)
    if name == "date":
        return _Spelling(f"[1-9]{_DAY}", "TRY_CAST({} AS DATE)")
    if name in ("datetime", "datetime2"):
        return _moment(target)
    if name == "float":
        return _Spelling(rf"-?[1-9][0-9]{{0,14}}{_places(15)}|0{_places(15)}", "CAST({} AS DOUBLE)")
    return _Spelling(_GUID, "CAST({} AS UUID)") if name == "uniqueidentifier" else None


def _places(most: int) -> str:
    """Digits behind the point."""
    return f"(?:[.][0-9]{{1,{most}}})?" if most else ""


def _moment(target: SqlType) -> _Spelling:
    """Without a time zone, and with no more digits than DuckDB has. A datetime's are rounded, not in its last years."""
    moment = "TRY_CAST({} AS TIMESTAMP)"
    if target.name == "datetime":
        return _Spelling(f"[2-8]{_DAY}{_SECOND}{_places(3)}", to_300ths(f"epoch_us({moment})"))
    pattern = f"[1-9]{_DAY}{_SECOND}{_places(6 if target.scale is None else min(target.scale, 6))}"
    return _Spelling(pattern, f"(epoch_us({moment}) + {FIRST_MICROSECOND}) * 10" if in_ticks(target) else moment)


def _text(target: SqlType, mark: str) -> _Spelling:
    """Characters that stand for themselves, each of one unit: of national text those below U+10000, else ASCII. `mark`
    ends it."""
    beyond = r"\x{10000}" if target.name[0] == "n" else r"\x{80}"
    pattern = rf"[^<>&\r{mark}{beyond}-\x{{10FFFF}}]+"
    if target.length == MAX:
        return _Spelling(pattern, "{}")
    cut = f"left({{}}, {target.length})" if "var" in target.name else f"rpad({{}}, {target.length}, ' ')"
    return _Spelling(pattern, cut)


def _number(target: SqlType) -> _Spelling | None:
    before = {"money": 14, "smallmoney": 5}.get(target.name) or digits_before(target)
    after = 4 if "money" in target.name else digits_after(target)
    if before < 1:
        return None
    return _Spelling(f"-?[0-9]{{1,{before}}}{_places(after)}", f"CAST({{}} AS {duck_type(target)})")
