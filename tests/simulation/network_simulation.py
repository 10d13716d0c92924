"""One seeded run of dialogs between instances over a bad network, and what must hold of it.

It decides what happens next, from the seed alone: who begins a dialog, sends, receives, answers, rolls back, ends;
how bad the ways are, who is cut off, which queue is off, which machine crashes and comes back. It talks T-SQL, and
keeps its books of what was committed.

In the end everything is healed, and all that was sent must have been received exactly once and in order, but for what
END CONVERSATION WITH ERROR has cut off behind some message; both sides agree that each dialog is over, and nothing is
left in a transmission queue. `python tests/simulation/network_simulation.py SEED` prints the story of one.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import network_worlds
from monolog_books import MonologBooks
from prefix_store import PrefixDisk

from sbql.engine.simulated_network import Machine, Mischief, Network
from sbql.grammar.errors import SqlError
from sbql.grammar.types import INT, SqlType, Variant

STEPS = 60
LARGE = 100_000
"""Bytes of a body that takes several fragments."""
END_DIALOG = "http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog"
ERROR = "http://schemas.microsoft.com/SQL/ServiceBroker/Error"
CODE = "<Code>7</Code>"

BEGIN = """DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE @me TO SERVICE @you WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (CAST(CONCAT(@text, '0:', REPLICATE(CAST('x' AS varchar(max)), @size)) AS varbinary(max)));
SELECT @h, conversation_id FROM sys.conversation_endpoints WHERE conversation_handle = @h"""
CONVERSATION = "SELECT conversation_id FROM sys.conversation_endpoints WHERE conversation_handle = @h"

SAY = """BEGIN TRANSACTION;
DECLARE @n int = @first
WHILE @n < @first + @count
BEGIN
    SEND ON CONVERSATION @handle (CAST(CONCAT(@text, @n, ':', REPLICATE(CAST('x' AS varchar(max)), @size)) AS varbinary(max)))
    SET @n += 1
END
IF @keep = 1 COMMIT ELSE ROLLBACK"""

GIVE_UP = "END CONVERSATION @h WITH ERROR = 7 DESCRIPTION = 'enough'"

RECEIVE = """BEGIN TRANSACTION;
RECEIVE TOP (@count) conversation_handle, message_type_name, message_sequence_number,
    CASE message_type_name WHEN 'DEFAULT' THEN CAST(message_body AS varchar(max)) ELSE CAST(message_body AS nvarchar(max)) END FROM desk;
IF @keep = 1 COMMIT ELSE ROLLBACK"""

TYPES: dict[type, SqlType] = {int: INT, str: SqlType("varchar", length=100)}


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
    with_error: bool = False
    """It has ended so."""


class NetworkSimulation:
    """`run` to the end; `story` is what happened."""

    def __init__(self, seed: int, folder: Path | None = None, *, is_told: bool = False) -> None:
        self.seed = seed
        self.chance = random.Random(seed)
        self.is_told = is_told
        self.story: list[str] = []
        self.dialogs: dict[int, dict[str, Side]] = {}
        self.numbers: dict[str, int] = {}
        """Of dialogs, by their conversation_id."""
        self.network = Network(seed, folder=folder)
        self.is_on_disk = folder is not None
        self.monologs = MonologBooks(self.chance, self._run, SAY) if self.chance.random() < 0.5 else None
        self.names = ["A", "B", "C"][: self.chance.choice((2, 2, 3))]
        self.disks: dict[str, PrefixDisk] = {}

    # --- the world -----------------------------------------------------------------------------------------

    def run(self) -> None:
        with self.network:
            self._build()
            for step in range(STEPS):
                self._act()
                if self.seed % 4 == 1 and step % 8 == 0:
                    self._page_out()
                self._pass_time()
            self._heal()
            self._finish()
            self._check()
            for machine in self.network.machines.values():
                machine.crash()  # a clean end would fold
            for disk in self.disks.values():
                disk.discard()

    def _build(self) -> None:
        encryption = self.chance.choice(network_worlds.ENCRYPTIONS)
        for name in self.names:
            offset = self.chance.choice((0.0, 0.0, -7200.0, 3600.0))
            disk = network_worlds.add(self.network, name, encryption, offset, self.chance)
            if disk is not None:
                self.disks[name] = disk

    def _act(self) -> None:
        if self.monologs is not None and self.chance.random() < 0.3:
            self._act_on_monologs(self.monologs)
            return
        act = self.chance.choices(
            (self._begin, self._say, self._receive, self._end, self._give_up, self._spoil, self._separate, self._cut, self._switch, self._crash),
            (3, 8, 8, 1, 1, 2, 1, 1, 1, 1),
        )[0]  # fmt: skip
        act()

    def _act_on_monologs(self, books: MonologBooks) -> None:
        up = self._up()
        acts: tuple[Callable[[], str], ...] = (
            lambda: books.begin(up),
            lambda: books.publish(up, self._size()),
            lambda: books.subscribe(up, self.names),
            lambda: books.unsubscribe(up),
            lambda: books.leave(up),
            lambda: books.end(up),
        )
        told = self.chance.choices(acts, (2, 8, 4, 0.5, 0.5, 0.5))[0]()
        if told:
            self._tell(told)

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

    def _run(self, machine: Machine, text: str, /, **values: int | str) -> list[list[tuple[Any, ...]]]:
        parameters = {f"@{name}": Variant(TYPES[type(value)], value) for name, value in values.items()}
        return machine.execute(text, "shop", parameters)

    def _up(self) -> list[Machine]:
        return [machine for machine in self.network.machines.values() if machine.instance is not None]

    # --- what applications do ------------------------------------------------------------------------------

    def _size(self) -> int:
        return LARGE if self.chance.random() < 0.1 else self.chance.randrange(50)

    def _begin(self) -> None:
        machine = self.chance.choice(self._up())
        other = self.chance.choice([name for name in self.names if name != machine.name])
        dialog = len(self.dialogs) + 1
        names = {"me": f"//{machine.name}", "you": f"//{other}"}
        ((row,),) = self._run(machine, BEGIN, text=f"{dialog}:I:", size=self._size(), **names)
        self.numbers[str(row[1])] = dialog
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
        values = {"handle": side.handle, "text": f"{dialog}:{role}:", "first": side.sent}
        self._run(machine, SAY, count=count, size=self._size(), keep=int(is_kept), **values)
        side.sent += count * is_kept
        self._tell(f"{machine.name} sends {count} on dialog {dialog} ({'kept' if is_kept else 'rolled back'})")

    def _receive(self, machine: Machine | None = None, count: int | None = None) -> int:
        machine = machine or self.chance.choice(self._up())
        is_kept = count is not None or self.chance.random() < 0.9
        try:
            (rows,) = self._run(machine, RECEIVE, count=count or self.chance.randint(1, 5), keep=int(is_kept))
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
        handle = str(handle)
        if kind != "DEFAULT":
            self._note_end(machine, handle, kind, body)
            return
        assert body is not None
        dialog, role, number, _ = body.split(":", 3)
        if role == "M":
            assert self.monologs is not None
            problem = self.monologs.note(machine.name, handle, int(number), sequence, int(dialog))
            if problem:
                raise Broken(problem)
            return
        side = self.dialogs[int(dialog)]["T" if role == "I" else "I"]
        if (side.machine, int(number)) != (machine.name, sequence) or side.handle not in ("", handle):
            raise Broken(
                f"dialog {dialog}: message {number} of {role} came to {machine.name} as {sequence} on {handle}"
            )
        other = self.dialogs[int(dialog)][role]
        if side.has_ended or (side.heard_end and not other.with_error):  # an Error is received before the others
            raise Broken(f"dialog {dialog}: message {number} of {role} came to {machine.name} behind the end")
        side.handle = handle
        side.received.append(int(number))

    def _note_end(self, machine: Machine, handle: str, kind: str, body: str | None) -> None:
        ((conversation,),) = self._run(machine, CONVERSATION, h=handle)[0]
        sides = self.dialogs.get(self.numbers.get(str(conversation), 0))
        if sides is not None:
            side, other = (sides["I"], sides["T"]) if sides["I"].handle == handle else (sides["T"], sides["I"])
            side.handle = handle  # an Error may be the first that is received
            is_error = kind == ERROR and body is not None and CODE in body
            if side.heard_end or side.has_ended or not other.has_ended or other.with_error != is_error:
                raise Broken(f"{machine.name} has got {kind} on {handle}: {body}")
            side.heard_end = True
        elif kind != END_DIALOG or self.monologs is None or not self.monologs.note_end(machine.name, handle):
            raise Broken(f"{machine.name} has got {kind} on {handle}: {body}")

    def _end(self) -> None:
        """A side ends only after it has got everything, and the other one says no more:
        so all that was sent is received."""
        for dialog, role, side in self._open_sides():
            other = self.dialogs[dialog]["T" if role == "I" else "I"]
            if not (other.has_ended or side.heard_end) and len(side.received) == other.sent and side.sent:
                self._end_side(dialog, side)
                return

    def _give_up(self) -> None:
        """END CONVERSATION WITH ERROR at any time: what has not been brought over is cut off."""
        found = self._open_sides()
        if not found:
            return
        dialog, _, side = self.chance.choice(found)
        self._run(self.network.machines[side.machine], GIVE_UP, h=side.handle)
        side.has_ended, side.with_error = True, not side.heard_end
        self._tell(f"{side.machine} ends dialog {dialog} with an error")

    def _end_side(self, dialog: int, side: Side) -> None:
        self._run(self.network.machines[side.machine], "END CONVERSATION @h", h=side.handle)
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
        elif len(self._up()) > 1:
            how = self.chance.choice(("crash", "close", "lose power"))
            {"crash": machine.crash, "close": machine.close, "lose power": lambda: self._lose_power(machine)}[how]()
            self._tell(f"{machine.name}: {how}")
        else:
            self.network.heal()
            self._tell("everything is healed")

    def _lose_power(self, machine: Machine) -> None:
        """In the middle of one of the next writes of what comes and goes by itself: of an application's it would
        have to find out what became of it."""
        disk = self.disks.get(machine.name)
        if disk is None:
            machine.crash()
            return

        def gone() -> None:
            machine.unplug()
            self.network.after(0.0, machine.crash)
            self._tell(f"{machine.name} loses its power")

        disk.alarm(self.chance.randint(1, 4), gone)

    def _pass_time(self) -> None:
        for disk in self.disks.values():
            disk.is_exposed = True
        self.network.advance(self.chance.choice((0.0, 0.01, 0.1, 1.0, 10.0)))
        for disk in self.disks.values():
            disk.is_exposed = False
        if not self._up():
            next(iter(self.network.machines.values())).open()

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
        if self.monologs is not None:
            self._finish_monologs(self.monologs)
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
                if not side.has_ended and (side.handle or side.sent):  # else it does not know of the dialog
                    if not side.heard_end:
                        raise Broken(f"dialog {dialog}: {side.machine} has not heard that the other side has ended")
                    self._end_side(dialog, side)
        self._receive_everything()

    def _finish_monologs(self, books: MonologBooks) -> None:
        machines = self.network.machines
        joined = books.joined(machines)
        books.say_last(machines)
        self._receive_everything()
        self._refuse(books.broken_runs(joined))
        books.end_monologs(machines)
        self._receive_everything()
        self._refuse(books.broken_ends())
        books.end_subscribers(machines)
        self._receive_everything()

    def _refuse(self, problems: Iterable[str]) -> None:
        for problem in problems:
            raise Broken(problem)

    def _receive_everything(self) -> None:
        self.network.run_until(self._is_delivered, 3600.0)
        while sum(self._receive(machine, 100) for machine in self.network.machines.values()):
            pass

    def _is_delivered(self) -> bool:
        """Nothing waits, but for what a side that has heard an error keeps until it ends."""
        return not any(
            (waiting.transmission and waiting.endpoint.state != "ER") or waiting.held
            for machine in self._up()
            if machine.instance is not None
            for waiting in machine.instance.broker.delayed
        )

    def _check(self) -> None:
        for dialog, sides in self.dialogs.items():
            for one, other in (("I", "T"), ("T", "I")):
                sent, received = list(range(sides[one].sent)), sides[other].received
                is_cut_off = any(side.with_error for side in sides.values())
                if sent[: len(received)] != received or (sent != received and not is_cut_off):
                    raise Broken(f"dialog {dialog}: {one} sent {sent}, {other} received {received}")
        for machine in self.network.machines.values():
            assert machine.instance is not None
            for record in machine.instance.error_log:
                if " at " in record.text and ".py:" in record.text:  # the last resort names where a bug was
                    raise Broken(f"{machine.name} has logged: {record.text}")
            self._refuse(f"{machine.name} still has {row}" for row in self._left(machine))

    def _left(self, machine: Machine) -> list[tuple[Any, ...]]:
        """Endpoints that are not over, and messages that are not complete either. The views tell it; where machines are
        many and short-lived, the memory that they are made of."""
        if self.is_on_disk:
            endpoints = self._run(
                machine, "SELECT state, is_initiator, conversation_id FROM sys.conversation_endpoints"
            )[0]
            left = [row for row in endpoints if row[0] != "CD" or row[1]]
            return left + [row for row in self._run(machine, "SELECT COUNT(*) FROM desk")[0] if row[0]]
        assert machine.instance is not None
        broker = machine.instance.broker
        found = [c.endpoint for c in broker.by_conversation.values() if not c.removed]
        queued = self._run(machine, "SELECT COUNT(*) FROM desk")[0]
        return [(e,) for e in found if e.state != "CD" or e.is_initiator] + [row for row in queued if row[0]]


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
