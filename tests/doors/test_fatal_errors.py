"""An error of severity 20 or more ends the session. Whoever has sent the batch knows it when the answer is there, in
every way in; it needs no later sign."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest

import sbql

Connect = Callable[[], sbql.Connection]


def test_the_session_is_over_when_its_answer_is_there(connect: Connect) -> None:
    for severity in (19, 20, 25) * 8:  # in the way by TDS the closing came behind the answer, now and then late
        with contextlib.closing(connect()) as connection:
            with pytest.raises(sbql.Error) as told:
                connection.execute(f"RAISERROR('x', {severity}, 1) WITH LOG")
            assert (told.value.number, told.value.severity) == (
                50000,
                severity,
            )  # what was raised, not what is told before
            assert [one.number for one in told.value.errors] == [50000] if severity < 20 else [2745, 50000, 596]
            assert connection.session.is_ended == (severity >= 20)


def test_nothing_is_committed_behind_it(connect: Connect) -> None:
    with contextlib.closing(connect()) as watcher, contextlib.closing(connect()) as connection:
        watcher.execute("DROP TABLE IF EXISTS dbo.t; CREATE TABLE dbo.t (n int)")
        connection.execute("BEGIN TRANSACTION; INSERT INTO dbo.t VALUES (1)")
        with pytest.raises(sbql.Error):
            connection.execute("RAISERROR('x', 20, 1) WITH LOG")
        for call in (connection.commit, connection.rollback, lambda: connection.execute("SELECT 1")):
            with pytest.raises(sbql.Error):
                call()
        assert watcher.execute("SELECT n FROM dbo.t").fetchall() == []
