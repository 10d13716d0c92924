"""A plugin of pytest under which every conversation rests as soon as it may: after each transaction all of them are looked at.

    python -m pytest -p restless tests/unit tests/sql

Whatever holds on to a conversation that has left the memory then works at something that nobody sees, and a test that knows nothing of resting fails.
"""

from __future__ import annotations

from typing import Any

from sbql.engine.broker import resting
from sbql.engine.broker.transaction import BrokerTransaction


def pytest_configure(config: Any) -> None:
    resting.MOST = 0  # type: ignore[misc]
    finish = BrokerTransaction._finish

    def finish_and_rest(self: BrokerTransaction, *args: Any, **more: Any) -> None:
        finish(self, *args, **more)
        self.state.resting.begin()
        while self.state.rest_some():
            pass

    BrokerTransaction._finish = finish_and_rest  # type: ignore[method-assign]
