"""Views and inline functions in FROM as the queries that they are.

Decides what of a module can be said where its name stands: names get their schemas, so that they mean the same there,
and parameters become what is given for them. It must not know what is made of such a query.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sbql.catalog.records import Module, Schema, Table
from sbql.engine.ports import Session
from sbql.engine.query.context import is_constant
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Scope
from sbql.engine.security.resolver import in_text_of, resolve
from sbql.grammar import ast
from sbql.grammar.parser import parse_batch
from sbql.grammar.tree import rewrite
from sbql.grammar.types import SqlType

__all__ = ["is_view", "query_of_function", "query_of_view"]


class _Elsewhere(Exception):
    """A name that cannot be said where the module is named."""


def is_view(name: ast.ObjectName, session: Session) -> bool:
    """Whether a name means one that may be said as its query."""
    return _module(name, "V", session) is not None


def query_of_view(node: ast.NamedTable, session: Session) -> ast.DerivedTable | None:
    """None for what is no view of this database. Raises SqlError."""
    module = _module(node.name, "V", session)
    definition = None if module is None else _definition(module)
    if module is None or not isinstance(definition, ast.CreateViewStatement):
        return None
    query = _placed(definition.query, module, session)
    alias = node.alias or ast.Identifier(node.name.name)
    return None if query is None else ast.DerivedTable(query, alias, definition.columns, span=node.span)


def query_of_function(
    node: ast.FunctionTable, types: Mapping[tuple[str, str], SqlType], scope: Scope, session: Session
) -> ast.DerivedTable | None:
    """None for what is no inline function of this database, and for arguments that are neither constants nor columns
    of the parameter's type; `types` are those of columns, by alias and name. Raises SqlError."""
    module = _module(node.name, "IF", session)
    definition = None if module is None else _definition(module)
    if module is None or not isinstance(definition, ast.CreateFunctionStatement) or definition.query is None:
        return None
    if len(node.arguments) != len(definition.parameters):
        return None
    given: dict[str, ast.Expression] = {}
    for parameter, argument in zip(definition.parameters, node.arguments, strict=True):
        wanted = scope.resolve_type(parameter.type)
        if isinstance(argument, ast.ColumnReference):
            before = [part.value.lower() for part in argument.parts[:-1] if part is not None]
            if len(before) != 1 or types.get((before[0], argument.name.lower())) != wanted:
                return None
            given[parameter.name.lower()] = argument
        elif isinstance(argument, ast.DefaultValue) or not is_constant(argument) or _is_table(argument, scope):
            return None
        else:
            is_same = compile_scalar(argument, scope).type == wanted
            given[parameter.name.lower()] = argument if is_same else ast.CastExpression(argument, parameter.type)
    query = _placed(definition.query, module, session)
    if query is None:
        return None
    query = rewrite(
        query, lambda part: given.get(part.name.lower()) if isinstance(part, ast.VariableReference) else None
    )
    alias = node.alias or ast.Identifier(node.name.name)
    return ast.DerivedTable(query, alias, node.columns, span=node.span)


def _is_table(argument: ast.Expression, scope: Scope) -> bool:
    return isinstance(argument, ast.VariableReference) and scope.table_slot(argument.name) is not None


def _module(name: ast.ObjectName, kind: str, session: Session) -> Module | None:
    module = resolve(session, name, Module, missing_ok=True)
    if module is None or module.type != kind or module.database_id != session.database_id:
        return None
    return module if module.uses_ansi_nulls and not module.name.startswith("#") else None


def _definition(module: Module) -> ast.Statement:
    return parse_batch(module.definition, quoted_identifiers=module.uses_quoted_identifier).statements[0]


def _placed(statement: ast.SelectStatement, module: Module, session: Session) -> ast.QueryExpression | None:
    """The query with its tables called by their schemas. Raises SqlError for a name that is not there."""
    if statement.with_ is not None:
        return None

    def placed(part: ast.Node) -> ast.Node | None:
        if not isinstance(part, ast.NamedTable):
            return None
        meant = resolve(session, part.name, Table, Module)
        schema = session.catalog.get(Schema, meant.database_id, meant.schema_id)
        if meant.database_id != session.database_id or meant.name.startswith("#") or schema is None:
            raise _Elsewhere
        name = ast.ObjectName((ast.Identifier(schema.name), ast.Identifier(meant.name)), span=part.name.span)
        return replace(part, name=name, alias=part.alias or part.name.parts[-1])

    try:
        with in_text_of(session, module):
            return rewrite(statement.query, placed)
    except _Elsewhere:
        return None
