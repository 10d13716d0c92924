"""What waiting for a peer that is down costs: `python tests/bench/network_backlog.py [--messages N …] [--dialogs N …]`.

For each number of dialogs one instance on disk, whose partner's endpoint is stopped, is filled to each number of
waiting messages in turn. At each size are measured: SENDs, COUNT(*) of sys.transmission_queue, and what a message costs
its sender from the moment that the partner is there, each with its acknowledgement. Then the store is opened anew with
all that waits. Processor time and memory are those of the sender's process. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from bench_network import ARRIVED, IDENTITY, OPEN, Side, free_ports

HANDLES = """USE shop; SET NOCOUNT ON; BEGIN TRANSACTION
CREATE TABLE Handles (n int IDENTITY (0, 1) PRIMARY KEY, h uniqueidentifier)
DECLARE @h uniqueidentifier, @d int = 0
WHILE @d < {dialogs}
BEGIN
    BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF
    INSERT Handles VALUES (@h); SET @d += 1
END
COMMIT"""
SEND = """USE shop
DECLARE @h uniqueidentifier, @i int; SET NOCOUNT ON
DECLARE handles CURSOR STATIC FOR SELECT TOP ({handles}) h FROM Handles
OPEN handles; FETCH FROM handles INTO @h
WHILE @@FETCH_STATUS = 0 BEGIN
    SET @i = 0
    WHILE @i < {rounds} BEGIN SEND ON CONVERSATION @h (0x{body}); SET @i += 1 END
    FETCH FROM handles INTO @h
END
CLOSE handles; DEALLOCATE handles"""
COUNT = "USE shop; SELECT COUNT(*) FROM sys.transmission_queue"
PROBE = 20_000
"""Messages of one timed loop."""
PATIENCE = 600.0


class Measured(Side):
    """A side whose process is watched."""

    def resident(self) -> float:
        """Its memory in MiB."""
        pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def peak(self) -> float:
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 2**10

    def spent(self) -> float:
        """Seconds of a processor."""
        return float(self.run("PRINT 1")[0][0])


def send(a: Measured, dialogs: int, messages: int) -> int:
    """So many messages, evenly over the dialogs (or one each, over as many as there are messages)."""
    handles = min(dialogs, messages)
    rounds = max(1, messages // handles)
    a.run(SEND.format(handles=handles, rounds=rounds, body="41" * 100))
    return handles * rounds


def acknowledged(a: Measured, b: Side, messages: int, port: int) -> float:
    """Microseconds of the sender's processor for each message that gets over, its acknowledgement included. Some are
    those of asking how many did: a few of a thousand messages."""
    before = int(a.run(ARRIVED)[0][0])
    b.run("ALTER ENDPOINT broker STATE = STARTED")
    spent, begun = a.spent(), time.monotonic()
    a.run(f"USE shop; ALTER ROUTE there WITH ADDRESS = 'TCP://B:{port}'")  # one that was never tried is tried at once
    while (count := int(a.run(ARRIVED)[0][0]) - before) < messages:
        if time.monotonic() > begun + PATIENCE:
            raise SystemExit(f"{count} of {messages} messages arrived within {PATIENCE} seconds")
        time.sleep(0.5)
    spent = a.spent() - spent
    b.run("ALTER ENDPOINT broker STATE = STOPPED")
    return 1e6 * spent / count


def measure(dialogs: int, sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, (one, other) = pathlib.Path(name), free_ports()
        environment = {**os.environ, "SBQL_DOMAIN": str(folder / "domain.key")}
        addresses = [f":4022=127.0.0.1:{one}", *(f"B:{4022 + n}=127.0.0.1:{other}" for n in range(2 + len(sizes)))]
        a = Measured(folder / "a.duckdb", addresses, environment)
        b = Side(folder / "b.duckdb", [f":4022=127.0.0.1:{other}", f"A:4022=127.0.0.1:{one}"], environment)
        try:
            for me, you, machine in (("A", "B", a), ("B", "A", b)):
                machine.run(IDENTITY.format(me=me, you=you, folder=folder, encryption="DISABLED"))
                machine.run(OPEN.format(me=me))
            b.run("ALTER ENDPOINT broker STATE = STOPPED")
            a.run(HANDLES.format(dialogs=dialogs))
            send(a, 1, 100)
            acknowledged(a, b, 100, 4023)  # what is loaded by the first connection is not measured
            for place, size in enumerate(sizes, 4024):
                send(a, dialogs, size - int(a.run(COUNT)[0][0]))
                filled, probe = a.resident(), min(PROBE, size)
                spent = a.spent()
                sent = send(a, dialogs, probe)
                sending = 1e6 * (a.spent() - spent) / sent
                counting = []
                for _ in range(2):
                    begun = time.perf_counter()
                    a.run(COUNT)
                    counting.append(f"{1e3 * (time.perf_counter() - begun):,.0f}")
                going = acknowledged(a, b, probe, place)
                print(
                    f"| {dialogs:,} | {size:,} | {sending:,.0f} | {going:,.0f} | {counting[0]} | {counting[1]} | {filled:,.0f} | {a.peak():,.0f} |",
                    flush=True,
                )
            begun = time.perf_counter()
            a.end()
            closed = time.perf_counter()
            a = Measured(folder / "a.duckdb", addresses, environment)
            waiting = int(a.run(COUNT)[0][0])
            opened = time.perf_counter()
            print(
                f"closed in {closed - begun:.1f} s, opened with {waiting:,} waiting in {opened - closed:.1f} s, {a.resident():,.0f} MiB",
                flush=True,
            )
        finally:
            a.end()
            b.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, nargs="+", default=[1_000, 100_000, 1_000_000])
    parser.add_argument("--dialogs", type=int, nargs="+", default=[1, 1_000])
    options = parser.parse_args()
    print("| dialogs | waiting | SEND, µs | sent and acknowledged, µs | COUNT(*), ms | again, ms | MiB | peak, MiB |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    for dialogs in options.dialogs:
        measure(dialogs, options.messages)


if __name__ == "__main__":
    main()
