"""Event notifications of a process that is killed while several sessions define tables: what was committed was told,
once; what was rolled back was not."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from killing import column

from sbql.engine.instance import Instance

CHILD = Path(__file__).with_name("notices_child.py")
TOLD = """SELECT CAST(message_body AS xml).value('(//ObjectName)[1]', 'sysname') FROM told WHERE message_type_name LIKE '%EventNotification'"""
COMMANDS = TOLD.replace("//ObjectName", "//CommandText")


def lines_until_killed(path: Path, first: int, chance: random.Random) -> set[str]:
    command = [sys.executable, str(CHILD), str(path), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stderr is not None
        line = child.stdout.readline()
        assert line, child.stderr.read()
        killer = threading.Timer(chance.uniform(0.1, 0.6), child.kill)
        killer.start()
        lines = [line, *child.stdout]
        killer.join()
    return {text.strip() for text in lines if text.endswith("\n")}


@pytest.mark.spec("DELIVER-14", "DELIVER-21")
@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_committed_was_told_once_and_nothing_else(tmp_path: Path, seed: int) -> None:
    path, chance, acknowledged = tmp_path / "shop.duckdb", random.Random(seed), set[str]()
    for life in range(3):
        acknowledged |= lines_until_killed(path, life * 100_000, chance)
        instance = Instance.open(str(path))
        try:
            assert instance.wait_idle()
            session = instance.connect(database="Shop")
            tables = set(column(session, "SELECT name FROM sys.tables WHERE name <> 'kept'"))
            told = Counter(column(session, TOLD))
            named = zip(column(session, TOLD), column(session, COMMANDS), strict=True)
        finally:
            instance.close()
        assert acknowledged <= tables
        assert told == Counter(tables)
        assert all(f"CREATE TABLE {name} (" in command for name, command in named)
