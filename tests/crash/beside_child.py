"""A process of two threads, recorded by test_beside.py and never imported: one commits tables alone, the other messages
alone, and each writes down what it has seen of the other.

Commit k of the tables is ROWS rows (k, seen): so many messages were submitted before. Message n says how many commits
its sender has read in the table. A line `r k` or `m n` on stdout: acknowledged up to there.
"""

from __future__ import annotations

import os
import sys
import threading
from uuid import UUID

import log_after  # noqa: F401 - says when there is a broker's log

from sbql.catalog.changes import Definition, InsertRows, storage_name
from sbql.catalog.records import QueuedMessage
from sbql.catalog.store import Store

TABLE = storage_name("Shop.dbo", "t")
ROWS = 300


def message(n: int, seen: int) -> QueuedMessage:
    return QueuedMessage(
        message_key=n, queue_id=1, database_id=5, status=1, priority=5, queuing_order=n, conversation_handle=UUID(int=1),
        message_sequence_number=n, service_id=1, contract_id=6, message_type_id=14, message_type_name="DEFAULT",
        validation="N", message_body=b"%d" % seen, message_id=UUID(int=n).bytes, message_enqueue_time=1.5e9,
    )  # fmt: skip


class Child:
    def __init__(self, path: str) -> None:
        self.store = Store.open(path)
        self.submitted = 0
        self.is_over = False
        unit = self.store.connect().begin()
        columns = '"$rid" BIGINT, k BIGINT, seen BIGINT'
        unit.apply(Definition(f'CREATE SCHEMA "Shop.dbo"; CREATE TABLE {TABLE} ({columns})', (TABLE,)))
        unit.commit()

    def send(self) -> None:
        session = self.store.connect()
        n = 0
        while not self.is_over:
            n += 1
            ((seen,),) = session.begin().query(f"SELECT coalesce(max(k), 0) FROM {TABLE}")
            lsn = self.store.submit([message(n, seen)])
            self.submitted = n
            if n % 3 == 0:
                self.store.wait_durable(lsn)
                os.write(1, b"m %d\n" % n)

    def write(self, commits: int) -> None:
        session = self.store.connect()
        for k in range(1, commits + 1):
            unit = session.begin()
            rows = [(k * ROWS + i, k, self.submitted) for i in range(ROWS)]
            unit.apply(InsertRows(TABLE, ("$rid", "k", "seen"), rows))
            unit.commit()
            os.write(1, b"r %d\n" % k)
            if k % 20 == 0:
                self.store.fold()


def main(path: str, commits: int) -> None:
    child = Child(path)
    sender = threading.Thread(target=child.send)
    sender.start()
    child.write(commits)
    child.is_over = True
    sender.join()
    os._exit(9)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
