"""A writer of batches in bulk, until it is killed. Run by test_killed_bulk.py, never imported.

Batch n has ROWS messages `n:0`, `n:1`, … spread over DIALOGS dialogs, half of them new in every batch, and ended by it.
While it is written another session sends a message of its own, one a batch. Every line `n` on stdout says that the
commit of batch n was acknowledged.
"""

from __future__ import annotations

import sys
from typing import Any

import log_after  # noqa: F401 - says when there is a broker's log
import pyarrow as pa

from sbql.catalog.staging import STAGED_COLUMNS
from sbql.engine.durability import wait_durable
from sbql.engine.instance import Instance
from sbql.engine.operations import OPERATIONS, Call
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

ROWS, DIALOGS = 1200, 40
SETUP = """
CREATE DATABASE Crash
GO
USE Crash
GO
CREATE QUEUE front_queue
CREATE QUEUE back_queue
CREATE SERVICE front ON QUEUE front_queue ([DEFAULT])
CREATE SERVICE back ON QUEUE back_queue ([DEFAULT])
CREATE TABLE own (h uniqueidentifier)
GO
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE front TO SERVICE 'back' WITH ENCRYPTION = OFF
INSERT own VALUES (@h)
GO
"""
OWN = "DECLARE @h uniqueidentifier = (SELECT h FROM own); SEND ON CONVERSATION @h (N'own:{n}');"
TO_BACK = {"from": "front", "to": "back", "contract": "DEFAULT", "encryption": False}


def run(session: Session, text: str) -> None:
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            sys.exit(str(outcome.error))


def rows(n: int) -> pa.Table:
    """Half of the dialogs are those of every batch, the others this batch's own, which it ends."""
    keys = [str(k) if (k := i % DIALOGS) < DIALOGS // 2 else f"{n}-{k}" for i in range(ROWS)]
    known: dict[str, list[Any]] = {
        "conversation_key": keys,
        "message_body": [f"{n}:{i}".encode("utf-16le") for i in range(ROWS)],
        "end_conversation": [i >= ROWS - DIALOGS and "-" in key for i, key in enumerate(keys)],
    }
    kinds = {"message_body": pa.binary(), "end_conversation": pa.bool_()}
    names = [name for name, _ in STAGED_COLUMNS]
    return pa.table({
        name: pa.array(known.get(name, [None] * ROWS), kinds.get(name, pa.string())) for name in names
    })  # fmt: skip


def write(instance: Instance, session: Session, n: int) -> None:
    asked = {"writer": "bulk", "version": n}
    key = OPERATIONS["sink.stage"].run(Call(session, asked, rows(n).to_reader()))["key"]
    request = {**asked, "keys": [key], "database": "Crash", "dialogs": TO_BACK}
    instance.driver.run(OPERATIONS["sink.commit"].run(Call(session, request)), session)
    wait_durable(session)


def main(path: str, first: int) -> None:
    instance = Instance.open(path)
    assert instance.store.bulk.many < ROWS
    session, other = instance.connect(), instance.connect()
    if first == 1:
        for batch in SETUP.split("\nGO\n"):
            run(session, batch)
    session.use("Crash")
    other.use("Crash")
    n = first
    while True:
        run(other, OWN.format(n=n))
        write(instance, session, n)
        sys.stdout.write(f"{n}\n")
        sys.stdout.flush()
        n += 1


main(sys.argv[1], int(sys.argv[2]))
