"""OPENXML as a relation: its columns come from a WITH list, from a table, or are those of the edge table.

Documents are prepared by sp_xml_preparedocument, which keeps them under a handle in the session's `context_values`. The
rows are made by `engine/documents/open_xml.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sbql.catalog.records import Table
from sbql.engine.documents.open_xml import EDGE_COLUMNS, PreparedDocument, RowColumn
from sbql.engine.query.context import Context, source
from sbql.engine.query.conversions import convert
from sbql.engine.query.registered import running_frame
from sbql.engine.query.unnesting import Rows, place, unnested
from sbql.engine.security.resolver import resolve
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT, NVARCHAR_MAX, SqlType
from sbql.grammar.values.conversions import converter

__all__ = ["DOCUMENTS"]

DOCUMENTS = "xml documents"


@source(ast.OpenXmlTable)
def open_xml(node: ast.OpenXmlTable, cx: Context) -> str:
    """OPENXML(@handle, 'pattern', flags) [WITH (…) | WITH table]."""
    inner = place(cx)
    handle = convert(inner.expression(node.document), INT, inner)
    pattern = convert(inner.expression(node.row_pattern), NVARCHAR_MAX, inner)
    flags = convert(inner.expression(node.flags), INT, inner) if node.flags is not None else Typed("0", INT, False)
    exposed = node.alias.value if node.alias is not None else "openxml"
    arguments = [handle, pattern, flags]
    if not node.columns and node.table is None:
        return unnested("openxml edges", _edges, arguments, EDGE_COLUMNS, exposed, cx, node.span)
    columns = _columns(node, cx)
    types = [sql_type for _, _, sql_type in columns]
    read: list[RowColumn] = [(name, path, sql_type.name == "xml") for name, path, sql_type in columns]
    changes = [converter(NVARCHAR_MAX, t, None, True) for t in types]

    def find(document: int | None, rows: str | None, mapping: int | None) -> Rows:
        if rows is None:
            return []
        return [
            tuple(v if change is None else change(v) for v, change in zip(row, changes, strict=True))
            for row in _document(document).rows(rows, mapping or 0, read)
        ]

    what = ("openxml", read, [f"{t} {t.collection}" for t in types])
    return unnested(what, find, arguments, [(name, t) for name, _, t in columns], exposed, cx, node.span)


def _columns(node: ast.OpenXmlTable, cx: Context) -> Sequence[tuple[str, str | None, SqlType]]:
    """Name, pattern and type of each column. Raises 208 for a table that is not there."""
    if node.table is not None:
        table = resolve(cx.session, node.table, Table)
        return [(c.name, None, c.type) for c in table.columns]
    scope = cx.statement.scope
    return [
        (
            c.name.value,
            c.path.value if isinstance(c.path, ast.StringLiteral) else None,
            scope.resolve_type(c.type, position=position),
        )
        for position, c in enumerate(node.columns, 1)
    ]


def _document(handle: int | None) -> PreparedDocument:
    """Raises 8179 for an unknown handle."""
    documents = running_frame().session.context_values.get(DOCUMENTS, {})
    if handle is None or handle not in documents:
        raise sql_error(8179, handle if handle is not None else 0)
    found: PreparedDocument = documents[handle]
    return found


def _edges(handle: int | None, pattern: str | None, flags: int | None) -> Rows:
    if pattern is None:
        return []
    return [tuple(edge) for edge in _document(handle).edges(pattern)]
