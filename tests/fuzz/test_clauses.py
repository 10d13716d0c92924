"""Every function in every clause: results or T-SQL errors, never error 50 (SQL that DuckDB refused) or 3624 (a bug).

The ordinary run tries one call of each function, its clauses shared out over the functions; `make fuzz` tries several
calls in all clauses.
"""

from __future__ import annotations

import os
import random
import time
from itertools import islice

import pytest
from clauses import SETUP, WRITTEN, candidates, in_clauses, specs
from nested import LARGE_STATEMENTS, nested_calls
from subject import OURS, Subject

from sbql.engine.outcomes import ErrorOutcome

SHARE = int(os.environ.get("CLAUSES_SHARE", "19"))
PROBED = 40
"""Calls of one function and number of arguments that are tried before it counts as one without valid arguments."""


@pytest.fixture
def subject():  # type: ignore[no-untyped-def]
    found = Subject()
    for batch in SETUP:
        assert not problems(found, batch), batch
    yield found
    found.close()


def problems(subject: Subject, text: str) -> list[str]:
    """What may not be; the session goes on."""
    errors = [o.error for o in subject.session.run(text) if isinstance(o, ErrorOutcome)]
    if subject.session.is_ended:
        subject._reconnect()
    return [f"{error.number}: {error.message[:200]}" for error in errors if error.number in OURS]


def works(subject: Subject, call: str) -> bool:
    from clauses import DECLARED

    return not any(isinstance(o, ErrorOutcome) for o in subject.session.run(f"{DECLARED}SELECT {call} FROM w"))


def calls(subject: Subject, each: int, chance: random.Random) -> list[str]:
    """`each` calls of each function that work, and one that does not of those that never do."""
    found = list(WRITTEN)
    for spec in specs():
        tried = list(candidates(spec, chance, PROBED))
        chance.shuffle(tried)
        found += list(islice((call for call in tried if works(subject, call)), each)) or tried[:1]
    return found


def judged(subject: Subject, each: int, share: int) -> list[str]:
    """The findings: clause by clause of each call, every `share`-th only."""
    found = []
    number = 0
    for call in calls(subject, each, random.Random(1)):
        for clause, text in in_clauses(call):
            number += 1
            if number % share == 0:
                found += [f"{clause}: {call}\n    {problem}" for problem in problems(subject, text)]
    assert number > 10_000
    return found


def test_functions_in_clauses(subject: Subject) -> None:
    found = judged(subject, 1, SHARE)
    assert not found, "\n".join(found)


@pytest.mark.fuzz
@pytest.mark.timeout(0)
def test_every_function_in_every_clause(subject: Subject) -> None:
    found = judged(subject, 3, 1)
    assert not found, "\n".join(found)


@pytest.mark.matrix
@pytest.mark.parametrize("size", [60, 1000])
@pytest.mark.parametrize("kind", LARGE_STATEMENTS)
def test_large_statements(subject: Subject, kind: str, size: int) -> None:
    """Deep nesting and great length end in rows or an error that says so, in bounded time,
    and never at the end of the stack."""
    began = time.process_time()
    assert list(problems(subject, LARGE_STATEMENTS[kind](size))) == []
    assert time.process_time() - began < 30


def test_nested_functions(subject: Subject) -> None:
    """The text that stands for a call does not grow by a factor with each level, nor the time to make it."""
    working = [call for call in calls(subject, 1, random.Random(2)) if "@" not in call]
    found = []
    for text in nested_calls(working, 25):
        began = time.process_time()
        found += [f"{text[:60]}: {problem}" for problem in problems(subject, text)]
        if time.process_time() - began > 15:
            found.append(f"{text[:60]}: {time.process_time() - began:.1f} s")
    assert not found, "\n".join(found)
