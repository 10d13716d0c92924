"""Runs a T-SQL script with expectations and says precisely where it does not hold.

It decides which session a batch runs in, when the clock moves, and which outcomes each directive is held against. It must not know what statements do: it sees
sessions, outcomes and the loop that drives them. A file that uses `restart` runs on a file in a scratch folder; the clock goes on where it was.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sbql.engine.broker.trace import TraceEvent, event_text
from sbql.engine.drivers import LoopDriver, LoopTask
from sbql.engine.instance import Instance
from sbql.engine.outcomes import Outcome
from sbql.engine.scripts import read_script
from sbql.engine.session import Session
from sbql.grammar.batches import BatchText
from sbql.grammar.errors import SqlError
from sbql.repl.render import log_text
from sbql.repl.testing.directives import ABOUT_THE_BATCH, Directive, Group, ScriptFailure, read_groups
from sbql.repl.testing.expectations import Verdict

__all__ = ["OpenInstance", "run_script"]

OpenInstance = Callable[[str | None, int], Instance]
"""Opens the instance that a script runs on, with a virtual clock: from the path of a store (None: in memory) and a seed."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_LOG_LINES = 10
"""Lines of the error log that a failure shows."""


def _open(path: str | None, seed: int) -> Instance:
    return Instance.open(path, clock="virtual", seed=seed)


def run_script(
    path: str | os.PathLike[str],
    *,
    seed: int = 0,
    open_instance: OpenInstance = _open,
    variables: Mapping[str, str] | None = None,
) -> None:
    """Run the script at `path`. Raises ScriptFailure at the first expectation that does not hold, ScriptError for a script that cannot be read."""
    groups = read_groups(read_script(path, variables))
    words = {directive.word for group in groups for directive in group.directives}
    with tempfile.TemporaryDirectory(prefix="sbql-test-") if "restart" in words else _nowhere() as folder:
        store = None if folder is None else str(Path(folder) / "script.duckdb")
        _Run(store, seed, open_instance, is_traced="trace" in words).run(groups)


class _nowhere:
    """Stands where a scratch folder would, for a script that needs none."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *why: object) -> None: ...


@dataclass(slots=True)
class _Client:
    """A named session, its waiting batch if it has one, and where that stands."""

    session: Session
    task: LoopTask | None = None
    file: str = ""
    line: int = 0


class _Run:
    """One script on one instance."""

    def __init__(self, store: str | None, seed: int, open_instance: OpenInstance, *, is_traced: bool) -> None:
        self._store = store
        self._seed = seed
        self._open_instance = open_instance
        self._is_traced = is_traced
        self._instance = open_instance(store, seed)
        self._clients: dict[str, _Client] = {}
        self._current = "main"
        self._verdict: Verdict | None = None
        self._names: dict[str, str] = {}
        self._events: list[TraceEvent] = []
        if is_traced:
            self._instance.trace(self._events.append)
        self._log_first = self._log_read = self._log_start = len(self._instance.error_log)
        self._log_line = -1

    @property
    def _loop(self) -> LoopDriver:
        loop = self._instance.loop
        assert loop is not None, "a script with expectations runs on a virtual clock"
        return loop

    def run(self, groups: list[Group]) -> None:
        try:
            for group in groups:
                if group.batch is not None:
                    self._batch(group.batch, group.is_blocked)
                for directive in group.directives:
                    self._directive(directive)
                self._close_verdict()
        except ScriptFailure as failure:
            failure.log = [log_text(record) for record in list(self._instance.error_log)[self._log_first :]][
                -_LOG_LINES:
            ]
            raise
        finally:
            self._instance.close()

    # --- batches -------------------------------------------------------------------------------------------

    def _client(self, file: str, line: int, name: str | None = None, database: str | None = None) -> _Client:
        name = name or self._current
        found = self._clients.get(name)
        try:
            if found is None:
                admin = name.upper().startswith("ADMIN:")
                session = self._instance.connect(database=database or "master", admin=admin)
                found = self._clients[name] = _Client(session)
            elif database is not None and found.task is None:
                found.session.use(database)
        except SqlError as error:
            raise ScriptFailure(file, line, f"session {name} cannot connect: {error}") from error
        return found

    def _batch(self, batch: BatchText, is_blocked: bool) -> None:
        file, line = batch.source, batch.first_line
        client = self._client(file, line)
        if client.task is not None:
            message = f"session {self._current} still waits in the batch at {client.file}:{client.line}"
            raise ScriptFailure(file, line, message)
        client.file, client.line = file, line
        outcomes: list[Outcome] = []
        for _ in range(batch.count):
            task = client.task = self._loop.start(client.session, batch.text)
            if is_blocked:
                self._loop.settle()
                if task.done:
                    raise self._ended(task, client).fail("expected the batch to wait, but it has ended")
                return
            if not self._loop.run_until_done(task):
                waits = "; ".join(self._loop.waits())
                verdict = Verdict(file, line, task.outcomes)
                raise verdict.fail(f"the batch waits and nothing can ever wake it: {waits}")
            outcomes += self._ended(task, client).outcomes
        self._verdict = Verdict(file, line, outcomes)

    def _ended(self, task: LoopTask, client: _Client) -> Verdict:
        """What a batch that has ended produced; its session is free again."""
        client.task = None
        verdict = Verdict(client.file, client.line, task.outcomes)
        if task.failure is not None:
            raise verdict.fail(f"the batch ended by a bug: {task.failure!r}") from task.failure
        return verdict

    def _close_verdict(self) -> None:
        if self._verdict is not None:
            self._verdict.close()
            self._verdict = None

    # --- directives ----------------------------------------------------------------------------------------

    def _directive(self, directive: Directive) -> None:
        if directive.word == "blocked":
            return
        if directive.word in ABOUT_THE_BATCH:
            if self._verdict is None:
                message = f"`{directive.word}` has no ended batch above it"
                raise ScriptFailure(directive.file, directive.line, message)
            self._verdict.check(directive, self._names)
            return
        self._close_verdict()
        match directive.word:
            case "session":
                self._current = directive.fields["name"] or "main"
                self._client(directive.file, directive.line, database=directive.fields["database"])
            case "finishes":
                self._finishes(directive)
            case "settle":
                self._loop.settle()
            case "advance":
                amount, unit = directive.fields["amount"], directive.fields["unit"]
                self._loop.advance(float(amount or 0) * _UNITS[(unit or "s").lower()])
            case "restart":
                self._restart()
            case "log":
                self._log(directive)
            case "trace":
                self._trace(directive)

    def _finishes(self, directive: Directive) -> None:
        name = directive.fields["name"] or self._current
        client = self._clients.get(name)
        if client is None or client.task is None:
            raise ScriptFailure(directive.file, directive.line, f"session {name} has no waiting batch")
        self._loop.settle()
        if not client.task.done:
            verdict = Verdict(client.file, client.line, client.task.outcomes)
            raise verdict.fail(f"session {name} still waits: {'; '.join(self._loop.waits())}", directive)
        self._verdict = self._ended(client.task, client)

    def _restart(self) -> None:
        now = self._instance.host.now()
        self._instance.close()
        self._clients.clear()
        self._seed += 1  # the same seed would give the GUIDs of the first life again
        self._instance = self._open_instance(self._store, self._seed)
        self._loop.host.advance_to(now)
        if self._is_traced:
            self._instance.trace(self._events.append)
        self._log_first = self._log_read = self._instance.error_log.loaded
        self._log_line = -1

    def _log(self, directive: Directive) -> None:
        records = list(self._instance.error_log)
        if directive.line != self._log_line + 1:  # several `log` lines in a row look at the same part of the log
            self._log_start, self._log_read = self._log_read, len(records)
        self._log_line = directive.line
        fresh = records[self._log_start : self._log_read]
        number, text = int(directive.fields["number"] or 0), directive.fields["text"] or ""
        if not any(record.number == number and text in record.text for record in fresh):
            lines = [f"    {record.number} {record.text}" for record in fresh] or ["    (nothing)"]
            message = f"expected {number} {text} in the error log, which has\n" + "\n".join(lines)
            raise ScriptFailure(directive.file, directive.line, message)

    def _trace(self, directive: Directive) -> None:
        """The next event that fits; events in front of it are passed over."""
        fields = directive.fields
        wanted = f"broker:{fields['name']}".lower()
        for index, event in enumerate(self._events):
            if (
                event.event_class.lower() == wanted
                and (fields["subclass"] is None or event.subclass.lower() == fields["subclass"].lower())
                and (fields["tasks"] is None or event.integer_data == int(fields["tasks"]))
                and (fields["text"] or "") in event.text
            ):
                del self._events[: index + 1]
                return
        lines = [f"    {event_text(event)}" for event in self._events] or ["    (nothing)"]
        shown_fields = " ".join(filter(None, (fields["name"], fields["subclass"])))
        message = f"expected the trace event {shown_fields}, got\n" + "\n".join(lines)
        raise ScriptFailure(directive.file, directive.line, message)
