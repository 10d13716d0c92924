"""Readers that believe what they have read until they are told, against writers in other threads:
nobody is left with what is old."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from watched_shop import Shop

from sbql.engine.instance import Instance
from sbql.engine.subscriptions.active_subscriptions import Subscriptions

WRITES = 150
PATIENCE = 60_000
RECEIVE = (
    "DECLARE @h uniqueidentifier; WAITFOR (RECEIVE TOP (1) @h = conversation_handle FROM dbo.Told{number}), TIMEOUT {patience}; "
    "IF @h IS NOT NULL END CONVERSATION @h; SELECT IIF(@h IS NULL, 0, 1) AS came"
)


def test_a_reader_is_told_of_what_it_has_not_seen() -> None:
    """Each reader reads with a subscription and waits for its message; the last thing that each reads is
    the last thing written. A commit between a reader's subscription and its reading, or beside it, may be
    told in vain, but never kept from it."""
    instance = Instance.open()
    shop = Shop(instance)
    shop.run("UPDATE dbo.Items SET qty = 0")
    last = {1: WRITES, 2: WRITES}
    read: dict[int, list[Any]] = {1: [], 2: []}
    failures: list[BaseException] = []
    for number in read:
        shop.run(
            f"CREATE QUEUE dbo.Told{number}; CREATE SERVICE Told{number} ON QUEUE dbo.Told{number} "
            "([http://schemas.microsoft.com/SQL/Notifications/PostQueryNotification])"
        )

    def guarded(work: Any, *given: Any) -> threading.Thread:
        def run() -> None:
            try:
                work(*given)
            except BaseException as error:  # the test tells of it
                failures.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread

    def write(number: int) -> None:
        session = instance.connect("Shop")
        for value in range(1, WRITES + 1):
            shop.run(f"UPDATE dbo.Items SET qty = {value} WHERE id = {number}", session=session)

    def reader(number: int) -> None:
        session = instance.connect("Shop")
        query = f"SELECT qty FROM dbo.Items WHERE id = {number}"
        options = f"service=Told{number};local database=Shop"
        while True:
            ((value,),) = shop.subscribe(query, options=options, session=session)
            read[number].append(value)
            if value == last[number]:
                return
            ((came,),) = shop.run(RECEIVE.format(number=number, patience=PATIENCE), session=session)
            assert came, f"{value} was read, and nobody said that it is old"

    threads = [guarded(work, number) for number in read for work in (reader, write)]
    for thread in threads:
        thread.join(PATIENCE / 1000 + 30)
    assert not failures and not any(thread.is_alive() for thread in threads)
    for values in read.values():
        assert values == sorted(values) and values[-1] == WRITES
    instance.close()


def test_who_comes_while_a_commit_is_on_its_way_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commit has been judged, and cannot be seen yet: the reader sees what is old,
    and hears of it behind the commit."""
    instance = Instance.open()
    shop = Shop(instance)
    reader = instance.connect("Shop")
    shop.subscribe("SELECT id FROM dbo.Orders", "somebody else's, so that commits are judged")
    judge, read = Subscriptions.judge, []

    def judged(registry: Subscriptions, *given: Any) -> Any:
        found = judge(registry, *given)
        monkeypatch.undo()
        query = "SELECT qty FROM dbo.Items WHERE id = 1"
        thread = threading.Thread(target=lambda: read.extend(shop.subscribe(query, "mine", session=reader)))
        thread.start()
        thread.join(PATIENCE / 1000)
        return found

    monkeypatch.setattr(Subscriptions, "judge", judged)
    shop.run("UPDATE dbo.Items SET qty = 99 WHERE id = 1")
    assert read == [(10,)]
    ((body,),) = shop.run(f"WAITFOR (RECEIVE CAST(message_body AS nvarchar(max)) FROM dbo.Told), TIMEOUT {PATIENCE}")
    assert 'info="update"' in body and ">mine<" in body
    instance.close()
