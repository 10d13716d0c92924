"""COUNT(*) of a queue while a fold is under way: it does not wait for the fold, and counts no message twice or not at
all, wherever the fold has stopped."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from told import told

from sbql.catalog.store_port import StorePort
from sbql.engine.instance import Instance

SETUP = "CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]); CREATE TABLE h (h uniqueidentifier)"
BEGIN = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; INSERT h VALUES (@h)"
SEND = "DECLARE @h uniqueidentifier = (SELECT h FROM h), @i int = 0; WHILE @i < 3 BEGIN SEND ON CONVERSATION @h ('x'); SET @i += 1 END"
COUNT = "SELECT COUNT(*) FROM q"


class Stops(StorePort):
    """A fold stops where it is wanted, until it may go on."""

    def __init__(self) -> None:
        self.where = ""
        self.stands, self.may_go = threading.Event(), threading.Event()

    def call(self, kind: Any, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if kind != "fold" or not self.where:
            return work(*args, **kwargs)
        *others, committing = args
        if self.where == "before its commit":
            return work(*others, lambda: (self._stand(), committing()))
        found = work(*args, **kwargs)
        self._stand()
        return found

    def _stand(self) -> None:
        self.stands.set()
        assert self.may_go.wait(60)


@pytest.fixture
def port() -> Stops:
    return Stops()


@pytest.fixture
def instance(port: Stops, tmp_path: Path) -> Iterator[Instance]:
    with contextlib.closing(Instance.open(str(tmp_path / "s.duckdb"), port=port)) as opened:
        assert not told(opened.connect(), "CREATE DATABASE shop")
        assert not told(opened.connect("shop"), SETUP) and not told(opened.connect("shop"), BEGIN)
        yield opened


@pytest.mark.parametrize("before", [0, 40], ids=["records in DuckDB", "records in the log"])
def test_a_count_does_not_wait_for_a_fold(instance: Instance, port: Stops, before: int) -> None:
    session = instance.connect("shop")
    for _ in range(before):
        told(session, "DECLARE @h uniqueidentifier = (SELECT h FROM h); SEND ON CONVERSATION @h ('x')")
    told(session, SEND)
    assert told(session, COUNT) == [(before + 3,)]
    port.where = "before its commit"
    with ThreadPoolExecutor() as pool:
        fold = pool.submit(instance.store.fold)
        assert port.stands.wait(60)
        try:
            assert told(session, COUNT) == [(before + 3,)]
            told(session, SEND)
            told(session, "RECEIVE TOP (1) message_body FROM q")
            assert told(session, COUNT) == [(before + 5,)]
            assert not fold.done()
        finally:
            port.may_go.set()
        fold.result()
    port.where = ""
    assert told(session, COUNT) == [(before + 5,)]
    assert told(session, "SELECT COUNT(*) FROM q WHERE queuing_order >= 0") == [(before + 5,)]


def test_a_count_is_right_when_the_tables_have_what_memory_still_has(instance: Instance, port: Stops) -> None:
    session = instance.connect("shop")
    told(session, SEND)
    port.where = "behind its commit"
    with ThreadPoolExecutor() as pool:
        fold = pool.submit(instance.store.fold)
        assert port.stands.wait(60)
        count = pool.submit(told, session, COUNT)
        try:
            with pytest.raises(TimeoutError):
                count.result(0.3)
        finally:
            port.may_go.set()
        fold.result()
        assert count.result() == [(3,)]


def test_a_fold_that_fails_lets_counts_go_on(instance: Instance, port: Stops, monkeypatch: pytest.MonkeyPatch) -> None:
    session = instance.connect("shop")
    told(session, SEND)

    def refused(kind: Any, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if kind != "fold":
            return work(*args, **kwargs)
        *others, committing = args

        def full() -> None:
            committing()
            raise OSError(28, "No space left on device")

        return work(*others, full)

    with monkeypatch.context() as patched:
        patched.setattr(port, "call", refused)
        counted = told(session, "SELECT COUNT(*) FROM q WHERE queuing_order >= 0")
        with ThreadPoolExecutor() as pool:
            assert pool.submit(told, session, COUNT).result(60) == [(3,)]
    assert counted != [(3,)], "the fold was to fail"
    assert told(session, "SELECT COUNT(*) FROM q WHERE queuing_order >= 0") == [(3,)]
