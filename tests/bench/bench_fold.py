"""What the fold costs: processor time a journal record, of records as SENDs and RECEIVEs leave them.

    python tests/bench/bench_fold.py [records] [--json FILE]

Three stretches of the journal: messages that stay, messages that were received meanwhile, and dialogs that began and
ended meanwhile. Each is written to a store on disk in a fresh folder and folded; the best of five. Then SELECT COUNT(*)
of a queue, when 15,000 messages have just been sent, and again.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from uuid import UUID, uuid4

from sbql.catalog.records import (
    ConversationEndpoint,
    ConversationGroup,
    DeleteEndpoint,
    DeleteGroup,
    DeleteMessage,
    QueuedMessage,
)
from sbql.catalog.records.broker import BrokerChange
from sbql.catalog.store import Store

sys.path.insert(0, str(Path(__file__).parent))
from bench_broker import BODY, Bench
from statements import run

ROUNDS = 5
Transactions = Iterable[list[BrokerChange]]


def endpoint(handle: UUID, conversation: UUID, group: UUID, number: int, *, is_initiator: bool) -> ConversationEndpoint:
    return ConversationEndpoint(
        handle, conversation, is_initiator, 5, 65537, 65536, group, "CO", "//bench/target", UUID(int=1), 4e9,
        send_sequence=number, contract_name="//bench/contract",
    )  # fmt: skip


def message(key: int, handle: UUID) -> QueuedMessage:
    return QueuedMessage(
        key,
        65540,
        5,
        1,
        5,
        key,
        handle,
        key,
        65537,
        65536,
        65536,
        "//bench/item",
        "N",
        b"A" * 100,
        uuid4().bytes,
        1.8e9,
    )


class Traffic:
    """Transactions as two busy dialogs, or many short ones, make them."""

    def __init__(self) -> None:
        self.key = 0
        self.dialogs = [(uuid4(), uuid4(), uuid4(), uuid4()) for _ in range(2)]

    def send(self, dialog: tuple[UUID, UUID, UUID, UUID]) -> list[BrokerChange]:
        one, other, conversation, group = dialog
        self.key += 1
        return [
            endpoint(one, conversation, group, self.key, is_initiator=True),
            endpoint(other, conversation, group, self.key, is_initiator=False),
            message(self.key, other),
        ]

    def staying(self, count: int) -> Transactions:
        for n in range(count):
            yield self.send(self.dialogs[n % 2])

    def received(self, count: int) -> Transactions:
        for n in range(0, count, 200):
            first = self.key + 1
            for _ in range(min(200, count - n)):
                yield self.send(self.dialogs[n % 2])
            yield [DeleteMessage(key) for key in range(first, self.key + 1)]

    def short_dialogs(self, count: int) -> Transactions:
        for _ in range(count // 4):
            one, other, conversation, group = dialog = (uuid4(), uuid4(), uuid4(), uuid4())
            yield [ConversationGroup(group, 5, 65537), endpoint(one, conversation, group, 0, is_initiator=True)]
            yield self.send(dialog)
            yield [DeleteMessage(self.key), endpoint(other, conversation, group, 1, is_initiator=False)]
            yield [DeleteGroup(group, 5), DeleteEndpoint(one, 5), DeleteEndpoint(other, 5)]


def best(folder: Path, count: int, make: Callable[[Traffic, int], Transactions]) -> float:
    """Microseconds of processor time of the fold for each record."""
    found = []
    for turn in range(ROUNDS):
        traffic = Traffic()
        with Store.open(folder / f"{make.__name__}{turn}.duckdb") as store:
            for changes in make(traffic, 10):  # so that nothing is first
                store.submit(changes)
            store.fold()
            first = store.last_lsn
            for changes in make(traffic, count):
                store.submit(changes)
            store.wait_durable(store.last_lsn)
            start = time.process_time()
            store.fold()
            found.append((time.process_time() - start) / (store.last_lsn - first))
    return min(found) * 1e6


def counts(folder: Path, count: int) -> dict[str, float]:
    """Milliseconds of processor time of SELECT COUNT(*) of a queue after SENDs that no fold has moved,
    again, and after a hundred more."""
    bench = Bench(folder, "counts")
    handle = bench.handle(bench.session)
    send = f"SEND ON CONVERSATION '{handle}' MESSAGE TYPE [//bench/item] ({BODY})"
    figures = {}
    for title, more in (("the first COUNT(*)", count), ("the next", 0), ("after 100 more", 100)):
        run(bench.session, f"DECLARE @i int = 0; WHILE @i < {more} BEGIN {send}; SET @i += 1; END")
        start = time.process_time()
        run(bench.session, "SELECT COUNT(*) FROM TargetQueue")
        figures[title] = (time.process_time() - start) * 1e3
    bench.close()
    return figures


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument(
        "records", nargs="?", type=int, default=19_000, help="fewer than start a fold in the background"
    )
    arguments.add_argument("--json", type=Path)
    given = arguments.parse_args()
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for title, make in (
            ("messages that stay", Traffic.staying),
            ("messages that were received", Traffic.received),
            ("dialogs that began and ended", Traffic.short_dialogs),
        ):
            figures[title] = took = best(Path(folder), given.records, make)
            print(f"{title:32} {took:8.2f} µs a record {1e6 / took:12,.0f} records/s")
        for title, took in counts(Path(folder), 15_000).items():
            figures[title] = took
            print(f"{title:32} {took:8.2f} ms")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
