"""What a large result costs the server, for clients of TDS that read fast or hardly at all: time and memory.

The server is a process of its own, with a store in memory; the clients are sockets in this one, which look at no row.
"""

from __future__ import annotations

import argparse
import re
import select
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from serving import ServerProcess, listening_server
from tds_wire import HEADERS, WireClient

PASSWORD = "Secret-1234"
TABLE = 300_000
SECONDS = 10.0


def megabytes(process: ServerProcess, what: str = "VmRSS") -> float:
    found = re.search(rf"{what}:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1]) / 1024


def ask(client: WireClient, rows: int) -> float:
    text = f"SELECT TOP ({rows}) a.n, a.t FROM big a CROSS JOIN GENERATE_SERIES(1, {rows // TABLE + 1}) b"
    client.send(1, HEADERS + text.encode("utf-16-le"))
    return time.perf_counter()


def read_all(client: WireClient, since: float) -> tuple[float, float]:
    """Seconds to the first bytes, and to the end."""
    first, rest = 0.0, b""
    while True:
        rest += client.socket.recv(65536)
        first = first or time.perf_counter() - since
        while len(rest) >= 8 and len(rest) >= (length := rest[2] << 8 | rest[3]):
            if rest[1] & 1:
                return first, time.perf_counter() - since
            rest = rest[length:]


def read_slowly(process: ServerProcess, clients: list[WireClient], rows: int, seconds: float) -> tuple[float, float]:
    """A packet of 4 KB fifty times a second each, for so long: the most memory, and the seconds after
    which the last has its first row."""
    before = most = megabytes(process)
    began = time.perf_counter()
    firsts: dict[int, float] = {}
    for client in clients:
        ask(client, rows)
    while time.perf_counter() - began < seconds:
        most = max(most, megabytes(process))
        for sock in select.select([client.socket for client in clients], [], [], 0.02)[0]:
            sock.recv(4096)
            firsts.setdefault(sock.fileno(), time.perf_counter() - began)
        time.sleep(0.02)
    return most - before, max(firsts.values()) if len(firsts) == len(clients) else float("inf")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, listening_server(Path(folder), PASSWORD) as (process, port):
        clients = [WireClient(port, password=PASSWORD) for _ in range(options.clients)]
        clients[0].batch(
            f"SELECT value AS n, CAST(REPLICATE('x', 200) AS varchar(200)) AS t INTO big FROM GENERATE_SERIES(1, {TABLE})"
        )
        before = megabytes(process)
        first, whole = read_all(clients[0], ask(clients[0], options.rows))
        grown = max(0.0, megabytes(process, "VmHWM") - before)
        print(
            f"{options.rows:,} rows read at once: the first after {first * 1000:.0f} ms, {options.rows / whole:,.0f} rows/s, {grown:.0f} MB more at the most"
        )
        grown, first = read_slowly(process, clients, options.rows, options.seconds)
        print(
            f"by {options.clients} clients that read slowly: the last has its first after {first * 1000:.0f} ms, {grown:.0f} MB more at the most"
        )


if __name__ == "__main__":
    main()
