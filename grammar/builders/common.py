"""Builders of names, types, small choices and the batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sbql.grammar.ast import (
    Batch,
    BeginEndBlock,
    CreateSchemaStatement,
    DataTypeReference,
    ExecuteStatement,
    Identifier,
    IfStatement,
    IntegerLiteral,
    NumericLiteral,
    ObjectName,
    ReturnStatement,
    Span,
    Statement,
    StringLiteral,
    TryCatchStatement,
    UnsupportedStatement,
    VariableReference,
    WhileStatement,
)
from sbql.grammar.builders.builder_table import node, rule
from sbql.grammar.digits import whole
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.names import bracketed
from sbql.grammar.syntax_errors import incorrect_syntax

__all__ = [
    "duplicate",
    "forbid_returned_values",
    "merge_options",
    "name_parts",
    "one_word",
    "released",
    "spelled",
    "text_of",
    "type_named",
]


# --- the batch ---------------------------------------------------------------------------------------------


@rule()
def batch(span: Span, *statements: Statement) -> Batch:
    for statement in statements[1:]:
        if isinstance(statement, CreateSchemaStatement):
            raise sql_error(111, "CREATE SCHEMA", span=statement.span)
    forbid_returned_values(statements)
    forbid_schemas(statements)
    return Batch(statements, span=span)


def forbid_returned_values(statements: Iterable[Statement]) -> None:
    """Error 178 for a RETURN with a value: only procedures and scalar functions return one."""
    for statement in statements:
        if isinstance(statement, ReturnStatement) and statement.value is not None:
            raise sql_error(178, span=statement.span)
        forbid_returned_values(_inner(statement))


def forbid_schemas(statements: Iterable[Statement]) -> None:
    """Error 156 for a CREATE SCHEMA inside of another statement."""
    for statement in statements:
        inner = _inner(statement)
        for found in inner:
            if isinstance(found, CreateSchemaStatement):
                raise sql_error(156, "SCHEMA", span=found.span)
        forbid_schemas(inner)


def _inner(statement: Statement) -> tuple[Statement, ...]:
    """The statements inside a statement of control flow."""
    if isinstance(statement, BeginEndBlock):
        return statement.statements
    if isinstance(statement, IfStatement):
        return (statement.then,) if statement.otherwise is None else (statement.then, statement.otherwise)
    if isinstance(statement, WhileStatement):
        return (statement.body,)
    return (*statement.try_block, *statement.catch_block) if isinstance(statement, TryCatchStatement) else ()


@rule()
def execute_implicitly(span: Span, procedure: ObjectName, arguments: tuple[Any, ...] | None) -> ExecuteStatement:
    return ExecuteStatement(procedure, arguments or (), span=span)


node("unsupported", UnsupportedStatement)


# --- names and types ---------------------------------------------------------------------------------------


def name_parts(span: Span, children: tuple[Any, ...]) -> tuple[Identifier | None, ...]:
    """The parts of a dotted name, from its identifiers and dots; a part left out is None."""
    if len(children) == 1:
        return children
    parts: list[Identifier | None] = []
    after_dot = False
    for child in children:
        if child != ".":
            parts.append(child)
        elif after_dot:
            parts.append(None)
        after_dot = child == "."
    if len(parts) > 4:
        raise sql_error(117, "object", ".".join("" if p is None else p.value for p in parts), 3, span=span)
    return tuple(parts)


@rule()
def object_name(span: Span, *children: Any) -> ObjectName:
    return ObjectName(name_parts(span, children), span=span)


@rule()
def data_type(span: Span, name: ObjectName, *arguments: IntegerLiteral | ObjectName) -> DataTypeReference:
    if len(arguments) == 1 and isinstance(arguments[0], ObjectName) and name.name.lower() == "xml":
        return DataTypeReference(name, (), arguments[0], span=span)
    return DataTypeReference(name, tuple(_type_argument(a) for a in arguments if a is not None), span=span)


def _type_argument(argument: IntegerLiteral | ObjectName) -> int | str:
    if isinstance(argument, IntegerLiteral):
        return argument.value
    if str(argument).lower() != "max":
        raise incorrect_syntax(argument.name, "Expected a number or MAX.", argument.span)
    return "max"


@rule()
def xml_type(span: Span, name: ObjectName, kind: tuple[str, ...], collection: ObjectName) -> DataTypeReference:
    return DataTypeReference(name, (), collection, kind[0], span=span)


def type_named(span: Span, text: str, arguments: tuple[int | str, ...] = ()) -> DataTypeReference:
    """A type by its plain name."""
    return DataTypeReference(ObjectName((Identifier(text, span=span),), span=span), arguments, span=span)


@rule()
def cursor_type(span: Span) -> DataTypeReference:
    return type_named(span, "cursor")


@rule()
def double_type(span: Span) -> DataTypeReference:
    return type_named(span, "float")


_VARYING = {"char": "varchar", "character": "varchar", "nchar": "nvarchar", "binary": "varbinary"}
_NATIONAL = {"char": "nchar", "character": "nchar", "text": "ntext", "varchar": "nvarchar"}


@rule()
def varying_type(span: Span, name: ObjectName, argument: IntegerLiteral | ObjectName | None) -> DataTypeReference:
    """`char varying (n)` is varchar(n)."""
    spelled = _VARYING.get(name.name.lower())
    if spelled is None:
        raise incorrect_syntax("VARYING", "", span)
    return type_named(span, spelled, () if argument is None else (_type_argument(argument),))


@rule()
def national_type(span: Span, name: Identifier, *rest: Any) -> DataTypeReference:
    """`national char (n)` is nchar(n)."""
    spelled = _NATIONAL.get(name.value.lower())
    if spelled is None:
        raise incorrect_syntax(name.value, "", name.span)
    return type_named(span, spelled, tuple(_type_argument(a) for a in rest if a is not None))


# --- small choices -----------------------------------------------------------------------------------------


@rule("true")
def _true(span: Span) -> bool:
    return True


@rule("false", "plain")
def _false(span: Span) -> bool:
    return False


@rule("none", "nothing")
def _none(span: Span, *children: Any) -> None:
    """What is accepted and has no effect here."""


@rule("no_names")
def _no_names(span: Span) -> tuple[Identifier, ...]:
    return ()


@rule("item", "authorization")
def _item(span: Span, child: Any) -> Any:
    return child


@rule("first_item")
def _first_item(span: Span, first: Any, *ignored: Any) -> Any:
    """The words of a statement whose details have no effect here."""
    return first


@rule("integer")
def _integer(span: Span, literal: IntegerLiteral) -> int:
    return literal.value


@rule("negative_integer")
def _negative_integer(span: Span, literal: IntegerLiteral) -> int:
    return -literal.value


@rule("signed_integer")
def _signed_integer(span: Span, value: int) -> int:
    return value


@rule("whole_numeric")
def _whole_numeric(span: Span, literal: NumericLiteral) -> int:
    """`10.` is a whole number too."""
    digits, _, fraction = literal.text.partition(".")
    if fraction.strip("0"):
        raise incorrect_syntax(literal.text, "Expected a whole number.", span)
    return whole(digits or "0")


@rule("negative_numeric")
def _negative_numeric(span: Span, literal: NumericLiteral) -> int:
    return -int(_whole_numeric(span, literal))


# --- helpers of the other builders -------------------------------------------------------------------------


def one_word(children: tuple[Any, ...]) -> str:
    """Keywords and bare names as one upper-case phrase."""
    return " ".join(c.upper() if isinstance(c, str) else str(c.value).upper() for c in children if c is not None)


def text_of(value: Any) -> str:
    """An option's value as written: a string's text, a word, a number, bytes as hexadecimal."""
    if isinstance(value, tuple):
        return " ".join(text_of(part) for part in value if part is not None)
    if isinstance(value, (StringLiteral, Identifier)):
        return value.value
    if isinstance(value, VariableReference):
        return value.name
    if isinstance(value, IntegerLiteral):
        return str(value.value)
    if isinstance(value, NumericLiteral):
        return value.text
    if hasattr(value, "value") and isinstance(value.value, bytes):
        return "0x" + value.value.hex().upper()
    return str(value)


def merge_options(
    span: Span, options: tuple[tuple[str, Any], ...], words: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Options as keywords of a node's constructor. One that is written twice is wrong syntax. `words`: how keywords are
    written that are not the option's word."""
    merged: dict[str, Any] = {}
    for key, value in options:
        if key in merged:
            raise duplicate(getattr(value, "span", span), (words or {}).get(key, key))
        merged[key] = value
    return merged


def duplicate(span: Span, key: str) -> SqlError:
    return incorrect_syntax(key.upper(), "Each option may be written once.", span)


def released(span: Span, word: str, hint: str) -> SqlError:
    """The error for a form that only the pre-release product had; the hint shows the released one."""
    return incorrect_syntax(word, hint, span)


def spelled(name: ObjectName) -> str:
    """A name as text, its delimited parts in brackets."""
    parts = ("" if p is None else bracketed(p.value) if p.quoted else p.value for p in name.parts)
    return ".".join(parts)
