"""Rows of sys.conversation_endpoints from the broker's memory: an endpoint by its handle, or the first that are there.

Procedures ask at every message in which state a dialog is, and clean up with TOP (1) in a loop; by DuckDB each of these
looks has to bring to the tables first what was committed since the last one. Decides which endpoints a reader sees: as
they were committed, and as his own transaction has left them. The columns are those of the view
(catalog/sql/views/sys.conversation_endpoints.sql). It must not know what is asked of the rows.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from sbql.catalog.records import ConversationEndpoint
from sbql.engine.broker.conversation_state import STATE_DESC
from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.query.running import sees_last_commits
from sbql.engine.scalars.scope import Frame
from sbql.grammar.values.dates import datetime_from_seconds

__all__ = ["EndpointRows"]

_FIRST: Final = 256
"""Endpoints that are looked at where none is named."""

_NEVER: Final = dt.datetime(1900, 1, 1)
_NO_KEY: Final = UUID(int=0)
_NO_TRANSACTION: Final = bytes(6)

Row = tuple[int, Sequence[Any]]


class EndpointRows(Struct, frozen=True):
    """`handle` gives the one that is meant; None: as many as are looked at, and one more where there are more."""

    database_id: int
    handle: Callable[[Frame], Any] | None

    def rows(self, frame: Frame) -> Iterator[Row] | None:
        """None: ask DuckDB. Raises SqlError when what the session rests on has been lost."""
        session = frame.session
        transaction = session.transaction
        if not sees_last_commits(session):
            return None
        session.check_cancelled()
        handle = None if self.handle is None else self.handle(frame)
        if self.handle is not None and not isinstance(handle, UUID):
            return iter(()) if handle is None else None
        broker = session.instance.broker
        with broker.mutex:
            own = transaction.broker if transaction is not None and transaction.has_broker else None
            if own is not None:
                own.changes_so_far()  # what it has sent is there where it may be
                if own.bulk is not None:
                    return None
            found = _found(broker, self.database_id, handle, own)
            session.rests_on_memory(session.instance.store.journal)
        return None if found is None else ((0, _image(one)) for one in found)


def _found(
    broker: BrokerState, database_id: int, handle: UUID | None, own: BrokerTransaction | None
) -> list[ConversationEndpoint] | None:
    """Copies of what the reader sees; None where that is not what stands in memory: others are changing it."""
    if handle is not None:
        conversation = broker.find(database_id, handle)
        looked_at = [] if conversation is None else [conversation]
    else:
        looked_at = list(islice(broker.endpoints.values(), _FIRST + 1))
        if len(looked_at) <= _FIRST and broker.resting.count:
            return None
    others = [one.endpoints for one in broker.transactions if one is not own and one.endpoints]
    found = []
    for conversation in looked_at:
        if conversation.monolog is not None or any(conversation in changed for changed in others):
            return None
        if not conversation.removed and conversation.endpoint.database_id == database_id:
            found.append(replace(conversation.endpoint))
    return found


def _image(e: ConversationEndpoint) -> tuple[Any, ...]:
    """The columns of the view."""
    far = e.far_broker_instance
    return (
        e.conversation_handle, e.conversation_id, int(e.is_initiator), e.contract_id, e.conversation_group_id,
        e.service_id, _moment(e.lifetime), e.state, STATE_DESC[e.state], e.far_service,
        None if far is None else str(far).upper(), e.principal_id, e.far_principal_id, e.outbound_key_id or _NO_KEY,
        e.inbound_key_id or _NO_KEY, _moment(e.security_timestamp), _moment(e.dialog_timer), e.send_sequence,
        _NO_TRANSACTION, e.end_dialog_sequence, e.receive_sequence, 0, 0, -1, -1, -1, e.is_system, e.priority,
    )  # fmt: skip


def _moment(seconds: float) -> dt.datetime:
    return datetime_from_seconds(seconds) if seconds else _NEVER
