"""A plugin of pytest under which every conversation rests as soon as it may: after each
transaction all of them are looked at.

    python -m pytest -p restless tests/unit tests/sql

Whatever holds on to a conversation that has left the memory then works at something that nobody sees, and a test
that knows nothing of resting fails.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sbql.engine.broker import resting
from sbql.engine.broker.transaction import BrokerTransaction


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Its own tests say themselves what rests."""
    return (
        collection_path.name in ("test_resting.py", "test_paging.py", "test_unread.py", "test_waiting_at_rest.py")
        or None
    )


def pytest_configure(config: Any) -> None:
    resting.MOST = 0  # type: ignore[misc]
    finish = BrokerTransaction._finish

    def finish_and_rest(self: BrokerTransaction, *args: Any, **more: Any) -> None:
        finish(self, *args, **more)
        for transaction in self.state.transactions:
            held = {*transaction.endpoints, *(c for group in transaction.locked for c in group.members)}
            reached = [*(c for c, _ in transaction.unpublished), *(arrival.sender for arrival in transaction.arrivals)]
            assert all(c in held or c.removed or c.is_far for c in reached), "resting looks at no others"
        self.state.resting.begin()
        while self.state.rest_some():
            pass

    BrokerTransaction._finish = finish_and_rest  # type: ignore[method-assign]
