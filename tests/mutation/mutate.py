"""A mutation run: changes single places of broker, transaction, locks and journal; lists those no test minds.

    make mutate                                  300 mutants, seed 1
    python tests/mutation/mutate.py --count 50 --seed 7 --only broker/send

Needs the extra `mutation`. Works in build/mutation, never in the tree. Each mutant meets the tests that run its line: a
few fast ones, then `--seconds` of them, and one that still stands meets the others, or `--others` seconds of them.
Survivors are printed with file, line and diff; those whose effect is the same are in equal_mutants.tsv, each with its
reason. build/mutation/log.txt tells every trial.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path

from equal_mutants import EQUAL
from mutants import Mutant, changed_lines, mutants_of, mutated, sample
from trials import BUILD, ROOT, Recorded, copy_package, place_of, recorded, survives

FOLDERS = ("engine/broker", "engine/transaction")
FILES = (
    "engine/locks.py",
    *(f"catalog/{name}.py" for name in ("journal", "record_writer", "broker_log", "log_ring", "log_frames")),
)


def modules() -> list[str]:
    found = [path for folder in FOLDERS for path in (ROOT / folder).glob("*.py") if path.name != "__init__.py"]
    return sorted([str(path.relative_to(ROOT)) for path in found] + list(FILES))


def shares(tests: list[str], known: Recorded, seconds: float, others: float) -> list[list[str]]:
    """The tests of a line, fast ones first, in three parts: a few, because most mutants fall at once; those that
    take `seconds` together; of all others, which grow slower and slower, each second or third or tenth, so many
    as take the seconds of `others`."""
    spent, affordable = 0.0, 0
    for test in tests:
        spent += known.seconds[test]
        affordable += spent <= seconds
    few = max(1, affordable // 8)
    rest = tests[max(few, affordable) :]
    step = max(1, math.ceil(sum(known.seconds[test] for test in rest) / others))
    return [part for part in (tests[:few], tests[few:affordable], rest[::step]) if part]


def try_mutant(mutant: Mutant, known: Recorded, seconds: float, others: float) -> str | None:
    """None: no such mutant. Otherwise "killed", "equal", or "survived" with its diff."""
    source = place_of(mutant.module).read_text(encoding="utf-8")
    text = mutated(source, mutant)
    if text is None:
        return None
    gone, came = changed_lines(source, text)
    if (mutant.module, gone, came) in EQUAL:
        return "equal"
    tests = known.tests_of(mutant.module, mutant.line)
    parts = shares(tests, known, seconds, others)
    for part in parts:
        if not survives(mutant.module, text, part, 60 + 3 * sum(known.seconds[test] for test in part)):
            return "killed"
    return f"survived {sum(map(len, parts))} of {len(tests)} tests\n    - {gone}\n    + {came}"


def main(arguments: list[str]) -> int:
    reading = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reading.add_argument("--count", type=int, default=300, help="how many mutants")
    reading.add_argument("--seed", type=int, default=1, help="which ones")
    reading.add_argument(
        "--seconds", type=float, default=40.0, help="how long the tests take that a mutant meets first"
    )
    reading.add_argument(
        "--others", type=float, default=100.0, help="how long the others take that one meets which still stands"
    )
    reading.add_argument("--skip", type=int, default=0, help="how many of them an earlier run has tried")
    reading.add_argument("--only", default="", help="modules whose path contains this")
    options = reading.parse_args(arguments)
    BUILD.mkdir(parents=True, exist_ok=True)
    copy_package()
    known = recorded(modules())
    every = [mutant for module in modules() if options.only in module for mutant in mutants_of(ROOT, module)]
    drawn = sample(every, options.count, options.seed)[options.skip :]
    counts = dict.fromkeys(("killed", "equal", "survived"), 0)
    began = time.monotonic()
    log = (BUILD / "log.txt").open("a" if options.skip else "w", encoding="utf-8")
    for mutant in drawn:
        told = try_mutant(mutant, known, options.seconds, options.others)
        if told is None:
            continue
        counts[told.split()[0]] += 1
        log.write(f"{time.monotonic() - began:.0f} s {mutant}: {told}\n")
        log.flush()
        if told.startswith("survived"):
            print(f"{mutant}: {told}", flush=True)
    print(
        f"{len(every)} mutants, {sum(counts.values())} tried with seed {options.seed} in {time.monotonic() - began:.0f} s: {counts['killed']} killed, "
        f"{counts['equal']} known to be equal, {counts['survived']} survived"
    )
    return 1 if counts["survived"] else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    sys.exit(main(sys.argv[1:]))
