"""A batch of messages: all of it in one transaction, once, whoever asks again."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from consumer_bench import Bench

from sbql.catalog.staging import STAGED_COLUMNS
from sbql.engine.operations import OPERATIONS, Call
from sbql.grammar.errors import SqlError

TO_BACK = {"from": "front", "to": "back", "contract": "DEFAULT", "encryption": False}
NAMES = [name for name, _ in STAGED_COLUMNS]


def refused(number: int, text: str | None = None) -> object:
    return pytest.raises(SqlError, match=text, check=lambda error: error.number == number)


class Writer:
    def __init__(self, bench: Bench, name: str = "query 1") -> None:
        self.bench = bench
        self.name = name

    def bring(self, version: int, *rows: dict[str, Any]) -> str:
        types = [pa.string(), pa.string(), pa.string(), pa.binary(), pa.bool_()]
        columns = [pa.array([row.get(name) for row in rows], kind) for name, kind in zip(NAMES, types, strict=True)]
        table = pa.Table.from_arrays(columns, NAMES)
        call = Call(self.bench.reader, {"writer": self.name, "version": version}, table.to_reader())
        key: str = OPERATIONS["sink.stage"].run(call)["key"]
        return key

    def commit(self, version: int, *keys: str, **more: Any) -> bool:
        request = {
            "writer": self.name,
            "version": version,
            "keys": list(keys),
            "database": "d",
            "dialogs": TO_BACK,
            **more,
        }
        is_new: bool = self.bench.call("sink.commit", **request)["is_new"]
        return is_new

    def write(self, version: int, *texts: str, **more: Any) -> bool:
        """Texts `key=text`."""
        return self.commit(version, self.bring(version, *map(row, texts)), **more)


def row(text: str, **more: Any) -> dict[str, Any]:
    key, _, body = text.partition("=")
    return {"conversation_key": key, "message_body": body.encode("utf-16le"), **more}


@pytest.mark.spec("WRITER-1")
def test_a_batch_is_sent_once(stored: Bench) -> None:
    writer = Writer(stored)
    assert writer.write(0, "a=1", "b=2", "a=3")
    assert not writer.write(0, "a=1", "b=2", "a=3"), "the answer was lost, and Spark asks again"
    assert writer.write(1, "a=4")
    stored.reopen()
    assert not writer.write(1, "a=4")
    assert writer.write(2, "a=5")
    assert stored.peek() == ["1", "2", "3", "4", "5"]
    assert stored.sql("SELECT count(DISTINCT conversation_handle) FROM work") == [(2,)], "a dialog a key"
    assert Writer(stored, "query 2").write(0, "a=6"), "another writer, with dialogs of its own"
    assert stored.sql("SELECT count(DISTINCT conversation_handle) FROM work") == [(3,)]


@pytest.mark.spec("WRITER-3")
def test_only_named_tasks_count_in_the_order_of_their_names(bench: Bench) -> None:
    writer = Writer(bench)
    first, loser, second = writer.bring(0, row("a=1")), writer.bring(0, row("a=lost")), writer.bring(0, row("a=2"))
    assert writer.commit(0, first, second)
    assert bench.peek() == ["1", "2"]
    with refused(49946):
        writer.commit(1, loser)


@pytest.mark.spec("WRITER-2")
def test_all_or_nothing(bench: Bench) -> None:
    writer = Writer(bench)
    with refused(8428, r"row 2 of the batch; nothing of it was sent"):
        writer.commit(0, writer.bring(0, row("a=1"), row("a=2", message_type_name="//unknown")))
    assert bench.peek() == [] and bench.sql("SELECT count(*) FROM sys.conversation_endpoints") == [(0,)]
    assert writer.write(0, "a=1")


def test_an_abort_does_not_undo_a_commit(bench: Bench) -> None:
    writer = Writer(bench)
    key = writer.bring(0, row("a=1"))
    bench.call("sink.abort", writer="query 1", version=0)
    with refused(49946):
        writer.commit(0, key)
    assert writer.write(0, "a=1")
    bench.call("sink.abort", writer="query 1", version=0)
    assert bench.peek() == ["1"] and not writer.write(0, "a=1")


@pytest.mark.spec("WRITER-8")
def test_what_was_brought_is_gone_after_a_restart(stored: Bench) -> None:
    writer = Writer(stored)
    key = writer.bring(0, row("a=1"))
    stored.reopen()
    with refused(49946, "Write the batch again"):
        writer.commit(0, key)


@pytest.mark.spec("WRITER-5")
def test_answers_on_dialogs_that_were_received(bench: Bench) -> None:
    bench.talk(1, "question")
    handle = str(bench.sql("SELECT conversation_handle FROM work")[0][0])
    writer = Writer(bench)
    answer = {"conversation_handle": handle, "message_body": "yes".encode("utf-16le")}
    writer.commit(0, writer.bring(0, answer, {**answer, "end_conversation": True}), dialogs={})
    kinds = [kind for (kind,) in bench.sql("SELECT message_type_name FROM replies ORDER BY queuing_order")]
    assert kinds == ["DEFAULT", "DEFAULT", "http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog"]
    with refused(8429, "row 1"):
        writer.commit(1, writer.bring(1, answer), dialogs={})
    with refused(8418, "fromService and toService"):
        writer.commit(1, writer.bring(1, {"message_body": b"x"}), dialogs={})
    with refused(8426, "row 1"):
        writer.commit(1, writer.bring(1, {**answer, "conversation_handle": "no handle"}), dialogs={})


@pytest.mark.spec("WRITER-4")
def test_a_key_gets_a_new_dialog_when_its_own_has_ended(bench: Bench) -> None:
    writer = Writer(bench)
    writer.write(0, "a=1")
    bench.sql("DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM work); END CONVERSATION @h")
    writer.write(1, "a=2")
    assert bench.sql("SELECT count(*) FROM sys.conversation_endpoints WHERE state = 'CO' AND is_initiator = 1") == [
        (1,)
    ]
    writer.commit(2, writer.bring(2, row("a=3", end_conversation=True), row("a=4")))
    writer.write(3, "a=5", "b=6", end_conversations=True)
    states = bench.sql("SELECT state, count(*) FROM sys.conversation_endpoints WHERE is_initiator = 1 GROUP BY state")
    assert ("CO", 1) not in states
    writer.write(4, "a=7")
    assert "7" in bench.peek()


@pytest.mark.spec("WRITER-6")
def test_rights(bench: Bench) -> None:
    bench.sql("CREATE LOGIN ann WITH PASSWORD = 'x'; CREATE USER ann FOR LOGIN ann")
    bench.reader = bench.instance.connect("d", "ann")
    with refused(229):
        Writer(bench).write(0, "a=1")
    with refused(911):
        Writer(bench).write(0, "a=1", database="nowhere")


def test_rows_wait_for_a_locked_group(bench: Bench) -> None:
    """A transaction of somebody else has the dialog's group: the batch waits, and is sent once."""
    writer = Writer(bench)
    writer.write(0, "a=1")
    handle = bench.sql("SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1")[0][0]
    bench.sql(f"BEGIN TRAN; SEND ON CONVERSATION '{handle}' (N'mine')")
    key = writer.bring(1, row("a=2"), row("a=3"))
    request = {"writer": "query 1", "version": 1, "keys": [key], "database": "d", "dialogs": TO_BACK}
    answers: list[Any] = []

    def wait() -> Any:
        answers.append((yield from OPERATIONS["sink.commit"].run(Call(bench.reader, request))))

    bench.instance.loop.spawn(wait(), bench.reader, "writer", lambda error: answers.append(error) if error else None)
    bench.instance.loop.settle()
    assert answers == []
    bench.sql("COMMIT")
    bench.instance.loop.settle()
    assert answers == [{"is_new": True}]
    assert bench.peek() == ["1", "mine", "2", "3"]
