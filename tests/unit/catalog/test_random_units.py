"""Random sessions against a model: whatever is rolled back, refreshed, suspended or failed, the rows are the model's.

The model is what the engine guarantees: a row that an open unit has written belongs to it until the unit ends.
"""

from __future__ import annotations

import random

import pytest

from sbql.catalog.store import Store
from sbql.grammar.errors import SqlError

from .conftest import delete, insert, make_table, message, rows, update

Row = tuple[object, ...]


class Player:
    """One session's unit, and what it should see of its own."""

    def __init__(self, store: Store) -> None:
        self.session = store.connect()
        self.renew()

    def renew(self) -> None:
        self.unit = self.session.begin()
        self.own: dict[int, Row | None] = {}
        self.marks: list[tuple[int, dict[int, Row | None]]] = []


@pytest.mark.parametrize("seed", range(12))
def test_random_units(seed: int) -> None:
    chance = random.Random(seed)
    with Store.open() as store:
        make_table(store.connect())
        players = [Player(store) for _ in range(3)]
        committed: dict[int, Row] = {}
        next_rid = next_key = 1
        for _ in range(150):
            player = chance.choice(players)
            taken = {rid for p in players if p is not player for rid in p.own}
            visible = {**committed, **player.own}
            free = [rid for rid, row in visible.items() if row is not None and rid not in taken]
            action = chance.choice(
                ("insert", "insert", "update", "update", "delete", "read", "mark", "back", "end", "fail", "suspend")
            )
            if action == "insert":
                new = [(next_rid + n, chance.randrange(100), "x") for n in range(chance.randrange(1, 4))]
                next_rid += len(new)
                player.unit.apply(insert(*new))
                player.own.update({row[0]: row for row in new})
            elif action == "update" and free:
                rid = chance.choice(free)
                text = f"{seed}.{chance.random()}"
                player.unit.apply(update(rid, text))
                player.own[rid] = (*visible[rid][:2], text)  # type: ignore[index]
            elif action == "delete" and free:
                gone = chance.sample(free, min(len(free), chance.randrange(1, 3)))
                player.unit.apply(delete(*gone))
                player.own.update(dict.fromkeys(gone))
            elif action == "mark":
                player.marks.append((player.unit.mark(), dict(player.own)))
            elif action == "back" and player.marks:
                mark, kept = player.marks.pop()
                player.unit.rollback_to(mark)
                # a row keeps its lock after a partial rollback: it shows what is committed, and stays ours
                player.own = {rid: kept.get(rid, committed.get(rid)) for rid in player.own}
            elif action == "fail":
                with pytest.raises(SqlError):
                    player.unit.query("SELECT error('SQL|8134')")
            elif action == "suspend":
                player.unit.suspend()
            elif action == "end":
                if chance.random() < 0.7:
                    player.unit.commit([], [message(next_key)] if chance.random() < 0.5 else [])
                    next_key += 1
                    committed.update({rid: row for rid, row in player.own.items() if row is not None})
                    for rid in [rid for rid, row in player.own.items() if row is None]:
                        committed.pop(rid, None)
                else:
                    player.unit.rollback()
                player.renew()
            expected = {**committed, **player.own}
            assert rows(player.unit) == sorted(row for row in expected.values() if row is not None)
