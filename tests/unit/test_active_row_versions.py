"""MIN_ACTIVE_ROWVERSION: whoever reads all rows below it, and later those from it on, misses none.

(Documentation: "MIN_ACTIVE_ROWVERSION": the lowest version that is in use and not committed, else @@DBTS + 1.)
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

WRITES = {
    "INSERT": "INSERT t (a) VALUES (1)",
    "a set": "INSERT t (a) SELECT value FROM GENERATE_SERIES(1, 3000)",
    "UPDATE": "UPDATE t SET a = a + 1 WHERE a = 0",
    "UPDATE of many": "UPDATE t SET a = a + 1 WHERE a >= 10",
    "MERGE": "MERGE t USING (VALUES (0), (5)) s (a) ON t.a = s.a WHEN MATCHED THEN UPDATE SET a = 7 WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a);",
    "a #table": "CREATE TABLE #x (a int, v rowversion); INSERT #x (a) VALUES (1)",
    "two": "INSERT t (a) VALUES (1); UPDATE t SET a = 2 WHERE a = 1",
}
ENDS = {
    "COMMIT": "COMMIT", "ROLLBACK": "ROLLBACK", "an error": "SET XACT_ABORT ON; SELECT 1 / 0", "closed": None, "a savepoint first": "SAVE TRANSACTION s; INSERT t (a) VALUES (9); ROLLBACK TRANSACTION s; COMMIT",
}  # fmt: skip


@pytest.fixture
def sessions() -> Iterator[tuple[Session, Session]]:
    instance = Instance.open(clock="virtual", seed=1)
    made = "CREATE TABLE t (a int, v rowversion); INSERT t (a) VALUES (0); INSERT t (a) SELECT value FROM GENERATE_SERIES(10, 2000); CREATE TABLE u (a int, v rowversion)"
    session = instance.connect()
    assert told(session, made) == []
    yield session, instance.connect()
    instance.close()


def least(session: Session) -> int:
    ((found,),) = told(session, "SELECT CAST(MIN_ACTIVE_ROWVERSION() AS bigint)")
    return int(found)


def last(session: Session) -> int:
    ((found,),) = told(session, "SELECT CAST(@@DBTS AS bigint)")
    return int(found)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("write", WRITES)
def test_it_is_that_of_the_first_open_write(sessions: tuple[Session, Session], write: str, end: str) -> None:
    one, other = sessions
    before = last(one)
    assert least(one) == least(other) == before + 1
    assert told(one, f"BEGIN TRANSACTION; {WRITES[write]}") == []
    assert last(other) > before and least(one) == least(other) == before + 1
    assert told(other, "INSERT u (a) VALUES (1); INSERT u (a) VALUES (2)") == []
    assert least(other) == before + 1
    if (text := ENDS[end]) is None:
        one.close()
    else:
        told(one, text)
    assert least(other) == last(other) + 1


def test_of_several_it_is_the_lowest(sessions: tuple[Session, Session]) -> None:
    one, other = sessions
    before = last(one)
    assert told(one, "BEGIN TRANSACTION; INSERT t (a) VALUES (1)") == []
    assert told(other, "BEGIN TRANSACTION; INSERT u (a) VALUES (1)") == []
    assert least(one) == before + 1
    assert told(one, "COMMIT") == []
    assert least(one) == before + 2
    assert told(other, "ROLLBACK") == []
    assert least(one) == last(one) + 1


def test_each_statement_outside_a_transaction_is_one(sessions: tuple[Session, Session]) -> None:
    one, _ = sessions
    assert told(one, "CREATE TABLE log (least bigint, own bigint)") == []
    assert (
        told(
            one,
            "CREATE TRIGGER r ON t AFTER INSERT AS INSERT log SELECT CAST(MIN_ACTIVE_ROWVERSION() AS bigint), CAST(MIN(v) AS bigint) FROM inserted",
        )
        == []
    )
    assert told(one, "INSERT t (a) VALUES (3); INSERT t (a) VALUES (4)") == []
    assert told(one, "SELECT least - own FROM log") == [(0,), (0,)]
