"""A power failure while one session commits tables alone and another one messages alone, which do not wait for each
other: nobody has seen, nor been told, what is not there afterwards.

`POWER_IMAGES` and `POWER_FIRST` say how many disks are tried, and which.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from log_after import LOG_AFTER
from recording import WAYS, Operation, leave, record

from sbql.catalog.store import Store

IMAGES = int(os.environ.get("POWER_IMAGES", "36"))
FIRST = int(os.environ.get("POWER_FIRST", "0"))
CHILD = Path(__file__).with_name("beside_child.py")
COMMITS, ROWS = 60, 300
TABLE = '"Shop.dbo"."t"'


@pytest.fixture(scope="module", params=LOG_AFTER)
def recording(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Operation]]:
    """The folder of the store, and all that happened to it."""
    return record(tmp_path_factory.mktemp("recorded"), CHILD, [str(COMMITS)], LOG_AFTER[request.param])


def told(operations: list[Operation]) -> dict[bytes, int]:
    """The last commit of tables, and the last message, that were acknowledged."""
    said = [line.split() for operation in operations if operation.op == "s" for line in operation.data.splitlines()]
    return {b"r": 0, b"m": 0} | {kind: int(number) for kind, number in said}


def check(path: str, acknowledged: dict[bytes, int]) -> None:
    with Store.open(path) as store:
        messages = {m.message_key: int(m.message_body or b"") for m in store.load().messages}
        query = f"SELECT k, count(*), max(seen) FROM {TABLE} GROUP BY k ORDER BY k"
        commits = list(store.connect().begin().query(query))
    assert list(messages) == list(range(1, len(messages) + 1)), "messages are not a prefix"
    assert [(k, count) for k, count, _ in commits] == [(k, ROWS) for k in range(1, len(commits) + 1)]
    assert len(messages) >= acknowledged[b"m"] and len(commits) >= acknowledged[b"r"], "what was acknowledged was lost"
    assert max((seen for _, _, seen in commits), default=0) <= len(messages), "rows rest on messages that are gone"
    assert max(messages.values(), default=0) <= len(commits), "messages rest on rows that are gone"


@pytest.mark.timeout(7200)
def test_nobody_has_seen_what_is_not_there(recording: tuple[Path, list[Operation]], tmp_path: Path) -> None:
    under, operations = recording
    begin = next(i for i, operation in enumerate(operations) if operation.op == "s")
    check(str(under / "s.duckdb"), told(operations))
    for seed in range(FIRST, FIRST + IMAGES):
        chance = random.Random(seed)
        way = WAYS[seed % len(WAYS)]
        cut = chance.randint(begin, len(operations))
        folder = tmp_path / str(seed)
        folder.mkdir()
        leave(operations[:cut], way, chance, folder, under)
        try:
            check(str(folder / "s.duckdb"), told(operations[:cut]))
        except BaseException as error:
            error.add_note(f"image {seed}: after operation {cut} of {len(operations)}, {way} of what was not synced")
            raise
