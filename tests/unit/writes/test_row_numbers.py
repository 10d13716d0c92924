"""Few rows of a large table, written where DuckDB is thought to have them: also when a checkpoint has put the table
together in between, or the transaction itself has brought them."""

from __future__ import annotations

import pytest
from told import told

from sbql.engine.instance import Instance

ROWS = 500_000


@pytest.fixture
def opened(tmp_path):
    """A session in which few rows of a small table go by their numbers."""
    instance = Instance.open(str(tmp_path / "store.duckdb"), clock="virtual")
    numbers = instance.store.row_numbers
    numbers.fewest, numbers.large, numbers.sparse = 4, 0, 0
    yield instance.connect()
    instance.close()


@pytest.fixture
def large(opened):
    """The same with a table of four and a bit of DuckDB's groups of rows."""
    assert told(opened, "CREATE TABLE t (a int NOT NULL PRIMARY KEY, c int NOT NULL)") == []
    assert told(opened, f"SET NOCOUNT ON; INSERT INTO t SELECT value, 0 FROM GENERATE_SERIES(1, {ROWS})") == []
    return opened


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


WIDE = {
    "tinyint": ("0", "255", "NULL"),
    "smallint": ("-32768", "NULL", "32767"),
    "int": ("-2147483648", "2147483647", "NULL"),
    "bigint": ("-9223372036854775808", "NULL", "9223372036854775807"),
    "bit": ("1", "0", "NULL"),
    "decimal(20,4)": ("-1234567890123456.7891", "NULL", "0.0001"),
    "float": ("1.5E300", "NULL", "-0.1"),
    "money": ("-922337203685477.5808", "0", "NULL"),
    "varchar(20)": ("'it''s'", "NULL", "''"),
    "nvarchar(20)": ("N'\U0001f600 x'", "N' '", "NULL"),
    "varbinary(8)": ("0x00FF", "NULL", "0x"),
    "date": ("'0001-01-01'", "'9999-12-31'", "NULL"),
    "datetime": ("'1753-01-01 00:00:00.003'", "NULL", "'9999-12-31 23:59:59.997'"),
    "datetime2": ("'2024-02-29 12:34:56.1234567'", "NULL", "'0001-01-01'"),
    "uniqueidentifier": ("'6F9619FF-8B86-D011-B42D-00C04FC964FF'", "NULL", "'00000000-0000-0000-0000-000000000000'"),
}


@pytest.mark.parametrize("together", [("int",), ("int", "bigint", "tinyint"), ("int", "varchar(20)")], ids=" ".join)
@pytest.mark.parametrize("kind", WIDE)
def test_values_of_all_kinds_go_by_numbers(opened, kind, together):
    """Alone, beside whole numbers and beside a text: what is written is what a small table gets."""
    kinds = [*dict.fromkeys((kind, *together))]
    names = [f"v{place}" for place in range(len(kinds))]
    columns = ", ".join(f"{name} {one} NULL" for name, one in zip(names, kinds, strict=True))
    for table in ("w", "small"):
        assert told(opened, f"CREATE TABLE {table} (a int NOT NULL PRIMARY KEY, {columns})") == []
    assert told(opened, "SET NOCOUNT ON; INSERT w (a) SELECT value FROM GENERATE_SERIES(1, 10000)") == []
    rows = [
        f"({1 + 1000 * number}, {', '.join(WIDE[one][(number + place) % 3] for place, one in enumerate(kinds))})"
        for number in range(9)
    ]
    assert told(opened, f"SET NOCOUNT ON; INSERT small VALUES {', '.join(rows)}") == []
    opened.instance.locks.sets_from = 1 << 30
    sets = ", ".join(f"{name} = s.{name}" for name in names)
    assert told(opened, f"SET NOCOUNT ON; UPDATE w SET {sets} FROM w JOIN small s ON s.a = w.a") == []
    numbers = opened.instance.store.row_numbers
    assert (numbers.followed, numbers.missed) == (1, 0)
    written, given = (told(opened, f"SELECT * FROM {table} WHERE a % 1000 = 1 ORDER BY a") for table in ("w", "small"))
    assert written[: len(rows)] == given
    assert len(given) == len(rows)


def test_more_rows_than_are_listed(large):
    keys = range(1, ROWS, ROWS // 3000)
    write(large, [*keys])
    assert changed(large) == [*keys]
    write(large, [*keys], "DELETE FROM t")
    assert changed(large) == []
    numbers = large.instance.store.row_numbers
    assert (numbers.followed, numbers.missed) == (2, 0)
