"""What is committed is there behind a crash, and behind closing and opening: each statement that changes something.

A crash is a copy of the store's files while it is open. What the instance that goes on shows, says and does, the copy
and the store that was closed do, too, but for what is kept in memory alone (docs/differences.md).
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from changes import CHANGES, lasting, prepare, seen, settle, used
from told import told

from sbql.engine.instance import Instance
from sbql.engine.prepared import PreparedInstance

FORGOTTEN = ("sys.configurations", "message_id > 50000")
"""sp_configure and sp_addmessage last as long as the instance is open."""
AT_START = ("sys.dm_broker_queue_monitors",)


@pytest.fixture(scope="module")
def image() -> PreparedInstance:
    instance = Instance.open(clock="virtual", seed=1)
    prepare(instance)
    return PreparedInstance(instance)


def records(instance: Instance) -> list[str]:
    return sorted(map(repr, instance.catalog.records()))


def copied(instance: Instance, path: Path, name: str) -> Instance:
    """The instance that goes on with what the files of this one hold now, on its clock."""
    copy = path.with_name(f"{name}.duckdb")
    for file in path.parent.glob(f"{path.name}*"):
        if file.is_file():
            shutil.copy(file, file.with_name(file.name.replace(path.name, copy.name)))
    return Instance.open(str(copy), host=instance.host.again())


def state(instance: Instance) -> dict[str, list[object]]:
    """But for what is forgotten or of the runtime; tempdb is made at each start."""
    found: dict[str, list[object]] = {**seen(instance), **used(instance.connect(database="D"))}
    settle(instance)
    return {
        key: [row for row in what if "'tempdb'" not in str(row)]
        for key, what in found.items()
        if not any(part in key for part in (*FORGOTTEN, *AT_START))
    }


@pytest.mark.matrix
@pytest.mark.parametrize("topic", CHANGES)
def test_what_is_committed_is_there(image: PreparedInstance, tmp_path: Path, topic: str) -> None:
    path = tmp_path / "live.duckdb"
    live = image.open(str(path))
    session = live.connect(database="D")
    for number, change in enumerate(CHANGES[topic]):
        assert live.loop is not None
        live.loop.advance(1)
        assert told(session, change) == [], change
        settle(live)
        if number % 5 == 0:
            crashed = copied(live, path, f"crash{number}")
            assert records(crashed) == records(live), change
            crashed.close()
    crashed, closed = copied(live, path, "crashed"), copied(live, path, "closed")
    closed.close()
    again = Instance.open(str(tmp_path / "closed.duckdb"), host=live.host.again())
    assert records(crashed) == records(again) == records(live)
    found = []
    for instance in (live, crashed, again):
        found.append({**state(instance), **lasting(instance)})
        instance.close()
    for other in found[1:]:
        assert [(key, what, other[key]) for key, what in found[0].items() if other[key] != what] == []


def test_dates_are_those_of_the_installation_and_tempdb_is_of_the_start(tmp_path: Path) -> None:
    """tempdb is made anew whenever the server starts, and its create_date tells when that was."""
    made = (
        "SELECT name, DATEDIFF(minute, create_date, GETDATE()) FROM sys.databases WHERE database_id < 3 ORDER BY name"
    )
    old = "SELECT name, DATEDIFF(minute, crdate, GETDATE()) FROM sys.sysdatabases WHERE dbid < 3 ORDER BY name"
    server = "SELECT DATEDIFF(minute, modify_date, GETDATE()) FROM sys.servers; SELECT DATEDIFF(minute, schemadate, GETDATE()) FROM sys.sysservers"
    path = tmp_path / "live.duckdb"
    instance = Instance.open(str(path), clock="virtual", seed=1)
    for age in (0, 60):
        session = instance.connect()
        assert told(session, made) == told(session, old) == [("master", age), ("tempdb", 0)]
        assert told(session, server) == [(age,), (age,)]
        assert instance.loop is not None
        instance.loop.advance(3600)
        assert told(session, made) == [("master", age + 60), ("tempdb", 60)]
        host = instance.host.again()
        instance.close()
        instance = Instance.open(str(path), host=host)
    instance.close()
