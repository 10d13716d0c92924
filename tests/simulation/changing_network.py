"""The network's simulation with dialog security, while certificates, bindings, endpoints, routes, queues and
brokers change under the open dialogs.

It decides what the administrators do. What must hold is what the network's simulation says: in the end, when all
definitions are good again, every message has been received once and in order, both sides agree that each dialog is
over, and nothing waits. Nothing that is changed here ends a dialog or takes a message away.
`python tests/simulation/changing_network.py SEED` prints the story of one.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from network_simulation import RECEIVE, NetworkSimulation

from sbql.engine.simulated_network import Machine, Network
from sbql.grammar.errors import SqlError

__all__ = ["ChangingNetwork", "make_keys", "run"]

COUNT = 3
"""Certificates of each machine, each valid for longer than the one before."""
QUEUES = ("desk", "annex")
PASSWORD = "Strong1!"
REFUSED_WHILE_OFF = 9618
MADE = """CREATE CERTIFICATE {name} WITH SUBJECT = '{name}', START_DATE = '2025-01-01', EXPIRY_DATE = '{year}-01-01'
BACKUP CERTIFICATE {name} TO FILE = '{folder}/{name}.cer' WITH PRIVATE KEY (FILE = '{folder}/{name}.pvk', ENCRYPTION BY PASSWORD = '{password}')"""
OWN = "CREATE CERTIFICATE {name} FROM FILE = '{folder}/{name}.cer' WITH PRIVATE KEY (FILE = '{folder}/{name}.pvk', DECRYPTION BY PASSWORD = '{password}')"
THEIRS = "CREATE CERTIFICATE {name} AUTHORIZATION [{owner}] FROM FILE = '{folder}/{name}.cer'"
ENDPOINTS = (
    "STATE = STOPPED", "STATE = STARTED", "STATE = STARTED", "FOR SERVICE_BROKER (ENCRYPTION = DISABLED)", "FOR SERVICE_BROKER (ENCRYPTION = SUPPORTED)", "AS TCP (LISTENER_PORT = 4022)",
    "AS TCP (LISTENER_PORT = 4023)",
)  # fmt: skip
BROKERS = (
    "DISABLE_BROKER WITH ROLLBACK IMMEDIATE",
    "ENABLE_BROKER",
    "ENABLE_BROKER",
    "SINGLE_USER",
    "MULTI_USER",
    "MULTI_USER",
)
MOVE = """DECLARE @g uniqueidentifier = (SELECT conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = '{other}')
IF @g IS NOT NULL MOVE CONVERSATION '{one}' TO @g"""
TIMER = """IF EXISTS (SELECT * FROM sys.conversation_endpoints WHERE conversation_handle = '{one}' AND state IN ('CO', 'SO'))
    BEGIN CONVERSATION TIMER ('{one}') TIMEOUT = {seconds}"""


def make_keys(folder: Path) -> None:
    """The certificates of all machines, and their private keys, as files."""
    with Network(1) as network:
        machine = network.add("Maker")
        machine.execute(f"CREATE DATABASE keys\nGO\nUSE keys; CREATE MASTER KEY ENCRYPTION BY PASSWORD = '{PASSWORD}'")
        for name in "ABC":
            for number in range(COUNT):
                values = {"name": f"{name}{number}", "year": 2028 + number, "folder": folder, "password": PASSWORD}
                machine.execute(MADE.format(**values), "keys")


class ChangingNetwork(NetworkSimulation):
    """`keys`: a folder that `make_keys` has filled."""

    def __init__(self, seed: int, keys: Path, folder: Path | None = None, *, is_told: bool = False) -> None:
        self.is_beginning = False
        super().__init__(seed, folder, is_told=is_told)
        self.keys = keys
        self.anonymous = self.chance.choice(("ON", "OFF"))

    def _build(self) -> None:
        super()._build()
        for machine in self._up():
            self._do(machine, f"CREATE QUEUE annex; CREATE MASTER KEY ENCRYPTION BY PASSWORD = '{PASSWORD}'")
            for other in self._others(machine):
                self._do(machine, f"CREATE USER [{other}] WITHOUT LOGIN")
            self._secure(machine, 1)

    # --- what administrators do ----------------------------------------------------------------------------

    def _act(self) -> None:
        if self.chance.random() > 0.3:
            super()._act()
            return
        acts: tuple[Callable[[Machine], str], ...] = (
            *[self._bring] * 3, self._drop_certificate, self._bind, self._change_broker, self._change_queue, self._change_endpoint, self._change_route, self._disturb_dialog,
        )  # fmt: skip
        machine = self.chance.choice(self._up())
        self._tell(f"{machine.name}: {self.chance.choice(acts)(machine)}")

    def _do(self, machine: Machine, text: str) -> list[list[tuple[Any, ...]]]:
        return machine.execute(text, "shop")

    def _others(self, machine: Machine) -> list[str]:
        return [name for name in self.names if name != machine.name]

    def _has(self, machine: Machine, view: str, name: str) -> bool:
        return bool(self._do(machine, f"SELECT 1 FROM sys.{view} WHERE name = '{name}'")[0])

    def _install(self, machine: Machine, owner: str, number: int) -> None:
        name = f"{owner}{number}"
        if not self._has(machine, "certificates", name):
            text = OWN if owner == machine.name else THEIRS
            self._do(machine, text.format(name=name, owner=owner, folder=self.keys, password=PASSWORD))

    def _secure(self, machine: Machine, count: int) -> None:
        """So many certificates of everybody, and a binding for every other service."""
        for owner in self.names:
            for number in range(count):
                self._install(machine, owner, number)
        for other in self._others(machine):
            if not self._has(machine, "remote_service_bindings", f"to {other}"):
                self._do(
                    machine,
                    f"CREATE REMOTE SERVICE BINDING [to {other}] TO SERVICE '//{other}' WITH USER = [{other}], ANONYMOUS = {self.anonymous}",
                )

    def _bring(self, machine: Machine) -> str:
        owner, number = self.chance.choice(self.names), self.chance.randrange(COUNT)
        self._install(machine, owner, number)
        return f"certificate {owner}{number}"

    def _drop_certificate(self, machine: Machine) -> str:
        name = f"{self.chance.choice(self.names)}{self.chance.randrange(COUNT)}"
        if self._has(machine, "certificates", name):
            self._do(machine, f"DROP CERTIFICATE {name}")
        return f"no certificate {name}"

    def _bind(self, machine: Machine) -> str:
        name = f"to {self.chance.choice(self._others(machine))}"
        if not self._has(machine, "remote_service_bindings", name):
            self._secure(machine, 1)
            return "all bindings"
        text = self.chance.choice(
            (
                f"DROP REMOTE SERVICE BINDING [{name}]",
                f"ALTER REMOTE SERVICE BINDING [{name}] WITH ANONYMOUS = ON",
                f"ALTER REMOTE SERVICE BINDING [{name}] WITH ANONYMOUS = OFF",
            )
        )
        self._do(machine, text)
        return text

    def _change_broker(self, machine: Machine) -> str:
        how = self.chance.choice(BROKERS)
        machine.execute(f"USE master; ALTER DATABASE shop SET {how}; USE shop", "shop")
        return how

    def _change_queue(self, machine: Machine) -> str:
        queue = self.chance.choice(QUEUES)
        texts = [f"ALTER QUEUE {queue} WITH RETENTION = {word}" for word in ("ON", "OFF", "OFF")]
        text = self.chance.choice((*texts, f"ALTER SERVICE [//{machine.name}] ON QUEUE {queue}"))
        try:
            self._do(machine, text)
        except SqlError as error:
            if error.number != 8493:  # it is there
                raise
        return text

    def _change_endpoint(self, machine: Machine) -> str:
        how = self.chance.choice(ENDPOINTS)
        self._do(machine, f"ALTER ENDPOINT broker {how}")
        return f"endpoint {how}"

    def _change_route(self, machine: Machine) -> str:
        other, port = self.chance.choice(self._others(machine)), self.chance.choice((4022, 4022, 4023))
        address = f"'TCP://{self.chance.choice([other, *self.names])}:{port}'"  # also its own, and one where the service is not
        if not self._has(machine, "routes", f"to {other}"):
            text = f"CREATE ROUTE [to {other}] WITH SERVICE_NAME = '//{other}', ADDRESS = {address}"
        else:
            text = self.chance.choice(
                (f"DROP ROUTE [to {other}]", f"ALTER ROUTE [to {other}] WITH ADDRESS = {address}")
            )
        self._do(machine, text)
        return text

    def _disturb_dialog(self, machine: Machine) -> str:
        handles = [side.handle for _, _, side in self._open_sides() if side.machine == machine.name]
        if not handles:
            return "no dialog"
        values = {
            "one": self.chance.choice(handles),
            "other": self.chance.choice(handles),
            "seconds": self.chance.choice((1, 5, 100)),
        }
        text = self.chance.choice((MOVE, TIMER)).format(**values)
        self._do(machine, text)
        return " ".join(text.split())

    # --- what applications do ------------------------------------------------------------------------------

    def _say(self) -> None:
        self._unless_off(super()._say)

    def _act_on_monologs(self, books: Any) -> None:
        self._unless_off(lambda: super(ChangingNetwork, self)._act_on_monologs(books))

    def _begin(self) -> None:
        self.is_beginning = True
        try:
            if self._up():
                super()._begin()
        finally:
            self.is_beginning = False

    def _up(self) -> list[Machine]:
        """A dialog begins where no queue refuses: it would be left without its first message."""
        up = super()._up()
        return [m for m in up if (True, True) not in self._switches(m)] if self.is_beginning else up

    def _switches(self, machine: Machine) -> list[tuple[bool, bool]]:
        """Of each queue, whether it is OFF, and whether it retains."""
        text = "SELECT is_receive_enabled, is_retention_enabled FROM sys.service_queues WHERE name IN ('desk', 'annex')"
        return [(not on, bool(retains)) for on, retains in self._do(machine, text)[0]]

    def _unless_off(self, act: Callable[[], None]) -> None:
        """SEND with RETENTION on a queue that is OFF is refused."""
        try:
            act()
        except SqlError as error:
            if error.number != REFUSED_WHILE_OFF:
                raise
            for machine in self._up():
                self._do(machine, "IF @@TRANCOUNT > 0 ROLLBACK")

    def _receive(self, machine: Machine | None = None, count: int | None = None) -> int:
        machine = machine or self.chance.choice(self._up())
        return sum(self._receive_from(machine, queue, count) for queue in QUEUES)

    def _receive_from(self, machine: Machine, queue: str, count: int | None) -> int:
        is_kept = count is not None or self.chance.random() < 0.9
        text = RECEIVE.replace("FROM desk", f"FROM {queue}")
        try:
            rows = self._run(machine, text, count=count or self.chance.randint(1, 5), keep=int(is_kept))[0]
        except SqlError as error:
            if error.number != 9617:  # the queue is off
                raise
            self._do(machine, "IF @@TRANCOUNT > 0 ROLLBACK")
            return 0
        if is_kept:
            for row in rows:
                self._note(machine, *row)
        self._tell(f"{machine.name} receives {len(rows)} from {queue} ({'kept' if is_kept else 'rolled back'})")
        return len(rows) * is_kept

    def _note(self, machine: Machine, handle: Any, kind: str, sequence: int, body: str | None) -> None:
        if not kind.endswith("/DialogTimer"):
            super()._note(machine, handle, kind, sequence, body)

    # --- the end -------------------------------------------------------------------------------------------

    def _heal(self) -> None:
        super()._heal()
        for machine in self._up():
            machine.execute(
                "USE master; ALTER DATABASE shop SET MULTI_USER; ALTER DATABASE shop SET ENABLE_BROKER; USE shop",
                "shop",
            )
            for queue in QUEUES:
                self._do(machine, f"ALTER QUEUE {queue} WITH STATUS = ON, RETENTION = OFF")
            self._do(
                machine,
                "ALTER ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (ENCRYPTION = SUPPORTED)",
            )
            for other in self._others(machine):
                verb = "ALTER" if self._has(machine, "routes", f"to {other}") else "CREATE"
                service = f"SERVICE_NAME = '//{other}', " if verb == "CREATE" else ""
                self._do(machine, f"{verb} ROUTE [to {other}] WITH {service}ADDRESS = 'TCP://{other}:4022'")
            self._secure(machine, COUNT)


def run(seed: int, keys: Path, *, is_told: bool = False) -> None:
    ChangingNetwork(seed, keys, is_told=is_told).run()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        make_keys(Path(made))
        run(int(sys.argv[1]), Path(made), is_told=True)
