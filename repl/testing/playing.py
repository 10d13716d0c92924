"""Runs a T-SQL script with expectations and says precisely where it does not hold.

It decides which session a batch runs in, when the clock moves, and which outcomes each directive is held against. It
must not know what statements do, nor how instances are driven (`stages`). A file that uses `restart` runs on files in a
scratch folder; the clock goes on where it was. One that uses `instance` runs on several instances.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from sbql.engine.broker.trace import class_name, event_text
from sbql.engine.drivers import LoopTask
from sbql.engine.instance import Instance
from sbql.engine.outcomes import Outcome
from sbql.engine.running_lines import came_from
from sbql.engine.scripts import read_script
from sbql.engine.session import Session
from sbql.engine.simulated_network import Network
from sbql.grammar.batches import BatchText
from sbql.grammar.errors import SqlError
from sbql.repl.render import log_text
from sbql.repl.testing.directives import ABOUT_NETWORKS, ABOUT_THE_BATCH, Directive, Group, ScriptFailure, read_groups
from sbql.repl.testing.expectations import Verdict
from sbql.repl.testing.stages import OneInstance, OpenInstance, OpenNetwork, SeveralInstances, Stage

__all__ = ["run_script"]

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_LOG_LINES = 10
"""Lines of the error log that a failure shows."""


def _open(path: str | None, seed: int) -> Instance:
    return Instance.open(path, clock="virtual", seed=seed)


def _open_network(folder: Path, seed: int) -> Network:
    return Network(seed, folder=folder)


def run_script(
    path: str | os.PathLike[str],
    *,
    seed: int = 0,
    open_instance: OpenInstance = _open,
    open_network: OpenNetwork = _open_network,
    variables: Mapping[str, str] | None = None,
) -> None:
    """Run the script at `path`. Raises ScriptFailure at the first expectation that does not hold, ScriptError
    for a script that cannot be read."""
    groups = read_groups(read_script(path, variables))
    words = {directive.word for group in groups for directive in group.directives}
    on_disk, is_traced, is_one = "restart" in words, "trace" in words, "instance" not in words
    with _nowhere() if is_one and not on_disk else tempfile.TemporaryDirectory(prefix="sbql-test-") as folder:
        stage: Stage
        if folder is not None and not is_one:
            stage = SeveralInstances(open_network(Path(folder), seed), on_disk=on_disk, is_traced=is_traced)
        else:
            store = None if folder is None else str(Path(folder) / "script.duckdb")
            stage = OneInstance(store, seed, open_instance, is_traced=is_traced)
        _Run(stage, is_one=is_one).run(groups)


class _nowhere:
    """Stands where a scratch folder would, for a script that needs none."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *why: object) -> None: ...


class _Client(Struct):
    """A named session, its waiting batch if it has one, and where that stands."""

    session: Session
    task: LoopTask | None = None
    file: str = ""
    line: int = 0
    is_endless: bool = False
    """The waiting batch is not to end."""


class _Run:
    """One script on its stage."""

    def __init__(self, stage: Stage, *, is_one: bool) -> None:
        self._stage = stage
        self._is_one = is_one
        self._clients: dict[tuple[str, str], _Client] = {}
        self._current = "main"
        self._verdict: Verdict | None = None
        self._names: dict[str, str] = {}

    def run(self, groups: list[Group]) -> None:
        try:
            for group in groups:
                if group.batch is not None:
                    self._batch(group.batch, group.is_blocked)
                for directive in group.directives:
                    self._directive(directive)
                self._close_verdict()
            self._end()
        except ScriptFailure as failure:
            if self._is_one or self._stage.name:
                failure.log = [log_text(record) for record in self._stage.heard.log()][-_LOG_LINES:]
            raise
        finally:
            self._stage.close()

    def _end(self) -> None:
        """What still waits has to be said: nobody would see how it ends, nor its errors."""
        self._stage.settle()
        for (_, name), client in self._clients.items():
            if client.task is None:
                continue
            verdict = Verdict(client.file, client.line, client.task.outcomes)
            if client.task.done and client.is_endless:
                raise verdict.fail(f"the batch of session {name} was never to finish, but it has")
            if client.task.done:
                raise verdict.fail(
                    f"the batch of session {name} has finished, and nothing asks how: `finishes {name}` does"
                )
            if not client.is_endless:
                raise verdict.fail(
                    f"the batch of session {name} still waits at the end of the script; `never finishes` says that it may"
                )

    # --- batches -------------------------------------------------------------------------------------------

    def _client(self, file: str, line: int, database: str | None = None) -> _Client:
        name = self._current
        if not self._is_one and not self._stage.name:
            raise ScriptFailure(file, line, "which instance is meant? `--! instance NAME` comes first")
        found = self._clients.get((self._stage.name, name))
        try:
            if found is None:
                admin = name.upper().startswith("ADMIN:")
                session = self._stage.instance.connect(database=database or "master", admin=admin)
                found = self._clients[self._stage.name, name] = _Client(session)
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
        client.file, client.line, client.is_endless = file, line, False
        came_from(batch)
        outcomes: list[Outcome] = []
        for _ in range(batch.count):
            task = client.task = self._stage.start(client.session, batch.text)
            if is_blocked:
                self._stage.settle()
                if task.done:
                    raise self._ended(task, client).fail("expected the batch to wait, but it has ended")
                return
            if not self._stage.run(task):
                waits = "; ".join(self._stage.waits())
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
            case word if word in ABOUT_NETWORKS and self._is_one:
                message = f"`{word}` is for scripts of several instances: `instance NAME` says which one is meant"
                raise ScriptFailure(directive.file, directive.line, message)
            case "instance":
                self._stage.choose(directive.fields["name"] or "")
                self._current = "main"
            case "partition":
                self._stage.partition()
            case "heal":
                self._stage.heal()
            case "session":
                self._current = directive.fields["name"] or "main"
                self._client(directive.file, directive.line, database=directive.fields["database"])
            case "finishes":
                self._finishes(directive)
            case "never":
                self._waiting(directive).is_endless = True
            case "settle":
                self._stage.settle()
            case "advance":
                amount, unit = directive.fields["amount"], directive.fields["unit"]
                self._stage.advance(float(amount or 0) * _UNITS[(unit or "s").lower()])
            case "restart":
                self._restart()
            case "log":
                self._log(directive)
            case "trace":
                self._trace(directive)

    def _waiting(self, directive: Directive) -> _Client:
        """The session that the directive is about, which has to have a waiting batch."""
        name = directive.fields["name"] or self._current
        client = self._clients.get((self._stage.name, name))
        if client is None or client.task is None:
            raise ScriptFailure(directive.file, directive.line, f"session {name} has no waiting batch")
        return client

    def _finishes(self, directive: Directive) -> None:
        client = self._waiting(directive)
        assert client.task is not None
        self._stage.settle()
        if not client.task.done:
            verdict = Verdict(client.file, client.line, client.task.outcomes)
            name = directive.fields["name"] or self._current
            raise verdict.fail(f"session {name} still waits: {'; '.join(self._stage.waits())}", directive)
        self._verdict = self._ended(client.task, client)

    def _restart(self) -> None:
        self._stage.restart()
        self._clients = {key: client for key, client in self._clients.items() if key[0] != self._stage.name}

    def _log(self, directive: Directive) -> None:
        fresh = self._stage.heard.fresh_log(directive.line)
        number, text = int(directive.fields["number"] or 0), directive.fields["text"] or ""
        if not any(record.number == number and text in record.text for record in fresh):
            lines = [f"    {record.number} {record.text}" for record in fresh] or ["    (nothing)"]
            message = f"expected {number} {text} in the error log, which has\n" + "\n".join(lines)
            raise ScriptFailure(directive.file, directive.line, message)

    def _trace(self, directive: Directive) -> None:
        """The next event that fits; events in front of it are passed over."""
        fields, events = directive.fields, self._stage.heard.events
        wanted = class_name(fields["name"] or "")
        for index, event in enumerate(events):
            if (
                event.event_class == wanted
                and (fields["subclass"] is None or event.subclass.lower() == fields["subclass"].lower())
                and (fields["tasks"] is None or event.integer_data == int(fields["tasks"]))
                and (fields["text"] or "") in event.text
            ):
                del events[: index + 1]
                return
        lines = [f"    {event_text(event)}" for event in events] or ["    (nothing)"]
        shown_fields = " ".join(filter(None, (fields["name"], fields["subclass"])))
        message = f"expected the trace event {shown_fields}, got\n" + "\n".join(lines)
        raise ScriptFailure(directive.file, directive.line, message)
