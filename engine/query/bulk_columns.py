"""OPENROWSET(BULK …) with SINGLE_BLOB, SINGLE_CLOB or SINGLE_NCLOB: a file as one value.

It decides the type of the column. Which file a name means is `bulk_files.py`; format
files and CSV are error 40517 here.
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.changes import LocalTable
from sbql.catalog.duck_types import duck_type, quote, to_store
from sbql.engine.query.bulk_files import decoded, is_wide, read_file
from sbql.engine.query.context import Context, source
from sbql.engine.query.query_text import OutputColumn, QueryText, derived_relation
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.typed_sql import LocalSource, Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.types import MAX, NVARCHAR_MAX, SqlType

_TYPES = {
    "SINGLE_BLOB": SqlType("varbinary", length=MAX),
    "SINGLE_CLOB": SqlType("varchar", length=MAX),
    "SINGLE_NCLOB": NVARCHAR_MAX,
}

_NAMED = (
    "DATAFILETYPE", "DATA_SOURCE", "ERRORFILE", "ERRORFILE_DATA_SOURCE", "FIELDQUOTE", "FIELDTERMINATOR", "FIRSTROW", "FORMAT",
    "FORMATFILE", "FORMATFILE_DATA_SOURCE", "LASTROW", "MAXERRORS", "ORDER", "PARSER_VERSION", "ROWS_PER_BATCH", "ROWTERMINATOR",
)  # fmt: skip
"""Options that are only named, by error 40517."""


@source(ast.BulkRowset)
def bulk_rowset(node: ast.BulkRowset, cx: Context) -> str:
    """Raises 491 without an alias, 471 and 472 for other than one kind of value."""
    kinds = [option.name for option in node.options if option.name in _TYPES]
    for option in node.options:
        if option.name not in (*_TYPES, "CODEPAGE", *_NAMED):
            raise sql_error(102, option.name, span=option.span).advise(did_you_mean(option.name, [*_TYPES, *_NAMED]))
        if option.name in _TYPES and option.value is not None:
            raise sql_error(102, "=", span=option.span)
        if option.name in _NAMED:
            raise sql_error(40517, f"OPENROWSET(BULK …, {option.name})", span=option.span)
    if len(kinds) > 1:
        raise sql_error(471, span=node.span)
    if not kinds:
        raise sql_error(472, span=node.span)
    if node.alias is None:
        raise sql_error(491, span=node.span)
    kind, sql_type = kinds[0], _TYPES[kinds[0]]
    page = next((option.value for option in node.options if option.name == "CODEPAGE"), "ACP")
    local = cx.statement.alias("bulk_file_")

    def load(frame: Frame) -> LocalTable:
        value = to_store(_value(read_file(frame.session, node.file), kind, page), sql_type)
        return LocalTable(local, (("c1", duck_type(sql_type)),), [(value,)], object())

    cx.statement.use_local(LocalSource(local, load))
    alias = cx.statement.alias()
    column = QueryText("", (OutputColumn("BulkColumn", Typed("", sql_type, True)),))
    cx.level.add(derived_relation(column, node.alias.value, node.columns, alias, node.span), node.span)
    return f"temp.main.{quote(local)} AS {alias}"


def _value(data: bytes, kind: str, page: str | int | None) -> Any:
    """Raises 4806, 4809 when the file is not of the kind."""
    if kind == "SINGLE_BLOB":
        return data
    if kind == "SINGLE_CLOB" and is_wide(data):
        raise sql_error(4806)
    if kind == "SINGLE_NCLOB" and not is_wide(data):
        raise sql_error(4809)
    return decoded(data, page)
