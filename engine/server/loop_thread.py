"""The one thread that drives the loop of a served instance with a virtual clock: everybody else queues work to it.

It decides when the clock moves: when somebody says so (`advance`, sp_sbql_advance_clock), or, if it is to move by
itself, when all that runs waits and nothing has come for 50 ms. A wait is never called hopeless here: a client may
still come and end it. It must not know what the work is, nor who brings it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from sbql.engine.drivers import LoopDriver, LoopTask
from sbql.engine.ending import PATIENCE
from sbql.engine.patience import NotAtRest
from sbql.engine.ports import Session
from sbql.engine.system.operations import SETTLING
from sbql.engine.work import Work

__all__ = ["LoopThread"]

_QUIET = 0.05
"""Seconds without anything new after which a clock that moves by itself does."""
_LONG = 3600.0

_T = TypeVar("_T")


class LoopThread:
    """While it runs, it is the `owner` of its loop. All methods are thread safe."""

    def __init__(self, loop: LoopDriver, log: Callable[[str], object], *, moves_itself: bool = False) -> None:
        """`log` is told why activated procedures do not come to rest."""
        self._loop = loop
        self._log = log
        self._moves_itself = moves_itself
        self._asked: deque[Callable[[], None]] = deque()
        self._news = threading.Event()
        self._is_stopping = False
        self._thread = threading.Thread(target=self._drive, name="sbql-loop", daemon=True)

    def start(self) -> None:
        """Raises RuntimeError when the computer has no thread for it: whoever calls the loop drives it as before."""
        self._loop.own(self)
        try:
            self._thread.start()
        except BaseException:
            self._is_stopping = True
            self._loop.own(None)
            raise

    def stop(self) -> None:
        """Whoever calls the loop drives it again."""
        self._is_stopping = True
        self.wake()
        if self._thread.ident is not None:
            self._thread.join(PATIENCE)
        self._loop.own(None)

    def wake(self) -> None:
        """There is something to do."""
        self._news.set()

    def is_here(self) -> bool:
        return threading.current_thread() is self._thread

    # --- for others ----------------------------------------------------------------------------------------

    def ask(self, call: Callable[[], _T]) -> _T:
        """Have `call` called in the thread of the loop, between its steps, and wait for what it returns or raises."""
        if self.is_here() or self._is_stopping:
            return call()
        done = threading.Event()
        result: list[_T] = []
        failure: list[BaseException] = []

        def body() -> None:
            try:
                result.append(call())
            except BaseException as error:
                failure.append(error)
            finally:
                done.set()

        self._asked.append(body)
        self.wake()
        done.wait()
        if failure:
            raise failure[0]
        return result[0]

    def begin(self, work: Work, session: Session | None, done: Callable[[BaseException | None, Any], None]) -> None:
        """Have the loop run `work`; `done` is called in its thread with what ended it, or None and the result."""
        result: list[Any] = []

        def keep() -> Work:
            result.append((yield from work))

        task = LoopTask(keep(), session, f"session {session.spid}" if session is not None else "work")
        task.on_done = lambda failure: done(failure, result[0] if result else None)
        self._loop.soon(lambda: self._loop.tasks.append(task))
        self.wake()

    def run(self, work: Work, session: Session | None = None) -> Any:
        """`work` to its end. Ctrl-C cancels the session, and is raised when the work has ended."""
        ended = threading.Event()
        found: list[tuple[BaseException | None, Any]] = []

        def done(failure: BaseException | None, result: Any) -> None:
            found.append((failure, result))
            ended.set()

        self.begin(work, session, done)
        try:
            while not ended.wait(_LONG):
                pass
        except BaseException:
            if session is not None:
                session.cancel()
            ended.wait(PATIENCE)
            raise
        failure, result = found[0]
        if failure is not None:
            raise failure
        return result

    # --- the thread ----------------------------------------------------------------------------------------

    def _drive(self) -> None:
        loop = self._loop
        while not self._is_stopping:
            self._news.clear()
            while self._asked:
                self._asked.popleft()()
            try:
                loop.settle()
            except NotAtRest as error:
                self._log(str(error))
            if self._news.is_set() or self._is_stopping:
                continue
            if self._is_asked_to_move():
                self._move()
            elif not self._moves_itself or not self._somebody_waits():
                self._news.wait(_LONG)
            elif not self._news.wait(_QUIET):
                self._move()
        while self._asked:
            self._asked.popleft()()

    def _is_asked_to_move(self) -> bool:
        """A session runs sp_sbql_advance_clock."""
        return any(task.suspend is not None and task.suspend.reason == SETTLING for task in self._loop.tasks)

    def _somebody_waits(self) -> bool:
        """A session does, and there is a moment to move on to: the broker's own
        deadlines alone do not make time pass."""
        return self._loop.next_deadline() is not None and any(task.session is not None for task in self._loop.tasks)

    def _move(self) -> None:
        deadline = self._loop.next_deadline()
        if deadline is not None:
            self._loop.host.advance_to(deadline)
