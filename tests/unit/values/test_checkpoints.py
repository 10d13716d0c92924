"""Where loops over many values ask whether they are to go on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.grammar.values.checkpoints import checked, checked_rows, set_check


@pytest.fixture
def asked() -> Iterator[list[int]]:
    """Counts what checkpoints ask."""
    found: list[int] = []
    before = set_check(lambda: found.append(1))
    yield found
    set_check(before)


def _refuse() -> None:
    raise InterruptedError


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 512, 600])
def test_a_checkpoint_stands_before_each_part(asked: list[int], count: int) -> None:
    assert list(checked(range(count))) == list(range(count))
    assert len(asked) == -(-count // 256)


def test_a_few_rows_have_none(asked: list[int]) -> None:
    assert list(checked_rows([1] * 256)) == [1] * 256
    assert asked == []
    assert list(checked_rows([1] * 257)) == [1] * 257
    assert len(asked) == 2


def test_nothing_is_done_before_it_is_asked_for(asked: list[int]) -> None:
    """A client that goes away in the middle is noticed there, and what has been given stays given."""
    source = iter(range(600))
    items = checked(source)
    assert asked == []
    assert [next(items) for _ in range(256)] == list(range(256))
    set_check(_refuse)
    with pytest.raises(InterruptedError):
        next(items)
