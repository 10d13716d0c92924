"""`sbql trace`: a recorded trace as lines for people, or as one HTML page with a timeline.

It decides the command line and what a line says. What stands on the page is `engine.pictures`'.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sbql.repl.command_parser import command_parser
from sbql.repl.opening import Stop
from sbql.repl.options import EXIT_OK
from sbql.repl.progress import FOOT

if TYPE_CHECKING:
    from sbql.engine.pictures.trace_lines import Event

__all__ = ["parser", "run"]

_EXAMPLES = """\
examples:
  sbql --trace-file broker.jsonl orders.sql           record what the broker does while a script runs
  sbql trace broker.jsonl                             a line an event
  sbql trace trader.jsonl broker.jsonl                those of two instances, joined by time
  sbql trace broker.jsonl --html broker.html          a page to zoom, filter and click, for any browser
  sbql trace broker.jsonl --conversation 7C5F0E1A-1D5E-4C0B-9F6B-0A8E3F6D2C11

`sbql diagram --trace` draws the same trace as a sequence diagram.
"""


def parser() -> argparse.ArgumentParser:
    made = command_parser(
        "trace",
        "Shows a recorded trace: a line an event, or a page with a timeline of queues, readers and conversations.",
        _EXAMPLES,
    )
    add = made.add_argument
    add(
        "trace",
        metavar="FILE",
        nargs="+",
        help="the trace that --trace-file has written, or a TraceFile in Python; - is standard input. Those of several instances are joined by time",
    )
    add(
        "--html",
        metavar="FILE",
        help="write one page with a timeline to this file; it needs no other file and no network",
    )
    add(
        "--conversation",
        metavar="ID",
        help="only this conversation or conversation group: handle, conversation id or group id",
    )
    return made


def run(arguments: list[str]) -> int:
    """`sbql trace`. Returns the exit code. Raises UsageError, Stop, OSError when standard output cannot be written."""
    from sbql.engine.pictures.timeline_page import timeline_page
    from sbql.engine.pictures.trace_lines import read_trace, those_of

    asked = parser().parse_args(arguments)
    name = ", ".join("standard input" if file == "-" else Path(file).name for file in asked.trace)
    events: list[Event] = []
    file = name
    try:
        for file in asked.trace:
            with FOOT.during(f"reading {file}"):
                events += read_trace(sys.stdin if file == "-" else file)
        if len(asked.trace) > 1:
            events.sort(key=lambda event: str(event.get("time", "")))
            file = name
        if asked.conversation is not None:
            events = those_of(events, asked.conversation)
        page = None
        if asked.html is not None:
            with FOOT.during(f"drawing {len(events):,} events"):
                page = timeline_page(events, name)
    except OSError as error:
        raise Stop(f"cannot read {file}: {error.strerror or error}") from None
    except (LookupError, ValueError) as error:
        raise Stop(f"{file}: {error.args[0] if isinstance(error, LookupError) else error}") from None
    if page is None:
        sys.stdout.writelines(f"{line}\n" for line in _lines(events))
        return EXIT_OK
    try:
        with FOOT.during(f"writing {asked.html}"):
            page.save(asked.html)
    except OSError as error:
        raise Stop(f"cannot write {asked.html}: {error.strerror or error}") from None
    print(f"{asked.html}: {len(events)} events on {len(page.timeline.lanes)} lanes.")
    return EXIT_OK


def _lines(events: Sequence[Event]) -> Iterable[str]:
    """As the trace of the prompt writes them, with the whole conversation id; with the
    instance where there are several."""
    has_several = len({event.get("instance", "") for event in events}) > 1
    for event in events:
        number = f" {event['message_number']}" if "message_number" in event else ""
        ends = f"{event.get('role', '')} {event.get('service', '?')} -> {event.get('far_service', '?')}"
        spid = event.get("spid", 0)
        yield " ".join(
            part
            for part in (
                str(event.get("time", "")).replace("T", " "),
                str(event.get("instance", "")) if has_several else "",
                f"spid {spid}" if spid else "broker",
                str(event.get("event", "")).removeprefix("Broker:"),
                str(event.get("subclass", "")),
                f"[{event['message_type']}]{number}" if "message_type" in event else "",
                ends if "service" in event or "far_service" in event else str(event.get("queue", "")),
                f"tasks={event['tasks']}" if "tasks" in event else "",
                str(event.get("text", "")),
                str(event.get("detail", "")),
                str(event.get("conversation_id", "")),
            )
            if part
        )
