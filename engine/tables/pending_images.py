"""Rows that other open transactions have written: what a writer searches beside the committed ones, and waits for.

A reader goes by versions and never looks here. A writer must not overlook a row that will match once somebody else
commits: SQL Server's modifications take update locks while they search, and wait. Here the old image of such a row is
the committed one: every search finds it, and its lock makes the writer wait. The new image is found by the same search
over a relation of all images of others. Decides which images those are, how they become a relation, and how
one waits for whoever wrote one. It must not know what is searched for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

from sbql.catalog.changes import ROW_ID, TEMP, LocalTable, storage_name
from sbql.catalog.duck_types import duck_type, quote
from sbql.catalog.pending_rows import ImageBatch
from sbql.catalog.records import Table
from sbql.engine.locks import LockOwner
from sbql.engine.ports import Transaction
from sbql.engine.scalars.scope import Frame
from sbql.engine.work import Suspend
from sbql.grammar.errors import CANCELLED, SqlError

__all__ = ["image_table", "image_text", "others_at_work", "wait_for_holders", "wait_for_images"]

_MASK = "mask"


def others_at_work(txn: Transaction, table_id: int) -> list[LockOwner]:
    """The owners of other transactions that write, or may write, the table. One who searches under SNAPSHOT looks at
    his versions alone, and finds out about others when he writes (3960)."""
    found = txn.instance.locks.others(txn.owner, ("table", table_id))
    return [] if txn.is_snapshot else found


# --- the images as a relation ------------------------------------------------------------------------------


def image_text(table: Table, storage: str, *, with_rows: bool) -> str:
    """What stands in FROM for the table, with its columns and row ids: the newest images of others; `with_rows` the
    table as it would be if they committed. A column that an image does not name is as committed."""
    columns = ", ".join(
        f"CASE WHEN i.{_MASK}[{place}] = '1' THEN i.c{place} ELSE b.{quote(column.name)} END AS {quote(column.name)}"
        for place, column in enumerate(table.columns, 1)
    )
    row_id, local = quote(ROW_ID), f"{TEMP}.{quote(_name(table))}"
    images = (
        f"SELECT i.{row_id}, {columns} FROM {local} AS i LEFT JOIN {storage} AS b ON b.{row_id} = i.{row_id}"
        f" WHERE i.{_MASK} <> ''"
    )
    if not with_rows:
        return f"({images})"
    names = ", ".join([row_id, *(quote(column.name) for column in table.columns)])
    return f"(SELECT {names} FROM {storage} ANTI JOIN {local} USING ({row_id}) UNION ALL {images})"


def _name(table: Table) -> str:
    return f"images_{table.id}"


def image_table(table: Table, frame: Frame) -> LocalTable:
    """The images: row id, which columns each names ('0110', empty for a row that was removed), and the columns."""
    columns = [(ROW_ID, "BIGINT"), (_MASK, "VARCHAR")]
    columns += [(f"c{place}", duck_type(column.type)) for place, column in enumerate(table.columns, 1)]
    storage = storage_name(table.storage_schema, table.storage_name)
    assert frame.session.transaction is not None
    others = others_at_work(frame.session.transaction, table.id)
    batches = [batch for other in others for batch in _batches(other, storage)]
    names = [column.name for column in table.columns]
    rows = [row for batch in batches for row in _rows(batch, names)]
    return LocalTable(_name(table), tuple(columns), rows, tuple(batches))


def _batches(owner: LockOwner, storage: str) -> Sequence[ImageBatch]:
    found: Sequence[ImageBatch] = owner.work.pending(storage) if owner.work is not None else ()
    return found


def _rows(batch: ImageBatch, names: Sequence[str]) -> Iterable[tuple[Any, ...]]:
    """The rows of a batch, in the order of the table's columns; NULL for those that it does not name."""
    nothing = (None,) * len(batch.row_ids)
    given = dict(zip(batch.names, batch.columns, strict=True))
    named = "" if batch.is_deleted else "".join("1" if name in given else "0" for name in names)
    mask = (named,) * len(batch.row_ids)
    return zip(batch.row_ids, mask, *(given.get(name, nothing) for name in names), strict=True)


# --- waiting -----------------------------------------------------------------------------------------------


def wait_for_images(
    frame: Frame, txn: Transaction, table: Table, search: Callable[[Frame], Iterable[Any]], *, nowait: bool = False
) -> Generator[Suspend, None, bool]:
    """Wait for somebody who has written a row that matters. `search` gives row ids: those it finds among the images, or
    those by which the statement's rows would differ if the others committed. False: there is none. After True look
    again at everything: who was waited for has ended.

    A search that fails (a division by a value that nobody has committed) may have found any of them.
    """
    storage = storage_name(table.storage_schema, table.storage_name)
    others = [other for other in others_at_work(txn, table.id) if _batches(other, storage)]
    if not others:
        return False
    try:
        found = list(search(frame))
    except SqlError as error:
        if error.number == CANCELLED or error.severity > 16:
            raise
        found = [None]
    if not found:
        return False
    for row_id in found:
        for other in others:
            if other.work.has_pending(storage, row_id):
                yield from _wait_for(txn, other, table.id, row_id, nowait)
                return True
    for batch in _batches(others[0], storage):  # what it has written decides about a row of somebody else
        yield from _wait_for(txn, others[0], table.id, batch.row_ids[0], nowait)
        break
    return True


def _wait_for(
    txn: Transaction, other: LockOwner, table_id: int, row_id: int, nowait: bool
) -> Generator[Suspend, None, None]:
    """Until `other` has ended. The lock is let go: whether the row is wanted, the next search tells."""
    locks, resource = txn.instance.locks, ("row", table_id, row_id)
    if locks.make_explicit(other, resource, ("table", table_id)):
        yield from txn.lock(resource, "X", "LCK_M_U", nowait=nowait)
        locks.release(txn.owner, resource)


def wait_for_holders(
    txn: Transaction, table_id: int, row_ids: Iterable[int], *, nowait: bool = False
) -> Generator[Suspend, None, bool]:
    """Wait for somebody who has locked one of these rows, which a statement has found and will not change. Returns
    whether it had to."""
    locks = txn.instance.locks
    for row_id in row_ids:
        resource = ("row", table_id, row_id)
        if not locks.would_grant(txn.owner, resource, "X"):
            yield from txn.lock(resource, "X", "LCK_M_U", nowait=nowait)
            locks.release(txn.owner, resource)
            return True
    return False
