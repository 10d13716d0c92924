"""One side of a dialog of an instance has ended (DO), and then the other one is gone, in whatever way: nobody is left
whose end it could wait for. In the other order, and between instances, its row goes as well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sbql

SETUP = "CREATE QUEUE desk_{name}; CREATE SERVICE [//{name}] ON QUEUE desk_{name} ([DEFAULT]); GRANT SEND ON SERVICE::[//{name}] TO public"
BEGIN = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//near] TO SERVICE '//far' WITH ENCRYPTION = OFF; SELECT @h"
ENDS = {
    "END": "END CONVERSATION '{handle}'",
    "END WITH ERROR": "END CONVERSATION '{handle}' WITH ERROR = 7 DESCRIPTION = ''",
}
GONE = {
    "END": "USE {database}; END CONVERSATION '{handle}'",
    "END WITH ERROR": "USE {database}; END CONVERSATION '{handle}' WITH ERROR = 7 DESCRIPTION = ''",
    "END WITH CLEANUP": "USE {database}; END CONVERSATION '{handle}' WITH CLEANUP",
    "DROP SERVICE": "USE {database}; DROP SERVICE [//{name}]",
    "NEW_BROKER": "ALTER DATABASE {database} SET NEW_BROKER WITH ROLLBACK IMMEDIATE",
    "DROP DATABASE": "DROP DATABASE {database}",
    "detach": "EXEC sp_detach_db '{database}'",
    "RESTORE": "RESTORE DATABASE {database} FROM DISK = '{file}' WITH REPLACE, ENABLE_BROKER",
}
OF_ONE_DATABASE = ["END", "END WITH ERROR", "END WITH CLEANUP", "DROP SERVICE"]


class World:
    """near has sent two messages to far, in another database or in the same one."""

    def __init__(self, folder: Path, databases: dict[str, str]) -> None:
        self.connection = sbql.connect(clock="virtual")
        self.file, self.databases = folder / "before.bak", databases
        for name in dict.fromkeys(databases.values()):
            self.connection.execute(f"CREATE DATABASE {name}")
        for name, database in databases.items():
            self.run(f"USE {database}; {SETUP.format(name=name)}")
        self.backups = {database: folder / f"{database}.bak" for database in databases.values()}
        for database, file in self.backups.items():
            self.run(f"BACKUP DATABASE {database} TO DISK = '{file}'")
        near = self.run(f"USE {databases['near']}; {BEGIN}")[0][0]
        for text in "12":
            self.run(f"USE {databases['near']}; SEND ON CONVERSATION '{near}' ('{text}')")
        ((far,),) = self.run(
            f"SELECT conversation_handle FROM {databases['far']}.sys.conversation_endpoints WHERE is_initiator = 0"
        )
        self.handles = {"near": near, "far": far}

    def run(self, text: str) -> list[Any]:
        cursor = self.connection.execute(text)
        found = cursor.fetchall() if cursor.description else []
        self.connection.execute("USE master")
        return found

    def end(self, name: str, how: str) -> None:
        self.run(f"USE {self.databases[name]}; {ENDS[how].format(handle=self.handles[name])}")

    def go(self, name: str, how: str) -> None:
        database = self.databases[name]
        values = {
            "database": database,
            "name": name,
            "handle": self.handles[name],
            "file": self.backups[database],
        }
        self.run(GONE[how].format(**values))

    def left(self, name: str) -> list[Any]:
        """Of one side; without a closed target, which knows what comes late."""
        role = int(name == "near")
        text = f"SELECT state FROM sys.conversation_endpoints WHERE is_initiator = {role} AND (state <> 'CD' OR {role} = 1)"
        return self.run(f"USE {self.databases[name]}; {text}")


@pytest.fixture(params=["two databases", "one database"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    is_one = request.param == "one database"
    found = World(tmp_path, {"near": "one", "far": "one"} if is_one else {"near": "here", "far": "there"})
    yield found
    found.connection.close()


@pytest.mark.spec("CHANGE-32")
@pytest.mark.matrix
@pytest.mark.parametrize("first", ["near", "far"])
@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("gone", GONE)
def test_who_has_ended_does_not_wait_for_who_is_gone(world: World, first: str, ends: str, gone: str) -> None:
    if world.databases["near"] == world.databases["far"] and gone not in OF_ONE_DATABASE:
        pytest.skip("both sides are gone")
    second = "far" if first == "near" else "near"
    world.end(first, ends)
    assert world.left(first) == [("DO",)]
    world.go(second, gone)
    assert world.left(first) == []
    world.connection.advance(3600)
    assert world.left(first) == []


@pytest.mark.spec("CHANGE-32")
@pytest.mark.parametrize("first", ["near", "far"])
def test_who_has_not_ended_is_not_told(world: World, first: str) -> None:
    second = "far" if first == "near" else "near"
    world.go(second, "END WITH CLEANUP")
    assert world.left(first) == [("CO",)]
    world.end(first, "END")
    assert world.left(first) == []


@pytest.mark.spec("CHANGE-32")
@pytest.mark.parametrize("first", ["near", "far"])
def test_a_cleanup_that_is_rolled_back_closes_nothing(world: World, first: str) -> None:
    second = "far" if first == "near" else "near"
    world.end(first, "END")
    clean = f"END CONVERSATION '{world.handles[second]}' WITH CLEANUP"
    world.run(f"USE {world.databases[second]}; BEGIN TRANSACTION; {clean}; ROLLBACK")
    assert (world.left(first), world.left(second)) == ([("DO",)], [("DI",)])
    world.end(second, "END")
    assert (world.left(first), world.left(second)) == ([], [])
