"""Who may be in a database, in which way, and who has to leave: states, SINGLE_USER, the end of others' sessions.

Decides when a statement that needs a database for itself may go on, and what WITH ROLLBACK IMMEDIATE, ROLLBACK AFTER
and NO_WAIT do to the sessions that are in its way. A session that is ended loses its transaction at once when it is
idle, else at its next statement or wait; its client learns of it from error 596. It must not know what the statement is
about to do with the database.
"""

from __future__ import annotations

from collections import Counter

from sbql.catalog.records import Database
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Instance, Session
from sbql.engine.security import is_in_server_role
from sbql.engine.work import Suspend, Waiter, Work
from sbql.grammar.errors import sql_error

__all__ = [
    "Departures",
    "allows_snapshot",
    "check_open",
    "check_writable",
    "have_alone",
    "refuse_others",
    "users_of",
]

_RESTRICTED_ROLES = ("sysadmin", "dbcreator")


def allows_snapshot(database: Database) -> bool:
    """ALLOW_SNAPSHOT_ISOLATION, which is always ON in master and msdb."""
    return database.name in ("master", "msdb") or database.options.get("ALLOW_SNAPSHOT_ISOLATION") == "ON"


class Departures:
    """Wakes those who wait for a database to become free. One for the instance."""

    def __init__(self) -> None:
        self._waiters: dict[Waiter, None] = {}
        self._claims: Counter[int] = Counter()

    def claim(self, database_id: int) -> None:
        """Its sessions are being ended: no activated task may take the place of an ended one."""
        self._claims[database_id] += 1

    def release(self, database_id: int) -> None:
        self._claims[database_id] -= 1

    def is_claimed(self, database_id: int) -> bool:
        return self._claims[database_id] > 0

    def wait(self) -> Waiter:
        waiter = Waiter()
        self._waiters[waiter] = None
        return waiter

    def forget(self, waiter: Waiter) -> None:
        self._waiters.pop(waiter, None)

    def note(self) -> None:
        """A session has left a database, or ended."""
        for waiter in list(self._waiters):
            waiter.wake()


def users_of(instance: Instance, database_id: int, but: Session | None = None) -> list[Session]:
    """The sessions whose current database it is, activated tasks included; not `but`, nor the broker's own."""
    tasks = instance.scheduler.tasks
    return [
        other
        for other in list(instance.sessions.values())
        if other.database_id == database_id and other is not but and (not other.is_background or other.spid in tasks)
    ]


def check_open(session: Session, database: Database) -> None:
    """Raises 942 (offline), 927 (in the middle of a restore), 923 (RESTRICTED_USER), 924 (SINGLE_USER, and somebody is
    in)."""
    if database.user_access == "MULTI_USER" and database.state == "ONLINE":
        return
    if database.state == "OFFLINE":
        raise sql_error(942, database.name)
    if database.state == "RESTORING":
        raise sql_error(927, database.name)
    if database.user_access == "RESTRICTED_USER" and not _is_administrator(session, database):
        raise sql_error(923, database.name)
    if database.user_access == "SINGLE_USER" and users_of(session.instance, database.id, but=session):
        raise sql_error(924, database.name)


def _is_administrator(session: Session, database: Database) -> bool:
    if any(is_in_server_role(session, role) for role in _RESTRICTED_ROLES):
        return True
    return session.instance.user_of_login(session.catalog, session.login, database.id).id == 1


def check_writable(session: Session, database_id: int) -> None:
    """Raises 3906 when the database is read-only."""
    database = session.catalog.get(Database, 0, database_id)
    if database is not None and database.is_read_only:
        raise sql_error(3906, database.name)


_LOOK_AGAIN = 0.1
"""Seconds after which those who were told to end are told again: a task that had only begun to start did not hear
it."""


def refuse_others(session: Session, database: Database) -> None:
    """Raises 5030 when another connection is in the database. What a rename asks: it waits for activated tasks only."""
    if any(not other.is_background for other in users_of(session.instance, database.id, but=session)):
        raise sql_error(5030)


def have_alone(session: Session, database: Database, termination: str | None) -> Work:
    """Wait until nobody else is in the database, or see to it: `termination` is ROLLBACK IMMEDIATE, ROLLBACK AFTER n,
    NO_WAIT or None.

    Raises 5070 (NO_WAIT, and somebody is in), 5061 (LOCK_TIMEOUT has passed), 5064 (SINGLE_USER, and it is somebody
    else's).
    """
    instance, now = session.instance, session.instance.host.now()
    deadline: float | None = None
    if termination == "ROLLBACK IMMEDIATE":
        deadline = now
    elif termination is not None and termination.startswith("ROLLBACK AFTER"):
        deadline = now + float(termination.rsplit(" ", 1)[1])
    patience = session.options.lock_timeout
    gives_up = now + patience / 1000 if patience >= 0 and deadline is None else None
    told = False
    try:
        while others := users_of(instance, database.id, but=session):
            if database.user_access == "SINGLE_USER":
                raise sql_error(5064, database.name)
            if termination == "NO_WAIT":
                raise sql_error(5070, database.name)
            now = instance.host.now()
            if gives_up is not None and now >= gives_up:
                raise sql_error(5061, database.name)
            is_over = deadline is not None and now >= deadline
            if is_over and not told:
                told = True
                instance.departures.claim(database.id)
                session.emit(InfoMessage(sql_error(5060, 100).message, 5060, 0, 1))
            waiter = instance.departures.wait()
            try:
                if is_over:
                    for other in others:  # also those who have come since
                        other.end()
                    if not users_of(instance, database.id, but=session):
                        return
                look_again = now + _LOOK_AGAIN if is_over else deadline
                yield Suspend(waiter, gives_up if look_again is None else look_again, "LCK_M_X")
            finally:
                instance.departures.forget(waiter)
    finally:
        if told:
            instance.departures.release(database.id)
            instance.scheduler.resume(database.id)
