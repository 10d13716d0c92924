"""User functions that give a table: inline ones are translated in place, multi-statement ones run first.

Decides how arguments stand for parameters in the text of an inline function, and when a multi-statement function runs:
once, before the query, or for each row when its arguments depend on the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sbql.catalog.records import Module
from sbql.engine.invocation import NEST_MAX
from sbql.engine.ports import Session
from sbql.engine.query.binding_failures import in_text_of_module
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import convert
from sbql.engine.query.queries import translate_inner
from sbql.engine.query.query_text import derived_relation
from sbql.engine.query.quick_bodies import LeftToBody, QuickBody, quick_body
from sbql.engine.query.registered import of_query, running_frame
from sbql.engine.query.set_operations import with_clause
from sbql.engine.query.statement import MAX_VIEW_DEPTH
from sbql.engine.query.tables import relation_of_rows
from sbql.engine.query.unnesting import Rows, place, unnested
from sbql.engine.query.unsupported_views import unknown_object
from sbql.engine.query.user_functions import run_compiled_function, run_user_function
from sbql.engine.running_lines import are_heard
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security.resolver import resolve
from sbql.engine.steps import LateBound
from sbql.engine.tables.table_variables import TableVariable, TableVariables, needs_no_transaction
from sbql.engine.tables.typed_sql import Parameter, Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.parser import parse_batch
from sbql.grammar.types import TABLE_TYPE

__all__ = ["user_table"]


def user_table(node: ast.FunctionTable, cx: Context) -> str:
    """Raises 208 for an unknown function, 313 and 8144 for a wrong number of arguments."""
    found = resolve(cx.session, node.name, Module, missing_ok=True)
    if found is None or found.type not in ("IF", "TF"):
        raise unknown_object(node.name, node.span)
    definition = parse_batch(found.definition, quoted_identifiers=found.uses_quoted_identifier).statements[0]
    assert isinstance(definition, ast.CreateFunctionStatement)
    if len(node.arguments) > len(definition.parameters):
        raise sql_error(8144, str(node.name), span=node.span)
    if len(node.arguments) < len(definition.parameters):
        raise sql_error(313, str(node.name), state=3, span=node.span)
    cx.statement.read(found, set())
    if found.type == "IF":
        return _inline(found, definition, node, cx)
    return _multi_statement(found, definition, node, cx)


def _arguments(
    module: Module, definition: ast.CreateFunctionStatement, node: ast.FunctionTable, cx: Context
) -> dict[str, Typed]:
    inner = place(cx)
    scope, outer = Scope.in_database_of(module, cx.session), cx.statement.scope
    found = {}
    for parameter, argument in zip(definition.parameters, node.arguments, strict=True):
        given: ast.Expression = argument
        slot = outer.table_slot(argument.name) if isinstance(argument, ast.VariableReference) else None
        if slot is not None:
            passed = Parameter(_table_of(slot, parameter.name), TABLE_TYPE)
            found[parameter.name.lower()] = Typed("NULL", TABLE_TYPE, constant=passed)
            continue
        if isinstance(argument, ast.DefaultValue):
            if parameter.default is None:
                raise sql_error(313, str(node.name), state=3, span=node.span)
            given = parameter.default
        found[parameter.name.lower()] = convert(inner.expression(given), scope.resolve_type(parameter.type), inner)
    return found


def _table_of(slot: int, name: str) -> Callable[[Any], Any]:
    """A table variable as the table-valued parameter `name`."""
    return lambda frame: frame.variables[slot].as_parameter(name)


def _inline(module: Module, definition: ast.CreateFunctionStatement, node: ast.FunctionTable, cx: Context) -> str:
    statement = cx.statement
    assert definition.query is not None
    if statement.view_depth >= MAX_VIEW_DEPTH:
        raise sql_error(217, MAX_VIEW_DEPTH, span=node.span)
    arguments = _arguments(module, definition, node, cx)
    before = statement.arguments, statement.common_tables, statement.scope, statement.table_arguments
    tables = {
        parameter.name.lower(): statement.scope.lookup_table(argument.name)
        for parameter, argument in zip(definition.parameters, node.arguments, strict=True)
        if isinstance(argument, ast.VariableReference) and statement.scope.table_slot(argument.name) is not None
    }
    statement.arguments, statement.common_tables, statement.scope = (
        arguments,
        [],
        Scope.in_database_of(module, cx.session),
    )
    statement.table_arguments = tables
    statement.view_depth += 1
    try:
        with (
            in_text_of_module(module, node.name, node.span),
            statement.within(module),
            statement.session.as_created(module.uses_ansi_nulls),
        ):
            # The parameters may be columns of this level, so the query is a lateral one.
            inner = cx.alone()
            prefix = with_clause(definition.query.with_, inner)
            query = translate_inner(definition.query.query, inner)
    finally:
        statement.view_depth -= 1
        statement.arguments, statement.common_tables, statement.scope, statement.table_arguments = before
    alias = statement.alias()
    exposed = node.alias.value if node.alias is not None else node.name.name
    cx.level.add(derived_relation(query, exposed, node.columns, alias, node.span), node.span)
    return f"({prefix}{query.sql}) AS {alias}"


def _multi_statement(
    module: Module, definition: ast.CreateFunctionStatement, node: ast.FunctionTable, cx: Context
) -> str:
    arguments = list(_arguments(module, definition, node, cx).values())
    constants = [argument.constant for argument in arguments]
    if any(constant is None for constant in constants):
        return _for_each_row(module, definition, node, arguments, cx)
    compiled = cx.session.instance.modules.module(module, cx.session)
    assert definition.table_name is not None
    slot, table = compiled.scope.lookup_table(definition.table_name)
    local = cx.statement.alias(f"function_{module.id}_")
    variables = TableVariables(definition.table_name, table)

    def load(frame: Any, name: str) -> Any:
        values = [constant.run(frame) for constant in constants if constant is not None]
        inner = run_user_function(frame, module, values, {slot: variables.new(frame.session)})
        return inner.variables[slot].local(name)

    exposed = node.alias.value if node.alias is not None else node.name.name
    return relation_of_rows(table, exposed, local, load, cx, node.span)


class _Call:
    """A function that runs for each row, as long as names mean the same."""

    __slots__ = ("_bound", "_compiled", "_name", "_parameters", "_quick", "_slot")

    def __init__(self, module: Module, name: str, session: Session) -> None:
        self._compiled = session.instance.modules.module(module, session)
        self._slot, table = self._compiled.scope.lookup_table(name)
        self._name, self._bound = name, TableVariables(name, table).new(session).bound
        self._parameters = [parameter.slot for parameter in self._compiled.parameters]
        self._quick = quick_body(session, self._compiled)

    def for_query(self, session: Session) -> Callable[[Sequence[Any]], Rows]:
        """What gives the rows of a call, for a query of the session that begins now."""
        body = self._quick
        if body is None or are_heard() or session.nest_level >= NEST_MAX or not needs_no_transaction(session):
            return lambda values: self._rows(session, values)

        def rows(values: Sequence[Any]) -> Rows:
            try:
                return self._quickly(session, body, values)
            except (LeftToBody, SqlError):  # the body says what is wrong
                return self._rows(session, values)

        return rows

    def _quickly(self, session: Session, body: QuickBody, values: Sequence[Any]) -> Rows:
        frame = Frame(session, body.size)
        variables = frame.variables
        for slot, value in zip(self._parameters, values, strict=True):
            variables[slot] = value
        rows = body.begin(variables)
        body.run(frame)
        if body.identity is not None and rows:
            session.note_identity(rows[-1][body.identity])
        return rows

    def _rows(self, session: Session, values: Sequence[Any]) -> Rows:
        found = TableVariable(self._name, self._bound)
        inner = run_compiled_function(session, self._compiled, values, {self._slot: found})
        return list(inner.variables[self._slot].rows.values())


def _for_each_row(
    module: Module,
    definition: ast.CreateFunctionStatement,
    node: ast.FunctionTable,
    arguments: list[Typed],
    cx: Context,
) -> str:
    """Arguments that are columns of the query: the function runs for each of its rows, while the query runs."""
    assert definition.table_name is not None
    name = definition.table_name
    compiled = cx.session.instance.modules.module(module, cx.session)
    _, table = compiled.scope.lookup_table(name)
    call = LateBound(lambda session: _Call(module, name, session))

    def for_query(session: Session) -> Callable[[Sequence[Any]], Rows]:
        return call.get(session).for_query(session)

    per_row = [argument for argument in arguments if argument.type is not TABLE_TYPE]

    def rows(*values: Any) -> Rows:
        return of_query(call, for_query)(values)

    def rows_with_tables(*per_call: Any) -> Rows:
        frame = running_frame()
        given = iter(per_call)
        return rows(*(
            a.constant.run(frame) if a.type is TABLE_TYPE and a.constant is not None else next(given) for a in arguments
        ))  # fmt: skip

    columns = [(column.name, column.type) for column in table.columns]
    if node.columns:
        if len(node.columns) != len(columns):
            raise sql_error(8158 if len(columns) > len(node.columns) else 8159, node.name.name, span=node.span)
        columns = [(given.value, sql_type) for given, (_, sql_type) in zip(node.columns, columns, strict=True)]
    exposed = node.alias.value if node.alias is not None else node.name.name
    outer = cx.statement.scope
    tables = [outer.table_slot(a.name) for a in node.arguments if isinstance(a, ast.VariableReference)]
    what = (module.database_id, module.id, module.definition, tables)
    function = rows if len(per_row) == len(arguments) else rows_with_tables
    return unnested(what, function, per_row, columns, exposed, cx, node.span)
