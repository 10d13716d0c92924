"""The store: order and durability, fold and load, overlays, opening what is no store, closing."""

from __future__ import annotations

import datetime as dt
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sbql.catalog import journal as journal_module
from sbql.catalog.bootstrap import database_definitions, new_database
from sbql.catalog.broker_tables import LAST_MESSAGE_KEY, queue_counter
from sbql.catalog.changes import Definition, InsertRows, snapshot_changes, storage_name
from sbql.catalog.duck_types import to_store
from sbql.catalog.first_start import bootstrap
from sbql.catalog.marked_sql import MarkedSql
from sbql.catalog.records import (
    ConversationEndpoint,
    ConversationGroup,
    CounterValue,
    Database,
    DeleteEndpoint,
    DeleteGroup,
    DeleteMessage,
    DeleteTransmission,
    MessageType,
    Queue,
    TransmissionMessage,
)
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.store import Store
from sbql.catalog.store_port import Call, StorePort
from sbql.grammar.errors import SqlError
from sbql.grammar.types import datetime2, time
from sbql.grammar.values.ticks import with_tick

from .conftest import guid, message


def endpoint(handle: int, state: str = "CO") -> ConversationEndpoint:
    return ConversationEndpoint(
        conversation_handle=guid(handle), conversation_id=guid(9), is_initiator=True, database_id=5, service_id=1,
        contract_id=6, conversation_group_id=guid(3), state=state, far_service="//t", far_broker_instance=None, lifetime=2e9,
    )  # fmt: skip


def transmission(key: int) -> TransmissionMessage:
    return TransmissionMessage(
        message_key=key, database_id=5, conversation_handle=guid(1), to_service_name="//t", to_broker_instance=None,
        from_service_name="//i", service_contract_name="DEFAULT", enqueue_time=1.5e9, message_sequence_number=0,
        message_type_name="DEFAULT", status=4, message_body=None, message_id=guid(77).bytes,
    )  # fmt: skip


def test_lsns_count_up_and_become_durable_in_order(store: Store) -> None:
    lsns = [store.submit([message(n)]) for n in range(1, 6)]
    assert lsns == [1, 2, 3, 4, 5]
    store.wait_durable(3)
    assert store.durable_lsn >= 3
    assert store.last_lsn == 5


def test_records_are_encoded_when_they_are_submitted(store: Store) -> None:
    changed_later = message(1, body=b"before")
    store.submit([changed_later])
    changed_later.message_body = b"after"
    assert store.load().messages[0].message_body == b"before"


def test_the_committer_writes_what_nobody_waits_for(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    written = threading.Event()
    write = store.journal._write

    def spy(batch: journal_module.Batch) -> None:
        write(batch)
        written.set()

    monkeypatch.setattr(store.journal, "_write", spy)
    store.submit([message(1)])
    assert written.wait(30)


def test_many_threads_share_commits(store: Store) -> None:
    def work(first: int) -> None:
        for n in range(first, first + 20):
            lsn = store.submit([message(n)])
            store.wait_durable(lsn)
            assert store.durable_lsn >= lsn

    threads = [threading.Thread(target=work, args=(1 + 20 * n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [m.message_key for m in store.load().messages] == list(range(1, 161))


class FullDisk(StorePort):
    """Refuses what is written to the journal while `is_full`."""

    is_full = False

    def call(self, kind: Call, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if self.is_full and kind == "journal":
            raise duckdb.IOException("No space left on device")
        return work(*args, **kwargs)


def test_what_the_disk_refused_is_lost_with_all_that_came_after_it() -> None:
    port = FullDisk()
    with Store.open(port=port) as store:
        store.wait_durable(store.submit([message(1)]))
        port.is_full = True
        with store.journal.pen():  # nobody writes before all three are there
            lost = [store.submit([message(n)]) for n in (2, 3, 4)]
        for lsn in lost:
            with pytest.raises(SqlError) as refused:
                store.wait_durable(lsn)
            assert refused.value.number == 1105
        port.is_full = False
        after = store.submit([message(5)])
        store.wait_durable(after)
        with pytest.raises(SqlError):
            store.wait_durable(lost[-1])
        assert [m.message_key for m in store.load().messages] == [1, 5]


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs POSIX signals")
def test_an_interrupted_wait_does_not_hold_up_the_others(store: Store) -> None:
    """Ctrl+C in the main thread while another holds the pen; a third waits behind it."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals reach the main thread only")
    journal = store.journal
    behind_done = threading.Event()
    interrupted = threading.Event()
    pen_held = threading.Event()
    pause = threading.Event()

    def hold() -> None:
        with journal.pen():
            pen_held.set()
            threading.Thread(target=behind).start()
            while len(journal._sleepers) < 3:  # the main thread, the one behind it, and the committer
                pause.wait(0.001)
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            # In vain when the signal came a moment before its sleep: woken, it is interrupted all the same.
            interrupted.wait(5)

    def behind() -> None:
        store.wait_durable(store.submit([message(2)]))
        behind_done.set()

    holder = threading.Thread(target=hold)
    holder.start()
    assert pen_held.wait(30)
    with pytest.raises(KeyboardInterrupt):
        store.wait_durable(store.submit([message(1)]))
    interrupted.set()
    holder.join()
    assert behind_done.wait(30)
    store.wait_durable(store.last_lsn)


def test_fold_keeps_the_last_word_on_every_key(store: Store) -> None:
    group = ConversationGroup(guid(3), 5, 1)
    store.submit([message(1), message(2), endpoint(1, "SO"), endpoint(2), group, transmission(3), transmission(4)])
    store.fold()
    store.submit(
        [
            DeleteMessage(1),
            endpoint(1, "CO"),
            DeleteEndpoint(guid(2), 5),
            DeleteTransmission(3),
            message(5),
            DeleteMessage(5),
        ]
    )
    store.submit([message(2, body=b"new"), CounterValue("identity:1", 1000), CounterValue("identity:1", 900)])
    state = store.load()
    assert [(m.message_key, m.message_body) for m in state.messages] == [(2, b"new")]
    assert [(e.conversation_handle, e.state) for e in state.endpoints] == [(guid(1), "CO")]
    assert state.groups == [group]
    assert state.transmissions == [transmission(4)]
    assert state.counters == {LAST_MESSAGE_KEY: 5, queue_counter(70000): 5, "identity:1": 900}
    store.submit([DeleteGroup(guid(3), 5), message(2, order=2)])
    state = store.load()
    assert state.groups == []
    assert state.counters[queue_counter(70000)] == 5, "a counter never goes back"


def test_everything_survives_closing(path: str) -> None:
    with Store.open(path) as store:
        store.submit([message(1), endpoint(1), transmission(2)])
    with Store.open(path) as store:
        state = store.load()
        assert state.messages == [message(1)]
        assert state.endpoints == [endpoint(1)]
        assert state.transmissions == [transmission(2)]
        store.submit([DeleteMessage(1)])
    with Store.open(path) as store:
        assert store.load().messages == []


def test_a_closed_store_shows_its_queues_to_the_duckdb_command_line(path: str) -> None:
    with Store.open(path) as store:
        snapshot = bootstrap(store, 1.5e9, lambda: guid(1))
        queue = Queue(id=70000, database_id=4, name="Orders", schema_id=1)
        store.connect().begin().commit(snapshot_changes(snapshot, snapshot.with_record(queue)))
        waiting = message(1)
        waiting.database_id = 4
        store.submit([waiting])
    alone = duckdb.connect(path)
    found = alone.execute("SELECT database, queue, message_type FROM sbql.sbql.queue_messages").fetchall()
    alone.close()
    assert found == [("msdb", "Orders", "DEFAULT")]


def test_a_closed_store_shows_ticks_as_times(path: str) -> None:
    with Store.open(path):
        pass
    moments = [
        with_tick(dt.datetime.max, 9),
        dt.datetime(1, 1, 1),
        with_tick(dt.datetime(2026, 1, 2, 3, 4, 5, 678901), 2),
    ]
    alone = duckdb.connect(path, read_only=True)
    for moment in moments:
        stored = [to_store(moment, datetime2()), to_store(moment.time(), time())]
        found = alone.execute("SELECT datetime2_of(?), time_of(?)", stored).fetchone()
        plain = moment.replace(microsecond=moment.microsecond)
        assert found == (plain, plain.time())
    alone.close()


def test_the_fold_runs_in_the_background(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    folded = threading.Event()
    fold = store._fold

    def spy(through: int) -> None:
        fold(through)
        folded.set()

    monkeypatch.setattr(store, "_fold", spy)
    monkeypatch.setattr("sbql.catalog.unfolded.FOLD_AT", 10)
    for n in range(1, 30):
        store.submit([message(n)])
    store.wait_durable(store.last_lsn)
    assert folded.wait(30)
    assert len(store.load().messages) == 29


def test_a_query_sees_the_transactions_own_broker_changes(store: Store) -> None:
    store.submit([message(1), message(2), endpoint(1)])
    unit = store.connect().begin()
    sql = "SELECT message_key, message_body FROM \0broker_messages\0 ORDER BY 1"
    assert unit.query(MarkedSql.of(sql), broker=[]).rows == [(1, b"x"), (2, b"x")]
    own = [DeleteMessage(1), message(2, body=b"mine"), message(3), DeleteEndpoint(guid(1), 5)]
    assert unit.query(MarkedSql.of(sql), broker=own).rows == [(2, b"mine"), (3, b"x")]
    both = "SELECT count(*), (SELECT count(*) FROM \0broker_conversation_endpoints\0) FROM \0broker_messages\0 m"
    assert unit.query(MarkedSql.of(both), broker=own).rows == [(2, 0)]
    assert unit.query(MarkedSql.of(sql), broker=own[:1]).rows == [(2, b"x")]
    unit.rollback()
    assert unit.query(MarkedSql.of(sql), broker=[]).rows == [(1, b"x"), (2, b"x")]


def test_a_unit_that_wrote_rows_sees_messages_committed_since(store: Store) -> None:
    unit = store.connect().begin()
    name = storage_name("x", "t")
    unit.apply(Definition(f'CREATE SCHEMA x; CREATE TABLE {name} ("$rid" BIGINT)', (name,)))
    sql = "SELECT count(*) FROM \0broker_messages\0"
    assert unit.query(MarkedSql.of(sql), broker=[]).rows == [(0,)]
    store.submit([message(1)])
    assert unit.query(MarkedSql.of(sql), broker=[]).rows == [(1,)]
    assert unit.query(MarkedSql.of(sql), broker=[message(2)]).rows == [(2,)]


def test_a_new_store_is_bootstrapped_and_databases_are_added(path: str) -> None:
    numbers = iter(range(1, 100))
    with Store.open(path) as store:
        assert store.load().is_new
        snapshot = bootstrap(store, 1.5e9, lambda: guid(next(numbers)))
        shop = new_database(snapshot, "Shop", guid(500), 1.6e9)
        assert shop.last_id == 65535, "built-in objects leave the ids of user objects alone"
        unit = store.connect().begin()
        for definition in database_definitions("Shop"):
            unit.apply(definition)
        unit.commit(snapshot_changes(snapshot, shop))
    with Store.open(path) as store:
        state = store.load()
        assert not state.is_new
        assert sorted(map(repr, state.snapshot.records())) == sorted(map(repr, shop.records()))
        database = state.snapshot.find(Database, 0, "SHOP")
        assert database is not None
        assert (database.id, database.service_broker_guid) == (5, guid(500))
        assert [m.id for m in state.snapshot.all(MessageType, 5)] == list(range(1, 15))


def test_opening_and_reading_leave_no_transaction_behind(path: str) -> None:
    """DuckDB refuses a checkpoint beside an open transaction: a connection that rests in
    one holds the log back for ever."""
    for is_new in (True, False):
        with Store.open(path) as store:
            assert store.load().is_new == is_new
            if is_new:
                bootstrap(store, 1.5e9, lambda: guid(1))
            with store.scratch() as connection:
                connection.execute("CHECKPOINT sbql_store")


def test_no_result_is_left_half_read() -> None:
    """`fetchone()` leaves its transaction open; `first_row` does not."""
    catalog = Path(__file__).parents[3] / "catalog"
    assert [p.name for p in catalog.rglob("*.py") if ").fetchone(" in p.read_text(encoding="utf-8")] == []


def test_tempdb_starts_empty(path: str) -> None:
    with Store.open(path) as store:
        snapshot = bootstrap(store, 1.5e9, lambda: guid(1))
        unit = store.connect().begin()
        name = storage_name("tempdb.dbo", "##t")
        unit.apply(Definition(f'CREATE TABLE {name} ("$rid" BIGINT)', (name,)))
        unit.apply(InsertRows(name, ("$rid",), [(1,)]))
        queue = Queue(id=70000, database_id=2, name="q", schema_id=1)
        unit.commit(snapshot_changes(snapshot, snapshot.with_record(queue)))
        in_tempdb = message(1)
        in_tempdb.database_id = 2
        store.submit([in_tempdb])
    with Store.open(path) as store:
        state = store.load()
        assert state.messages == []
        assert state.snapshot.get(Queue, 2, 70000) is None
        assert len(list(state.snapshot.all(Queue, 2))) == 3
        with pytest.raises(SqlError):
            store.connect().begin().query(f"SELECT * FROM {name}")


def test_what_is_no_store_is_told_so(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database " * 1000)
    foreign = tmp_path / "foreign.duckdb"
    connection = duckdb.connect(str(foreign))
    connection.execute("CREATE TABLE t (a INTEGER)")
    connection.close()
    cases = [(text, 5171), (foreign, 5171), (tmp_path, 5171), (tmp_path / "no" / "folder.duckdb", 5133)]
    for path, number in cases:
        with pytest.raises(SqlError) as caught:
            Store.open(path)
        assert (path, caught.value.number) == (path, number)
        assert str(path) in caught.value.message


@pytest.mark.parametrize(("version", "release"), [("99", "a newer release"), ("1", "carry its tables over")])
def test_another_format_is_told_so(path: str, version: str, release: str) -> None:
    Store.open(path).close()
    connection = duckdb.connect(":memory:")
    connection.execute(f"ATTACH '{path}' AS s; UPDATE s.sbql.meta SET value = '{version}' WHERE key = 'format_version'")
    connection.close()
    with pytest.raises(SqlError) as caught:
        Store.open(path)
    assert caught.value.number == 948
    assert f"format {version}," in caught.value.message and release in caught.value.message


def test_a_store_open_in_another_process_is_told_so(path: str) -> None:
    with Store.open(path):
        script = (
            "import sys\nfrom sbql.catalog.store import Store\nfrom sbql.grammar.errors import SqlError\n"
            "try:\n    Store.open(sys.argv[1])\nexcept SqlError as error:\n    print(error.number, error.message)\n"
        )
        done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("5120 ")
    assert "another process" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("ending", ["store.close()", "", "raise ValueError('uncaught')", "sys.exit(3)"])
def test_ending_makes_no_noise_and_loses_nothing(path: str, ending: str) -> None:
    script = (
        "import sys\nfrom sbql.catalog.store import Store\nfrom sbql.catalog.records import CounterValue\n"
        "store = Store.open(sys.argv[1])\nsession = store.connect()\nunit = session.begin()\n"
        "session.register_function('fn', lambda a: a, ['INTEGER'], 'INTEGER')\n"
        "unit.query('SELECT fn(?)', (1,))\nstore.submit([CounterValue('c', 5)])\n" + ending
    )
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=False)
    assert "nanobind" not in done.stderr
    assert "leaked" not in done.stderr
    assert (done.stderr == "") is ("raise" not in ending)
    with Store.open(path) as store:
        assert store.load().counters == {"c": 5}


def test_duckdb_draws_no_bar_at_the_prompt_of_python() -> None:
    script = (
        "import duckdb\nfrom sbql.catalog.store import Store\nstore = Store.open(None)\nfound = store.connect().connection, duckdb.connect()\n"
        "query = \"SELECT value FROM duckdb_settings() WHERE name = 'enable_progress_bar'\"\n"
        "print([one.execute(query).fetchall()[0][0] for one in found])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "['false', 'true']\n"


def test_close_may_be_called_twice_and_closes_sessions(path: str) -> None:
    store = Store.open(path)
    session = store.connect()
    store.close()
    store.close()
    session.close()


def test_changes_between_snapshots_leave_out_session_tables() -> None:
    from sbql.catalog.records import Table

    old = CatalogSnapshot()
    temp = Table(id=70000, database_id=2, name="#t", schema_id=1, columns=(), session_id=51)
    kept = Table(id=70001, database_id=5, name="t", schema_id=1, columns=())
    new = old.with_records([temp, kept])
    assert [change.record for change in snapshot_changes(old, new)] == [kept]
    assert [change.record for change in snapshot_changes(new, old)] == [kept]
    assert snapshot_changes(new, new.with_record(kept)) == []


def test_interrupting_a_session_that_was_just_closed(store: Store) -> None:
    """Whoever closes a session does so in two steps, and a cancel may come between them."""
    session = store.connect()
    session.connection.close()
    session.interrupt()
    session.close()
    session.interrupt()
