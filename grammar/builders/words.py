"""Arguments that are words and not values: date parts, the type that ISJSON asks for, the type of IDENTITY().

The grammar reads them as names of columns or as calls; here, where the function is known, they get nodes of their own,
so that nothing behind the parser takes them for columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.grammar.ast import (
    ColumnReference,
    DataTypeReference,
    FunctionCall,
    Identifier,
    IntegerLiteral,
    ObjectName,
    Word,
)
from sbql.grammar.errors import sql_error

__all__ = ["date_part", "with_words"]

Arguments = tuple[Any, ...]
_JSON_TYPES = frozenset({"VALUE", "ARRAY", "OBJECT", "SCALAR"})


def date_part(node: Any, function_name: str) -> Word:
    """The bare name that a date function begins with. Raises 1023 for anything else."""
    word = _bare_word(node)
    if word is None:
        raise sql_error(1023, 1, function_name.lower(), span=node.span)
    return word


def _bare_word(node: Any) -> Word | None:
    if not isinstance(node, ColumnReference) or len(node.parts) != 1 or node.parts[0] is None:
        return None
    return Word(node.parts[0], span=node.span)


def _with_date_part(name: str, arguments: Arguments) -> Arguments:
    return (date_part(arguments[0], name), *arguments[1:])


def _with_json_type(name: str, arguments: Arguments) -> Arguments:
    """Raises 102 for what is none of the four words."""
    if len(arguments) != 2:
        return arguments
    word = _bare_word(arguments[1])
    if word is None or word.name.value.upper() not in _JSON_TYPES:
        raise sql_error(102, word.name.value if word is not None else name, span=arguments[1].span)
    return (arguments[0], word)


def _with_type(name: str, arguments: Arguments) -> Arguments:
    """A type, be it one without numbers or with whole ones; anything else is left for who knows IDENTITY()."""
    given = arguments[0]
    if isinstance(given, ColumnReference) and None not in given.parts:
        type_ = DataTypeReference(ObjectName(given.parts, span=given.span), span=given.span)
    elif isinstance(given, FunctionCall) and all(isinstance(a, IntegerLiteral) for a in given.arguments):
        numbers = tuple(a.value for a in given.arguments if isinstance(a, IntegerLiteral))
        type_ = DataTypeReference(given.name, numbers, span=given.span)
    else:
        return arguments
    return (type_, *arguments[1:])


_FORMS: dict[str, Callable[[str, Arguments], Arguments]] = {
    **dict.fromkeys(
        ("DATEADD", "DATEDIFF", "DATEDIFF_BIG", "DATENAME", "DATEPART", "DATETRUNC", "DATE_BUCKET"), _with_date_part
    ),
    "ISJSON": _with_json_type,
    "IDENTITY": _with_type,
}


def with_words(name: Identifier, arguments: Arguments) -> Arguments:
    """The arguments of a built-in function with its words as such. Raises 102, 1023 for what is none."""
    form = _FORMS.get(name.value.upper())
    return form(name.value, arguments) if form is not None and arguments else arguments
