"""Random programs and mutated scripts end in T-SQL errors or results, never in anything else.

The ordinary suite runs a few hundred; `make fuzz` runs FUZZ_INPUTS of them (200,000), from FUZZ_SEED, and prints how
far it is.
"""

from __future__ import annotations

import os
import sys

import pytest
from campaign import KINDS, run
from programs import TERMINALS, _rules

FEW = {"programs": 120, "mutations": 250, "mutated": 60, "stories": 120, "written": 200, "numbers": 200}


def report(findings: dict[str, object]) -> str:
    return "\n\n".join(map(str, findings.values()))


def test_every_terminal_can_be_written() -> None:
    """The lexer makes some terminals of its own; the programs have to know them all, or they stop half-way."""
    rules, spelled, _ = _rules()
    used = {symbol for choices in rules.values() for choice in choices for symbol, is_terminal in choice if is_terminal}
    assert used - spelled.keys() - TERMINALS.keys() - {"IDENT", "VARIABLE"} == set()


@pytest.mark.parametrize("kind", KINDS)
def test_a_few(kind: str) -> None:
    findings = run(kind, FEW[kind], seed=1)
    assert not findings, report(findings)  # type: ignore[arg-type]


@pytest.mark.fuzz
@pytest.mark.timeout(0)
@pytest.mark.parametrize("kind", KINDS)
def test_many(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    count = int(os.environ.get("FUZZ_INPUTS", "200000")) // len(KINDS)

    def note(text: str) -> None:
        with capsys.disabled():
            print(text, file=sys.stderr, flush=True)

    findings = run(kind, count, int(os.environ.get("FUZZ_SEED", "1")), note)
    assert not findings, report(findings)  # type: ignore[arg-type]
