"""External synchrony of a session: nothing is shown before what it may rest on is on disk, and what was lost is told.

Decides when a session waits for the disk and what it does when the disk has refused what it had committed. It must not
know why the disk refuses, nor what the session's batches say.
"""

from __future__ import annotations

from sbql.catalog.interrupts import raise_left
from sbql.engine.ports import Session
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["drop_lost_transaction", "refused_before", "wait_durable", "why_ended"]


def wait_durable(session: Session) -> None:
    """Return when everything that the session has committed or seen is on disk. Raises SqlError, once, when
    one of its own commits was lost, and what came from outside in the middle of one that was not."""
    raise_left()
    if session.pending_lsn:
        # What this session saw of others may be younger than its own last commit.
        journal = session.instance.store.journal
        journal.settle(journal.last_lsn)
        journal.wait_durable(session.settles())


def refused_before(session: Session) -> SqlError | None:
    """As `wait_durable`; returns the error."""
    try:
        wait_durable(session)
    except SqlError as refused:
        return refused
    return None


def drop_lost_transaction(session: Session) -> SqlError | None:
    """Roll back a transaction that cannot be committed any more, because the store has lost
    what it may rest on. Returns why."""
    if session.transaction is None:
        return None
    try:
        session.transaction.check_kept()
    except SqlError as error:
        session.settles()
        session.rollback_transaction()
        return error
    return None


def why_ended(session: Session) -> SqlError:
    """What a session that was ended tells its client: the store has stopped, or somebody has ended it (596)."""
    failure = session.instance.store.failure
    return failure.again() if failure is not None else sql_error(596)
