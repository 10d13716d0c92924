"""What a session does at the moment, in words for people: for the wait at the end of a
script, and for whoever waits for a batch.

It decides the words, from what drivers and locks know of waits. It must not know who reads them.
"""

from __future__ import annotations

from typing import Any

from sbql.engine.locks import LockOwner, words_of
from sbql.engine.ports import Instance, Session

__all__ = ["blocker", "doing"]


def doing(session: Session) -> str:
    """`running`, the rows of a result that have come so far, or what it waits for, and for whom. From any thread."""
    waiting = session.waiting_for
    if waiting is None and session.percent_complete:
        return f"{session.percent_complete} percent processed"
    if waiting is None:
        rows = session.store.rows_coming
        return f"{rows:,} rows read" if rows else "running"
    if waiting.reason == "WAITFOR":
        return "sleeping in WAITFOR DELAY or TIME"
    spid, _ = blocker(session.instance, session)
    return f"waiting for {waiting.reason}{f', which session {spid} holds' if spid is not None else ''}"


def blocker(instance: Instance, other: Session) -> tuple[int | None, str]:
    """Who holds what a session waits for: (session id, resource)."""
    transaction = other.transaction
    resource: Any = transaction.owner.waits_for if transaction is not None else None
    if resource is None:
        return None, ""
    holder = instance.locks.holder(resource)
    return _session_of(instance, holder), ":".join(words_of(resource))


def _session_of(instance: Instance, owner: LockOwner | None) -> int | None:
    other: Session
    for other in list(instance.sessions.values()):
        if other.transaction is not None and other.transaction.owner is owner:
            return other.spid
    return None
