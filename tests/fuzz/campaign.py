"""A campaign: so many inputs from one seed, and the findings, one for each signature. `python campaign.py COUNT SEED
KIND` runs one."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator

from mutations import Mutations, corpus
from programs import Programs
from subject import Finding, Subject

__all__ = ["KINDS", "run"]

FRESH_AFTER = 300
"""Inputs until the instance is made anew: programs drop and change what is in it."""
VARIANTS = 4
"""Mutations of a batch that run before the batch itself, in the state that its script has made."""


def programs(chance: random.Random) -> Iterator[tuple[Subject, str]]:
    source = Programs(chance)
    yield from _alone(source.program)


def mutations(chance: random.Random) -> Iterator[tuple[Subject, str]]:
    source = Mutations(chance)
    yield from _alone(lambda: source.mutated(source.any_batch()))


def mutated_programs(chance: random.Random) -> Iterator[tuple[Subject, str]]:
    """Programs of the grammar with tokens out of place."""
    source, made = Mutations(chance), Programs(chance)
    yield from _alone(lambda: source.mutated(made.program()))


def stories(chance: random.Random) -> Iterator[tuple[Subject, str]]:
    """Whole scripts, each batch after some mutations of it."""
    source = Mutations(chance)
    while True:
        subject = Subject(setup=False)
        for batch in chance.choice(corpus()):
            for _ in range(VARIANTS):
                yield subject, source.mutated(batch)
                if subject.is_broken:
                    break
            if subject.is_broken:
                break
            yield subject, batch
        subject.close()


def _alone(make: Callable[[], str]) -> Iterator[tuple[Subject, str]]:
    while True:
        subject = Subject()
        for _ in range(FRESH_AFTER):
            yield subject, make()
            if subject.is_broken:
                break
        subject.close()


def written(chance: random.Random) -> Iterator[tuple[Subject, str]]:
    """Scripts with changes inside of literals that hold XML, XQuery, JSON or paths."""
    yield from _alone(Mutations(chance).written)


def numbers(chance: random.Random) -> Iterator[tuple[Subject, str]]:
    """Scripts with numbers of many digits."""
    yield from _alone(Mutations(chance).with_a_long_number)


KINDS = {
    "programs": programs,
    "mutations": mutations,
    "mutated": mutated_programs,
    "stories": stories,
    "written": written,
    "numbers": numbers,
}


def run(
    kind: str, count: int, seed: int, note: Callable[[str], None] | None = None, known: frozenset[str] = frozenset()
) -> dict[str, Finding]:
    """Run `count` inputs of a kind. The shortest text of each finding is kept."""
    findings: dict[str, Finding] = {}
    started = time.monotonic()
    source = KINDS[kind](random.Random(seed))
    for done in range(count):
        subject, text = next(source)
        began = time.monotonic()
        finding = subject.judge(text)
        if note is not None and time.monotonic() - began > 5:
            note(f"slow ({time.monotonic() - began:.1f} s): {text!r}")
        if finding is not None:
            before = findings.get(finding.signature)
            if before is None and note is not None:
                note(f"FOUND {finding.signature}\n      {finding.detail[:300]}\n      {text!r}")
            if before is None or len(text) < len(before.text):
                findings[finding.signature] = finding
        if note is not None and done and done % 1000 == 0:
            note(
                f"{kind}: {done} of {count} inputs, {done / (time.monotonic() - started):.0f} a second, {len(findings)} findings"
            )
    source.close()  # type: ignore[attr-defined]
    return findings


if __name__ == "__main__":
    found = run(sys.argv[3], int(sys.argv[1]), int(sys.argv[2]), lambda text: print(text, flush=True))
    print("-----")
    for one in found.values():
        print(f"\n## {one.signature}\n   {one.detail[:300]}\n{one.text}")
