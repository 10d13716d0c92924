"""The nodes of one document, `FROM @x.nodes('/a/b') AS t (c)`, and what OPENJSON lists of one, as rows that need no
DuckDB.

Decides which documents and paths: those that variables alone say. It must not know what is made of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.ports import Session
from sbql.engine.query.context import is_constant
from sbql.engine.query.json_sources import json_source
from sbql.engine.query.plain_expressions import is_plain
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.row_expressions import RowColumn
from sbql.engine.tables.typed_sql import NODE
from sbql.grammar import ast
from sbql.grammar.values.checkpoints import checked_rows

__all__ = ["JsonRows", "NodeRows", "json_rows", "node_rows"]


class NodeRows(Struct, frozen=True):
    """A reference to each node that `find` finds in the document: they are for the query that runs."""

    document: Callable[[Frame], str | None]
    find: Callable[[str | None], Sequence[str]]

    def rows(self, frame: Frame) -> Iterable[tuple[int, Sequence[Any]]]:
        return checked_rows([(0, (reference,)) for reference in self.find(self.document(frame))])


class JsonRows(Struct, frozen=True):
    """What `find` lists of the arguments: a document, and a path where there is one."""

    arguments: Sequence[Callable[[Frame], Any]]
    find: Callable[..., Sequence[tuple[Any, ...]]]

    def rows(self, frame: Frame) -> Iterable[tuple[int, Sequence[Any]]]:
        found = self.find(*[run(frame) for run in self.arguments])
        return checked_rows([(0, row) for row in found])


def json_rows(source: ast.OpenJsonTable, scope: Scope, session: Session) -> tuple[JsonRows, list[RowColumn]] | None:
    """The rows and their columns; None: ask DuckDB. Raises SqlError for what does not compile."""
    arguments = []
    for node in (source.document, *((source.path,) if source.path is not None else ())):
        if not is_constant(node) or not is_plain(node, scope, session):
            return None
        given = compile_scalar(node, scope)
        if given.type.name not in ("nvarchar", "nchar") and given.type.name not in ("varchar", "char"):
            return None
        arguments.append(given.run)
    known = json_source(source, scope)
    alias = source.alias.value.lower() if source.alias is not None else "openjson"
    return JsonRows(arguments, known.find), [RowColumn(alias, name, kind) for name, kind in known.columns]


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
