"""PEP 249, paragraph by paragraph, and what sbql adds to it."""

from __future__ import annotations

import datetime as dt
import threading
import uuid
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from serving import served_connection, tds_connection, until

import sbql
from sbql.grammar.values.ticks import with_tick


@pytest.fixture(params=["here", "served", "served-tds"])
def connection(request: pytest.FixtureRequest) -> Iterator[sbql.Connection]:
    """To a store in this process, and to the same through a server: nobody is to see a difference."""
    if request.param != "here":
        pytest.importorskip("pyarrow", reason="a server needs pyarrow")
        with served_connection() if request.param == "served" else tds_connection() as opened:
            yield opened
        return
    opened = sbql.connect(clock="virtual")
    yield opened
    opened.close()


@pytest.fixture
def cursor(connection: sbql.Connection) -> sbql.Cursor:
    made = connection.cursor()
    made.execute("CREATE TABLE beer (id int NOT NULL PRIMARY KEY, name nvarchar(20) NULL)")
    return made


def fill(cursor: sbql.Cursor, count: int = 5) -> None:
    cursor.executemany("INSERT INTO beer VALUES (?, ?)", [(n, f"beer {n}") for n in range(1, count + 1)])


# --- module ------------------------------------------------------------------------------------------------


def test_module_constants() -> None:
    assert (sbql.apilevel, sbql.threadsafety, sbql.paramstyle) == ("2.0", 1, "qmark")


def test_exception_hierarchy() -> None:
    assert issubclass(sbql.Warning, Exception)
    assert issubclass(sbql.Error, Exception)
    assert issubclass(sbql.InterfaceError, sbql.Error)
    assert issubclass(sbql.DatabaseError, sbql.Error)
    for name in (
        "DataError",
        "OperationalError",
        "IntegrityError",
        "InternalError",
        "ProgrammingError",
        "NotSupportedError",
    ):
        assert issubclass(getattr(sbql, name), sbql.DatabaseError)
        assert getattr(sbql.Connection, name) is getattr(sbql, name)


def test_constructors() -> None:
    assert sbql.Date(2026, 1, 2) == dt.date(2026, 1, 2)
    assert sbql.Time(1, 2, 3) == dt.time(1, 2, 3)
    assert sbql.Timestamp(2026, 1, 2, 3, 4, 5) == dt.datetime(2026, 1, 2, 3, 4, 5)
    assert sbql.Binary(b"x") == b"x"
    moment = dt.datetime(2026, 1, 2, 3, 4, 5)
    assert sbql.TimestampFromTicks(moment.timestamp()) == moment
    assert sbql.DateFromTicks(moment.timestamp()) == moment.date()
    assert sbql.TimeFromTicks(moment.timestamp()) == moment.time()


# --- connections -------------------------------------------------------------------------------------------


def test_closed_connections_and_cursors_refuse(connection: sbql.Connection) -> None:
    cursor = connection.cursor()
    cursor.close()
    with pytest.raises(sbql.InterfaceError):
        cursor.execute("SELECT 1")
    cursor = connection.cursor()
    connection.close()
    connection.close()
    for refused in (connection.cursor, connection.commit, connection.rollback, cursor.fetchall):
        with pytest.raises(sbql.InterfaceError):
            refused()


def test_connections_in_memory_are_apart_unless_they_share(connection: sbql.Connection) -> None:
    connection.execute("CREATE TABLE t (a int)")
    with sbql.connect(instance=connection.instance) as second:
        assert second.execute("SELECT COUNT(*) FROM t").fetchone() == (0,)
    assert connection.execute("SELECT 1").fetchone() == (1,)
    with sbql.connect() as other, pytest.raises(sbql.ProgrammingError):
        other.execute("SELECT * FROM t")


def test_connections_to_a_file_share_its_instance(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    first = sbql.connect(path)
    second = sbql.connect(str(path))
    assert first.instance is second.instance
    first.execute("CREATE TABLE t (a int); INSERT t VALUES (1)")
    first.close()
    assert second.execute("SELECT a FROM t").fetchall() == [(1,)]
    second.close()
    with sbql.connect(path) as third:
        assert third.instance is not first.instance
        assert third.execute("SELECT a FROM t").fetchall() == [(1,)]


def test_a_store_has_one_clock(tmp_path: Path) -> None:
    with sbql.connect(tmp_path / "a.duckdb"), pytest.raises(sbql.OperationalError, match="open with clock"):
        sbql.connect(tmp_path / "a.duckdb", clock="virtual")


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "text.duckdb").write_text("no database " * 1000)
    with pytest.raises(sbql.OperationalError):
        sbql.connect(tmp_path / "text.duckdb")
    with pytest.raises(sbql.OperationalError):
        sbql.connect(tmp_path / "no" / "folder" / "x.duckdb")
    with pytest.raises(sbql.DatabaseError) as caught:
        sbql.connect(database="nowhere")
    assert caught.value.number == 911


# --- transactions ------------------------------------------------------------------------------------------


def test_autocommit_is_the_default(cursor: sbql.Cursor, connection: sbql.Connection) -> None:
    fill(cursor)
    connection.rollback()
    assert cursor.execute("SELECT COUNT(*) FROM beer").fetchone() == (5,)


def test_without_autocommit_nothing_is_kept_until_commit(cursor: sbql.Cursor, connection: sbql.Connection) -> None:
    connection.autocommit = False
    fill(cursor, 2)
    connection.rollback()
    assert cursor.execute("SELECT COUNT(*) FROM beer").fetchone() == (0,)
    fill(cursor, 2)
    connection.commit()
    connection.rollback()
    assert cursor.execute("SELECT COUNT(*) FROM beer").fetchone() == (2,)


def test_closing_rolls_back(connection: sbql.Connection) -> None:
    connection.execute("CREATE TABLE t (a int)")
    second = sbql.connect(instance=connection.instance, autocommit=False)
    second.execute("INSERT t VALUES (1)")
    second.close()
    assert connection.execute("SELECT COUNT(*) FROM t").fetchone() == (0,)


def test_the_context_manager_commits_or_rolls_back(connection: sbql.Connection) -> None:
    connection.execute("CREATE TABLE t (a int)")
    with sbql.connect(instance=connection.instance, autocommit=False) as second:
        second.execute("INSERT t VALUES (1)")
    with (
        pytest.raises(sbql.DataError),
        sbql.connect(instance=connection.instance, autocommit=False) as third,
    ):
        third.execute("INSERT t VALUES (2); SELECT 1 / 0")
    assert connection.execute("SELECT a FROM t").fetchall() == [(1,)]


def test_transactions_of_the_text_are_its_own(connection: sbql.Connection) -> None:
    connection.execute("CREATE TABLE t (a int)")
    connection.execute("BEGIN TRANSACTION; INSERT t VALUES (1)")
    connection.rollback()
    assert connection.execute("SELECT COUNT(*) FROM t").fetchone() == (0,)


# --- fetching ----------------------------------------------------------------------------------------------


def test_description(cursor: sbql.Cursor) -> None:
    assert cursor.description is None
    cursor.execute("SELECT id, name, CAST(1.5 AS decimal(9, 2)) AS price FROM beer")
    assert cursor.description is not None
    assert [len(column) for column in cursor.description] == [7, 7, 7]
    assert [column[0] for column in cursor.description] == ["id", "name", "price"]
    assert cursor.description[0][1] == sbql.NUMBER
    assert cursor.description[1][1] == sbql.STRING
    assert cursor.description[1][1] != sbql.NUMBER
    assert cursor.description[2][4:6] == (9, 2)
    assert str(cursor.description[2][1]) == "decimal(9,2)"
    cursor.execute("DELETE FROM beer")
    assert cursor.description is None


def test_rowcount(cursor: sbql.Cursor) -> None:
    assert cursor.rowcount == -1
    fill(cursor)
    assert cursor.rowcount == 5
    cursor.execute("UPDATE beer SET name = NULL WHERE id > 3")
    assert cursor.rowcount == 2
    cursor.execute("SELECT * FROM beer")
    assert cursor.rowcount == 5


def test_fetching(cursor: sbql.Cursor) -> None:
    fill(cursor)
    cursor.execute("SELECT id FROM beer ORDER BY id")
    assert cursor.rownumber == 0
    assert cursor.fetchone() == (1,)
    assert cursor.fetchmany() == [(2,)]
    assert cursor.fetchmany(2) == [(3,), (4,)]
    assert cursor.rownumber == 4
    assert cursor.fetchall() == [(5,)]
    assert (cursor.fetchone(), cursor.fetchmany(3), cursor.fetchall()) == (None, [], [])
    cursor.arraysize = 3
    cursor.execute("SELECT id FROM beer ORDER BY id")
    assert cursor.fetchmany() == [(1,), (2,), (3,)]
    assert list(cursor) == [(4,), (5,)]


def test_a_sql_variant_is_the_value_in_it(cursor: sbql.Cursor) -> None:
    """Its type stays what description says; the next result set is its own."""
    cursor.execute(
        "SELECT CAST(1.50 AS sql_variant) AS v, 2 AS n; SELECT CAST(N'a' AS sql_variant), CAST(NULL AS sql_variant)"
    )
    assert cursor.description is not None and str(cursor.description[0][1]) == "sql_variant"
    assert cursor.fetchone() == (Decimal("1.50"), 2)
    assert cursor.fetchone() is None
    assert cursor.nextset()
    assert cursor.fetchall() == [("a", None)]
    cursor.execute("SELECT CAST(7 AS sql_variant)")
    assert cursor.fetchall() == [(7,)]
    cursor.execute("CREATE PROCEDURE five @v sql_variant OUTPUT AS SET @v = 5")
    assert cursor.callproc("five", [None]) == [5]


def test_fetching_without_a_result_is_an_error(cursor: sbql.Cursor) -> None:
    for fetch in (cursor.fetchone, cursor.fetchmany, cursor.fetchall):
        with pytest.raises(sbql.Error):
            fetch()


def test_nextset_goes_from_result_to_result(cursor: sbql.Cursor) -> None:
    cursor.execute("SELECT 1; INSERT INTO beer VALUES (1, N'x'); SELECT 2")
    assert cursor.fetchone() == (1,)
    assert cursor.nextset() is True
    assert cursor.fetchall() == [(2,)]
    assert cursor.nextset() is None
    with pytest.raises(sbql.Error):
        cursor.fetchone()


def test_messages(cursor: sbql.Cursor) -> None:
    cursor.execute("PRINT 'one'; RAISERROR('two', 10, 1)")
    assert [(kind, str(text)) for kind, text in cursor.messages] == [(sbql.Warning, "one"), (sbql.Warning, "two")]
    cursor.execute("SELECT 1")
    assert cursor.messages == []


def test_sizes_are_accepted(cursor: sbql.Cursor) -> None:
    cursor.setinputsizes([25])
    cursor.setoutputsize(1000, 0)


# --- parameters --------------------------------------------------------------------------------------------

VALUES: list[Any] = [
    1,
    -(2**40),
    2**63 - 1,
    1.5,
    True,
    Decimal("12.340"),
    Decimal("0"),
    "text with 'quotes' and ?",
    "",
    "x" * 5000,
    b"\x00\xff",
    b"",
    b"y" * 9000,
    dt.date(2026, 1, 2),
    dt.time(1, 2, 3, 456000),
    dt.datetime(2026, 1, 2, 3, 4, 5, 678901),
    dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.timezone(dt.timedelta(hours=2))),
    with_tick(dt.datetime(2026, 1, 2, 3, 4, 5, 678901), 7),
    with_tick(dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.timezone(dt.timedelta(hours=2))), 1),
    with_tick(dt.time(23, 59, 59, 999999), 9),
    uuid.UUID("6f9619ff-8b86-d011-b42d-00c04fc964ff"),
    None,
]


@pytest.mark.parametrize("value", VALUES, ids=lambda v: f"{type(v).__name__}-{str(v)[:12]}")
def test_values_come_back_as_they_went_in(connection: sbql.Connection, value: Any) -> None:
    got = connection.execute("SELECT ? AS v", [value]).fetchone()
    assert got == (value,)
    assert type(got[0]) is type(value)
    assert connection.execute("SELECT @v AS v", {"v": value}).fetchone() == (value,)


def test_seven_fractional_digits_come_out(connection: sbql.Connection) -> None:
    text = "SELECT CAST('2026-01-02 03:04:05.1234567' AS datetime2), CAST('03:04:05.1234567' AS time), CAST('03:04:05' AS time)"
    moment, clock, plain = connection.execute(text).fetchone()
    assert (str(moment), moment.microsecond, moment.nanosecond) == ("2026-01-02 03:04:05.1234567", 123456, 700)
    assert (str(clock), clock.nanosecond) == ("03:04:05.1234567", 700)
    assert type(plain) is dt.time
    assert moment > dt.datetime(2026, 1, 2, 3, 4, 5, 123456)


def test_a_pandas_timestamp_brings_its_nanoseconds(connection: sbql.Connection) -> None:
    pandas = pytest.importorskip("pandas")
    values = [
        pandas.Timestamp("2026-01-02 03:04:05.123456789"),
        pandas.Timestamp("2026-01-02 03:04:05.5", tz="Asia/Tokyo"),
        pandas.NaT,
    ]
    shown = connection.execute("SELECT CONVERT(varchar(40), ?), CONVERT(varchar(40), ?), ?", values).fetchone()
    assert shown == ("2026-01-02 03:04:05.1234567", "2026-01-02 03:04:05.5000000 +09:00", None)


def test_markers_in_strings_names_and_comments_stay(connection: sbql.Connection) -> None:
    row = connection.execute("SELECT '?' AS [a?], ? AS \"b?\" -- ?\n/* ? */", [7]).fetchone()
    assert row == ("?", 7)


@pytest.mark.parametrize("values", [[], [1, 2]])
def test_counts_of_markers_and_values_must_agree(connection: sbql.Connection, values: list[int]) -> None:
    with pytest.raises(sbql.ProgrammingError, match="1 parameter markers"):
        connection.execute("SELECT ?", values)


@pytest.mark.parametrize("comment", ["", f"/*{'?' * 20_000}*/"])
def test_the_same_text_again_has_other_values_of_other_types(connection: sbql.Connection, comment: str) -> None:
    """What is kept of a text are its markers, and no longer text is kept; how many
    values there are is asked each time."""
    text = f"SELECT {comment} ?, '?', ?"
    for values in ([1, 2], ["a", None], [b"x" * 9000, "y" * 5000], (2**40, b"")):
        assert connection.execute(text, values).fetchone() == (values[0], "?", values[1])
        with pytest.raises(sbql.ProgrammingError, match="2 parameter markers"):
            connection.execute(text, [1])
    text = f"SELECT {comment} @sbql_1, ?"
    assert connection.execute(text, [7]).fetchone() == (7, 7)


def test_values_that_no_type_carries_are_refused(connection: sbql.Connection) -> None:
    with pytest.raises(sbql.ProgrammingError, match="object"):
        connection.execute("SELECT ?", [object()])
    with pytest.raises(sbql.ProgrammingError, match="one string"):
        connection.execute("SELECT ?", "a")


def test_null_fits_every_column(cursor: sbql.Cursor, connection: sbql.Connection) -> None:
    connection.execute(
        "CREATE TABLE n (a int NULL, b varbinary(9) NULL, c xml NULL, d date NULL, e uniqueidentifier NULL)"
    )
    connection.execute("INSERT n VALUES (?, ?, ?, ?, ?)", [None] * 5)
    assert connection.execute("SELECT * FROM n").fetchall() == [(None,) * 5]


def test_executemany_adds_the_counts_up(cursor: sbql.Cursor) -> None:
    fill(cursor, 3)
    cursor.executemany(
        "UPDATE beer SET name = @name WHERE id < @id", [{"name": "a", "id": 3}, {"@name": "b", "@id": 2}]
    )
    assert cursor.rowcount == 3
    cursor.executemany("INSERT INTO beer VALUES (?, ?)", [])
    assert cursor.rowcount == 0


def test_executemany_knows_no_sum_where_nothing_is_told(cursor: sbql.Cursor) -> None:
    cursor.execute("CREATE TABLE told (a int); SET NOCOUNT ON")
    cursor.executemany("INSERT told VALUES (?)", [(1,), (2,)])
    assert cursor.rowcount == -1
    cursor.executemany("INSERT told VALUES (?)", [])
    assert cursor.rowcount == 0
    cursor.execute("SET NOCOUNT OFF")
    cursor.executemany("INSERT told VALUES (?)", [(3,), (4,)])
    assert cursor.rowcount == 2


# --- procedures --------------------------------------------------------------------------------------------


def test_callproc_returns_output_parameters(connection: sbql.Connection) -> None:
    connection.execute(
        "CREATE PROCEDURE twice @text nvarchar(10), @number int OUTPUT, @note nvarchar(50) = N'none' OUTPUT AS "
        "SELECT @text AS echo; SET @number = @number * 2; SET @note = @note + N'!'; RETURN 5"
    )
    cursor = connection.cursor()
    assert cursor.callproc("dbo.twice", ["a", 21, "hello"]) == ["a", 42, "hello!"]
    assert cursor.return_value == 5
    assert cursor.fetchall() == [("a",)]
    assert cursor.nextset() is None
    assert cursor.callproc("[dbo].[twice]", ["a", sbql.Output("bigint", 4)]) == ["a", 8]
    connection.execute('CREATE PROCEDURE [a]]"b] @n int OUTPUT AS SET @n = 3')
    for name in ('[a]]"b]', '"a]""b"'):
        assert cursor.callproc(name, [0]) == [3]


def test_callproc_raises_what_the_procedure_raises(connection: sbql.Connection) -> None:
    connection.execute("CREATE PROCEDURE bad AS THROW 50001, N'no', 1")
    with pytest.raises(sbql.DatabaseError) as caught:
        connection.cursor().callproc("bad")
    assert (caught.value.number, caught.value.procedure) == (50001, "bad")
    with pytest.raises(sbql.ProgrammingError) as missing:
        connection.cursor().callproc("no_such_procedure")
    assert missing.value.number == 2812
    with pytest.raises(sbql.ProgrammingError, match="not the name"):
        connection.cursor().callproc("bad; DROP TABLE x")


# --- errors ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "number"),
    [
        ("INSERT beer VALUES (1, NULL), (1, NULL)", "IntegrityError", 2627),
        ("INSERT beer VALUES (NULL, NULL)", "IntegrityError", 515),
        ("SELECT 1 / 0", "DataError", 8134),
        ("SELECT CAST('x' AS int)", "DataError", 245),
        ("SELECT * FROM nothing", "ProgrammingError", 208),
        ("SELECT 1 +", "ProgrammingError", 102),
        ("COMMIT", "InternalError", 3902),
        ("THROW 50001, N'mine', 1", "DatabaseError", 50001),
    ],
)
def test_errors_have_a_class_and_a_number(cursor: sbql.Cursor, text: str, kind: str, number: int) -> None:
    with pytest.raises(sbql.DatabaseError) as caught:
        cursor.execute(text)
    assert type(caught.value) is getattr(sbql, kind)
    assert caught.value.number == number
    assert f"Msg {number}" in str(caught.value)


def test_a_batch_goes_on_after_an_error(cursor: sbql.Cursor) -> None:
    """The error is raised all the same, with the line, and what the batch produced is there."""
    with pytest.raises(sbql.DataError) as caught:
        cursor.execute("SELECT 1\nSELECT 1 / 0\nSELECT * FROM nothing\nSELECT 2")
    assert (caught.value.line, caught.value.severity, caught.value.state) == (2, 16, 1)
    assert [error.number for error in caught.value.errors] == [8134, 208]
    assert cursor.fetchall() == [(1,)]


def test_a_batch_can_be_cancelled_from_another_thread() -> None:
    with sbql.connect() as connection:

        def cancel() -> None:
            until(lambda: connection.session.waiting_for is not None)
            connection.cancel()

        thread = threading.Thread(target=cancel)
        thread.start()
        with pytest.raises(sbql.OperationalError, match="cancelled"):
            connection.execute("WAITFOR DELAY '01:00:00'")
        thread.join()
        assert connection.execute("SELECT 1").fetchone() == (1,)


# --- frames, scripts, waiting ------------------------------------------------------------------------------


def test_arrow_and_data_frames(cursor: sbql.Cursor) -> None:
    pa = pytest.importorskip("pyarrow")
    fill(cursor, 2)
    text = (
        "SELECT id, name, CAST(id AS decimal(9, 2)) AS price, CAST(id AS tinyint) AS t, NEWID() AS g, "
        "CAST('2026-01-02' AS datetime) AS d, 0x01 AS b FROM beer ORDER BY id"
    )
    table = cursor.execute(text).arrow()
    assert table.schema.field("price").type == pa.decimal128(9, 2)
    assert table.schema.field("t").type == pa.uint8()
    assert table.column("name").to_pylist() == ["beer 1", "beer 2"]
    assert cursor.fetchall() == []
    empty = cursor.execute("SELECT id, name FROM beer WHERE 1 = 0").arrow()
    assert empty.schema.names == ["id", "name"]
    pytest.importorskip("pandas")
    frame = cursor.execute(text).df()
    assert list(frame.columns) == ["id", "name", "price", "t", "g", "d", "b"]
    assert frame["id"].sum() == 3


def test_times_in_arrow(cursor: sbql.Cursor) -> None:
    pa = pytest.importorskip("pyarrow")
    text = (
        "SELECT CAST('23:59:59.9999999' AS time) AS a, CAST('10:00:00.5' AS time(3)) AS b, CAST(NULL AS time) AS c, "
        "CAST('9999-12-31 23:59:59.9999999' AS datetime2) AS d, CAST('0001-01-01 00:00:00.0000019 +00:00' AS datetimeoffset) AS e"
    )
    table = cursor.execute(text).arrow()
    assert [field.type for field in table.schema] == [
        pa.time64("ns"), pa.time64("us"), pa.time64("ns"), pa.timestamp("us"), pa.timestamp("us", tz="UTC"),
    ]  # fmt: skip
    assert table.column("a")[0].value == 86_399_999_999_900
    assert table.column("b").to_pylist() == [dt.time(10, 0, 0, 500_000)]
    assert table.column("c").to_pylist() == [None]
    assert table.column("d").to_pylist() == [dt.datetime.max]
    assert table.column("e")[0].value == -62_135_596_799_999_999


def test_pandas_reads_from_a_connection(cursor: sbql.Cursor, connection: sbql.Connection) -> None:
    pandas = pytest.importorskip("pandas")
    fill(cursor, 3)
    with pytest.warns(UserWarning, match="SQLAlchemy"):
        frame = pandas.read_sql_query("SELECT id FROM beer WHERE id > ?", connection, params=[1])
    assert sorted(frame["id"]) == [2, 3]


def test_run_file(connection: sbql.Connection, tmp_path: Path) -> None:
    (tmp_path / "part.sql").write_text("SELECT $(n) AS n\nGO 2\n", encoding="utf-8")
    (tmp_path / "main.sql").write_text(":r part.sql\nSELECT 3\nGO\n", encoding="utf-8")
    seen: list[Any] = []
    outcomes = sbql.run_file(connection, tmp_path / "main.sql", variables={"n": "2"}, sink=seen.append)
    assert outcomes == seen
    assert [outcome.rows for outcome in outcomes if hasattr(outcome, "rows")] == [[(2,)], [(2,)], [(3,)]]
    with pytest.raises(sbql.InterfaceError, match="cannot read"):
        sbql.run_file(connection, tmp_path / "missing.sql")


def test_run_script_raises_its_first_error_at_the_end(connection: sbql.Connection) -> None:
    with pytest.raises(sbql.DataError) as caught:
        sbql.run_script(connection, "SELECT 1\nGO\nSELECT 1 / 0\nGO\nCREATE TABLE after_it (a int)\nGO")
    assert "script:3" in str(caught.value)
    assert connection.execute("SELECT COUNT(*) FROM after_it").fetchone() == (0,)
    with pytest.raises(sbql.DataError):
        sbql.run_script(connection, ":on error exit\nGO\nSELECT 1 / 0\nGO\nDROP TABLE after_it\nGO")
    assert connection.execute("SELECT COUNT(*) FROM after_it").fetchone() == (0,)


def test_on_error_exit_ends_a_batch_that_runs_more_than_once(connection: sbql.Connection) -> None:
    told: list[object] = []
    sbql.run_script(connection, ":on error exit\nSELECT 1 / 0\nGO 3\nPRINT 'never'", sink=told.append)
    assert len(told) == 1


def test_wait_idle(connection: sbql.Connection) -> None:
    assert connection.wait_idle(1.0)
    assert connection.wait_idle()
