"""A batch that is sent in bulk leaves what its rows leave when each is sent by itself: two instances do the same
things, one in bulk from the first row on, the other never, and everything that can be seen of them is compared."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import pytest
from consumer_bench import Bench, Reader
from msgspec.structs import replace
from test_sink import Writer
from watched_mutex import WatchedMutex

from sbql.catalog.store_port import StorePort
from sbql.engine.broker.bulk_send import BulkSend
from sbql.grammar.errors import SqlError

MORE = """
CREATE MESSAGE TYPE xml_type VALIDATION = WELL_FORMED_XML; CREATE MESSAGE TYPE empty_type VALIDATION = EMPTY;
CREATE MESSAGE TYPE free_type VALIDATION = NONE; CREATE MESSAGE TYPE answer_type VALIDATION = NONE;
CREATE XML SCHEMA COLLECTION words AS
    N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:complexType><xs:attribute name="n" type="xs:int"/></xs:complexType></xs:element></xs:schema>';
CREATE MESSAGE TYPE valid_type VALIDATION = VALID_XML WITH SCHEMA COLLECTION words;
CREATE CONTRACT talk_contract (xml_type SENT BY ANY, empty_type SENT BY ANY, free_type SENT BY INITIATOR, answer_type SENT BY TARGET, valid_type SENT BY ANY);
CREATE QUEUE more_work;
CREATE SERVICE other ON QUEUE more_work ([DEFAULT], talk_contract);
CREATE SERVICE back2 ON QUEUE work ([DEFAULT], talk_contract);
CREATE BROKER PRIORITY high FOR CONVERSATION SET (CONTRACT_NAME = talk_contract, PRIORITY_LEVEL = 8)
GO
CREATE DATABASE far; ALTER DATABASE far SET TRUSTWORTHY ON
GO
USE far
GO
CREATE MESSAGE TYPE free_type VALIDATION = NONE; CREATE MESSAGE TYPE xml_type VALIDATION = NONE;
CREATE MESSAGE TYPE valid_type VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT talk_contract (free_type SENT BY INITIATOR, xml_type SENT BY INITIATOR, valid_type SENT BY ANY);
CREATE QUEUE far_work; CREATE SERVICE far_service ON QUEUE far_work ([DEFAULT], talk_contract)
GO
USE d
"""
STEPS = int(os.environ.get("BULK_STEPS", "10"))
QUEUES = ("work", "replies", "more_work", "far.dbo.far_work")
COLUMNS = "queuing_order, status, priority, message_sequence_number, service_name, service_contract_name, message_type_name, validation, message_body"
VIEWS = (
    *(f"SELECT {COLUMNS}, message_enqueue_time, conversation_handle FROM {queue} ORDER BY queuing_order, status" for queue in QUEUES),
    "SELECT state, is_initiator, send_sequence, receive_sequence, priority, far_service, end_dialog_sequence, CASE WHEN security_timestamp > '19000101' THEN 1 ELSE 0 END, CASE WHEN dialog_timer > '19000101' THEN 1 ELSE 0 END FROM sys.conversation_endpoints ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9",
    "SELECT message_sequence_number, message_type_name, to_service_name, message_body, transmission_status FROM sys.transmission_queue ORDER BY 3, 1, 2",
    "SELECT count(*) FROM sys.conversation_groups",
    "SELECT counter_name, cntr_value FROM sys.dm_os_performance_counters WHERE object_name LIKE '%Broker%' ORDER BY object_name, counter_name, instance_name",
)  # fmt: skip


class CountingPort(StorePort):
    """`appends`: so many batches have gone the way of bulk, with `ends` dialogs that they ended."""

    appends = ends = 0
    refuses = False

    def call(self, kind: Any, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        if kind == "append":
            if self.refuses:
                raise duckdb.IOException("No space left on device")
            self.appends += 1
            self.ends += args[-1].batch.ends
        return work(*args, **kwargs)


class Pair:
    """The two instances. What one says, the other has to say."""

    def __init__(self, folder: Path | None = None) -> None:
        places = (None if folder is None else str(folder / f"{name}.duckdb") for name in ("bulk", "rows"))
        self.benches = [Bench(place, CountingPort()) for place in places]
        for bench in self.benches:
            for batch in MORE.split("GO\n"):
                bench.sql(batch)
        self.writers = [Writer(bench) for bench in self.benches]
        self.set_limits()

    def set_limits(self) -> None:
        for bench, many in zip(self.benches, (1, 1 << 40), strict=True):
            bench.instance.store.bulk.many = many
            paging = bench.instance.broker.paging
            paging.most_messages, paging.page = 6, 3
            bench.session.use("d")

    def both(self, act: Any) -> Any:
        """Do the same on both sides; what comes back, or the error, is the same."""
        told = []
        for bench, writer in zip(self.benches, self.writers, strict=True):
            try:
                told.append(_without_guids(act(bench, writer)))
            except SqlError as error:
                told.append((error.number, error.state))
            bench.instance.loop.settle()
        assert told[0] == told[1]
        return told[0]

    def sql(self, text: str) -> Any:
        return self.both(lambda bench, writer: bench.sql(text))

    def compare(self) -> None:
        for query in VIEWS:
            self.sql(query)

    def reopen(self) -> None:
        for bench in self.benches:
            bench.reopen()
        self.set_limits()

    def close(self) -> None:
        for bench in self.benches:
            bench.instance.close()


def _without_guids(rows: Any) -> Any:
    """Values with each GUID as the number of its first appearance; the text of an error names conversations, too."""
    seen: dict[Any, int] = {}

    def plain(value: Any) -> Any:
        if isinstance(value, UUID):
            return seen.setdefault(value, len(seen))
        return GUID.sub("*", value.decode("utf-16")) if isinstance(value, bytes) and value[:2] == b"\xff\xfe" else value

    return [tuple(map(plain, r)) for r in rows] if isinstance(rows, list) else rows


GUID = re.compile("[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}")
HANDLE = "SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = {} AND state = 'CO' ORDER BY send_sequence DESC, receive_sequence DESC"


class Story:
    """A random program from a seed."""

    def __init__(self, seed: int, folder: Path | None) -> None:
        self.random = random.Random(seed)
        self.pair = Pair(folder)
        self.is_stored = folder is not None
        self.version = 0
        self.readers: list[Reader] = []

    def run(self, steps: int) -> None:
        acts = [self.batch] * 8 + [
            self.receive, self.receive, self.say, self.timer, self.end, self.end, self.switch, self.hold, self.consume, self.consume, self.fold,
            self.page_out, self.again, self.drop_service,
        ]  # fmt: skip
        for _ in range(steps):
            self.random.choice(acts)()
            self.pair.compare()
        self.pair.sql("RECEIVE conversation_handle, message_body FROM work")

    def rows(self) -> list[dict[str, Any]]:
        """Rows of one kind of batch: to dialogs by key, or to those that are there."""
        choose = self.random.choice
        found = []
        for _ in range(choose((1, 2, 5, 20))):
            body = choose((b"", b"<a/>", b"x" * 300, b"not <xml", None, b"y"))
            kind = choose((None, None, None, None, "free_type", "xml_type", "empty_type", "DEFAULT", "nobody's"))
            if kind == "nobody's" and self.random.random() < 0.9:
                kind = None
            found.append({"conversation_key": choose("abc"), "message_body": body, "message_type_name": kind})
        return found

    def batch(self, *, is_by_key: bool = False) -> None:
        choose = self.random.choice
        rows, is_talk = self.rows(), self.random.random() < 0.5
        if is_talk:
            rows = [
                {**r, "message_type_name": r["message_type_name"] or "free_type"}
                for r in rows
                if r["message_type_name"] != "DEFAULT"
            ]
        else:
            rows = [{**r, "message_type_name": None} for r in rows]
        if self.random.random() < 0.6:  # types that take what they get
            rows = [{**r, "message_type_name": "free_type" if is_talk else None} for r in rows]
        elif is_talk and self.random.random() < 0.7:  # bodies that are what their type says, most of them
            bodies = choose(((b'<a n="1"/>', b"<a/>"), (b"<a/>", b'<a n="1"/>', b'<a n="one"/>')))
            types = choose((("xml_type",), ("valid_type",), ("xml_type", "valid_type", "free_type")))
            rows = [{**r, "message_type_name": choose(types), "message_body": choose(bodies)} for r in rows]
        if self.random.random() < 0.5:
            often = choose((0.05, 0.2, 0.5))
            rows = [{**r, "end_conversation": self.random.random() < often} for r in rows]
        to = choose(("back2", "back2", "other", "far_service", "nobody"))
        dialogs = {
            "from": "front",
            "to": to,
            "contract": "talk_contract" if is_talk else "DEFAULT",
            "encryption": False,
        }
        to_handles = 1.0 if is_by_key else self.random.random()
        ends = self.random.random() < 0.1
        name = f"query {to} {is_talk}"
        by_handle = [choose("HHHHHhk") for _ in rows]
        self.version += 1
        parts = choose((1, 1, 2))

        def act(bench: Bench, writer: Writer) -> Any:
            given = rows
            if to_handles < 0.25:  # answers, or more on a dialog that somebody else has begun
                handles = [str(h) for (h,) in bench.sql(HANDLE.format(int(to_handles < 0.1)))]
                named = {"H": str.upper, "h": str.lower}
                given = [
                    {**r, "conversation_handle": named[how](handles[0]), "conversation_key": None}
                    if handles and how in named
                    else r
                    for r, how in zip(rows, by_handle, strict=True)
                ]
            writer.name = name
            middle = len(given) // parts
            keys = [writer.bring(self.version, *part) for part in (given[:middle], given[middle:])]
            return writer.commit(self.version, *keys, dialogs=dialogs, end_conversations=ends)

        self.pair.both(act)

    def receive(self) -> None:
        count, queue = self.random.choice((1, 3, 100)), self.random.choice(QUEUES[:3])
        self.pair.sql(
            f"RECEIVE TOP ({count}) queuing_order, message_body, conversation_handle, conversation_group_id FROM {queue}"
        )

    def say(self) -> None:
        self.pair.sql(f"DECLARE @h uniqueidentifier = ({HANDLE.format(1)}); SEND ON CONVERSATION @h (N'said')")

    def timer(self) -> None:
        self.pair.sql(
            f"DECLARE @h uniqueidentifier = ({HANDLE.format(self.random.choice((0, 1)))});"
            " IF @h IS NOT NULL BEGIN CONVERSATION TIMER (@h) TIMEOUT = 900"
        )

    def end(self) -> None:
        which, how = (
            self.random.choice((0, 1)),
            self.random.choice(("", "WITH CLEANUP", "WITH ERROR = 1 DESCRIPTION = 'x'")),
        )
        self.pair.sql(
            f"DECLARE @h uniqueidentifier = ({HANDLE.format(which)}); IF @h IS NOT NULL END CONVERSATION @h {how}"
        )

    def switch(self) -> None:
        queue, what = (
            self.random.choice(("work", "replies")),
            self.random.choice(("STATUS = OFF", "STATUS = ON", "RETENTION = ON", "RETENTION = OFF")),
        )
        self.pair.sql(f"ALTER QUEUE {queue} WITH {what}")
        if what == "STATUS = OFF" and self.random.random() < 0.7:
            self.batch()
            self.pair.sql(f"ALTER QUEUE {queue} WITH STATUS = ON")

    def hold(self) -> None:
        """Somebody has a group of the target's queue locked while the batch comes, and perhaps has sent to himself."""
        queue, end = self.random.choice(("work", "more_work")), self.random.choice(("COMMIT", "ROLLBACK"))
        self.pair.sql(f"BEGIN TRAN; RECEIVE TOP (1) message_body FROM {queue}")
        self.pair.compare()
        reader, sessions = self.pair.both, [bench.session for bench in self.pair.benches]
        for bench in self.pair.benches:
            bench.session = bench.instance.connect("d")
        try:
            self.batch(is_by_key=True)  # on the dialog that is locked it would wait for ever
        finally:
            for bench, session in zip(self.pair.benches, sessions, strict=True):
                bench.session = session
        reader(lambda bench, writer: bench.sql(f"IF @@TRANCOUNT > 0 {end}"))

    def consume(self) -> None:
        limit = self.random.choice((1, 4, 50))

        def act(bench: Bench, writer: Writer) -> Any:
            reader = Reader(bench)
            start, reader.position = reader.position, reader.next(limit)
            return [(body,) for body in reader.table(start, reader.position)["message_body"].to_pylist()]

        self.pair.both(act)
        if self.random.random() < 0.5:
            self.pair.sql("EXEC sp_sbql_release_consumer 'dbo.work', 'spark'")

    def fold(self) -> None:
        for bench in self.pair.benches:
            bench.instance.store.fold()

    def page_out(self) -> None:
        for bench in self.pair.benches:
            bench.instance.store.fold_and_release()

    def again(self) -> None:
        if self.is_stored:
            self.pair.reopen()
            for bench, writer in zip(self.pair.benches, self.pair.writers, strict=True):
                writer.bench = bench

    def drop_service(self) -> None:
        self.pair.sql("DROP SERVICE other")
        self.batch()
        self.pair.sql("CREATE SERVICE other ON QUEUE more_work ([DEFAULT], talk_contract)")


FIRST = int(os.environ.get("BULK_FIRST", "0"))


@pytest.mark.spec("WRITER-7")
@pytest.mark.parametrize("seed", range(FIRST, FIRST + int(os.environ.get("BULK_SEEDS", "4"))))
def test_the_two_ways_leave_the_same(seed: int, tmp_path: Path) -> None:
    story = Story(seed, tmp_path if seed % 4 == 0 else None)
    story.run(STEPS)
    story.pair.close()
    bulk, rows = (bench.port.appends for bench in story.pair.benches)
    assert bulk > 0 and rows == 0


TALK = {"from": "front", "to": "back2", "contract": "talk_contract", "encryption": False}
END_DIALOG = "http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog"


def told(
    key: str, body: str, kind: str = "free_type", *, end: bool = False, handle: str | None = None
) -> dict[str, Any]:
    return {
        "conversation_key": key, "conversation_handle": handle, "message_body": body.encode(), "message_type_name": kind, "end_conversation": end,
    }  # fmt: skip


@pytest.fixture
def pair() -> Iterator[Pair]:
    found = Pair()
    yield found
    found.compare()
    found.close()


def write(pair: Pair, version: int, *rows: dict[str, Any], **more: Any) -> Any:
    return pair.both(
        lambda bench, writer: writer.commit(version, writer.bring(version, *rows), dialogs=more.get("dialogs", TALK))
    )


def counted(pair: Pair) -> tuple[int, int]:
    bulk, rows = (bench.port for bench in pair.benches)
    assert rows.appends == 0
    return bulk.appends, bulk.ends


@pytest.mark.spec("WRITER-7")
def test_dialogs_that_are_ended_go_in_bulk_each_end_behind_its_row(pair: Pair) -> None:
    write(
        pair,
        0,
        told("a", "1"),
        told("b", "2", end=True),
        told("a", "3", end=True),
        told("b", "4"),
        told("a", "5", end=True),
    )
    assert counted(pair) == (1, 3)
    found = pair.sql(
        "SELECT conversation_handle, queuing_order, message_sequence_number, message_type_name FROM work ORDER BY queuing_order"
    )
    kinds = ["free_type", "free_type", END_DIALOG, "free_type", END_DIALOG, "free_type", "free_type", END_DIALOG]
    assert [(dialog, number, kind) for dialog, _, number, kind in found] == list(
        zip([0, 1, 1, 0, 0, 2, 3, 3], [0, 0, 1, 1, 2, 0, 0, 1], kinds, strict=True)
    )
    assert [order for _, order, *_ in found] == list(range(8))
    states = "SELECT is_initiator, state, COUNT(*) FROM sys.conversation_endpoints GROUP BY is_initiator, state ORDER BY 1, 2"
    assert pair.sql(states) == [(False, "CO", 1), (False, "DI", 3), (True, "CO", 1), (True, "DO", 3)]
    received = [pair.sql("RECEIVE message_type_name FROM work") for _ in range(4)]
    assert received == [
        [(kind,) for kind in group]
        for group in (
            ["free_type"] * 2 + [END_DIALOG],
            ["free_type", END_DIALOG],
            ["free_type"],
            ["free_type", END_DIALOG],
        )
    ]
    pair.sql(
        "DECLARE @h uniqueidentifier; WHILE 1 = 1 BEGIN SET @h = NULL; SELECT TOP (1) @h = conversation_handle FROM sys.conversation_endpoints WHERE state = 'DI';"
        " IF @h IS NULL BREAK; END CONVERSATION @h END"
    )
    assert pair.sql(states) == [(False, "CD", 3), (False, "CO", 1), (True, "CO", 1)]


@pytest.mark.parametrize("spelled", [str.upper, str.lower])
def test_a_row_behind_the_end_of_its_dialog_is_refused_with_its_number(pair: Pair, spelled: Any) -> None:
    write(pair, 0, told("a", "1"))
    rows: list[str] = []

    def act(bench: Bench, writer: Writer) -> Any:
        handle = str(bench.sql(HANDLE.format(1))[0][0])
        mine = told("", "2", handle=handle.upper())
        given = [mine, {**mine, "end_conversation": True}, told("b", "4"), told("", "5", handle=spelled(handle))]
        try:
            return writer.commit(1, writer.bring(1, *given, told("", "6", handle="no handle")), dialogs=TALK)
        except SqlError as error:
            rows.append(error.message.rpartition("(")[2])
            raise

    assert pair.both(act) == (8429, 1)
    assert rows == ["row 4 of the batch; nothing of it was sent)"] * 2
    assert pair.sql("SELECT COUNT(*) FROM work") == [(1,)]
    assert counted(pair) == (1, 0)


@pytest.mark.parametrize("end", [False, True])
def test_both_sides_of_a_dialog_in_one_batch_go_one_by_one(pair: Pair, end: bool) -> None:
    """What one side says is in the other's queue when that speaks, or ends and leaves nothing unread."""
    write(pair, 0, told("a", "1"))

    def act(bench: Bench, writer: Writer) -> Any:
        ((mine,),), ((theirs,),) = (bench.sql(HANDLE.format(side)) for side in (1, 0))
        rows = told("", "2", handle=str(mine)), told("", "3", "answer_type", handle=str(theirs), end=end)
        return writer.commit(1, writer.bring(1, *rows), dialogs=TALK)

    assert pair.both(act) is True
    assert counted(pair) == (1, 0)
    unread = pair.sql("SELECT CAST(message_body AS varchar(9)) FROM work ORDER BY queuing_order")
    assert unread == ([] if end else [("1",), ("2",)])
    replies = pair.sql("SELECT message_type_name FROM replies ORDER BY queuing_order")
    assert replies == [("answer_type",), (END_DIALOG,)][: 1 + end]


def test_a_batch_stands_behind_what_came_after_others_had_left_the_memory(pair: Pair) -> None:
    """What is in memory behind a stored run is folded first, and the batch goes in bulk all the same."""
    write(pair, 0, *(told("a", str(n)) for n in range(9)))
    for bench in pair.benches:
        bench.instance.store.fold_and_release()
    pair.sql(
        f"DECLARE @h uniqueidentifier = ({HANDLE.format(1)}); SEND ON CONVERSATION @h MESSAGE TYPE free_type ('9')"
    )
    write(pair, 1, told("a", "10"))
    assert counted(pair) == (2, 0)
    received = pair.sql("RECEIVE CAST(message_body AS varchar(9)) FROM work")
    assert received == [(str(n),) for n in range(11)]


def test_nobody_meets_what_a_refused_batch_has_prepared() -> None:
    """The end is at the other side, uncommitted, while the store is asked; the mutex is
    not free before it is gone again."""
    pair = Pair()
    write(pair, 0, told("a", "1"))
    bench, writer = pair.benches[0], pair.writers[0]
    broker, states = bench.instance.broker, set[str]()
    (target,) = (e for e in broker.records() if not e.is_initiator and not e.is_system)
    key = writer.bring(1, told("a", "2", end=True))
    whole, broker.mutex = broker.mutex, WatchedMutex(broker.mutex, lambda: states.add(target.state))
    bench.port.refuses = True
    with pytest.raises(SqlError, check=lambda error: error.number == 1105):
        writer.commit(1, key, dialogs=TALK)
    bench.port.refuses, broker.mutex = False, whole
    assert states == {"CO"}
    write(pair, 1, told("a", "2", end=True))
    assert counted(pair) == (2, 1) and target.state == "DI"
    pair.close()


def test_ends_reach_a_timer_its_own_queue_and_activation(pair: Pair) -> None:
    write(pair, 0, told("a", "1"))
    pair.sql(
        "CREATE TABLE seen (kind sysname, at int IDENTITY); ALTER QUEUE replies WITH STATUS = ON; GRANT CONTROL ON seen TO public"
    )
    pair.sql(
        f"DECLARE @h uniqueidentifier = ({HANDLE.format(0)}); SEND ON CONVERSATION @h MESSAGE TYPE answer_type (N'unread')"
    )
    pair.sql(f"DECLARE @h uniqueidentifier = ({HANDLE.format(1)}); BEGIN CONVERSATION TIMER (@h) TIMEOUT = 900")
    pair.sql(
        "CREATE PROCEDURE read_all AS DECLARE @kind sysname; WHILE 1 = 1 BEGIN SET @kind = NULL; RECEIVE TOP (1) @kind = message_type_name FROM work;"
        " IF @kind IS NULL BREAK; INSERT seen VALUES (@kind) END"
    )
    pair.sql(
        "ALTER QUEUE work WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = read_all, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)"
    )
    write(pair, 1, told("a", "2"), told("a", "3", end=True))
    assert counted(pair) == (2, 1)
    assert pair.sql("SELECT kind FROM seen ORDER BY at") == [
        (kind,) for kind in ("free_type", "free_type", "free_type", END_DIALOG)
    ]
    assert pair.sql("SELECT COUNT(*) FROM replies") == [(0,)], "what was unread is gone"
    assert pair.sql(
        "SELECT state, CASE WHEN dialog_timer > '19000101' THEN 1 ELSE 0 END FROM sys.conversation_endpoints WHERE is_initiator = 1"
    ) == [("DO", 0)]


def test_bodies_are_validated_before_they_go_in_bulk(pair: Pair) -> None:
    good = [
        told(key, f'<a n="{n}"/>', kind)
        for n, (key, kind) in enumerate(
            [("a", "xml_type"), ("b", "valid_type"), ("a", "valid_type"), ("b", "free_type")]
        )
    ]
    write(pair, 0, *good, told("a", "", "valid_type"))
    assert counted(pair) == (1, 0)
    assert pair.sql("SELECT validation, COUNT(*) FROM work GROUP BY validation ORDER BY 1") == [("N ", 1), ("X ", 4)]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("xml_type", "<a>"),
        ("xml_type", "text"),
        ("valid_type", '<a n="one"/>'),
        ("valid_type", "<b/>"),
        ("empty_type", "full"),
    ],
)
def test_a_body_that_is_not_valid_is_the_error_of_its_dialog(pair: Pair, kind: str, body: str) -> None:
    write(
        pair,
        0,
        told("a", "<a/>", "valid_type"),
        told("a", body, kind),
        told("a", "<a/>", "valid_type"),
        told("b", "<a/>", "valid_type", end=True),
    )
    assert counted(pair) == (0, 0), "as one by one: the target tells both sides"
    assert pair.sql("SELECT state, is_initiator FROM sys.conversation_endpoints ORDER BY 1, 2") == [
        ("DI", False), ("DO", True), ("ER", False), ("ER", True),
    ]  # fmt: skip


def test_a_type_that_changes_between_the_look_and_the_commit_is_asked_again(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = BulkSend.validate

    def validate(bulk: BulkSend, checks: Any) -> None:
        look(bulk, checks)
        for many in bulk.dialogs.values():
            many.valid = {kind: (replace(found, xml_collection_id=7), None) for kind, (found, _) in many.valid.items()}

    monkeypatch.setattr(BulkSend, "validate", validate)
    write(pair, 0, told("a", "<a/>", "xml_type"))
    assert counted(pair) == (0, 0)
    assert pair.sql("SELECT COUNT(*) FROM work") == [(1,)]
