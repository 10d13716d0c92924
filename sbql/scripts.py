"""Running whole scripts on a connection: `run_file` and `run_script`.

It decides what happens to errors: a script goes on after them, as in sqlcmd, and the first is raised at the end, unless
a sink has seen them. Reading and splitting scripts is `sbql.engine.scripts`, as for the command line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from sbql.arguments import text_of
from sbql.engine.outcomes import Outcome
from sbql.engine.scripts import Script, ScriptError, read_script, run_batches, text_script
from sbql.exceptions import InterfaceError, from_sql_errors

if TYPE_CHECKING:
    from sbql.dbapi import Connection

__all__ = ["run_file", "run_script"]

Sink = Callable[[Outcome], None]


def run_file(
    connection: Connection,
    path: str | os.PathLike[str],
    variables: Mapping[str, str] | None = None,
    sink: Sink | None = None,
) -> list[Outcome]:
    """Run the T-SQL script at `path` (GO, :r, :setvar, $(name)) on the connection's session.
    `variables` are values for $(name).

    Returns everything it produced; `sink` gets it as it comes. Raises, after the script has ended, its first error,
    unless there is a sink; InterfaceError when the file, or one that it includes, cannot be read.
    """
    if not isinstance(path, str | os.PathLike):
        raise InterfaceError(f"path is the name of a file, not {path!r}")
    return _run(connection, lambda: read_script(path, variables), sink)


def run_script(
    connection: Connection,
    text: str,
    variables: Mapping[str, str] | None = None,
    sink: Sink | None = None,
    name: str = "script",
) -> list[Outcome]:
    """Run a T-SQL script that is a text, as `run_file` does a file, with the same `variables` and `sink`; `name` stands
    for the file in error messages. Files that it includes (:r) are looked for from the current folder. Raises
    ProgrammingError for what is no text."""
    text = text_of(text, "the script")
    return _run(connection, lambda: text_script(text, name, variables), sink)


def _run(connection: Connection, read: Callable[[], Script], sink: Sink | None) -> list[Outcome]:
    try:
        outcomes, failures = run_batches(
            read().batches(),
            lambda batch: connection.run(batch.text, sink=sink),
            has_ended=lambda: connection.session.is_ended,
        )
    except ScriptError as error:
        raise InterfaceError(str(error)) from None
    if failures and sink is None:
        raised = from_sql_errors(failure.error for failure in failures)
        first = failures[0]
        raised.args = (f"{first.batch.place.of(first.error)}: {raised.args[0]}",)
        raise raised
    return outcomes
