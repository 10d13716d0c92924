"""The mutation run itself: its list of equal mutants is true, and its sample is the same for the same seed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from equal_mutants import ROWS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[1]}")
def test_an_equal_mutant_is_of_a_line_that_is_there(row: list[str]) -> None:
    """Otherwise somebody has changed it, and has to look again."""
    module, before, after, reason = row
    assert before in {line.strip() for line in (ROOT / module).read_text(encoding="utf-8").splitlines()}
    assert after != before
    assert reason


def test_mutants_and_their_sample() -> None:
    pytest.importorskip("cosmic_ray", reason="Cosmic Ray comes with the extra `mutation`")
    from mutants import changed_lines, mutants_of, mutated, sample

    module = "engine/broker/priority.py"
    found = mutants_of(ROOT, module)
    drawn = sample(found, 5, seed=1)
    assert drawn == sample(list(reversed(found)), 5, seed=1) != sample(found, 5, seed=2)
    source = (ROOT / module).read_text(encoding="utf-8")
    for mutant in drawn:
        text = mutated(source, mutant)
        assert text is None or changed_lines(source, text)[0] != changed_lines(source, text)[1]
