"""Drivers: who runs a Work and how it waits.

ThreadDriver blocks the calling thread on an event. LoopDriver runs all tasks of a virtual instance in one thread: the
host's chance picks among the runnable ones, and the clock stands still until somebody moves it. Neither knows what a
Work does.
"""

from __future__ import annotations

import heapq
import threading
from collections import deque
from collections.abc import Callable
from types import NoneType
from typing import Any, Protocol, TypeVar

from sbql.catalog import interrupts
from sbql.catalog.interrupts import held
from sbql.engine.host import Host, VirtualHost
from sbql.engine.outcomes import Outcome
from sbql.engine.patience import Busy, NeverWakes, NotAtRest, Patience, Report, Terms, Watch
from sbql.engine.ports import Session
from sbql.engine.wait_stats import WaitStats
from sbql.engine.work import Cancelled, Suspend, Work
from sbql.grammar.values.checkpoints import set_check

__all__ = ["LoopDriver", "LoopTask", "NeverWakes", "NotAtRest", "ThreadDriver"]

_T = TypeVar("_T")
_DAY = 86400.0
_STEPS_MAX = 1_000_000
"""More resumptions than this in one settle are a livelock, not work."""


class ThreadDriver:
    """Drives a Work in the calling thread; `spawn` gives a background Work a thread of its own."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._threads: set[threading.Thread] = set()
        self._mutex = threading.Lock()
        self._running = threading.local()
        self.wait_stats = WaitStats()

    def current_session(self) -> Session | None:
        """The session whose Work runs in this thread."""
        return getattr(self._running, "session", None)

    def run(self, work: Work, session: Session | None = None) -> Any:
        """Run `work` to its end. Raises Cancelled when `session.cancel()` was called, and what the handler of a
        signal raises, such as KeyboardInterrupt on Ctrl-C."""
        event: threading.Event | None = None
        running = self._running
        outer, running.session = getattr(running, "session", None), session
        before = set_check(session.check_cancelled if session is not None else None)
        heeds: interrupts.Taken = []
        try:
            interrupts.heed(heeds)
            suspend = next(work)
            while True:
                event = event or threading.Event()  # most never waits
                since = self.host.now()
                self._wait(suspend, event, session, since)
                if session is not None:
                    session.waits_for(None)
                    self.wait_stats.add(suspend.reason, self.host.now() - since)
                if session is not None and session.cancel_requested:
                    suspend = work.throw(Cancelled())
                else:
                    suspend = next(work)
        except StopIteration as end:
            interrupts.raise_kept()  # what something has let fall
            return end.value
        except BaseException:
            work.close()
            interrupts.raise_kept()
            raise
        finally:
            interrupts.stop_heeding(heeds)
            set_check(before)
            running.session = outer
            if event is not None and session is not None:
                session.waits_for(None)

    def _wait(self, suspend: Suspend, event: threading.Event, session: Session | None, since: float) -> None:
        """Until the waiter is woken, its deadline is reached, or the session is cancelled."""
        suspend.waiter.on_wake = event.set
        if session is not None:
            session.waits_for(suspend, since)
        while True:
            event.clear()
            if suspend.waiter.woken or (session is not None and session.cancel_requested):
                return
            # An untimed wait would not let the main thread see Ctrl-C on every platform.
            timeout = 3600.0 if suspend.deadline is None else suspend.deadline - self.host.now()
            if timeout <= 0:
                return
            # The waiter of an earlier wait may set the event late: hence the loop.
            event.wait(timeout)

    def spawn(
        self, work: Work, session: Session | None, name: str, done: Callable[[BaseException | None], None]
    ) -> None:
        """Run a background Work; `done` is called in its thread with the exception that ended it, or None. Raises
        RuntimeError when the computer has no thread for it: nothing has begun then, and `done` is not called."""

        def body() -> None:
            with self._mutex:
                self._threads.add(thread)  # an interrupt may have kept `spawn` from it
            failure: BaseException | None = None
            try:
                self.run(work, session)
            except BaseException as error:
                failure = error
            try:
                done(failure)
            finally:
                with self._mutex:
                    self._threads.discard(thread)

        thread = threading.Thread(target=body, name=name, daemon=True)
        # With the mutex: who joins all threads meets none that has not begun, and misses none that has.
        with held, self._mutex:
            thread.start()
            self._threads.add(thread)

    def join(self, timeout: float) -> bool:
        """Wait for background threads, each so many seconds. True when all have ended."""
        with self._mutex:
            threads = [thread for thread in self._threads if thread is not threading.current_thread()]
        for thread in threads:
            thread.join(timeout)
        return not any(thread.is_alive() for thread in threads)


class LoopOwner(Protocol):
    """The thread that alone drives a loop, while there is one: of a server, `server.loop_thread`."""

    def is_here(self) -> bool: ...

    def ask(self, call: Callable[[], _T]) -> _T: ...

    def run(self, work: Work, session: Session | None = None) -> Any: ...

    def wake(self) -> None: ...


class LoopTask:
    """A Work in a LoopDriver. `outcomes` collects what a batch said; `failure` is what ended it, if not its own end."""

    def __init__(self, work: Work, session: Session | None, name: str) -> None:
        self.work = work
        self.session = session
        self.name = name
        self.outcomes: list[Outcome] = []
        self.suspend: Suspend | None = None
        self.suspended_at = 0.0
        self.done = False
        self.failure: BaseException | None = None
        self.is_background = False
        self.on_done: Callable[[BaseException | None], None] | None = None

    @property
    def is_activated(self) -> bool:
        return self.session is not None and self.session.is_background

    def is_runnable(self, now: float) -> bool:
        if self.done:
            return False
        suspend = self.suspend
        return suspend is None or suspend.waiter.woken or (suspend.deadline is not None and suspend.deadline <= now)


class LoopDriver:
    """Drives every task of an instance with a VirtualHost, in one thread and in an order that the seed decides."""

    def __init__(self, host: VirtualHost) -> None:
        self.host = host
        self.tasks: list[LoopTask] = []
        self.current: LoopTask | None = None
        self.thread = 0
        """Who drives the current task."""
        self._calls: deque[Callable[[], None]] = deque()
        self.wait_stats = WaitStats()
        self.busy: Busy = self.waits
        self.terms = Terms()
        self._owner: LoopOwner | None = None

    def own(self, owner: LoopOwner | None) -> None:
        """From now on only `owner` drives the tasks, and others hand over to it; None: whoever calls drives."""
        self._owner = owner
        for task in self.tasks:
            self._wakes_owner(task)

    def _elsewhere(self) -> LoopOwner | None:
        """The owner, when this is not its thread."""
        owner = self._owner
        return owner if owner is not None and not owner.is_here() else None

    def _wakes_owner(self, task: LoopTask) -> None:
        if task.suspend is not None:
            task.suspend.waiter.on_wake = self._owner.wake if self._owner is not None else None

    def current_session(self) -> Session | None:
        """The session whose task is being driven."""
        return self.current.session if self.current is not None else None

    def start(self, session: Session, text: str, *, parameters: dict[str, Any] | None = None) -> LoopTask:
        """Begin a batch; it runs when the loop does (`settle`, `run_until_done`, `advance`)."""
        outcomes: list[Outcome] = []
        task = LoopTask(
            session.execute(text, outcomes.append, parameters=parameters), session, f"session {session.spid}"
        )
        task.outcomes = outcomes
        self.tasks.append(task)
        return task

    def spawn(
        self, work: Work, session: Session | None, name: str, done: Callable[[BaseException | None], None]
    ) -> None:
        task = LoopTask(work, session, name)
        task.on_done = done
        task.is_background = session is None
        self.tasks.append(task)

    def run(self, work: Work, session: Session | None = None) -> Any:
        """Run `work` to its end, letting the clock jump from deadline to deadline. For `Session.run` on a virtual
        instance.

        Raises NeverWakes when nothing can ever wake it: a bug in the caller's test, named with who waits
        for what; and NotAtRest when activated procedures never let it run on. With an owner, neither: who
        waits may be woken by a client to come.
        """
        if (owner := self._elsewhere()) is not None:
            return owner.run(work, session)
        result: list[Any] = []

        def keep() -> Work:
            result.append((yield from work))

        task = LoopTask(keep(), session, f"session {session.spid}" if session else "work")
        self.tasks.append(task)
        heeds: interrupts.Taken = []
        try:
            interrupts.heed(heeds)
            if not self.run_until_done(task):
                raise NeverWakes(f"nothing can ever wake this batch: {'; '.join(self.waits())}")
            interrupts.raise_kept()
        except NeverWakes:
            if task in self.tasks:
                self.tasks.remove(task)
            task.work.close()
            raise
        finally:
            interrupts.stop_heeding(heeds)
        if task.failure is not None:
            raise task.failure
        return result[0]

    def _step(self, task: LoopTask) -> None:
        outer, self.current, self.thread = self.current, task, threading.get_ident()
        before = set_check(task.session.check_cancelled if task.session is not None else None)
        try:
            self._step_current(task)
        finally:
            set_check(before)
            self.current = outer

    def _step_current(self, task: LoopTask) -> None:
        if task.suspend is not None and task.session is not None:
            self.wait_stats.add(task.suspend.reason, self.host.now() - task.suspended_at)
            task.session.waits_for(None)
        try:
            if task.session is not None and task.session.cancel_requested and task.suspend is not None:
                task.suspend = task.work.throw(Cancelled())
            else:
                task.suspend = next(task.work)
            task.suspended_at = self.host.now()
            if self._owner is not None:
                self._wakes_owner(task)
            if task.session is not None:
                task.session.waits_for(task.suspend, task.suspended_at)
            return
        except StopIteration:
            pass
        except BaseException as error:
            task.failure = error
        task.done, task.suspend = True, None
        self.tasks.remove(task)
        if task.on_done is not None:
            task.on_done(task.failure)
        if self._owner is None and not isinstance(task.failure, (Exception, GeneratorExit, NoneType)):
            raise task.failure  # Ctrl-C, or a test's time-out: meant for whoever drives the loop, unless that is a thread of ours

    def soon(self, call: Callable[[], None]) -> None:
        """Have `call` called before the next step. From any thread, and from within the collector."""
        self._calls.append(call)
        if (owner := self._owner) is not None:
            owner.wake()

    def step(self) -> bool:
        """Resume one runnable task, which chance picks, up to its next wait. False when nothing is runnable."""
        task = self._next()
        if task is not None:
            self._step(task)
        return task is not None

    def _next(self) -> LoopTask | None:
        while self._calls:
            self._calls.popleft()()
        now = self.host.now()
        runnable = [t for t in self.tasks if t.is_runnable(now)]
        return runnable[int(self.host.random() * len(runnable))] if runnable else None

    def settle(
        self, until: LoopTask | None = None, *, limit: float | None = None, report: Report | None = None
    ) -> None:
        """Run until nothing is runnable (or `until` is done); the clock stands still.

        Raises NotAtRest when activated procedures run for `limit` seconds of the computer (None: those of `terms`)
        without coming to rest, and cancels the one that runs then. Meanwhile `report` hears who is busy.
        """
        if (owner := self._elsewhere()) is not None:
            owner.ask(lambda: self.settle(until, limit=limit, report=report))
            return
        with interrupts.Heeding():
            self._settle(until, limit=limit, report=report)

    def _settle(
        self, until: LoopTask | None = None, *, limit: float | None = None, report: Report | None = None
    ) -> None:
        """`settle` for who heeds signals. What their handlers raise in a task ends it all, unless a batch is run,
        which ends by itself."""
        watch: Watch | None = None
        try:
            for _ in range(_STEPS_MAX):
                task = None if until is not None and until.done else self._next()
                if task is None:
                    return
                if task.is_activated and watch is None:
                    patience = Patience(self.busy, self.terms, self.terms.limit if limit is None else limit, report)
                    watch = Watch(patience, self._cancel_current)
                elif task.session is not None and not task.is_activated and watch is not None:
                    watch.patience.begin()  # a batch gets on: it may last as long as it likes
                self._step(task)
                if until is None:
                    interrupts.raise_kept()
                if watch is not None and watch.has_given_up:
                    break
            busy = watch.busy if watch is not None else ""
            raise NotAtRest(f"the activated procedures do not come to rest. {busy or '; '.join(self.busy())}")
        finally:
            if watch is not None:
                watch.stop()

    def _cancel_current(self) -> None:
        """From another thread: nobody else runs until the current task pauses."""
        task = self.current
        if task is not None and task.is_activated and task.session is not None:
            task.session.cancel()

    def rest(self, is_idle: Callable[[], bool], seconds: float | None, report: Report | None) -> bool:
        """Run until `is_idle`, letting the clock move on when only sleepers are left: at most `seconds`
        of its own and of the computer (None: a day, and the limit of `terms`). False when that was not
        enough, or nothing can happen any more."""
        if (owner := self._elsewhere()) is not None:
            return owner.ask(lambda: self.rest(is_idle, seconds, report))
        end = self.host.now() + (_DAY if seconds is None else seconds)
        patience = Patience(self.busy, self.terms, self.terms.limit if seconds is None else seconds, report)
        try:
            with interrupts.Heeding():
                self._settle(limit=patience.limit, report=report)
                while not is_idle():
                    deadline = self.next_deadline()
                    if deadline is None or deadline > end or patience.is_over():
                        return False
                    self.host.advance_to(deadline)
                    self._settle(limit=patience.limit, report=report)
        except NotAtRest as error:
            patience.say(str(error))  # the one who was busiest is cancelled: nobody could ask any more
            return False
        return True

    def next_deadline(self) -> float | None:
        deadlines = [t.suspend.deadline for t in self.tasks if t.suspend is not None and t.suspend.deadline is not None]
        return heapq.nsmallest(1, deadlines)[0] if deadlines else None

    def advance(self, seconds: float) -> None:
        """Move the clock on, stopping at each deadline on the way, and settle. Raises NotAtRest as `settle` does."""
        if (owner := self._elsewhere()) is not None:
            owner.ask(lambda: self.advance(seconds))
            return
        end = self.host.now() + seconds
        with interrupts.Heeding():
            self._settle()
            while (deadline := self.next_deadline()) is not None and deadline <= end:
                self.host.advance_to(deadline)
                self._settle()
            self.host.advance_to(end)
            self._settle()

    def run_until_done(self, task: LoopTask) -> bool:
        """Run until `task` is done, letting the clock jump. False when nothing can ever wake it."""
        with interrupts.Heeding():
            self._settle(until=task)
            while not task.done:
                deadline = self.next_deadline()
                if deadline is None or not self._can_end():
                    return False
                self.host.advance_to(deadline)
                self._settle(until=task)
        return True

    def _can_end(self) -> bool:
        """Somebody other than the broker's own background work still has something to wait for."""
        return any(t.suspend is not None and t.suspend.deadline is not None for t in self.tasks)

    def is_settled(self, reason: str) -> bool:
        """Nothing is runnable but tasks whose wait has this reason."""
        now = self.host.now()
        return not any(t.is_runnable(now) for t in self.tasks if t.suspend is None or t.suspend.reason != reason)

    def waits(self) -> list[str]:
        """Who waits for what, for people."""
        return [
            f"{t.name} waits for {t.suspend.reason}"
            for t in self.tasks
            if t.suspend is not None and not t.is_background
        ]

    def join(self, timeout: float) -> bool:
        """Nothing to wait for: closing the instance closes the tasks, unless another
        thread still drives them (False)."""
        if self.current is not None and self.thread != threading.get_ident():
            return False
        for task in list(self.tasks):
            if task is not self.current:
                task.work.close()
                self.tasks.remove(task)
        return True
