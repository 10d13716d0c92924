"""Consumers beside T-SQL readers in seeded runs with crashes: each message is done exactly once, in order, and what
was delivered reads the same for ever.

A crash is a copy of the files as they are between two steps: what was acknowledged to somebody
is in it. `CONSUMER_SEEDS` runs more.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sbql.catalog.store_file import store_files
from sbql.grammar.errors import SqlError

sys.path.insert(0, str(Path(__file__).parent.parent / "unit" / "streaming"))

from consumer_bench import Bench, Reader

SEEDS = int(os.environ.get("CONSUMER_SEEDS", "3"))
FIRST = int(os.environ.get("CONSUMER_FIRST", "0"))
STEPS = 60
DIALOGS = 5


class Run:
    """A run of `seed`. `sent` and `done` are the books: texts by dialog, in their order."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = random.Random(seed)
        self.folder = folder
        self.bench = Bench(str(folder / "0.duckdb"))
        self._page()
        self.crashes = 0
        self.sent: dict[int, list[str]] = defaultdict(list)
        self.done: dict[int, list[str]] = defaultdict(list)
        self.dropped: set[int] = set()
        self.readers: dict[str, Reader] = {}
        self.seen: dict[tuple[str, int], str] = {}
        """What each number of a log was when it was read first."""

    def _page(self) -> None:
        paging = self.bench.instance.broker.paging
        paging.most_messages, paging.page = 3, 2

    def run(self) -> None:
        acts = [self.send] * 5 + [self.deliver] * 8 + [self.receive] * 3 + [self.restart_reader] * 2
        acts += [self.fold, self.fold, self.release, self.crash, self.reopen, self.abandon]
        for _ in range(STEPS):
            self.chance.choice(acts)()
        self.drain()
        for n, texts in self.sent.items():
            assert self.done[n] == texts, f"dialog {n}"

    # --- acts ----------------------------------------------------------------------------------------------

    def send(self) -> None:
        n = self.chance.randrange(DIALOGS)
        for _ in range(self.chance.choice((1, 1, 3, 8))):
            text = f"{n}:{len(self.sent[n])}"
            self.sent[n].append(text)
            self.bench.talk(n, text)

    def receive(self) -> None:
        self._book(self.bench.receive() if self.chance.random() < 0.5 else self._received(2))

    def _received(self, top: int) -> list[str]:
        rows = self.bench.sql(f"RECEIVE TOP ({top}) CAST(message_body AS nvarchar(100)) FROM work")
        return [text for (text,) in rows]

    def _book(self, texts: list[str]) -> None:
        for text in texts:
            self.done[int(text.split(":")[0])].append(text)

    def reader(self) -> tuple[str, Reader]:
        name = self.chance.choice(("one", "two"))
        if name not in self.readers:
            self.readers[name] = Reader(self.bench, name)
        return name, self.readers[name]

    def deliver(self) -> None:
        """One turn of a query: what it has read before is done, in the books and in the log."""
        name, reader = self.reader()
        start = reader.position
        end = reader.next(
            self.chance.choice((1, 2, 5, 100)), most_bytes=self.chance.choice((None, None, 20)), wanted=self.choice()
        )
        self.look(name, reader, start, end)
        if self.chance.random() < 0.8:  # else the turn fails, and its range is read again
            self.commit(reader, start, end)

    def choice(self) -> dict[str, str] | None:
        """Now and then one conversation or one group alone."""
        if self.chance.random() < 0.7:
            return None
        column = self.chance.choice(("conversation_handle", "conversation_group_id"))
        found = self.bench.sql(
            f"SELECT {column} FROM sys.conversation_endpoints WHERE is_initiator = 0 ORDER BY conversation_id"
        )
        return {column: str(self.chance.choice(found)[0])} if found else None

    def commit(self, reader: Reader, start: int, end: int) -> None:
        texts = reader.texts(start, end)
        reader.call("acknowledge", through=end)
        self._book(texts)
        reader.position = end

    def look(self, name: str, reader: Reader, start: int, end: int) -> None:
        """Every number reads as it did the first time, whatever was asked for."""
        if end == start:
            return
        assert sum(reader.call("begin_range", start=start, end=end, partitions=3)["counts"]) == end - start
        table = reader.table(start, end, with_numbers=True)
        assert table["_seq"].to_pylist() == list(range(start + 1, end + 1))
        for number, body in zip(table["_seq"].to_pylist(), table["message_body"].to_pylist(), strict=True):
            text = body.decode("utf-16le")
            assert self.seen.setdefault((name, number), text) == text
        parts = [reader.texts(start, end, partition=p, partitions=2) for p in range(2)]
        assert sorted(parts[0] + parts[1]) == sorted(reader.texts(start, end))

    def restart_reader(self) -> None:
        """A reader's process dies; the next one continues where the acknowledgements end."""
        name, old = self.reader()
        self.readers[name] = Reader(self.bench, name)
        assert self.readers[name].position == old.position
        with pytest.raises(SqlError, match="later reader"):
            old.next()

    def release(self) -> None:
        name, _ = self.reader()
        self.bench.sql(f"EXEC sp_sbql_release_consumer 'work', '{name}'")
        self.readers[name] = Reader(self.bench, name)
        for key in [key for key in self.seen if key[0] == name and key[1] > self.readers[name].position]:
            del self.seen[key]

    def abandon(self) -> None:
        """An explicit transaction receives, and is rolled back."""
        self.bench.sql("BEGIN TRAN; RECEIVE TOP (3) * FROM work; ROLLBACK")
        self.bench.sql("ALTER QUEUE work WITH STATUS = ON")

    def fold(self) -> None:
        self.bench.instance.store.fold_and_release()

    def reopen(self) -> None:
        self.bench.reopen()
        self._again()

    def crash(self) -> None:
        self.crashes += 1
        path = self.folder / f"{self.crashes}.duckdb"
        with self.bench.instance.store.standing_still():
            for file, copy in zip(store_files(self.bench.store), store_files(str(path)), strict=True):
                with suppress(FileNotFoundError):
                    shutil.copy(file, copy)
        self.bench.instance.close()
        self.bench.store = str(path)
        self.bench.open("d")
        self._again()

    def _again(self) -> None:
        self._page()
        before, self.readers = self.readers, {}
        for name, old in before.items():
            self.readers[name] = Reader(self.bench, name)
            assert self.readers[name].position == old.position, "acknowledged is acknowledged"

    def drain(self) -> None:
        self.bench.sql("ALTER QUEUE work WITH STATUS = ON")
        for name in ("one", "two"):
            reader = self.readers[name] = Reader(self.bench, name)
            while True:
                start = reader.position
                end = reader.next(7)
                if end == start:
                    break
                self.look(name, reader, start, end)
                self.commit(reader, start, end)
        held: list[Any] = self.bench.sql("SELECT sum(held) FROM sys.dm_sbql_consumers")
        assert held == [(0,)]
        assert self.bench.peek() == []
        self.bench.instance.close()


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_each_message_is_done_once_and_in_order(seed: int, tmp_path: Path) -> None:
    Run(seed, tmp_path).run()
