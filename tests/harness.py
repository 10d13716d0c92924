"""Runs a T-SQL script with expectations (docs/testing.md) and says precisely where it does not hold.

It decides how directives are matched (directives.py reads them). It must not know what statements do: it sees sessions, outcomes and the
loop that drives them. Three rules that the manual leaves open:

- A line number in `error … line N` counts from the line after the last directive in front of the batch.
- In cells, `|`, newline, carriage return and tab are written `\\|`, `\\n`, `\\r`, `\\t`; blanks around a cell do not
  count.
- A row that reads like a directive is written with a backslash in front: `--! \\rows`.

A file that uses `restart` runs on a file in a scratch folder; the clock goes on where it was.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from directives import ABOUT_THE_BATCH, Directive, ScriptFailure, read_groups

from sbql.engine.broker.trace import TraceEvent, event_text
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, ResultSet, RowsAffected
from sbql.engine.result_text import display
from sbql.engine.scripts import Script, read_script
from sbql.grammar.batches import BatchText
from sbql.grammar.errors import SqlError
from sbql.repl.render import Renderer

__all__ = ["ScriptFailure", "matches", "run_script"]

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


# --- matching ----------------------------------------------------------------------------------------------


def cells(text: str) -> list[str]:
    """`a | b` as its cells; a bar after a backslash is part of a cell."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", text)]


def shown(row: Iterable[Any], result: ResultSet) -> list[str]:
    """A row as an expectation spells it."""
    texts = [display(value, column.type) for value, column in zip(row, result.columns, strict=True)]
    for char, escaped in (("|", "\\|"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        texts = [text.replace(char, escaped) for text in texts]
    return [text.strip() for text in texts]


def matches(expected: list[str], got: list[str], names: dict[str, str]) -> bool:
    """Whether a row is as expected. `{name}` cells are remembered in `names`, and only when the whole row fits."""
    if len(expected) != len(got):
        return False
    seen = dict(names)
    for want, have in zip(expected, got, strict=True):
        if want == "*":
            continue
        captured = re.fullmatch(r"\{(\w+)\}", want)
        if captured:
            if seen.setdefault(captured.group(1), have) != have:
                return False
        elif want != have:
            return False
    names.update(seen)
    return True


def match_in_any_order(expected: list[list[str]], got: list[list[str]], names: dict[str, str]) -> bool:
    """Whether the rows can be paired off. Rows without wildcards choose first."""
    if not expected:
        return not got
    plain = [row for row in expected if not any(cell == "*" or cell.startswith("{") for cell in row)]
    want = (plain or expected)[0]
    rest = list(expected)
    rest.remove(want)
    for index, have in enumerate(got):
        tried = dict(names)
        if matches(want, have, tried) and match_in_any_order(rest, got[:index] + got[index + 1 :], tried):
            names.update(tried)
            return True
    return False


@dataclass(slots=True)
class Verdict:
    """What one batch produced, and how much of it the directives have asked for."""

    where: str
    outcomes: list[Any]
    results: list[ResultSet] = field(default_factory=list)
    errors: list[SqlError] = field(default_factory=list)
    prints: list[InfoMessage] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for outcome in self.outcomes:
            match outcome:
                case ResultSet():
                    self.results.append(outcome)
                case ErrorOutcome(error):
                    self.errors.append(error)
                case InfoMessage():
                    self.prints.append(outcome)
                case RowsAffected(count):
                    self.counts.append(count)

    def produced(self) -> str:
        """Everything the batch produced, for a failure's text."""
        parts: list[str] = []
        renderer = Renderer(parts.append)
        for outcome in self.outcomes:
            renderer.show(outcome)
        text = "".join(parts).rstrip() or "(nothing)"
        return f"The batch at {self.where} produced:\n" + "\n".join(f"    {line}" for line in text.splitlines())

    def fail(self, where: str, message: str) -> ScriptFailure:
        return ScriptFailure(f"{where}: {message}\n{self.produced()}")

    def check(self, directive: Directive, where: str, names: dict[str, str]) -> None:
        """Hold one directive against the next outcome of its kind."""
        self.asked.add(directive.word)
        match directive.word:
            case "rows":
                self._check_rows(directive, where, names)
            case "error":
                self._check_error(directive, where)
            case "print":
                text = directive.fields["text"] or ""
                message = self.prints.pop(0) if self.prints else None
                if message is None or text not in message.text:
                    got = "no message" if message is None else repr(message.text)
                    raise self.fail(where, f"expected a message with {text!r}, got {got}")
            case "affected":
                count = int(directive.fields["count"] or 0)
                got_count = self.counts.pop(0) if self.counts else None
                if got_count != count:
                    raise self.fail(where, f"expected {count} rows affected, got {got_count}")

    def _check_rows(self, directive: Directive, where: str, names: dict[str, str]) -> None:
        if not self.results:
            raise self.fail(where, "expected a result set, got none")
        result = self.results.pop(0)
        if directive.columns is not None:
            columns = [column.name for column in result.columns]
            if cells(directive.columns) != columns:
                raise self.fail(where, f"expected columns {directive.columns}, got {' | '.join(columns)}")
        expected = [cells(row) for row in directive.rows]
        got = [shown(row, result) for row in result.rows]
        if directive.fields["unordered"]:
            fits = len(expected) == len(got) and match_in_any_order(expected, got, names)
        else:
            fits = len(expected) == len(got) and all(
                matches(want, have, names) for want, have in zip(expected, got, strict=True)
            )
        if not fits:
            raise self.fail(where, _difference(expected, got, names))

    def _check_error(self, directive: Directive, where: str) -> None:
        wanted = " ".join(f"{key} {value}" for key, value in directive.fields.items() if value is not None)
        if not self.errors:
            raise self.fail(where, f"expected error {wanted.removeprefix('number ')}, got none")
        error = self.errors.pop(0)
        fits = True
        for key, value in directive.fields.items():
            if value is None:
                continue
            if key == "text":
                fits = fits and value in error.message
            else:
                fits = fits and getattr(error, key) == int(value)
        if not fits:
            raise self.fail(where, f"expected error {wanted.removeprefix('number ')}, got {error}")

    def close(self) -> None:
        """Whatever no directive has asked for."""
        if self.errors:
            raise self.fail(self.where, f"unexpected error: {self.errors[0]}")
        if "rows" in self.asked and self.results:
            raise self.fail(self.where, f"{len(self.results)} more result sets than `rows` directives")
        if "print" in self.asked and self.prints:
            raise self.fail(self.where, f"a message without a directive: {self.prints[0].text!r}")
        if "affected" in self.asked and self.counts:
            raise self.fail(self.where, f"a row count without a directive: {self.counts[0]}")


def _difference(expected: list[list[str]], got: list[list[str]], names: dict[str, str]) -> str:
    lines = ["the rows differ", "  expected:"]
    lines += [f"    --! {' | '.join(row)}" for row in expected] or ["    (no row)"]
    lines.append("  got:")
    lines += [f"    --! {' | '.join(row)}" for row in got] or ["    (no row)"]
    used = {cell[1:-1] for row in expected for cell in row if cell.startswith("{")}
    lines += [f"  where {{{name}}} is {value}" for name, value in names.items() if name in used]
    return "\n".join(lines)


# --- running -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Client:
    """A named session, its waiting batch if it has one, and the verdict its directives are held against."""

    session: Any
    task: Any = None
    where: str = ""


class _Run:
    """One script on one instance."""

    def __init__(
        self, script: Script, scratch: Path | None, seed: int, is_traced: bool, sets_from: int | None = None
    ) -> None:
        self.sets_from = sets_from
        self.script = script
        self.is_traced = is_traced
        self.scratch = scratch
        self.seed = seed
        self.instance = self._open()
        self.clients: dict[str, _Client] = {}
        self.current = "main"
        self.verdict: Verdict | None = None
        self.names: dict[str, str] = {}
        self.events: list[TraceEvent] = []
        if is_traced:
            self.listen()
        self.log_read = len(self.instance.error_log)
        self.log_start, self.log_line = self.log_read, -1

    def _open(self) -> Any:
        path = None if self.scratch is None else str(self.scratch / "script.duckdb")
        opened = Instance.open(path, clock="virtual", seed=self.seed)
        if self.sets_from is not None:
            opened.locks.sets_from = self.sets_from
        return opened

    def client(self, where: str, name: str | None = None, database: str | None = None) -> _Client:
        name = name or self.current
        found = self.clients.get(name)
        if found is None:
            try:
                found = self.clients[name] = _Client(
                    self.instance.connect(database=database or "master", admin=name.upper().startswith("ADMIN:"))
                )
            except SqlError as error:
                raise ScriptFailure(f"{where}: session {name} cannot connect: {error}") from error
        elif database is not None and found.task is None:
            found.session.use(database)
        return found

    def run(self) -> None:
        try:
            for group in read_groups(self.script):
                if group.batch is not None:
                    self._batch(group.batch, group.is_blocked)
                for directive in group.directives:
                    self._directive(directive)
                self._close_verdict()
        finally:
            self.instance.close()

    def _batch(self, batch: BatchText, is_blocked: bool) -> None:
        where = f"{batch.source}:{batch.first_line}"
        client = self.client(where)
        if client.task is not None:
            raise ScriptFailure(f"{where}: session {self.current} still waits in the batch at {client.where}")
        client.where = where
        loop = self.instance.loop
        outcomes: list[Any] = []
        for _ in range(batch.count):
            task = client.task = loop.start(client.session, batch.text)
            if is_blocked:
                loop.settle()
                if task.done:
                    self._failed(task, where)
                    raise Verdict(where, task.outcomes).fail(where, "expected the batch to wait, but it has ended")
                return
            if not loop.run_until_done(task):
                waits = "; ".join(loop.waits())
                raise Verdict(where, task.outcomes).fail(
                    where, f"the batch waits and nothing can ever wake it: {waits}"
                )
            client.task = None
            outcomes += task.outcomes
            self._failed(task, where)
        self.verdict = Verdict(where, outcomes)

    def _failed(self, task: Any, where: str) -> None:
        if task.failure is not None:
            raise Verdict(where, task.outcomes).fail(
                where, f"the batch ended by a bug: {task.failure!r}"
            ) from task.failure

    def _close_verdict(self) -> None:
        if self.verdict is not None:
            self.verdict.close()
            self.verdict = None

    def _directive(self, directive: Directive) -> None:
        where = f"{self.script.name}:{directive.line}"
        if directive.word == "blocked":
            return
        if directive.word in ABOUT_THE_BATCH:
            if self.verdict is None:
                raise ScriptFailure(f"{where}: `{directive.word}` has no ended batch above it")
            self.verdict.check(directive, where, self.names)
            return
        self._close_verdict()
        match directive.word:
            case "session":
                self.current = directive.fields["name"] or "main"
                self.client(where, database=directive.fields["database"])
            case "finishes":
                self._finishes(directive, where)
            case "settle":
                self.instance.loop.settle()
            case "advance":
                amount, unit = directive.fields["amount"], directive.fields["unit"]
                self.instance.loop.advance(float(amount or 0) * UNITS[(unit or "s").lower()])
            case "restart":
                self._restart()
            case "log":
                self._log(directive, where)
            case "trace":
                self._trace(directive, where)

    def _finishes(self, directive: Directive, where: str) -> None:
        name = directive.fields["name"] or self.current
        client = self.clients.get(name)
        if client is None or client.task is None:
            raise ScriptFailure(f"{where}: session {name} has no waiting batch")
        self.instance.loop.settle()
        task = client.task
        if not task.done:
            waits = "; ".join(self.instance.loop.waits())
            raise Verdict(client.where, task.outcomes).fail(where, f"session {name} still waits: {waits}")
        client.task = None
        self._failed(task, where)
        self.verdict = Verdict(client.where, task.outcomes)

    def _restart(self) -> None:
        now = self.instance.host.now()
        self.instance.close()
        self.clients.clear()
        self.seed += 1  # the same seed would give the GUIDs of the first life again
        self.instance = self._open()
        self.instance.host.advance_to(now)
        if self.is_traced:
            self.listen()
        self.log_read, self.log_line = self.instance.error_log.loaded, -1

    def _log(self, directive: Directive, where: str) -> None:
        records = list(self.instance.error_log)
        if directive.line != self.log_line + 1:  # several `log` lines in a row look at the same part of the log
            self.log_start, self.log_read = self.log_read, len(records)
        self.log_line = directive.line
        fresh = records[self.log_start : self.log_read]
        number, text = int(directive.fields["number"] or 0), directive.fields["text"] or ""
        if not any(record.number == number and text in record.text for record in fresh):
            lines = [f"    {record.number} {record.text}" for record in fresh] or ["    (nothing)"]
            raise ScriptFailure(f"{where}: expected {number} {text} in the error log, which has\n" + "\n".join(lines))

    def listen(self) -> None:
        """Collect trace events from here on."""
        self.instance.trace(self.events.append)

    def _trace(self, directive: Directive, where: str) -> None:
        """The next event that fits; events in front of it are passed over."""
        fields = directive.fields
        wanted = f"broker:{fields['name']}".lower()
        for index, event in enumerate(self.events):
            if (
                event.event_class.lower() == wanted
                and (fields["subclass"] is None or event.subclass.lower() == fields["subclass"].lower())
                and (fields["tasks"] is None or event.integer_data == int(fields["tasks"]))
                and (fields["text"] or "") in event.text
            ):
                del self.events[: index + 1]
                return
        lines = [f"    {event_text(event)}" for event in self.events] or ["    (nothing)"]
        shown_fields = " ".join(filter(None, (fields["name"], fields["subclass"])))
        raise ScriptFailure(f"{where}: expected the trace event {shown_fields}, got\n" + "\n".join(lines))


def run_script(path: Path, *, seed: int = 0, sets_from: int | None = None) -> None:
    """Run the script at `path`. `sets_from`: writes of so many rows are done as sets. Raises ScriptFailure at the first expectation that does not hold."""
    script = read_script(path)
    text = path.read_text(encoding="utf-8")
    is_traced = "--! trace" in text
    if "--! restart" not in text:
        _Run(script, None, seed, is_traced, sets_from).run()
        return
    with tempfile.TemporaryDirectory(prefix="sbql-test-") as folder:
        _Run(script, Path(folder), seed, is_traced, sets_from).run()
