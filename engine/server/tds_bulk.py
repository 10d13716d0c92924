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
from sbql.engine.tds.reading import ProtocolError, unreadable
from sbql.engine.work import Work

__all__ = ["bulk_work"]


def bulk_work(session: Session, data: bytes, version: int) -> Callable[[Callable[[Outcome], None]], Work]:
    """What a driver runs: the rows are read there, too, where an attention is heard. Raises
    ProtocolError for rows that nobody announced."""
    load = session.bulk.take()
    if load is None:
        raise ProtocolError("rows come without INSERT BULK")

    def prepare() -> tuple[Step, Frame]:
        try:
            sent = read_bulk(data, version)
        except ProtocolError as error:
            raise unreadable(error) from None
        step = load.step(sent.types, sent.rows)
        return sequence([Item(step.run, True, load.node, True)], {}), Frame(session, 0)

    return lambda sink: session.perform("INSERT BULK", sink, prepare)
