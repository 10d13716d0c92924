"""What the text of a module says of it beside its definition: options, and the columns that a function returns.

Decides nothing; a text that no longer parses or binds tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sbql.catalog import live_relations as live
from sbql.catalog.records import Module
from sbql.engine.outcomes import ResultColumn
from sbql.engine.ports import Session
from sbql.engine.scalars.function_registry import lookup
from sbql.engine.scalars.scope import QUERIES, Scope
from sbql.engine.security.resolver import in_text_of
from sbql.engine.tables.definitions import shape_of
from sbql.grammar import ast
from sbql.grammar.errors import SqlError
from sbql.grammar.tree import walk

__all__ = ["columns_of_module", "is_deterministic", "module_facts"]


def module_facts(session: Session) -> Iterator[live.ModuleFacts]:
    """What sys.sql_modules tells of texts beside the texts."""
    for module in session.catalog.all(Module):
        try:
            node = session.instance.modules.parse(module.definition).statements[0]
        except (SqlError, IndexError):
            continue
        options = {str(option).upper() for option in getattr(node, "options", ())}
        yield live.ModuleFacts(
            database_id=module.database_id, id=module.id, is_schema_bound="SCHEMABINDING" in options,
            is_recompiled="RECOMPILE" in options, null_on_null_input="RETURNS NULL ON NULL INPUT" in options,
            is_deterministic=is_deterministic(node, options), with_check_option=bool(getattr(node, "check_option", False)),
        )  # fmt: skip


def is_deterministic(node: Any, options: set[str]) -> bool:
    """A schema-bound function that calls nothing which is not, as SQL Server has it."""
    if not isinstance(node, ast.CreateFunctionStatement) or "SCHEMABINDING" not in options:
        return False
    for part in walk(node):
        if isinstance(part, ast.GlobalVariable):
            return False
        if isinstance(part, ast.FunctionCall):
            known = lookup(part.name.name)
            if known is not None and not known.deterministic:
                return False
    return True


def columns_of_module(session: Session, module: Module) -> tuple[ResultColumn, ...]:
    """The columns of a view or table-valued function, as its text means them now. Raises what is wrong with it."""
    node = session.instance.modules.parse(module.definition).statements[0]
    with in_text_of(session, module):
        if isinstance(node, ast.CreateViewStatement):
            columns: tuple[ResultColumn, ...] = QUERIES["check_view"](session, node)
            return columns
        assert isinstance(node, ast.CreateFunctionStatement)
        if node.query is None:
            shape = shape_of(node.table_name or "", node.table_elements, session)
            return tuple(ResultColumn(c.name, c.type, c.is_nullable) for c in shape.columns)
        scope = Scope(session)
        for parameter in node.parameters:
            table_type = scope.table_type(parameter.type)
            if table_type is not None and table_type.table is not None:
                scope.declare_table(parameter.name, table_type.table, is_readonly=True)
            else:
                scope.declare(parameter.name, scope.resolve_type(parameter.type))
        query = QUERIES["translate_query"](node.query.query, scope, session, with_=node.query.with_)
        found: tuple[ResultColumn, ...] = query.columns
        return found
