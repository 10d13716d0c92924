"""A store in memory or in a file, a table to write to, and short names for rows and messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from sbql.catalog.changes import Definition, DeleteRows, InsertRows, UpdateRows, storage_name
from sbql.catalog.records import QueuedMessage
from sbql.catalog.store import Store
from sbql.catalog.store_session import StoreSession
from sbql.catalog.unit_of_work import UnitOfWork

T = storage_name("Shop.dbo", "t")
COLUMNS = ("$rid", "a", "b")


def guid(number: int) -> UUID:
    return UUID(int=number)


def message(key: int, *, queue_id: int = 70000, order: int | None = None, body: bytes | None = b"x") -> QueuedMessage:
    return QueuedMessage(
        message_key=key, queue_id=queue_id, database_id=5, status=1, priority=5, queuing_order=key if order is None else order,
        conversation_handle=guid(1), message_sequence_number=key, service_id=65540, contract_id=6, message_type_id=14,
        message_type_name="DEFAULT", validation="N", message_body=body, message_id=guid(1000 + key).bytes,
        message_enqueue_time=1.5e9,
    )  # fmt: skip


def insert(*rows: tuple[object, ...]) -> InsertRows:
    return InsertRows(T, COLUMNS, rows)


def update(rid: int, b: object) -> UpdateRows:
    return UpdateRows(T, ("$rid", "b"), [(rid, b)])


def delete(*rids: int) -> DeleteRows:
    return DeleteRows(T, rids)


def rows(unit: UnitOfWork) -> list[tuple[object, ...]]:
    return unit.query(f'SELECT "$rid", a, b FROM {T} ORDER BY 1', tables=frozenset({T})).rows


def make_table(session: StoreSession) -> None:
    unit = session.begin()
    unit.apply(Definition(f'CREATE SCHEMA "Shop.dbo"; CREATE TABLE {T} ("$rid" BIGINT, a INTEGER, b VARCHAR)', (T,)))
    unit.commit()


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "sbql.duckdb")


@pytest.fixture
def store(path: str) -> Iterator[Store]:
    with Store.open(path) as opened:
        yield opened


@pytest.fixture
def session(store: Store) -> StoreSession:
    made = store.connect()
    make_table(made)
    return made
