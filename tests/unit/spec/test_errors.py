"""The message catalogue has every number of docs/spec with its severity; what is said to be raised or reported is, by a
script of tests/sql."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from spec import TESTS, Fact, facts, shown_by

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet

SHAPE = re.compile(r"(?P<number>\d+) severity (?P<severity>\d+)(?P<logged> logged)?(, (?P<kind>raised|reported))?: .+")
DIRECTIVE = re.compile(r"^--! (?P<word>error|log) (?P<number>\d+)", re.MULTILINE)


@pytest.fixture(scope="module")
def messages() -> Iterator[dict[int, tuple[int, bool]]]:
    """Number -> severity, is it logged: as sys.messages has them."""
    instance = Instance.open(clock="virtual")
    query = "SELECT message_id, severity, is_event_logged FROM sys.messages WHERE language_id = 1033"
    results = [outcome for outcome in instance.connect().run(query) if isinstance(outcome, ResultSet)]
    yield {number: (severity, bool(logged)) for number, severity, logged in results[0].rows}
    instance.close()


@cache
def in_scripts(word: str) -> frozenset[int]:
    """The numbers that the scripts expect, by `error` or by `log`."""
    scripts = (path.read_text(encoding="utf-8") for path in (TESTS / "sql").rglob("*.sql"))
    return frozenset(
        int(found["number"]) for text in scripts for found in DIRECTIVE.finditer(text) if found["word"] == word
    )


@pytest.mark.parametrize("fact", facts("ERROR"), ids=str)
def test_error(fact: Fact, messages: dict[int, tuple[int, bool]]) -> None:
    found = SHAPE.match(fact.text)
    assert found is not None, (
        f"{fact.id} is not of the shape `number severity n [logged][, raised|reported]: meaning`: {fact.text}"
    )
    number = int(found["number"])
    assert fact.id == f"ERROR-{number}"
    assert messages.get(number) == (int(found["severity"]), found["logged"] is not None)
    if found["kind"] == "raised":
        assert number in in_scripts("error"), "no script raises it"
    if found["kind"] == "reported":
        named = any(path.endswith(".sql") for path in shown_by().get(fact.id, ()))
        assert named or number in in_scripts("log"), "no script reports it"
