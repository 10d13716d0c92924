"""The conversations of a group: one takes no object of its own, and more behave as one does."""

from __future__ import annotations

import random

import pytest

from sbql.engine.broker.group_members import GroupMembers


def test_they_stand_in_the_order_in_which_they_came() -> None:
    group = GroupMembers()
    assert not group.members and [*group.members] == []
    for name in ("b", "a", "a", "c"):
        group.take_in(name)
    assert [*group.members] == ["b", "a", "c"] and len(group.members) == 3
    group.let_out("b")
    group.let_out("x")
    assert [*group.members] == ["a", "c"]
    group.take_in("b")
    assert [*group.members] == ["a", "c", "b"]
    group.empty()
    assert not group.members
    group.take_in("c")
    assert [*group.members] == ["c"]


def test_the_one_of_most_groups_has_no_dict() -> None:
    group = GroupMembers()
    for name in ("a", "a"):
        group.take_in(name)
    assert isinstance(group.members, tuple) and len(group.members) == 1
    group.let_out("b")
    assert [*group.members] == ["a"]
    group.let_out("a")
    assert not group.members


@pytest.mark.parametrize("seed", range(5))
def test_they_are_as_a_dict_has_them(seed: int) -> None:
    chance, group, expected = random.Random(seed), GroupMembers(), dict[str, None]()
    for _ in range(300):
        name = chance.choice("abcd")
        if chance.random() < 0.5:
            group.take_in(name)
            expected[name] = None
        else:
            group.let_out(name)
            expected.pop(name, None)
        if chance.random() < 0.05:
            group.empty()
            expected.clear()
        assert [*group.members] == [*expected] and bool(group.members) == bool(expected)
