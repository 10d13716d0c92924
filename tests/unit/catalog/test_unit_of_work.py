"""Units of work: statement rollback, savepoints, READ COMMITTED, local tables, functions, commit and its failures."""

from __future__ import annotations

import datetime as dt
import threading

import duckdb
import pytest

from sbql.catalog.changes import (
    TEMP,
    Definition,
    DropRecord,
    InsertRows,
    LocalTable,
    PutRecord,
    UpdateRows,
    storage_name,
)
from sbql.catalog.duck_types import to_store
from sbql.catalog.records import DeleteMessage, Route, UserType
from sbql.catalog.store import Store
from sbql.catalog.store_session import StoreSession
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import SQL_VARIANT, SqlType, Variant, datetimeoffset

from .conftest import COLUMNS, T, delete, insert, make_table, message, rows, update

FAILING = [
    ("SELECT error('SQL|8134')", 8134),
    ("SELEC 1", 50),
    ("SELECT * FROM nowhere", 50),
    ("SELECT CAST('x' AS INTEGER)", 8114),
    ("SELECT CAST(1000 AS UTINYINT)", 8115),
    ("SELECT error('SQL|50000|one|two')", 50000),
]


def test_changes_are_seen_by_their_own_unit_and_by_others_after_commit(store: Store, session: StoreSession) -> None:
    other = store.connect().begin()
    unit = session.begin()
    unit.apply(insert((1, 10, "x"), (2, 20, "y")))
    unit.apply(update(1, "z"))
    unit.apply(delete(2))
    assert rows(unit) == [(1, 10, "z")]
    assert rows(other) == []
    unit.commit()
    assert rows(other) == [(1, 10, "z")]


def test_many_rows_go_through_the_appender(session: StoreSession) -> None:
    unit = session.begin()
    unit.apply(insert(*((n, n, "x") for n in range(3000))))
    unit.apply(UpdateRows(T, ("$rid", "a", "b"), [(n, n * 2, "y") for n in range(1000)]))
    unit.apply(delete(*range(2000, 3000)))
    unit.commit()
    found = rows(session.begin())
    assert len(found) == 2000
    assert found[999] == (999, 1998, "y")
    assert found[1000] == (1000, 1000, "x")


@pytest.mark.parametrize(("sql", "number"), FAILING)
def test_a_failing_query_leaves_the_unit_as_it_was(session: StoreSession, sql: str, number: int) -> None:
    unit = session.begin()
    unit.apply(insert((1, 10, "x")))
    assert rows(unit) == [(1, 10, "x")]
    unit.apply(update(1, "y"))
    with pytest.raises(SqlError) as caught:
        unit.query(sql)
    assert caught.value.number == number
    assert rows(unit) == [(1, 10, "y")]
    unit.commit()
    assert rows(session.begin()) == [(1, 10, "y")]


def test_a_failing_definition_leaves_the_unit_as_it_was(session: StoreSession) -> None:
    unit = session.begin()
    unit.apply(insert((1, 10, "x")))
    with pytest.raises(SqlError):
        unit.apply(Definition(f"CREATE TABLE {T} (a INTEGER)", (T,)))
    assert rows(unit) == [(1, 10, "x")]
    unit.commit()
    assert rows(session.begin()) == [(1, 10, "x")]


def test_rolling_back_to_a_mark_keeps_what_came_before(session: StoreSession) -> None:
    unit = session.begin()
    unit.apply(insert((1, 10, "x")))
    mark = unit.mark()
    unit.apply(update(1, "lost"))
    unit.apply(insert((2, 20, "lost")))
    assert len(rows(unit)) == 2
    unit.rollback_to(mark)
    assert rows(unit) == [(1, 10, "x")]
    unit.apply(insert((3, 30, "z")))
    unit.rollback_to(unit.mark())
    unit.commit()
    assert rows(session.begin()) == [(1, 10, "x"), (3, 30, "z")]


def test_definitions_roll_back_too(session: StoreSession) -> None:
    unit = session.begin()
    mark = unit.mark()
    unit.apply(Definition(f"ALTER TABLE {T} ADD COLUMN c INTEGER", (T,)))
    unit.apply(InsertRows(T, (*COLUMNS, "c"), [(1, 1, "x", 5)]))
    assert unit.query(f"SELECT c FROM {T}").rows == [(5,)]
    unit.rollback_to(mark)
    assert unit.query("SELECT column_name FROM duckdb_columns() WHERE table_name = 't'").rows == [
        (name,) for name in COLUMNS
    ]
    unit.rollback()
    assert not unit.has_written


def test_a_rolled_back_unit_may_go_on(session: StoreSession) -> None:
    unit = session.begin()
    unit.apply(insert((1, 1, "x")))
    assert rows(unit)
    unit.rollback()
    assert rows(unit) == []
    unit.apply(insert((2, 2, "y")))
    unit.commit()
    assert rows(session.begin()) == [(2, 2, "y")]


def test_a_unit_that_wrote_sees_the_newest_commits_of_what_it_reads(store: Store, session: StoreSession) -> None:
    first, second = session.begin(), store.connect().begin()
    first.apply(insert((1, 10, "mine")))
    assert rows(first) == [(1, 10, "mine")]
    second.apply(insert((2, 20, "theirs")))
    second.commit()
    assert rows(first) == [(1, 10, "mine"), (2, 20, "theirs")]
    first.apply(update(2, "changed"))
    first.commit()
    assert rows(session.begin()) == [(1, 10, "mine"), (2, 20, "changed")]


def test_a_row_that_another_changed_since_can_be_changed(store: Store, session: StoreSession) -> None:
    setup = session.begin()
    setup.apply(insert((1, 10, "x")))
    setup.commit()
    first, second = session.begin(), store.connect().begin()
    first.apply(insert((2, 20, "y")))
    assert len(rows(first)) == 2
    second.apply(update(1, "theirs"))
    second.commit()
    first.apply(update(1, "mine"))
    first.commit()
    assert rows(session.begin()) == [(1, 10, "mine"), (2, 20, "y")]


def test_two_units_that_never_read_commit_one_after_the_other(store: Store, session: StoreSession) -> None:
    first, second = session.begin(), store.connect().begin()
    first.apply(insert((1, 10, "x")))
    second.apply(insert((2, 20, "y")))
    assert rows(first)
    assert rows(second)
    first.apply(Definition(f"ALTER TABLE {T} ADD COLUMN c INTEGER", (T,)))
    first.commit()
    second.commit()
    assert session.begin().query(f'SELECT * FROM {T} ORDER BY "$rid"').rows == [(1, 10, "x", None), (2, 20, "y", None)]


def test_suspend_lets_go_and_keeps_the_changes(session: StoreSession) -> None:
    unit = session.begin()
    unit.apply(insert((1, 10, "x")))
    assert rows(unit)
    unit.suspend()
    assert rows(unit) == [(1, 10, "x")]
    unit.commit()
    assert rows(session.begin()) == [(1, 10, "x")]


def test_temp_tables_are_the_sessions_own_and_roll_back(store: Store, session: StoreSession) -> None:
    name = storage_name(TEMP, "#t")
    unit = session.begin()
    unit.apply(Definition('CREATE TEMP TABLE "#t" ("$rid" BIGINT, a INTEGER)', (name,)))
    unit.apply(InsertRows(name, ("$rid", "a"), [(1, 5)]))
    lsn = store.last_lsn
    assert unit.commit() == 0, "a commit of temp tables alone needs no journal"
    assert store.last_lsn == lsn
    unit = session.begin()
    unit.apply(InsertRows(name, ("$rid", "a"), [(2, 6), (3, 7)]))
    assert unit.query(f"SELECT sum(a) FROM {name}", tables=frozenset({name})).rows == [(18,)]
    unit.rollback()
    assert session.begin().query(f"SELECT sum(a) FROM {name}").rows == [(5,)]
    with pytest.raises(SqlError):
        store.connect().begin().query(f"SELECT * FROM {name}")


def test_local_tables_are_loaded_when_their_version_changes(session: StoreSession) -> None:
    columns = (("n", "INTEGER"),)
    unit = session.begin()
    sql = 'SELECT n FROM "@t" ORDER BY n'
    assert unit.query(sql, locals=[LocalTable("@t", columns, [(1,), (2,)], 1)]).rows == [(1,), (2,)]
    assert unit.query(sql, locals=[LocalTable("@t", columns, [(9,)], 1)]).rows == [(1,), (2,)]
    assert unit.query(sql, locals=[LocalTable("@t", columns, [(3,)], 2)]).rows == [(3,)]
    unit.apply(insert((1, 1, "x")))
    assert unit.query(sql, locals=[LocalTable("@t", columns, [(4,)], 3)]).rows == [(4,)]
    unit.rollback()
    assert unit.query(sql, locals=[LocalTable("@t", columns, [(4,)], 3)]).rows == [(4,)]
    assert unit.query('SELECT * FROM "@t"', locals=[LocalTable("@t", (("n", "VARCHAR"),), [("a",)], 3)]).rows == [
        ("a",)
    ]


def test_registered_functions_are_found_inside_an_open_transaction(session: StoreSession) -> None:
    unit = session.begin()
    unit.apply(insert((1, 7, None)))
    assert rows(unit)
    session.register_function("fn_add", lambda a, b: None if a is None else a + b, ["INTEGER", "INTEGER"], "INTEGER")
    assert unit.query(f"SELECT fn_add(a, 1), fn_add(NULL, 1) FROM {T}", tables=frozenset({T})).rows == [(8, None)]
    session.register_function("fn_add", lambda a, b: 0, ["INTEGER", "INTEGER"], "INTEGER")
    assert unit.query("SELECT fn_add(1, 1)").rows == [(2,)]


def test_a_functions_sql_error_arrives_as_it_was_raised(session: StoreSession) -> None:
    raised = sql_error(8134)

    def fail(a: int) -> int:
        raise raised

    session.register_function("fn_fail", fail, ["INTEGER"], "INTEGER")
    unit = session.begin()
    with pytest.raises(SqlError) as caught:
        unit.query("SELECT fn_fail(1)")
    assert caught.value is raised


@pytest.mark.parametrize(
    ("sql_type", "value", "duck"),
    [
        (datetimeoffset(), dt.datetime(2020, 5, 1, 12, 30, tzinfo=dt.timezone(dt.timedelta(hours=-7))), "utc"),
        (SQL_VARIANT, Variant(SqlType("int"), 5), "base"),
    ],
)
def test_struct_values_go_in_by_statement_and_by_appender(
    session: StoreSession, sql_type: SqlType, value: object, duck: str
) -> None:
    from sbql.catalog.duck_types import duck_type, from_store

    name = storage_name("Shop.dbo", "s")
    unit = session.begin()
    unit.apply(Definition(f'CREATE TABLE {name} ("$rid" BIGINT, v {duck_type(sql_type)})', (name,)))
    stored = to_store(value, sql_type)
    assert duck in stored
    unit.apply(InsertRows(name, ("$rid", "v"), [(1, stored)]))
    assert unit.query(f"SELECT v FROM {name}").rows == [(stored,)]
    unit.apply(InsertRows(name, ("$rid", "v"), [(2, stored), (3, None)]))
    unit.apply(UpdateRows(name, ("$rid", "v"), [(1, stored)]))
    found = unit.query(f'SELECT v FROM {name} ORDER BY "$rid"').rows
    assert [from_store(v, sql_type) for (v,) in found] == [value, value, None]


def test_half_a_surrogate_pair_is_an_error_not_a_crash(session: StoreSession) -> None:
    unit = session.begin()
    unit.apply(insert((1, 1, "\ud800")))
    with pytest.raises(SqlError):
        rows(unit)
    with pytest.raises(SqlError):
        unit.commit()
    assert rows(session.begin()) == []


def test_interrupt_stops_a_query_and_keeps_the_unit(session: StoreSession) -> None:
    started = threading.Event()

    def mark_started(a: int) -> int:
        started.set()
        return a

    session.register_function("fn_started", mark_started, ["INTEGER"], "INTEGER")
    unit = session.begin()
    unit.apply(insert((1, 1, "x")))
    assert rows(unit)
    stopped = threading.Event()

    def keep_interrupting() -> None:
        started.wait()
        while not stopped.wait(0.01):
            session.interrupt()

    thread = threading.Thread(target=keep_interrupting)
    thread.start()
    try:
        with pytest.raises(SqlError) as caught:
            unit.query("SELECT sum(a.range * b.range) FROM range(fn_started(1)) s, range(1000000) a, range(1000000) b")
    finally:
        stopped.set()
        thread.join()
    assert caught.value.number == 3617
    assert rows(unit) == [(1, 1, "x")]


class BrokenCommit:
    """A connection whose next COMMIT fails."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, failures: int, error: Exception) -> None:
        self._connection, self._failures, self._error = connection, failures, error

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)

    def commit(self) -> object:
        if self._failures:
            self._failures -= 1
            raise self._error
        return self._connection.commit()


def test_a_failed_commit_rolls_back_and_leaves_waiting_records_in_the_queue(
    store: Store, session: StoreSession
) -> None:
    with store.journal.pen():  # nobody else writes the record before the commit takes it along
        lsn = store.submit([message(1)])
    whole = session.connection
    session.connection = BrokenCommit(whole, 1, duckdb.IOException("No space left on device"))  # type: ignore[assignment]
    unit = session.begin()
    unit.apply(insert((1, 1, "x")))
    with pytest.raises(SqlError) as caught:
        unit.commit([], [message(2)])
    session.connection = whole
    assert caught.value.number == 1105
    assert not unit.has_written
    assert rows(session.begin()) == []
    store.wait_durable(lsn)
    assert [m.message_key for m in store.load().messages] == [1]


def test_a_conflict_at_commit_is_tried_again(store: Store, session: StoreSession) -> None:
    whole = session.connection
    session.connection = BrokenCommit(whole, 2, duckdb.TransactionException("Conflict on update!"))  # type: ignore[assignment]
    unit = session.begin()
    unit.apply(insert((1, 1, "x")))
    unit.commit([], [message(2)])
    session.connection = whole
    assert rows(session.begin()) == [(1, 1, "x")]
    assert [m.message_key for m in store.load().messages] == [2]


def test_a_commit_carries_the_records_before_it(store: Store, session: StoreSession) -> None:
    unit = session.begin()
    unit.apply(insert((1, 1, "x")))
    first = store.submit([message(1)])
    lsn = unit.commit([], [DeleteMessage(1), message(2)])
    assert lsn > first
    assert store.durable_lsn >= lsn
    assert [m.message_key for m in store.load().messages] == [2]


def test_catalog_changes_commit_with_rows(store: Store, session: StoreSession) -> None:
    route = Route(id=70001, database_id=5, name="r", create_date=1.0)
    unit = session.begin()
    unit.apply(insert((1, 1, "x")))
    unit.commit([PutRecord(route)])
    assert list(store.load().snapshot.all(Route)) == [route]
    unit = session.begin()
    unit.commit([DropRecord(route), PutRecord(UserType(id=70002, database_id=5, name="ut", schema_id=1))])
    assert [type(r) for r in store.load().snapshot.records()] == [UserType]


def test_a_session_in_memory_works_the_same() -> None:
    with Store.open() as store:
        session = store.connect()
        make_table(session)
        unit = session.begin()
        unit.apply(insert((1, 1, "x")))
        unit.commit([], [message(5)])
        assert rows(session.begin()) == [(1, 1, "x")]
        assert [m.message_key for m in store.load().messages] == [5]
