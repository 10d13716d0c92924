"""What leaves the memory around a fold of the store: messages that are in the tables then, and
conversations of which nothing waits.

Decides in which order, and for how long others wait for the mutex meanwhile. What may leave is decided by
`paging`, `row_paging` and `resting`, who waits meanwhile by `brake`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from sbql.engine.broker.state import BrokerState

__all__ = ["page_out"]

_BREATH = 0.0001
"""Seconds for those who wait for the mutex while conversations go to rest: whoever lets go of one and
takes it at once leaves them nothing."""


def page_out(broker: BrokerState) -> Callable[[bool], object]:
    """Before a fold. What it returns is to be called behind it, with whether the fold has succeeded: ready messages,
    and what waits for transmission, may leave the memory then."""
    brake, resting = broker.brake, broker.resting
    with broker.mutex_in_turn:
        folded = broker.paging.before_fold(), broker.row_paging.before_fold()
        brake.fold_begins(resting.least)

    def after(is_folded: bool) -> None:
        try:
            if is_folded:
                with broker.mutex_in_turn:
                    broker.after_fold(*folded)
                _rest(broker)
        finally:
            with broker.mutex_in_turn:
                brake.fold_is_over(resting.least)

    return after


def _rest(broker: BrokerState) -> None:
    while True:
        with broker.mutex_in_turn:
            if not broker.rest_some():
                return
        time.sleep(_BREATH)
