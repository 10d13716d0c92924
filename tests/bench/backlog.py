"""What a message costs, and how much memory an instance takes, as its backlog grows.

    python tests/bench/backlog.py [--messages N …] [--conversations N …]

For each number of conversations one instance on disk is filled to each number of waiting messages in turn. At each size
a loop of SENDs and a loop of RECEIVE TOP (1000) are timed; memory is that of the process. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import gc
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from sbql.engine.instance import Instance

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from statements import run

SETUP = """
CREATE QUEUE SenderQueue; CREATE QUEUE TargetQueue;
CREATE SERVICE [//bench/sender] ON QUEUE SenderQueue;
CREATE SERVICE [//bench/target] ON QUEUE TargetQueue ([DEFAULT]);
CREATE TABLE Handles (n int IDENTITY (0, 1) PRIMARY KEY, h uniqueidentifier);
"""

BEGIN = """
DECLARE @i int = 0, @h uniqueidentifier; SET NOCOUNT ON;
BEGIN TRANSACTION;
WHILE @i < {count} BEGIN
    BEGIN DIALOG @h FROM SERVICE [//bench/sender] TO SERVICE '//bench/target' WITH ENCRYPTION = OFF;
    INSERT Handles VALUES (@h); SET @i += 1;
END
COMMIT
"""

SEND = """
DECLARE @h uniqueidentifier, @i int, @rounds int = {rounds}; SET NOCOUNT ON;
DECLARE handles CURSOR STATIC FOR SELECT TOP ({handles}) h FROM Handles;
OPEN handles; FETCH FROM handles INTO @h;
WHILE @@FETCH_STATUS = 0 BEGIN
    SET @i = 0;
    WHILE @i < @rounds BEGIN SEND ON CONVERSATION @h (0x{body}); SET @i += 1; END
    FETCH FROM handles INTO @h;
END
CLOSE handles; DEALLOCATE handles;
"""

RECEIVE = """
DECLARE @got TABLE (body varbinary(max)); DECLARE @i int = 0, @n int = 0; SET NOCOUNT ON;
WHILE @n < {count} BEGIN
    RECEIVE TOP (1000) message_body FROM TargetQueue INTO @got; SET @n += @@ROWCOUNT; DELETE @got;
END
SELECT @n
"""

PROBE = 20_000
"""Messages of one timed loop."""


def resident() -> float:
    """The memory of this process in MiB."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def send(session: object, conversations: int, messages: int) -> None:
    """So many messages, evenly over the conversations (or one each, over as many as there are messages)."""
    handles = min(conversations, messages)
    run(session, SEND.format(handles=handles, rounds=max(1, messages // handles), body="41" * 100))


def measure(conversations: int, sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        instance = Instance.open(str(pathlib.Path(folder, "backlog.duckdb")))
        session = instance.connect("master")
        run(session, "CREATE DATABASE Bench")
        run(session, "USE Bench")
        run(session, SETUP)
        run(session, BEGIN.format(count=conversations))
        filled = 0
        for size in sizes:
            send(session, conversations, size - filled)
            probe = min(PROBE, size)
            begun = time.perf_counter()
            send(session, conversations, probe)
            sent = time.perf_counter()
            run(session, RECEIVE.format(count=probe))
            received = time.perf_counter()
            filled = size
            per_second = [f"{probe / seconds:,.0f}" for seconds in (sent - begun, received - sent)]
            print(f"| {conversations:,} | {size:,} | {' | '.join(per_second)} | {resident():,.0f} |", flush=True)
        session.close()
        begun = time.perf_counter()
        instance.close()
        closed = time.perf_counter()
        instance = Instance.open(str(pathlib.Path(folder, "backlog.duckdb")))
        print(
            f"closed in {closed - begun:.1f} s, opened in {time.perf_counter() - closed:.1f} s, {resident():,.0f} MiB"
        )
        instance.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, nargs="+", default=[1_000, 100_000, 1_000_000, 10_000_000])
    parser.add_argument("--conversations", type=int, nargs="+", default=[1, 1_000, 1_000_000])
    options = parser.parse_args()
    gc.set_threshold(10_000)  # as the command line does
    if len(options.conversations) == 1:
        measure(options.conversations[0], options.messages)
        return
    print("| conversations | waiting messages | SEND messages/s | RECEIVE messages/s | memory MiB |")
    print("|--:|--:|--:|--:|--:|", flush=True)
    for count in options.conversations:  # each in a process of its own, for the sake of the memory
        sizes = [str(size) for size in options.messages if size >= count]
        subprocess.run([sys.executable, __file__, "--conversations", str(count), "--messages", *sizes], check=True)


if __name__ == "__main__":
    main()
