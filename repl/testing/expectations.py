"""Whether what a batch has produced is what its script expects: rows, errors, messages, counts.

It decides how cells are spelled and matched, and what a failure says. It must not know how batches run, nor which files
there are. Three rules that docs/test-scripts.md leaves open:

- A line number in `error … line N` counts from the line after the last directive in front of the batch.
- In cells, `|`, newline, carriage return and tab are written `\\|`, `\\n`, `\\r`, `\\t`, and a backslash in front
  of what could be read so (`|`, n, r, t, a backslash, a newline …) is written twice; the text NULL is written
  `'NULL'`. Blanks around a cell do not count.
- A row that reads like a directive is written with a backslash in front: `--! \\rows`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct, field

from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultSet, RowsAffected
from sbql.engine.result_text import display
from sbql.grammar.errors import SqlError
from sbql.grammar.types import SqlType
from sbql.repl.render import Renderer
from sbql.repl.testing.directives import Directive, ScriptFailure

__all__ = ["Verdict", "cells", "match_in_any_order", "matches", "shown"]


_AMBIGUOUS = re.compile(r"\\(?=[\\|nrt\n\r\t])")
"""A backslash that would be read together with what comes after it."""
_LIKE_NULL = re.compile(r"'*NULL'*")
"""Texts that look like NULL, or like one that does."""


def cells(text: str) -> list[str]:
    """`a | b` as its cells; a bar after a backslash is part of a cell."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", text)]


def shown(row: Iterable[Any], result: ResultSet) -> list[str]:
    """A row as an expectation spells it."""
    return [_spelled(value, column.type) for value, column in zip(row, result.columns, strict=True)]


def _spelled(value: Any, sql_type: SqlType) -> str:
    text = _AMBIGUOUS.sub(r"\\\\", display(value, sql_type))
    for char, escaped in (("|", "\\|"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(char, escaped)
    text = text.strip()
    return f"'{text}'" if value is not None and _LIKE_NULL.fullmatch(text) else text


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


class Verdict(Struct):
    """What one batch produced, and how much of it the directives have asked for."""

    file: str
    line: int
    outcomes: Sequence[Outcome]
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
        head = f"The batch at {self.file}:{self.line} produced:\n"
        return head + "\n".join(f"    {line}".rstrip() for line in text.splitlines())

    def fail(self, message: str, directive: Directive | None = None) -> ScriptFailure:
        """The failure of a directive, or of the batch itself."""
        file, line = (self.file, self.line) if directive is None else (directive.file, directive.line)
        return ScriptFailure(file, line, message, self.produced())

    def check(self, directive: Directive, names: dict[str, str]) -> None:
        """Hold one directive against the next outcome of its kind."""
        self.asked.add(directive.word)
        match directive.word:
            case "rows":
                self._check_rows(directive, names)
            case "error":
                self._check_error(directive)
            case "print":
                text = directive.fields["text"] or ""
                message = self.prints.pop(0) if self.prints else None
                if message is None or text not in message.text:
                    got = "no message" if message is None else repr(message.text)
                    raise self.fail(f"expected a message with {text!r}, got {got}", directive)
            case "affected":
                count = int(directive.fields["count"] or 0)
                got_count = self.counts.pop(0) if self.counts else None
                if got_count != count:
                    raise self.fail(f"expected {count} rows affected, got {got_count}", directive)

    def _check_rows(self, directive: Directive, names: dict[str, str]) -> None:
        if not self.results:
            raise self.fail("expected a result set, got none", directive)
        result = self.results.pop(0)
        if directive.columns is not None:
            columns = [column.name for column in result.columns]
            if cells(directive.columns) != columns:
                raise self.fail(f"expected columns {directive.columns}, got {' | '.join(columns)}", directive)
        expected = [cells(row) for row in directive.rows]
        got = [shown(row, result) for row in result.rows]
        if directive.fields["unordered"]:
            fits = len(expected) == len(got) and match_in_any_order(expected, got, names)
        else:
            fits = len(expected) == len(got) and all(
                matches(want, have, names) for want, have in zip(expected, got, strict=True)
            )
        if not fits:
            raise self.fail(_difference(expected, got, names, not directive.fields["unordered"]), directive)

    def _check_error(self, directive: Directive) -> None:
        wanted = " ".join(f"{key} {value}" for key, value in directive.fields.items() if value is not None)
        if not self.errors:
            raise self.fail(f"expected error {wanted.removeprefix('number ')}, got none", directive)
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
            raise self.fail(f"expected error {wanted.removeprefix('number ')}, got {error}", directive)

    def close(self) -> None:
        """Whatever no directive has asked for."""
        if self.errors:
            raise self.fail(f"unexpected error: {self.errors[0]}")
        if "rows" in self.asked and self.results:
            raise self.fail(f"{len(self.results)} more result sets than `rows` directives")
        if "print" in self.asked and self.prints:
            raise self.fail(f"a message without a directive: {self.prints[0].text!r}")
        if "affected" in self.asked and self.counts:
            raise self.fail(f"a row count without a directive: {self.counts[0]}")


def _difference(expected: list[list[str]], got: list[list[str]], names: dict[str, str], is_ordered: bool) -> str:
    """Both sides as directives, ready to be copied; where the order counts, `>` stands
    before the first row that differs."""
    pairs, seen = zip(expected, got, strict=False), dict(names)
    same = (matches(want, have, seen) for want, have in pairs)
    first = next((index for index, fits in enumerate(same) if not fits), min(len(expected), len(got)))

    def written(rows: list[list[str]]) -> list[str]:
        marks = [">" if is_ordered and index == first else " " for index in range(len(rows))]
        return [f"  {mark} --! {' | '.join(row)}" for mark, row in zip(marks, rows, strict=True)] or ["    (no row)"]

    lines = ["the rows differ", "  expected:", *written(expected), "  got:", *written(got)]
    used = {cell[1:-1] for row in expected for cell in row if cell.startswith("{")}
    lines += [f"  where {{{name}}} is {value}" for name, value in names.items() if name in used]
    return "\n".join(lines)
