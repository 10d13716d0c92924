"""The SQL Server documentation's own examples, with the results it prints, on one shared instance
(oracle_runner.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from oracle import topics
from oracle.oracle_runner import Example, run_example

from sbql.engine.instance import Instance

EXAMPLES = [
    pytest.param(example, id=f"{topic}-{number}-{example[0].rpartition('/')[2]}")
    for topic, examples in topics.TOPICS.items()
    for number, example in enumerate(examples, 1)
]


@pytest.fixture(scope="module")
def shared() -> Iterator[Any]:
    """One in-memory instance for all examples; each runs in a session of its own and uses temporary tables."""
    opened = Instance.open(None, clock="virtual", seed=0)
    yield opened
    opened.close()


@pytest.mark.parametrize("example", EXAMPLES)
def test_documented_result(shared: Any, example: Example) -> None:
    """The statements give what their page prints."""
    run_example(shared, example)


def test_at_least_150_examples_each_with_its_page() -> None:
    """The oracle is as large as promised, spread over topics, and every example names where its result is printed."""
    examples = [example for group in topics.TOPICS.values() for example in group]
    assert len(examples) >= 150
    assert len(topics.TOPICS) >= 10
    assert all("/" in example[0] and " " not in example[0] and len(example) >= 3 for example in examples)
    assert len({example[0] for example in examples}) >= 60
