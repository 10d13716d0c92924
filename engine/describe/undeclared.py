"""The parameters that a batch uses and does not declare, with the types that their places ask for.

Decides a type for a parameter that is compared with a column or another typed expression, assigned to a column,
inserted into one, or passed to a procedure; of others it says that it cannot (11502). Two places that ask for different
types are 11503. It must not run anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sbql.catalog.records import Module, Table
from sbql.catalog.type_facets import facets
from sbql.engine.describe.columns import WIRE_COLUMNS, type_name, wire_facts
from sbql.engine.describe.result_sets import DescribedColumn, parameters_of
from sbql.engine.ports import Session
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Scope
from sbql.engine.security.resolver import resolve
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import walk
from sbql.grammar.types import BIGINT, BIT, INT, SYSNAME, TINYINT, SqlType, nvarchar

__all__ = ["PARAMETER_COLUMNS", "undeclared_parameters"]

_SMALLINT: Final = SqlType("smallint")

PARAMETER_COLUMNS: Final = (
    ("parameter_ordinal", INT), ("name", SYSNAME), ("suggested_system_type_id", INT), ("suggested_system_type_name", nvarchar(256)),
    ("suggested_max_length", _SMALLINT), ("suggested_precision", TINYINT), ("suggested_scale", TINYINT), ("suggested_user_type_id", INT),
    ("suggested_user_type_database", SYSNAME), ("suggested_user_type_schema", SYSNAME), ("suggested_user_type_name", SYSNAME),
    ("suggested_assembly_qualified_type_name", nvarchar(4000)), ("suggested_xml_collection_id", INT),
    ("suggested_xml_collection_database", SYSNAME), ("suggested_xml_collection_schema", SYSNAME), ("suggested_xml_collection_name", SYSNAME),
    ("suggested_is_xml_document", BIT), ("suggested_is_case_sensitive", BIT), ("suggested_is_fixed_length_clr_type", BIT),
    ("suggested_is_input", BIT), ("suggested_is_output", BIT), ("formal_parameter_name", SYSNAME),
    *((f"suggested_{name}", sql_type) for name, sql_type in WIRE_COLUMNS),
)  # fmt: skip


class _Search:
    """Types found for the names that are not declared, in order of appearance."""

    def __init__(self, session: Session, scope: Scope) -> None:
        self.session = session
        self.scope = scope
        self.found: dict[str, tuple[str, SqlType | None, str | None, bool]] = {}

    def note(self, name: str) -> None:
        if not self.is_declared(name):
            self.found.setdefault(name.lower(), (name, None, None, False))

    def is_declared(self, name: str) -> bool:
        return self.scope.find(name) is not None

    def suggest(
        self, node: Any, sql_type: SqlType | None, formal: str | None = None, *, is_output: bool = False
    ) -> None:
        """A place asks for this type. Raises 11503 when another one did for another."""
        if not isinstance(node, ast.VariableReference) or sql_type is None or self.is_declared(node.name):
            return
        known = self.found.get(node.name.lower())
        if known is not None and known[1] is not None and known[1] != sql_type:
            raise sql_error(11503, node.name)
        self.found[node.name.lower()] = (known[0] if known else node.name, sql_type, formal, is_output)


def undeclared_parameters(session: Session, text: str, parameters: str | None) -> list[tuple[Any, ...]]:
    """A row of PARAMETER_COLUMNS for each. Raises 11502, 11503, and what is wrong with the text."""
    scope = Scope(session)
    parameters_of(parameters, session, scope)
    tree = session.instance.modules.parse(text)
    for node in walk(tree):
        if isinstance(node, ast.DeclareStatement):
            for variable in node.declarations:
                scope.declare(variable.name, scope.resolve_type(variable.type))
    search = _Search(session, scope)
    named = [node for node in walk(tree) if isinstance(node, ast.VariableReference)]
    for node in sorted(named, key=lambda n: n.span.start):
        search.note(node.name)
    for statement in tree.statements:
        _of_statement(statement, search)
    rows = []
    for number, (name, sql_type, formal, is_output) in enumerate(search.found.values(), 1):
        if sql_type is None:
            raise sql_error(11502, name)
        f = facets(sql_type)
        rows.append((
            number, name, f.system_type_id, type_name(sql_type), f.max_length, f.precision, f.scale, *(None,) * 9, False, False, False,
            not is_output, is_output, formal, *wire_facts(DescribedColumn(name, sql_type, True)),
        ))  # fmt: skip
    return rows


def _of_statement(statement: ast.Node, search: _Search) -> None:
    tables = list(_tables(statement, search.session))
    for node in walk(statement):  # IF, WHILE, BEGIN and TRY have statements inside
        match node:
            case ast.InsertStatement():
                _of_insert(node, list(_tables(node, search.session)), search)
            case ast.ExecuteStatement():
                _of_execute(node, search)
            case ast.Assignment(column=ast.ObjectName() as column):
                search.suggest(node.expression, _column_type(column.name, tables))
            case ast.Comparison():
                search.suggest(node.left, _type_of(node.right, tables, search))
                search.suggest(node.right, _type_of(node.left, tables, search))
            case ast.Between():
                for bound in (node.low, node.high):
                    search.suggest(bound, _type_of(node.operand, tables, search))
            case ast.Like():
                search.suggest(node.pattern, _type_of(node.operand, tables, search))
            case ast.InList():
                for value in node.items:
                    search.suggest(value, _type_of(node.operand, tables, search))
            case ast.Top():
                search.suggest(node.count, BIGINT)
            case ast.QueryExpression():
                search.suggest(node.offset, BIGINT)
                search.suggest(node.fetch, BIGINT)


def _tables(statement: ast.Node, session: Session) -> Iterator[Table]:
    for node in walk(statement):
        if isinstance(node, ast.NamedTable):
            record = resolve(session, node.name, missing_ok=True)
            if isinstance(record, Table):
                yield record


def _column_type(name: str, tables: list[Table]) -> SqlType | None:
    found = [c.type for t in tables for c in t.columns if c.name.lower() == name.lower()]
    return found[0] if found else None


def _type_of(node: Any, tables: list[Table], search: _Search) -> SqlType | None:
    """The type of an expression without undeclared parameters."""
    if isinstance(node, ast.ColumnReference):
        return _column_type(node.name, tables)
    if any(isinstance(n, ast.VariableReference) and not search.is_declared(n.name) for n in walk(node)):
        return None
    if any(isinstance(n, ast.ColumnReference) for n in walk(node)):
        return None
    try:
        return compile_scalar(node, search.scope).type
    except SqlError:
        return None


def _of_insert(node: ast.InsertStatement, tables: list[Table], search: _Search) -> None:
    record = tables[0] if tables else None
    if record is None or not isinstance(node.source, ast.ValuesSource):
        return
    plain = [c for c in record.columns if c.computed is None and not c.is_identity]
    names = [c.value for c in node.columns] or [c.name for c in plain]
    for row in node.source.rows:
        for name, value in zip(names, row, strict=False):
            search.suggest(value, _column_type(name, [record]))


def _of_execute(node: ast.ExecuteStatement, search: _Search) -> None:
    session = search.session
    if isinstance(node.procedure, str):
        return
    record = resolve(session, node.procedure, Module, missing_ok=True)
    if record is None:
        return
    parameters = session.instance.modules.module(record, session).parameters
    by_name = {p.name.lower(): p for p in parameters}
    for place, argument in enumerate(node.arguments):
        formal = (
            by_name.get(argument.name.lower())
            if argument.name
            else parameters[place]
            if place < len(parameters)
            else None
        )
        if formal is not None:
            search.suggest(argument.value, formal.type, formal.name, is_output=argument.output)
