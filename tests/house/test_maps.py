"""The maps are whole: docs/architecture.md names each loose module of the engine and places that are there,
CONTRIBUTING.md each folder of tests, and neither names what is not there."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def part(heading: str) -> str:
    """What stands under a heading of docs/architecture.md, up to the next one."""
    return re.split(r"^##", ARCHITECTURE.partition(f"{heading}\n")[2], maxsplit=1, flags=re.M)[0]


def test_the_loose_modules_of_the_engine() -> None:
    """In the order of the contract."""
    told = re.findall(r"^\| `(\w+)` \|", part("### The modules beside the rooms"), re.M)
    there = {path.stem for path in (ROOT / "engine").glob("*.py")} - {"__init__"}
    assert len(told) == len(set(told))
    assert set(told) == there
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = (one["layers"] for one in contracts if one.get("containers") == ["sbql.engine"])
    height = {name: i for i, layer in enumerate(reversed(layers)) for name in layer.split(" : ")}
    assert told == sorted(told, key=height.__getitem__)


@pytest.mark.parametrize(
    "room",
    [
        "catalog",
        "engine/broker",
        "engine/direct",
        "engine/modification",
        "engine/native",
        "engine/query",
        "engine/server",
        "repl",
    ],
)
def test_the_map_of_a_large_room_is_whole(room: str) -> None:
    """Its docstring has each module and folder once."""
    text = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text(encoding="utf-8"))) or ""
    told = [name for row in re.findall(r"^\| (`.*?) \|", text, re.M) for name in re.findall(r"`(\w+)`", row)]
    there = {path.stem for path in (ROOT / room).glob("*.py")} - {"__init__"}
    there |= {path.parent.name for path in (ROOT / room).glob("*/*.py")}
    assert len(told) == len(set(told))
    assert set(told) == there


def test_the_places_for_what_is_new() -> None:
    """Files and folders that "Where do I put X" names are there; so are the rooms to which
    the first words of statements lead."""
    text = part("## Where do I put X")
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    places = {word for _, place in rows for word in re.findall(r"`([\w./]+)`", place)}
    rooms = {place for place in places if (ROOT / "engine" / place).is_dir()}
    assert len(rows) > 20 and len(rooms) == 5
    assert [place for place in sorted(places - rooms) if not (ROOT / place).exists()] == []


def test_the_glossary() -> None:
    """In alphabetical order, each word once."""
    words = re.findall(r"^\| ([^|`]+) \|", part("## Glossary"), re.M)[1:]
    assert words == sorted(set(words), key=str.lower)
    assert {"door", "fold", "image", "overlay", "publish, publication"} <= set(words)


def test_the_folders_of_tests() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `tests/(\w+)` \|", text, re.M)
    there = {path.parent.name for path in (ROOT / "tests").glob("*/*.py")} | {"sql"}
    assert len(told) == len(set(told))
    assert set(told) == there
