"""BACKUP, RESTORE and BULK INSERT that are cancelled in the middle leave nothing behind, and can be begun again."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultSet

TABLES = "".join(f"CREATE TABLE T{n} (a int); INSERT INTO T{n} VALUES (1), (2);" for n in range(4))


@pytest.mark.parametrize(
    "statement",
    [
        "BACKUP DATABASE Shop TO DISK = '{new}' WITH STATS = 25",
        "RESTORE DATABASE Copy FROM DISK = '{old}' WITH STATS = 25, MOVE 'Shop' TO 'c.mdf', MOVE 'Shop_log' TO 'c.ldf'",
    ],
)
def test_nothing_is_left(statement: str, tmp_path: Path) -> None:
    old, new = tmp_path / "old.bak", tmp_path / "new.bak"
    text = statement.format(old=old, new=new)
    instance = Instance.open(str(tmp_path / "shop.duckdb"), clock="virtual", seed=0)
    try:
        session = instance.connect()
        for batch in (
            f"CREATE DATABASE Shop; USE Shop; {TABLES}",
            f"BACKUP DATABASE Shop TO DISK = '{old}'; USE master",
        ):
            assert not [one for one in session.run(batch) if isinstance(one, ErrorOutcome)]
        told: list[tuple[str | int, int]] = []

        def sink(outcome: Outcome) -> None:
            what = outcome.error.number if isinstance(outcome, ErrorOutcome) else getattr(outcome, "text", "")
            told.append((what, session.percent_complete))
            if len(told) == 2:
                session.cancel()

        session.run(text, sink=sink)
        assert told == [("25 percent processed.", 25), ("50 percent processed.", 50), (3617, 0)]
        assert {path.name for path in tmp_path.glob("*.bak*")} == {"old.bak"}
        found = session.run("SELECT name FROM sys.databases WHERE name = 'Copy'")
        assert found[0].rows == []  # type: ignore[union-attr]
        again = [one.text for one in session.run(text) if isinstance(one, InfoMessage)]
        assert again[:4] == [f"{percent} percent processed." for percent in (25, 50, 75, 100)]
        assert len(again) == 6
        assert session.percent_complete == 0
    finally:
        instance.close()


def test_a_bulk_insert_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "rows.txt"
    file.write_text("".join(f"{n:07}\n" for n in range(4096)))
    instance = Instance.open(None, clock="virtual", seed=0)
    try:
        session = instance.connect()
        session.run("CREATE TABLE T (a int)")
        told: list[int] = []
        get_on = session.gets_on

        def gets_on(percent: int) -> None:
            told.append(percent)
            get_on(percent)
            if len(told) == 2:
                session.cancel()

        monkeypatch.setattr(session, "gets_on", gets_on)
        load = f"BULK INSERT T FROM '{file}'"
        (outcome,) = session.run(load)
        assert isinstance(outcome, ErrorOutcome)
        assert outcome.error.number == 3617
        assert told == [25, 50, 100]
        assert session.percent_complete == 0
        told[:] = [0, 0]
        session.run(load)
        assert told[2:] == [25, 50, 75, 100, 100]
        assert session.run("SELECT COUNT(*) FROM T")[0].rows == [(4096,)]  # type: ignore[union-attr]
    finally:
        instance.close()


def test_another_session_sees_how_far_a_backup_is(tmp_path: Path) -> None:
    instance = Instance.open(str(tmp_path / "shop.duckdb"))
    seen, looked = threading.Event(), threading.Event()
    try:
        session, other = instance.connect(), instance.connect()
        session.run(f"CREATE DATABASE Shop; USE Shop; {TABLES}")

        def sink(outcome: Outcome) -> None:
            if getattr(outcome, "text", "").startswith("50 percent"):
                seen.set()
                assert looked.wait(20)

        backup = f"BACKUP DATABASE Shop TO DISK = '{tmp_path / 'shop.bak'}' WITH STATS = 25"
        working = threading.Thread(target=lambda: session.run(backup, sink=sink))
        working.start()
        assert seen.wait(20)
        question = (
            f"SELECT status, command, percent_complete FROM sys.dm_exec_requests WHERE session_id = {session.spid}"
        )
        found = [outcome.rows for outcome in other.run(question) if isinstance(outcome, ResultSet)]
        looked.set()
        working.join(20)
        assert [[tuple(row) for row in rows] for rows in found] == [[("running", "BACKUP", 50.0)]]
        after = [outcome.rows for outcome in other.run(question) if isinstance(outcome, ResultSet)]
        assert after == [[]]
    finally:
        looked.set()
        instance.close()


def test_a_late_interrupt_never_meets_the_next_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who cancels asks again until the batch has stopped; the next one begins when nobody asks any more."""
    instance = Instance.open(None)
    try:
        session = instance.connect()
        asked, begun, met = threading.Event(), threading.Event(), []

        def slow_interrupt(store: object) -> None:
            if threading.current_thread().name == "sbql-cancel":
                asked.set()
                met.append(begun.wait(0.3))

        def cancel(outcome: Outcome) -> None:
            if isinstance(outcome, InfoMessage):
                session.cancel()
                assert asked.wait(20)

        monkeypatch.setattr(type(session.store), "interrupt", slow_interrupt)
        loop = "PRINT 'here'; WHILE 1 = 1 SET ROWCOUNT 0"
        session.run(loop, sink=cancel)
        found = session.run("SELECT 1", sink=lambda outcome: begun.set())
        assert not [outcome for outcome in found if isinstance(outcome, ErrorOutcome)]
        assert met and not any(met)
    finally:
        instance.close()
