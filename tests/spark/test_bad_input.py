"""What goes wrong between Spark and the engine: an error with a number whose text says what to do, and nothing lost.

A line for each mistake. The data source's objects are called as Spark calls them; that Spark hands their errors on as
text is shown in test_data_source.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import ServerProcess, server
from serving_owner import Owner

pytest.importorskip("pyspark", reason="PySpark is not installed")

import duckdb
import pyarrow as pa
from pyspark.sql.streaming.datasource import ReadMaxRows
from pyspark.sql.types import BinaryType, IntegerType, StringType, StructField, StructType
from pyspark.sql.udtf import AnalyzeArgument

import sbql
from sbql.engine.server.endpoint import endpoint_path
from sbql.grammar.errors import SqlError
from sbql.spark_udfs.columns import message_schema
from sbql.spark_udfs.data_source import SbqlDataSource
from sbql.spark_udfs.engine_client import sql_error
from sbql.spark_udfs.options import ConnectionOptions, SinkOptions
from sbql.spark_udfs.sink import Sender
from sbql.spark_udfs.table_functions import _text_function

MESSAGES = 3


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Owner]:
    """An owner with some messages, and a login that may do nothing."""
    found = Owner(str(tmp_path_factory.mktemp("shop") / "store.duckdb"))
    found.sql("CREATE LOGIN ann WITH PASSWORD = 'x'")
    found.sql("USE d; CREATE USER ann FOR LOGIN ann; USE master")
    found.server.stop()
    found.serve(tokens={"token-of-ann-0123456789": "ann"})
    found.sql(f"EXEC d.dbo.talk 1, {MESSAGES}")
    found.sql("CREATE TABLE d.dbo.kept (a int); INSERT d.dbo.kept VALUES (1)")
    yield found
    found.close()


def told(run: Callable[[], Any]) -> SqlError:
    """The error of the engine in what Spark would show."""
    with pytest.raises(Exception) as caught:
        run()
    error = caught.value
    if isinstance(error, SqlError):
        return error
    found = sql_error(RuntimeError(f"{type(error).__name__}: {error}"))
    assert found is not None, error
    return found


# --- the ways that Spark goes ------------------------------------------------------------------------------


def stream(shop: Owner, columns: str = "message_body binary", **options: Any) -> None:
    reader = source(shop, **{"queue": "d.dbo.work", **options}).streamReader(struct(columns))
    reader.latestOffset(reader.initialOffset(), ReadMaxRows(10))


def read(shop: Owner, columns: str = "message_body binary", **options: Any) -> None:
    reader = source(shop, **options).reader(struct(columns))
    for batch in reader.read(None):
        assert batch.schema.names == struct(columns).names


def read_schema(shop: Owner, **options: Any) -> None:
    source(shop, **options).schema()


def write(
    shop: Owner, columns: str = "conversation_key string, message_body string", value: str = "x", **options: Any
) -> None:
    """The schema of a batch, its rows, all of whose values are `value`, and its commit."""
    sink = {"inDatabase": "d", "fromService": "front", "toService": "//results", **options}
    kind = struct(columns)
    writer = source(shop, **sink).writer(kind, False)
    sender = writer._writer
    batch = pa.RecordBatch.from_pydict({field.name: [value] for field in kind.fields})
    sender.send([sender.bring(iter([batch]), "job", 0, 0)])


def struct(columns: str) -> StructType:
    kinds = {"string": StringType(), "int": IntegerType(), "binary": BinaryType()}
    pairs = [column.split() for column in columns.split(", ")]
    return StructType([StructField(name, kinds[kind]) for name, kind in pairs])


def stream_writer(shop: Owner, **options: Any) -> None:
    source(shop, **options).streamWriter(struct("conversation_handle string"), False)


def overwrite(shop: Owner, **options: Any) -> None:
    source(shop, **options).writer(struct("conversation_handle string"), True)


def function(shop: Owner, text: str = "SELECT 1 AS a", **options: Any) -> None:
    given = {"database": shop.path, **options}
    kind: Any = _text_function(
        ConnectionOptions(given.get("endpoint"), given.get("database"), given.get("authToken", "")), "d"
    )
    asked = kind.analyze(AnalyzeArgument(None, text, False, True))
    list(kind(asked).eval(text))


def source(shop: Owner, **options: Any) -> SbqlDataSource:
    given = {"database": shop.path, **options}
    return SbqlDataSource({key: str(value) for key, value in given.items() if value is not None})


NOBODY = {"database": None, "endpoint": "grpc://127.0.0.1:9"}

# What Spark does, with which options; the error's number, and what its text says to do.
MISTAKES: list[tuple[Callable[..., None], dict[str, Any], int, str]] = [
    (stream, {"maxMessagePerTrigger": 5}, 87, "Did you mean maxMessagesPerTrigger"),
    (stream, {"toService": "x"}, 87, "Known are authToken, autoEndConversation"),
    (stream, {"numPartitions": "many"}, 87, "It is a whole number"),
    (stream, {"numPartitions": 0}, 87, "It is 1 at least"),
    (stream, {"maxTriggerDelay": "soon"}, 87, "It is a time such as"),
    (stream, {"failOnDataLoss": "perhaps"}, 87, "It is true or false"),
    (stream, {"startingOffsets": "latest"}, 87, "startingOffsets can only be earliest"),
    (stream, {"where": "message_body = 'x'"}, 87, "as in RECEIVE"),
    (stream, {"where": "conversation_handle = 'x'", "database": None, "endpoint": "grpc://a:1,grpc://b:2"}, 87, "goes with one endpoint"),
    (stream, {"queue": None}, 87, "Set the option queue"),
    (read_schema, {}, 87, "To read rows of tables, set query"),
    *((way, {name: "x", **more}, 87, words) for way, more in ((stream, {}), (write, {}), (read, {"query": "SELECT 1"}), (read_schema, {}))
      for name, words in (
        ("store", "file of a store is the option database"), ("token", "option authToken"), ("url", "option endpoint"), ("host", "option endpoint"),
        ("dbtable", "with the option query, a SELECT"), ("table", "with the option query, a SELECT"), ("topic", "with the option queue"),
    )),
    *((way, {"database": "Shop", **more}, 10061, "not a T-SQL database") for way, more in ((stream, {}), (write, {}), (read, {"query": "SELECT 1"}), (function, {}))),
    (stream, {"queue": "work"}, 208, "or write d.dbo.work"),
    (stream, {"queue": "d.dbo.talk"}, 208, "dbo.talk is a procedure, which cannot stand here"),
    *((way, {"queue": queue}, 208, "There is no object named") for way in (stream, read) for queue in (
        "d.dbo.work; USE d; DELETE kept", "d.dbo.work WHERE 1 = 0", "d.dbo.work AS w", "d.dbo.work --", "d.dbo.work, kept", "(SELECT 1) AS x",
    )),
    *((way, {"queue": "d.dbo.work; DELETE d.dbo.kept"}, 117, "more prefixes") for way in (stream, read)),
    *((read, {"queue": name}, 87, "is no queue. Rows of tables and views are read with the option query") for name in ("d.dbo.kept", "d.sys.tables")),
    (function, {"text": "SELECT * FROM nothing"}, 208, "USE changes it"),
    (function, {"text": "SELECT * FROM kpet"}, 208, "Did you mean kept?"),
    (read, {"query": "SELECT 1 AS a, N'x' AS b", "columns": "a int, c string"}, 87, "The query gives no column 'c'. It gives a, b."),
    (read, {"query": "SELECT 1 AS amount", "columns": "amuont int"}, 87, "Did you mean amount?"),
    (read, {"query": "SELECT 1 AS a", "columns": "a string"}, 87, "The column a of the query is int, not string: name it so"),
    (read, {"query": "SELECT 1 AS a", "columns": "a int, b int"}, 87, "It gives a."),
    (write, {"inDatabase": None}, 8442, "The option inDatabase says where the services are; it is master here"),
    (stream, {"database": None}, 87, "sbql serve --store FILE"),
    (stream, {"database": None, "endpoint": "nonsense"}, 87, "write grpc://host:port"),
    (stream, {"columns": "message_boddy binary"}, 87, "Did you mean message_body"),
    (stream, {"columns": "message_body string"}, 87, "message_body of messages is binary, not string: name it so in schema(…)"),
    (read, {"queue": "d.dbo.work", "columns": "_seq int"}, 87, "They have status, priority"),
    (read, {}, 87, "Set one of the options queue"),
    (read, {"queue": "d.dbo.work", "query": "SELECT 1"}, 87, "Set one of the options queue"),
    (read, {"query": "RECEIVE * FROM d.dbo.work"}, 87, "For RECEIVE use a stream"),
    (read, {"query": "DELETE d.dbo.work"}, 87, "one SELECT that changes nothing"),
    (read, {"database": None, "endpoint": "grpc://a:1,grpc://b:2", "query": "SELECT 1"}, 87, "Streams and sinks take several"),
    (read_schema, {"query": "SELECT 1 AS a, 2 AS a"}, 8156, "'a' was given more than once for 'sbql'. Rename"),
    (function, {"text": "SELECT 1 AS a, 2 AS a"}, 8156, "'a' was given more than once for 'sbql'. Rename"),
    *((way, {"path": "/x", **more}, 87, "the file of a store is the option database") for way, more in (
        (stream, {}), (write, {}), (read, {"query": "SELECT 1"}),
    )),
    (write, {"toService": None}, 87, "fromService and toService belong together"),
    (write, {"txnAppId": "load"}, 87, "txnAppId and txnVersion belong together"),
    (write, {"bodyEncoding": "klingon"}, 87, "There is no encoding"),
    *((write, {"bodyEncoding": encoding, "value": value}, 87, "bodyEncoding '" + encoding + "' has no bytes for. Nothing was sent") for encoding, value in (
        ("ascii", "für"), ("cp1252", "\u0436"), ("latin-1", "\u20ac"), ("koi8-r", "é"),
    )),
    (write, {"lifetime": 0}, 87, "It is 1 at least"),
    (write, {"columns": "conversation_key string, body string"}, 87, "Its columns are conversation_handle"),
    (write, {"columns": "message_body string, fromService int"}, 87, "has no column 'fromService'"),
    (write, {"columns": "message_body int"}, 87, "message_body is int; it has to be binary or string"),
    (write, {"columns": "message_body binary, end_conversation string"}, 87, "end_conversation is string; it has to be boolean"),
    (write, {"columns": "conversation_handle string", "fromService": None, "toService": None}, 8426, "row 1 of the batch"),
    (write, {"columns": "message_body string", "fromService": None, "toService": None}, 87, "conversation_key says which rows"),
    (stream_writer, {"txnAppId": "load", "txnVersion": 1}, 87, "a stream's batches are known by its query"),
    (overwrite, {}, 87, "Use mode('append')"),
    # No queue, no service, no type, no database.
    (stream, {"queue": "d.dbo.wrok"}, 208, "Did you mean work"),
    (stream, {"queue": "nowhere.dbo.work"}, 208, "nowhere"),
    (stream, {"queue": "d.dbo.work.x.y"}, 117, "d.dbo.work.x.y"),
    (read, {"queue": "d.dbo.nothing"}, 208, "nothing"),
    (write, {"fromService": "nobody"}, 8423, "nobody"),
    (write, {"messageType": "//unknown"}, 8428, "row 1 of the batch; nothing of it was sent"),
    (write, {"onContract": "//unknown"}, 8425, "//unknown"),
    (write, {"inDatabase": "nowhere"}, 911, "nowhere"),
    (function, {"text": "RECEIVE * FROM nothing"}, 208, "nothing"),
    # No permission.
    *((way, {"database": None, "authToken": "ann", **more}, 229, "permission") for way, more in (
        (stream, {}), (write, {}), (read, {"query": "SELECT * FROM d.dbo.work"}), (read, {"queue": "d.dbo.work"}),
        (function, {"text": "RECEIVE * FROM work"}),
    )),
    # A wrong token, a server that is not there.
    *((way, {"database": None, "authToken": "wrong", **more}, 18456, "sbql serve --tokens") for way, more in (
        (stream, {}), (write, {}), (read, {"query": "SELECT 1"}), (function, {}),
    )),
    *((way, {**NOBODY, **more}, 10061, "sbql serve --store") for way, more in (
        (stream, {}), (write, {}), (read, {"query": "SELECT 1"}), (function, {}),
    )),
    *((way, {"database": "/nowhere/at/all.duckdb", **more}, 10061, "sbql serve --store /nowhere") for way, more in (
        (stream, {}), (write, {}), (read, {"query": "SELECT 1"}), (function, {}),
    )),
]  # fmt: skip


def name_of(mistake: Any) -> str:
    return (
        mistake.__name__
        if callable(mistake)
        else "-".join(map(str, mistake.values()))
        if isinstance(mistake, dict)
        else ""
    )


@pytest.mark.parametrize(("way", "options", "number", "text"), MISTAKES, ids=name_of)
def test_a_mistake_has_a_number_and_a_way_out(
    shop: Owner, way: Callable[..., None], options: dict[str, Any], number: int, text: str
) -> None:
    given = dict(options)
    if given.get("authToken") is not None:
        given["endpoint"] = shop.server.endpoint.url
        given["authToken"] = given["authToken"].replace("ann", "token-of-ann-0123456789")
    error = told(lambda: way(shop, **given))
    assert (error.number, text in error.message) == (number, True), str(error)
    assert shop.count() == MESSAGES and shop.count("results") == 0, "nothing was taken, nothing was sent"
    assert shop.sql("SELECT COUNT(*) FROM d.dbo.kept") == [(1,)], "nor was anything else done"


# --- checkpoints -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("change", "text"), [
    ({"store": "11111111-2222-3333-4444-555555555555"}, "go back to the store, queue and consumerId"),
    ({"log": "11111111-2222-3333-4444-555555555555"}, "Begin with a new checkpointLocation"),
    ({"version": 99}, "Use the version that has written it"),
    ({"version": None}, "Use the version that has written it"),
])  # fmt: skip
def test_a_checkpoint_of_something_else(shop: Owner, change: dict[str, Any], text: str) -> None:
    reader = source(shop, queue="d.dbo.work").streamReader(message_schema())
    offset = {**reader.initialOffset(), **change}
    for ask in (
        lambda: reader.latestOffset(offset, ReadMaxRows(10)),
        lambda: reader.partitions(offset, offset),
        lambda: reader.commit(offset),
    ):
        error = told(ask)
        assert error.number == 49944 and text in error.message
    assert shop.count() == MESSAGES


# --- bodies ------------------------------------------------------------------------------------------------


def test_a_body_that_its_message_type_refuses_is_answered_with_why(tmp_path: Path) -> None:
    """The target validates, as always: the sender's dialog gets an Error message, and
    the other rows of the batch arrive."""
    owner = Owner(str(tmp_path / "store.duckdb"))
    try:
        owner.sql(
            """USE d; CREATE XML SCHEMA COLLECTION orders AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="n"
            type="xs:int"/></xs:schema>'; CREATE MESSAGE TYPE [//order] VALIDATION = VALID_XML WITH SCHEMA COLLECTION orders;
            CREATE CONTRACT [//orders] ([//order] SENT BY ANY); ALTER SERVICE back (ADD CONTRACT [//orders]); USE master"""
        )
        options = {
            "database": owner.path, "inDatabase": "d", "fromService": "front", "toService": "back", "onContract": "//orders",
            "messageType": "//order", "encryption": "false",
        }  # fmt: skip
        sender = Sender(SinkOptions.of(options))
        rows = {"conversation_key": ["a", "b"], "message_body": ["<n>1</n>", "<n>many</n>"]}
        sender.send([sender.bring(iter([pa.RecordBatch.from_pydict(rows)]), "job", 0, 0)])
        assert owner.count() == 1
        ((kind, text),) = owner.sql("SELECT message_type_name, CAST(message_body AS nvarchar(4000)) FROM d.dbo.replies")
        assert kind.endswith("/Error") and "-9615" in text and "many" in text
    finally:
        owner.close()


# --- owners that are not what they were --------------------------------------------------------------------


@pytest.fixture
def process(tmp_path: Path) -> Iterator[tuple[Path, ServerProcess]]:
    path = tmp_path / "store.duckdb"
    owner = Owner(str(path))
    owner.sql(f"EXEC d.dbo.talk 1, {MESSAGES}")
    owner.close()
    with server("--store", path) as found:
        yield path, found


def test_an_owner_that_dies_and_comes_back_has_lost_nothing(process: tuple[Path, ServerProcess]) -> None:
    path, owner = process
    given = {"database": str(path), "queue": "d.dbo.work", "pollTimeoutMs": "0"}
    reader = SbqlDataSource(given).streamReader(message_schema())
    start = reader.initialOffset()
    end = reader.latestOffset(start, ReadMaxRows(2))
    owner.kill()
    for ask in (lambda: reader.latestOffset(end, ReadMaxRows(2)), lambda: reader.partitions(start, end)):
        error = told(ask)
        assert error.number in (10054, 10061) and "server" in error.message.lower()
    assert told(lambda: SbqlDataSource(given).streamReader(message_schema()).initialOffset()).number == 10061
    with server("--store", path):
        again = SbqlDataSource(given).streamReader(message_schema())
        assert again.initialOffset() == start
        parts = again.partitions(start, end)
        assert sum(batch.num_rows for part in parts for batch in again.read(part)) == 2, "the batch that was planned"
        rest = again.latestOffset(end, ReadMaxRows(10))
        assert rest["seq"] == MESSAGES
        (part,) = again.partitions(end, rest)
        assert sum(batch.num_rows for batch in again.read(part)) == 1


def test_a_store_of_another_version_is_not_served_and_clients_are_told(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    sbql.connect(path).close()
    with duckdb.connect(str(path)) as store:
        store.execute("UPDATE sbql.meta SET value = '99' WHERE key = 'format_version'")
    with pytest.raises(sbql.OperationalError, match="Open it with a newer release"):
        sbql.serve(str(path))
    error = told(
        lambda: SbqlDataSource({"database": str(path), "queue": "q"}).streamReader(message_schema()).initialOffset()
    )
    assert error.number == 10061 and "Start its owner with: sbql serve" in error.message
    # An owner of a later release has written an endpoint file that is not read here.
    Path(endpoint_path(path)).write_text(
        f'{{"format": 99, "host": "127.0.0.1", "port": 1, "pid": {os.getpid()}, "store_id": ""}}'
    )
    error = told(
        lambda: SbqlDataSource({"database": str(path), "queue": "q"}).streamReader(message_schema()).initialOffset()
    )
    assert error.number == 5120 and "Use the version of sbql that serves the store" in error.message
