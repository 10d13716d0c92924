"""The maps are whole: docs/architecture.md names each loose module of the engine, CONTRIBUTING.md each folder of tests, and neither names what is not there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_loose_modules_of_the_engine() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    part = text[text.index("Loose beside them stand") :].partition("\n\n")[0]
    told = re.findall(r"`([a-z_]+)`", re.sub(r"\([^)]*\)", "", part))
    there = {path.stem for path in (ROOT / "engine").glob("*.py")} - {"__init__"}
    assert len(told) == len(set(told))
    assert set(told) == there


def test_the_folders_of_tests() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `tests/(\w+)` \|", text, re.M)
    there = {path.parent.name for path in (ROOT / "tests").glob("*/*.py")} | {"sql"}
    assert len(told) == len(set(told))
    assert set(told) == there
