"""One seeded run of dialogs between instances over a bad network, and what must hold of it.

It decides what happens next, from the seed alone: who begins a dialog, sends, receives, answers, rolls back, ends; how bad the ways are, who is cut off, which queue is off, which
machine crashes and comes back. It talks T-SQL, and keeps its books of what was committed.

In the end everything is healed, and all that was sent must have been received exactly once and in order, both sides agree that each dialog is over, and nothing is left in a
transmission queue. `python tests/simulation/network_simulation.py SEED` prints the story of one.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sbql.engine.simulated_network import Machine, Mischief, Network
from sbql.grammar.errors import SqlError

STEPS = 60
LARGE = 100_000
"""Bytes of a body that takes several fragments."""
END_DIALOG = "http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog"

WORLD = """
CREATE DATABASE shop
GO
USE shop
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (ENCRYPTION = {encryption})
ALTER DATABASE shop SET HONOR_BROKER_PRIORITY ON
GO
CREATE QUEUE desk; CREATE SERVICE [//{name}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{name}] TO public
"""

BEGIN = """DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//{me}] TO SERVICE '//{you}' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (CAST('{dialog}:I:0:' + REPLICATE(CAST('x' AS varchar(max)), {size}) AS varbinary(max))); SELECT @h"""

SAY = (
    "SEND ON CONVERSATION '{handle}' (CAST('{text}:' + REPLICATE(CAST('x' AS varchar(max)), {size}) AS varbinary(max)))"
)

RECEIVE = """RECEIVE TOP ({count}) conversation_handle, message_type_name, message_sequence_number,
CAST(message_body AS varchar(max)) FROM desk"""


class Broken(AssertionError):
    """A promise does not hold."""


@dataclass
class Side:
    """One end of a dialog."""

    machine: str
    handle: str = ""
    sent: int = 0
    received: list[int] = field(default_factory=list)
    has_ended: bool = False
    heard_end: bool = False


class NetworkSimulation:
    """`run` to the end; `story` is what happened."""

    def __init__(self, seed: int, folder: Path | None = None, *, is_told: bool = False) -> None:
        self.seed = seed
        self.chance = random.Random(seed)
        self.is_told = is_told
        self.story: list[str] = []
        self.dialogs: dict[int, dict[str, Side]] = {}
        self.network = Network(seed, folder=folder)
        self.is_on_disk = folder is not None
        self.names = ["A", "B", "C"][: self.chance.choice((2, 2, 3))]
        self.counts: dict[str, int] = defaultdict(int)

    # --- the world -----------------------------------------------------------------------------------------

    def run(self) -> None:
        with self.network:
            self._build()
            for step in range(STEPS):
                self._act()
                if self.seed % 2 and step % 4 == 0:
                    self._page_out()
                self.network.advance(self.chance.choice((0.0, 0.01, 0.1, 1.0, 10.0)))
            self._heal()
            self._finish()
            self._check()

    def _build(self) -> None:
        encryption = self.chance.choice(("DISABLED", "SUPPORTED", "REQUIRED"))
        for name in self.names:
            offset = self.chance.choice((0.0, 0.0, -7200.0, 3600.0))
            machine = self.network.add(name, on_disk=self.is_on_disk, clock_offset=offset)
            machine.execute(WORLD.format(name=name, encryption=encryption))
            for other in self.names:
                if other != name:
                    machine.execute(
                        f"USE shop; CREATE ROUTE [to {other}] WITH SERVICE_NAME = '//{other}', ADDRESS = 'TCP://{other}:4022'"
                    )

    def _act(self) -> None:
        act = self.chance.choices(
            (self._begin, self._say, self._receive, self._end, self._spoil, self._separate, self._cut, self._switch, self._crash),
            (3, 8, 8, 1, 2, 1, 1, 1, 1),
        )[0]  # fmt: skip
        act()

    def _page_out(self) -> None:
        """Of what waits for transmission, all but a row of each dialog leaves the memory."""
        for machine in self._up():
            assert machine.instance is not None
            machine.instance.broker.row_paging.most_rows = 1
            machine.instance.store.fold_and_release()

    def _tell(self, text: str) -> None:
        self.story.append(f"{self.network.now - 1767225600:10.3f} {text}")
        if self.is_told:
            print(self.story[-1])

    def _run(self, machine: Machine, text: str) -> list[list[tuple[Any, ...]]]:
        return machine.execute(f"USE shop; {text}")

    def _up(self) -> list[Machine]:
        return [machine for machine in self.network.machines.values() if machine.instance is not None]

    # --- what applications do ------------------------------------------------------------------------------

    def _size(self) -> int:
        return LARGE if self.chance.random() < 0.1 else self.chance.randrange(50)

    def _begin(self) -> None:
        machine = self.chance.choice(self._up())
        other = self.chance.choice([name for name in self.names if name != machine.name])
        dialog = len(self.dialogs) + 1
        text = BEGIN.format(me=machine.name, you=other, dialog=dialog, size=self._size())
        ((row,),) = self._run(machine, text)
        self.dialogs[dialog] = {"I": Side(machine.name, str(row[0]), sent=1), "T": Side(other)}
        self._tell(f"{machine.name} begins dialog {dialog} with {other}")

    def _open_sides(self) -> list[tuple[int, str, Side]]:
        return [
            (dialog, role, side)
            for dialog, sides in self.dialogs.items()
            for role, side in sides.items()
            if side.handle and not side.has_ended and self.network.machines[side.machine].instance is not None
        ]

    def _say(self) -> None:
        found = [entry for entry in self._open_sides() if not any(s.has_ended for s in self.dialogs[entry[0]].values())]
        if not found:
            return
        dialog, role, side = self.chance.choice(found)
        machine = self.network.machines[side.machine]
        count, is_kept = self.chance.randint(1, 4), self.chance.random() < 0.8
        texts = [
            SAY.format(handle=side.handle, text=f"{dialog}:{role}:{side.sent + n}", size=self._size())
            for n in range(count)
        ]
        self._run(machine, f"BEGIN TRANSACTION; {'; '.join(texts)}; {'COMMIT' if is_kept else 'ROLLBACK'}")
        side.sent += count * is_kept
        self._tell(f"{machine.name} sends {count} on dialog {dialog} ({'kept' if is_kept else 'rolled back'})")

    def _receive(self, machine: Machine | None = None, count: int | None = None) -> int:
        machine = machine or self.chance.choice(self._up())
        is_kept = count is not None or self.chance.random() < 0.9
        text = RECEIVE.format(count=count or self.chance.randint(1, 5))
        try:
            (rows,) = self._run(machine, f"BEGIN TRANSACTION; {text}; {'COMMIT' if is_kept else 'ROLLBACK'}")
        except SqlError as error:
            if error.number != 9617:  # the queue is off
                raise
            self._run(machine, "IF @@TRANCOUNT > 0 ROLLBACK")
            return 0
        if is_kept:
            for row in rows:
                self._note(machine, *row)
        self._tell(f"{machine.name} receives {len(rows)} ({'kept' if is_kept else 'rolled back'})")
        return len(rows) if is_kept else 0

    def _note(self, machine: Machine, handle: Any, kind: str, sequence: int, body: str | None) -> None:
        if kind == "DEFAULT":
            assert body is not None
            dialog, role, number, _ = body.split(":", 3)
            side = self.dialogs[int(dialog)]["T" if role == "I" else "I"]
            if (side.machine, int(number)) != (machine.name, sequence) or side.handle not in ("", str(handle)):
                raise Broken(
                    f"dialog {dialog}: message {number} of {role} came to {machine.name} as {sequence} on {handle}"
                )
            side.handle = str(handle)
            side.received.append(int(number))
            return
        side = next((s for sides in self.dialogs.values() for s in sides.values() if s.handle == str(handle)), None)
        if side is None or kind != END_DIALOG:
            raise Broken(f"{machine.name} has got {kind} on {handle}: {body}")
        side.heard_end = True

    def _end(self) -> None:
        """A side ends only after it has got everything, and the other one says no more: so all that was sent is received."""
        for dialog, role, side in self._open_sides():
            other = self.dialogs[dialog]["T" if role == "I" else "I"]
            if not (other.has_ended or side.heard_end) and len(side.received) == other.sent and side.sent:
                self._end_side(dialog, side)
                return

    def _end_side(self, dialog: int, side: Side) -> None:
        self._run(self.network.machines[side.machine], f"END CONVERSATION '{side.handle}'")
        side.has_ended = True
        self._tell(f"{side.machine} ends dialog {dialog}")

    # --- what happens to them ------------------------------------------------------------------------------

    def _spoil(self) -> None:
        draw = self.chance.choice
        mischief = Mischief(
            0.001, draw((0.005, 0.5, 3.0)), lost=draw((0.0, 0.1, 0.3)), doubled=draw((0.0, 0.2)), changed=draw((0.0, 0.05)),
            overtaken=draw((0.0, 0.3)), broken=draw((0.0, 0.05)),
        )  # fmt: skip
        self.network.spoil(mischief)
        self._tell(f"the ways are {mischief}")

    def _separate(self) -> None:
        one, other = self.chance.sample(self.names, 2)
        self.network.partition([one], [other])
        self._tell(f"{one} and {other} do not reach each other")

    def _cut(self) -> None:
        one, other = self.chance.sample(self.names, 2)
        self.network.cut(one, other)
        self._tell(f"cut between {one} and {other}")

    def _switch(self) -> None:
        machine = self.chance.choice(self._up())
        word = self.chance.choice(("OFF", "ON", "ON"))
        self._run(machine, f"ALTER QUEUE desk WITH STATUS = {word}")
        self._tell(f"the queue of {machine.name} is {word}")

    def _crash(self) -> None:
        machine = self.chance.choice(list(self.network.machines.values()))
        if machine.instance is None:
            machine.open()
            self._tell(f"{machine.name} is up again")
        elif self.is_on_disk and len(self._up()) > 1:
            how = self.chance.choice((machine.crash, machine.close))
            how()
            self._tell(f"{machine.name}: {how.__name__}")
        else:
            self.network.heal()
            self._tell("everything is healed")

    # --- the end -------------------------------------------------------------------------------------------

    def _heal(self) -> None:
        self.network.heal()
        for machine in self.network.machines.values():
            if machine.instance is None:
                machine.open()
            self._run(machine, "ALTER QUEUE desk WITH STATUS = ON")
        self._tell("everything is healed for good")

    def _finish(self) -> None:
        """All is received, then every dialog is ended, the other side answers."""
        self._receive_everything()
        for dialog, sides in self.dialogs.items():
            roles = list(sides.values())
            self.chance.shuffle(roles)
            if not any(side.has_ended for side in roles):
                ready = next((side for side in roles if side.handle), None)
                if ready is not None:
                    self._end_side(dialog, ready)
        self._receive_everything()
        for dialog, sides in self.dialogs.items():
            for side in sides.values():
                if not side.has_ended:
                    if not side.heard_end:
                        raise Broken(f"dialog {dialog}: {side.machine} has not heard that the other side has ended")
                    self._end_side(dialog, side)
        self._receive_everything()

    def _receive_everything(self) -> None:
        self.network.deliver()
        while sum(self._receive(machine, 100) for machine in self.network.machines.values()):
            pass

    def _check(self) -> None:
        for machine in self.network.machines.values():
            for row in machine.execute("EXEC sp_readerrorlog")[0]:
                if " at " in row[2] and ".py:" in row[2]:  # the last resort names where a bug was
                    raise Broken(f"{machine.name} has logged: {row[2]}")
        for dialog, sides in self.dialogs.items():
            for one, other in (("I", "T"), ("T", "I")):
                sent, received = list(range(sides[one].sent)), sides[other].received
                if sent != received:
                    raise Broken(f"dialog {dialog}: {one} sent {sent}, {other} received {received}")
        for machine in self.network.machines.values():
            rows = machine.execute("SELECT state, is_initiator, conversation_id FROM shop.sys.conversation_endpoints")[
                0
            ]
            left = [row for row in rows if row[0] != "CD" or row[1]]
            if left:
                raise Broken(f"{machine.name} still has {left}")
            ((waiting,),) = machine.execute("SELECT COUNT(*) FROM shop.dbo.desk")[0]  # nothing incomplete either
            if waiting:
                raise Broken(f"{machine.name} has {waiting} messages left in its queue")


def run(seed: int, *, on_disk: bool = False, is_told: bool = False) -> NetworkSimulation:
    if not on_disk:
        simulation = NetworkSimulation(seed, is_told=is_told)
        simulation.run()
        return simulation
    with tempfile.TemporaryDirectory() as folder:
        simulation = NetworkSimulation(seed, Path(folder), is_told=is_told)
        simulation.run()
        return simulation


if __name__ == "__main__":
    number = int(sys.argv[1])
    run(number, on_disk=number % 10 == 9, is_told=True)
