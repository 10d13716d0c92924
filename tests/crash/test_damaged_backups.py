"""Backups that are not what was written: bytes changed at any place of the file, and the file cut off at any place.

What VERIFYONLY accepts can be restored, and is then what was backed up. All else is refused by both, in the words of
SQL Server; nothing of it is a fault of ours (50), harms the store, or takes away the database that was to be replaced.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

ROWS = 5000
SETUP = (
    "CREATE DATABASE Shop",
    "USE Shop",
    "CREATE QUEUE q; CREATE SERVICE a ON QUEUE q ([DEFAULT]); CREATE TABLE Orders (n int PRIMARY KEY, p varchar(200), x xml, b varbinary(max))",
    f"INSERT Orders SELECT value, 'order ' + CAST(value AS varchar(20)), '<a>1</a>', CAST(NEWID() AS varbinary(16)) FROM GENERATE_SERIES(1, {ROWS})",
    "DECLARE @h uniqueidentifier, @i int = 0; BEGIN DIALOG @h FROM SERVICE a TO SERVICE 'a' WITH ENCRYPTION = OFF; WHILE @i < 20 BEGIN SEND ON CONVERSATION @h (CRYPT_GEN_RANDOM(3000)); SET @i += 1 END",
    "USE master",
)
MOVED = "MOVE 'Shop' TO 'c', MOVE 'Shop_log' TO 'd'"
HEADERS = (0, 8, 16, 100, 4096, 4104, 4200, 8192, 8200, 8300, 12288, 12296)


def run(session: Session, text: str) -> tuple[list[tuple[object, ...]], list[int]]:
    outcomes = session.run(text)
    rows = [row for outcome in outcomes if isinstance(outcome, ResultSet) for row in outcome.rows]
    return rows, [outcome.error.number for outcome in outcomes if isinstance(outcome, ErrorOutcome)]


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Session, bytes, Path]]:
    folder = tmp_path_factory.mktemp("backups")
    instance = Instance.open(folder / "s.duckdb")
    session = instance.connect()
    for text in (*SETUP, f"BACKUP DATABASE Shop TO DISK = '{folder}/whole.bak'"):
        assert run(session, text)[1] == []
    yield session, (folder / "whole.bak").read_bytes(), folder / "damaged.bak"
    assert instance.store.failure is None
    instance.close()


def look(session: Session, file: Path) -> tuple[int, ...]:
    """The errors of VERIFYONLY, which RESTORE has, too."""
    refused = run(session, f"RESTORE VERIFYONLY FROM DISK = '{file}'")[1]
    assert run(session, f"RESTORE DATABASE C FROM DISK = '{file}' WITH REPLACE, {MOVED}")[1] == refused
    for listed in ("HEADERONLY", "FILELISTONLY"):
        assert run(session, f"RESTORE {listed} FROM DISK = '{file}'")[1] in ([], refused)
    if not refused:
        found = "SELECT COUNT(*), COUNT(DISTINCT b), SUM(n) FROM C.dbo.Orders"
        assert run(session, found)[0] == [(ROWS, ROWS, ROWS * (ROWS + 1) // 2)]
    assert run(session, "SELECT COUNT(*) FROM Shop.dbo.Orders")[0] == [(ROWS,)]
    return tuple(refused)


@pytest.mark.parametrize("seed", range(4))
def test_changed_bytes(backup: tuple[Session, bytes, Path], seed: int) -> None:
    session, whole, file = backup
    chance = random.Random(seed)
    places = [*HEADERS[seed::4], *(chance.randrange(len(whole)) for _ in range(15))]
    seen = set()
    for place in places:
        size = min(chance.choice((1, 64)), len(whole) - place)
        changed = bytes(255 - byte for byte in whole[place : place + size])
        file.write_bytes(whole[:place] + changed + whole[place + size :])
        seen.add(look(session, file))
    assert seen <= {(), (3241,), (3203,)}
    assert (3203,) in seen


def test_a_file_cut_off(backup: tuple[Session, bytes, Path]) -> None:
    session, whole, file = backup
    chance = random.Random(1)
    for size in (0, 1, 4095, 5000, 8192, 12287, 12288, *(chance.randrange(len(whole)) for _ in range(15))):
        file.write_bytes(whole[:size])
        assert look(session, file) in ([(3241,)] if size <= 12288 else [(3241,), (3203,)]), size


def test_a_damaged_backup_takes_no_further_set_and_replaces_nothing(backup: tuple[Session, bytes, Path]) -> None:
    session, whole, file = backup
    assert run(session, "CREATE DATABASE Old")[1] == []
    assert run(session, "CREATE TABLE Old.dbo.Kept (n int)")[1] == []
    file.write_bytes(whole[: len(whole) * 3 // 4])
    restore = f"RESTORE DATABASE Old FROM DISK = '{file}' WITH REPLACE, MOVE 'Shop' TO 'o', MOVE 'Shop_log' TO 'p'"
    assert run(session, restore)[1] == [3203]
    assert run(session, "SELECT COUNT(*) FROM Old.dbo.Kept") == ([(0,)], [])
    file.write_bytes(whole[:20_000])
    assert run(session, f"BACKUP DATABASE Shop TO DISK = '{file}'")[1] in ([3203], [3241])
    assert file.read_bytes() == whole[:20_000]


def test_the_whole_file_is_valid(backup: tuple[Session, bytes, Path]) -> None:
    session, whole, file = backup
    file.write_bytes(whole)
    assert look(session, file) == ()
