"""sys.fn_varbintohexstr and its kin, which scripts call to write bytes and other values as literals.

They are undocumented functions of master; what they give is what servers give. They are called by a name of two or more
parts only: sys.name, or master.dbo.name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.scalars.function_registry import function
from sbql.grammar.names import string_literal
from sbql.grammar.types import BIT, INT, NVARCHAR_MAX, SQL_VARIANT, VARBINARY_MAX, SqlType, Variant
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import DATE_NAMES, is_national, kind

__all__: list[str] = []


@function("FN_VARBINTOHEXSTR", NVARCHAR_MAX, [VARBINARY_MAX])
def _hex(value: bytes) -> str:
    return "0x" + value.hex()


@function("FN_VARBINTOHEXSUBSTRING", NVARCHAR_MAX, [BIT, VARBINARY_MAX, INT, INT])
def _hex_part(prefix: bool, value: bytes, start: int, count: int) -> str | None:
    """`count` bytes from the 1-based byte `start`, all of them for a count of 0 or less; with 0x when `prefix` is 1."""
    if start < 1 or start > max(len(value), 1):
        return None
    part = value[start - 1 :] if count <= 0 else value[start - 1 : start - 1 + count]
    return ("0x" if prefix else "") + part.hex()


@function("FN_SQLVARBASETOSTR", NVARCHAR_MAX, [SQL_VARIANT])
def _literal(value: Variant) -> str:
    """A value as a literal of T-SQL: text in quotation marks, bytes as 0x…, numbers as they are."""
    sql_type, content = value.type, value.value
    family = kind(sql_type)
    if family == "binary":
        return f"0x{content.hex()}"
    text: str = _text(content, sql_type)
    if family == "string" or family == "guid" or sql_type.name in DATE_NAMES:
        return string_literal(text, is_national=is_national(sql_type))
    return text


def _text(content: Any, sql_type: SqlType) -> str:
    style = 121 if sql_type.name in DATE_NAMES else 2 if kind(sql_type) in ("money", "float") else None
    change: Callable[[Any], Any] | None = converter(sql_type, NVARCHAR_MAX, style, True)
    return str(content if change is None else change(content))
