"""PRIMARY KEY, UNIQUE and unique indexes: no two rows with equal keys, also against rows that other transactions have
not committed yet.

A key value is locked before it is looked up, so whoever adds or removes the same key waits for the other. NULL equals
NULL here, as in SQL Server's unique indexes.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from sbql.engine.modification.locking import lock_all
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Transaction
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import BoundTable, Key
from sbql.engine.tables.row_images import Image, RowImages
from sbql.engine.work import Suspend
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import SqlType, Variant
from sbql.grammar.values.checkpoints import checked_rows
from sbql.grammar.values.date_styles import date_to_text
from sbql.grammar.values.kinds import DATE_NAMES

__all__ = ["check_keys", "show_key"]


def check_keys(frame: Frame, txn: Transaction, rows: Any, images: RowImages) -> Generator[Suspend, None, None]:
    """Lock and check every key that the images add; lock those that they remove. Raises 2627, 2601."""
    bound: BoundTable = rows.bound
    for key in bound.keys:
        if key.record.ignores_duplicates and images.inserted:
            yield from _leave_out(frame, txn, rows, key, images)
        try:
            added, removed, freed = _changes(frame, key, images)
        except _Double as double:
            raise duplicate(bound, key, double.row) from None
        if not added and not removed:
            continue
        if bound.needs_locks:
            table_id = bound.table.id
            wanted = [("key", table_id, key.id, value) for value in (*removed, *added)]
            yield from lock_all(txn, table_id, wanted)
        is_fresh = key.is_identity and images.is_fresh_identity and not images.updated
        wanted = rows.candidates(key, added, are_fresh=is_fresh)
        if not wanted:
            continue
        found = rows.find(key.positions, wanted, is_unique=key.filter is None)
        if len(found) < len(wanted):
            rows.note_in_vain(key, len(wanted) - len(found))
        taken = {
            value
            for value, row_id in found
            if not (row_id in freed or (key.filter is not None and not _still_covered(frame, rows, key, value, row_id)))
        }
        if taken:
            raise duplicate(bound, key, next(row for value, row in added.items() if value in taken))


def _leave_out(
    frame: Frame, txn: Transaction, rows: Any, key: Key, images: RowImages
) -> Generator[Suspend, None, None]:
    """IGNORE_DUP_KEY: rows to be inserted whose key is there already, or came before, are
    none. Message 3604 tells of them."""
    bound: BoundTable = rows.bound
    values = [key.value(inserted.new) for inserted in checked_rows(images.inserted)]
    wanted = list(dict.fromkeys(values))
    if bound.needs_locks:
        yield from lock_all(txn, bound.table.id, [("key", bound.table.id, key.id, value) for value in wanted])
    removed = {deleted.row_id for deleted in images.deleted}
    seen = {value for value, row_id in rows.find(key.positions, wanted, is_unique=True) if row_id not in removed}
    kept = []
    for inserted, value in zip(images.inserted, values, strict=True):
        if value not in seen:
            seen.add(value)
            kept.append(inserted)
    if len(kept) < len(images.inserted):
        images.inserted[:] = kept
        told = sql_error(3604)
        frame.session.emit(InfoMessage(told.message, told.number, told.severity, told.state))


def _changes(frame: Frame, key: Key, images: RowImages) -> tuple[dict[Any, Image], list[Any], set[int]]:
    """Key values added (with their rows) and removed by the images, and the row ids that give theirs up. Raises
    _Double."""
    added: dict[Any, Image] = {}
    removed: list[Any] = []
    freed: set[int] = set()

    def add(row: Any) -> None:
        if key.filter is not None and not key.covers(frame, row):
            return
        value = key.value(row)
        if value in added:
            raise _Double(row)
        added[value] = row

    for deleted in checked_rows(images.deleted):
        removed.append(key.value(deleted.old))
        freed.add(deleted.row_id)
    for updated in checked_rows(images.updated):
        old, new = key.value(updated.old), key.value(updated.new)
        if old != new or key.filter is not None:
            removed.append(old)
            freed.add(updated.row_id)
            add(updated.new)
    for inserted in checked_rows(images.inserted):
        add(inserted.new)
    return added, removed, freed


class _Double(Exception):
    def __init__(self, row: Image) -> None:
        self.row = row


def _still_covered(frame: Frame, rows: Any, key: Key, value: Any, row_id: int) -> bool:
    """Whether the row found under a filtered index's key is in that index."""
    return any(found == row_id and key.covers(frame, image) for found, image in rows.find_rows(key.positions, [value]))


def duplicate(bound: BoundTable, key: Key, row: Image) -> SqlError:
    """2627 or 2601; the message shows the key as the new row spells it."""
    return sql_error(key.number, *_arguments(key, bound.display, [row[p] for p in key.positions]))


def _arguments(key: Key, display: str, value: list[Any]) -> tuple[object, ...]:
    shown = f"({', '.join(show_key(v, t) for v, t in zip(value, key.types, strict=True))})"
    if key.number == 2601:
        return display, key.name, shown
    return key.kind, key.name, display, shown


def show_key(value: Any, sql_type: SqlType) -> str:
    """A key value as the message shows it."""
    if value is None:
        return "<NULL>"
    if isinstance(value, Variant):
        return show_key(value.value, value.type)
    if sql_type.name in DATE_NAMES:
        return date_to_text(value, sql_type)
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, bytes):
        return "0x" + value.hex()
    return str(value)
