"""What others may do while a transaction is on its way to disk, and what they must wait for. Real threads."""

from __future__ import annotations

import threading
import time

import duckdb
import pytest
from watched_mutex import WatchedMutex

from sbql.catalog.journal import Journal
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.grammar.errors import sql_error

SETUP = """
CREATE QUEUE SenderQueue; CREATE QUEUE TargetQueue;
CREATE SERVICE [//sender] ON QUEUE SenderQueue;
CREATE SERVICE [//target] ON QUEUE TargetQueue ([DEFAULT]);
CREATE TABLE Seen (Body nvarchar(100));
"""
RECEIVE = """
BEGIN TRANSACTION;
DECLARE @got TABLE (body nvarchar(100));
RECEIVE TOP (1) CAST(message_body AS nvarchar(100)) AS body FROM TargetQueue INTO @got;
INSERT INTO Seen SELECT body FROM @got;
"""
BODIES = "SELECT CAST(message_body AS nvarchar(100)) FROM TargetQueue ORDER BY queuing_order"


class SlowCommit:
    """A DuckDB connection whose COMMIT stands still until it is let go, and may fail then."""

    def __init__(self, connection, error=None):
        self._connection = connection
        self._error = error
        self.begun = threading.Event()
        self.go_on = threading.Event()

    def __getattr__(self, name):
        return getattr(self._connection, name)

    def commit(self):
        self.begun.set()
        assert self.go_on.wait(30)
        if self._error is not None:
            raise self._error
        return self._connection.commit()


def rows(session, text):
    """The rows of the last result set; an error is raised."""
    found = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error
        if isinstance(outcome, ResultSet):
            found = outcome.rows
    return found


def until(condition):
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.001)


@pytest.fixture
def instance():
    opened = Instance.open()
    rows(opened.connect(), "CREATE DATABASE Shop")
    rows(opened.connect("Shop"), SETUP)
    yield opened
    opened.close()


@pytest.fixture
def handle(instance):
    return rows(
        instance.connect("Shop"),
        "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//sender] TO SERVICE '//target' WITH ENCRYPTION = OFF;"
        " SEND ON CONVERSATION @h (N'first'); SELECT @h",
    )[0][0]


def start(session, text, results):
    thread = threading.Thread(target=lambda: results.append(session.run(text)))
    thread.start()
    return thread


def test_others_send_while_a_receiver_waits_for_the_disk(instance, handle):
    receiver, sender, done = instance.connect("Shop"), instance.connect("Shop"), []
    rows(receiver, RECEIVE)
    receiver.store.connection = slow = SlowCommit(receiver.store.connection)
    committing = start(receiver, "COMMIT", done)
    assert slow.begun.wait(30)
    before = instance.store.last_lsn
    sending = start(sender, f"SEND ON CONVERSATION '{handle}' (N'second')", done)
    until(lambda: instance.store.last_lsn > before)
    assert not done, "the sender waits for the disk, which the receiver has"
    slow.go_on.set()
    committing.join(30)
    sending.join(30)
    assert rows(instance.connect("Shop"), "SELECT Body FROM Seen") == [("first",)]
    assert rows(instance.connect("Shop"), BODIES) == [("second",)]


def test_a_receiver_that_the_disk_refuses_puts_its_messages_back_in_front(instance, handle):
    receiver, sender, done = instance.connect("Shop"), instance.connect("Shop"), []
    rows(receiver, RECEIVE)
    whole = receiver.store.connection
    receiver.store.connection = slow = SlowCommit(whole, duckdb.IOException("No space left on device"))
    committing = start(receiver, "COMMIT", done)
    assert slow.begun.wait(30)
    before = instance.store.last_lsn
    sending = start(sender, f"SEND ON CONVERSATION '{handle}' (N'second')", done)
    until(lambda: instance.store.last_lsn > before)
    slow.go_on.set()
    committing.join(30)
    sending.join(30)
    receiver.store.connection = whole
    errors = [o.error.number for outcomes in done for o in outcomes if isinstance(o, ErrorOutcome)]
    assert errors == [1105]
    assert rows(instance.connect("Shop"), "SELECT Body FROM Seen") == []
    reader = instance.connect("Shop")
    receive = "RECEIVE TOP (1) CAST(message_body AS nvarchar(100)) FROM TargetQueue"
    assert [rows(reader, receive), rows(reader, receive)] == [[("first",)], [("second",)]]


def test_a_receiver_that_answers_is_seen_by_nobody_before_it_is_on_disk(instance, handle):
    receiver, other, done = instance.connect("Shop"), instance.connect("Shop"), []
    target = rows(instance.connect("Shop"), "SELECT conversation_handle FROM TargetQueue")[0][0]
    rows(receiver, RECEIVE + f"SEND ON CONVERSATION '{target}' (N'answer');")
    receiver.store.connection = slow = SlowCommit(receiver.store.connection)
    committing = start(receiver, "COMMIT", done)
    assert slow.begun.wait(30)
    looking = start(other, "RECEIVE CAST(message_body AS nvarchar(100)) FROM SenderQueue", done)
    looking.join(0.05)
    assert not done
    slow.go_on.set()
    committing.join(30)
    looking.join(30)
    assert [o.rows for outcomes in done for o in outcomes if isinstance(o, ResultSet)] == [[("answer",)]]


def test_others_send_and_are_acknowledged_while_duckdb_commits_tables(instance, handle):
    writer, sender, done = instance.connect("Shop"), instance.connect("Shop"), []
    rows(writer, "BEGIN TRANSACTION; INSERT INTO Seen SELECT CAST(value AS nvarchar(100)) FROM GENERATE_SERIES(1, 10)")
    writer.store.connection = slow = SlowCommit(writer.store.connection)
    committing = start(writer, "COMMIT", [])
    assert slow.begun.wait(30)
    sending = start(sender, f"SEND ON CONVERSATION '{handle}' (N'second')", done)
    sending.join(30)
    assert done == [[]], "the sender waits for a commit that it has nothing to do with"
    assert instance.store.durable_lsn == instance.store.last_lsn
    assert rows(instance.connect("Shop"), "SELECT COUNT(*) FROM Seen") == [(0,)]
    slow.go_on.set()
    committing.join(30)
    assert rows(instance.connect("Shop"), "SELECT COUNT(*) FROM Seen") == [(10,)]
    assert rows(instance.connect("Shop"), BODIES) == [("first",), ("second",)]


def test_tables_that_the_disk_refuses_take_no_message_of_others_along(instance, handle):
    writer, sender, done = instance.connect("Shop"), instance.connect("Shop"), []
    rows(writer, "BEGIN TRANSACTION; INSERT INTO Seen SELECT CAST(value AS nvarchar(100)) FROM GENERATE_SERIES(1, 10)")
    whole = writer.store.connection
    writer.store.connection = slow = SlowCommit(whole, duckdb.IOException("No space left on device"))
    committing = start(writer, "COMMIT", done)
    assert slow.begun.wait(30)
    assert rows(sender, f"SEND ON CONVERSATION '{handle}' (N'second')") == []
    slow.go_on.set()
    committing.join(30)
    writer.store.connection = whole
    assert [o.error.number for outcomes in done for o in outcomes if isinstance(o, ErrorOutcome)] == [1105]
    assert rows(instance.connect("Shop"), "SELECT COUNT(*) FROM Seen") == [(0,)]
    assert rows(instance.connect("Shop"), BODIES) == [("first",), ("second",)]


def test_a_commit_of_tables_writes_first_what_it_may_rest_on(instance, handle):
    """Another session's message is submitted, and visible, but not on disk: it is when DuckDB begins to commit."""
    writer, seen = instance.connect("Shop"), []
    rows(writer, "BEGIN TRANSACTION; INSERT INTO Seen SELECT CAST(value AS nvarchar(100)) FROM GENERATE_SERIES(1, 10)")
    with instance.store.journal.pen():  # nobody else writes it before
        lsn = instance.store.submit([])
        whole = writer.store.connection
        writer.store.connection = slow = SlowCommit(whole)
        committing = start(writer, "COMMIT", [])
        assert not slow.begun.wait(0.05)
    assert slow.begun.wait(30)
    seen.append(instance.store.durable_lsn)
    slow.go_on.set()
    committing.join(30)
    assert seen[0] >= lsn


def test_what_rests_on_a_lost_commit_is_not_committed(instance):
    """An earlier commit of the session was still on its way when the transaction began; the disk has refused it."""
    session, journal = instance.connect("Shop"), instance.store.journal
    rows(session, "BEGIN TRANSACTION; INSERT INTO Seen VALUES (N'x')")
    with journal.pen():
        session.transaction.rests_on = journal.submit(b"")
        journal.discard(sql_error(1105, "a", "Shop", "c"))
    errors = [outcome.error.number for outcome in session.run("COMMIT") if isinstance(outcome, ErrorOutcome)]
    assert errors[:1] == [1105]
    assert rows(instance.connect("Shop"), "SELECT Body FROM Seen") == []


@pytest.mark.parametrize("is_new", [True, False])
def test_who_has_seen_a_lost_commit_in_memory_commits_nothing(instance, is_new):
    """A look at sys.conversation_endpoints does not wait for the disk; what it has told is not shown before, and the
    transaction goes with the commit. `is_new`: what is lost was submitted behind the session's own last commit."""
    session, journal, outcomes = instance.connect("Shop"), instance.store.journal, []
    begin = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//sender] TO SERVICE '//target'; SELECT @h"
    ((handle,),) = rows(session, begin)
    look = f"DECLARE @h uniqueidentifier = '{handle}'; SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h"
    rows(session, "BEGIN TRANSACTION; INSERT INTO Seen VALUES (N'x')")
    with journal.pen():
        lsn = journal.submit(b"")
        if not is_new:
            session.note_commit(lsn)
        looking = start(session, look, outcomes)
        until(lambda: session.transaction.rests_on == lsn)
        journal.discard(sql_error(1105, "a", "Shop", "c"))
    looking.join(30)
    (seen,) = outcomes
    errors = [one.error.number for one in [*seen, *session.run("COMMIT")] if isinstance(one, ErrorOutcome)]
    assert errors[:1] == [1105]
    assert not [one for one in seen if isinstance(one, ResultSet)], "it never was on disk"
    assert rows(instance.connect("Shop"), "SELECT Body FROM Seen") == []


def test_what_the_session_rested_on_before_is_not_forgotten_for_what_it_sees(instance):
    session, journal = instance.connect("Shop"), instance.store.journal
    with journal.pen():
        session.note_commit(journal.submit(b""))
        journal.discard(sql_error(1105, "a", "Shop", "c"))
    journal.wait_durable(journal.submit(b"\x90"))
    look = "IF EXISTS (SELECT * FROM sys.conversation_endpoints WHERE conversation_handle = NEWID()) PRINT 'x'"
    errors = [one.error.number for one in session.run(look) if isinstance(one, ErrorOutcome)]
    assert errors == [1105]


def test_a_commit_of_tables_is_not_overtaken_for_ever():
    """Those who wait for durability are served by any write; a commit that carries its own tables is handed the pen."""
    order = []
    journal = Journal(lambda batch: order.append("records"))

    def commit_tables():
        with journal.pen():
            order.append("tables")

    with journal.pen():
        waiting = threading.Thread(target=commit_tables)
        waiting.start()
        until(lambda: len(journal._sleepers) == 1)
    journal.wait_durable(journal.submit(b"x"))
    waiting.join(30)
    assert order == ["tables", "records"]


def test_nobody_meets_what_a_refused_commit_has_prepared(instance, handle):
    """The message is at its target, uncommitted, while the store is asked; the mutex is
    not free before it is gone again."""
    sender, broker = instance.connect("Shop"), instance.broker
    (target,) = (e for e in broker.records() if not e.is_initiator and not e.is_system)
    rows(sender, f"BEGIN TRANSACTION; INSERT INTO Seen VALUES (N'x'); SEND ON CONVERSATION '{handle}' (N'second')")
    whole, seen = sender.store.connection, []
    sender.store.connection = refusing = SlowCommit(whole, duckdb.IOException("No space left on device"))
    refusing.go_on.set()
    broker.mutex = WatchedMutex(broker.mutex, lambda: seen.append(target.receive_sequence))
    errors = [outcome.error.number for outcome in sender.run("COMMIT") if isinstance(outcome, ErrorOutcome)]
    sender.store.connection = whole
    assert errors == [1105] and refusing.begun.is_set()
    assert set(seen) == {1}
    assert rows(instance.connect("Shop"), BODIES) == [("first",)]
