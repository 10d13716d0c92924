"""Which locks a write takes, and when row locks become one table lock.

A writer locks

- its table in mode IX: nobody may change the table's shape, or take all of it
- the rows that it changes, exclusively
- the key values that it adds or removes, exclusively
- the key values that its foreign keys rest on, shared.

A new row is locked only when somebody else's search finds it (`pending_images.py`). Readers take no locks: they see
what was committed when their statement began. It must not know what the rows hold.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from typing import TypeVar

from sbql.catalog.records import Table
from sbql.engine.locks import ESCALATION_LIMIT
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.work import Suspend
from sbql.grammar.errors import sql_error

__all__ = [
    "ESCALATION_LIMIT", "drop_locks", "lock_all", "lock_definition", "lock_free", "lock_table", "locked", "try_lock_whole",
]  # fmt: skip

T = TypeVar("T")

_RETRY_EVERY = 1250


def table_resource(table_id: int) -> Hashable:
    return ("table", table_id)


def lock_table(txn: Transaction, table_id: int, mode: str = "IX") -> Generator[Suspend, None, bool]:
    """IX for a write, exclusive for DDL and TRUNCATE. Returns whether it had to wait, so that the
    table may be another one by now."""
    resource = ("table", table_id)
    if txn.instance.locks.try_acquire(txn.owner, resource, mode):
        return False
    yield from txn.lock(resource, mode, "LCK_M_SCH_M" if mode == "X" else "LCK_M_IX")
    return True


def locked(
    session: Session,
    txn: Transaction,
    version: int,
    found: T,
    make: Callable[[], T],
    tables_of: Callable[[T], Iterable[BoundTable]],
    mode: str = "IX",
) -> Generator[Suspend, None, T]:
    """What was bound at this version of the catalog, with its tables locked: made anew as long as somebody may have
    changed one of them before all locks were had."""
    try_acquire = txn.instance.locks.try_acquire
    while True:
        for bound in tables_of(found):
            if (
                bound.needs_locks
                and not try_acquire(txn.owner, ("table", bound.table.id), mode)
                and (yield from lock_table(txn, bound.table.id, mode))
            ):
                break
        else:
            if session.catalog.version == version:
                return found
        version = session.catalog.version
        found = make()


def lock_definition(session: Session, txn: Transaction, table: Table) -> Generator[Suspend, None, None]:
    """For what changes a table that others see. Raises 3964 inside a SNAPSHOT
    transaction: definitions have no versions."""
    if txn.is_snapshot and session.trancount:
        raise sql_error(3964)
    yield from lock_table(txn, table.id, "X")


def try_lock_whole(txn: Transaction, table_id: int) -> bool:
    """Past the limit: the table lock stands for all that was written, if nobody else works on the table. A row that is
    inserted has no lock of its own until somebody asks for it."""
    return txn.instance.locks.try_acquire(txn.owner, table_resource(table_id))


def drop_locks(frame: Frame, txn: Transaction, resources: Iterable[Hashable]) -> None:
    """Let go of rows that a search has locked and, looking again, does not want; a level above READ COMMITTED keeps
    what it has read."""
    if frame.session.options.isolation_level in ("REPEATABLE READ", "SERIALIZABLE"):
        return
    for resource in resources:
        txn.instance.locks.release(txn.owner, resource)


def lock_all(
    txn: Transaction, table_id: int, resources: Sequence[Hashable], mode: str = "X", *, nowait: bool = False
) -> Generator[Suspend, None, bool]:
    """Lock rows or keys of a table. Returns whether it had to wait, so that what was read before may be old.

    `nowait`: raises 1222 instead of waiting. Past the limit it tries for the whole table; if others work on the table
    it goes on row by row, as SQL Server does.
    """
    owner = txn.owner
    held = owner.held
    table = ("table", table_id)
    if held.get(table) == "X":
        return False
    try_acquire = txn.instance.locks.try_acquire
    count = len(held) + len(resources)
    if count >= ESCALATION_LIMIT and count % _RETRY_EVERY < len(resources) and try_lock_whole(txn, table_id):
        return False
    waited = False
    for resource in resources:
        if not try_acquire(owner, resource, mode):
            waited = True
            yield from txn.lock(resource, mode, "LCK_M_" + mode, nowait=nowait)
    return waited


def lock_free(txn: Transaction, resources: Sequence[Hashable]) -> bool:
    """READPAST: lock them all if nobody has one of them; never waits."""
    owner = txn.owner
    locks = txn.instance.locks
    taken: list[Hashable] = []
    for resource in resources:
        if resource in owner.held:
            continue
        if not locks.try_acquire(owner, resource):
            for mine in taken:
                locks.release(owner, mine)
            return False
        taken.append(resource)
    return True
