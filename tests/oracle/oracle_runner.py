"""Runs one published example and holds what it produces against what its page prints.

An example is a tuple: the page of the SQL Server documentation (its path below docs/ in the public sources, without
`.md` and the `-transact-sql` ending), the statements, then the expected lines in order:

- `a | b`: the next row of the result sets, one after the other, as the command line prints values
  (cells of a script with expectations);
- `error N`: the next error has this number; `error N TEXT`: and its text contains TEXT;
- `print TEXT`: the next message contains TEXT.

Rows, errors and messages are counted exactly, each kind by itself; messages only where the example expects one.
The statements and tables are our own; the values are the documentation's: what a page prints, its tables of results,
or, where an example has no printed result (it reads a sample database, or only a rule is stated), what the page's words
say of our rows.
"""

from __future__ import annotations

import re
from typing import Any

from sbql.engine.outcomes import ErrorOutcome, InfoMessage, ResultSet
from sbql.repl.testing.expectations import cells, matches, shown

Example = tuple[str, ...]

_GO = re.compile(r"^\s*GO\s*$", re.I | re.M)


def run_example(instance: Any, example: Example) -> None:
    """Raise AssertionError unless the example gives what is expected of it."""
    document, statements, *expected = example
    rows, errors, prints = _produced(instance, statements)
    want_errors = [line.removeprefix("error ") for line in expected if line.startswith("error ")]
    want_prints = [line.removeprefix("print ") for line in expected if line.startswith("print ")]
    want_rows = [cells(line) for line in expected if not line.startswith(("error ", "print "))]
    produced = f"\n{document} gave\n  rows {rows}\n  errors {errors}\n  messages {prints}"
    assert len(errors) == len(want_errors), f"expected the errors {want_errors}{produced}"
    for want, (number, text) in zip(want_errors, errors, strict=True):
        wanted_number, _, wanted_text = want.partition(" ")
        assert int(wanted_number) == number and wanted_text in text, f"expected error {want}{produced}"
    names: dict[str, str] = {}
    fits = len(rows) == len(want_rows) and all(
        matches(want, have, names) for want, have in zip(want_rows, rows, strict=True)
    )
    assert fits, f"expected the rows {want_rows}{produced}"
    if want_prints:
        fits = len(prints) == len(want_prints) and all(
            want in have for want, have in zip(want_prints, prints, strict=True)
        )
        assert fits, f"expected the messages {want_prints}{produced}"


def _produced(instance: Any, statements: str) -> tuple[list[list[str]], list[tuple[int, str]], list[str]]:
    """Rows, errors and messages of all batches, in a session of its own in tempdb, so that tables may be left
    behind."""
    session = instance.connect(database="master")
    rows: list[list[str]] = []
    errors: list[tuple[int, str]] = []
    prints: list[str] = []
    try:
        for batch in _GO.split(statements):
            task = instance.loop.start(session, batch)
            assert instance.loop.run_until_done(task), f"the batch waits: {instance.loop.waits()}"
            if task.failure is not None:
                raise task.failure
            for outcome in task.outcomes:
                match outcome:
                    case ResultSet():
                        rows += [shown(row, outcome) for row in outcome.rows]
                    case ErrorOutcome(error):
                        errors.append((error.number, error.message))
                    case InfoMessage():
                        prints.append(outcome.text)
    finally:
        session.close()
    return rows, errors, prints
