"""The monologs of a simulated network: who publishes, subscribes, leaves, and what each
subscriber must have heard of it in the end.

Decides what is said of monologs and what must hold: each subscriber hears a run of a monolog's numbers without a gap or
a repetition, beginning where its publisher says that it has joined, or with the first when it has asked for what is
retained, up to the last one, and then its end. It talks T-SQL, and must not know what happens to machines and ways.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sbql.engine.simulated_network import Machine

__all__ = ["MonologBooks"]

Run = Callable[..., list[list[tuple[Any, ...]]]]
"""run(machine, text, **values): rows of each result set."""

BEGIN = """DECLARE @h uniqueidentifier
IF @retains = 1 BEGIN MONOLOG @h FROM SERVICE @me WITH ENCRYPTION = OFF, RETENTION = ON ELSE BEGIN MONOLOG @h FROM SERVICE @me WITH ENCRYPTION = OFF
SELECT @h"""
SUBSCRIBE = """DECLARE @h uniqueidentifier
IF @retained = 1 BEGIN SUBSCRIPTION @h FOR SERVICE @me TO SERVICE @publisher WITH START = RETAINED ELSE BEGIN SUBSCRIPTION @h FOR SERVICE @me TO SERVICE @publisher
SELECT @h"""
JOINED = "SELECT conversation_handle, far_service, start_sequence FROM sys.monolog_subscribers"


@dataclass
class Monolog:
    """`sent`: how many messages."""

    number: int
    publisher: str
    handle: str
    retains: bool
    sent: int = 0
    has_ended: bool = False


@dataclass
class Order:
    """A subscription. `since`: what had been sent of each monolog when it began; `left`:
    monologs that its subscriber has left."""

    machine: str
    publisher: str
    handle: str
    retained: bool
    since: dict[int, int]
    left: set[int] = field(default_factory=set)
    has_ended: bool = False


@dataclass
class Hearing:
    """A subscriber's endpoint. `monolog` is 0 where only the end was heard."""

    machine: str
    handle: str
    monolog: int = 0
    numbers: list[int] = field(default_factory=list)
    heard_end: bool = False
    has_ended: bool = False


class MonologBooks:
    """The acts return what happened, for the story; nothing where there is nothing to do."""

    def __init__(self, chance: random.Random, run: Run, say: str) -> None:
        self._chance = chance
        self._run = run
        self._say = say
        self.monologs: list[Monolog] = []
        self.orders: list[Order] = []
        self.hearings: dict[str, Hearing] = {}

    # --- what applications do ------------------------------------------------------------------------------

    def begin(self, machines: list[Machine]) -> str:
        machine, retains = self._chance.choice(machines), self._chance.random() < 0.5
        if len(self._of(machine.name)) >= 2:
            return ""
        (((handle,),),) = (self._run(machine, BEGIN, me=f"//{machine.name}", retains=int(retains)),)
        self.monologs.append(Monolog(len(self.monologs) + 1, machine.name, str(handle[0]), retains))
        return f"{machine.name} begins monolog {len(self.monologs)}"

    def publish(self, machines: list[Machine], count: int = 0, size: int = 0) -> str:
        up = {machine.name: machine for machine in machines}
        found = [monolog for monolog in self.monologs if not monolog.has_ended and monolog.publisher in up]
        if not found:
            return ""
        monolog = self._chance.choice(found)
        return self._publish(
            up[monolog.publisher], monolog, self._chance.randint(1, 3), self._chance.random() < 0.8, size
        )

    def _publish(self, machine: Machine, monolog: Monolog, count: int, is_kept: bool, size: int = 0) -> str:
        values = {"handle": monolog.handle, "text": f"{monolog.number}:M:", "first": monolog.sent}
        self._run(machine, self._say, count=count, size=size, keep=int(is_kept), **values)
        monolog.sent += count * is_kept
        return f"{machine.name} sends {count} on monolog {monolog.number} ({'kept' if is_kept else 'rolled back'})"

    def subscribe(self, machines: list[Machine], names: list[str]) -> str:
        machine, publisher, retained = (
            self._chance.choice(machines),
            self._chance.choice(names),
            self._chance.random() < 0.5,
        )
        if any((o.machine, o.publisher) == (machine.name, publisher) for o in self._standing()):
            return ""
        values = {"me": f"//{machine.name}", "publisher": f"//{publisher}", "retained": int(retained)}
        ((row,),) = self._run(machine, SUBSCRIBE, **values)
        since = {monolog.number: monolog.sent for monolog in self._of(publisher)}
        self.orders.append(Order(machine.name, publisher, str(row[0]), retained, since))
        return f"{machine.name} subscribes to {publisher}{', and to what is retained' if retained else ''}"

    def unsubscribe(self, machines: list[Machine]) -> str:
        up = {machine.name: machine for machine in machines}
        found = [order for order in self._standing() if order.machine in up]
        if not found:
            return ""
        order = self._chance.choice(found)
        self._run(up[order.machine], "END SUBSCRIPTION @h", h=order.handle)
        order.has_ended = True
        return f"{order.machine} unsubscribes from {order.publisher}"

    def leave(self, machines: list[Machine]) -> str:
        """A subscriber has heard enough of one monolog."""
        up = {machine.name: machine for machine in machines}
        found = [h for h in self.hearings.values() if not h.has_ended and h.machine in up]
        if not found:
            return ""
        hearing = self._chance.choice(found)
        self._run(up[hearing.machine], "END CONVERSATION @h", h=hearing.handle)
        hearing.has_ended = True
        for order in self._standing():
            if order.machine == hearing.machine:
                order.left.add(hearing.monolog)
        return f"{hearing.machine} leaves monolog {hearing.monolog}"

    def end(self, machines: list[Machine]) -> str:
        up = {machine.name: machine for machine in machines}
        found = [monolog for monolog in self.monologs if not monolog.has_ended and monolog.publisher in up]
        if not found:
            return ""
        monolog = self._chance.choice(found)
        self._end(up[monolog.publisher], monolog)
        return f"{monolog.publisher} ends monolog {monolog.number}"

    def _end(self, machine: Machine, monolog: Monolog) -> None:
        self._run(machine, "END CONVERSATION @h", h=monolog.handle)
        monolog.has_ended = True

    def note(self, machine: str, handle: str, number: int, sequence: int, monolog: int) -> str:
        """A message was received. Returns what is wrong with that."""
        hearing = self.hearings.setdefault(handle, Hearing(machine, handle, monolog))
        if (hearing.machine, hearing.monolog, sequence) != (machine, monolog, number) or hearing.heard_end:
            return f"monolog {monolog}: message {number} came to {machine} as {sequence}, {hearing}"
        hearing.numbers.append(number)
        return ""

    def note_end(self, machine: str, handle: str) -> bool:
        """An EndDialog message was received; is it of a monolog?"""
        if handle not in self.hearings and not any(order.machine == machine for order in self.orders):
            return False
        hearing = self.hearings.setdefault(handle, Hearing(machine, handle))
        was_heard, hearing.heard_end = hearing.heard_end, True
        return not was_heard

    def _of(self, publisher: str) -> list[Monolog]:
        return [m for m in self.monologs if m.publisher == publisher and not m.has_ended]

    def _standing(self) -> list[Order]:
        return [order for order in self.orders if not order.has_ended]

    # --- the end: all machines are up, and all was received ------------------------------------------------

    def joined(self, machines: dict[str, Machine]) -> dict[tuple[str, int], int]:
        """With which number each subscriber begins, as the publishers say: by machine and monolog."""
        numbers = {monolog.handle: monolog.number for monolog in self.monologs}
        return {
            (service[2:], numbers[str(handle)]): start
            for machine in machines.values()
            for handle, service, start in self._run(machine, JOINED)[0]
        }

    def say_last(self, machines: dict[str, Machine]) -> None:
        for monolog in self.monologs:
            if not monolog.has_ended:
                self._publish(machines[monolog.publisher], monolog, 1, True)

    def end_monologs(self, machines: dict[str, Machine]) -> None:
        for monolog in self.monologs:
            if not monolog.has_ended:
                self._end(machines[monolog.publisher], monolog)

    def end_subscribers(self, machines: dict[str, Machine]) -> None:
        for hearing in self.hearings.values():
            if not hearing.has_ended:
                self._run(machines[hearing.machine], "END CONVERSATION @h", h=hearing.handle)
        for order in self._standing():
            self._run(machines[order.machine], "END SUBSCRIPTION @h", h=order.handle)

    def broken_runs(self, joined: dict[tuple[str, int], int]) -> Iterator[str]:
        """After `say_last`: who stands has heard all of it."""
        for order in self._standing():
            for monolog in self._of(order.publisher):
                if monolog.number in order.left:
                    continue
                found = [
                    h
                    for h in self._live()
                    if (h.machine, h.monolog) == (order.machine, monolog.number) and not h.heard_end
                ]
                if len(found) != 1 or found[0].numbers[-1:] != [monolog.sent - 1]:
                    yield f"{order}: {monolog} was heard as {found}"
                    continue
                first = found[0].numbers[0]
                if (
                    order.retained
                    and monolog.retains
                    and first
                    or first < (0 if order.retained else order.since.get(monolog.number, 0))
                ):
                    yield f"{order}: {monolog} was heard from {first}"
                if joined.get((order.machine, monolog.number)) != first:
                    yield f"{order}: {monolog} was heard from {first}, joined at {joined}"
        for hearing in self.hearings.values():
            numbers = hearing.numbers
            if numbers != list(range(numbers[0], numbers[0] + len(numbers)) if numbers else ()):
                yield f"not in order, or not once: {hearing}"

    def broken_ends(self) -> Iterator[str]:
        """After `end_monologs`: who has not left has heard the end, and everything before it."""
        for hearing in self._live():
            if not hearing.heard_end:
                yield f"has not heard the end: {hearing}"
            if hearing.monolog and any(order.machine == hearing.machine for order in self._standing()):
                monolog = self.monologs[hearing.monolog - 1]
                is_standing = all(
                    not o.has_ended
                    for o in self.orders
                    if (o.machine, o.publisher) == (hearing.machine, monolog.publisher)
                )
                if is_standing and hearing.numbers[-1:] != [monolog.sent - 1]:
                    yield f"{monolog} has ended, and was heard as {hearing}"

    def _live(self) -> list[Hearing]:
        return [hearing for hearing in self.hearings.values() if not hearing.has_ended]
