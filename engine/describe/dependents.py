"""Who keeps an object as it is: modules WITH SCHEMABINDING that name it, and the CHECK, DEFAULT and computed columns of
tables and table types that call it.

Decides by the texts as they stand in the catalog. It must not know which statement asks, nor who may.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sbql.catalog.records import Module, Schema, Sequence, Table, UserType, XmlSchemaCollection
from sbql.catalog.records.objects import CatalogRecord
from sbql.engine.describe.dependencies import Reference, references_of
from sbql.engine.documents.xml_schemas import collection_named
from sbql.engine.ports import Session
from sbql.engine.security.resolver import in_text_of, schema_of_names
from sbql.engine.tables.row_expressions import parse_condition, parse_expression
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import find_all

__all__ = ["bound_columns", "dependents", "refuse_bound", "users_of_collection"]


def _bound_modules(session: Session, record: CatalogRecord) -> Iterator[tuple[Module, Reference]]:
    """The modules WITH SCHEMABINDING that name the record, and how."""
    for module in session.catalog.all(Module, record.database_id):
        if module.id == record.id and isinstance(record, Module):
            continue
        tree = _bound_tree(session, module)
        if tree is None:
            continue
        for reference in references_of(
            tree, session.catalog, module.database_id, schema_of_names(session, module) or "dbo"
        ):
            found = reference.record
            if found is not None and found.id == record.id and type(found) is type(record):
                yield module, reference


def _bound_tree(session: Session, module: Module) -> Any:
    """The statement that makes a module, if it is WITH SCHEMABINDING."""
    if "schemabinding" not in module.definition.lower():
        return None
    tree = _tree(session, module)
    return tree if "SCHEMABINDING" in getattr(tree, "options", ()) else None


def _tree(session: Session, module: Module) -> Any:
    return session.instance.modules.parse(
        module.definition, quoted_identifiers=module.uses_quoted_identifier
    ).statements[0]


def bound_columns(session: Session, record: CatalogRecord, column: str) -> list[str]:
    """The names of the schema-bound modules that use a column, each once."""
    folded = column.lower()
    users = (m.name for m, reference in _bound_modules(session, record) if folded in map(str.lower, reference.columns))
    return list(dict.fromkeys(users))


def dependents(session: Session, record: CatalogRecord) -> Iterator[str]:
    """The names of all that is bound to the record: constraints, tables with computed columns, table types, modules."""
    if isinstance(record, Module | Sequence):
        for name, schema, tree in _expressions(session, record.database_id, record.name):
            if any(r.record is record for r in references_of(tree, session.catalog, record.database_id, schema)):
                yield name
    for module, _ in _bound_modules(session, record):
        yield module.name


def _expressions(session: Session, database_id: int, word: str = "") -> Iterator[tuple[str, str, ast.Node]]:
    """CHECK, DEFAULT and computed columns whose text holds a word: what an error calls them, the schema that they are
    in, the tree. A computed column goes by its table, what is part of a table type by the type."""
    catalog = session.catalog
    holders: list[tuple[Table, str | None, int]] = [(t, None, t.schema_id) for t in catalog.all(Table, database_id)]
    holders += [(t.table, t.name, t.schema_id) for t in catalog.all(UserType, database_id) if t.table is not None]
    wanted = word.lower() if "]" not in word else ""
    for table, name, schema_id in holders:
        texts: list[tuple[str | None, str | None, Any]] = [
            (constraint.name, constraint.condition, parse_condition) for constraint in table.constraints
        ]
        for column in table.columns:
            texts.append((column.default_name, column.default, parse_expression))
            texts.append((table.name, column.computed, parse_expression))
        for user, text, parse in texts:
            if text is not None and wanted in text.lower():
                schema = catalog.get(Schema, database_id, schema_id)
                yield name or str(user), schema.name if schema is not None else "dbo", parse(text)


def refuse_bound(session: Session, record: CatalogRecord, action: str, shown: str, span: ast.Span) -> None:
    """Raises 3729 for what something is bound to."""
    for name in dependents(session, record):
        raise sql_error(3729, action, shown, name, span=span)


def users_of_collection(session: Session, record: XmlSchemaCollection) -> Iterator[tuple[str, str]]:
    """The kind and name of what types values by an XML schema collection, but for columns: parameters and what
    functions return, all of a schema-bound module, expressions of tables."""
    for module in session.catalog.all(Module, record.database_id):
        if record.name.lower() not in module.definition.lower():
            continue
        tree = _tree(session, module)
        parts = (getattr(tree, "parameters", ()), getattr(tree, "returns", None))
        with in_text_of(session, module):
            if _types_by(session, _bound_tree(session, module) or tuple(p for p in parts if p), record):
                yield "module", module.name
    for name, _, tree in _expressions(session, record.database_id, record.name):
        if _types_by(session, tree, record):
            yield "object", name


def _types_by(session: Session, tree: Any, record: XmlSchemaCollection) -> bool:
    names = (node.xml_collection for node in find_all(tree, ast.DataTypeReference))
    return any(name is not None and collection_named(session, name) is record for name in names)
