"""That nothing waits, as the broker's memory says it: sys.transmission_queue without a row.

Procedures ask there what became of a message that they have just sent, and tests wait until nothing is left; by DuckDB
each of these looks has to bring to the tables first what was committed since the last one. Decides when the view is
empty for a reader. It must not know what is asked of it; rows that there are, are DuckDB's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.query.running import sees_last_commits
from sbql.engine.scalars.scope import Frame

__all__ = ["NoTransmissions"]

_FEW: Final = 256
"""Conversations of which messages have waited, to look at."""


class NoTransmissions(Struct, frozen=True):
    """Of all databases, which is more than is asked."""

    def rows(self, frame: Frame) -> Iterator[tuple[int, Sequence[Any]]] | None:
        """Nothing, or None: ask DuckDB. Raises SqlError when what the session rests on has been lost."""
        session = frame.session
        transaction = session.transaction
        if not sees_last_commits(session):
            return None
        session.check_cancelled()
        broker = session.instance.broker
        with broker.mutex:
            own = transaction.broker if transaction is not None and transaction.has_broker else None
            if own is not None:
                own.changes_so_far()  # what it has sent is there where it may be
                if own.bulk is not None or own.arrivals:
                    return None
            if not _is_empty(broker, own):
                return None
            session.rests_on_memory(session.instance.store.journal)
        return iter(())


def _is_empty(broker: BrokerState, own: BrokerTransaction | None) -> bool:
    if any(one.transmissions for one in broker.transactions if one is not own):
        return False
    looked_at = list(islice(broker.delayed, _FEW + 1))
    return len(looked_at) <= _FEW and not any(one.transmission or one.held for one in looked_at)
