"""SELECT … INTO: a CREATE TABLE of the columns that the query gives, then an INSERT of its rows.

Decides names, types and nullability of the new columns. Creating and filling are the handlers' of those statements.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sbql.engine.execution.compiled import Step
from sbql.engine.execution.scope import Frame
from sbql.engine.execution.translate.api import translate_query
from sbql.engine.execution.translate.registered import running
from sbql.engine.outcomes import ResultColumn
from sbql.engine.steps import Work
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import MAX, SqlType

__all__ = ["compile_select_into"]


def compile_select_into(node: ast.SelectStatement, compiler: Any) -> Step:
    query = node.query.query
    assert isinstance(query, ast.QuerySpecification) and query.into is not None
    target = query.into
    plain = replace(node.query, query=replace(query, into=None))
    source = ast.QuerySource(plain, span=node.span)
    insert = ast.InsertStatement(ast.NamedTable(target, span=target.span), (), source, with_=node.with_, span=node.span)

    def run(frame: Frame) -> Work:
        session = frame.session
        with running(frame):
            columns = translate_query(plain, compiler.scope, session, with_=node.with_).columns
        create = ast.CreateTableStatement(target, tuple(_definitions(columns, node)), span=node.span)
        for statement in (create, insert):
            step = compiler.statement(statement)
            if step.waits:
                yield from step.run(frame)
            else:
                step.run(frame)

    return Step(run, waits=True)


def _definitions(columns: tuple[ResultColumn, ...], node: ast.SelectStatement) -> list[ast.ColumnDefinition]:
    """Raises 1038 for a column without name, 2705 is raised by CREATE TABLE for a name given twice."""
    found = []
    for column in columns:
        if not column.name:
            raise sql_error(1038, span=node.span)
        name = ast.Identifier(column.name, quoted=True)
        found.append(
            ast.ColumnDefinition(
                name, type=type_reference(column.type), nullable=column.nullable, collation=column.type.collation, span=node.span
            )
        )
    return found


def type_reference(sql_type: SqlType) -> ast.DataTypeReference:
    """A type as the parser would give it."""
    arguments: tuple[int | str, ...] = ()
    if sql_type.length is not None:
        arguments = ("max",) if sql_type.length == MAX else (sql_type.length,)
    elif sql_type.precision is not None:
        arguments = (sql_type.precision, sql_type.scale or 0)
    elif sql_type.scale is not None:
        arguments = (sql_type.scale,)
    name = {"rowversion": "binary"}.get(sql_type.name, sql_type.name)
    if sql_type.name == "rowversion":
        arguments = (8,)
    return ast.DataTypeReference(ast.ObjectName((ast.Identifier(name),)), arguments)
