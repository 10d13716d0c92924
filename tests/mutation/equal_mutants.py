"""Mutants that no test can kill, because the program does the same: equal_mutants.tsv, one a line: module,
line before, line after, reason."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
ROWS = [line.split("\t") for line in (HERE / "equal_mutants.tsv").read_text(encoding="utf-8").splitlines() if line]
EQUAL = {(module, before, after): reason for module, before, after, reason in ROWS}
