"""The error log is kept in the store: over restarts, over a killed process, in cycles, and within bounds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sbql
from sbql.engine.error_log import ErrorLog, LogRecord


def texts(store: str, log: int = 0) -> list[str]:
    with sbql.connect(store) as connection:
        return [row[2] for row in connection.execute(f"EXEC sp_readerrorlog {log}").fetchall()]


def say(store: str, text: str, then: str = "") -> None:
    with sbql.connect(store) as connection:
        connection.execute(f"RAISERROR (N'{text}', 10, 1) WITH LOG; {then}")


def test_lines_from_before_the_store_was_opened_are_shown(tmp_path: Path) -> None:
    store = str(tmp_path / "s.duckdb")
    for text in ("one", "two", "three"):
        say(store, text)
    words = [text.rsplit(None, 1)[-1] for text in texts(store)]
    assert [word for word in words if word in ("one", "two", "three")] == ["one", "two", "three"]


def test_a_new_log_leaves_the_old_one_behind(tmp_path: Path) -> None:
    store = str(tmp_path / "s.duckdb")
    for number in range(8):
        say(store, f"entry {number}", "EXEC sp_cycle_errorlog")
    assert not any("entry" in text for text in texts(store))
    for age in range(1, 7):
        assert any(text.endswith(f"entry {8 - age}") for text in texts(store, age))
    assert texts(store, 7) == []
    assert not any("entry 0" in text for age in range(7) for text in texts(store, age))


def test_lines_are_written_many_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each write is one that commits wait for: procedures that print much must not hold up what they answer."""
    with sbql.connect(str(tmp_path / "s.duckdb")) as connection:
        instance, written = connection.instance, []
        write = type(instance.store).write_log
        monkeypatch.setattr(
            type(instance.store),
            "write_log",
            lambda store, lines, **how: (written.append(len(lines)), write(store, lines, **how)),
        )
        for number in range(50):
            instance.log(50000 + number, f"line {number}")
        until = time.monotonic() + 30
        while instance.error_log.unsaved()[0] and time.monotonic() < until:
            time.sleep(0.01)
    assert sum(written) >= 50
    assert len(written) <= 10, written


def test_what_was_logged_outlives_a_killed_process(tmp_path: Path) -> None:
    """The broker's background work writes it down, soon after it was said."""
    store = str(tmp_path / "s.duckdb")
    program = f"""
import sys, sbql
connection = sbql.connect({store!r})
connection.execute("RAISERROR (N'last words', 10, 1) WITH LOG")
instance = connection.instance
while instance.error_log.unsaved()[0]:
    pass
print("said", flush=True)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "said\n"
        os.kill(process.pid, signal.SIGKILL)
    assert any("last words" in text for text in texts(store))


def test_the_log_is_bounded() -> None:
    """10,000 lines in memory; what is kept is written anew when it has grown to twice that."""
    log = ErrorLog()
    kept: list[object] = []
    for number in range(45_000):
        log.write(LogRecord(float(number), number, "text", "server"))
        if number % 500 == 499:
            lines, is_anew, mark = log.unsaved()
            kept = [*lines] if is_anew else [*kept, *lines]
            log.saved(len(lines), is_anew, mark)
    assert len(log) == 10_000
    assert len(kept) <= 20_500
    again = ErrorLog()
    again.load(kept)  # type: ignore[arg-type]
    assert [record.number for record in again] == list(range(35_000, 45_000))


def test_only_a_sysadmin_begins_a_new_log(tmp_path: Path) -> None:
    with sbql.connect() as connection:
        connection.execute("CREATE LOGIN lesser WITH PASSWORD = 'pA55word!'")
        with sbql.connect(instance=connection.instance, login="lesser") as other:
            with pytest.raises(sbql.Error) as caught:
                other.execute("EXEC sp_cycle_errorlog")
            assert getattr(caught.value, "number", None) == 15003
