"""The durable RECEIVE: what a consumer is delivered, what others then find, and what DDL does to it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest
from consumer_bench import Bench, Reader

from sbql.engine.broker import ddl_effects
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.describe.queue_columns import RECEIVE_COLUMNS
from sbql.engine.locks import LockOwner
from sbql.engine.operations import OPERATIONS, Call
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError


def refused(number: int, text: str | None = None) -> object:
    return pytest.raises(SqlError, match=text, check=lambda error: error.number == number)


@pytest.mark.spec("CONSUMER-1")
def test_rows_are_those_of_receive_in_its_order(bench: Bench) -> None:
    bench.talk(1, "a")
    reader = Reader(bench)
    end = reader.next()
    table = reader.table(0, end, with_numbers=True)
    assert table.column_names == [*RECEIVE_COLUMNS, "message_enqueue_time", "_seq"]
    reader.call("deliver", start=0, limit=0)
    bench.sql("EXEC sp_sbql_release_consumer 'work'")
    ((row,), names) = bench.sql("RECEIVE * FROM work"), RECEIVE_COLUMNS
    for name, value in zip(names, row, strict=True):
        assert table[name].to_pylist() == [str(value).upper() if isinstance(value, UUID) else value], name


@pytest.mark.spec("CONSUMER-2")
def test_group_after_group_as_receive_takes_them(bench: Bench) -> None:
    for n, text in ((1, "a1"), (2, "b1"), (1, "a2"), (3, "c1"), (2, "b2")):
        bench.talk(n, text)
    reader = Reader(bench)
    assert reader.take(3) == ["a1", "a2", "b1"]
    assert reader.take(3) == ["c1", "b2"], "the group with the oldest message comes first"
    assert reader.take() == []


@pytest.mark.spec("CONSUMER-3")
def test_limits_in_bytes_keep_the_rest_for_the_next_time(bench: Bench) -> None:
    bench.talk(1, "aaaa", "bbbb", "cccc")
    reader = Reader(bench)
    assert reader.take(most_bytes=17) == ["aaaa", "bbbb"]
    assert reader.take(most_bytes=1) == ["cccc"], "one message at least"


@pytest.mark.parametrize("in_memory", [True, False])
def test_a_bound_in_time_leaves_what_comes_later(stored: Bench, in_memory: bool) -> None:
    stored.sql("CREATE QUEUE others; CREATE SERVICE elsewhere ON QUEUE others ([DEFAULT])")
    stored.sql(
        "DECLARE @h uniqueidentifier, @n int = 9; BEGIN DIALOG @h FROM SERVICE front TO SERVICE 'elsewhere' WITH ENCRYPTION = OFF;"
        "WHILE @n > 0 BEGIN SEND ON CONVERSATION @h (N'of another queue, whose order is its own'); SET @n -= 1 END"
    )
    stored.talk(1, "a1")
    bound = Reader(stored).call("lag")["next_order"]
    stored.talk(1, "a2")
    stored.talk(2, "b1")
    if not in_memory:
        stored.instance.broker.paging.most_messages = 0
    stored.instance.store.fold_and_release()
    reader = Reader(stored)
    assert reader.take(before_order=bound) == ["a1"]
    assert reader.take(before_order=bound) == []
    assert reader.take() == ["a2", "b1"]


@pytest.mark.spec("CONSUMER-4")
def test_what_was_delivered_is_read_again_as_it_was(bench: Bench) -> None:
    bench.talk(1, "a1", "a2")
    first = Reader(bench)
    assert first.next() == 2
    bench.talk(1, "a3")
    second = Reader(bench)
    assert second.facts["acknowledged"] == 0 and second.facts["delivered"] == 2
    assert second.texts(0, 2) == ["a1", "a2"] == second.texts(0, 2)
    assert second.texts(1, 2) == ["a2"]


@pytest.mark.spec("CONSUMER-5")
def test_only_the_last_reader_is_heard(bench: Bench) -> None:
    bench.talk(1, "a1")
    first, second = Reader(bench), Reader(bench)
    for operation in ("deliver", "acknowledge", "begin_range", "read", "lag"):
        with refused(49941, "later reader"):
            first.call(operation, start=0, end=1, through=1)
    assert second.take() == ["a1"]


@pytest.mark.spec("CONSUMER-6")
def test_two_consumers_share_the_groups(bench: Bench) -> None:
    bench.talk(1, "a1")
    bench.talk(2, "b1")
    one, two = Reader(bench, "one"), Reader(bench, "two")
    assert one.take(1) == ["a1"]
    bench.talk(1, "a2")
    assert two.take() == ["b1"], "one holds the first group"
    assert one.take() == ["a2"]


@pytest.mark.spec("CONSUMER-7")
def test_partitions_keep_groups_together(bench: Bench) -> None:
    for n in range(6):
        bench.talk(n, f"{n}a", f"{n}b")
    reader = Reader(bench)
    end = reader.next(100)
    parts = [reader.texts(0, end, partition=p, partitions=3) for p in range(3)]
    assert sorted(text for part in parts for text in part) == sorted(reader.texts(0, end))
    for part in parts:
        assert part == [f"{text[0]}{side}" for text in part[::2] for side in "ab"]


@pytest.mark.spec("CONSUMER-8")
def test_others_find_nothing_of_a_held_group(bench: Bench) -> None:
    bench.talk(1, "a1")
    reader = Reader(bench)
    assert reader.next() == 1
    bench.talk(1, "a2")
    assert bench.receive() == []
    bench.sql(
        "DECLARE @g uniqueidentifier; GET CONVERSATION GROUP @g FROM work; IF @g IS NOT NULL THROW 50000, 'held', 1"
    )
    assert bench.peek() == ["a1", "a2"], "SELECT shows what is held"
    handle = bench.sql("SELECT TOP 1 conversation_handle FROM work")[0][0]
    began = bench.instance.host.now()
    where = f"WHERE conversation_handle = '{handle}'"
    assert bench.sql(f"WAITFOR (RECEIVE * FROM work {where}), TIMEOUT 3000") == []
    assert bench.instance.host.now() - began == pytest.approx(3.0)
    reader.position = 1
    assert reader.next() == 2
    reader.position = 2
    assert reader.next() == 2
    bench.talk(1, "a3")
    assert bench.receive(where) == ["a3"]


@pytest.mark.spec("CONSUMER-9")
def test_sending_and_ending_find_the_group_unlocked(bench: Bench) -> None:
    bench.talk(1, "a1", "a2")
    reader = Reader(bench)
    assert reader.next() == 2
    handle = bench.sql("SELECT TOP 1 conversation_handle FROM work")[0][0]
    bench.sql(f"SEND ON CONVERSATION '{handle}' (N'answer')")
    bench.sql(f"END CONVERSATION '{handle}' WITH CLEANUP")
    bench.instance.store.fold()
    assert reader.texts(0, 2) == ["a1", "a2"], "delivered messages outlive their conversation"
    (group,) = set(reader.table(0, 2)["conversation_group_id"].to_pylist())
    assert group != str(UUID(int=0))
    reader.call("acknowledge", through=2)
    assert bench.peek() == []


@pytest.mark.spec("CONSUMER-10")
@pytest.mark.parametrize("how", ["acknowledge", "release"])
def test_held_messages_are_no_work_for_activation(bench: Bench, how: str) -> None:
    bench.sql("CREATE TABLE runs (n int)")
    bench.sql("CREATE PROCEDURE reader AS INSERT runs VALUES (1)")
    bench.talk(1, "a1")
    reader = Reader(bench)
    assert reader.next() == 1
    bench.sql(
        "ALTER QUEUE work WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = reader, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER)"
    )
    bench.talk(1, "a2")
    bench.instance.loop.settle()
    assert bench.sql("SELECT count(*) FROM runs") == [(0,)]
    if how == "acknowledge":
        reader.call("acknowledge", through=1)
    else:
        bench.sql("EXEC sp_sbql_release_consumer 'work'")
    bench.instance.loop.settle()
    assert bench.sql("SELECT count(*) FROM runs") != [(0,)], "a2 can be received again"


@pytest.mark.spec("CONSUMER-11")
def test_refused_while_something_is_held(bench: Bench) -> None:
    bench.talk(1, "a1")
    bench.talk(2, "b1")
    reader = Reader(bench, "etl")
    assert reader.next(1) == 1
    handle, group = bench.sql(
        "SELECT TOP 1 conversation_handle, conversation_group_id FROM work ORDER BY queuing_order"
    )[0]
    other = bench.sql(f"SELECT conversation_group_id FROM work WHERE conversation_group_id <> '{group}'")[0][0]
    with refused(49942, "etl"):
        bench.sql(f"MOVE CONVERSATION '{handle}' TO '{other}'")
    with refused(49942, "service 'back' cannot be dropped.*etl"):
        bench.sql("DROP SERVICE back")
    with refused(49942, "etl"):
        bench.sql("ALTER SERVICE back ON QUEUE replies")
    bench.sql(f"END CONVERSATION '{handle}' WITH CLEANUP")
    with refused(49942, "etl"):
        bench.sql("DROP SERVICE back")
    reader.call("acknowledge", through=1)
    bench.sql("DROP SERVICE back; DROP QUEUE work")
    with refused(49944):
        reader.next()
    assert bench.sql("SELECT count(*) FROM sys.dm_sbql_consumers") == [(0,)]


@pytest.mark.spec("CONSUMER-12")
def test_a_queue_that_is_off_delivers_nothing_new(bench: Bench) -> None:
    bench.talk(1, "a1", "a2")
    reader = Reader(bench)
    assert reader.next(1) == 1
    bench.sql("ALTER QUEUE work WITH STATUS = OFF")
    assert reader.texts(0, 1) == ["a1"]
    again = Reader(bench)
    assert again.texts(0, 1) == ["a1"]
    again.position = 1
    with refused(9617):
        again.next()
    assert bench.sql("SELECT acknowledged FROM sys.dm_sbql_consumers") == [(1,)], "what was done is acknowledged"


@pytest.mark.spec("CONSUMER-24")
@pytest.mark.parametrize(("state", "back", "number"), [
    ("READ_ONLY", "READ_WRITE", 3906), ("OFFLINE", "ONLINE", 942)
])  # fmt: skip
def test_a_database_that_may_not_be_changed_keeps_its_messages(
    bench: Bench, state: str, back: str, number: int
) -> None:
    """Of a reader that was there before: nothing is delivered, and nothing is acknowledged away."""
    bench.talk(1, "a1", "a2")
    reader = Reader(bench)
    assert reader.next(1) == 1
    bench.session.use("master")
    bench.sql(f"ALTER DATABASE d SET {state} WITH ROLLBACK IMMEDIATE")
    for name, request in (
        ("deliver", {"start": 0, "limit": 2}), ("deliver", {"start": 1, "limit": 1}), ("acknowledge", {"through": 1}),
        ("begin_range", {"start": 0, "end": 1}),
    ):  # fmt: skip
        with refused(number, "'d'" if number == 942 else '"d"'):
            reader.call(name, **request)
    bench.sql(f"ALTER DATABASE d SET {back}")
    bench.session.use("d")
    assert bench.sql("SELECT acknowledged, delivered FROM sys.dm_sbql_consumers") == [(0, 1)]
    assert reader.take() == ["a1", "a2"]


@pytest.mark.spec("CONSUMER-13")
def test_retention_keeps_what_is_acknowledged(stored: Bench) -> None:
    stored.sql("ALTER QUEUE work WITH RETENTION = ON")
    stored.talk(1, "a1", "a2")
    reader = Reader(stored)
    assert reader.take() == ["a1", "a2"]
    assert reader.take() == []
    assert stored.sql("SELECT status FROM work") == [(0,), (0,)]
    stored.reopen()
    assert stored.sql("SELECT status FROM work") == [(0,), (0,)]
    stored.sql("DECLARE @h uniqueidentifier = (SELECT TOP 1 conversation_handle FROM work); END CONVERSATION @h")
    assert stored.peek() == []


@pytest.mark.spec("CONSUMER-14")
def test_release_gives_everything_back_in_order(stored: Bench) -> None:
    stored.talk(1, "a1", "a2", "a3")
    stored.talk(2, "b1")
    reader = Reader(stored)
    assert reader.take(2) == ["a1", "a2"]
    stored.talk(1, "a4")
    stored.sql("EXEC sp_sbql_release_consumer @queue = N'dbo.work', @consumer = N'spark'")
    with refused(49941, "number 1, the last one is number 2"):
        reader.next()
    stored.reopen()
    assert stored.receive() + stored.receive() == ["a1", "a2", "a3", "a4", "b1"]
    with refused(49943, "all messages from number 1 to number 2: 2 are missing"):
        late = Reader(stored)
        late.call("begin_range", start=0, end=2)
    with refused(49945, "spark"):
        stored.sql("EXEC sp_sbql_release_consumer 'work', 'other'")


@pytest.mark.spec("CONSUMER-15")
def test_new_broker_ends_the_epoch(bench: Bench) -> None:
    bench.talk(1, "a1")
    reader = Reader(bench)
    assert reader.next() == 1
    bench.sql("ALTER DATABASE d SET NEW_BROKER WITH ROLLBACK IMMEDIATE")
    with refused(49941):
        reader.next()
    later = Reader(bench)
    assert (later.facts["log"], later.position) == (reader.facts["log"], 1)
    assert bench.peek() == []


@pytest.mark.parametrize("how", [ddl_effects.new_broker, ddl_effects.database_dropped])
def test_a_new_broker_that_is_rolled_back_leaves_the_reader(
    bench: Bench, how: Callable[[BrokerTransaction, int], None]
) -> None:
    bench.talk(1, "a1", "a2")
    reader, instance = Reader(bench), bench.instance
    assert reader.take(1) == ["a1"]
    transaction = BrokerTransaction(instance.broker, LockOwner("ddl"), instance.host, lambda: instance.catalog)
    how(transaction, bench.session.database_id)
    assert not transaction.state.holders
    transaction.rollback()
    assert transaction.records() == []
    assert bench.receive() == [], "a2 is of the group that it holds"
    assert reader.take(1) == ["a2"]
    reader.call("acknowledge", through=2)
    assert bench.peek() == []


@pytest.mark.spec("CONSUMER-16")
def test_a_restored_database_has_no_consumers(stored: Bench, tmp_path: object) -> None:
    stored.talk(1, "a1", "a2")
    reader = Reader(stored)
    assert reader.take(1) == ["a1"]
    stored.sql(f"BACKUP DATABASE d TO DISK = '{tmp_path}/d.bak'")
    stored.session.use("master")
    stored.sql(f"RESTORE DATABASE d FROM DISK = '{tmp_path}/d.bak' WITH REPLACE")
    with refused(49944):
        reader.next()
    stored.session.use("d")
    assert stored.receive() == ["a1", "a2"], "what was not acknowledged when the backup was made"


@pytest.mark.spec("CONSUMER-17")
def test_deliveries_are_counted_and_the_sixth_reader_finds_the_queue_off(stored: Bench) -> None:
    stored.talk(1, "a1")
    for failures in range(6):
        reader = Reader(stored)
        end = reader.next() if failures == 0 else reader.facts["delivered"]
        assert reader.call("begin_range", start=0, end=end) == {"counts": [1], "failures": failures}
        assert reader.call("begin_range", start=0, end=end)["failures"] == failures, "it is the same reader"
        if failures == 3:
            stored.reopen()
    assert stored.sql("SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'work'") == [(False,)]
    assert reader.texts(0, 1) == ["a1"]
    reader.call("acknowledge", through=1)
    assert stored.sql("SELECT failures, held FROM sys.dm_sbql_consumers") == [(0, 0)]


@pytest.mark.spec("CONSUMER-18")
def test_poison_handling_off_leaves_the_queue_on(bench: Bench) -> None:
    bench.sql("ALTER QUEUE work WITH POISON_MESSAGE_HANDLING (STATUS = OFF)")
    bench.talk(1, "a1")
    for _ in range(8):
        reader = Reader(bench)
        reader.call("begin_range", start=0, end=max(reader.next(), 1))
    assert bench.sql("SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'work'") == [(True,)]


@pytest.mark.spec("CONSUMER-19")
def test_errors_and_timers_overtake_as_in_receive(stored: Bench) -> None:
    stored.talk(1, "a1", "a2")
    handle = stored.sql("SELECT TOP 1 conversation_handle FROM work")[0][0]
    stored.sql(f"BEGIN CONVERSATION TIMER ('{handle}') TIMEOUT = 1")
    stored.instance.loop.advance(2)
    stored.talk(1, "a3")
    reader = Reader(stored)
    end = reader.next()
    expected = ["http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer", *["DEFAULT"] * 3]
    assert reader.table(0, end)["message_type_name"].to_pylist() == expected
    assert reader.texts(0, end) == ["", "a1", "a2", "a3"]
    stored.reopen()
    stored.sql("EXEC sp_sbql_release_consumer 'work'")
    assert [kind for (kind,) in stored.sql("RECEIVE message_type_name FROM work")] == expected


@pytest.mark.spec("CONSUMER-20")
def test_conversations_that_the_other_side_ended_are_ended_with_it(bench: Bench) -> None:
    bench.talk(1, "a1")
    bench.sql("DECLARE @h uniqueidentifier = (SELECT h FROM dialogs); END CONVERSATION @h")
    reader = Reader(bench)
    end = reader.next()
    assert end == 2
    reader.call("acknowledge", through=1, end_conversations=True)
    assert bench.sql("SELECT state FROM sys.conversation_endpoints WHERE is_initiator = 0") == [("DI",)]
    reader.call("acknowledge", through=2, end_conversations=True)
    assert bench.sql("SELECT state FROM sys.conversation_endpoints WHERE is_initiator = 0") == [("CD",)]
    assert bench.peek() == []


def test_nothing_comes_until_the_time_is_over(bench: Bench) -> None:
    reader = Reader(bench)
    began = bench.instance.host.now()
    assert reader.next(wait=0.2) == 0
    assert bench.instance.host.now() - began == pytest.approx(0.2)


@pytest.mark.parametrize("held", [False, True], ids=["a new group", "a group that it holds"])
def test_a_message_wakes_the_reader(bench: Bench, held: bool) -> None:
    reader = Reader(bench)
    if held:
        bench.talk(1, "a1")
        reader.position = reader.next()
        bench.call("consumer.open", queue="d.dbo.work", consumer="other")
        reader.position = 0
    start = 1 if held else 0
    facts = {"log": reader.facts["log"], "epoch": reader.facts["epoch"], "start": start, "wait": 60.0}
    ends: list[int] = []

    def wait() -> Work:
        answer = yield from OPERATIONS["consumer.deliver"].run(Call(bench.reader, facts))
        ends.append(answer["end"])

    began, loop = bench.instance.host.now(), bench.instance.loop
    if held:  # what it has read is not acknowledged: another reader of it would find it held
        facts["start"] = 0
        facts["limit"] = 1
        assert bench.call("consumer.deliver", **facts)["end"] == 1
        facts["start"], facts["limit"] = 1, 5
    loop.spawn(wait(), bench.reader, "reader", lambda error: None)
    loop.settle()
    assert ends == []
    bench.talk(1, "next")
    loop.settle()
    assert ends == [start + 1]
    assert bench.instance.host.now() == began


def test_lag(bench: Bench) -> None:
    bench.talk(1, "a1", "a2", "a3")
    reader = Reader(bench)
    reader.next(1)
    assert reader.call("lag") == {"delivered": 1, "waiting": 2, "next_order": 3}


@pytest.mark.spec("CONSUMER-21")
def test_rights_and_names(bench: Bench) -> None:
    with refused(208):
        Reader(bench, queue="d.dbo.nothing")
    bench.sql("CREATE LOGIN ann WITH PASSWORD = 'x'; CREATE USER ann FOR LOGIN ann")
    owner, bench.reader = bench.reader, bench.instance.connect("d", "ann")
    with refused(229):
        Reader(bench)
    bench.sql("GRANT RECEIVE ON work TO ann")
    bench.talk(1, "a1")
    assert Reader(bench, queue="work").take() == ["a1"]
    bench.reader = owner
    for what in ("not a log", str(UUID(int=7))):
        with refused(49944):
            bench.call("consumer.deliver", log=what, epoch=1, start=0)


@pytest.mark.spec("CONSUMER-4")
def test_the_log_survives_folds_paging_and_opening_again(stored: Bench) -> None:
    paging = stored.instance.broker.paging
    paging.most_messages, paging.page = 2, 2
    for n in range(3):
        stored.talk(n, *[f"{n}-{i}" for i in range(5)])
    stored.instance.store.fold_and_release()
    stored.talk(0, "0-5")
    reader = Reader(stored)
    first = reader.take(7)
    stored.instance.store.fold_and_release()
    end = reader.next(6)
    second = reader.texts(7, end)
    assert first == ["0-0", "0-1", "0-2", "0-3", "0-4", "0-5", "1-0"]
    assert second == ["1-1", "1-2", "1-3", "1-4", "2-0", "2-1"]
    stored.reopen()
    again = Reader(stored)
    assert again.facts["acknowledged"] == 7 and again.facts["delivered"] == 13
    assert again.texts(7, 13) == second
    again.position = 13
    assert again.take() == ["2-2", "2-3", "2-4"]
    again.take()
    assert stored.peek() == []


@pytest.mark.parametrize("limit", range(1, 9))
def test_every_border_of_what_is_in_memory(stored: Bench, limit: int) -> None:
    """A conversation's messages may be in memory, only stored, and in memory again behind
    that; a delivery may end anywhere."""
    paging = stored.instance.broker.paging
    paging.most_messages, paging.page = 2, 2
    stored.talk(1, "a0", "a1", "a2", "a3")
    stored.instance.store.fold_and_release()
    stored.talk(1, "a4", "a5")
    (conversation,) = [c for c in stored.instance.broker.endpoints.values() if c.run is not None]
    assert (len(conversation.messages), len(conversation.run), len(conversation.run.later)) == (1, 3, 2)
    reader = Reader(stored)
    found: list[str] = []
    while texts := reader.take(limit):
        found += texts
        if len(found) < 6:
            stored.sql("EXEC sp_sbql_release_consumer 'work'")
            reader, found = Reader(stored), []
            limit += 1
    assert found == ["a0", "a1", "a2", "a3", "a4", "a5"]


# --- one conversation or group alone -----------------------------------------------------------------------


def chosen(bench: Bench, where: str, consumer: str = "spark") -> Reader:
    return Reader(bench, consumer, where=where)


def target(bench: Bench, n: int, column: str = "conversation_handle") -> str:
    """`where` for the target's side of dialog `n`."""
    ((value,),) = bench.sql(
        f"SELECT t.{column} FROM dialogs d JOIN sys.conversation_endpoints i ON i.conversation_handle = d.h "
        f"JOIN sys.conversation_endpoints t ON t.conversation_id = i.conversation_id AND t.is_initiator = 0 WHERE d.n = {n}"
    )
    return f"{column} = '{value}'"


@pytest.mark.spec("CONSUMER-22")
@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("column", ["conversation_handle", "conversation_group_id"])
def test_where_takes_what_receive_would_and_leaves_the_others(bench: Bench, column: str, folded: bool) -> None:
    for n, text in ((1, "a1"), (2, "b1"), (1, "a2"), (3, "c1"), (2, "b2")):
        bench.talk(n, text)
    if folded:
        bench.instance.store.fold_and_release()
    reader = chosen(bench, target(bench, 2, column))
    assert reader.call("lag", wanted=reader.facts["wanted"])["waiting"] == 2
    assert (reader.take(1), reader.take(), reader.take()) == (["b1"], ["b2"], [])
    bench.talk(2, "b3")
    bench.talk(1, "a3")
    assert (reader.take(), reader.take()) == (["b3"], [])
    assert Reader(bench, "other").take() == ["a1", "a2", "a3", "c1"]


def test_where_of_a_handle_leaves_the_rest_of_its_group_to_nobody_else(bench: Bench) -> None:
    bench.talk(1, "a1")
    bench.talk(2, "b1")
    ((group,),) = bench.sql(f"SELECT conversation_group_id FROM work WHERE {target(bench, 1)}")
    ((handle,),) = bench.sql(f"SELECT conversation_handle FROM work WHERE {target(bench, 2)}")
    bench.sql(f"MOVE CONVERSATION '{handle}' TO '{group}'")
    reader = chosen(bench, f"conversation_handle = '{handle}'")
    assert reader.take() == ["b1"]
    assert bench.receive() == [], "a1 is of a group that the consumer holds"
    reader.call("acknowledge", through=reader.position)
    assert bench.receive() == ["a1"]


def test_where_waits_for_a_transaction_and_for_another_consumer(bench: Bench) -> None:
    bench.talk(1, "a1", "a2")
    where = target(bench, 1)
    reader, other = chosen(bench, where), Reader(bench, "other")
    bench.sql("BEGIN TRAN; RECEIVE TOP (1) * FROM work")
    assert reader.take() == []
    bench.sql("ROLLBACK")
    assert other.take(1) == ["a1"]
    assert reader.take() == []
    other.call("acknowledge", through=1)
    assert reader.take() == ["a2"]


@pytest.mark.spec("CONSUMER-23")
@pytest.mark.parametrize(
    ("where", "number"),
    [
        ("conversation_handle = 'x'", 8169),
        ("conversation_handle = '11111111-2222-3333-4444-555555555555'", 8426),
        ("conversation_group_id = '11111111-2222-3333-4444-555555555555'", 8436),
        ("conversation_handle = @h", 87),
        ("conversation_handle = NEWID()", 87),
        ("message_body = 'x'", 87),
        ("conversation_handle > 'x'", 87),
        ("conversation_handle = 'x'; DROP QUEUE work", 87),
        ("conversation_handle = 'x'), TIMEOUT 5", 87),
    ],
)
def test_where_that_cannot_be(bench: Bench, where: str, number: int) -> None:
    with refused(number):
        chosen(bench, where)
    assert bench.sql("SELECT consumer FROM sys.dm_sbql_consumers") == []


def test_a_choice_that_has_ended_is_read_again_and_then_empty(bench: Bench) -> None:
    bench.talk(1, "a1")
    where = target(bench, 1)
    first = chosen(bench, where)
    assert first.take() == ["a1"]
    bench.sql(f"DECLARE @h uniqueidentifier = {where.partition('= ')[2]}; END CONVERSATION @h WITH CLEANUP")
    second = chosen(bench, where)
    assert second.texts(0, 1) == ["a1"]
    second.call("acknowledge", through=1)
    assert second.call("deliver", start=1, limit=10, wanted=second.facts["wanted"])["end"] == 1
    with refused(8426):
        chosen(bench, where)
