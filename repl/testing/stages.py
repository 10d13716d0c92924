"""What a script with expectations runs on: one instance, or several that a simulated network joins.

It decides how instances are opened, driven, restarted and closed, and keeps what each of them has written to its log
and trace. It must not know directives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from sbql.engine.broker.trace import TraceEvent
from sbql.engine.drivers import LoopDriver, LoopTask
from sbql.engine.error_log import LogRecord
from sbql.engine.instance import Instance
from sbql.engine.patience import NeverWakes
from sbql.engine.session import Session
from sbql.engine.simulated_network import Machine, Network

__all__ = ["OneInstance", "OpenInstance", "OpenNetwork", "SeveralInstances", "Stage"]

OpenInstance = Callable[[str | None, int], Instance]
"""Opens the instance that a script runs on, with a virtual clock: from the path of a
store (None: in memory) and a seed."""
OpenNetwork = Callable[[Path, int], Network]
"""Makes the network that a script of several instances runs on: from the folder of their files and a seed."""


class Heard:
    """What an instance has said, and how much of it the script has looked at."""

    def __init__(self, instance: Instance, *, is_traced: bool) -> None:
        self._is_traced = is_traced
        self.events: list[TraceEvent] = []
        self._listen(instance, len(instance.error_log))

    def _listen(self, instance: Instance, first: int) -> None:
        self._instance = instance
        if self._is_traced:
            instance.trace(self.events.append)
        self._first = self._read = self._start = first
        self._line = -1

    def reopened(self, instance: Instance) -> None:
        """The same store in a new life; the trace goes on."""
        self._listen(instance, instance.error_log.loaded)

    def log(self) -> list[LogRecord]:
        """All lines of the error log since the script began."""
        return list(self._instance.error_log)[self._first :]

    def fresh_log(self, line: int) -> list[LogRecord]:
        """The lines that no `log` directive has looked at; several directives in a row, each with its line in
        the script, look at the same ones."""
        records = list(self._instance.error_log)
        if line != self._line + 1:
            self._start, self._read = self._read, len(records)
        self._line = line
        return records[self._start : self._read]


class Stage(Protocol):
    """Where batches run. `name`: of the current instance, '' where there is but one."""

    name: str

    @property
    def instance(self) -> Instance: ...

    @property
    def heard(self) -> Heard: ...

    def choose(self, name: str) -> None:
        """From now on this instance is the current one; it is made when it is named first."""

    def start(self, session: Session, text: str) -> LoopTask: ...

    def run(self, task: LoopTask) -> bool:
        """Until it is done. False when nothing can ever wake it."""

    def settle(self) -> None: ...

    def advance(self, seconds: float) -> None: ...

    def waits(self) -> list[str]: ...

    def restart(self) -> None: ...

    def partition(self) -> None: ...

    def heal(self) -> None: ...

    def close(self) -> None: ...


class OneInstance:
    """`store`: the path of its store, None in memory."""

    def __init__(self, store: str | None, seed: int, open_instance: OpenInstance, *, is_traced: bool) -> None:
        self.name = ""
        self._store = store
        self._seed = seed
        self._open = open_instance
        self.instance = open_instance(store, seed)
        self.heard = Heard(self.instance, is_traced=is_traced)

    @property
    def _loop(self) -> LoopDriver:
        loop = self.instance.loop
        assert loop is not None, "a script with expectations runs on a virtual clock"
        return loop

    def choose(self, name: str) -> None:
        raise NotImplementedError

    def start(self, session: Session, text: str) -> LoopTask:
        return self._loop.start(session, text)

    def run(self, task: LoopTask) -> bool:
        return self._loop.run_until_done(task)

    def settle(self) -> None:
        self._loop.settle()

    def advance(self, seconds: float) -> None:
        self._loop.advance(seconds)

    def waits(self) -> list[str]:
        return self._loop.waits()

    def restart(self) -> None:
        now = self.instance.host.now()
        self.instance.close()
        self._seed += 1  # the same seed would give the GUIDs of the first life again
        self.instance = self._open(self._store, self._seed)
        self._loop.host.advance_to(now)
        self.heard.reopened(self.instance)

    def partition(self) -> None:
        raise NotImplementedError

    def heal(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self.instance.close()


class SeveralInstances:
    """Machines of a network, on one clock. `on_disk`: their stores are files, so that they can be restarted."""

    def __init__(self, network: Network, *, on_disk: bool, is_traced: bool) -> None:
        self.name = ""
        self._network = network
        self._on_disk = on_disk
        self._is_traced = is_traced
        self._heard: dict[str, Heard] = {}

    @property
    def _machine(self) -> Machine:
        return self._network.machines[self.name]

    @property
    def instance(self) -> Instance:
        found = self._machine.instance
        assert found is not None
        return found

    @property
    def heard(self) -> Heard:
        return self._heard[self.name]

    def choose(self, name: str) -> None:
        self.name = name
        if name not in self._network.machines:
            self._network.add(name, on_disk=self._on_disk)
            self._heard[name] = Heard(self.instance, is_traced=self._is_traced)

    def start(self, session: Session, text: str) -> LoopTask:
        assert self._machine.loop is not None
        return self._machine.loop.start(session, text)

    def run(self, task: LoopTask) -> bool:
        try:
            self._network.run_until(lambda: task.done)
        except NeverWakes:
            return False
        return True

    def settle(self) -> None:
        self._network.advance(0.0)

    def advance(self, seconds: float) -> None:
        self._network.advance(seconds)

    def waits(self) -> list[str]:
        return self._network.waits()

    def restart(self) -> None:
        self._machine.close()
        self._machine.open()
        self.heard.reopened(self.instance)

    def partition(self) -> None:
        sides: Iterable[list[str]] = ([name] for name in self._network.machines)
        self._network.partition(*sides)

    def heal(self) -> None:
        self._network.heal()

    def close(self) -> None:
        self._network.close()
