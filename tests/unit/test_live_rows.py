"""Rows of live relations are instances of their relation's class, so that no column is
filled from its neighbour's value."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.catalog.live_relations import LIVE_RELATIONS, LIVE_ROWS
from sbql.engine.instance import Instance
from sbql.engine.session import Session

BATCHES = (
    "CREATE DATABASE Shop",
    "USE Shop",
    "CREATE TABLE t (a int IDENTITY CHECK (a > 0), b AS a + 1)",
    "CREATE VIEW v AS SELECT a FROM t",
    "CREATE PROCEDURE p @a int = 1 AS SELECT a FROM t",
    "CREATE PROCEDURE work AS WAITFOR DELAY '00:00:01'",
    "CREATE SEQUENCE s AS bigint START WITH 1",
    "INSERT INTO t DEFAULT VALUES",
    "CREATE QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.work, MAX_QUEUE_READERS = 1, EXECUTE AS SELF)",
    "CREATE SYMMETRIC KEY k WITH ALGORITHM = AES_256 ENCRYPTION BY PASSWORD = 'Secret-123'",
    "OPEN SYMMETRIC KEY k DECRYPTION BY PASSWORD = 'Secret-123'",
    "EXEC sp_addmessage 50001, 16, N'text'",
    "BEGIN TRANSACTION; EXEC sp_getapplock 'here', 'Exclusive'; SELECT NEXT VALUE FOR s",
)
NONE_HERE = {
    "live_activated_tasks", "live_broker_connections", "live_consumers", "live_forwarded_messages", "live_query_subscriptions", "live_requests", "live_waiting_tasks",
}  # fmt: skip
"""Of these there is a row only while somebody works or waits, which tests/sql/views shows, while a client watches a
query (tests/unit/subscriptions), or while instances talk to each other: tests/simulation."""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None, clock="virtual")
    session = instance.connect()
    for batch in BATCHES:
        session.run(batch)
    yield session
    instance.close()


@pytest.mark.parametrize("name", LIVE_RELATIONS)
def test_rows_are_made_by_the_class_of_the_relation(name: str, session: Session) -> None:
    rows = list(session.instance.live_rows(name, session))
    assert all(type(row) is LIVE_ROWS[name] for row in rows)
    assert rows or name in NONE_HERE
