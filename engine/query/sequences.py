"""NEXT VALUE FOR in a query: one value for a row, however often it is asked for, and in the order of its OVER clause.

Rows are numbered by DuckDB, and the n-th row of one execution gets the n-th value that the sequence then gives. It must
not know how values are kept.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from decimal import Decimal
from typing import Any

from sbql.engine.describe.sequence_values import compile_next_value, value_of_row
from sbql.engine.query.context import EXPRESSIONS, Context, registers
from sbql.engine.query.conversions import call
from sbql.engine.query.named_windows import resolved
from sbql.engine.query.registered import running_frame
from sbql.engine.query.windows import window_text
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT

_executions = itertools.count(1)
_EXECUTION = ast.GlobalVariable("@@execution of a query with NEXT VALUE FOR")
"""Stands for the number of an execution, which all uses in one statement share."""


def _execution(frame: Frame) -> int:
    if frame.session.options.rowcount:
        raise sql_error(11739)
    return next(_executions)


@registers(EXPRESSIONS, ast.NextValueFor)
def next_value(node: ast.NextValueFor, cx: Context) -> Typed:
    scalar = compile_next_value(replace(node, over=None), cx.statement.scope)
    over = "" if node.over is None else window_text(resolved(node.over, cx.level.windows), cx)
    execution = Typed(cx.statement.parameter(_execution, BIGINT, _EXECUTION), BIGINT, False)
    number = Typed(f"row_number() OVER ({over})", BIGINT, False)
    is_decimal = scalar.type.name == "decimal"
    name = str(node.sequence).lower()

    def value(run_of: int, row: int) -> Any:
        found = value_of_row(running_frame(), run_of, name, row, scalar.run)
        return Decimal(found) if is_decimal else found

    what = (name, cx.session.database_id, str(scalar.type))
    sql = call("sequence", what, value, [execution, number], scalar.type, cx, is_volatile=True)
    return Typed(sql, scalar.type, False, stands_once=True)
