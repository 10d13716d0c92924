"""Keys of parents that move to each other's places in one statement: a child goes with the row that was its
parent, by what the action of its foreign key says (documentation: "Primary and foreign key constraints",
Cascading referential integrity)."""

from __future__ import annotations

import random
from itertools import product

import pytest
from told import told

from sbql.engine.instance import Instance

ACTIONS = ("CASCADE", "SET NULL", "SET DEFAULT", "NO ACTION")
MOVES = {
    "up": lambda key, most: key + 1,
    "down": lambda key, most: key - 1,
    "turned": lambda key, most: most - key,
    "pairs": lambda key, most: key + 1 if key % 2 else key - 1,
    "none": lambda key, most: key,
    "far": lambda key, most: key + 100,
    "some": lambda key, most: key + most if key % 3 == 0 else key,
}
SQL = {"up": "id + 1", "down": "id - 1", "turned": "{most} - id", "pairs": "id + CASE id % 2 WHEN 1 THEN 1 ELSE -1 END", "none": "id", "far": "id + 100", "some": "id + CASE id % 3 WHEN 0 THEN {most} ELSE 0 END"}  # fmt: skip
WRITES = (
    "UPDATE p SET id = {new}",
    "UPDATE p SET id = {new} OUTPUT deleted.id",
    "MERGE p USING (SELECT id AS k FROM p) AS s ON s.k = p.id WHEN MATCHED THEN UPDATE SET id = {new};",
    "UPDATE v SET id = {new}",
)
DEFAULT = 2


def expected(keys: list[int], children: dict[int, int | None], action: str, moved: dict[int, int]):
    """The children behind the statement, None where it fails."""
    new, found = set(moved.values()), {}
    for child, parent in children.items():
        changed = parent is not None and moved[parent] != parent
        if not changed:
            found[child] = parent
        elif action == "CASCADE":
            found[child] = moved[parent]
        elif action == "NO ACTION":
            found[child] = parent
        else:
            found[child] = DEFAULT if action == "SET DEFAULT" else None
    return found if all(parent is None or parent in new for parent in found.values()) else None


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("write", WRITES, ids=["update", "output", "merge", "view"])
def test_a_child_goes_with_its_parent(write: str, action: str) -> None:
    chance, wrong = random.Random(f"{write}{action}"), []
    instance = Instance.open()
    session = instance.connect()
    for (name, move), size, level in product(MOVES.items(), (2, 3, 7), (0, 5000)):
        instance.locks.sets_from = level
        keys = sorted(chance.sample(range(1, size + 3), size)) if name != "pairs" else list(range(1, 2 * (size // 2) + 1))  # fmt: skip
        children = {n: chance.choice([*keys, None]) for n in range(1, 6)}
        made = f"DROP VIEW IF EXISTS v; DROP TABLE IF EXISTS c, p; CREATE TABLE p (id int PRIMARY KEY, n int); CREATE TABLE c (id int PRIMARY KEY, p int DEFAULT {DEFAULT} REFERENCES p ON UPDATE {action})"
        values = ", ".join(f"({n}, {'NULL' if parent is None else parent})" for n, parent in children.items())
        made += f"; INSERT p (id) VALUES {', '.join(f'({key})' for key in keys)}; INSERT c VALUES {values}"
        assert told(session, made) == told(session, "CREATE VIEW v AS SELECT id, n FROM p") == []
        most = max(keys) + min(keys)
        moved = {key: move(key, most) for key in keys}
        wanted = expected(keys, children, action, moved)
        text = write.format(new=SQL[name].format(most=most))
        said = told(session, text)
        there = dict(told(session, "SELECT id, p FROM c ORDER BY id"))
        if wanted is None and (547 not in said or there != children):
            wrong.append(f"{text} {keys} {children}: {said} {there}, not refused")
        elif wanted is not None and there != wanted:
            wrong.append(f"{text} {keys} {children}: {said} {there}, not {wanted}")
    instance.close()
    assert not wrong, "\n".join(wrong[:10])


@pytest.mark.parametrize("action", ACTIONS)
def test_a_child_of_a_parent_that_goes(action: str) -> None:
    """By DELETE, and by a MERGE that gives the key to a new row."""
    wrong = []
    instance = Instance.open()
    session = instance.connect()
    for text, gone, kept in (
        ("DELETE p WHERE id = 1", 1, {2, 3}),
        ("DELETE p WHERE id = 2", 2, {1, 3}),
        ("DELETE p WHERE id = 3", 3, {1, 2}),
        ("MERGE p USING (VALUES (1), (9)) AS s (k) ON s.k = p.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (1);", 1, {1, 2, 3}),
        ("MERGE p USING (VALUES (2), (9)) AS s (k) ON s.k = p.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (2);", 2, {1, 2, 3}),
    ):  # fmt: skip
        made = f"DROP TABLE IF EXISTS c, p; CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE c (id int PRIMARY KEY, p int DEFAULT {DEFAULT} REFERENCES p ON DELETE {action})"
        assert told(session, f"{made}; INSERT p VALUES (1), (2), (3); INSERT c VALUES (1, 1), (2, 2), (3, NULL)") == []
        children = {1: 1, 2: 2, 3: None}
        wanted = {
            "CASCADE": {child: parent for child, parent in children.items() if parent != gone},
            "SET NULL": {child: None if parent == gone else parent for child, parent in children.items()},
            "SET DEFAULT": {child: DEFAULT if parent == gone else parent for child, parent in children.items()},
            "NO ACTION": children,
        }[action]
        refused = any(parent not in {*kept, None} for parent in wanted.values())
        said, there = told(session, text), dict(told(session, "SELECT id, p FROM c ORDER BY id"))
        if (547 in said) != refused or there != (children if refused else wanted):
            wrong.append(f"{text}: {said} {there}, not {'547' if refused else wanted}")
    instance.close()
    assert not wrong, "\n".join(wrong)
