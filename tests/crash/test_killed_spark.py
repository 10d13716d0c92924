"""Kill Spark, its workers and the owner of the store at random moments while messages go from queue to queue (by a
stream through the sink, by `activate`) or come from jobs, and count what has arrived.

Meanwhile messages are sent, dialogs end and begin, and a T-SQL reader competes with the stream. In the end
each message has come into the results once, those of a conversation in their order. `make kill-spark` runs
it; KILLS says how often each is killed.
"""

from __future__ import annotations

import os
import random
import shutil
import time
from collections import Counter
from pathlib import Path

import pytest
from killing import column
from serving import ServerProcess
from spark_pipe import Feeder, SparkProcess, faults

from sbql.engine.instance import Instance
from sbql.engine.server.endpoint import read_endpoint

JOBS = "jobs.txt"
LABELS, ROWS = 8, 320
"""As in spark_pipe_child.py, which is a program and not imported."""
CHILD = Path(__file__).with_name("spark_pipe_child.py")
KILLS = int(os.environ.get("KILLS", "10"))
SEED = int(os.environ.get("KILL_SEED", "1"))
AT_START = 0.25
"""Share of the kills that come while a driver starts, instead of after a batch."""
JVM_ALONE = 0.2
"""Share of the kills of the driver that hit its JVM first, and its Python a moment later."""


class Pipe:
    """The owner, the query and the feeder; what is killed comes back."""

    def __init__(self, folder: Path, way: str) -> None:
        self.folder, self.store, self.way = folder, folder / "pipe.duckdb", way
        self.chance = random.Random(SEED)
        self.feeder = Feeder(SEED)
        self.killed: Counter[str] = Counter()
        self.unfinished = self.starts = 0
        self.failures: list[str] = []
        self._serve()
        self.feeder.prepare()
        self._start()

    def _serve(self) -> None:
        self.owner = ServerProcess("--store", self.store)
        endpoint = read_endpoint(self.store)
        assert endpoint is not None
        self.feeder.at(endpoint.url, endpoint.token)

    def _start(self) -> None:
        self.starts += 1
        self.spark = SparkProcess(CHILD, self.store, self.folder, self.way)

    def wait_for_a_batch(self) -> None:
        """Of this query, or of the one after it when it has failed."""
        while self.spark.batch() is None:
            self._again()

    def _again(self) -> None:
        self.spark.kill("driver")
        self.failures += self.spark.failures
        self._start()

    def kill(self, what: str) -> None:
        if self.chance.random() < AT_START and what != "workers":
            time.sleep(self.chance.random() * 6)
        else:
            self.wait_for_a_batch()
            time.sleep(self.chance.random() * 2)
        if what == "owner":
            self.owner.kill()
            self._serve()
        else:
            hit = self.spark.kill("jvm" if what == "driver" and self.chance.random() < JVM_ALONE else what)
            assert hit > 0 or what == "driver"  # a driver that has just started has no JVM yet
        self.killed[what] += 1
        if what == "driver":
            self.spark.kill("driver")
            self.unfinished += self._has_unfinished_batch()
            self._again()

    def _has_unfinished_batch(self) -> bool:
        """Whether the checkpoint has planned a batch that it has not committed."""
        log = self.folder / "checkpoint"
        last = [max((int(f.name) for f in (log / part).glob("[0-9]*")), default=-1) for part in ("offsets", "commits")]
        return last[0] > last[1]

    def end(self) -> None:
        """The feeder stops, the query reads what is there, and all close as they should."""
        self.wait_for_a_batch()
        self.feeder.stop()
        self.spark.finish()
        self.failures += self.spark.failures
        assert self.owner.terminate()[0] == 0

    def close(self) -> None:
        """Nothing is left behind, however it has ended."""
        self.feeder.stop()
        self.spark.kill("driver")
        if self.owner.process.poll() is None:
            self.owner.kill()


def account(store: Path, jobs: int = 0) -> tuple[int, list[str]]:
    """How many messages were sent, and what is wrong in the store that all have left. `jobs`: how many have ended
    well, where jobs send."""
    instance = Instance.open(str(store))
    try:
        session = instance.connect(database="Pipe")
        labels = column(session, "SELECT label FROM dialogs ORDER BY label")
        sent = dict(zip(labels, column(session, "SELECT sent FROM dialogs ORDER BY label"), strict=True))
        if jobs:
            sent = dict.fromkeys(range(LABELS), jobs * ROWS // LABELS)
        texts = column(session, "SELECT CAST(message_body AS nvarchar(50)) FROM results ORDER BY queuing_order")
        found = faults(sent, [(int(label), int(number)) for label, _, number in (t.partition(":") for t in texts)])
        for what, query in {
            "messages left in the queue": "SELECT COUNT(*) FROM work",
            "messages held by the stream": "SELECT SUM(held) FROM sys.dm_sbql_consumers",
            "messages to be sent": "SELECT COUNT(*) FROM sys.transmission_queue",
            "rollbacks counted as poison": "SELECT SUM(CAST(1 - is_receive_enabled AS int)) FROM sys.service_queues",
            "dialogs whose other side has ended": "SELECT COUNT(*) FROM sys.conversation_endpoints WHERE state IN ('DI', 'DO', 'ER')",
        }.items():
            if jobs and what == "messages left in the queue":
                continue  # nobody reads there
            if count := column(session, query)[0]:
                found.append(f"{count} {what}")
    finally:
        instance.close()
    return sum(sent.values()), found


@pytest.mark.soak
@pytest.mark.spark
@pytest.mark.timeout(0)
@pytest.mark.parametrize("way", ["sink", "activate", "jobs"])
def test_messages_survive_kills(way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspark", reason="PySpark is not installed")
    if shutil.which("java") is None or not Path("/proc/self/stat").exists():
        pytest.skip("needs Java, and Linux to find Spark's processes")
    pipe = Pipe(tmp_path, way)
    plan = ["driver", "workers", "owner"] * KILLS
    pipe.chance.shuffle(plan)
    try:
        if way != "jobs":
            pipe.feeder.start()
        for number, what in enumerate(plan, 1):
            with capsys.disabled():
                print(f"{time.strftime('%X')} {number} of {len(plan)}: {what}", flush=True)
            pipe.kill(what)
        pipe.end()
    finally:
        pipe.close()
    jobs = len((tmp_path / JOBS).read_text().splitlines()) if way == "jobs" else 0
    sent, found = account(pipe.store, jobs)
    with capsys.disabled():
        killed = ", ".join(f"{what} {count} times" for what, count in sorted(pipe.killed.items()))
        print(
            f"{way}: killed: {killed}; {pipe.starts} starts of Spark, {pipe.unfinished} of its checkpoints with an unfinished batch,"
            f" {len(pipe.failures)} failures of the query\n"
            f"{sent} messages sent, {pipe.feeder.competed} of them received by the rival, {pipe.feeder.renewed} dialogs ended;"
            f" {len(found)} faults"
        )
    assert not found, found[:20]


def test_the_account_tells_each_kind_of_fault() -> None:
    sent = {1: 3, 2: 1}
    good = [(1, 1), (2, 1), (1, 2), (1, 3)]
    assert faults(sent, good) == []
    assert faults(sent, [*good, (1, 2)]) == ["1:2 came 2 times"]
    assert faults(sent, good[1:]) == ["1:1 is lost"]
    assert faults(sent, good[:-1]) == ["1:3 is lost"]
    assert faults(sent, [*good, (2, 2)]) == ["2:2 was never sent"]
    assert faults(sent, [(1, 1), (1, 3), (1, 2), (2, 1)]) == ["1:2 came after 1:3"]
