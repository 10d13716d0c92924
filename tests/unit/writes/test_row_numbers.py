"""Few rows of a large table, written where DuckDB is thought to have them: also when a checkpoint has put the table
together in between, or the transaction itself has brought them."""

from __future__ import annotations

import pytest
from told import told

from sbql.engine.instance import Instance

ROWS = 500_000


@pytest.fixture
def large(tmp_path):
    """A session with a table of four and a bit of DuckDB's groups of rows."""
    instance = Instance.open(str(tmp_path / "store.duckdb"), clock="virtual")
    numbers = instance.store.row_numbers
    numbers.fewest, numbers.large, numbers.sparse = 4, 0, 0
    session = instance.connect()
    assert told(session, "CREATE TABLE t (a int NOT NULL PRIMARY KEY, c int NOT NULL)") == []
    assert told(session, f"SET NOCOUNT ON; INSERT INTO t SELECT value, 0 FROM GENERATE_SERIES(1, {ROWS})") == []
    yield session
    instance.close()


def write(session, keys, what="UPDATE t SET c = c + 1"):
    assert told(session, f"SET NOCOUNT ON; {what} WHERE a IN ({', '.join(map(str, keys))})") == []


def changed(session):
    return [row[0] for row in told(session, "SELECT a FROM t WHERE c = 1 ORDER BY a")]


def place(session, key):
    with session.instance.store.scratch() as connection:
        return connection.execute(f"SELECT rowid FROM {storage(connection)} WHERE a = {key}").fetchall()[0][0]


def storage(connection):
    ((schema, name),) = connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal AND table_name = 't'"
    ).fetchall()
    return f'"{schema}"."{name}"'


KEYS = [490_001, 300_123, 299_999, 480_001, 350_001]


def test_rows_go_by_their_numbers(large):
    numbers = large.instance.store.row_numbers
    write(large, KEYS)
    assert changed(large) == sorted(KEYS)
    assert (numbers.followed, numbers.missed) == (1, 0)
    write(large, KEYS, "DELETE FROM t")
    assert changed(large) == []
    assert (numbers.followed, numbers.missed) == (2, 0)
    assert told(large, "SELECT COUNT(*) FROM t") == [(ROWS - len(KEYS),)]


def test_a_checkpoint_that_puts_the_table_together_moves_rows(large):
    numbers = large.instance.store.row_numbers
    write(large, KEYS)
    assert changed(large) == sorted(KEYS)
    before = place(large, KEYS[0])
    for which in ("a < 250000", "a % 2 = 0"):
        assert told(large, f"SET NOCOUNT ON; DELETE FROM t WHERE {which}") == []
        with large.instance.store.scratch() as connection:
            connection.execute("CHECKPOINT")
    assert place(large, KEYS[0]) != before, "DuckDB leaves rows where they were: nothing is tested"
    more = [key + 2 for key in KEYS]
    write(large, more)
    assert changed(large) == sorted(KEYS + more)
    assert numbers.missed == 1
    last = [key + 4 for key in KEYS]
    for _ in range(5):  # two without a look: it has been wrong
        write(large, last, "UPDATE t SET c = 1 - c")
    assert changed(large) == sorted(KEYS + more + last)
    assert numbers.followed == 4 and numbers.missed == 1


def test_rows_that_the_transaction_has_brought_itself(large):
    numbers = large.instance.store.row_numbers
    new = [ROWS + place for place in range(1, 7)]
    text = "SET NOCOUNT ON; BEGIN TRANSACTION; INSERT INTO t SELECT value, 0 FROM GENERATE_SERIES({}, {})"
    assert told(large, text.format(new[0], new[-1])) == []
    assert told(large, "SELECT MAX(a) FROM t") == [(new[-1],)]  # DuckDB has them now
    write(large, [*KEYS, *new])
    assert told(large, "COMMIT") == []
    assert changed(large) == sorted([*KEYS, *new])
    assert numbers.followed == 0 and numbers.missed == 1


def test_runs_between_rows_that_were_rolled_back(large):
    """The ids of rows that were never committed are numbers of no row: all that comes after them has moved."""
    numbers = large.instance.store.row_numbers
    for number in range(40):
        text = (
            "SET NOCOUNT ON; BEGIN TRANSACTION; INSERT INTO t SELECT value, 0 FROM GENERATE_SERIES({0}, {0} + 9); {1}"
        )
        for end in ("ROLLBACK", "COMMIT"):
            assert told(large, text.format(ROWS + 1 + 10 * number, end)) == []
    new = [ROWS + place for place in range(1, 400, 3)]
    for _ in range(3):
        write(large, [*KEYS, *new], "UPDATE t SET c = 1 - c")
    assert changed(large) == sorted([*KEYS, *new])
    assert numbers.followed == 3 and numbers.missed == 0
    assert len(numbers._tables[next(iter(numbers._tables))].firsts) > 30


def test_a_table_that_is_emptied_and_filled_has_other_rows(large):
    write(large, KEYS)
    assert (
        told(
            large,
            "SET NOCOUNT ON; TRUNCATE TABLE t; INSERT INTO t SELECT 1000000 - value, 0 FROM GENERATE_SERIES(500001, 999999)",
        )
        == []
    )
    write(large, KEYS)
    assert changed(large) == sorted(KEYS)
