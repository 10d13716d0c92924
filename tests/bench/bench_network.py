"""Messages a second between two processes, durable on both sides:
`python tests/bench/bench_network.py [--messages 20000]` prints a table.

A has committed messages that wait for B, whose endpoint is stopped; it is started, and the clock runs until B has all
of them in its queue, on disk, and A has all receipts, on disk: its transmission queue is empty. So neither SEND nor
RECEIVE is measured, but with `--read`, where activated readers of B receive meanwhile. `--large 20000000` sends one
message of so many bytes in its place, and one of a byte in another dialog right behind it. The connection is encrypted
in all but the first kind; dialog security is full. In the end RabbitMQ with publisher confirms, in the same run, where
it is installed (Debian's package rabbitmq-server, and `pip install pika`).
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import rabbit

KINDS = ("none", "transport", "full")
PATIENCE = 600.0
IDENTITY = """CREATE DATABASE shop
GO
USE shop
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Bench-1-Password'
CREATE CERTIFICATE {me} WITH SUBJECT = '{me}', EXPIRY_DATE = '2099-01-01'
BACKUP CERTIFICATE {me} TO FILE = '{folder}/{me}.cer'
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022, LISTENER_IP = (127.0.0.1))
    FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS, ENCRYPTION = {encryption})
CREATE QUEUE desk
CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT])
CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'"""
PARTNER = """USE shop
CREATE USER {you} WITHOUT LOGIN
CREATE CERTIFICATE {you} AUTHORIZATION {you} FROM FILE = '{folder}/{you}.cer'
CREATE REMOTE SERVICE BINDING there TO SERVICE '//{you}' WITH USER = {you}
GRANT SEND ON SERVICE::[//{me}] TO {you}"""
OPEN = "USE shop; GRANT SEND ON SERVICE::[//{me}] TO public"
SEND = """USE shop; SET NOCOUNT ON; BEGIN TRANSACTION
DECLARE @h uniqueidentifier, @d int = 0, @n int, @body varbinary(max) = CAST(REPLICATE(CAST('x' AS varchar(max)), {size}) AS varbinary(max))
WHILE @d < {dialogs}
BEGIN
    BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = {dialog_encryption}
    SET @n = 0
    WHILE @n < {each} BEGIN SEND ON CONVERSATION @h (@body); SET @n += 1 END
    SET @d += 1
END
COMMIT"""
ARRIVED = "SELECT cntr_value FROM sys.dm_os_performance_counters WHERE counter_name = 'Dequeued TransmissionQ Msgs/sec'"
COUNT = "SELECT COUNT(*) FROM shop.dbo.desk"
HANDLES = "SELECT CAST(conversation_handle AS varchar(40)) FROM shop.sys.conversation_endpoints"
LARGE = """USE shop; DECLARE @body varbinary(max) = CAST(REPLICATE(CAST('x' AS varchar(max)), {size}) AS varbinary(max))
SEND ON CONVERSATION '{handle}' (@body)"""
ARRIVED_OF = """SELECT COUNT(*) FROM shop.dbo.desk WHERE DATALENGTH(message_body) = {size}
UNION ALL SELECT COUNT(*) FROM shop.dbo.desk WHERE DATALENGTH(message_body) = 1"""
READ = """USE shop
CREATE TABLE got (n int NOT NULL, at datetime2 NOT NULL)
GO
CREATE PROCEDURE reading AS
WHILE 1 = 1
BEGIN
    DECLARE @got TABLE (h uniqueidentifier)
    BEGIN TRANSACTION
    DELETE @got
    WAITFOR (RECEIVE conversation_handle FROM desk INTO @got), TIMEOUT 1000
    DECLARE @n int = (SELECT COUNT(*) FROM @got)
    IF @n = 0 BEGIN COMMIT; RETURN END
    INSERT got VALUES (@n, SYSUTCDATETIME())
    COMMIT
END
GO
ALTER QUEUE desk WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = reading, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER)"""


def side(store: str, addresses: list[str]) -> None:
    """A process of its own: each line of its input is a script, the rows of its last result go back."""
    import sbql

    with sbql.connect(store, addresses=dict(text.split("=") for text in addresses)) as connection:
        print("[]", flush=True)
        for line in sys.stdin:
            rows: list[Any] = [[time.process_time()]]
            for batch in json.loads(line).split("\nGO\n"):
                cursor = connection.execute(batch)
                rows = [list(row) for row in cursor.fetchall()] if cursor.description else rows
            print(json.dumps(rows, default=str), flush=True)


class Side:
    """That process, from outside."""

    def __init__(self, store: Path, addresses: list[str], environment: dict[str, str]) -> None:
        command = [sys.executable, __file__, "--side", str(store), *addresses]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self._answer()

    def _answer(self) -> list[Any]:
        assert self.process.stdout is not None
        rows: list[Any] = json.loads(self.process.stdout.readline())
        return rows

    def run(self, text: str) -> list[Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def end(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait(60)


def free_ports() -> tuple[int, int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    one, other = (probe.getsockname()[1] for probe in probes)
    for probe in probes:
        probe.close()
    return one, other


def measure(
    kind: str, size: int, dialogs: int, messages: int, *, is_read: bool = False, pause: float = 0.0
) -> tuple[float, float, float]:
    """Messages a second, and the microseconds of a processor that each takes in A and in B."""
    each = messages // dialogs
    with tempfile.TemporaryDirectory() as name:
        a, b = _pair(kind, Path(name))
        try:
            if is_read:
                b.run(READ)
            a.run("ALTER ENDPOINT broker STATE = STOPPED")
            a.run(
                SEND.format(size=size, dialogs=dialogs, each=each, dialog_encryption="ON" if kind == "full" else "OFF")
            )
            a.run("CHECKPOINT")
            a.run(ARRIVED)
            if pause:
                print(f"A is {a.process.pid}, B is {b.process.pid}", flush=True)
                time.sleep(pause)
            spent = [float(machine.run("PRINT 1")[0][0]) for machine in (a, b)]
            begun = time.monotonic()
            a.run("ALTER ENDPOINT broker STATE = STARTED")
            _wait_for(a, each * dialogs, begun)
            took = time.monotonic() - begun
            spent = [float(machine.run("PRINT 1")[0][0]) - x for machine, x in zip((a, b), spent, strict=True)]
            got = "SELECT SUM(n) FROM shop.dbo.got" if is_read else "SELECT COUNT(*) FROM shop.dbo.desk"
            while int(b.run(got)[0][0] or 0) < each * dialogs:
                time.sleep(0.05)
            return each * dialogs / took, *(1e6 * x / (each * dialogs) for x in spent)  # type: ignore[return-value]
        finally:
            a.end()
            b.end()


def measure_large(kind: str, size: int) -> tuple[float, float, int, int]:
    """Seconds from behind the SEND until a large message is in the queue of B, and until a small one of another dialog
    is that was sent right behind it; the most memory of A and of B, in MiB."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        a, b = _pair(kind, folder)
        try:
            encrypted = "ON" if kind == "full" else "OFF"
            a.run(SEND.format(size=10, dialogs=2, each=1, dialog_encryption=encrypted))
            while int(b.run(COUNT)[0][0]) < 2:
                time.sleep(0.05)
            one, other = (row[0] for row in a.run(HANDLES))
            a.run(LARGE.format(handle=one, size=size))
            begun, took = time.monotonic(), [0.0, 0.0]
            a.run(f"USE shop; SEND ON CONVERSATION '{other}' (0x01)")
            while not all(took):
                for place, (found,) in enumerate(b.run(ARRIVED_OF.format(size=size))):
                    took[place] = took[place] or (time.monotonic() - begun if found else 0.0)
                time.sleep(0.01)
            return took[0], took[1], _peak(a), _peak(b)
        finally:
            a.end()
            b.end()


def _pair(kind: str, folder: Path) -> tuple[Side, Side]:
    """A and B, who know each other."""
    one, other = free_ports()
    environment = {**os.environ, "SBQL_DOMAIN": str(folder / "domain.key")}
    a = Side(folder / "a.duckdb", [f":4022=127.0.0.1:{one}", f"B:4022=127.0.0.1:{other}"], environment)
    b = Side(folder / "b.duckdb", [f":4022=127.0.0.1:{other}", f"A:4022=127.0.0.1:{one}"], environment)
    words = {"folder": folder, "encryption": "DISABLED" if kind == "none" else "REQUIRED"}
    for me, you, machine in (("A", "B", a), ("B", "A", b)):
        machine.run(IDENTITY.format(me=me, you=you, **words))
    for me, you, machine in (("A", "B", a), ("B", "A", b)):
        machine.run((PARTNER if kind == "full" else OPEN).format(me=me, you=you, folder=folder))
    return a, b


def _peak(side: Side) -> int:
    lines = Path(f"/proc/{side.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) >> 10


def _wait_for(a: Side, messages: int, begun: float) -> None:
    """Until A has all receipts: what is acknowledged is on the disk of B."""
    while int(a.run(ARRIVED)[0][0]) < messages:
        if time.monotonic() > begun + PATIENCE:
            raise SystemExit(f"not all messages arrived within {PATIENCE} seconds")
        time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--side", nargs="*")
    parser.add_argument("--messages", type=int, default=20000)
    parser.add_argument("--kinds", nargs="*", default=KINDS)
    parser.add_argument("--sizes", nargs="*", type=int, default=[100, 8192])
    parser.add_argument("--dialogs", nargs="*", type=int, default=[1, 150])
    parser.add_argument("--read", action="store_true", help="activated readers of B receive meanwhile")
    parser.add_argument("--large", nargs="*", type=int, default=[], help="bytes of one message, in place of many")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds before it begins, for a profiler")
    parser.add_argument("--rabbit", action=argparse.BooleanOptionalAction, default=True, help="RabbitMQ beside it")
    given = parser.parse_args()
    if given.side:
        side(given.side[0], given.side[1:])
        return
    for kind in given.kinds if given.large else ():
        for size in given.large:
            large, small, one, other = measure_large(kind, size)
            print(
                f"{kind:<10} {size:>11,} bytes {large:>6.2f} s, a small one {small:.2f} s, A {one} MiB, B {other} MiB"
            )
    if given.large:
        return
    print(f"{'security':<10} {'bytes':>6} {'dialogs':>8} {'messages/s':>11} {'A: µs each':>11} {'B: µs each':>11}")
    for kind in given.kinds:
        for size in given.sizes:
            for dialogs in given.dialogs:
                found = measure(kind, size, dialogs, given.messages, is_read=given.read, pause=given.pause)
                print(
                    f"{kind:<10} {size:>6} {dialogs:>8} {found[0]:>11,.0f} {found[1]:>11,.0f} {found[2]:>11,.0f}",
                    flush=True,
                )
    if given.rabbit:
        beside(given.sizes, given.messages)


def beside(sizes: list[int], messages: int) -> None:
    """RabbitMQ on this machine in this hour."""
    if rabbit.missing():
        print(f"RabbitMQ with publisher confirms: {rabbit.missing()}")
        return
    with rabbit.node() as port:
        for size in sizes:
            print(f"{'RabbitMQ':<10} {size:>6} {'':>8} {rabbit.measure(port, size, messages):>11,.0f}", flush=True)


if __name__ == "__main__":
    main()
