"""Whatever computes over a large value ends soon after it is cancelled.

A call gets a text of a megabyte that is hard for somebody, and is cancelled after a twentieth of a second. The bound here
is generous, as machines that run tests are busy; `make fuzz` prints the median and the worst. The ordinary run tries the
pairs that have once been slow, `make fuzz` each function.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import median

import pytest
from clauses import DECLARED, SETUP
from endless import STATEMENTS, prepare, seconds_to_stop
from hostile import LONG, NUMBERS, TEXTS, WRITTEN_OUT, hostile_calls, parameters, seconds_after_cancel
from subject import Subject

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

PATIENCE = 0.05
BOUND = 5.0
"""Seconds. What cannot be cancelled took minutes."""

ONCE_SLOW = (
    ("CAST(@t AS int)", "blanks"),
    ("CAST(@t AS money)", "blanks"),
    ("PARSE(@t AS date)", "dates"),
    ("CHECKSUM(@t)", "beyond"),
    ("DIFFERENCE(@t, @t)", "letters"),
    ("IIF(@t COLLATE Latin1_General_CI_AI = @t + 'x', 1, 0)", "beyond"),
    ("ISJSON(@t)", "array"),
    ("CAST(@t AS xml).query('for $a in //*, $b in //* return $b')", "element"),
    ("CAST(@t AS xml).value('count(//*[. = //*])', 'int')", "element"),
    ("CAST(@t AS xml)", "attributes"),
    ("CAST(@t AS xml)", "declaration"),
    ("CAST(CAST(@t AS varchar(max)) AS xml)", "declaration"),
)


@pytest.fixture
def subject() -> Iterator[Subject]:
    found = Subject()
    for batch in SETUP:
        found.session.run(batch)
    yield found
    found.close()


def ended_after(subject: Subject, call: str, text: str, number: int) -> float | None:
    values = parameters(TEXTS[text](LONG), number)
    taken = seconds_after_cancel(subject.session, f"SELECT {call} AS z", values, PATIENCE, BOUND)
    if subject.session.is_ended:
        subject._reconnect()
    return taken


@pytest.mark.parametrize(("call", "text"), ONCE_SLOW)
def test_once_slow(subject: Subject, call: str, text: str) -> None:
    assert ended_after(subject, call, text, 1) is not None


WORKED = 2.0
"""Processor seconds of the process after a cancel; other work on the machine does not count in it. docs/performance.md has what
it usually is."""


def judged(session: Session, name: str, delay: float) -> None:
    found = seconds_to_stop(session, STATEMENTS[name], delay, 60)
    assert found is not None, f"{name} went on"
    assert found[0] < WORKED, f"{name} worked {found[0]:.2f} s more"


@pytest.fixture
def prepared() -> Iterator[Session]:
    instance = Instance.open(None)
    session = instance.connect()
    prepare(session)
    yield session
    instance.close()


def test_statements(prepared: Session) -> None:
    """One of each kind: rows written one by one, a cursor, documents written and read, a function of each row, a sort."""
    for name in (
        "update by function",
        "cursor dynamic",
        "for xml path",
        "for json auto",
        "openjson with",
        "xml nodes",
        "format",
        "sort",
    ):
        judged(prepared, name, 0.5)


@pytest.mark.fuzz
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", STATEMENTS)
def test_every_statement(prepared: Session, name: str) -> None:
    for delay in (0.2, 1.0, 3.0):
        judged(prepared, name, delay)


@pytest.mark.fuzz
@pytest.mark.timeout(0)
def test_every_function(subject: Subject) -> None:
    chance = random.Random(1)

    def works(call: str) -> bool:
        return not any(isinstance(o, ErrorOutcome) for o in subject.session.run(f"{DECLARED}SELECT {call} FROM w"))

    calls = [*WRITTEN_OUT, *hostile_calls(works, chance, 1)]
    assert len(calls) > 200
    times: list[tuple[float, str]] = []
    for call in calls:
        for text in chance.sample(sorted(TEXTS), 3):
            taken = ended_after(subject, call, text, chance.choice(NUMBERS))
            assert taken is not None, (call, text)
            times.append((taken, f"{call} over {text}"))
    slow = [one for one in times if one[0] > 0]
    print(
        f"{len(times)} calls, {len(slow)} cancelled, median {median(t for t, _ in slow):.3f} s; slowest:",
        *sorted(slow)[-10:],
        sep="\n",
    )
