"""FOR XML PATH('') of texts in DuckDB: the values of all rows are joined, and the whole text is escaped.

Decides which clauses are such: no element of a row or around all, and columns without one, of texts and whole numbers.
What the escapes are is `documents.for_xml_parts`, which writes texts with control characters or halves of pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sbql.catalog.duck_types import quote_literal
from sbql.catalog.parallelism import AS_FOUND
from sbql.catalog.stored_text import FIRST_RESERVED, LAST_RESERVED
from sbql.engine.documents.for_xml_parts import XmlColumn, XmlOptions, escape_text
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import call
from sbql.engine.query.few_rows import has_few_rows
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar.types import NVARCHAR_MAX
from sbql.grammar.values.kinds import kind

__all__ = ["joined_values"]

_TEXTS: Final = frozenset({"", "*", "text()", "node()"})
_ODD: Final = rf"[\x00-\x08\x0b-\x1f\x{{{FIRST_RESERVED:X}}}-\x{{{LAST_RESERVED:X}}}]"
"""A control character that XML refers to, or half of a pair, which may meet the other one, as a regular expression."""
_NAMED: Final = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"))


def joined_values(
    columns: Sequence[XmlColumn], options: XmlOptions, rows: str, order: str, alias: str, cx: Context
) -> str | None:
    """The query for the text of `rows`, whose columns are c1, c2 …; None for other clauses, and for few rows, of which
    Python's text is bound faster."""
    if cx.statement.is_in_window or has_few_rows(cx) or not _has_texts_alone(options):
        return None
    names = [column.name for column in columns]
    if not (_TEXTS.issuperset(names) or names == ["data()"]) or any(
        kind(column.type) not in ("string", "int") for column in columns
    ):
        return None
    values = [
        f"{alias}.c{i}" if kind(column.type) == "string" else f"CAST({alias}.c{i} AS VARCHAR)"
        for i, column in enumerate(columns, 1)
    ]
    value = values[0] if len(values) == 1 else f"concat({', '.join(values)})"
    between = quote_literal(" " if names == ["data()"] else "")
    values_joined = f"array_to_string(list({value}{order or AS_FOUND}), {between})"  # NULL where all of them are
    joined = f"SELECT coalesce({values_joined}, CASE WHEN count(*) > 0 THEN '' END) AS t FROM ({rows}) AS {alias}"
    text = f"{alias}.t"
    python = call("xml_text", "", escape_text, [Typed(text, NVARCHAR_MAX)], NVARCHAR_MAX, cx, is_pure=True)
    escaped = text
    for sign, name in _NAMED:
        escaped = f"replace({escaped}, '{sign}', '{name}')"
    chosen = f"CASE WHEN regexp_matches({text}, '{_ODD}') THEN {python} ELSE {escaped} END"
    return f"SELECT {chosen} AS c1 FROM ({joined}) AS {alias}"


def _has_texts_alone(options: XmlOptions) -> bool:
    return (
        (options.mode, options.element) == ("PATH", "")
        and options.source is not None
        and options.root is None
        and not (options.elements or options.is_typed or options.namespaces)
    )
