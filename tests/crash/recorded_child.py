"""A process that commits, folds, checkpoints and opens its store again while it is recorded. Run by
test_power_failure.py, never imported.

The transactions are those of streaming_child.py; every line `n` on stdout says that
everything up to n was acknowledged.
"""

from __future__ import annotations

import os
import sys

import log_after  # noqa: F401 - says when there is a broker's log
from streaming_child import TABLE, broker_part

from sbql.catalog.changes import Definition, InsertRows
from sbql.catalog.store import Store


def main(path: str, rounds: int, turns: int) -> None:
    n = 0
    for turn in range(rounds):
        store = Store.open(path)
        session = store.connect()
        if not turn:
            unit = session.begin()
            unit.apply(
                Definition(f'CREATE SCHEMA "Shop.dbo"; CREATE TABLE {TABLE} ("$rid" BIGINT, n BIGINT)', (TABLE,))
            )
            unit.commit()
        for step in range(1, turns + 1):
            n += 1
            broker = broker_part(n) if n % 3 != 1 else []
            if n % 3 == 0:
                lsn = store.submit(broker)
            else:
                unit = session.begin()
                unit.apply(InsertRows(TABLE, ("$rid", "n"), [(n, n)]))
                lsn = unit.commit([], broker)
            if n % 2 == 0:
                store.wait_durable(lsn)
                os.write(1, b"%d\n" % n)
            if step % 8 == 0:
                store.fold()
            if step == turns // 2:
                with store.scratch() as connection:
                    connection.execute("CHECKPOINT sbql_store")
        if turn + 1 < rounds:
            store.close()
    os._exit(9)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:4]))
