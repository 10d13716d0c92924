"""WHERE CURRENT OF does to the row that a cursor stands on what the same statement by its key
does, whoever wrote what in between.

Random programs of two sessions run twice: once with UPDATE and DELETE … WHERE CURRENT OF, once with those by the key of
the row that was fetched last. After every step both sessions see the same rows. What OPTIMISTIC and a row that is gone
refuse (16947) is known from the program: another session has changed the row since it was fetched.
"""

from __future__ import annotations

import os
import random

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet

SEEDS = int(os.environ.get("POSITIONED_SEEDS", "12"))
STEPS = 90
ROWS = 60
SETUP = (
    "CREATE TABLE t (a int NOT NULL PRIMARY KEY, b varchar(40) NOT NULL, c int NOT NULL CHECK (c > -5), d AS c * 2, e date)",
    f"INSERT INTO t (a, b, c, e) SELECT value, 'row ' + CAST(value AS varchar(9)), value, '2024-02-03' FROM GENERATE_SERIES(1, {ROWS})",
)
WRITES = (
    "UPDATE t SET c = c * 2 % 1000 + 1, b = LEFT('x' + b, 20) WHERE {}",
    "UPDATE t SET b = LEFT(b + CAST(c AS varchar(9)), 40), e = DATEADD(day, 1, e) WHERE {}",
    "UPDATE t SET c = c - 400 WHERE {}",
    "DELETE FROM t WHERE {}",
)


class Run:
    """One of the two. `by_cursor`: with WHERE CURRENT OF."""

    def __init__(self, by_cursor: bool, options: str, query: str, *, with_sets: bool = False) -> None:
        self.by_cursor, self.is_optimistic = by_cursor, "OPTIMISTIC" in options
        self.instance = Instance.open(None)
        if with_sets:
            self.instance.locks.sets_from = 2
        self.own, self.other = self.instance.connect(), self.instance.connect()
        for text in SETUP:
            self.tell(self.own, text)
        for session in (self.own, self.other):
            self.tell(session, "SET LOCK_TIMEOUT 0")
        self.cursor = f"DECLARE k CURSOR GLOBAL SCROLL {options} FOR {query}"
        self.tell(self.own, f"{self.cursor}; OPEN k")
        self.current: int | None = None
        self.is_changed = False

    @staticmethod
    def tell(session, text: str) -> list[object]:
        found: list[object] = []
        for outcome in session.run(text):
            if isinstance(outcome, ErrorOutcome):
                found.append(outcome.error.number)
            elif isinstance(outcome, ResultSet):
                found.append([tuple(row) for row in outcome.rows])
        return found

    def fetch(self, how: str) -> list[object]:
        found = self.tell(self.own, f"FETCH {how} FROM k; SELECT @@FETCH_STATUS")
        rows = found[0] if len(found) == 2 else []
        self.current, self.is_changed = (rows[0][0] if rows else None), False
        return found

    def write(self, text: str) -> list[object]:
        """The write of the current row. By its key it happens only if the cursor's would."""
        if self.current is None:
            return []
        there = self.tell(self.own, f"SELECT c FROM t WHERE a = {self.current}")[0]
        if self.by_cursor:
            found = self.tell(self.own, text.format("CURRENT OF k"))
        elif not there or (self.is_changed and self.is_optimistic):
            found = [16947]
        else:
            found = self.tell(self.own, text.format(f"a = {self.current}"))
        if text.startswith("DELETE") and not found:
            self.current = None
        return found

    def others_write(self, text: str, key: int) -> list[object]:
        found = self.tell(self.other, text.format(f"a = {key}"))
        self.is_changed = self.is_changed or (key == self.current and not found)
        return found

    def end(self, text: str) -> list[object]:
        """COMMIT, ROLLBACK: what was fetched before is fetched again before it is written."""
        found = self.tell(self.own, text)
        self.current = None
        return found

    def rows(self) -> list[object]:
        whole = "SELECT a, b, c, d, e FROM t ORDER BY a"
        return [*self.tell(self.own, whole), *self.tell(self.other, whole), *self.tell(self.own, "SELECT @@TRANCOUNT")]


def steps(rng: random.Random):
    """What both runs do, as functions of a run."""
    for _ in range(STEPS):
        kind, key, write = rng.random(), rng.randrange(1, ROWS + 9), rng.choice(WRITES[:2] * 3 + WRITES)
        if kind < 0.35:
            how = rng.choice(["NEXT"] * 6 + ["PRIOR", "RELATIVE 3", "FIRST"])
            yield lambda run, how=how: run.fetch(how)
        elif kind < 0.65:
            yield lambda run, write=write: run.write(write)
        elif kind < 0.75:
            near = rng.randrange(1, 4)
            yield lambda run, write=write, near=near: run.others_write(write, (run.current or 0) + near % 3)
        elif kind < 0.85:  # not the row that it stands on: that is for the options of the cursor to judge
            near = rng.randrange(1, 4)
            yield lambda run, write=write, near=near: run.tell(
                run.own, write.format(f"a = {(run.current or 0) + near}")
            )
        elif kind < 0.88:
            text = rng.choice(
                [f"INSERT INTO t (a, b, c) VALUES ({key}, 'new', {key})", "UPDATE t SET c = c + 1 WHERE c > 20"]
            )
            yield lambda run, text=text: run.end(text)
        else:
            text = rng.choice(
                [
                    "BEGIN TRANSACTION",
                    "IF @@TRANCOUNT > 0 COMMIT",
                    "SAVE TRANSACTION s",
                    "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION s",
                ]
            )
            yield lambda run, text=text: run.end(text)  # fmt: skip


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_row_of_a_cursor_is_written_as_the_row_of_its_key(seed):
    rng = random.Random(seed)
    options = f"{rng.choice(['DYNAMIC', 'KEYSET'])} {rng.choice(['OPTIMISTIC', 'SCROLL_LOCKS'])}"
    query = rng.choice(["SELECT a FROM t", "SELECT a, c FROM t WHERE c > -3", "SELECT a, b FROM t ORDER BY a DESC"])
    by_cursor, by_key = (Run(way, options, query, with_sets=bool(seed % 2)) for way in (True, False))
    written = 0
    try:
        for number, step in enumerate(steps(rng)):
            found, wanted = step(by_cursor), step(by_key)
            assert found == wanted, (number, options, query)
            assert by_cursor.rows() == by_key.rows(), (number, options, query)
            written += by_cursor.current is not None
        assert written, "it never stood on a row, so nothing is tested"
    finally:
        by_cursor.instance.close()
        by_key.instance.close()


@pytest.mark.parametrize("options", ["DYNAMIC OPTIMISTIC", "KEYSET SCROLL_LOCKS"])
@pytest.mark.parametrize(
    ("between", "wanted"),
    [
        pytest.param("UPDATE t SET c = 100 WHERE a = 5", 101, id="its own change"),
        pytest.param("ROLLBACK TRANSACTION s", 6, id="its own change, taken back"),
        pytest.param("ROLLBACK; BEGIN TRANSACTION", 6, id="the whole transaction taken back"),
        pytest.param("UPDATE t SET c = 200 WHERE a BETWEEN 5 AND 40", 201, id="a set"),
    ],
)
def test_rows_that_were_read_together_are_those_of_the_moment(options, between, wanted):
    """The images of rows 2 to 17 are read with that of row 2; what comes of row 5
    until it is the cursor's own counts."""
    run = Run(True, options, "SELECT a FROM t", with_sets=True)
    try:
        current = "FETCH NEXT FROM k; UPDATE t SET c = c + 1 WHERE CURRENT OF k"
        run.tell(run.own, f"BEGIN TRANSACTION; SAVE TRANSACTION s; {current}")
        run.tell(run.own, f"UPDATE t SET c = 50 WHERE a = 5; {current}")
        assert run.tell(run.own, between) == []
        while run.fetch("NEXT")[0] != [(5,)]:
            pass
        assert run.tell(run.own, "UPDATE t SET c = c + 1 WHERE CURRENT OF k; COMMIT; SELECT c FROM t WHERE a = 5") == [
            [(wanted,)]
        ]
    finally:
        run.instance.close()
