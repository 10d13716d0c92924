"""Event notifications of a process that is killed while several sessions define tables, poison queues, and make, alter
and drop databases: what was committed was told, once; what was rolled back was not."""

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
CAUSES = Path(__file__).with_name("event_causes_child.py")
TOLD = """SELECT CAST(message_body AS xml).value('(//ObjectName)[1]', 'sysname') FROM told WHERE message_type_name LIKE '%EventNotification'"""
COMMANDS = TOLD.replace("//ObjectName", "//CommandText")


def lines_until_killed(path: Path, first: int, chance: random.Random, child_path: Path = CHILD) -> set[str]:
    command = [sys.executable, str(child_path), str(path), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stderr is not None
        line = child.stdout.readline()
        assert line, child.stderr.read()
        killer = threading.Timer(chance.uniform(0.05, 0.5), child.kill)
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


DATABASES = "SELECT name + CASE WHEN is_read_only = 1 THEN ' 3' WHEN is_trustworthy_on = 1 THEN ' 2' ELSE ' 1' END FROM sys.databases WHERE name LIKE 'd[0-9]%'"
EVENTS = """SELECT CAST(message_body AS xml).value('(//EventType)[1]', 'sysname') + ' ' + CAST(message_body AS xml).value('(//{name}Name)[1]', 'sysname')
FROM {queue} WHERE message_type_name LIKE '%EventNotification' ORDER BY queuing_order"""
STEPS = ["CREATE_DATABASE", "ALTER_DATABASE", "ALTER_DATABASE", "DROP_DATABASE"]

PASSING = """SELECT CASE WHEN ROW_NUMBER() OVER (ORDER BY conversation_id) <= (SELECT COUNT(*) FROM sys.event_notifications WHERE name LIKE 'p[0-9]%')
    THEN 'kept' ELSE 'stray' END
FROM sys.conversation_endpoints WHERE far_service = 'told_for_a_while' AND is_initiator = 1 AND state <> 'DO' AND state <> 'CD'"""


def by_name(events: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for event in events:
        kind, name = event.split()
        found.setdefault(name, []).append(kind)
    return found


@pytest.mark.spec("DELIVER-22", "EXTERNAL-6", "DELIVER-14", "DELIVER-4")
@pytest.mark.parametrize("seed", [1, 2])
def test_queues_that_went_off_and_databases_were_told_of_once(tmp_path: Path, seed: int) -> None:
    path, chance, acknowledged = tmp_path / "shop.duckdb", random.Random(seed), set[str]()
    for life in range(6):
        acknowledged |= lines_until_killed(path, life * 100_000, chance, CAUSES)
        instance = Instance.open(str(path))
        try:
            assert instance.wait_idle()
            session = instance.connect(database="Shop")
            off = set(
                column(
                    session, "SELECT name FROM sys.service_queues WHERE name LIKE 'q[0-9]%' AND is_receive_enabled = 0"
                )
            )
            waiting = set(
                column(
                    session,
                    "SELECT DISTINCT s.name FROM sys.services s JOIN sys.conversation_endpoints e ON e.service_id = s.service_id JOIN sys.event_notifications n ON n.parent_id = s.service_queue_id WHERE s.name LIKE 'q[0-9]%' AND e.is_initiator = 0",
                )
            )
            passing = column(session, PASSING)
            of_queues = by_name(column(session, EVENTS.format(name="Object", queue="told")))
            steps = dict(text.split() for text in column(session, DATABASES))
            of_databases = by_name(column(session, EVENTS.format(name="Database", queue="told_of_server")))
        finally:
            instance.close()
        assert {text for text in acknowledged if text[0] == "q"} <= off
        assert {name for name, kinds in of_queues.items() if "BROKER_QUEUE_DISABLED" in kinds} == off
        for name, kinds in of_queues.items():
            assert kinds.count("BROKER_QUEUE_DISABLED") == (name in off) and kinds[0] == "QUEUE_ACTIVATION", (
                name,
                kinds,
            )
            assert kinds[-1] == ("BROKER_QUEUE_DISABLED" if name in off else "QUEUE_ACTIVATION"), (name, kinds)
        assert waiting == set(of_queues)
        assert passing == ["kept"] * len(passing), "a conversation outlives its notification"
        last = dict(sorted(text.split() for text in acknowledged if text[0] == "d"))
        for name in of_databases.keys() | steps.keys() | last.keys():
            done = int(steps.get(name, 4))
            assert of_databases.get(name) == STEPS[:done], name
            assert done >= int(last.get(name, 0))
    assert off and of_databases, "nothing was tried"
