"""Two instances, Trader and DMBroker, each a process of its own, that trade over TCP with full dialog security.

It starts both, lets them exchange their certificates as files, sends orders, waits for the confirmations, and prints
what each side did and what the connection was. Run it with `make demo-network`, or by hand:

    python scripts/network/run_demo.py [--dialogs 20] [--folder FOLDER]
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import sbql

HERE = Path(__file__).parent
ORDERS = 10
"""In each dialog."""
PATIENCE = 120.0
CONNECTION = """SELECT principal_name, authentication_method, encryption_algorithm_desc, is_accept, total_bytes_sent, total_bytes_received, total_fragments_sent,
    total_fragments_received FROM sys.dm_broker_connections WHERE login_state_desc = 'ONLINE'"""
SECURED = """SELECT COUNT(*) FROM Trading.sys.conversation_endpoints WHERE outbound_session_key_identifier <> '00000000-0000-0000-0000-000000000000'"""


# --- one side: a process that does what it is told, a line each ---------------------------------------------


def side(name: str, store: str, addresses: list[str]) -> None:
    """Scripts and queries come as lines of JSON, rows go back."""
    with sbql.connect(store, addresses=dict(text.split("=") for text in addresses)) as connection:
        print("[]", flush=True)
        for line in sys.stdin:
            word, text = json.loads(line)
            rows: list[Any] = []
            if word == "script":
                you = "DMBroker" if name == "Trader" else "Trader"
                sbql.run_file(connection, HERE / text, {"me": name, "you": you})
            else:
                cursor = connection.execute(text)
                rows = [list(row) for row in cursor.fetchall()] if cursor.description else []
            print(json.dumps(rows, default=str), flush=True)


class Side:
    """That process, seen from outside."""

    def __init__(self, name: str, folder: Path, addresses: list[str]) -> None:
        self.name = name
        store = str(folder / f"{name}.duckdb")
        command = [sys.executable, __file__, "--side", name, "--store", store, *addresses]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._answer()

    def _answer(self) -> list[Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} has ended")
        rows: list[Any] = json.loads(line)
        return rows

    def tell(self, word: str, text: str) -> list[Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([word, text]) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def query(self, text: str) -> list[Any]:
        return self.tell("query", text)

    def number(self, text: str) -> int:
        return int(self.query(text)[0][0])

    def end(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(30)


# --- both ---------------------------------------------------------------------------------------------------


def free_ports() -> list[int]:
    """Two that nobody listens on."""
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def run(folder: Path, dialogs: int) -> bool:
    """Whether every order was confirmed, once."""
    begun = time.monotonic()
    trader_port, broker_port = free_ports()
    sides = (
        Side("Trader", folder, [f":4022=127.0.0.1:{trader_port}", f"DMBroker:4022=127.0.0.1:{broker_port}"]),
        Side("DMBroker", folder, [f":4022=127.0.0.1:{broker_port}", f"Trader:4022=127.0.0.1:{trader_port}"]),
    )
    trader, broker = sides
    try:
        for script in ("identity.sql", "partner.sql"):
            for one in sides:
                one.tell("script", script)
        for one in sides:
            one.tell("script", f"{one.name.lower()}.sql")
        print(
            f"{'set up':<10} two processes, certificates exchanged as files in {folder}, {time.monotonic() - begun:.1f} s"
        )
        sent = time.monotonic()
        trader.query(f"EXECUTE Trading.dbo.SubmitOrders @dialogs = {dialogs}, @orders = {ORDERS}")
        orders = dialogs * ORDERS
        confirmed, end = 0, time.monotonic() + PATIENCE
        while confirmed < orders and time.monotonic() < end:
            time.sleep(0.1)
            confirmed = trader.number("SELECT COUNT(*) FROM Trading.dbo.Orders WHERE confirmed_at IS NOT NULL")
        took = time.monotonic() - sent
        trades = broker.number("SELECT COUNT(*) FROM Trading.dbo.Trades")
        secured = broker.number(
            SECURED
        )  # the initiator's endpoints go with their dialogs, some of which have ended by now
        print(
            f"{'Trader':<10} {orders} orders in {dialogs} dialogs, {secured} of them with session keys; {confirmed} confirmed, {took:.1f} s"
        )
        print(f"{'DMBroker':<10} {trades} trades")
        for one in sides:
            tell_connections(one)
        waiting = sum(one.number("SELECT COUNT(*) FROM Trading.sys.transmission_queue") for one in sides)
        print(f"{'left':<10} {waiting} messages in transmission queues")
        return confirmed == trades == orders and secured == dialogs
    finally:
        for one in sides:
            one.end()


def tell_connections(one: Side) -> None:
    for peer, method, cipher, is_accept, sent, received, fragments_sent, fragments_received in one.query(CONNECTION):
        print(
            f"{one.name:<10} connection {'from' if is_accept else 'to'} {peer}: authentication {method}, encryption {cipher}, {sent} bytes and {fragments_sent} fragments out, "
            f"{received} bytes and {fragments_received} fragments in"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dialogs", type=int, default=20, help=f"dialogs, of {ORDERS} orders each")
    parser.add_argument(
        "--folder", type=Path, help="where the stores and certificates are kept (default: a folder that is thrown away)"
    )
    parser.add_argument("--side", help=argparse.SUPPRESS)
    parser.add_argument("--store", help=argparse.SUPPRESS)
    parser.add_argument("addresses", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side is not None:
        side(options.side, options.store, options.addresses)
        return 0
    if options.folder is not None:
        options.folder.mkdir(parents=True, exist_ok=True)
        return 0 if run(options.folder, options.dialogs) else 1
    with tempfile.TemporaryDirectory() as folder:
        return 0 if run(Path(folder), options.dialogs) else 1


if __name__ == "__main__":
    sys.exit(main())
