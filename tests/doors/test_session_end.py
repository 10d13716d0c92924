"""A session that the server ends: what a program, a script and the prompt see of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import sbql
from sbql.exceptions import DatabaseError, OperationalError

FATAL = "RAISERROR('it is over', 20, 1) WITH LOG"


def test_a_program_gets_the_error_and_then_a_dead_connection(tmp_path: Path) -> None:
    store = str(tmp_path / "s.duckdb")
    other = sbql.connect(store)
    with sbql.connect(store) as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE t (a int); BEGIN TRAN; INSERT t VALUES (1)")
        with pytest.raises(DatabaseError, match="it is over"):
            cursor.execute(FATAL)
        with pytest.raises(OperationalError, match="has ended"):
            cursor.execute("SELECT 1")
        with pytest.raises(OperationalError, match="has ended"):
            connection.cursor()
    with sbql.connect(store) as connection:
        assert connection.execute("SELECT COUNT(*) FROM t").fetchall() == [(0,)]
    other.close()


def test_a_script_stops_with_its_session() -> None:
    with sbql.connect() as connection:
        outcomes = sbql.run_script(connection, f"PRINT 'a'\nGO\n{FATAL}\nGO\nPRINT 'b'", sink=lambda outcome: None)
    assert [getattr(o, "text", "") for o in outcomes if hasattr(o, "text")] == ["a"]


def test_the_command_line_stops_too(tmp_path: Path) -> None:
    script = tmp_path / "fatal.sql"
    script.write_text(f"PRINT 'before'\nGO\n{FATAL}\nGO\nPRINT 'after'\n")
    done = subprocess.run([sys.executable, "-m", "sbql", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "before" in done.stdout and "after" not in done.stdout
    assert "The session has ended" in done.stderr
