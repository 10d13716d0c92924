"""A process that commits as fast as it can until it is killed. Run by test_sigkill.py, never imported.

Transaction n (counted from `first`) is one of three kinds by n % 3: broker changes alone, a user row alone, both.
Broker part of n: message n arrives, message n - 7 leaves, the endpoint's send_sequence is n, all in one record. User
part: row n. Every line `n` on stdout says: everything up to n was acknowledged. The lines are what a client would have
seen.
"""

from __future__ import annotations

import sys
from uuid import UUID

import log_after  # noqa: F401 - says when there is a broker's log

from sbql.catalog.changes import Definition, InsertRows, storage_name
from sbql.catalog.records import BrokerChange, ConversationEndpoint, DeleteMessage, QueuedMessage
from sbql.catalog.store import Store

LAG = 7
TABLE = storage_name("Shop.dbo", "t")


def broker_part(n: int) -> list[BrokerChange]:
    endpoint = ConversationEndpoint(
        conversation_handle=UUID(int=1), conversation_id=UUID(int=2), is_initiator=True, database_id=5, service_id=1,
        contract_id=6, conversation_group_id=UUID(int=3), state="CO", far_service="//t", far_broker_instance=None,
        lifetime=2e9, send_sequence=n,
    )  # fmt: skip
    arriving = QueuedMessage(
        message_key=n, queue_id=1, database_id=5, status=1, priority=5, queuing_order=n, conversation_handle=UUID(int=1),
        message_sequence_number=n, service_id=1, contract_id=6, message_type_id=14, message_type_name="DEFAULT",
        validation="N", message_body=b"%d" % n, message_id=UUID(int=n).bytes, message_enqueue_time=1.5e9,
    )  # fmt: skip
    changes: list[BrokerChange] = [endpoint, arriving]
    if n > LAG:
        changes.append(DeleteMessage(n - LAG))
    return changes


def main(path: str, first: int, fold_every: int, wait_every: int) -> None:
    store = Store.open(path)
    session = store.connect()
    if first == 1:
        unit = session.begin()
        unit.apply(Definition(f'CREATE SCHEMA "Shop.dbo"; CREATE TABLE {TABLE} ("$rid" BIGINT, n BIGINT)', (TABLE,)))
        unit.commit()
    n = first
    while True:
        kind = n % 3
        broker = broker_part(n) if kind != 1 else []
        if kind == 0:
            lsn = store.submit(broker)
        else:
            unit = session.begin()
            unit.apply(InsertRows(TABLE, ("$rid", "n"), [(n, n)]))
            lsn = unit.commit([], broker)
        if n % wait_every == 0:
            store.wait_durable(lsn)
            sys.stdout.write(f"{n}\n")
            sys.stdout.flush()
        if n % fold_every == 0:
            store.fold()
        n += 1


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]))
