"""A path gives each node once, in the order of the document, whichever steps lead to it (XPath 3.1, 3.3.1)."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from told import last_rows

from sbql.engine.instance import Instance
from sbql.engine.session import Session

NAMES = "abc"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual", seed=1)
    yield instance.connect()
    instance.close()


def document(chance: random.Random) -> str:
    """Elements of three names, one within the other, with their number in the order of the document."""
    root = ET.Element("r")
    elements = [root]
    for _ in range(chance.randrange(4, 24)):
        elements.append(ET.SubElement(chance.choice(elements[-5:]), chance.choice(NAMES)))
    for number, element in enumerate(root.iter()):
        element.set("n", str(number))
    return ET.tostring(root, encoding="unicode")


def path(chance: random.Random) -> str:
    """Steps of every axis, with tests that do not depend on places."""
    steps = (
        *NAMES,
        "*",
        "..",
        ".",
        "descendant::b",
        "descendant-or-self::*",
        "parent::*",
        "self::a",
        "a[b]",
        "*[@n > 3]",
        "child::c",
    )
    found = chance.choice(("//", "/r/", "/r//", "./r/", ".//", "(//a)/", "(/r/*)//"))
    found += chance.choice(steps)
    for _ in range(chance.randrange(4)):
        found += chance.choice(("/", "/", "//")) + chance.choice(steps)
    return found


def numbers(session: Session, text: str, query: str) -> list[int]:
    (row,) = last_rows(session, f"DECLARE @x xml = '{text}'; SELECT CAST(@x.query('{query}') AS nvarchar(max))")
    return [int(number) for number in row[0].split()]


@pytest.mark.parametrize("seed", range(8))
def test_of_elements(session: Session, seed: int) -> None:
    chance, some = random.Random(seed), 0
    for _ in range(25):
        text, steps = document(chance), path(chance)
        found = numbers(session, text, f"for $e in {steps} return string($e/@n)")
        assert found == sorted(set(found)), (text, steps)
        one_by_one = numbers(
            session, text, f"for $e in //* where $e/@n = (for $f in {steps} return $f/@n) return string($e/@n)"
        )
        assert found == one_by_one, (text, steps)
        first = numbers(session, text, f"string((({steps})[@n])[1]/@n)")
        assert first == found[:1], (text, steps)
        of_attributes = numbers(session, text, f"for $n in {steps}/@n return string($n)")
        assert of_attributes == found, (text, steps)
        some += len(found) > 1
    assert some > 5


@pytest.mark.parametrize("steps", ["//b", ".//b", "/r//b", "//a//b", "//a/b", "//b/../a", "//*[b]//b"])
def test_of_rows(session: Session, steps: str) -> None:
    """nodes(), of a document and of a node of it."""
    text = '<r n="0"><a n="1"><a n="2"><b n="3"/><a n="4"><b n="5"/></a></a><b n="6"/></a><b n="7"/></r>'
    declared = f"DECLARE @x xml = '{text}';"
    rows = last_rows(session, f"{declared} SELECT t.e.value('@n', 'int') FROM @x.nodes('{steps}') t(e)")
    assert rows == [(number,) for number in numbers(session, text, f"for $e in {steps} return string($e/@n)")]
    inner = last_rows(
        session, f"{declared} SELECT t.e.value('@n', 'int') FROM @x.nodes('/r') r(e) CROSS APPLY r.e.nodes('.//b') t(e)"
    )
    assert inner == [(3,), (5,), (6,), (7,)]
    value = last_rows(session, f"{declared} SELECT @x.value('({steps})[1]/@n', 'int')")
    assert value == rows[:1]
