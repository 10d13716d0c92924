"""The first result set of a batch or procedure, told without running it:
sp_describe_first_result_set and its functions.

Decides which statement gives it (several may, when they are alike), and what is known of each column. What a query
gives is asked of the translator; nothing is executed. Raises 11509, 11513, 11514, 11520, 11525 for what cannot be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from sbql.catalog.records import Column, Database, Module, Schema, Table
from sbql.engine.describe.procedures import find_procedure
from sbql.engine.describe.queue_columns import RECEIVE_COLUMNS
from sbql.engine.ports import Session
from sbql.engine.scalars.scope import QUERIES, Scope
from sbql.engine.security.resolver import in_text_of, resolve
from sbql.engine.tables.definitions import shape_of
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import walk
from sbql.grammar.types import SqlType

__all__ = ["DescribedColumn", "describe_batch", "describe_module", "parameters_of", "place_of"]

_MAX_DEPTH = 32


class DescribedColumn(Struct, frozen=True):
    """A column of a result set. `source` is the table column that it shows as it is, with its table."""

    name: str
    type: SqlType
    is_nullable: bool
    table: Table | None = None
    source: Column | None = None
    order: tuple[int, int, bool] | None = None
    """Its place in ORDER BY, the length of that list, whether it is descending."""


Columns = tuple[DescribedColumn, ...]


class _Source(Struct):
    """Where statements stand: their text, in which their spans lie, what is declared
    before them, how deep in procedures."""

    text: str
    scope: Scope
    session: Session
    depth: int = 0

    def told(self, node: ast.Node) -> str:
        """A statement as it is written, for an error."""
        return self.text[node.span.start : node.span.end][:200]


class _Found(Struct):
    """What a list of statements may give first, each with its text; `goes_on`: it may also end without a result set."""

    sets: list[tuple[str, Columns]]
    goes_on: bool = True


def parameters_of(text: str | None, session: Session, scope: Scope) -> None:
    """Declare the parameters of a text such as '@a int, @b nvarchar(10) OUTPUT'."""
    if not text or not text.strip():
        return
    tree: Any = session.instance.modules.parse(f"CREATE PROCEDURE p {text} AS RETURN").statements[0]
    _declare_parameters(tree.parameters, scope)


def _declare_parameters(parameters: Sequence[ast.Parameter], scope: Scope) -> None:
    for p in parameters:
        table_type = None if p.varying else scope.table_type(p.type)
        if table_type is not None and table_type.table is not None:
            scope.declare_table(p.name, table_type.table, is_readonly=True)
        elif p.varying:
            scope.declare_cursor(p.name)
        else:
            scope.declare(p.name, scope.resolve_type(p.type))


def describe_batch(session: Session, text: str, parameters: str | None = None) -> Columns | None:
    """The columns of the first result set; None when the batch gives none."""
    scope = Scope(session)
    parameters_of(parameters, session, scope)
    return _single(_of_statements(session.instance.modules.parse(text).statements, _Source(text, scope, session)))


def describe_module(session: Session, module: Module, depth: int = 0) -> Columns | None:
    """That of a procedure or trigger."""
    return _single(_of_module(session, module, depth))


def _of_module(session: Session, module: Module, depth: int) -> _Found:
    if depth >= _MAX_DEPTH:
        raise sql_error(217, _MAX_DEPTH)
    node: Any = session.instance.modules.parse(module.definition).statements[0]
    scope = Scope(session)
    _declare_parameters(getattr(node, "parameters", ()), scope)
    with in_text_of(session, module):
        return _of_statements(node.body, _Source(module.definition, scope, session, depth))


def _single(found: _Found) -> Columns | None:
    """One description for all that may come first. Raises 11509."""
    if not found.sets:
        return None
    first, columns = found.sets[0]
    for other, others in found.sets[1:]:
        alike = len(columns) == len(others) and all(
            a.type == b.type and a.name.lower() == b.name.lower() for a, b in zip(columns, others, strict=True)
        )
        if not alike:
            raise sql_error(11509, first, other)
        columns = tuple(
            DescribedColumn(a.name, a.type, a.is_nullable or b.is_nullable)
            for a, b in zip(columns, others, strict=True)
        )
    return columns


def _of_statements(statements: Sequence[ast.Statement], source: _Source) -> _Found:
    found = _Found([])
    for statement in statements:
        part = _of_statement(statement, source)
        found.sets += part.sets
        if not part.goes_on:
            found.goes_on = False
            break
    return found


def _of_statement(node: ast.Statement, source: _Source) -> _Found:
    def inside(*parts: Any) -> list[_Found]:
        return [_of_statements(p if isinstance(p, tuple) else (p,), source) for p in parts]

    match node:
        case ast.BeginEndBlock():
            return inside(node.statements)[0]
        case ast.IfStatement():
            branches = inside(node.then, *([node.otherwise] if node.otherwise is not None else []))
            goes_on = node.otherwise is None or any(b.goes_on for b in branches)
            return _Found([s for b in branches for s in b.sets], goes_on)
        case ast.WhileStatement():
            return _Found(inside(node.body)[0].sets)
        case ast.TryCatchStatement():
            tried, caught = inside(node.try_block, node.catch_block)
            return _Found(tried.sets + caught.sets, tried.goes_on or caught.goes_on)
        case ast.ReturnStatement() | ast.ThrowStatement():
            return _Found([], goes_on=False)
        case ast.DeclareStatement():
            _declare(node, source.scope)
        case ast.DeclareTableStatement():
            source.scope.declare_table(node.name, shape_of(node.name, node.elements, source.session, source.scope))
        case ast.ExecuteStringStatement():
            raise sql_error(*((11513, source.told(node)) if source.depth else (11514,)))
        case ast.ExecuteStatement():
            return _of_execute(node, source)
        case _:
            columns = _columns_of(node, source)
            if columns is not None:
                return _Found([(source.told(node), columns)], goes_on=False)
    return _Found([])


def _declare(node: ast.DeclareStatement, scope: Scope) -> None:
    for variable in node.declarations:
        table_type = scope.table_type(variable.type)
        if table_type is not None and table_type.table is not None:
            scope.declare_table(variable.name, table_type.table)
        elif variable.type.name.name.lower() == "cursor":
            scope.declare_cursor(variable.name)
        else:
            scope.declare(variable.name, scope.resolve_type(variable.type))


def _of_execute(node: ast.ExecuteStatement, source: _Source) -> _Found:
    session = source.session
    if isinstance(node.procedure, str):
        raise sql_error(11513, source.told(node))
    target = find_procedure(session, node.procedure)
    if not isinstance(target, Module):
        if target.name == "sp_executesql":
            text = node.arguments[0].value if node.arguments else None
            if isinstance(text, ast.StringLiteral):
                declared = node.arguments[1].value if len(node.arguments) > 1 else None
                parameters = declared.value if isinstance(declared, ast.StringLiteral) else None
                found = describe_batch(session, text.value, parameters)
                return _Found([(source.told(node), found)] if found is not None else [], goes_on=found is None)
            raise sql_error(11513, source.told(node))
        raise sql_error(11520, source.told(node))
    part = _of_module(session, target, source.depth + 1)
    return _Found(part.sets, part.goes_on or not part.sets)


# --- one statement -----------------------------------------------------------------------------------------


def _columns_of(node: ast.Statement, source: _Source) -> Columns | None:
    """The columns of a statement that sends rows; None for one that does not."""
    try:
        if isinstance(node, ast.SelectStatement):
            return _of_select(node, source.scope, source.session)
        received = node.statement if isinstance(node, ast.WaitForStatement) else node
        if isinstance(received, ast.ReceiveStatement):
            return _of_receive(received, source.scope, source.session)
        output = getattr(node, "output", None)
        if isinstance(output, ast.OutputClause):
            return _of_output(node, output, source.scope, source.session)
    except SqlError as error:
        named = [n.name.name for n in walk(node) if isinstance(n, ast.NamedTable) and n.name.name.startswith("#")]
        if error.number == 208 and named:
            raise sql_error(11525, source.told(node)) from None
        raise
    return None


def _of_receive(node: ast.ReceiveStatement, scope: Scope, session: Session) -> Columns | None:
    """Those that a SELECT of the same columns from the queue has; `*` is fewer
    columns there. Raises 208 for no queue."""
    if node.into is not None or any(isinstance(item, ast.SelectAssign) for item in node.items):
        return None
    items: list[ast.SelectItem] = []
    for item in node.items:
        if isinstance(item, ast.SelectStar):
            named = (ast.ColumnReference((ast.Identifier(name),), span=item.span) for name in RECEIVE_COLUMNS)
            items += [ast.SelectColumn(column, span=item.span) for column in named]
        else:
            items.append(item)
    queue = ast.NamedTable(node.queue, span=node.queue.span)
    query = ast.QueryExpression(ast.QuerySpecification(tuple(items), queue, span=node.span), span=node.span)
    return _of_select(ast.SelectStatement(query, span=node.span), scope, session)


def _of_select(node: ast.SelectStatement, scope: Scope, session: Session) -> Columns | None:
    first = _specification(node.query.query)
    if first.into is not None or any(isinstance(item, ast.SelectAssign) for item in first.items):
        return None
    translated = QUERIES["translate_query"](node.query, scope, session, with_=node.with_)
    own = {c.name.value.lower() for c in node.with_.tables} if node.with_ is not None else set()
    tables = _tables_of(first, own, session) if isinstance(node.query.query, ast.QuerySpecification) else {}
    order = _order_of(node.query.order_by, [c.name for c in translated.columns])
    found = []
    for number, (column, origin) in enumerate(zip(translated.columns, translated.origins, strict=True)):
        table = tables.get(origin[0].lower()) if origin is not None and node.query.for_ is None else None
        source = None
        if table is not None and origin is not None:
            source = next((c for c in table.columns if c.name.lower() == origin[1].lower()), None)
        found.append(DescribedColumn(column.name, column.type, column.nullable, table, source, order.get(number)))
    return tuple(found)


def _specification(query: ast.Query) -> ast.QuerySpecification:
    while isinstance(query, ast.BinaryQuery):
        query = query.left
    assert isinstance(query, ast.QuerySpecification)
    return query


def _tables_of(query: ast.QuerySpecification, own: set[str], session: Session) -> dict[str, Table]:
    """The tables of FROM by the name that columns are qualified with."""
    found: dict[str, Table] = {}
    todo: list[Any] = [query.from_]
    while todo:
        source = todo.pop()
        if isinstance(source, ast.Join | ast.Apply):
            todo += [source.left, source.right]
        elif isinstance(source, ast.NamedTable) and not (
            len(source.name.parts) == 1 and source.name.name.lower() in own
        ):
            record = resolve(session, source.name, missing_ok=True)
            if isinstance(record, Table):
                found[(source.alias.value if source.alias is not None else str(source.name)).lower()] = record
    return found


def _order_of(items: Sequence[ast.OrderItem], names: list[str]) -> dict[int, tuple[int, int, bool]]:
    """Column number -> place in ORDER BY. Nothing when an item is none of the columns."""
    found: dict[int, tuple[int, int, bool]] = {}
    lower = [name.lower() for name in names]
    for place, item in enumerate(items, 1):
        expression = item.expression
        if isinstance(expression, ast.IntegerLiteral) and 1 <= expression.value <= len(names):
            number = expression.value - 1
        elif isinstance(expression, ast.ColumnReference) and lower.count(expression.name.lower()) == 1:
            number = lower.index(expression.name.lower())
        else:
            return {}
        found.setdefault(number, (place, len(items), item.descending))
    return found


def _of_output(node: Any, output: ast.OutputClause, scope: Scope, session: Session) -> Columns | None:
    """OUTPUT sends the columns of the written table, inserted or deleted; other expressions are not told."""
    items = output.shown if output.into is not None else output.items
    if not items:
        return None
    target = node.target
    record = None
    if isinstance(target, ast.NamedTable):
        record = resolve(session, target.name, missing_ok=True)
    elif isinstance(target, ast.VariableTable):
        record = scope.lookup_table(target.name)[1]
    if not isinstance(record, Table):
        raise sql_error(40517, "sp_describe_first_result_set of an OUTPUT clause on this target")
    found: list[DescribedColumn] = []
    for item in items:
        if isinstance(item, ast.SelectStar):
            found += [DescribedColumn(c.name, c.type, c.is_nullable, record, c) for c in record.columns]
            continue
        expression = item.expression if isinstance(item, ast.SelectColumn) else None
        column = next(
            (c for c in record.columns if isinstance(expression, ast.ColumnReference) and c.name.lower() == expression.name.lower()),
            None,
        )  # fmt: skip
        if column is None:
            raise sql_error(40517, "sp_describe_first_result_set of an expression in an OUTPUT clause")
        name = item.alias.value if isinstance(item, ast.SelectColumn) and item.alias is not None else column.name
        found.append(DescribedColumn(name, column.type, column.is_nullable, record, column))
    return tuple(found)


def place_of(session: Session, table: Table) -> tuple[str, str]:
    """Database and schema of a table, by name."""
    database = session.catalog.get(Database, 0, table.database_id)
    schema = session.catalog.get(Schema, table.database_id, table.schema_id)
    return (database.name if database else "tempdb"), (schema.name if schema else "dbo")
