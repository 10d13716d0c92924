"""What open dialogs cost that do nothing: `python tests/bench/idle_dialogs.py [--dialogs N …]`.

For each number: dialogs are begun and get one message, which is received; then SENDs go to some of those that rest,
chosen at random, and to the same again, which are in memory then, each time when what came before has been folded; then
the store is opened anew, up to the first statement, and SENDs go to the same again, which rest where they are in the
store. Processor time and memory are those
of the process, both sides of each dialog in it: each number has a process of its own. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import gc
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from statements import run_script

from sbql.engine.instance import Instance
from sbql.engine.session import Session

SETUP = """CREATE DATABASE shop
GO
USE shop; SET NOCOUNT ON
CREATE QUEUE a; CREATE QUEUE b; CREATE SERVICE [//A] ON QUEUE a; CREATE SERVICE [//B] ON QUEUE b ([DEFAULT])"""
MAKE = """DECLARE @h uniqueidentifier, @b varbinary(max), @i int = 0
WHILE @i < {count} BEGIN
    BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF
    SEND ON CONVERSATION @h (0x01)
    RECEIVE TOP (1) @b = message_body FROM b
    SET @i += 1
END"""
SEND = """DECLARE @h uniqueidentifier
DECLARE chosen CURSOR STATIC FOR SELECT h FROM Chosen
OPEN chosen; FETCH FROM chosen INTO @h
WHILE @@FETCH_STATUS = 0 BEGIN
    SEND ON CONVERSATION @h (0x02)
    FETCH FROM chosen INTO @h
END
CLOSE chosen; DEALLOCATE chosen"""
PART = 20_000
PROBE = 20_000
"""SENDs that are timed: long enough that Python's collector of garbage has its share in each."""


def resident() -> float:
    """The memory of this process in MiB."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def opened(path: str) -> None:
    """Open a store in a process of its own, and say how long it took, what it takes and what a SEND costs."""
    began = time.perf_counter()
    instance = Instance.open(path)
    session = instance.connect("shop")
    run_script(session, "SET NOCOUNT ON")
    print(f"{time.perf_counter() - began:.1f} | {resident():.0f} | {sends(session):.0f}")
    instance.close()


def in_process(*arguments: str) -> str:
    """What this file prints when it is run with these."""
    found = subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True)
    return found.stdout.strip()


def sends(session: Session) -> float:
    """Processor time of a SEND to each of the chosen, in µs."""
    began = time.process_time()
    run_script(session, SEND)
    return (time.process_time() - began) / PROBE * 1e6


def measure(dialogs: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/shop.duckdb"
        instance = Instance.open(path)
        session = instance.connect()
        run_script(session, SETUP)
        began = time.process_time()
        for first in range(0, dialogs, PART):
            run_script(session, MAKE.format(count=min(PART, dialogs - first)))
        made, memory = (time.process_time() - began) / dialogs * 1e6, resident()
        with instance.broker.mutex:  # others may be on their way out of memory
            handles = [e.conversation_handle for e in instance.broker.records() if e.is_initiator]
        chosen = random.Random(1).choices(handles, k=PROBE)
        del handles
        rows = ", ".join(f"('{handle}')" for handle in chosen)
        run_script(
            session, f"CREATE TABLE Chosen (h uniqueidentifier); INSERT Chosen SELECT * FROM (VALUES {rows}) AS t (h)"
        )
        instance.store.fold_and_release()  # what has been made is not the SENDs' to pay for
        first_time = sends(session)
        instance.store.fold_and_release()
        again = sends(session)
        instance.close()
        anew = in_process("--open", path)
        return f"| {dialogs:,} | {made:.0f} | {memory:.0f} | {first_time:.0f} | {again:.0f} | {anew} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dialogs", type=int, nargs="+", default=[1_000, 100_000, 1_000_000], metavar="N")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--open", help=argparse.SUPPRESS)
    given = parser.parse_args()
    gc.set_threshold(10_000)  # as the command line does
    if given.open:
        opened(given.open)
        return
    if given.one:
        print(measure(given.one))
        return
    print(
        "| open dialogs | made, µs each | memory, MiB | SEND to one at random, µs | to the same again, µs | opened anew, s | memory then, MiB | SEND to one at random then, µs |"
    )
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    for dialogs in given.dialogs:
        print(in_process("--one", str(dialogs)), flush=True)


if __name__ == "__main__":
    main()
