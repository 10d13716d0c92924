"""NEWID(), CHECKSUM(NEWID()) and RAND(seed) in SQL: another value for every row.

It decides that DuckDB computes them, and what the session learns of it: RAND() goes on from the seed of a row. It
must not know what surrounds a call.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from sbql.engine.functions.system import SECOND_OF_SEED
from sbql.engine.host import guid_key
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import call, convert
from sbql.engine.query.native_calls import native_call
from sbql.engine.query.registered import NOTE_SEED, call_text, running_frame
from sbql.engine.query.row_functions import row_function
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, FLOAT, INT, UNIQUEIDENTIFIER

__all__ = ["checksum_of_newid", "newid", "rand"]

_WHOLE: Final = ("bit", "tinyint", "smallint", "int")


def newid(node: ast.FunctionCall, cx: Context) -> Typed:
    """A new value for every row. DuckDB's, in which sequences of two queries might meet, are made others by a
    key for each query, from the host; from a host that repeats, and in windows, which take no volatile
    function, each is the host's own. Raises 174."""
    if node.arguments:
        raise sql_error(174, "newid", 0, span=node.span)
    if cx.session.instance.host.repeats or cx.statement.is_in_window:
        new = call("newid", "", _new_guid, (), UNIQUEIDENTIFIER, cx, is_volatile=True)
    else:
        key = cx.statement.parameter(lambda frame: guid_key(frame.session.instance.host), UNIQUEIDENTIFIER)
        new = f"CAST(xor(CAST(uuid() AS UHUGEINT), CAST({key} AS UHUGEINT)) AS UUID)"
    return Typed(new, UNIQUEIDENTIFIER, False, stands_once=True)


def checksum_of_newid(node: ast.FunctionCall, cx: Context) -> Typed | None:
    """CHECKSUM(NEWID()), by which people draw numbers: nobody sees the GUID, so any 32 bits of it will do. None where
    each value is the host's own."""
    if cx.session.instance.host.repeats or cx.statement.is_in_window:
        return None
    return Typed(
        f"CAST(CAST(hash({newid(node, cx).sql}) >> 32 AS BIGINT) - {2**31} AS INTEGER)", INT, False, stands_once=True
    )


def _new_guid() -> UUID:
    found: UUID = running_frame().session.instance.host.new_guid()
    return found


def rand(node: ast.FunctionCall, cx: Context) -> Typed:
    """RAND of a seed that is no constant: the number is DuckDB's, and Python only notes the row's state, from which the
    next RAND() goes on. All else is Python's."""
    argument = node.arguments[0] if len(node.arguments) == 1 else None
    seed = cx.expression(argument) if isinstance(argument, ast.Expression) else None
    if seed is None or seed.constant is not None or cx.statement.is_in_window:
        return native_call("RAND", node, cx) or row_function(node, cx)
    seed = seed if seed.type.name in _WHOLE else convert(seed, BIGINT, cx)
    first = f"40014 * abs(CAST(coalesce({seed.sql}, 0) AS BIGINT) % 2147483563) % 2147483563"
    cx.statement.use_function(NOTE_SEED)
    noted = f"invoke(lambda s: coalesce({call_text(NOTE_SEED, ['s'])}, s), {first})"
    number = f"(({noted} + {2147483561 - SECOND_OF_SEED}) % 2147483562 + 1)"
    return Typed(f"({number} * CAST(4.656613e-10 AS DOUBLE))", FLOAT, False, stands_once=True)
