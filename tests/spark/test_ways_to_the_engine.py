"""Which engine a call reaches, and what is said of arguments that cannot be meant: none of them needs Spark, most of
them are wrong before it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import server
from serving_owner import Owner

pytest.importorskip("pyspark", reason="PySpark is not installed")

import sbql
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.grammar.errors import SqlError
from sbql.spark_udfs import (
    engines,
    foreach_batch,
    install,
    register,
    register_table_functions,
    sql,
    transaction,
    uninstall,
    use,
)
from sbql.spark_udfs.engine_client import SparkFacingError, sql_error, told
from sbql.spark_udfs.engines import engine_of, engine_session

NO_SPARK: Any = None


@pytest.fixture(autouse=True)
def nothing_in_use() -> Iterator[None]:
    engines.release()
    yield
    engines.release()


def in_transaction(text: Any, args: Any = None) -> None:
    use()
    with transaction(NO_SPARK) as open:
        open.run(text, args)


MISUSE: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "args in a list": (lambda: sql(NO_SPARK, "SELECT @n", args=[10]), TypeError, "args is a mapping of @variables.*not a list"),  # type: ignore[arg-type]
    "one as args": (lambda: sql(NO_SPARK, "SELECT @n", args=10), TypeError, "not an int"),  # type: ignore[arg-type]
    "args in a list, in a transaction": (lambda: in_transaction("SELECT 1", [1]), TypeError, "not a list"),
    "a value without a type": (lambda: sql(NO_SPARK, "SELECT @n", args={"n": [1]}), TypeError, "parameter @n"),
    "a number as a variable": (lambda: sql(NO_SPARK, "SELECT $(x)", variables={"x": 1}), TypeError, r"that of \$\(x\) is an int"),  # type: ignore[dict-item]
    "no text": (lambda: sql(NO_SPARK, None), TypeError, "text of a script is a str, not None"),  # type: ignore[arg-type]
    "text and session the wrong way round": (lambda: sql("SELECT 1", object()), TypeError, "is a str, not an object"),  # type: ignore[arg-type]
    "no text in a transaction": (lambda: in_transaction(b"SELECT 1"), TypeError, "is a str, not a bytes"),
    "a database alone": (lambda: sql(NO_SPARK, "SELECT 1", database="Shop"), ValueError, r"use\(…, database='Shop'\)"),
    "a store of bytes": (lambda: sql(NO_SPARK, "SELECT 1", store=b"x.duckdb"), TypeError, "store is the name of a file, not a bytes"),  # type: ignore[arg-type]
    "a number as a store": (lambda: sql(NO_SPARK, "SELECT 1", store=5), TypeError, "store is the name of a file, not an int"),  # type: ignore[arg-type]
    "use of bytes": (lambda: use(store=b"x.duckdb"), TypeError, "store is the name of a file"),  # type: ignore[arg-type]
    "use of a name": (lambda: use("shop.duckdb"), TypeError, "store=…"),
    "functions of bytes": (lambda: register_table_functions(NO_SPARK, store=b"x"), TypeError, "store is the name of a file"),  # type: ignore[arg-type]
    "one name of a collection": (lambda: register(NO_SPARK, collections="dbo.Orders"), TypeError, r"\['dbo.Orders'\]"),
    "no function for batches": (lambda: foreach_batch(None), TypeError, "function of .frame, transaction., not None"),  # type: ignore[arg-type]
}  # fmt: skip


@pytest.mark.parametrize("case", MISUSE)
def test_what_cannot_be_meant_is_refused_by_name(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call, kind, text = MISUSE[case]
    with pytest.raises(kind, match=text):
        call()
    assert not list(tmp_path.iterdir()), "no store was made of it"


# --- a store that is served --------------------------------------------------------------------------------


def first(session: Any, text: str) -> Any:
    outcomes = session.run(text)
    for outcome in outcomes:
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error
    return next(outcome for outcome in outcomes if isinstance(outcome, ResultSet)).rows[0][0]


def test_an_owner_that_is_started_again_elsewhere_is_found(tmp_path: Path) -> None:
    """Its port is another one. Whose session has ended is told once, for its transaction is gone; then calls go on."""
    path = tmp_path / "store.duckdb"
    with server("--store", path) as owner:
        use(store=path)
        assert first(engine_session(), "SELECT DB_NAME()") == "master"
        owner.kill()
    with pytest.raises(SqlError) as caught:
        first(engine_session(), "SELECT 1")
    assert caught.value.number in (10054, 10061)
    with pytest.raises(SqlError, match="sbql serve --store") as caught:
        first(engine_session(), "SELECT 1")
    assert caught.value.number == 10061
    with server("--store", path):
        assert first(engine_session(), "SELECT DB_NAME()") == "master"


@pytest.mark.parametrize("begin", [use, install])
def test_who_is_started_before_the_owner_leaves_it_the_file(begin: Callable[..., Any], tmp_path: Path) -> None:
    """With `served`: without it the store is open in the first that comes, and the owner cannot start again."""
    path = tmp_path / "store.duckdb"
    try:
        with server("--store", path) as owner:
            owner.kill()
        with pytest.raises(SqlError, match="sbql serve --store") as caught:
            begin(store=path, served=True)
        assert caught.value.number == 10061
        with server("--store", path):
            begin(store=path, served=True)
            assert first(engine_session(), "SELECT DB_NAME()") == "master"
            assert engine_of().way() == {"database": str(path)}
    finally:
        uninstall()
    with pytest.raises(ValueError, match="store="):
        begin(served=True)


def test_a_batch_in_the_server_of_spark_connect_needs_an_engine() -> None:
    """A store in memory, made there for the batch, would lose what it sends without a word."""
    frame = type("DataFrame", (), {"__module__": "pyspark.sql.connect.dataframe"})()
    with pytest.raises(SqlError, match=r"calls use\(store=…\)") as caught:
        foreach_batch(lambda messages, open: None, "orders")(frame, 0)
    assert caught.value.number == 87
    assert not engines.is_in_use()


@pytest.mark.spark
@pytest.mark.parametrize("where", ["this process", "another process"])
def test_sql_goes_to_the_process_that_serves_the_store(spark: Any, tmp_path: Path, where: str) -> None:
    path = tmp_path / "store.duckdb"
    if where == "this process":
        owner = Owner(str(path))
        try:
            _count_through_sql(spark, path)
        finally:
            owner.close()
    else:
        Owner(str(path)).close()
        with server("--store", path):
            _count_through_sql(spark, path)


def _count_through_sql(spark: Any, path: Path) -> None:
    assert sql(spark, "EXEC talk 1, 3", store=path, database="d").first().rows_affected >= 0
    assert sql(spark, "SELECT COUNT(*) AS n FROM work", store=path, database="d").first().n == 3
    with pytest.raises(sbql.SqlError) as caught:
        sql(spark, "SELECT 1", store=path, database="nowhere")
    assert caught.value.number == 911
    assert sql(spark, "SELECT COUNT(*) AS n FROM work", store=path, database="d").first().n == 3


# --- errors in the text of Spark's exceptions --------------------------------------------------------------

TEXTS = ("There is no object named 'x'.", "two\nlines: and more", "a: b, c: d", "Msg 1, Level 2")
TAILS = (
    "", "\n SQLSTATE: 38000", " SQLSTATE: 38000; line 1 pos 14", "\n SQLSTATE: 39000 SQLSTATE: XXKST\n=== Streaming Query ===\nIdentifier: [id = 1]",
    "\n\tat org.apache.spark.api.python.BasePythonRunner", "\n\nJVM stacktrace:\norg.apache.spark",
)  # fmt: skip


@pytest.mark.parametrize("tail", TAILS, ids=range(len(TAILS)))
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("procedure", [None, "dbo.p"])
def test_an_error_is_read_from_what_spark_says_of_it(text: str, tail: str, procedure: str | None) -> None:
    """In a foreachBatch Python's own form of it is there, which knows the line."""
    error = SqlError(208, text, severity=15, state=3, line=7, procedure=procedure)

    def fail() -> None:
        raise error

    with pytest.raises(SparkFacingError) as caught:
        told(fail)()
    for shown in (f"{SparkFacingError.__name__}: {caught.value}", f"sbql.grammar.errors.SqlError: {error}"):
        found = sql_error(RuntimeError(f"[FAILED] Traceback:\n  File 'x', line 1: y\nsbql.{shown}{tail}"))
        assert found is not None
        assert (found.number, found.severity, found.state, found.message) == (208, 15, 3, text)
    assert (found.line, found.procedure) == (7, procedure)
    assert sql_error(error) is error


@pytest.mark.parametrize("text", ["", "no error", "ValueError: Msg box", "Error: Msg x, Level y, State z: t"])
def test_other_texts_have_no_error_of_the_engine(text: str) -> None:
    assert sql_error(RuntimeError(text)) is None


@pytest.mark.spark
def test_an_error_in_a_batch_function_has_its_number(spark: Any, tmp_path: Path) -> None:
    from pyspark.errors import StreamingQueryException

    from sbql.spark_udfs import activate

    owner = Owner(str(tmp_path / "store.duckdb"))
    try:
        use(owner.connection, database="d")
        owner.sql("EXEC d.dbo.talk 1, 1")
        query = activate(
            spark, "work", lambda frame, open: open.run("PRINT 'x'\nSELECT * FROM nowhere"), checkpoint=str(tmp_path / "c"),
            available_now=True,
        )  # fmt: skip
        with pytest.raises(StreamingQueryException) as caught:
            query.awaitTermination(60)
        found = sql_error(caught.value)
        assert found is not None and (found.number, found.line) == (208, 2)
    finally:
        owner.close()
