"""SELECT … INTO: the query is translated as any other; the write mechanism makes the table and fills it, in one
statement.

Decides only which column keeps the IDENTITY property of its source: a plain column of the one table that the query
reads.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sbql.catalog.records import Column, Table
from sbql.engine.execution.compiled import Step
from sbql.engine.execution.scope import Frame
from sbql.engine.execution.translate.api import fetch, translate_query
from sbql.engine.execution.translate.closures import late
from sbql.engine.execution.writes.select_into import select_into
from sbql.engine.outcomes import RowsAffected
from sbql.engine.steps import Work
from sbql.grammar import ast

__all__ = ["compile_select_into"]


def compile_select_into(node: ast.SelectStatement, compiler: Any) -> Step:
    query = node.query.query
    assert isinstance(query, ast.QuerySpecification) and query.into is not None
    target = query.into
    plain = replace(node.query, query=replace(query, into=None))
    get = late(lambda session: translate_query(plain, compiler.scope, session, with_=node.with_))

    def run(frame: Frame) -> Work:
        session = frame.session
        translated = get(frame)
        session.rowcount = yield from select_into(
            frame,
            target,
            translated.columns,
            lambda: fetch(translated, frame),
            node.span,
            identity=_identity(query, session),
        )
        if not session.options.nocount:
            session.emit(RowsAffected(session.rowcount))

    return Step(run, waits=True)


def _identity(query: ast.QuerySpecification, session: Any) -> tuple[str, Column] | None:
    """The identity column of the source, and what the result calls it."""
    if not isinstance(query.from_, ast.NamedTable) or query.group_by is not None or query.distinct:
        return None
    table = session.resolve(query.from_.name, Table, missing_ok=True)
    column = next((c for c in table.columns if c.is_identity), None) if table is not None else None
    if column is None:
        return None
    for item in query.items:
        if isinstance(item, ast.SelectStar):
            return column.name, column
        if isinstance(item, ast.SelectColumn) and isinstance(item.expression, ast.ColumnReference):
            if item.expression.name.lower() == column.name.lower():
                return (item.alias.value if item.alias is not None else column.name), column
    return None
