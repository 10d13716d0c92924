"""A power failure takes what was not synced, which SIGKILL cannot show: what is left opens as a
prefix with all that was acknowledged.

A process is recorded write by write, and the disk is made as it may be after any of them. `make faults` tries 3,000
disks; `POWER_IMAGES` and `POWER_FIRST` say how many and which.
"""

from __future__ import annotations

import itertools
import os
import random
from pathlib import Path

import pytest
from log_after import LOG_AFTER
from recording import WAYS, Operation, leave, record
from test_sigkill import check

from sbql.catalog.store import Store
from sbql.catalog.store_file import store_files

IMAGES = int(os.environ.get("POWER_IMAGES", "36"))
FIRST = int(os.environ.get("POWER_FIRST", "0"))
CHILD = Path(__file__).with_name("recorded_child.py")
ROUNDS, TURNS = 3, 40


@pytest.fixture(scope="module", params=LOG_AFTER)
def recording(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Operation]]:
    """The folder of the store, and all that happened to it."""
    return record(tmp_path_factory.mktemp("recorded"), CHILD, [str(ROUNDS), str(TURNS)], LOG_AFTER[request.param])


def acknowledged(operations: list[Operation]) -> int:
    said = [operation.data for operation in operations if operation.op == "s"]
    return int(said[-1]) if said else 0


def test_the_record_is_what_happened(recording: tuple[Path, list[Operation]], tmp_path: Path) -> None:
    """With everything written, the image is the folder, byte for byte; and it was
    synced before each acknowledgement."""
    under, operations = recording
    leave(operations, "everything", random.Random(0), tmp_path, under)
    assert {p.name for p in tmp_path.iterdir()} == {p.name for p in under.iterdir() if p.is_file()}
    for made in tmp_path.iterdir():
        assert made.read_bytes() == (under / made.name).read_bytes(), made.name
    assert acknowledged(operations) == ROUNDS * TURNS
    said = [i for i, operation in enumerate(operations) if operation.op == "s"]
    syncs = [i for i, operation in enumerate(operations) if operation.op == "f"]
    assert all(any(a < s < b for s in syncs) for a, b in itertools.pairwise(said))


@pytest.mark.timeout(7200)
def test_what_is_left_is_a_prefix_with_all_that_was_acknowledged(
    recording: tuple[Path, list[Operation]], tmp_path: Path
) -> None:
    under, operations = recording
    begin = next(i for i, operation in enumerate(operations) if operation.op == "s" and int(operation.data) >= 4)
    for seed in range(FIRST, FIRST + IMAGES):
        chance = random.Random(seed)
        way = WAYS[seed % len(WAYS)]
        cut = chance.randint(begin, len(operations))
        folder = tmp_path / str(seed)
        folder.mkdir()
        leave(operations[:cut], way, chance, folder, under)
        told = acknowledged(operations[:cut])
        try:
            last = check(str(folder / "s.duckdb"), told)
            assert last <= told + 2, "more than was begun"
        except BaseException as error:
            error.add_note(f"image {seed}: after operation {cut} of {len(operations)}, {way} of what was not synced")
            raise


def test_a_store_that_is_being_made_is_not_there_or_opens(
    recording: tuple[Path, list[Operation]], tmp_path: Path
) -> None:
    """After each operation until the first transaction is written, which may be on disk before it is acknowledged: no
    file of the name, or a store; never one that is refused, and the next process makes the store as if nothing had
    been. It keeps what it cuts off, which only the transactions that begin behind the naming can have left."""
    under, operations = recording
    said = next(i for i, operation in enumerate(operations) if operation.op == "s")
    end = max(i for i, operation in enumerate(operations[:said]) if operation.op == "w")
    named = next(i for i, operation in enumerate(operations) if operation.op == "r")
    begun = next(i for i, operation in enumerate(operations) if i > named and operation.op == "w")
    seen = set()
    for seed in range(FIRST, FIRST + IMAGES):
        chance = random.Random(seed)
        cut = chance.randint(named - 8, named + 3) if seed % 3 else chance.randint(0, end)
        way = WAYS[seed % len(WAYS)]
        folder = tmp_path / str(seed)
        folder.mkdir()
        leave(operations[:cut], way, chance, folder, under)
        seen |= {path.name for path in folder.iterdir()}
        try:
            with Store.open(folder / "s.duckdb") as opened:
                assert not opened.load().messages
            made = {path.name for path in folder.iterdir()} - {*map(os.path.basename, store_files("s.duckdb"))}
            is_torn = cut > begun and way.endswith("torn")
            assert made <= ({"s.duckdb.wal.torn-1"} if is_torn else set()), made
        except BaseException as error:
            error.add_note(f"image {seed}: after operation {cut} of {end}, {way} of what was not synced")
            raise
    assert seen == {"s.duckdb", "s.duckdb.new", "s.duckdb.new.wal", "s.duckdb.wal"}
