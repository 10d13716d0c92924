"""When `close` returns the session is over at its server, in every way in: its transaction is rolled back, its locks
are free, and its database can be dropped."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

import pytest

import sbql
from sbql.engine.session import Session

Connect = Callable[[], sbql.Connection]


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rollback takes a while: who does not wait for it is sure to come too early."""
    roll_back = Session.rollback_transaction

    def slow(session: Session) -> None:
        if session.transaction is not None:
            threading.Event().wait(0.1)
        roll_back(session)

    monkeypatch.setattr(Session, "rollback_transaction", slow)


@pytest.mark.usefixtures("slowly")
def test_nothing_is_left_of_a_session_that_was_closed(connect: Connect) -> None:
    others = "SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE is_user_process = 1 AND session_id <> @@SPID"
    with contextlib.closing(connect()) as watcher:
        (before,) = watcher.execute(others).fetchone() or ()
        for _ in range(4):
            watcher.execute("CREATE DATABASE Shop; CREATE TABLE Shop.dbo.t (n int)")
            leaving = connect()
            leaving.execute(
                "USE Shop; EXEC sp_getapplock 'a', 'Exclusive', 'Session'; BEGIN TRANSACTION; INSERT t VALUES (1)"
            )
            leaving.close()
            assert watcher.execute(others).fetchall() == [(before,)]
            assert watcher.execute(
                "SET LOCK_TIMEOUT 0; SELECT COUNT(*) FROM Shop.dbo.t WITH (TABLOCKX)"
            ).fetchall() == [(0,)]
            watcher.execute("DROP DATABASE Shop")
