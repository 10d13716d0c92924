"""`sbql diagnose`: why messages are stuck, in a store, on a server, or at the prompt (`\\why`).

Decides the command line, and how findings look: as paragraphs, as the statements that repair them, or as JSON. It must
not know what is checked: sys.sp_sbql_diagnose says, wherever the session is.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from sbql.grammar.errors import SqlError
from sbql.grammar.names import string_literal
from sbql.repl.command_parser import add_place, command_parser
from sbql.repl.opening import Stop, connect, opened
from sbql.repl.options import EXIT_OK, Options, UsageError
from sbql.repl.progress import FOOT
from sbql.repl.streams import note

if TYPE_CHECKING:
    from sbql.repl.sessions import AnySession

__all__ = ["Found", "ask", "findings_text", "parser", "question", "repair_script", "rows", "run"]

EXIT_FINDINGS = 1
EXIT_UNKNOWN = 2
_WIDTH = 100

_EXAMPLES = """\
examples:
  sbql diagnose --store shop.duckdb                 everything that is stuck, and what repairs it
  sbql diagnose --store shop.duckdb --conversation 7C5F0E1A-…   a handle, a group or a conversation id
  sbql diagnose -S 127.0.0.1,1433 -U sa -d Shop --queue dbo.Orders
  sbql diagnose --store shop.duckdb --from //shop/customer --to //shop/seller
  sbql diagnose --store shop.duckdb --repair > repair.sql       only the statements, to be read and run

exit codes: 0 nothing is stuck, 1 findings, 2 the question cannot be understood or the store not be opened
"""


class Found(NamedTuple):
    """A row of sp_sbql_diagnose."""

    level: str
    code: int
    cause: str
    database: str
    subject: str
    text: str
    evidence: str | None
    repair: str | None


def parser() -> argparse.ArgumentParser:
    made = command_parser(
        "diagnose", "Says why messages are stuck, with the evidence and the statements that repair it.", _EXAMPLES
    )
    add = made.add_argument
    add_place(made, "the database of the queue or the services")
    add("--conversation", metavar="ID", help="only this conversation: handle, group or conversation id")
    add("--queue", metavar="NAME", help="only messages in this queue, or on their way there")
    add("--from", dest="source", metavar="SERVICE", help="only messages between this service …")
    add("--to", dest="target", metavar="SERVICE", help="… and this one; if none is stuck, the way there is checked")
    add(
        "--level",
        default="WARNING",
        type=str.upper,
        choices=("ERROR", "WARNING", "INFO"),
        metavar="LEVEL",
        help="ERROR, WARNING (default) or INFO",
    )
    add("--repair", action="store_true", help="only the statements that repair it, as a script")
    add("--json", action="store_true", help="one JSON document a line for each finding")
    return made


def run(arguments: list[str]) -> int:
    """`sbql diagnose`. Returns the exit code."""
    try:
        asked = parser().parse_args(arguments)
        if not any((asked.store, asked.endpoint, asked.server)):
            raise UsageError("diagnose: say where to look: a store (--store FILE), or a server (-S, --endpoint)")
    except UsageError as error:
        note(f"sbql: {error}. See: sbql diagnose --help")
        return EXIT_UNKNOWN
    options = Options(
        store=asked.store, endpoint=asked.endpoint, server=asked.server, user=asked.user, password=asked.password, trusts=asked.trusts,
        database=asked.database,
    )  # fmt: skip
    values = {
        "conversation": asked.conversation, "queue": asked.queue, "from_service": asked.source, "to_service": asked.target, "level": asked.level,
    }  # fmt: skip
    try:
        with opened(options, makes=False) as instance:
            found = ask(connect(instance, options), values)
    except Stop as stop:
        note(f"sbql: {stop.message}")
        return EXIT_UNKNOWN
    print(_json(found) if asked.json else repair_script(found) if asked.repair else findings_text(found), end="")
    return EXIT_FINDINGS if found else EXIT_OK


def question(values: dict[str, Any]) -> str:
    """The call of sp_sbql_diagnose. `values`: its parameters, None for those that are not given."""
    given = ", ".join(
        f"@{name} = {string_literal(value, is_national=True) if isinstance(value, str) else int(value)}"
        for name, value in values.items()
        if value is not None
    )
    return f"EXEC sys.sp_sbql_diagnose {given}"


def rows(session: AnySession, text: str) -> list[tuple[Any, ...]]:
    """The rows of a batch of one query. Raises SqlError."""
    from sbql.engine.outcomes import ErrorOutcome, ResultSet

    found: list[tuple[Any, ...]] = []
    with FOOT.during("asking"):
        outcomes = session.run(text)
    for outcome in outcomes:
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error
        if isinstance(outcome, ResultSet):
            found += outcome.rows
    return found


def ask(session: AnySession, values: dict[str, Any]) -> list[Found]:
    """The findings that a session is told. Raises Stop."""
    try:
        return [Found(*row) for row in rows(session, question(values))]
    except SqlError as error:
        raise Stop(f"Msg {error.number}: {error.message}", EXIT_UNKNOWN) from None


def findings_text(found: Iterable[Found]) -> str:
    """The findings for people: what, where, why it is known, what to do."""
    paragraphs = []
    for one in found:
        lines = [f"{one.level} {one.code} {one.cause} ({one.database}): {one.text}"]
        for row in json.loads(one.evidence or "[]"):
            lines += _row_lines(row.pop("view", ""), row)
        if one.repair:
            lines += ["  repair:", *(f"    {line}" for line in one.repair.splitlines())]
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs) + "\n" if paragraphs else "Nothing is stuck.\n"


def _row_lines(view: str, row: dict[str, object]) -> list[str]:
    """A row of evidence: in one line where that fits a terminal, else a line a column."""
    values = [f"{name} = {value}" for name, value in row.items() if value is not None]
    line = f"  {view}: {', '.join(values)}"
    return [line] if len(line) <= _WIDTH else [f"  {view}:", *(f"    {value}" for value in values)]


def repair_script(found: Iterable[Found]) -> str:
    """The repairs as a script, each with its finding in front."""
    parts = [
        f"-- {one.level} {one.code} {one.cause}: {' '.join(one.text.split())}\n{one.repair}\nGO\n"
        for one in found
        if one.repair
    ]
    return "\n".join(parts)


def _json(found: Iterable[Found]) -> str:
    lines = (
        json.dumps({**one._asdict(), "evidence": json.loads(one.evidence or "[]")}, ensure_ascii=False) for one in found
    )
    return "".join(f"{line}\n" for line in lines)
