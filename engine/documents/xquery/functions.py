"""The functions of XQuery in SQL Server, and the parser of the XPath text that expressions become.

Decides which functions and types there are, and that a value which cannot be converted counts as no value: what XPath
calls a dynamic error gives the empty sequence here (documentation: "XQuery Functions against the xml Data Type", "Type
Casting Rules in XQuery"). elementpath is imported on first use, as it takes a third of a second.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable
from copy import copy
from decimal import Decimal
from typing import Any

from sbql.engine.documents.xquery.items import double_text, is_node, item_text, top_of
from sbql.engine.documents.xquery.templates import made

__all__ = ["FUNCTIONS", "PARAMETERS", "SINGLE_ARGUMENTS", "TYPES", "make_parser", "type_kind"]

OWN_NAMESPACE = "urn:sbql:xquery"
"""Of the functions that the translation itself calls; no prefix of a user leads to it."""

FUNCTIONS: dict[str, tuple[int, int | None, str, str]] = {
    "ceiling": (1, 1, "number", "ceiling"), "floor": (1, 1, "number", "floor"), "round": (1, 1, "number", "round"),
    "concat": (2, None, "string", "concat"), "contains": (2, 2, "boolean", "contains"),
    "substring": (2, 3, "string", "substring"),
    "string-length": (0, 1, "number", "string-length"), "lower-case": (1, 1, "string", "lower-case"),
    "upper-case": (1, 1, "string", "upper-case"),
    "not": (1, 1, "boolean", "not"), "number": (0, 1, "number", "number"), "local-name": (0, 1, "string", "local-name"),
    "namespace-uri": (0, 1, "string", "namespace-uri"), "last": (0, 0, "number", "last"),
    "position": (0, 0, "number", "position"),
    "empty": (1, 1, "boolean", "empty"), "distinct-values": (1, 1, "untyped", "distinct-values"),
    "id": (1, 1, "element", "id"),
    "count": (1, 1, "number", "count"), "avg": (1, 1, "number", "avg"), "min": (1, 1, "untyped", "min"),
    "max": (1, 1, "untyped", "max"),
    "sum": (1, 1, "number", "sum"), "string": (0, 1, "string", "string"), "data": (0, 1, "untyped", "data"),
    "true": (0, 0, "boolean", "true"),
    "false": (0, 0, "boolean", "false"), "expanded-QName": (2, 2, "untyped", "QName"),
    "local-name-from-QName": (1, 1, "string", "local-name-from-QName"),
    "namespace-uri-from-QName": (1, 1, "string", "namespace-uri-from-QName"),
}  # fmt: skip
"""Name to least and most arguments, the kind of the result, and what XPath calls it."""

SINGLE_ARGUMENTS = frozenset(FUNCTIONS) - {
    "not", "empty", "distinct-values", "id", "count", "avg", "min", "max", "sum", "data", "true", "false", "last",
    "position",
}  # fmt: skip
"""Functions whose arguments must be singletons (2389)."""

PARAMETERS = {
    "ceiling": "number", "floor": "number", "round": "number", "concat": "string", "contains": "string",
    "substring": "string", "string-length": "string", "lower-case": "string", "upper-case": "string",
    "number": "node", "local-name": "node", "namespace-uri": "node",
}  # fmt: skip
"""What the arguments of a function must be, untyped values aside."""

_NUMBERS = frozenset(
    "decimal float double integer nonPositiveInteger negativeInteger long int short byte nonNegativeInteger "
    "unsignedLong unsignedInt unsignedShort unsignedByte positiveInteger".split()
)
_TEXTS = frozenset("string normalizedString token language NMTOKEN Name NCName ID IDREF ENTITY anyURI".split())
_DATES = frozenset(
    "dateTime date time gYearMonth gYear gMonthDay gDay gMonth duration dayTimeDuration yearMonthDuration".split()
)
TYPES = _NUMBERS | _TEXTS | _DATES | {"boolean", "hexBinary", "base64Binary", "untypedAtomic"}

_CONVERTING = ("+", "-", "*", "div", "mod", "cast", "ceiling", "floor", "round", "substring")
"""What converts its operands: where that fails, there is no value."""


def type_kind(name: str) -> str:
    if name in _NUMBERS:
        return "number"
    if name in _TEXTS:
        return "string"
    return "date" if name in _DATES else "boolean" if name == "boolean" else "untyped"


# --- values ------------------------------------------------------------------------------------------------


def _atomic(items: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for item in items:
        if is_node(item):
            found.extend(item.iter_typed_values)
        else:
            found.append(item)
    return found


def _selected(token: Any, context: Any) -> list[Any]:
    return list(token.select(copy(context)))


def _is_untyped(value: Any) -> bool:
    return type(value).__name__ == "UntypedAtomic"


def _numbers(token: Any, context: Any) -> list[Any]:
    """The argument of an aggregate: untyped values as numbers; those that are none do not count."""
    found: list[Any] = []
    for value in _atomic(_selected(token[0], context)):
        if _is_untyped(value):
            try:
                found.append(float(str(value)))
            except ValueError:
                continue
        else:
            found.append(value)
    if any(isinstance(v, float) for v in found):
        found = [float(v) if isinstance(v, Decimal) else v for v in found]
    return found


def _sum(token: Any, context: Any) -> Any:
    found = _numbers(token, context)
    return functools.reduce(operator.add, found) if found else 0


def _average(token: Any, context: Any) -> Any:
    found = _numbers(token, context)
    if not found:
        return []
    total = functools.reduce(operator.add, found)
    return Decimal(total) / len(found) if isinstance(total, int) else total / len(found)


def _least(token: Any, context: Any) -> Any:
    found = _numbers(token, context)
    return min(found) if found else []


def _greatest(token: Any, context: Any) -> Any:
    found = _numbers(token, context)
    return max(found) if found else []


_COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip


def _pairs_compare(token: Any, context: Any) -> Any:
    """A comparison, pair by pair: an untyped value takes the type of the other one; where that fails, the pair does not
    hold."""
    compare = _COMPARED[token.symbol]
    left, right = _atomic(_selected(token[0], context)), _atomic(_selected(token[1], context))
    return any(_pair_holds(compare, a, b) for a in left for b in right)


def _pair_holds(compare: Callable[[Any, Any], Any], left: Any, right: Any) -> bool:
    try:
        if _is_untyped(left):
            left = _like(right, str(left))
        if _is_untyped(right):
            right = _like(left, str(right))
        return bool(compare(left, right))
    except (ValueError, TypeError, ArithmeticError):
        return False


def _like(other: Any, text: str) -> Any:
    if isinstance(other, bool):
        if text.strip() not in ("true", "1", "false", "0"):
            raise ValueError(text)
        return text.strip() in ("true", "1")
    if isinstance(other, int | float | Decimal):
        return float(text)
    if isinstance(other, str) or _is_untyped(other):
        return text
    return type(other).fromstring(text)


# --- own functions -----------------------------------------------------------------------------------------


def _made(token: Any, context: Any) -> Any:
    """sbql:made(number, items…): the node of a constructor."""
    template, scope = token.parser.made.templates[token[0].value]
    node = made(template, [_selected(part, context) for part in list(token)[1:]], scope)
    return [] if node is None else node


def _sorted(token: Any, context: Any) -> list[Any]:
    """sbql:sorted(number, width, rows): the rows of a FLWOR by the keys that stand after their variables."""
    orderings = token.parser.made.orderings[token[0].value]
    width = token[1].value
    rows = _selected(token[2], context)
    for number in reversed(range(len(orderings))):
        ordering = orderings[number]

        def key(row: Any, number: int = number, ordering: Any = ordering) -> tuple[Any, ...]:
            member = row.items(context)[width + number]
            values = _atomic(member if isinstance(member, list) else [member])
            if not values:
                return (2 if ordering.empty_greatest else 0, 0, 0.0, "")
            value = values[0]
            if isinstance(value, bool | int | float | Decimal):
                return (1, 0, float(value), "")
            return (1, 1, 0.0, item_text(value))

        rows.sort(key=key, reverse=ordering.descending)
    return rows


# --- the parser --------------------------------------------------------------------------------------------


def _with_context(compute: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A token's `evaluate` that needs a context, as all that reads nodes does."""

    def evaluate(self: Any, context: Any = None) -> Any:
        if context is None:
            raise self.missing_context()
        return compute(self, context)

    return evaluate


def _lenient(before: Callable[..., Any], otherwise: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """`evaluate`, with `otherwise` in place of dynamic errors."""
    from elementpath import ElementPathError

    def evaluate(self: Any, context: Any = None) -> Any:
        if context is None:
            return before(self, context)
        try:
            return before(self, context)
        except (ElementPathError, ValueError, TypeError, ArithmeticError):
            return otherwise(self, context)

    return evaluate


def _nothing(token: Any, context: Any) -> list[Any]:
    return []


def _false_of_nothing(before: Callable[..., Any]) -> Callable[..., Any]:
    """A value comparison with no value is false here (documentation: "Comparison Expressions")."""

    def evaluate(self: Any, context: Any = None) -> Any:
        found = before(self, context)
        return False if found is None or found == [] else found

    return evaluate


def _not_nan(before: Callable[..., Any]) -> Callable[..., Any]:
    def evaluate(self: Any, context: Any = None) -> Any:
        value = before(self, context)
        return [] if isinstance(value, float) and value != value else value

    return evaluate


def _string_value(before: Callable[[Any, Any], str]) -> Callable[[Any, Any], str]:
    """string() and xs:string() with doubles as SQL Server writes them."""
    return lambda self, item: double_text(item) if isinstance(item, float) else before(self, item)


def _by_place(before: Callable[..., Any]) -> Callable[..., Any]:
    """<< and >> of two nodes of one tree: by the places that they were given in document order. elementpath looks for
    the first of both from the beginning of the document."""

    def evaluate(self: Any, context: Any = None) -> Any:
        if context is not None:
            left, right = list(self[0].select(context)), list(self[1].select(context))
            if len(left) == len(right) == 1 and is_node(left[0]) and is_node(right[0]):
                if top_of(left[0]) is top_of(right[0]):
                    first, second = left[0].position, right[0].position
                    return bool(first < second if self.symbol == "<<" else first > second)
        return before(self, context)

    return evaluate


@functools.cache
def _parser_class() -> Any:
    from elementpath.xpath31 import XPath31Parser

    from sbql.engine.documents.xquery.moments import FineDateTime, FineTime

    class Parser(XPath31Parser):  # type: ignore[misc]
        """XPath 3.1 with the functions of the translation."""

        made: Any = None

    table: Any = Parser.symbol_table

    def change(symbol: str, evaluate: Callable[..., Any]) -> None:
        known = table[symbol]
        table[symbol] = type(known.__name__, (known,), {"evaluate": evaluate})

    table["dateTime"].type_class, table["time"].type_class = FineDateTime, FineTime
    for symbol in _COMPARED:
        change(symbol, _false_of_nothing(_lenient(table[symbol].evaluate, _pairs_compare)))
    for symbol in ("<<", ">>"):
        change(symbol, _by_place(table[symbol].evaluate))
    for symbol in (*_CONVERTING, *sorted(TYPES - {"untypedAtomic"})):
        if symbol in table:
            change(symbol, _lenient(table[symbol].evaluate, _nothing))
    known: Any = table["string"]
    table["string"] = type(known.__name__, (known,), {"string_value": _string_value(known.string_value)})
    change("number", _not_nan(table["number"].evaluate))
    for symbol, compute in (("sum", _sum), ("avg", _average), ("min", _least), ("max", _greatest)):
        change(symbol, _with_context(compute))
    first = Parser(namespaces={"sbql": OWN_NAMESPACE}, strict=False)
    for name, compute in (("made", _made), ("sorted", _sorted)):
        token: Any = first.external_function(lambda *_: None, name, prefix="sbql")
        token.evaluate = _with_context(compute)
    Parser.symbol_table = first.symbol_table
    Parser.tokenizer = Parser.create_tokenizer(Parser.symbol_table)
    return Parser


def make_parser(namespaces: dict[str, str], default_namespace: str, made_things: Any) -> Any:
    """A parser for one XQuery. `made_things` are its templates and orderings."""
    known = {prefix: uri for prefix, uri in namespaces.items() if prefix}
    parser = _parser_class()(
        namespaces={**known, "sbql": OWN_NAMESPACE}, default_namespace=default_namespace, strict=False
    )
    parser.made = made_things
    return parser
