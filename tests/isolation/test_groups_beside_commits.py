"""What is kept of rows in groups while a commit can be seen in DuckDB, and nobody has been told of it yet: nobody reads
what was before, who has seen what is now; nothing is kept that is counted again; and one query has one moment.

The other session acts in the middle of the commit, where stamps of tables are about to move.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from told import told

from sbql.catalog.store import Store
from sbql.engine.instance import Instance
from sbql.engine.tables import grouped_rows

SETUP = """CREATE TABLE jobs (id int NOT NULL PRIMARY KEY, state int NOT NULL, n int NOT NULL); INSERT jobs VALUES (1, 0, 0), (2, 0, 0), (3, 0, 0)
CREATE TABLE orders (id int NOT NULL PRIMARY KEY, x int); CREATE TABLE lines (o int NOT NULL, no int NOT NULL, PRIMARY KEY (o, no)); CREATE TABLE k (id int, m nvarchar(max))"""
TAKE = "WITH q AS (SELECT TOP (1) * FROM jobs WITH (ROWLOCK, READPAST) WHERE state = 0 ORDER BY id) UPDATE q SET n += 1, state = 1 OUTPUT deleted.id"


class Meanwhile:
    """`writer` commits; at the gap of its next commit `reader` runs something, in a thread of its own."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(grouped_rows, "_PATIENCE", 0)
        self.instance = Instance.open()
        self.writer, self.reader = self.instance.connect(), self.instance.connect()
        assert told(self.writer, SETUP) == []
        self._acts: list[Callable[[], None]] = []
        committed = Store.committed

        def gap(store: Any, *given: Any) -> None:
            if self._acts and threading.current_thread() is threading.main_thread():
                thread = threading.Thread(target=self._acts.pop())
                thread.start()
                thread.join()
            committed(store, *given)

        patch.setattr(Store, "committed", gap)

    def during(self, write: str, *reads: str) -> list[list[Any]]:
        """What the reader is told in the middle of the commit."""
        found: list[list[Any]] = []
        self._acts.append(lambda: found.extend(told(self.reader, text) for text in reads))
        told(self.writer, write)
        assert len(found) == len(reads)
        return found


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Iterator[Meanwhile]:
    found = Meanwhile(monkeypatch)
    yield found
    found.instance.close()


def test_a_row_stands_in_one_group(both: Meanwhile) -> None:
    assert told(both.reader, "SELECT id FROM jobs WHERE state = 0") == [(1,), (2,), (3,)]
    assert both.during(TAKE, "SELECT id FROM jobs WHERE state = 1") == [[(1,)]]
    assert [told(both.writer, TAKE) for _ in range(3)] == [[(2,)], [(3,)], []]
    assert told(both.reader, "SELECT COUNT(*) FROM jobs WHERE state = 0") == [(0,)]
    assert told(both.reader, "DELETE jobs WHERE id = 1; SELECT id, n FROM jobs WHERE state = 1 ORDER BY id") == [
        (2, 1),
        (3, 1),
    ]


def test_one_query_has_one_moment(both: Meanwhile) -> None:
    query = "SELECT o.id, l.no FROM orders o LEFT JOIN lines l ON l.o = o.id WHERE o.id = 7"
    assert told(both.reader, "SELECT no FROM lines WHERE o = 7") == []
    write = "BEGIN TRAN; INSERT lines VALUES (7, 1), (7, 2); INSERT orders VALUES (7, 0); COMMIT"
    assert both.during(write, query) == [[(7, 1), (7, 2)]]
    assert told(both.reader, query) == [(7, 1), (7, 2)]


@pytest.mark.parametrize(
    "later",
    [
        ("SELECT no FROM lines WHERE o = 7", [(1,), (2,)]),
        ("SELECT TOP (1) no FROM lines WHERE o = 7 ORDER BY no", [(1,)]),
        ("SELECT COUNT(*) FROM lines WHERE o = 7", [(2,)]),
        ("IF EXISTS (SELECT * FROM lines WHERE o = 7) SELECT 1", [(1,)]),
        ("SELECT TOP (1) no FROM lines WITH (READPAST) WHERE o = 7", []),
        ("SELECT no FROM lines WHERE o = 7 AND EXISTS (SELECT * FROM orders WHERE id = 7)", [(1,), (2,)]),
    ],
)  # fmt: skip
def test_nobody_goes_back_in_time(both: Meanwhile, later: tuple[str, list[Any]]) -> None:
    """Who has seen the order sees its lines, unless he passes by what is still locked."""
    text, expected = later
    assert told(both.reader, text) in ([], [(0,)])
    write = "BEGIN TRAN; INSERT lines VALUES (7, 1), (7, 2); INSERT orders VALUES (7, 0); COMMIT"
    assert both.during(write, "SELECT x FROM orders WHERE id = 7", text) == [[(0,)], expected]


def test_what_is_kept_is_counted(both: Meanwhile) -> None:
    """With the texts that it is found by; one that is large is not kept."""
    rows = both.instance.store.feed.rows
    before = rows.size
    told(
        both.reader,
        "DECLARE @s nvarchar(max) = REPLICATE(CAST('x' AS nvarchar(max)), 20000); SELECT id FROM k WHERE m = @s",
    )
    assert rows.size - before > 20_000
    rows.limit(1_000_000)
    told(
        both.reader,
        "DECLARE @s nvarchar(max) = REPLICATE(CAST('x' AS nvarchar(max)), 40000); SELECT id FROM k WHERE m = @s",
    )
    assert rows.size == 0


def test_rows_that_are_too_large_are_not_read_again_and_again(both: Meanwhile, monkeypatch: pytest.MonkeyPatch) -> None:
    told(
        both.writer,
        "CREATE TABLE w (id int NOT NULL, s varchar(8000)); INSERT w SELECT value, REPLICATE('x', 8000) FROM GENERATE_SERIES(1, 300)",
    )
    looks: list[str] = []
    look_up = type(both.reader.store).look_up

    def looked(self: Any, text: str, *given: Any) -> Any:
        looks.append(text)
        return look_up(self, text, *given)

    monkeypatch.setattr(type(both.reader.store), "look_up", looked)
    for _ in range(10):
        assert told(both.reader, "SELECT COUNT(*) FROM w") == [(300,)]
    assert 0 < len(looks) < 4


def test_a_reader_that_was_beaten_keeps_nothing(both: Meanwhile, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit that comes after a read of the rows and before they are kept."""
    put = type(both.instance.store.feed.rows).put_group
    beaten: list[bool] = []

    def late(self: Any, *given: Any, **named: Any) -> Any:
        if not beaten:
            beaten.append(True)
            thread = threading.Thread(target=lambda: told(both.writer, "UPDATE jobs SET state = 5 WHERE id = 2"))
            thread.start()
            thread.join()
        return put(self, *given, **named)

    monkeypatch.setattr(type(both.instance.store.feed.rows), "put_group", late)
    query = "SELECT id FROM jobs WHERE state = 0 ORDER BY id"
    assert told(both.reader, query) in ([(1,), (2,), (3,)], [(1,), (3,)])
    assert beaten
    assert told(both.reader, query) == [(1,), (3,)]
