"""Rows that a TDS client sends after INSERT BULK, as a statement of its session.

It decides nothing of what is loaded: the statement before has, and `modification.insert_bulk` does it.
"""

from __future__ import annotations

from collections.abc import Callable

from sbql.engine.batch.running import Item, sequence
from sbql.engine.outcomes import Outcome
from sbql.engine.scalars.scope import Frame
from sbql.engine.session import Session
from sbql.engine.steps import Step
from sbql.engine.tds.bulk import read_bulk
from sbql.engine.tds.reading import ProtocolError
from sbql.engine.work import Work

__all__ = ["bulk_work"]


def bulk_work(session: Session, data: bytes, version: int) -> Callable[[Callable[[Outcome], None]], Work]:
    """What a driver runs. Raises ProtocolError for rows that nobody announced, and for what are no rows."""
    load = session.bulk.take()
    if load is None:
        raise ProtocolError("rows come without INSERT BULK")
    sent = read_bulk(data, version)

    def prepare() -> tuple[Step, Frame]:
        step = load.step(sent.types, sent.rows)
        return sequence([Item(step.run, True, load.node, True)], {}), Frame(session, 0)

    return lambda sink: session.perform("INSERT BULK", sink, prepare)
