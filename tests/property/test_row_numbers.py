"""Rows that are written where DuckDB is thought to have them are the rows that were meant,
whatever has become of the table meanwhile.

Two sessions update, delete and insert rows of a table by their keys, in transactions with savepoints and rollbacks; the
table is emptied, gets and loses a column of the name of DuckDB's own number, is put together by checkpoints, and what
is known of places is spoilt. A plain model says what each session and everybody else sees; it is compared at each
commit, and after the store was closed and opened. The thresholds are down, so that four rows are written so.
"""

from __future__ import annotations

import contextlib
import os
import random
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet, RowsAffected
from sbql.engine.session import Session

SEEDS = int(os.environ.get("ROW_NUMBER_SEEDS", "3"))
STEPS = 450
KEYS = 120
LOCKED = 1222

Row = tuple[int, str]


class Client:
    """A session, what it has changed and not committed (None: deleted), and its savepoint."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.own: dict[int, Row | None] = {}
        self.saved: dict[int, Row | None] | None = None
        self.is_open = False
        self.told("SET LOCK_TIMEOUT 0")

    def told(self, text: str) -> tuple[int, list[int], list[tuple]]:
        """The number of an error, counts, and rows."""
        error, counts, rows = 0, [], []
        for outcome in self.session.run(text):
            if isinstance(outcome, ErrorOutcome):
                error = outcome.error.number
            elif isinstance(outcome, RowsAffected):
                counts.append(outcome.count)
            elif isinstance(outcome, ResultSet):
                rows += list(outcome.rows)
        return error, counts, rows


class World:
    def __init__(self, path: Path, rng: random.Random) -> None:
        self.path, self.rng = path, rng
        self.rows: dict[int, Row] = {}
        self.column = ""
        self.seen: Counter[str] = Counter()
        self._open()
        self.clients[0].told("CREATE TABLE t (a int NOT NULL PRIMARY KEY, c int NOT NULL, s varchar(40))")
        self.fill()

    def _open(self) -> None:
        self.instance = Instance.open(str(self.path), clock="virtual")
        numbers = self.instance.store.row_numbers
        numbers.fewest, numbers.large, numbers.sparse = 4, 0, 0
        self.clients = [Client(self.instance.connect()) for _ in range(2)]
        self.looker = Client(self.instance.connect())

    def close(self) -> None:
        numbers = self.instance.store.row_numbers
        self.seen.update(followed=numbers.followed, missed=numbers.missed)
        self.instance.close()

    def fill(self) -> None:
        keys = self.rng.sample(range(KEYS), KEYS * 3 // 4)
        self.insert(self.clients[0], keys)

    def view(self, client: Client) -> dict[int, Row]:
        found: dict[int, Row | None] = {**self.rows, **client.own}
        return {key: row for key, row in found.items() if row is not None}

    def note(self, client: Client, changes: dict[int, Row | None]) -> None:
        client.own.update(changes)
        if not client.is_open:
            self.commit_model(client)

    def commit_model(self, client: Client) -> None:
        self.rows = self.view(client)
        client.own, client.saved, client.is_open = {}, None, False

    def apply(self, client: Client, text: str, changes: dict[int, Row | None], *, count: int) -> None:
        error, counts, _ = client.told(text)
        assert error in (0, LOCKED), (error, text)
        if error:
            self.seen["locked"] += 1
            return
        assert sum(counts) == count, (counts, count, text)
        self.note(client, changes)

    # -- steps -------------------------------------------------------------------------------------------------------

    def some(self, most: int = 40) -> list[int]:
        return self.rng.sample(range(KEYS), self.rng.randrange(1, most))

    def insert(self, client: Client, keys: list[int]) -> None:
        seen = self.view(client)
        new = {key: (self.rng.randrange(1000), f"new {key}") for key in keys if key not in seen}
        if new:
            values = ", ".join(f"({key}, {c}, '{s}')" for key, (c, s) in new.items())
            self.apply(client, f"INSERT INTO t (a, c, s) VALUES {values}", dict(new), count=len(new))

    def update(self, client: Client) -> None:
        keys, value = self.some(), self.rng.randrange(1000)
        changed = {key: (value, row[1]) for key, row in self.view(client).items() if key in keys}
        text = f"UPDATE t SET c = {value} WHERE a IN ({', '.join(map(str, keys))})"
        self.apply(client, text, changed, count=len(changed))

    def update_each(self, client: Client) -> None:
        """Row by row, in one transaction: changes of a redo list become one."""
        seen, keys = self.view(client), self.some(25)
        changed: dict[int, Row] = {key: (self.rng.randrange(1000), f"each {self.rng.random():.9f}") for key in keys}
        texts = [f"UPDATE t SET c = {c}, s = '{s}' WHERE a = {key}" for key, (c, s) in changed.items()]
        if not client.is_open:
            texts = ["SET XACT_ABORT ON; BEGIN TRANSACTION", *texts, "COMMIT; SET XACT_ABORT OFF"]
        else:
            texts = [
                "SAVE TRANSACTION each",
                "BEGIN TRY",
                *texts,
                "END TRY BEGIN CATCH ROLLBACK TRANSACTION each; THROW END CATCH",
            ]
        there = {key: row for key, row in changed.items() if key in seen}
        self.apply(client, "\n".join(texts), dict(there), count=len(there))
        client.told("SET XACT_ABORT OFF")

    def delete(self, client: Client) -> None:
        keys = self.some(12)
        gone = [key for key in self.view(client) if key in keys]
        text = f"DELETE FROM t WHERE a IN ({', '.join(map(str, keys))})"
        self.apply(client, text, dict.fromkeys(gone), count=len(gone))

    def come_back(self, client: Client) -> None:
        """Rows that are deleted and inserted again: other rows, with the keys of those before."""
        keys = [key for key in self.some(12) if key in self.view(client)]
        if not keys:
            return
        values = ", ".join(f"({key}, 7, 'again')" for key in keys)
        text = f"DELETE FROM t WHERE a IN ({', '.join(map(str, keys))}); INSERT INTO t (a, c, s) VALUES {values}"
        if client.is_open:
            text = f"SAVE TRANSACTION back; BEGIN TRY {text} END TRY BEGIN CATCH ROLLBACK TRANSACTION back; THROW END CATCH"
        else:
            text = f"SET XACT_ABORT ON; BEGIN TRANSACTION; {text}; COMMIT"
        self.apply(client, text, dict.fromkeys(keys, (7, "again")), count=2 * len(keys))
        client.told("SET XACT_ABORT OFF")

    def transaction(self, client: Client) -> None:
        if not client.is_open:
            assert client.told("BEGIN TRANSACTION")[0] == 0
            client.is_open = True
            return
        what = self.rng.choice(["COMMIT", "COMMIT", "COMMIT", "ROLLBACK", "SAVE", "BACK"])
        if what == "COMMIT":
            assert client.told("COMMIT")[0] == 0
            self.commit_model(client)
            self.compare()
        elif what == "ROLLBACK":
            assert client.told("ROLLBACK")[0] == 0
            client.own, client.saved, client.is_open = {}, None, False
        elif what == "SAVE" or client.saved is None:
            assert client.told("SAVE TRANSACTION s")[0] == 0
            client.saved = dict(client.own)
        else:
            assert client.told("ROLLBACK TRANSACTION s")[0] == 0
            client.own = dict(client.saved)

    def look(self, client: Client) -> None:
        """In a transaction that has written, DuckDB gets what it has changed so far."""
        assert self.stored(client) == self.view(client)

    def define(self, client: Client) -> None:
        for one in self.clients:
            if one.is_open:
                assert one.told("ROLLBACK")[0] == 0
                one.own, one.saved, one.is_open = {}, None, False
        what = self.rng.choice(["empty", "column", "remake"])
        self.seen[what] += 1
        if what == "empty":
            assert client.told("TRUNCATE TABLE t")[0] == 0
            self.rows = {}
            self.fill()
        elif what == "column" and not self.column:
            self.column = self.rng.choice(
                ["rowid int NOT NULL DEFAULT 3", "RowId varchar(9) NOT NULL DEFAULT 'text'", "e int"]
            )
            assert client.told(f"ALTER TABLE t ADD {self.column}")[0] == 0
        elif what == "remake" or not self.column:
            assert client.told("SELECT a, c, s INTO n FROM t ORDER BY c; DROP TABLE t; EXEC sp_rename 'n', 't'")[0] == 0
            assert (
                client.told("ALTER TABLE t ADD CONSTRAINT p" + str(self.rng.random())[2:] + " PRIMARY KEY (a)")[0] == 0
            )
            self.column = ""
        else:
            error, _, _ = client.told(f"ALTER TABLE t DROP COLUMN {self.column.split()[0]}")
            if error == 0:  # otherwise its DEFAULT depends on it
                self.column = ""

    def checkpoint(self, client: Client) -> None:
        with self.instance.store.scratch() as connection, contextlib.suppress(duckdb.Error):  # somebody writes
            connection.execute("CHECKPOINT")
            self.seen["checkpoint"] += 1

    def spoil(self, client: Client) -> None:
        """What is known of places is wrong from now on."""
        for runs in list(self.instance.store.row_numbers._tables.values()):
            runs.shifts = [shift + self.rng.choice([-3, -1, 1, 2, 5]) for shift in runs.shifts]
            runs.wait = runs.misses = 0

    def reopen(self, client: Client) -> None:
        self.close()
        self._open()
        self.compare()

    def step(self) -> None:
        steps = (
            [self.update] * 5
            + [self.update_each] * 6
            + [self.delete, self.delete, self.come_back, self.look]
            + [self.transaction] * 7
        )
        steps += [self.checkpoint, self.spoil]
        if self.rng.random() < 0.03:
            steps = [self.define, self.define, self.reopen]
        self.rng.choice(steps)(self.rng.choice(self.clients))
        if self.rng.random() < 0.1:
            self.insert(self.rng.choice(self.clients), self.some())

    # -- what is there -----------------------------------------------------------------------------------------------

    def stored(self, client: Client) -> dict[int, Row]:
        error, _, rows = client.told("SELECT a, c, s FROM t")
        assert error == 0 and len(rows) == len({row[0] for row in rows})
        return {a: (c, s) for a, c, s in rows}

    def compare(self) -> None:
        assert self.stored(self.looker) == self.rows


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_rows_that_were_meant(tmp_path, seed):
    world = World(tmp_path / "store.duckdb", random.Random(seed))
    try:
        for _ in range(STEPS):
            world.step()
        for client in world.clients:
            if client.is_open:
                assert client.told("COMMIT")[0] == 0
                world.commit_model(client)
        world.compare()
    finally:
        world.close()
    world._open()
    world.compare()
    world.close()
    assert world.seen["followed"] > 5 and world.seen["missed"] > 0 and world.seen["checkpoint"] > 3, world.seen
