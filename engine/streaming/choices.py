"""The option `where` of a consumer: one conversation or one group, written as in RECEIVE.

It decides what may stand there. It must not know what is delivered then (`broker/consumer_choice`).
"""

from __future__ import annotations

from uuid import UUID

from sbql.catalog.records import Queue
from sbql.engine.broker.consumer_choice import Wanted, wanted_in
from sbql.engine.broker.state import BrokerState
from sbql.engine.operations import Call, argument
from sbql.grammar.ast.broker import ReceiveStatement
from sbql.grammar.ast.expressions import StringLiteral
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.parser import parse_batch

__all__ = ["check_choice", "choice", "named_choice"]


def choice(text: str) -> Wanted | None:
    """What a WHERE clause says; None for no text. Raises SqlError 87, 8169."""
    if not text.strip():
        return None
    try:
        statements = parse_batch(f"RECEIVE * FROM q WHERE {text}").statements
    except SqlError:
        raise _wrong(text) from None
    match statements:
        case (ReceiveStatement(where=where),) if where is not None and isinstance(where.value, StringLiteral):
            return Wanted(**{where.column: _guid(where.value.value)})
    raise _wrong(text)


def named_choice(call: Call) -> Wanted | None:
    """The argument `wanted` of a request, as `consumer.open` has answered it."""
    found = argument(call, "wanted", dict)
    return Wanted(**{name: _guid(str(value)) for name, value in found.items()}) if found else None


def check_choice(state: BrokerState, queue: Queue, wanted: Wanted) -> None:
    """With the mutex. Raises 8426 and 8436 when the queue has no such conversation or group."""
    if wanted_in(state, queue.id, queue.database_id, wanted) is None:
        number = 8426 if wanted.conversation_handle is not None else 8436
        raise sql_error(number, str(wanted.conversation_handle or wanted.conversation_group_id).upper())


def _guid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise sql_error(8169) from None


def _wrong(text: str) -> SqlError:
    return SqlError(87, f"The option where cannot be '{text}'.").advise(
        "It is conversation_handle = '...' or conversation_group_id = '...', with the value itself, as in RECEIVE."
    )
