"""GUIDs by their bits: their order and their bytes are those of SQL Server, whatever the bits are, and
wherever a value may stand. The order is that of the documents: groups of the text from the last to the first."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

_chance = random.Random(14)
GUIDS = [
    *(UUID(int=1 << bit) for bit in range(128)),
    *(UUID(int=(1 << 128) - 1 - (1 << bit)) for bit in range(128)),
    *(UUID(int=_chance.getrandbits(128)) for _ in range(100)),
    UUID(int=0),
    UUID(int=(1 << 128) - 1),
]


def place(guid: UUID) -> tuple[bytes, ...]:
    """By the groups of the text, the last one first; the bytes of the first three from right to left."""
    first, second, third, fourth, last = (bytes.fromhex(group) for group in str(guid).split("-"))
    return last, fourth, third[::-1], second[::-1], first[::-1]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None)
    found = instance.connect()
    rows = ", ".join(f"({k}, '{guid}')" for k, guid in enumerate(GUIDS))
    assert not told(
        found, f"CREATE TABLE g (k int PRIMARY KEY, u uniqueidentifier); INSERT g VALUES {rows}, (-1, NULL)"
    )
    yield found
    instance.close()


def column(session: Session, text: str) -> list[Any]:
    return [row[0] for row in told(session, text)]


ORDERED = sorted(GUIDS, key=place)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT u FROM g WHERE k >= 0 ORDER BY u", ORDERED),
        ("SELECT u FROM g ORDER BY u DESC", [*ORDERED[::-1], None]),
        ("SELECT u FROM g WHERE k >= 0 ORDER BY ROW_NUMBER() OVER (ORDER BY u)", ORDERED),
        ("SELECT MIN(u) FROM g", [ORDERED[0]]),
        ("SELECT MAX(u) FROM g", [ORDERED[-1]]),
        ("SELECT MIN(u) FROM g WHERE k >= 0 GROUP BY k ORDER BY MIN(u)", ORDERED),
        ("SELECT DISTINCT u FROM g WHERE u IS NOT NULL ORDER BY u", ORDERED),
        ("SELECT (SELECT v.u FROM g AS v WHERE v.k = g.k) FROM g WHERE k >= 0 ORDER BY (SELECT v.u FROM g AS v WHERE v.k = g.k)", ORDERED),
        ("SELECT COUNT(*) FROM g AS a JOIN g AS b ON a.u < b.u", [len(GUIDS) * (len(GUIDS) - 1) // 2]),
        ("SELECT COUNT(*) FROM g AS a JOIN g AS b ON a.u <= b.u AND a.u >= b.u", [len(GUIDS)]),
        ("SELECT u FROM g WHERE u BETWEEN (SELECT MIN(u) FROM g) AND '00000000-0000-0000-0000-000000000001' ORDER BY u", ORDERED[: ORDERED.index(UUID(int=1)) + 1]),
        ("SELECT GREATEST(a.u, b.u) FROM g AS a JOIN g AS b ON b.k = a.k + 1 AND a.k >= 0 ORDER BY a.k", [max(pair, key=place) for pair in itertools.pairwise(GUIDS)]),
    ],
)  # fmt: skip
def test_they_are_ordered_as_the_server_orders_them(session: Session, query: str, expected: list[Any]) -> None:
    assert column(session, query) == expected


@pytest.mark.parametrize("kind", ["binary(16)", "varbinary(16)", "varbinary(40)", "varbinary(max)", "binary(19)"])
def test_their_bytes_are_the_server_s(session: Session, kind: str) -> None:
    filled = b"\0\0\0" if kind == "binary(19)" else b""
    assert column(session, f"SELECT CAST(u AS {kind}) FROM g WHERE k >= 0 ORDER BY k") == [
        g.bytes_le + filled for g in GUIDS
    ]
    assert column(session, f"SELECT CAST(CAST(u AS {kind}) AS uniqueidentifier) FROM g ORDER BY k") == [None, *GUIDS]


def test_rows_in_the_order_of_new_ones_are_shuffled(session: Session) -> None:
    numbers = column(session, "SELECT k FROM g WHERE k >= 0 ORDER BY NEWID()")
    assert sorted(numbers) == list(range(len(GUIDS))) != numbers
    assert numbers != column(session, "SELECT k FROM g WHERE k >= 0 ORDER BY NEWID()")
