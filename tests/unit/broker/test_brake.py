"""Who begins dialogs faster than they can rest waits, and nobody else does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from dialog_shop import BEGIN, Shop

from sbql.catalog.store_port import StorePort
from sbql.engine.broker import brake
from sbql.grammar.errors import SqlError

ONE = BEGIN.format("")
TWO = ONE.replace("SELECT @h", ONE.removeprefix("DECLARE @h uniqueidentifier; "))


class Stops(StorePort):
    """Something happens where a fold is to be made."""

    def __init__(self) -> None:
        self.meanwhile: Callable[[], object] | None = None

    def call(self, kind: Any, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        meanwhile = self.meanwhile
        if kind == "fold" and meanwhile is not None:
            self.meanwhile = None
            meanwhile()
        return work(*args, **kwargs)


@pytest.fixture
def port() -> Stops:
    return Stops()


@pytest.fixture
def shop(tmp_path: Path, port: Stops) -> Iterator[Shop]:
    found = Shop(tmp_path / "shop.duckdb", 30, port)
    yield found
    found.instance.close()


@pytest.fixture
def slept(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Each pause, of a second for each endpoint too many: whoever makes it holds nothing."""
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        free: list[bool] = []

        def look() -> None:
            mutex = shop.instance.broker.mutex
            free.append(mutex.acquire(False))
            mutex.release()

        beside = threading.Thread(target=look)
        beside.start()
        beside.join()
        assert free == [True]
        pauses.append(seconds)

    monkeypatch.setattr(brake, "PAUSE", 1.0)
    monkeypatch.setattr(brake, "LONGEST", 1e9)
    shop.instance.broker.brake.sleep = sleep
    return pauses


def during_a_fold(shop: Shop, port: Stops, statement: str) -> None:
    port.meanwhile = lambda: shop.run(statement)
    shop.instance.store.fold_and_release()
    assert port.meanwhile is None


@pytest.mark.parametrize(
    ("statement", "too_many"),
    [
        (ONE, [21.0]),
        (TWO, [21.0, 22.0]),
        (f"BEGIN TRAN; {TWO}; COMMIT", [22.0]),
        (f"BEGIN TRAN; {TWO}; ROLLBACK", []),
        (f"BEGIN TRAN; SAVE TRAN s; {TWO}; ROLLBACK TRAN s; COMMIT", []),
        ("SEND ON CONVERSATION '@mine' (0x01)", []),
        ("END CONVERSATION '@mine'", []),
        ("BEGIN CONVERSATION TIMER ('@mine') TIMEOUT = 5", []),
        ("RECEIVE * FROM left_queue", []),
        ("CREATE QUEUE one_more", []),
        ("CREATE TABLE t (i int); INSERT t VALUES (1)", []),
    ],
)
def test_who_begins_dialogs_waits_while_a_fold_is_under_way(
    shop: Shop, port: Stops, slept: list[float], statement: str, too_many: list[float]
) -> None:
    shop.instance.broker.resting.most = 40
    during_a_fold(shop, port, statement.replace("@mine", str(shop.mine[0])))
    assert slept == too_many
    del slept[:]
    shop.run(ONE)
    assert not slept, "the fold is over"


def test_the_target_of_a_dialog_is_not_begun_by_whoever_sends(shop: Shop, port: Stops, slept: list[float]) -> None:
    handle = shop.value(ONE)
    shop.instance.broker.resting.most = 40
    during_a_fold(shop, port, f"SEND ON CONVERSATION '{handle}' (0x01)")
    assert shop.in_memory < 62 and not slept


def test_what_a_fold_leaves_in_memory_is_not_waited_for(shop: Shop, port: Stops, slept: list[float]) -> None:
    """Of these nobody can let go: a message waits for each."""
    for (handle,) in shop.rows("SELECT conversation_handle FROM sys.conversation_endpoints"):
        shop.send(handle)
    shop.instance.broker.resting.most = 40
    shop.instance.store.fold_and_release()
    assert shop.in_memory == 60
    during_a_fold(shop, port, TWO)
    assert not slept


def test_a_fold_that_fails_is_over(shop: Shop, port: Stops, slept: list[float]) -> None:
    def fails() -> None:
        shop.run(ONE)
        raise duckdb.IOException("No space left on device")

    shop.instance.broker.resting.most = 40
    port.meanwhile = fails
    with pytest.raises(SqlError):
        shop.instance.store.fold_and_release()
    assert slept == [21.0]
    shop.run(ONE)
    assert len(slept) == 1
    during_a_fold(shop, port, TWO)
    assert len(slept) == 1, "these are twice what was left"


@pytest.mark.parametrize(("too_many", "seconds"), [(0, 0.0), (1, 0.000_001), (50_000, 0.05), (1_000_000, 0.1)])
def test_the_more_there_are_the_longer_is_the_pause(shop: Shop, too_many: int, seconds: float) -> None:
    begun = next(iter(shop.instance.broker.endpoints.values()))
    begun.stored = not begun.endpoint.is_initiator
    found = brake.Brake(range(200 + too_many))
    assert found.pause([begun]) == 0.0
    found.fold_begins(200)
    assert found.pause([begun]) == pytest.approx(seconds)
    found.fold_is_over(200)
    assert found.pause([begun]) == 0.0


@pytest.mark.parametrize(("left", "free"), [(0, 200), (150, 300), (20_000, 40_000), (30_000, 50_000)])
def test_so_many_more_than_a_fold_has_left_are_free(shop: Shop, left: int, free: int) -> None:
    begun = next(iter(shop.instance.broker.endpoints.values()))
    begun.stored = not begun.endpoint.is_initiator
    endpoints = dict.fromkeys(range(left))
    found = brake.Brake(endpoints)
    found.fold_is_over(200)
    found.fold_begins(200)
    endpoints.update(dict.fromkeys(range(free)))
    assert found.pause([begun]) == 0.0
    endpoints[free] = None
    assert found.pause([begun]) == pytest.approx(0.000_001)
