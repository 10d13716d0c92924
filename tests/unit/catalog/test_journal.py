"""The stored form of a transaction's broker changes: what is decoded is what was encoded, and a shared body is written
once."""

from __future__ import annotations

from uuid import UUID

import pytest

from sbql.catalog.journal import Batch, Journal, decode, encode
from sbql.catalog.records import BrokerChange, DeleteMessage, MonologMessage, QueuedMessage
from sbql.grammar.errors import SqlError, sql_error


def message(key: int, body: bytes | None) -> QueuedMessage:
    return QueuedMessage(
        key, 1, 5, 1, 5, key, UUID(int=key), 0, 1, 1, 100, "DEFAULT", "N", body, UUID(int=9).bytes, 1.0
    )


def fan_out(body: bytes | None, count: int) -> list[BrokerChange]:
    retained = MonologMessage(999, 5, UUID(int=7), 0, "DEFAULT", body, UUID(int=9).bytes, 1.0)
    return [retained, DeleteMessage(3), *(message(100 + i, body) for i in range(count))]


@pytest.mark.parametrize("size", [0, 1, 255, 256, 10_000])
@pytest.mark.parametrize("count", [1, 2, 3, 50])
def test_comes_back_as_it_was(size: int, count: int) -> None:
    changes = fan_out(bytes(size), count)
    assert decode(encode(changes)) == changes


def test_different_bodies_stay_different() -> None:
    changes: list[BrokerChange] = [message(i, bytes([i]) * 300) for i in range(10)]
    changes.append(message(50, None))
    assert decode(encode(changes)) == changes


def test_a_shared_body_is_written_once() -> None:
    body = bytes(8000)
    assert len(encode(fan_out(body, 100))) < 8000 + 103 * 150


def test_the_changes_keep_their_bodies() -> None:
    """Encoding copies: the records are the engine's working state."""
    changes = fan_out(bytes(300), 5)
    encode(changes)
    assert changes == fan_out(bytes(300), 5)


def test_who_asks_is_called_when_it_is_durable_or_lost() -> None:
    """Nobody sleeps until then."""
    refusals: list[SqlError] = []

    def write(batch: Batch) -> None:
        if refusals:
            raise refusals[0]

    journal, called = Journal(write), list[int]()
    first = journal.submit(b"1")
    journal.when_durable(first, lambda: called.append(first))
    assert called == []
    journal.settle(first)
    assert called == [first]
    journal.when_durable(first, lambda: called.append(0))
    assert called == [first, 0]
    refusals.append(sql_error(9001, "disk"))
    second = journal.submit(b"2")
    journal.when_durable(second, lambda: called.append(second))
    journal.settle(second)
    assert called == [first, 0, second]
    with pytest.raises(SqlError):
        journal.require(second)
