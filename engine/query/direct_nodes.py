"""The nodes of one document, `FROM @x.nodes('/a/b') AS t (c)`, as rows that need no DuckDB.

Decides which documents and paths: those that variables alone say. It must not know what is made of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.ports import Session
from sbql.engine.query.context import is_constant
from sbql.engine.query.plain_expressions import is_plain
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.row_expressions import RowColumn
from sbql.engine.tables.typed_sql import NODE
from sbql.grammar import ast
from sbql.grammar.values.checkpoints import checked_rows

__all__ = ["NodeRows", "node_rows"]


class NodeRows(Struct, frozen=True):
    """A reference to each node that `find` finds in the document: they are for the query that runs."""

    document: Callable[[Frame], str | None]
    find: Callable[[str | None], Sequence[str]]

    def rows(self, frame: Frame) -> Iterable[tuple[int, Sequence[Any]]]:
        return checked_rows([(0, (reference,)) for reference in self.find(self.document(frame))])


def node_rows(source: ast.MethodTable, scope: Scope, session: Session) -> tuple[NodeRows, list[RowColumn]] | None:
    """The rows and their column; None: ask DuckDB. Raises SqlError for what does not compile."""
    from sbql.engine.documents import xml_methods  # XML is imported when it is used

    path = source.argument
    if not isinstance(path, ast.StringLiteral) or scope.namespaces:
        return None
    if not is_constant(source.target) or not is_plain(source.target, scope, session):
        return None
    target = compile_scalar(source.target, scope)
    is_typed = xml_methods.is_schema_bound(target.type)
    if xml_methods.variables_named(path.value, (), "nodes()", is_lenient=is_typed):
        return None
    find = xml_methods.nodes_function(path.value, is_typed=is_typed)
    return NodeRows(target.run, find), [RowColumn(source.alias.value.lower(), source.column.value, NODE)]
