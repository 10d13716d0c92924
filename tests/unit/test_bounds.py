"""Nothing runs unstoppably or takes all memory: values and results beyond the limit are errors, and whatever computes
in Python or in DuckDB ends soon after it is cancelled."""

from __future__ import annotations

import gzip
import hashlib
import threading
import time
from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.scalars.function_registry import lookup
from sbql.engine.session import Session
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import NVARCHAR_MAX, VARBINARY_MAX, Variant
from sbql.grammar.values import memory
from sbql.grammar.values.checkpoints import set_check

BOMB = Variant(VARBINARY_MAX, gzip.compress(bytes(400 << 20)))


@pytest.fixture
def session() -> Iterator[Session]:
    instance = Instance.open(None)
    yield instance.connect()
    instance.close()


@pytest.fixture
def little_memory() -> Iterator[None]:
    memory.set_limit(little_memory, memory.in_use() + (100 << 20))
    yield
    memory.set_limit(little_memory, None)


TOO_LARGE = {
    "REPLICATE": "DECLARE @s varchar(max) = REPLICATE(CAST('x' AS varchar(max)), 200000000)",
    "REPLACE": "DECLARE @s varchar(max) = REPLICATE(CAST('.' AS varchar(max)), 100000); SET @s = REPLACE(@s, '.', REPLICATE('y', 8000))",
    "REPLACE of letters": "DECLARE @s varchar(max) = REPLICATE(CAST('x' AS varchar(max)), 100000); SET @s = REPLACE(@s, 'X', REPLICATE('y', 8000))",
    "doubling": "DECLARE @s varchar(max) = REPLICATE(CAST('x' AS varchar(max)), 1000000); WHILE LEN(@s) < 2000000000 SET @s += @s",
    "CONCAT": "DECLARE @s varchar(max) = REPLICATE(CAST('x' AS varchar(max)), 1000000); WHILE LEN(@s) < 2000000000 SET @s = CONCAT(@s, @s)",
    "STUFF": "DECLARE @s varchar(max) = REPLICATE(CAST('x' AS varchar(max)), 1000000); WHILE LEN(@s) < 2000000000 SET @s = STUFF(@s, 1, 0, @s)",
    "DECOMPRESS": "DECLARE @b varbinary(max) = DECOMPRESS(@bomb)",
    "GENERATE_SERIES": "SELECT COUNT(*) FROM GENERATE_SERIES(CAST(1 AS decimal(10)), CAST(2000000000 AS decimal(10)))",
    "rows": "SELECT a.value FROM GENERATE_SERIES(1, 3000) AS a CROSS JOIN GENERATE_SERIES(1, 3000) AS b",
    "STRING_SPLIT": "SELECT COUNT(*) FROM STRING_SPLIT(REPLICATE(CAST('x' AS varchar(max)), 2000000), 'X')",
    "in a query": "SELECT LEN(REPLICATE(CAST(name AS nvarchar(max)), 100000000)) FROM sys.databases",
}


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("what", TOO_LARGE)
def test_no_room(session: Session, what: str) -> None:
    outcomes = session.run(TOO_LARGE[what], parameters={"@bomb": BOMB})
    assert [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)] == [701]
    assert any(isinstance(o, ResultSet) and o.rows == [(1,)] for o in session.run("SELECT 1"))


def run_value(session: Session, megabytes: int) -> list[int]:
    """Set max server memory. Numbers of errors."""
    outcomes = session.run(
        "EXEC sp_configure 'show advanced options', 1; RECONFIGURE; "
        f"EXEC sp_configure 'max server memory (MB)', {megabytes}; RECONFIGURE"
    )
    return [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)]


def duckdb_limit(session: Session) -> str:
    with session.instance.store.scratch() as connection:
        return str(connection.execute("SELECT current_setting('memory_limit')").fetchone()[0])


def test_max_server_memory(session: Session) -> None:
    """What RECONFIGURE installs limits DuckDB and the values that Python makes; the default takes the limit away."""
    free = duckdb_limit(session)
    large = "DECLARE @s varchar(max) = REPLICATE(CAST('x' AS varchar(max)), 200000000)"
    grouped = (
        "SELECT LEN(STRING_AGG(CAST(CONCAT(value, '-', value) AS varchar(max)), ',')) FROM GENERATE_SERIES(1, 20000000)"
    )
    assert run_value(session, (memory.in_use() >> 20) + 100) == []
    assert duckdb_limit(session) != free
    for text in (large, grouped):
        outcomes = session.run(text)
        assert [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)] == [701], text
    assert run_value(session, 2147483647) == []
    assert duckdb_limit(session) == free
    outcomes = session.run(large)
    assert not any(isinstance(o, ErrorOutcome) for o in outcomes)


def test_max_server_memory_ends_with_its_instance() -> None:
    before = memory.limit()
    instance = Instance.open(None)
    assert run_value(instance.connect(), 256) == []
    assert memory.limit() == 256 << 20
    instance.close()
    assert memory.limit() == before


def test_no_value_beyond_two_gigabytes(session: Session) -> None:
    outcomes = session.run("DECLARE @s varchar(max) = REPLICATE(CAST('xy' AS varchar(max)), 2147483647)")
    assert [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)] == [7119]


LONG_CHAINS = {
    "variables": ("SELECT {}", " + ", "@i", 2000),
    "columns": ("SELECT {} FROM w", " + ", "i", 2000),
    "columns with a type of another": ("SELECT {} FROM w", " + ", "CAST(i AS bigint)", 2000),
    "literals between": ("SELECT {} FROM w", " + 0 + ", "i", 1000),
    "texts": ("SELECT LEN({}) FROM w", " + ", "s", 2000),
    "texts in GROUP BY": ("SELECT LEN({}) FROM w GROUP BY s", " + ", "s", 1000),
    "grouped": ("SELECT {0} FROM w GROUP BY {0}", " + ", "i", 300),
    "aggregates": ("SELECT {} FROM w", " + ", "MAX(i)", 300),
    "in an assignment": ("DECLARE @r int = {}; SELECT @r", " + ", "@i", 2000),
    "in a procedure's loop": ("DECLARE @n int = 0, @r int; WHILE @n < 3 SELECT @r = {}, @n += 1; SELECT @r", " + ", "@i", 2000),
}  # fmt: skip


@pytest.mark.parametrize("what", LONG_CHAINS)
def test_long_chains(session: Session, what: str) -> None:
    """Operators in a row are no nesting: the number of terms comes out."""
    frame, operator, term, count = LONG_CHAINS[what]
    session.run("CREATE TABLE w (i int, s varchar(1)); INSERT w VALUES (1, 'x')")
    outcomes = session.run(f"DECLARE @i int = 1; {frame.format(operator.join([term] * count))}")
    assert [o.rows for o in outcomes if isinstance(o, ResultSet)] == [[(count,)]], outcomes


def test_long_chain_that_overflows(session: Session) -> None:
    session.run("CREATE TABLE w (i int)\nINSERT w VALUES (2147483000), (NULL)")
    many = " + ".join(["1"] * 1000)
    for text in (f"SELECT i + {many} FROM w", f"DECLARE @i int = 2147483000; SELECT @i + {many}"):
        outcomes = session.run(text)
        assert [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)] == [8115]
    outcomes = session.run(f"SELECT i + {many} FROM w WHERE i IS NULL")
    assert any(isinstance(o, ResultSet) and o.rows == [(None,)] for o in outcomes)


MANY_TABLES = {
    "star": lambda n: "".join(f" JOIN w AS t{i} ON t{i}.i = t0.i" for i in range(1, n)),
    "chain": lambda n: "".join(f" JOIN w AS t{i} ON t{i}.i = t{i - 1}.i" for i in range(1, n)),
    "cross": lambda n: "".join(f" CROSS JOIN w AS t{i}" for i in range(1, n)),
    "comma": lambda n: "".join(f", w AS t{i}" for i in range(1, n)) + f" WHERE t0.i = t{n - 1}.i",
    "apply": lambda n: "".join(f" CROSS APPLY (SELECT t{i - 1}.i AS i) AS t{i}" for i in range(1, min(n, 40))),
    "brackets": lambda n: "".join(f" JOIN (w AS t{i}" for i in range(1, 40)) + "".join(f") ON t{i}.i = t{i - 1}.i" for i in range(39, 0, -1)),
}  # fmt: skip


@pytest.mark.parametrize("shape", MANY_TABLES)
def test_many_tables(session: Session, shape: str) -> None:
    """200 tables are planned in a second of the processor; a star took minutes."""
    session.run("CREATE TABLE w (i int); INSERT w VALUES (1)")
    began = time.process_time()
    outcomes = session.run(f"SELECT COUNT(*) FROM w AS t0{MANY_TABLES[shape](200)}")
    assert [o.rows for o in outcomes if isinstance(o, ResultSet)] == [[(1,)]], outcomes
    assert time.process_time() - began < 20


ENDLESS = {
    "loop": "WHILE 1 = 1 SELECT 1 WHERE 1 = 2",
    "old digest": "SELECT HASHBYTES('MD2', @bomb)",
    "pattern": "SELECT IIF(REPLICATE(CAST('ab' AS varchar(max)), 50000000) LIKE '%' + REPLICATE('ab', 2000) + '[c]%', 1, 0)",
    "query": "SELECT COUNT(*) FROM GENERATE_SERIES(1, 100000) AS a JOIN GENERATE_SERIES(1, 100000) AS b ON a.value % 7 < b.value % 1000",
    "function in a query": "SELECT SUM(LEN(REVERSE(CONCAT(a.value, b.value)))) FROM GENERATE_SERIES(1, 100000) AS a CROSS JOIN GENERATE_SERIES(1, 1000) AS b",
    "query in a function": "SELECT dbo.slow(value) FROM GENERATE_SERIES(1, 3)",
    "replacing": "SELECT LEN(REPLACE(REPLICATE(CAST('xy' AS varchar(max)), 50000000), 'X', 'z'))",
}


@pytest.mark.parametrize("what", ENDLESS)
def test_cancelled(session: Session, what: str) -> None:
    session.run(
        "CREATE FUNCTION dbo.slow (@i bigint) RETURNS bigint AS BEGIN RETURN (SELECT COUNT_BIG(*) FROM GENERATE_SERIES(1, 100000) AS a "
        "JOIN GENERATE_SERIES(1, 100000) AS b ON a.value % 7 < b.value % 1000 + @i) END"
    )
    ended = threading.Event()

    def body() -> None:
        session.run(ENDLESS[what], parameters={"@bomb": Variant(VARBINARY_MAX, bytes(50 << 20))})
        ended.set()

    threading.Thread(target=body, daemon=True).start()
    assert not ended.wait(1.0), "it is meant to take long"
    began = time.process_time()
    session.cancel()
    assert ended.wait(60)
    assert time.process_time() - began < 5, "0.1 s is promised, on a machine that does nothing else"
    assert any(isinstance(o, ResultSet) and o.rows == [(1,)] for o in session.run("SELECT 1"))


@pytest.mark.parametrize("algorithm", ["MD2", "MD4", "MD5", "SHA", "SHA1", "SHA2_256", "SHA2_512"])
def test_digests_of_large_values_can_be_cancelled(algorithm: str) -> None:
    """Half a gigabyte took SHA2_512 seconds in one call of C: now each asks several times for 48 MB."""
    spec = lookup("HASHBYTES")
    assert spec is not None
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked > 5:
            raise sql_error(3617)

    before = set_check(check)
    try:
        with pytest.raises(SqlError) as found:
            spec.make((NVARCHAR_MAX, VARBINARY_MAX))(algorithm, bytes(48 << 20))
    finally:
        set_check(before)
    assert found.value.number == 3617


def test_digest_of_pieces_is_that_of_the_whole(session: Session) -> None:
    data = bytes(range(256)) * (40 << 10)
    (found,) = (
        outcome
        for outcome in session.run("SELECT HASHBYTES('SHA2_256', @b)", parameters={"@b": Variant(VARBINARY_MAX, data)})
        if isinstance(outcome, ResultSet)
    )
    assert found.rows == [(hashlib.sha256(data).digest(),)]


@pytest.mark.parametrize("digits", [1, 4000, 5000, 100_000])
def test_the_number_of_a_procedure_has_any_length(session: Session, digits: int) -> None:
    outcomes = session.run("EXEC p;" + "7" * digits)
    assert [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)] == [40517]
