"""Drivers that people have, each doing one list against `sbql serve`'s door of TDS.

What a driver cannot do by its own make is in `UNABLE`, with the reason; a driver that is not installed is skipped.
`make clients` writes the table of docs/clients.md from a run.
"""

from __future__ import annotations

import datetime as dt
import importlib
import os
import threading
import uuid
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

import tds_drivers
from serving import listening_server, until
from tds_drivers import MARKERS, MODULES, module_of, skip_unless_there
from tds_values import VALUES, literal
from tds_wire import WireClient, of

ROWS = int(os.environ.get("CLIENT_ROWS", "10000"))
PASSWORD = "Pässwörd-ж漢1"

UNABLE = {
    ("mssql_python", "numbers_of_errors"): "its exceptions carry no number",
    ("mssql_python", "outputs"): "it has no callproc",
    ("mssql_python", "messages"): "it hands on no messages of PRINT",
    ("msodbcsql", "outputs"): "pyodbc has no output parameters",
    ("freetds_odbc", "outputs"): "pyodbc has no output parameters",
    ("msodbcsql", "datetimeoffset_comes"): "pyodbc needs a converter for it",
    ("freetds_odbc", "datetimeoffset_comes"): "pyodbc needs a converter for it",
    ("pymssql", "guid_parameters"): "it sends uniqueidentifiers as text, which is no binding",
    ("freetds_odbc", "bulk"): "its fast_executemany ends the process",
    ("pytds", "cancels"): "its cancel is not for another thread",
    ("mssql_python", "cancels"): "it has no cancel",
    **{(name, "a_pool_resets"): f"{name} has no pool of its own" for name in ("pymssql", "msodbcsql", "freetds_odbc")},
    ("mssql_python", "a_pool_resets"): "its pool gives out connections as it likes",
    **{
        (name, "tables_as_parameters"): f"{name} has no table-valued parameters"
        for name in ("pymssql", "mssql_python", "freetds_odbc")
    },
    ("pytds", "encrypted"): "it needs the certificate as a file of an authority",
}
"""What a driver cannot do by its own make."""


def connect(name: str, port: int, *, password: str = PASSWORD, **how: Any) -> Any:
    return tds_drivers.connect(name, port, password=password, **how)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A process of its own: drivers in C hold Python still while they wait."""
    with listening_server(tmp_path_factory.mktemp("served"), PASSWORD) as (_, found):
        with WireClient(found, password=PASSWORD) as client:
            client.batch("CREATE DATABASE shop")
        yield found


@pytest.fixture(params=list(MARKERS))
def driver(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    test = request.node.originalname.removeprefix("test_")
    skip_unless_there(name)
    if (name, test) in UNABLE:
        pytest.skip(f"{name}: {UNABLE[name, test]}")
    return name


@pytest.fixture
def connection(driver: str, port: int) -> Iterator[Any]:
    found = connect(driver, port, autocommit=True)
    yield found
    found.close()


@pytest.fixture
def cursor(connection: Any) -> Any:
    return connection.cursor()


def rows(cursor: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in cursor.fetchall()]


def test_connects(cursor: Any) -> None:
    cursor.execute("SELECT DB_NAME(), SUSER_SNAME(), N'ж漢'")
    assert rows(cursor) == [("shop", "sa", "ж漢")]


def test_encrypted(driver: str, port: int) -> None:
    connection = connect(driver, port, encrypted=True)
    cursor = connection.cursor()
    cursor.execute("SELECT REPLICATE('x', 8000)")
    assert rows(cursor) == [("x" * 8000,)]
    connection.close()


def test_refuses_a_wrong_password(driver: str, port: int) -> None:
    with pytest.raises(module_of(driver).Error, match=r"(?i)login failed"):
        connect(driver, port, password="no")


ROUNDED = {("pymssql", "datetime2(6)"), ("msodbcsql", "time(3)"), ("freetds_odbc", "time(3)")}
"""Parameters of which the driver sends less than it was given: milliseconds, whole seconds."""


def test_every_type_comes(cursor: Any) -> None:
    for sql_type, value in VALUES:
        cursor.execute(f"SELECT CAST({literal(value)} AS {sql_type}), CAST(NULL AS {sql_type})")
        assert [_plain(one) for one in rows(cursor)[0]] == [value, None], sql_type


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, bytearray | memoryview) else value


def test_datetimeoffset_comes(driver: str, cursor: Any) -> None:
    cursor.execute("SELECT CAST('2024-02-29 01:02:03.1234560 +05:30' AS datetimeoffset(6))")
    ((found,),) = rows(cursor)
    wanted = dt.datetime(2024, 2, 29, 1, 2, 3, 123456, tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=30)))
    assert (found, found.utcoffset()) == (wanted, wanted.utcoffset())


def test_every_type_goes(driver: str, cursor: Any) -> None:
    """Into a column of the type, and back."""
    marker = MARKERS[driver]
    for sql_type, value in VALUES:
        if (driver, sql_type) in ROUNDED:
            continue
        cursor.execute("DROP TABLE IF EXISTS #v")
        cursor.execute(f"CREATE TABLE #v (v {sql_type})")
        given: Any = value
        if isinstance(value, bytes) and driver == "pytds":
            given = importlib.import_module("pytds").Binary(value)
        cursor.execute(f"INSERT INTO #v VALUES ({marker})", (given,))
        cursor.execute("SELECT v FROM #v")
        assert [_plain(one) for (one,) in rows(cursor)] == [value], sql_type


def test_null_goes_into_every_type(driver: str, cursor: Any) -> None:
    for sql_type, value in VALUES:
        if driver == "freetds_odbc" and isinstance(value, bytes):
            continue  # it calls every NULL a varchar, which does not convert
        cursor.execute(f"CREATE TABLE #n (n {sql_type})")
        cursor.execute(f"INSERT INTO #n VALUES ({MARKERS[driver]})", (None,))
        cursor.execute("SELECT n FROM #n")
        assert rows(cursor) == [(None,)], sql_type
        cursor.execute("DROP TABLE #n")


def test_parameters(driver: str, cursor: Any) -> None:
    marker = MARKERS[driver]
    cursor.execute(f"SELECT {marker} + 1, {marker} + N'!'", (41, "ж"))
    assert rows(cursor) == [(42, "ж!")]
    cursor.execute("CREATE TABLE #many (a int, b nvarchar(10))")
    cursor.executemany(f"INSERT INTO #many VALUES ({marker}, {marker})", [(n, f"n{n}") for n in range(30)])
    cursor.execute("SELECT COUNT(*), SUM(a), MAX(b) FROM #many")
    assert rows(cursor) == [(30, 435, "n9")]


def test_guid_parameters(driver: str, cursor: Any) -> None:
    value = uuid.uuid4()
    cursor.execute(f"SELECT CAST({MARKERS[driver]} AS uniqueidentifier)", (value,))
    assert rows(cursor) == [(value,)]


def test_outputs(driver: str, cursor: Any) -> None:
    cursor.execute("CREATE OR ALTER PROCEDURE twice @a int, @b int OUTPUT AS SET @b = @a * 2; RETURN 7;")
    if driver == "pymssql":
        import pymssql

        found = cursor.callproc("twice", (21, pymssql.output(int)))
        assert (found[1], cursor.returnvalue) == (42, 7)
    else:
        import pytds

        found = cursor.callproc("twice", (21, pytds.output(value=None, param_type="int")))
        assert (found[1], cursor.get_proc_return_status()) == (42, 7)


def test_tables_as_parameters(driver: str, cursor: Any) -> None:
    """In, and out again as a result; with no rows, too."""
    cursor.execute(
        "IF TYPE_ID('Lines') IS NULL EXEC (N'CREATE TYPE Lines AS TABLE (n int, s nvarchar(20), d decimal(9, 2))')"
    )
    cursor.execute("CREATE OR ALTER PROCEDURE Takes @t Lines READONLY AS SELECT n, s, d FROM @t ORDER BY n")
    given = [(n, f"ж{n}", Decimal(n) / 4) for n in range(1000)]
    if driver == "pytds":
        import pytds

        columns = [
            pytds.tds_base.Column(name=name, type=kind)
            for name, kind in (
                ("n", pytds.tds_types.IntType()), ("s", pytds.tds_types.NVarCharType(20)), ("d", pytds.tds_types.DecimalType(precision=9, scale=2)),
            )
        ]  # fmt: skip

    for wanted in (given, []):
        if driver == "pytds":
            cursor.callproc("Takes", (pytds.TableValuedParam(type_name="dbo.Lines", columns=columns, rows=wanted),))
        else:
            cursor.execute("EXEC Takes ?", (["Lines", "dbo", *wanted],))
            assert rows(cursor) == wanted
            cursor.execute("{CALL Takes (?)}", (wanted,))  # sp_prepexecrpc, the type found by the procedure
        assert rows(cursor) == wanted


def test_several_results(cursor: Any) -> None:
    cursor.execute("SELECT 1 AS a; SELECT N'two' AS b, 3 AS c")
    assert rows(cursor) == [(1,)]
    assert cursor.nextset()
    assert [column[0] for column in cursor.description] == ["b", "c"]
    assert rows(cursor) == [("two", 3)]
    assert not cursor.nextset()


def test_counts(cursor: Any) -> None:
    cursor.execute("CREATE TABLE #c (a int)")
    cursor.execute("INSERT INTO #c VALUES (1), (2), (3)")
    assert cursor.rowcount == 3
    cursor.execute("UPDATE #c SET a = 0 WHERE a > 1")
    assert cursor.rowcount == 2


def test_errors(driver: str, cursor: Any) -> None:
    module = module_of(driver)
    for text, words in (
        ("SELECT 1/0", "zero"),
        ("SELECT * FROM nowhere", "nowhere"),
        ("RAISERROR('bad thing', 16, 3)", "bad thing"),
    ):
        with pytest.raises(module.Error, match=words):
            _run(cursor, text)
        cursor.execute("SELECT 5")
        assert rows(cursor) == [(5,)]


def _run(cursor: Any, text: str) -> None:
    cursor.execute(text)
    cursor.fetchall()


def test_numbers_of_errors(driver: str, cursor: Any) -> None:
    with pytest.raises(module_of(driver).Error) as raised:
        _run(cursor, "\nRAISERROR('bad', 16, 3)")
    if driver == "pymssql":
        assert raised.value.args[0] == 50000
    elif driver in MODULES:
        assert "(50000)" in raised.value.args[1]
    else:
        assert (raised.value.number, raised.value.state, raised.value.severity) == (50000, 3, 16)


def test_messages(driver: str, connection: Any) -> None:
    said: list[str] = []
    if driver == "pymssql":
        connection._conn.set_msghandler(
            lambda state, severity, server, procedure, line, text: said.append(text.decode())
        )
        connection.cursor().execute("PRINT N'hello ж'; RAISERROR('note', 5, 1)")
    else:
        cursor = connection.cursor()
        cursor.execute("PRINT N'hello ж'; RAISERROR('note', 5, 1)")
        said = [str(message[1]) if isinstance(message, tuple) else str(message) for message in cursor.messages]
    assert [any(word in one for one in said) for word in ("hello ж", "note")] == [True, True]


def test_transactions(driver: str, port: int) -> None:
    connection = connect(driver, port)
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE tx (a int)")
    connection.commit()
    cursor.execute("INSERT INTO tx VALUES (1)")
    connection.rollback()
    cursor.execute("INSERT INTO tx VALUES (2)")
    connection.commit()
    cursor.execute("SELECT a FROM tx")
    assert rows(cursor) == [(2,)]
    cursor.execute("INSERT INTO tx VALUES (3)")
    connection.close()
    again = connect(driver, port, autocommit=True)
    cursor = again.cursor()
    cursor.execute("SELECT a FROM tx")
    assert rows(cursor) == [(2,)]
    cursor.execute("DROP TABLE tx")
    again.close()


def test_many_rows(cursor: Any) -> None:
    cursor.execute(f"SELECT value, NEWID(), CAST('x' AS varchar(20)) FROM GENERATE_SERIES(1, {ROWS})")
    found = cursor.fetchall()
    assert (len(found), found[0][0], found[-1][0]) == (ROWS, 1, ROWS)


def test_bulkcopy(driver: str, connection: Any, cursor: Any) -> None:
    """Bulk copies that the driver does itself, and for which it asks the server about the table."""
    if not hasattr(cursor, "bulkcopy"):
        pytest.skip("it has none")
    data = [(n, f"v{n}", f"ж{n}", dt.datetime(2024, 2, 29, 1, 2, 3, 456000)) for n in range(1000)]
    for database in ("master", "tempdb", "msdb", "shop"):
        cursor.execute(f"USE {database}; DROP TABLE IF EXISTS copied")
        cursor.execute(
            "CREATE TABLE copied (n int, v varchar(20), s nvarchar(20) COLLATE Polish_CS_AS, at datetime2(3))"
        )
        assert cursor.bulkcopy(f"{database}.dbo.copied", data)["rows_copied"] == 1000
        cursor.execute("SELECT * FROM copied ORDER BY n")
        assert rows(cursor) == data
        cursor.execute("DROP TABLE copied; USE shop")


CATALOG_FUNCTIONS = {
    "tables": ("asked", "TABLE"), "columns": ("asked", "datetime2"), "primaryKeys": ("asked", "PK_asked"),
    "statistics": ("asked", "IX_v"), "rowVerColumns": ("asked", "rv"), "rowIdColumns": ("asked", "i"), "procedures": ("asks", "asks;1"),
    "procedureColumns": ("asks", "@a"), "getTypeInfo": (93, "datetime2"),
}  # fmt: skip
"""What ODBC's drivers ask the server for, and a value that has to be in the answer."""


def test_catalog_functions(driver: str, cursor: Any) -> None:
    if not hasattr(cursor, "statistics"):
        pytest.skip("it has none")
    cursor.execute(
        """DROP TABLE IF EXISTS asking, asked; DROP PROCEDURE IF EXISTS asks; DROP TYPE IF EXISTS AskedLines; CREATE TYPE AskedLines AS TABLE (n int)
        CREATE TABLE asked (i int CONSTRAINT PK_asked PRIMARY KEY, v varchar(20), d datetime2(3), rv rowversion); CREATE INDEX IX_v ON asked (v)
        CREATE TABLE asking (i int CONSTRAINT FK_asks REFERENCES asked)
        EXEC ('CREATE PROCEDURE asks @a date, @lines AskedLines READONLY AS RETURN 1')"""
    )
    for name, (asked, told) in CATALOG_FUNCTIONS.items():
        if name == "rowIdColumns" and driver != "mssql_python":
            continue  # pyodbc passes on a name that it has freed
        if (function := getattr(cursor, name, None)) is not None:
            found = function(asked)
            assert any(told in tuple(row) for row in (cursor if found is None else found).fetchall()), name


def test_bulk(driver: str, connection: Any) -> None:
    cursor = connection.cursor()
    cursor.execute(
        "DROP TABLE IF EXISTS loaded; CREATE TABLE loaded (n int, s nvarchar(20), x float, b varbinary(10), at datetime2(3))"
    )
    moment = dt.datetime(2024, 2, 29, 1, 2, 3, 456000)
    data = [(n, f"ж{n}", n / 4, bytes([n % 256]), moment) for n in range(1000)]
    if driver == "pymssql":
        connection.bulk_copy("loaded", data)
    elif driver == "pytds":
        import pytds

        types = [
            pytds.tds_types.IntType(),
            pytds.tds_types.NVarCharType(20),
            pytds.tds_types.FloatType(),
            pytds.tds_types.VarBinaryType(10),
        ]
        names = ["n", "s", "x", "b"]
        columns = [
            pytds.tds_base.Column(name=n, type=t, flags=pytds.tds_base.Column.fNullable)
            for n, t in zip(names, types, strict=True)
        ]
        cursor.copy_to(data=[row[:4] for row in data], table_or_view="loaded", columns=columns)
        cursor.execute("UPDATE loaded SET at = '2024-02-29T01:02:03.456'")
    else:
        cursor.fast_executemany = True
        cursor.executemany("INSERT INTO loaded VALUES (?, ?, ?, ?, ?)", data)
    cursor.execute("SELECT COUNT(*), SUM(n), MAX(s), MAX(x), MAX(b), MIN(at) FROM loaded")
    ((count, total, text, number, data_byte, at),) = rows(cursor)
    assert (count, total, text, number, bytes(data_byte), at) == (1000, 499500, "ж999", 249.75, b"\xff", moment)
    cursor.execute("DROP TABLE loaded")


def test_a_result_that_is_left(connection: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("SELECT value FROM GENERATE_SERIES(1, 50000)")
    cursor.fetchone()
    cursor.close()
    cursor = connection.cursor()
    cursor.execute("SELECT 7")
    assert rows(cursor) == [(7,)]


def test_cancels(driver: str, connection: Any, port: int) -> None:
    """Or it would take an hour."""
    cursor = connection.cursor()
    cancel = connection._conn.cancel if driver == "pymssql" else cursor.cancel

    def when_it_waits() -> None:
        waits = "SELECT COUNT(*) FROM sys.dm_exec_requests WHERE command LIKE 'WAITFOR%'"
        with WireClient(port, password=PASSWORD) as other:
            until(lambda: of("row", other.batch(waits)) == [((1,),)])
        cancel()

    thread = threading.Thread(target=when_it_waits)
    thread.start()
    with pytest.raises(module_of(driver).Error):
        cursor.execute("WAITFOR DELAY '01:00:00'")
    thread.join()
    cursor = connection.cursor()
    cursor.execute("SELECT 7")
    assert rows(cursor) == [(7,)]


def test_a_pool_resets(driver: str, port: int) -> None:
    import pytds

    def through_the_pool() -> Any:
        return pytds.connect("127.0.0.1", port=port, user="sa", password=PASSWORD, database="shop", pooling=True)

    for _ in range(2):
        connection = through_the_pool()
        cursor = connection.cursor()
        cursor.execute("SELECT OBJECT_ID('tempdb..#left'), @@TRANCOUNT, @@LANGUAGE")
        assert rows(cursor) == [(None, 1, "us_english")]
        cursor.execute("CREATE TABLE #left (a int); SET LANGUAGE German")
        connection.close()


def test_receives_what_another_connection_sends(driver: str, port: int) -> None:
    receiver, sender = connect(driver, port, autocommit=True), connect(driver, port, autocommit=True)
    cursor = sender.cursor()
    cursor.execute(
        "IF NOT EXISTS (SELECT * FROM sys.services WHERE name = N'Wire') EXEC (N'CREATE QUEUE WireQueue; CREATE SERVICE Wire ON QUEUE WireQueue ([DEFAULT])')"
    )
    found: list[Any] = []

    def receive() -> None:
        inner = receiver.cursor()
        inner.execute("WAITFOR (RECEIVE TOP (1) CAST(message_body AS nvarchar(100)) FROM WireQueue), TIMEOUT 20000")
        found.extend(rows(inner))

    thread = threading.Thread(target=receive)
    thread.start()
    cursor.execute(
        "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Wire TO SERVICE N'Wire' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'ж');"
    )
    thread.join(30)
    assert found == [("ж",)]
    receiver.close()
    sender.close()
