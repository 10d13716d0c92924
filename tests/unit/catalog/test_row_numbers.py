"""Where rows stand, guessed from the ends of runs: right where the runs are long, given up where there are none,
and never asked for more than pays."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from sbql.catalog.row_numbers import RowNumbers


class Table:
    """Row ids by their numbers; `asked` is how many ids each query named, 0 for a look at all rows."""

    def __init__(self, ids: list[int]) -> None:
        self.numbers = {row_id: number for number, row_id in enumerate(ids)}
        self.asked: list[int] = []

    def ask(self, sql: str, params: Sequence[int]) -> list[tuple[int, int]]:
        self.asked.append(len(params))
        if params:
            assert sql == " UNION ALL ".join(['SELECT "$rid", rowid FROM t WHERE "$rid" = ?'] * len(params))
            return [(row_id, self.numbers[row_id]) for row_id in params if row_id in self.numbers]
        assert sql.endswith("LIMIT 1025")
        rows = [(row_id, number) for row_id, number in self.numbers.items()]
        before = [None, *(number - row_id for row_id, number in rows)]
        return [row for row, shift in zip(rows, before, strict=False) if row[1] - row[0] != shift][:1025]

    def find(self, known: RowNumbers, ids: list[int]) -> list[int] | None:
        return known.find("t", ids, self.ask)

    def right(self, ids: list[int]) -> list[int]:
        return [self.numbers[row_id] for row_id in ids]


def test_one_run_takes_one_query():
    table, known = Table(list(range(1, 100_001))), RowNumbers()
    ids = random.Random(1).sample(range(1, 100_001), 500)
    assert table.find(known, ids) == table.right(ids) and table.asked == [2]
    inside = [row_id for row_id in range(1, 100_000, 77) if min(ids) <= row_id <= max(ids)]
    assert table.find(known, inside) == table.right(inside) and table.asked == [2], "what lies between is known"
    assert table.find(known, [1, 100_000]) == [0, 99_999] and table.asked == [2, 2]


@pytest.mark.parametrize("seed", range(30))
def test_runs_between_gaps_are_found(seed):
    rng = random.Random(seed)
    ids, end = [], 0
    for _ in range(rng.randrange(1, 9)):
        start = end + rng.choice([1, 2, 1000, 10**9])
        end = start + rng.randrange(2_000, 60_000)
        ids += range(start, end)
    table, known = Table(ids), RowNumbers()
    for _ in range(20):
        some = rng.sample(ids, 400)
        assert table.find(known, some) == table.right(some)
        known.note("t", is_right=True)
    assert len(table.asked) < 150 and sum(table.asked) < 600
    before = len(table.asked)
    assert table.find(known, some) == table.right(some) and len(table.asked) == before


@pytest.mark.parametrize("runs", [40, 200, 1024])
def test_many_runs_are_found_by_one_look_at_all_rows(runs):
    """As of a table with so many insertions that were rolled back."""
    rng, ids, end = random.Random(runs), [], 0
    for _ in range(runs):
        start = end + rng.randrange(2, 9)
        end = start + rng.randrange(100, 300)
        ids += range(start, end)
    table, known = Table(ids), RowNumbers()
    for _ in range(50):
        some = rng.sample(ids, 400)
        assert table.find(known, some) == table.right(some)
        known.note("t", is_right=True)
    assert table.asked.count(0) == 1 and len(table.asked) < 30
    table.numbers.update((row_id, row_id - 500) for row_id in range(end + 1, end + 1000))
    some += range(end + 1, end + 900, 7)
    assert table.find(known, some) == table.right(some) and table.asked.count(0) == 1, "new rows are asked for"


def test_a_table_without_runs_is_given_up_and_tried_again_more_and_more_seldom():
    ids = list(range(1, 5_000))
    random.Random(2).shuffle(ids)
    table, known = Table(ids), RowNumbers()
    tried = []
    for number in range(300):
        before = len(table.asked)
        assert table.find(known, ids[:1000]) is None
        if len(table.asked) > before:
            tried.append(number)
    assert tried == [0, 3, 12, 45, 174]
    assert (
        max(table.asked) <= 16
        and table.asked.count(0) == len(tried)
        and known.followed == 0
        and known.missed == len(tried)
    )


def test_what_was_wrong_is_forgotten():
    table, known = Table(list(range(1, 1001))), RowNumbers()
    assert table.find(known, [5, 900]) == [4, 899]
    moved = Table(list(range(101, 1001)))
    assert moved.find(known, [200, 300]) == [199, 299] != moved.right([200, 300]), "nobody has told it"
    known.note("t", is_right=False)
    assert moved.find(known, [200, 300]) is None and moved.find(known, [200, 300]) is None, "not at once"
    assert moved.find(known, [200, 300]) == [99, 199]


def test_rows_that_are_not_there_or_not_committed_are_not_guessed():
    table, known = Table(list(range(1, 1001))), RowNumbers()
    assert table.find(known, [1, 2000]) is None
    table.numbers[2000] = 36028797018960000
    assert table.find(known, [1, 2000]) is None and table.find(known, [1, 2000]) is None


def test_only_few_rows_far_apart_are_worth_it():
    known = RowNumbers()
    assert known.may_pay(list(range(1, 10_000_000, 20_000)))
    assert not known.may_pay(list(range(1, 10_000_000, 1_000))), "most of what is read has one of them"
    assert not known.may_pay(list(range(1, 1_000_000, 2_000))), "they are looked through in no time"
    assert not known.may_pay([1, 10_000_000]) and not known.may_pay([])
