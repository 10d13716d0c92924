"""The ways of six statements through the house, by a profile: which modules each passes, in which
order, and how often it changes the file.

`make ways` prints the numbers and writes the lists into docs/architecture.md; the test holds the two against each
other. Each way is measured on a store on disk, with the loop driver and a virtual clock, so that it repeats; what is
cached by text is cached, as it is in an application that runs its statements again and again (CREATE QUEUE has a new
text each time, and so passes grammar and compiler too).
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from textwrap import fill
from types import FrameType
from typing import Any

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet

ROOT = Path(__file__).parents[2]
MAP = ROOT / "docs" / "architecture.md"
ROOMS = ("grammar", "catalog", "engine", "repl", "spark_udfs", "sbql")
BEGIN, END = "<!-- ways: made by `make ways` -->", "<!-- end of ways -->"

WORLD = """
CREATE MESSAGE TYPE Item VALIDATION = NONE;
CREATE CONTRACT Trade (Item SENT BY ANY);
CREATE QUEUE SenderQueue; CREATE QUEUE TargetQueue;
CREATE SERVICE Sender ON QUEUE SenderQueue;
CREATE SERVICE Target ON QUEUE TargetQueue (Trade);
CREATE TABLE Orders (Id int IDENTITY PRIMARY KEY, Customer int NOT NULL, Amount int NOT NULL);
CREATE TABLE Customers (Id int PRIMARY KEY, Name nvarchar(20) NOT NULL);
CREATE TABLE Audit (Customer int, Amount int);
INSERT INTO Customers VALUES (1, N'one'), (2, N'two');
INSERT INTO Orders (Customer, Amount) VALUES (1, 10), (2, 20);
"""

BODIES = (
    "CREATE TRIGGER Noted ON Orders AFTER INSERT AS INSERT INTO Audit SELECT Customer, Amount FROM inserted;",
    """CREATE PROCEDURE Reader AS
BEGIN
    DECLARE @handle uniqueidentifier, @body varbinary(max);
    BEGIN TRANSACTION;
    RECEIVE TOP (1) @handle = conversation_handle, @body = message_body FROM TargetQueue;
    IF @handle IS NOT NULL SEND ON CONVERSATION @handle MESSAGE TYPE Item (@body);
    COMMIT;
END""",
)

BEGIN_DIALOG = """DECLARE @handle uniqueidentifier;
BEGIN DIALOG @handle FROM SERVICE Sender TO SERVICE 'Target' ON CONTRACT Trade WITH ENCRYPTION = OFF;
SELECT @handle;"""
SEND = "SEND ON CONVERSATION '{handle}' MESSAGE TYPE Item (0x41);"
ACTIVATION = "ALTER QUEUE TargetQueue WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);"


@dataclass(frozen=True, slots=True)
class Way:
    """What is measured is `text`, or, when it is empty, what runs by itself behind
    `before`. `once` ends the preparation."""

    name: str
    story: str
    text: str
    before: str = ""
    once: str = ""


WAYS = (
    Way(
        "SEND",
        "The compiled text is found by its key. The step evaluates handle, type and body; `broker/send` checks them, and the new message is a change of "
        "the transaction's change log and an arrival. The statement's own commit applies the arrival, hands the changes to the journal, publishes, and tells "
        "the scheduler; the session waits for the disk before its batch ends.",
        SEND,
    ),
    Way(
        "An activated RECEIVE, SEND and COMMIT",
        "The broker task asks the queue monitors, which want a reader; a task gets a session of its own and the context of EXECUTE AS, and executes the "
        "procedure as EXECUTE does. RECEIVE takes the group's lock and its messages from the ready index; SEND and COMMIT go the way that they go anywhere.",
        "",
        SEND,
        ACTIVATION,
    ),
    Way(
        "INSERT with a trigger",
        "One mechanism writes: rows from their source, checks, locks and keys, then the unit of work. The trigger is a body that runs, with `inserted` "
        "in memory, in the same transaction; its own INSERT goes the same way again. The commit stamps the tables.",
        "INSERT INTO Orders (Customer, Amount) VALUES (1, 30);",
    ),
    Way(
        "SELECT with a join",
        "Translated once, the query is one DuckDB statement with parameters; what is left is to run it and to show its rows.",
        "SELECT o.Amount, c.Name FROM Orders AS o JOIN Customers AS c ON c.Id = o.Customer WHERE o.Amount > 5;",
    ),
    Way(
        "CREATE QUEUE",
        "A new text: lexer, parser and builders, then the passes of the compiler. The step locks the name, makes the record, and commits it as a change of "
        "the catalog; the broker learns of the queue when the commit is published.",
        "CREATE QUEUE Queue{run};",
    ),
    Way(
        "A commit of a message and a row",
        "The rows go to DuckDB first and wait for the pen of the journal; then, under the broker's mutex, arrivals are applied, messages and rows are committed "
        "as one record, and what became visible is published.",
        "COMMIT;",
        f"BEGIN TRANSACTION; {SEND} INSERT INTO Audit VALUES (1, 1);",
    ),
)

WARM_RUNS = 2
WIDTH = 150


@cache
def module(file: str) -> str | None:
    """`engine/broker/send` for a file of ours, None for others."""
    path = Path(file)
    inside = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ROOMS
    return str(path.relative_to(ROOT).with_suffix("")) if inside else None


@dataclass(slots=True)
class Profile:
    """`modules`: those of ours that were entered, in order; `changes`: calls and returns that led into another one.
    It is the profile function, too."""

    modules: dict[str, None] = field(default_factory=dict)
    changes: int = 0
    last: str = ""

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event not in ("call", "return"):
            return
        seen: FrameType | None = frame if event == "call" else frame.f_back
        name = None
        while seen is not None and (name := module(seen.f_code.co_filename)) is None:
            seen = seen.f_back  # a library between two of ours
        if name is not None and name != self.last:
            self.modules.setdefault(name)
            self.changes += bool(self.last)
            self.last = name


def measure() -> Iterator[tuple[Way, Profile]]:
    """Each way with the profile of its thread; the committer's thread, which writes the
    journal to the disk, is not in it."""
    with tempfile.TemporaryDirectory() as folder:
        for way in WAYS:
            instance = Instance.open(str(Path(folder) / f"{way.name}.duckdb"), clock="virtual", seed=0)
            try:
                yield way, _one(instance, way)
            finally:
                instance.close()


def _one(instance: Instance, way: Way) -> Profile:
    session = instance.connect("master")
    for text in ("CREATE DATABASE Ways", "USE Ways", WORLD, *BODIES, *([way.once] if way.once else [])):
        _run(instance, session, text)
    handle = next(outcome for outcome in _run(instance, session, BEGIN_DIALOG) if isinstance(outcome, ResultSet)).rows[
        0
    ][0]
    instance.loop.settle()
    for run in range(WARM_RUNS + 1):
        if way.before:
            _run(instance, session, way.before.format(handle=handle))
        profile = Profile()
        outer = sys.getprofile()
        sys.setprofile(profile)
        try:
            if way.text:
                _run(instance, session, way.text.format(handle=handle, run=run))
            else:
                instance.loop.settle()
        finally:
            sys.setprofile(outer)
        instance.loop.settle()
    return profile


def _run(instance: Instance, session: Any, text: str) -> list[Any]:
    task = instance.loop.start(session, text)
    instance.loop.run_until_done(task)
    assert task.failure is None, task.failure
    errors = [outcome.error for outcome in task.outcomes if isinstance(outcome, ErrorOutcome)]
    assert not errors, errors
    return list(task.outcomes)


def shown(name: str) -> str:
    """As the map writes it: modules of the engine by their room, others with their first folder."""
    return f"`{name.removeprefix('engine/')}`"


def document() -> str:
    """The part of the map between the marks."""
    parts = [BEGIN]
    for way, profile in measure():
        numbers = f"{len(profile.modules)} modules, {profile.changes} changes"
        parts.append(fill(f"**{way.name}** ({numbers}). {way.story}", WIDTH, break_on_hyphens=False) + "\n")
        path = " → ".join(map(shown, profile.modules))
        parts.append(fill(path, WIDTH, initial_indent="> ", subsequent_indent="> ", break_on_hyphens=False) + "\n")
    return "\n".join([*parts, END])


def told() -> dict[str, tuple[set[str], int]]:
    """What the map says: way -> its modules, and its changes of file."""
    part = MAP.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    found = {}
    for entry in part.split("\n**")[1:]:
        head, _, path = entry.partition("\n\n")
        numbers = re.search(r"\((\d+) modules, (\d+) changes\)", " ".join(head.split()))
        assert numbers, head
        found[entry.partition("**")[0]] = (set(re.findall(r"`([^`]+)`", path)), int(numbers[2]))
        assert len(found[entry.partition("**")[0]][0]) == int(numbers[1]), head
    return found


def test_the_map_tells_the_ways_that_statements_take() -> None:
    """When it does not: `make ways`. The order may differ with what happened to be
    cached; numbers may grow by a tenth."""
    map_ = told()
    assert list(map_) == [way.name for way in WAYS]
    for way, profile in measure():
        modules, changes = map_[way.name]
        assert {shown(name).strip("`") for name in profile.modules} == modules, way.name
        assert profile.changes <= changes * 1.1, way.name


def main() -> None:
    text = MAP.read_text(encoding="utf-8")
    made = document()
    before, _, rest = text.partition(BEGIN)
    MAP.write_text(before + made + rest.partition(END)[2], encoding="utf-8")
    print("\n".join(line for line in made.splitlines() if line.startswith("**")))


if __name__ == "__main__":
    main()
