"""Table functions of the system (sys.fn_…, sys.dm_…): from their lists of rows to a relation of the query.

Decides how their arguments and columns are told to DuckDB. What the rows are is `describe.system_functions`.
"""

from __future__ import annotations

from typing import Any

from sbql.engine.describe.system_functions import SYSTEM_FUNCTIONS, SystemFunction
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import convert
from sbql.engine.query.registered import running_frame
from sbql.engine.query.unnesting import Rows, exposed_name, named_columns_of, place, unnested
from sbql.engine.security.reads import ServerState
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error

__all__ = ["system_function", "system_table"]


def system_function(name: ast.ObjectName) -> SystemFunction | None:
    """The function of schema sys that a name means; those that begin with fn_ need no schema."""
    plain, schema = name.name.lower(), (name.schema or "").lower()
    found = SYSTEM_FUNCTIONS.get(plain)
    return found if schema == "sys" or (schema == "" and plain.startswith("fn_")) else None


def system_table(function: SystemFunction, node: ast.FunctionTable, cx: Context) -> str:
    """Raises 313 and 8144 for a wrong number of arguments."""
    if len(node.arguments) != len(function.parameters):
        few = len(node.arguments) < len(function.parameters)
        raise sql_error(313 if few else 8144, str(node.name), state=3 if few else 2, span=node.span)
    if function.permission:
        cx.statement.reads.append(ServerState(function.permission))
    inner = place(cx)
    arguments: list[Typed] = []
    for argument, sql_type in zip(node.arguments, function.parameters, strict=True):
        given: ast.Expression = ast.NullLiteral() if isinstance(argument, ast.DefaultValue) else argument
        arguments.append(convert(inner.expression(given), sql_type, cx))

    def rows(*values: Any) -> Rows:
        return list(function.rows(running_frame().session, *values))

    shown = named_columns_of(function.columns, node)
    return unnested(node.name.name.lower(), rows, arguments, shown, exposed_name(node), cx, node.span)
