"""Kill a committing process with SIGKILL, open its store, and check what is there.

Nothing acknowledged may be lost, nothing doubled, order kept, and what survives is a prefix: some n is the last
transaction, everything up to it is there whole (rows and messages), nothing after it. A second process then goes on
from there on the same file, several times.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sbql.catalog.store import Store
from sbql.catalog.store_file import store_files

CHILD = Path(__file__).with_name("streaming_child.py")
OPENER = (sys.executable, str(CHILD.with_name("dying_opener.py")))
LAG = 7
TABLE = '"Shop.dbo"."t"'


def run_until_killed(path: str, first: int, acknowledgements: int, fold_every: int, wait_every: int) -> int:
    """Start the child, kill it after so many acknowledgements. Returns the last transaction that it acknowledged."""
    command = [sys.executable, str(CHILD), path, str(first), str(fold_every), str(wait_every)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        for _ in range(acknowledgements):
            line = child.stdout.readline()
            assert line, child.stderr.read()
        child.kill()
        lines = [line, *child.stdout.read().split("\n")]
    whole = [text for text in (part.strip() for part in lines) if text]
    return int(whole[-1])


def kind(n: int) -> int:
    return n % 3


def check(path: str, acknowledged: int) -> int:
    """Check the store against the prefix that it claims to hold. Returns the last transaction in it."""
    with Store.open(path) as store:
        state = store.load()
        session = store.connect()
        rows = [n for (n,) in session.begin().query(f"SELECT n FROM {TABLE} ORDER BY rowid")]
        (endpoint,) = state.endpoints
        last = max(endpoint.send_sequence, rows[-1] if rows else 0)
        assert last >= acknowledged, "an acknowledged commit was lost"
        assert rows == [n for n in range(1, last + 1) if kind(n) != 0], "rows are not a prefix in commit order"
        sent = [n for n in range(1, last + 1) if kind(n) != 1]
        assert endpoint.send_sequence == sent[-1]
        removed = {n - LAG for n in sent}
        assert [m.message_key for m in state.messages] == [n for n in sent if n not in removed]
        assert all(m.message_body == b"%d" % m.message_key for m in state.messages)
        assert state.counters["message_key"] == sent[-1]
    return last


@pytest.mark.usefixtures("either_log")
@pytest.mark.parametrize(
    ("seed", "fold_every", "wait_every"),
    [(1, 1_000_000, 1), (2, 5, 1), (3, 17, 4), (4, 3, 50)],
    ids=["never folding", "folding often", "group commits", "folding in long batches"],
)
def test_what_survives_is_a_prefix_with_all_that_was_acknowledged(
    tmp_path: Path, seed: int, fold_every: int, wait_every: int
) -> None:
    chance = random.Random(seed)
    path = str(tmp_path / "sbql.duckdb")
    last = 0
    for _ in range(3):
        acknowledgements = chance.randrange(2, 4 + 100 // wait_every)
        acknowledged = run_until_killed(path, last + 1, acknowledgements, fold_every, wait_every)
        last = check(path, acknowledged)


@pytest.mark.usefixtures("either_log")
def test_recovery_may_be_killed_too(tmp_path: Path) -> None:
    """The fold at opening is one transaction: killing it changes nothing until its commit, and the journal is
    folded once, not twice. It dies at six places of it: before its first and second call, in the middle,
    before and after its commit, the last."""
    path = tmp_path / "sbql.duckdb"
    acknowledged = run_until_killed(str(path), 1, 200, 1_000_000, 1)
    copy = tmp_path / "copy.duckdb"
    for file in filter(os.path.exists, store_files(str(path))):
        shutil.copy(file, file.replace("sbql.", "copy."))
    opened = subprocess.run([*OPENER, str(copy), "0"], check=True, capture_output=True, text=True)
    calls = int(opened.stdout)
    assert calls > 6
    for place in (["1"], ["2"], [str(calls // 2)], [str(calls // 2), "after"], [str(calls)], [str(calls), "after"]):
        done = subprocess.run([*OPENER, str(path), *place], check=False)
        assert done.returncode == -signal.SIGKILL, place
    check(str(path), acknowledged)
