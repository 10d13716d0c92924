"""What the fuzzer throws texts at: an instance with something of everything in it, and a judge of what comes back.

The rule for every text: it ends in outcomes (SqlErrors among them), never in another exception, not in an error that
says "this is our bug", not in a hang; afterwards the session answers SELECT 1.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import Any

from sbql.catalog.records import Database
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet
from sbql.grammar.errors import SqlError
from sbql.grammar.parser import parse_batch
from sbql.repl.render import Renderer

__all__ = ["OURS", "Finding", "Subject"]

OURS = frozenset({3624, 8631, 50})
"""Numbers of errors that no text may cause: the last resort, the end of the stack, and SQL that DuckDB refused."""
PATIENCE = 1.0
"""Seconds until a text is asked to stop; as many again until it counts as hanging."""
GRACE = 15.0
LOCKED_OUT = 17892
"""A LOGON trigger that fails lets nobody in."""
NEVER_ENDS = "nothing can ever wake this batch"
PRIME = "IF @@TRANCOUNT > 0 ROLLBACK; SET PARSEONLY OFF; SET NOEXEC OFF; SET FMTONLY OFF"
SETUP = Path(__file__).with_name("setup.sql").read_text(encoding="utf-8").split("\nGO\n")


@dataclass(frozen=True)
class Finding:
    """`signature` is the same for the same bug: what was raised, and where."""

    signature: str
    text: str
    detail: str


class Hang(BaseException):
    """A text did not stop when it was asked to."""


class Subject:
    """An instance with a virtual clock. `judge` runs a text and says what it did wrong, None if nothing."""

    def __init__(self, setup: bool = True) -> None:
        parse_batch("SELECT 1")  # a new checkout makes the parse table first, which takes its time
        self.instance = Instance.open(None, clock="virtual", seed=1)
        self.is_broken = False
        self.session = self.instance.connect()
        self.home = "Fuzz" if setup else None
        if setup:
            for batch in SETUP:
                finding = self.judge(batch)
                assert finding is None, finding

    def close(self) -> None:
        self.instance.close()

    def judge(self, text: str) -> Finding | None:
        session = self.session
        renderer = Renderer(lambda shown: None)
        problems: list[tuple[str, str]] = []

        def sink(outcome: Outcome) -> None:
            renderer.show(outcome)
            if isinstance(outcome, ErrorOutcome) and outcome.error.number in OURS:
                problems.append(_signed(outcome.error))

        logged = self.instance.error_log.written
        try:
            with time_limit(self):
                _driven(session, text, sink)
                self.instance.wait_idle()
        except Hang as error:
            self.is_broken = True
            return Finding(f"hang at {_place(error)}", text, "did not stop when cancelled")
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            problems.append((f"{type(error).__name__} at {_place(error)}", repr(error)))
        problems += [(f"log: {r.text[:160]}", r.text) for r in self._new_log(logged) if r.number in (3624, 8631, 9645)]
        if not problems:
            problems += self._usable()
        if problems:
            self.is_broken = True
            return Finding(problems[0][0], text, problems[0][1])
        return None

    def _new_log(self, before: int) -> list[Any]:
        new = self.instance.error_log.written - before
        return list(self.instance.error_log)[-new:] if new else []

    def _usable(self) -> list[tuple[str, str]]:
        """The session answers; then a new one takes its place, as a text may have changed any option. One that an error
        of severity 20 has ended is replaced first."""
        outcomes: list[Outcome] = []
        try:
            if self.session.is_ended:
                self._reconnect()
            with time_limit(self):
                _driven(self.session, PRIME, outcomes.append)
                _driven(self.session, "SELECT 1", outcomes.append)
                self._reconnect()
        except (Exception, Hang) as error:
            return [(f"unusable: {type(error).__name__} at {_place(error)}", repr(error))]
        if not any(isinstance(o, ResultSet) and o.rows == [(1,)] for o in outcomes):
            return [(f"unusable: {outcomes}"[:100], str(outcomes))]
        return []

    def _reconnect(self) -> None:
        """Into the fuzz database, or where a script has put itself."""
        wanted = self.home or self.session.database_name
        self.session.close()
        known = self.instance.catalog.find(Database, 0, wanted)
        database = wanted if known is not None else "master"
        try:
            self.session = self.instance.connect(database)
        except SqlError as error:
            if error.number != LOCKED_OUT:
                raise
            self.session = self.instance.let_in()
            _driven(self.session, "DISABLE TRIGGER ALL ON ALL SERVER", lambda outcome: None)
            self.session.close()
            self.session = self.instance.connect(database)


def _driven(session: Any, text: str, sink: Any) -> None:
    try:
        session.run(text, sink=sink)
    except RuntimeError as error:
        if NEVER_ENDS not in str(error):
            raise


def _signed(error: Any) -> tuple[str, str]:
    cause = error.__cause__
    if cause is not None:
        return f"{type(cause).__name__} at {_place(cause)}", f"{cause!r}"
    return f"{error.number}: {''.join(c for c in error.message if not c.isdigit())[:90]}", error.message


def _place(error: BaseException) -> str:
    places = extract_tb(error.__traceback__)
    known = [p for p in places if "/tests/" not in p.filename and "/lib/python" not in p.filename]
    place = known[-1] if known else places[-1]
    return f"{Path(place.filename).name}:{place.name}:{place.line}"


@contextmanager
def time_limit(subject: Subject) -> Iterator[None]:
    """Cancel every batch after PATIENCE, activated procedures too; raise Hang when something goes on for GRACE."""
    rung = 0

    def ring(signum: int, frame: Any) -> None:
        nonlocal rung
        rung += 1
        if rung * PATIENCE > GRACE:
            raise Hang
        for session in list(subject.instance.sessions.values()):
            session.cancel()
        if rung > 1:  # a reader that loops for ever would be launched again for ever
            subject.is_broken = True
            subject.instance.scheduler.stop()

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
