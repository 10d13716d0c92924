"""KeyMemory: what it must never forget, and what it may."""

from __future__ import annotations

import random
from collections.abc import Iterator
from uuid import uuid4

import pytest

from sbql.engine.instance import Instance
from sbql.engine.modification import key_memory
from sbql.engine.modification.key_memory import KeyMemory
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session
from sbql.grammar.types import INT, SqlType


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_memory, "LIMIT", 4)


@pytest.fixture
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    yield instance.connect()
    instance.close()


def errors(session: Session, text: str) -> list[int]:
    return [o.error.number for o in session.run(text) if isinstance(o, ErrorOutcome)]


def loaded(types: tuple[SqlType, ...], *values: tuple[object, ...]) -> KeyMemory:
    memory = KeyMemory(object(), types)
    ordered = sorted(values)
    memory.load(len(values), lambda: values, lambda: (ordered[0][0], ordered[-1][0]))
    return memory


def test_before_it_has_read_the_table_it_claims_everything() -> None:
    memory = KeyMemory(object(), (INT,))
    assert memory.may_hold((1,))
    memory.note([(1,)])
    memory.load(0, list, lambda: (None, None))
    assert memory.may_hold((1,)) and not memory.may_hold((2,))


def test_of_a_large_key_it_knows_the_ends(small: None) -> None:
    memory = loaded((INT,), (10,), (20,), (30,), (40,), (50,))
    assert memory.may_hold((30,)) and memory.may_hold((31,)) and memory.may_hold((None,))
    assert not memory.may_hold((51,)) and not memory.may_hold((9,))
    memory.note([(60,)])
    assert memory.may_hold((51,)) and not memory.may_hold((61,))


def test_a_key_that_grows_beyond_the_limit_loses_nothing(small: None) -> None:
    memory = loaded((INT,), (3,))
    for value in range(10, 20):
        assert not memory.may_hold((value,))
        memory.note([(value,)])
    assert all(memory.may_hold((value,)) for value in (3, *range(10, 20)))


def test_a_large_key_without_order_is_looked_up(small: None) -> None:
    memory = loaded((SqlType("uniqueidentifier"),), (uuid4(),))
    memory.note([(uuid4(),) for _ in range(5)])
    assert memory.may_hold((uuid4(),))


def test_reading_a_key_must_pay() -> None:
    memory = KeyMemory(object(), (INT,))
    asked = [memory.wants_to_load(1000) for _ in range(5)]
    assert asked == [False, False, False, False, True]


def test_the_key_of_a_large_table_still_refuses_what_is_there(session: Session, small: None) -> None:
    assert not errors(
        session,
        "CREATE TABLE t (a int PRIMARY KEY, b varchar(9) UNIQUE); INSERT t VALUES (50, 'x'), (10, 'y'), (30, 'Z')",
    )
    assert not errors(session, "INSERT t VALUES (60, 'u'), (61, 'v'), (62, 'w')")
    assert errors(session, "INSERT t VALUES (30, 'q')") == [2627]
    assert errors(session, "INSERT t VALUES (70, 'z')") == [2627]
    assert not errors(session, "INSERT t VALUES (5, 'new'), (31, 'newer'), (99, 'newest')")
    assert errors(session, "INSERT t VALUES (99, 'more')") == [2627]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("limit", [3, 100_000])
def test_random_writes_agree_with_a_dictionary(
    session: Session, monkeypatch: pytest.MonkeyPatch, seed: int, limit: int
) -> None:
    monkeypatch.setattr(key_memory, "LIMIT", limit)
    chance = random.Random(seed)
    errors(session, "CREATE TABLE t (a int PRIMARY KEY)")
    rows: set[int] = set()
    before: set[int] | None = None
    for _ in range(120):
        value = chance.randrange(12)
        action = chance.choice(["insert"] * 5 + ["delete", "move", "begin", "rollback", "commit"])
        if action == "insert":
            assert errors(session, f"INSERT t VALUES ({value})") == ([2627] if value in rows else [])
            rows.add(value)
        elif action == "delete":
            errors(session, f"DELETE t WHERE a = {value}")
            rows.discard(value)
        elif action == "move" and value in rows:
            other = chance.randrange(12)
            refused = other in rows and other != value
            assert errors(session, f"UPDATE t SET a = {other} WHERE a = {value}") == ([2627] if refused else [])
            if not refused:
                rows = rows - {value} | {other}
        elif action == "begin" and before is None:
            errors(session, "BEGIN TRAN")
            before = set(rows)
        elif action == "rollback" and before is not None:
            errors(session, "ROLLBACK")
            rows, before = before, None
        elif action == "commit" and before is not None:
            errors(session, "COMMIT")
            before = None
