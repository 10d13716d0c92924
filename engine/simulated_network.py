"""A network of instances in one process, whose clock and chance a test owns.

Each machine is an instance with a clock of its own (which may go wrong) on the common time, reached under its name.
Everything happens in one thread and in an order that the seed decides, so that a run repeats exactly. Decides who goes
on next; what ways do to what they carry is `simulated_wires`. docs/network.md shows how to use it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from heapq import heappop, heappush
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, TypeVar

from sbql.catalog.interrupts import Heeding
from sbql.catalog.store import Store
from sbql.catalog.store_file import store_files
from sbql.engine import ports
from sbql.engine.drivers import LoopDriver, LoopTask, NeverWakes, NotAtRest
from sbql.engine.host import VirtualHost, seeded
from sbql.engine.instance import Instance
from sbql.engine.network.credentials import Domain, EndpointCredentials
from sbql.engine.network.transmitter import Transmitter
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.server_files import ServerFiles
from sbql.engine.session import Session
from sbql.engine.simulated_wires import Mischief, SimulatedTransport, Switchboard
from sbql.engine.work import Work

__all__ = ["Machine", "Mischief", "Network"]

_T = TypeVar("_T")
_DAY: Final = 86400.0
_STEPS_MAX: Final = 2_000_000


class Disk(Protocol):
    """What a machine still has after a crash."""

    def open(self) -> Store:
        """What stands on it, as the store of the machine."""
        ...

    def lose_power(self) -> None:
        """Only what is durable at this moment is there when it is opened the next time;
        what is written from now on is not."""
        ...


class FileDisk:
    """A file, and after each crash another one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._first = path
        self._open: Store | None = None
        self._crashes = 0

    def open(self) -> Store:
        self._open = Store.open(self._path)
        return self._open

    def lose_power(self) -> None:
        self._crashes += 1
        left = self._first.with_name(f"{self._first.stem}-{self._crashes}{self._first.suffix}")
        with self._open.standing_still() if self._open is not None else nullcontext():
            for file, copy in zip(store_files(str(self._path)), store_files(str(left)), strict=True):
                if os.path.exists(file):
                    shutil.copy(file, copy)
        self._path = left


class Machine:
    """One instance of a network. `instance` is None while it is crashed."""

    def __init__(self, network: Network, name: str, disk: Disk | None, clock_offset: float, domain: Domain) -> None:
        self.name = name
        self.clock_offset = clock_offset
        self._network = network
        self._disk = disk
        self._domain = domain
        self.instance: Instance | None = None
        self._sessions: dict[str, Session] = {}
        self.open()

    @property
    def loop(self) -> LoopDriver | None:
        return self.instance.loop if self.instance is not None else None

    def open(self) -> None:
        """Start, or start again after `close` or `crash`."""
        network = self._network
        host = VirtualHost(network.chance.getrandbits(60), network.now + self.clock_offset)
        transport = SimulatedTransport(network.board, self.name)

        def make(instance: Any) -> Transmitter:
            return Transmitter(
                instance,
                lambda: transport,
                lambda endpoint: EndpointCredentials(endpoint, lambda: instance.catalog, host.now, self._domain),
                account=self._domain.account,
            )

        self._transport = transport
        self.instance = Instance.open(host=host, network=make, image=self._disk)
        self.instance.name = self.name
        if self.instance.store.path is None and network.folder is not None:
            self.instance.files = ServerFiles(str(network.folder / self.name))
        assert self.instance.loop is not None
        self.instance.loop.own(_Owner(network, self.instance.loop))

    def connect(self, database: str = "master") -> Session:
        """A session."""
        assert self.instance is not None, f"{self.name} is down"
        return self.instance.connect(database)

    def execute(
        self, text: str, database: str = "master", parameters: dict[str, Any] | None = None
    ) -> list[list[tuple[Any, ...]]]:
        """Run batches, separated by GO lines, in a session that stays; the rows of each result set. The clock moves on
        when a batch waits. Raises the first error."""
        outcomes: list[Any] = []
        for batch in _batches(text):
            outcomes += self._session(database).run(batch, parameters=parameters)
        for outcome in outcomes:
            if isinstance(outcome, ErrorOutcome):
                raise outcome.error
        return [list(outcome.rows) for outcome in outcomes if isinstance(outcome, ResultSet)]

    def start(self, text: str, database: str = "master") -> LoopTask:
        """Begin a batch in a session of its own; it runs when the network does."""
        session = self.connect(database)
        assert self.loop is not None
        return self.loop.start(session, text)

    def _session(self, database: str) -> Session:
        found = self._sessions.get(database)
        if found is None:
            found = self._sessions[database] = self.connect(database)
        return found

    def close(self) -> None:
        """A clean end."""
        if self.instance is not None:
            instance, self.instance = self.instance, None
            self._sessions.clear()
            self._transport.close()
            with self._network.driving():
                instance.close()

    def crash(self) -> None:
        """The machine loses its memory at this moment: what is on its disk is left. Needs a machine on disk."""
        assert self._disk is not None, "a machine in memory has nothing left after a crash"
        if self.instance is not None:
            self._disk.lose_power()
            self.close()

    def unplug(self) -> None:
        """Nobody hears of the machine any more, nor it of anybody, until it is opened again."""
        self._transport.close()


class _Owner:
    """Who drives the tasks of a machine: the whole network does."""

    def __init__(self, network: Network, loop: LoopDriver) -> None:
        self._network = network
        self._loop = loop

    def is_here(self) -> bool:
        return self._network.is_driving

    def ask(self, call: Callable[[], _T]) -> _T:
        with self._network.driving():
            return call()

    def run(self, work: Work, session: ports.Session | None = None) -> Any:
        result: list[Any] = []

        def keep() -> Work:
            result.append((yield from work))

        task = LoopTask(keep(), session, f"session {session.spid}" if session is not None else "work")
        self._loop.tasks.append(task)
        self._network.run_until(lambda: task.done)
        if task.failure is not None:
            raise task.failure
        return result[0]

    def wake(self) -> None:
        """The network looks at everybody before each step."""


class _Driving:
    def __init__(self, network: Network) -> None:
        self._network = network

    def __enter__(self) -> None:
        self._before, self._network.is_driving = self._network.is_driving, True

    def __exit__(self, *_: object) -> None:
        self._network.is_driving = self._before


class Network:
    """Machines by name. As a context manager it closes them all.

    `folder`: where machines with `on_disk=True` have their stores, and all of them the files that statements
    name (backups, certificates). `seed` decides all that chance decides. `start`: the common time at the
    beginning, in seconds since 1970-01-01 UTC."""

    def __init__(self, seed: int = 0, *, folder: Path | str | None = None, start: float = VirtualHost.START) -> None:
        self.chance = seeded(seed)
        self.now = start
        self.machines: dict[str, Machine] = {}
        self.is_driving = False
        self.folder = None if folder is None else Path(folder)
        self._events: list[tuple[float, int, Callable[[], object]]] = []
        self._serial = 0
        self.board = Switchboard(self.chance, self.after, lambda: self.now)

    # --- what a test says ----------------------------------------------------------------------------------

    def add(
        self,
        name: str,
        *,
        on_disk: bool = False,
        clock_offset: float = 0.0,
        disk: Disk | None = None,
        domain: str = "DOMAIN",
        account: str = "service",
    ) -> Machine:
        """A new machine, which others reach as `name:port` once it has an endpoint. `on_disk`: its store is a file in
        the folder. `clock_offset`: seconds that its clock goes wrong. `disk`: instead of a file in the folder.
        AUTHENTICATION = WINDOWS is for machines of one domain: to others of the same account, or with a login for
        `domain\\account`. Raises ValueError for `on_disk` without a folder."""
        if on_disk and self.folder is None:
            raise ValueError("a machine on disk needs Network(folder=…)")
        if on_disk and self.folder is not None:
            disk = FileDisk(self.folder / f"{name}.duckdb")
        machine = self.machines[name] = Machine(self, name, disk, clock_offset, _domain(domain, account))
        return machine

    def spoil(self, mischief: Mischief) -> None:
        """From now on the ways are this bad."""
        self.board.mischief = mischief

    def partition(self, *sides: Iterable[str]) -> None:
        """Machines of different sides do not reach each other any more. Nobody is told."""
        groups = [list(side) for side in sides]
        for place, group in enumerate(groups):
            for other in groups[place + 1 :]:
                for one in group:
                    for two in other:
                        self.board.separate(one, two)

    def cut(self, one: str, other: str) -> None:
        """Break the connections between two machines; they may connect again."""
        for wire in list(self.board.wires):
            if wire.other is not None and {wire.machine, wire.other.machine} == {one, other}:
                wire.break_("cut")

    def heal(self) -> None:
        """No partition, no mischief any more."""
        self.board.heal()

    def after(self, delay: float, call: Callable[[], object]) -> None:
        """Have `call` called in `delay` seconds of the common time, between the steps of tasks."""
        self._serial += 1
        heappush(self._events, (self.now + delay, self._serial, call))

    def advance(self, seconds: float) -> None:
        """Let so many seconds of the common time pass, with all that happens in them."""
        end = self.now + seconds
        while True:
            self._settle()
            following = self._next_time()
            if following is None or following > end:
                break
            self._move_to(following)
        self._move_to(end)
        self._settle()

    def run_until(self, is_done: Callable[[], bool], limit: float = _DAY) -> None:
        """Let time pass until something is so. Raises NeverWakes when it does not come about in `limit` seconds."""
        end = self.now + limit
        while True:
            self._settle(is_done)
            if is_done():
                return
            following = self._next_time()
            if following is None or following > end:
                raise NeverWakes(f"it does not come about: {'; '.join(self.waits())}")
            self._move_to(following)

    def is_delivered(self) -> bool:
        """No machine has anything in a transmission queue."""
        return not any(
            waiting.transmission or waiting.held
            for machine in self._running()
            if machine.instance is not None
            for waiting in machine.instance.broker.delayed
        )

    def deliver(self, limit: float = 3600.0) -> None:
        """Let time pass until all transmission queues are empty. Raises NeverWakes."""
        self.run_until(self.is_delivered, limit)

    def driving(self) -> _Driving:
        """A context: while it is open, whoever waits lets the whole network go on."""
        return _Driving(self)

    def close(self) -> None:
        """A clean end of all machines. Twice is harmless."""
        for machine in self.machines.values():
            machine.close()

    def __enter__(self) -> Network:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- who goes on ---------------------------------------------------------------------------------------

    def _running(self) -> list[Machine]:
        return [machine for machine in self.machines.values() if machine.instance is not None]

    def _settle(self, is_done: Callable[[], bool] | None = None) -> None:
        """Whatever can happen at this moment."""
        with Heeding(), self.driving():
            for _ in range(_STEPS_MAX):
                if is_done is not None and is_done():
                    return
                while self._events and self._events[0][0] <= self.now:
                    heappop(self._events)[2]()
                loops = [m.loop for m in self._running() if m.loop is not None and _has_work(m.loop)]
                if not loops:
                    return
                self.chance.choice(loops).step()
        raise NotAtRest(f"the machines do not come to rest: {'; '.join(self.waits())}")

    def _next_time(self) -> float | None:
        times = [self._events[0][0]] if self._events else []
        for machine in self._running():
            deadline = machine.loop.next_deadline() if machine.loop is not None else None
            if deadline is not None:
                times.append(deadline - machine.clock_offset)
        return min(times, default=None)

    def _move_to(self, moment: float) -> None:
        self.now = max(self.now, moment)
        for machine in self._running():
            if machine.loop is not None:
                machine.loop.host.advance_to(self.now + machine.clock_offset)

    def waits(self) -> list[str]:
        """Who waits for what, for people."""
        return [f"{m.name}: {wait}" for m in self._running() if m.loop is not None for wait in m.loop.waits()]


def _domain(name: str, account: str) -> Domain:
    return Domain(f"{name}\\{account}", lambda: f"the secret of {name}".encode())


def _has_work(loop: LoopDriver) -> bool:
    now = loop.host.now()
    return any(task.is_runnable(now) for task in loop.tasks)


def _batches(text: str) -> list[str]:
    parts: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip().upper() == "GO":
            parts.append([])
        else:
            parts[-1].append(line)
    return [batch for part in parts if (batch := "\n".join(part)).strip()]
