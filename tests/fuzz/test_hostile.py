"""Whatever computes over a large value ends soon after it is cancelled.

A call gets a text of a megabyte that is hard for somebody, and is cancelled after a twentieth of a second. What counts
are the processor seconds that the process then still works: machines that run tests are busy. The ordinary run tries
the pairs that have once been slow; `make fuzz` as many pairs of function and text as HOSTILE_SECONDS (600) allow, says
every 15 seconds how far it is, and prints the distribution.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from endless import STATEMENTS, prepare, seconds_to_stop
from hostile import Sweep, prepared_subject, stopped
from subject import Subject

from sbql.engine.instance import Instance
from sbql.engine.session import Session

PATIENCE = 0.05
LIMIT = 60.0
"""Seconds by the clock, on a machine however busy. What cannot be cancelled took minutes."""

ONCE_SLOW = (
    ("CAST(@t AS int)", "blanks"),
    ("CAST(@t AS int)", "digits"),
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
    ("REPLACE(@f, @t, @n)", "brackets"),
    ("FORMAT(@n, @t)", "commas"),
    ("FORMAT(@n, @t)", "dotted"),
    ("REPLACE(@t, @t, 'x')", "letters"),
    ("TRANSLATE(@t, @t, @t)", "beyond"),
)


@pytest.fixture
def subject() -> Iterator[Subject]:
    found = prepared_subject()
    yield found
    found.close()


@pytest.mark.parametrize(("call", "text"), ONCE_SLOW)
def test_once_slow(subject: Subject, call: str, text: str) -> None:
    faults: list[str] = []
    found = stopped(subject, call, text, 1, PATIENCE, LIMIT, faults)
    assert found is not None, "it goes on"
    assert not faults
    assert found[0] < WORKED


WORKED = 2.0
"""Processor seconds of the process after a cancel; other work on the machine does not count in it.
docs/performance.md has what it usually is."""


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
    """One of each kind: rows written one by one, a cursor, documents written and
    read, a function of each row, a sort."""
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
def test_every_function() -> None:
    sweep = Sweep(int(os.environ.get("FUZZ_SEED", "1")), PATIENCE, LIMIT)
    sweep.run(float(os.environ.get("HOSTILE_SECONDS", "600")), lambda text: print(text, file=sys.stderr, flush=True))
    print(*sweep.report(), sep="\n")
    assert len(sweep.calls) > 200
    assert sweep.tried > 200
    assert not sweep.endless
    assert not sweep.faults
    assert not [one for one in sweep.taken if one[0] > WORKED]
