"""Commits of tables alone, which have no record of the broker: after records that the disk has refused,
and when Ctrl+C comes in the middle.

The interrupts are raised behind the very call that has just been done, where a signal may come between two lines.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from told import told

from sbql.catalog.functions import FunctionsInTransaction
from sbql.catalog.store_port import StorePort
from sbql.catalog.store_session import StoreSession
from sbql.catalog.unit_of_work import UnitOfWork
from sbql.engine.instance import Instance

SETUP = "CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]); CREATE TABLE t (id int PRIMARY KEY, v int)"
SEND = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('x')"


class Port(StorePort):
    """Of a disk that takes no records for a while."""

    is_full = False

    def call(self, kind: Any, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if self.is_full and kind == "journal":
            raise OSError(28, "No space left on device")
        return work(*args, **kwargs)


def test_a_commit_of_tables_does_not_answer_for_records_that_were_lost_before(tmp_path: Path) -> None:
    port = Port()
    instance = Instance.open(str(tmp_path / "s.duckdb"), port=port)
    session, other = instance.connect(), instance.connect()
    told(session, "CREATE DATABASE d")
    for each in (session, other):
        told(each, "USE d")
    assert told(session, SETUP) == [] == told(session, SEND)
    port.is_full = True
    assert told(session, SEND) != []
    port.is_full = False
    for number, each in enumerate([session, other] * 2):
        assert told(each, f"INSERT t VALUES ({number}, 1)") == []
    assert told(session, "SELECT COUNT(*) FROM t") == [(4,)]
    assert told(session, SEND) == []
    instance.close()


@pytest.mark.parametrize("behind", ["DuckDB's commit", "the stamps"])
@pytest.mark.parametrize("write", ["UPDATE t SET v = -9 WHERE id = 9", "UPDATE t SET v = -9 WHERE id + 0 = 9"])
def test_what_an_interrupted_commit_has_written_is_found_by_everybody(monkeypatch: pytest.MonkeyPatch, behind: str, write: str) -> None:  # fmt: skip
    """By its key too, under which it was remembered; and whoever writes next finds an end of looking again."""
    instance = Instance.open(None)
    session, other = instance.connect(), instance.connect()
    told(
        session,
        "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT t SELECT value, value FROM GENERATE_SERIES(1, 3000)",
    )
    for _ in range(3):
        assert told(other, "SELECT v FROM t WHERE id = 9") == [(9,)]
    with monkeypatch.context() as patched:
        target, name = (
            (UnitOfWork, "_write_and_commit") if behind == "DuckDB's commit" else (instance.store, "committed")
        )
        done, left = getattr(target, name), [1]

        def interrupted(*args: Any) -> None:
            done(*args)
            if left:
                left.pop()
                raise KeyboardInterrupt

        patched.setattr(target, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.run(write)
    assert told(other, "SELECT v FROM t WHERE id = 9") == told(other, "SELECT v FROM t WHERE id + 0 = 9") == [(-9,)]
    assert told(other, "UPDATE t SET v = v - 1 WHERE id = 9; SELECT v FROM t WHERE id = 9") == [(-10,)]
    instance.close()


@pytest.mark.parametrize("where", ["behind DuckDB's BEGIN", "before DuckDB's ROLLBACK"])
def test_who_was_interrupted_leaves_no_transaction_of_duckdb_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:  # fmt: skip
    """What the session commits next would be in it: told, found by itself alone, and gone with the process."""
    instance = Instance.open(str(tmp_path / "s.duckdb"))
    session, other = instance.connect(), instance.connect()
    told(session, "CREATE TABLE t (id int PRIMARY KEY, v int)")
    target, name = (FunctionsInTransaction, "begin") if "BEGIN" in where else (StoreSession, "roll_back")
    done, left = getattr(target, name), [True]

    def interrupted(*args: Any) -> None:
        if left:
            left.pop()
            raise KeyboardInterrupt
        done(*args)

    with monkeypatch.context() as patched:
        patched.setattr(target, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.run("BEGIN TRANSACTION; INSERT t VALUES (1, 1), (2, 2); SELECT COUNT(*) FROM t WHERE v > 0; ROLLBACK")  # fmt: skip
    told(session, "IF @@TRANCOUNT > 0 ROLLBACK")
    assert told(session, "INSERT t VALUES (3, 3); INSERT t VALUES (4, 4), (5, 5)") == []
    for each in (session, other):
        assert told(each, "SELECT id FROM t ORDER BY v") == [(3,), (4,), (5,)]
    instance.close()
