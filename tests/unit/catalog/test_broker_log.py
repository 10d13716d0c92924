"""The broker's log and its store: when there is one, what stands where, and what
becomes of it when its disk refuses."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from sbql.catalog.broker_log import BrokerLog, begin_after
from sbql.catalog.changes import Definition, InsertRows, storage_name
from sbql.catalog.log_frames import epoch_of, frames
from sbql.catalog.records import CounterValue
from sbql.catalog.store import Store
from sbql.catalog.store_file import log_of, store_files
from sbql.catalog.store_image import StoreImage
from sbql.catalog.store_port import StorePort
from sbql.catalog.synced_file import SyncedFile
from sbql.grammar.errors import SqlError

from .conftest import message

TABLE = storage_name("Shop.dbo", "t")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "s.duckdb")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(begin_after, "batches", 0)


@pytest.fixture
def store(path: str, at_once: None) -> Iterator[Store]:
    """With a log that has been begun."""
    with Store.open(path) as opened:
        commit(opened, 1)
        yield opened


def commit(store: Store, *keys: int) -> None:
    store.wait_durable(store.submit([message(key) for key in keys]))


def keys(store: Store) -> list[int]:
    return [one.message_key for one in store.load().messages]


def stored(store: Store, sql: str) -> list[tuple[object, ...]]:
    with store.scratch() as connection:
        return connection.execute(sql).fetchall()


def beside(path: str) -> set[str]:
    return {name for name in os.listdir(os.path.dirname(path)) if not name.endswith(".wal")}


def test_a_script_of_a_few_statements_needs_no_log(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(begin_after, "batches", 32)
    with Store.open(path) as store:
        for n in range(1, begin_after.batches + 1):
            commit(store, n)
        assert beside(path) == {"s.duckdb"}
        commit(store, n + 1)
        assert beside(path) == {"s.duckdb", "s.duckdb.broker-log"}
        assert stored(store, "SELECT count(*) FROM sbql.journal") == [(n + 1,)], (
            "the batch with which it begins is DuckDB's"
        )
        commit(store, n + 2)
        assert stored(store, "SELECT count(*) FROM sbql.journal") == [(n + 1,)]
        assert keys(store) == list(range(1, n + 3))
    assert beside(path) == {"s.duckdb"}, "one file when it is closed"
    with Store.open(path) as store:
        assert keys(store) == list(range(1, n + 3))


def test_a_store_in_memory_has_none(at_once: None) -> None:
    with Store.open() as store:
        commit(store, 1)
        commit(store, 2)
        assert keys(store) == [1, 2]
        assert stored(store, "SELECT count(*) FROM sbql.broker_log") == [(0,)]


def test_who_knows_no_log_must_not_open_it(store: Store, path: str) -> None:
    """The format of the file is another one as long as there is a log."""
    assert stored(store, "SELECT value FROM sbql.meta WHERE key = 'format_version'") == [("3",)]
    store.close()
    with duckdb.connect(path, read_only=True) as connection:
        assert connection.execute("SELECT value FROM sbql.meta WHERE key = 'format_version'").fetchall() == [("2",)]


def test_rows_and_messages_keep_their_order_across_both(store: Store) -> None:
    """A commit of tables goes to DuckDB, with all that waits; what comes after it to the log again. A
    counter has the last word of all."""
    session = store.connect()
    unit = session.begin()
    unit.apply(Definition(f'CREATE SCHEMA "Shop.dbo"; CREATE TABLE {TABLE} ("$rid" BIGINT, n BIGINT)', (TABLE,)))
    unit.commit()
    for n in range(2, 40):
        changes = [message(n), CounterValue("order", n)]
        if n % 3:
            lsn = store.submit(changes)
        else:
            unit = session.begin()
            unit.apply(InsertRows(TABLE, ("$rid", "n"), [(n, n)]))
            lsn = unit.commit([], changes)
        if n % 4:
            store.wait_durable(lsn)
        if n == 20:
            store.fold()
    state = store.load()
    assert [one.message_key for one in state.messages] == list(range(1, 40)) and state.counters["order"] == 39
    assert session.begin().query(f"SELECT n FROM {TABLE} ORDER BY n").rows == [(n,) for n in range(3, 40, 3)]


def test_a_fold_frees_the_log(store: Store, path: str) -> None:
    """Also a fold that goes through what memory has let go of."""
    for remembers in (True, False):
        if not remembers:
            store._unfolded._most_bytes = 0
        first = int(stored(store, "SELECT max(message_key) FROM sbql.messages")[0][0] or 1) + 1
        for n in range(first, first + 20):
            commit(store, n)
        assert store.log.count(1 << 60) == 20
        store.fold()
        assert store.log.count(1 << 60) == 0
        (((lsn, is_open),)) = stored(store, "SELECT lsn, is_open FROM sbql.broker_log")
        assert (lsn, is_open) == (store.durable_lsn, True)
    assert keys(store) == list(range(1, 42))


def test_a_disk_that_refuses_the_log_leaves_duckdb(store: Store, path: str) -> None:
    """Its file is closed under it: every later write fails. Nothing is lost, and nothing is tried
    again until the store is opened anew."""
    commit(store, 2)
    os.close(store.log._ring._file._handle)  # type: ignore[union-attr]
    handles = [os.open(os.devnull, os.O_RDONLY)]  # the number is taken by what cannot be written
    for n in range(3, 9):
        commit(store, n)
    assert stored(store, "SELECT count(*) FROM sbql.journal") == [(1 + 6,)]
    store.log._ring._file._handle = SyncedFile(log_of(path))._handle  # type: ignore[union-attr]
    assert keys(store) == list(range(1, 9))
    store.close()
    for handle in handles:
        os.close(handle)
    assert beside(path) == {"s.duckdb"}
    with Store.open(path) as again:
        commit(again, 9)
        commit(again, 10)
        assert keys(again) == list(range(1, 11)) and again.log.count(1 << 60) == 0
        assert os.path.exists(log_of(path))


class Half:
    """Writes half of what it is given and says that it could not; `refuses` tells whether the next writes succeed."""

    def __init__(self, file: SyncedFile, cut: float) -> None:
        self.file, self.cut, self.is_whole = file, cut, False

    def write(self, place: int, data: bytes) -> None:
        if self.is_whole:
            self.file.write(place, data)
            return
        self.file.write(place, data[: int(len(data) * self.cut)])
        raise OSError(5, "Input/output error")

    def read(self, place: int, size: int) -> bytes:
        return self.file.read(place, size)

    def close(self) -> None:
        self.file.close()


@pytest.mark.parametrize("cut", [0.0, 0.5, 1.0])
def test_what_is_lost_is_not_found_again(store: Store, path: str, cut: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log takes a record in part, or whole without saying so, and DuckDB refuses it, too: it is lost. The log
    strikes it out; where it cannot, the store stops."""
    commit(store, 2)
    ring = store.log._ring
    assert ring is not None
    half = Half(ring._file, cut)
    ring._file = half  # type: ignore[assignment]
    with monkeypatch.context() as patched:
        patched.setattr(store._records, "append", _no_space)
        with pytest.raises(SqlError) as refused:
            commit(store, 3)
        assert refused.value.number == 9001, "who cannot say what is on disk stops"
        with pytest.raises(SqlError):
            commit(store, 4)
    assert store.failure is not None


@pytest.mark.parametrize("cut", [0.0, 0.5, 1.0])
def test_what_could_be_struck_out_is_lost_alone(
    store: Store, path: str, cut: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(store, 2)
    ring = store.log._ring
    assert ring is not None
    half = Half(ring._file, cut)
    ring._file = half  # type: ignore[assignment]

    def refuse(batch: object) -> None:
        half.is_whole = True
        _no_space(batch)

    with monkeypatch.context() as patched:
        patched.setattr(store._records, "append", refuse)
        with pytest.raises(SqlError) as refused:
            commit(store, 3)
        assert refused.value.number != 9001
    commit(store, 4)
    assert store.failure is None
    left = Path(path).with_name("left.duckdb")
    with store.standing_still():
        for file, copy in zip(store_files(path), store_files(str(left)), strict=True):
            if os.path.exists(file):
                Path(copy).write_bytes(Path(file).read_bytes())
    with Store.open(str(left)) as again:
        assert keys(again) == [1, 2, 4], "what a power failure would leave"
    assert keys(store) == [1, 2, 4]


def _no_space(*_: object) -> None:
    raise duckdb.IOException("IO Error: No space left on device")


def test_an_interrupted_write_is_written_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C comes between the write and the word that it is done: the record waits again, and is there once."""
    write = SyncedFile.write

    def interrupted(self: SyncedFile, place: int, data: bytes) -> None:
        write(self, place, data)
        raise KeyboardInterrupt

    lsn = store.submit([message(2)])
    with monkeypatch.context() as patched:
        patched.setattr(SyncedFile, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.wait_durable(lsn)
    store.wait_durable(lsn)
    ring = store.log._ring
    assert ring is not None
    found = list(frames(ring._epoch, ring._file.read(0, 1 << 30), *ring.first))
    assert [lsn for one in found for lsn, _ in one.batch].count(lsn) == 1
    assert keys(store) == [1, 2]


def test_a_fold_that_is_on_disk_though_it_raised(store: Store) -> None:
    """The next one finds by the store's own row that the log's records are in the tables."""
    commit(store, 2)
    port_call = store.port.call

    class Raising(StorePort):
        def call(self, kind, work, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            result = port_call(kind, work, *args, **kwargs)
            if kind == "fold":
                raise duckdb.IOException("IO Error: nobody knows")
            return result

    plain, store.port = store.port, Raising()
    folded, store.log.folded = store.log.folded, lambda through: None  # type: ignore[method-assign]
    with pytest.raises(SqlError):
        store.fold()
    store.port, store.log.folded = plain, folded  # type: ignore[method-assign]
    assert store.log.count(1 << 60) == 1
    commit(store, 3)
    assert keys(store) == [1, 2, 3]
    assert store.log.count(1 << 60) == 0


def test_a_copy_of_a_running_store_has_no_log(store: Store, tmp_path: Path) -> None:
    commit(store, 2)
    image = StoreImage(store)
    copy = str(tmp_path / "copy.duckdb")
    image.save(copy)
    with image.open() as inside:
        assert keys(inside) == [1, 2]
    image.close()
    with Store.open(copy) as opened:
        assert keys(opened) == [1, 2] and not opened.notices
    commit(store, 3)
    assert keys(store) == [1, 2, 3]


def test_a_copy_is_of_one_moment(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody commits while it is made, to the log and then to DuckDB: never is the second in it without the first."""
    session = store.connect()
    unit = session.begin()
    unit.apply(Definition(f'CREATE SCHEMA "Shop.dbo"; CREATE TABLE {TABLE} ("$rid" BIGINT, n BIGINT)', (TABLE,)))
    unit.commit()
    fold = store._fold

    def fold_and_more(through: int) -> None:
        fold(through)
        other.start()
        other.join(0.3)  # whoever holds the pen need not let it in

    def more() -> None:
        commit(store, 2)
        unit = session.begin()
        unit.apply(InsertRows(TABLE, ("$rid", "n"), [(3, 3)]))
        unit.commit([], [message(3)])

    other = threading.Thread(target=more)
    with monkeypatch.context() as patched:
        patched.setattr(store, "_fold", fold_and_more)
        patched.setattr(store, "_fold_mutex", contextlib.nullcontext())
        image = StoreImage(store)
    copy = str(tmp_path / "copy.duckdb")
    image.save(copy)
    image.close()
    other.join()
    with Store.open(copy) as opened:
        assert keys(opened) in ([1], [1, 2], [1, 2, 3])
    assert keys(store) == [1, 2, 3]


def test_a_folder_that_takes_no_log(path: str, at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has its file made, and no room for it."""
    monkeypatch.setattr(SyncedFile, "fill", _full)
    with Store.open(path) as store:
        for n in range(1, 5):
            commit(store, n)
        assert keys(store) == [1, 2, 3, 4]
    assert beside(path) == {"s.duckdb"}
    with Store.open(path) as store:
        assert keys(store) == [1, 2, 3, 4] and not store.notices


def _full(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("is_done", [True, False])
def test_a_log_whose_beginning_nobody_knows_of(
    path: str, at_once: None, is_done: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit with which it begins raises, and is on disk or not. Its file stays the one that the store may name."""
    with Store.open(path) as store:
        begun = BrokerLog.begun

        def interrupted(self: BrokerLog) -> None:
            raise KeyboardInterrupt

        def refused(self: BrokerLog, connection: object) -> None:
            raise duckdb.IOException("IO Error: nobody knows")

        with monkeypatch.context() as patched:
            patched.setattr(BrokerLog, "begun" if is_done else "enter", interrupted if is_done else refused)
            if is_done:
                with pytest.raises(KeyboardInterrupt):
                    commit(store, 1)  # DuckDB says that it is there: what came meanwhile is raised behind it
            else:
                with pytest.raises(SqlError):
                    commit(store, 1)
        epochs = {epoch_of(Path(log_of(path)).read_bytes())}
        for n in range(2, 5):
            commit(store, n)
            epochs.add(epoch_of(Path(log_of(path)).read_bytes()))
        assert len(epochs) == 1 and store.log.count(1 << 60) >= 2
        assert begun is BrokerLog.begun
        assert keys(store) == ([1] if is_done else []) + [2, 3, 4]
    assert beside(path) == {"s.duckdb"}


def left_by_a_kill(store: Store, path: str) -> list[int]:
    """The messages that a process finds which opens the files as they are now."""
    left = Path(path).with_name("left.duckdb")
    with store.standing_still():
        for file, copy in zip(store_files(path), store_files(str(left)), strict=True):
            Path(copy).unlink(missing_ok=True)
            if os.path.exists(file):
                Path(copy).write_bytes(Path(file).read_bytes())
    with Store.open(left) as again:
        assert not again.notices
        found = keys(again)
    left.unlink()
    return found


def test_who_commits_while_the_store_is_closed(store: Store, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record is in the log, and nobody knows of it yet, when the log's end comes: what was acknowledged is
    there when the store is opened again."""
    commit(store, 2)
    acknowledged = [1, 2]
    write, fold = SyncedFile.write, store.fold
    is_written, goes_on = threading.Event(), threading.Event()

    def late() -> None:
        with contextlib.suppress(SqlError, duckdb.Error, AttributeError):  # closed meanwhile
            commit(store, 3)
            acknowledged.append(3)

    def slow_write(self: SyncedFile, place: int, data: bytes) -> None:
        write(self, place, data)
        is_written.set()
        goes_on.wait(0.5)

    thread = threading.Thread(target=late)

    def fold_and_more() -> None:
        fold()
        monkeypatch.setattr(SyncedFile, "write", slow_write)
        thread.start()
        assert is_written.wait(20)

    monkeypatch.setattr(store, "fold", fold_and_more)
    store.close()
    goes_on.set()
    thread.join(20)
    monkeypatch.undo()
    assert acknowledged == [1, 2, 3]
    with Store.open(path) as again:
        assert keys(again) == acknowledged


def test_a_log_that_is_begun_while_there_is_a_fold(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fold knows nothing of it, and says nothing of it, in a store that has had a log before."""
    monkeypatch.setattr(begin_after, "batches", 0)
    with Store.open(path) as store:
        commit(store, 1)
        commit(store, 2)
    monkeypatch.setattr(begin_after, "batches", 1)
    with Store.open(path) as store:
        commit(store, 3)
        log = store.log
        catch_up = log.catch_up
        begun = []

        def begin_behind(connection: duckdb.DuckDBPyConnection) -> None:
            catch_up(connection)
            if not begun:
                connection.execute("SELECT * FROM sbql.broker_log").fetchall()
                begun.append(threading.Thread(target=commit, args=(store, 4)))
                begun[0].start()
                begun[0].join()
                assert log._ring is not None

        monkeypatch.setattr(log, "catch_up", begin_behind)
        store.fold()
        commit(store, 5)
        assert left_by_a_kill(store, path) == [1, 2, 3, 4, 5]
        assert keys(store) == [1, 2, 3, 4, 5]


class Raising:
    """The connection of the records; `committing` is called in place of its commits."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, committing: Callable[[], None]) -> None:
        self._inner, self.commit = connection, committing

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_log_whose_begin_raises(path: str, at_once: None, is_there: bool) -> None:
    """The commit with which it begins is on disk all the same, or not: the store says so itself."""
    with Store.open(path) as store:
        plain = store._records._connection

        def committing() -> None:
            if is_there:
                plain.commit()
            raise duckdb.IOException("IO Error: No space left on device")

        store._records._connection = Raising(plain, committing)  # type: ignore[assignment]
        if is_there:
            commit(store, 1)
        else:
            with pytest.raises(SqlError):
                commit(store, 1)
        store._records._connection = plain
        expected = [1] if is_there else []
        assert left_by_a_kill(store, path) == expected
        for key in (2, 3):
            commit(store, key)
            expected.append(key)
            assert left_by_a_kill(store, path) == expected
        assert store.log.count(1 << 60) == 1
    assert beside(path) == {"s.duckdb"}


def test_records_are_known_to_be_folded_after_a_fold_that_could_not_say_so(store: Store) -> None:
    """Memory does not keep them, nor count them, for ever."""
    commit(store, 2)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store, "_note_fold", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.fold()
    commit(store, 3)
    store.fold()
    assert store._unfolded.count == 0 and store._unfolded.through(1 << 60) == []
    assert keys(store) == [1, 2, 3]


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


# --- what stands in the log's place --------------------------------------------------------------------------


def test_a_folder_in_the_place_of_a_log_that_is_not_needed(path: str, at_once: None) -> None:
    """The store opens, says so, and does without a log."""
    Store.open(path).close()
    os.mkdir(log_of(path))
    with Store.open(path) as store:
        assert [log_of(path) in notice for notice in store.notices] == [True]
        commit(store, 1)
        commit(store, 2)
        assert keys(store) == [1, 2] and store.log.count(1 << 60) == 0
    assert os.path.isdir(log_of(path))


@pytest.mark.parametrize("what", ["a folder", "nothing in it", "unreadable"])
def test_a_log_that_is_needed_and_cannot_be_read(store: Store, path: str, tmp_path: Path, what: str) -> None:
    """The error names it, and changes nothing; in its place again it is taken."""
    commit(store, 2)
    left = str(tmp_path / "left.duckdb")
    with store.standing_still():
        for file, copy in zip(store_files(path), store_files(left), strict=True):
            if os.path.exists(file):
                Path(copy).write_bytes(Path(file).read_bytes())
    log = Path(log_of(left))
    away = log.rename(log.with_name("away"))
    if what == "a folder":
        log.mkdir()
    elif what == "nothing in it":
        log.touch()
    else:
        os.symlink(log.name, log)  # reading goes round in a ring: ELOOP, for root, too
    with pytest.raises(SqlError) as told:
        Store.open(left)
    assert told.value.number == (5172 if what == "nothing in it" else 5120)
    assert str(log) in told.value.message and "not an sbql store" not in told.value.message
    log.rmdir() if what == "a folder" else log.unlink()
    away.rename(log)
    with Store.open(left) as again:
        assert keys(again) == [1, 2]
