"""Every fact of docs/spec is shown by a test; docs/coverage.md says by which. `python tests/house/test_coverage.py`
writes it anew."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # when it runs as a script

from spec import COMPARISONS, EXEMPTIONS, TESTS, all_facts, shown_by

TARGET = Path(__file__).parents[2] / "docs" / "coverage.md"
MOST_EXEMPT = 0.05

HEAD = """# Coverage

Made from [spec/](spec/README.md) and the tests by `python tests/house/test_coverage.py`; a test fails when it is stale, and another one when a
fact has no test, or is behaviour and no test does it. Paths are those under `tests/`; the first three of each fact are named.
"""
MOST_NAMED = 3


def document() -> str:
    tests = shown_by()
    parts = [HEAD, _summary()]
    for file, group in groupby(all_facts(), key=lambda fact: fact.file):
        parts.append(f"## {file.removesuffix('.md')}\n\n| Fact | Shown by |\n|---|---|")
        for fact in group:
            shown = _named(tests.get(fact.id, []))
            if fact.exempt:
                shown = shown or f"exempt: {fact.exempt}"
            if fact.open:
                shown = f"**open**: {fact.open}"
            parts.append(f"| {fact.id} | {shown} |")
        parts.append("")
    return "\n".join(parts)


def _named(paths: list[str]) -> str:
    """The first tests of a fact, those that do it in front of those that compare tables."""
    ordered = sorted(paths, key=lambda path: path in COMPARISONS)
    more = len(ordered) - MOST_NAMED
    return ", ".join([*(f"`{path}`" for path in ordered[:MOST_NAMED]), *([f"{more} more"] if more > 0 else [])])


def _summary() -> str:
    facts, tests = all_facts(), shown_by()
    exempt = [fact for fact in facts if fact.exempt]
    behaviour = [fact for fact in facts if not (fact.is_catalogue or fact.exempt or fact.open)]
    catalogue = [fact for fact in facts if fact.is_catalogue and not (fact.exempt or fact.open)]
    by_script = sum(any(path.endswith(".sql") for path in tests.get(fact.id, ())) for fact in behaviour)
    at_work = sum(any(path not in COMPARISONS for path in tests.get(fact.id, ())) for fact in catalogue)
    return (
        f"{len(facts)} facts, {len(exempt)} of them exempt ({len(exempt) / max(len(facts), 1):.1%}), "
        f"{sum(fact.open is not None for fact in facts)} open.\n\n"
        f"- Behaviour: {len(behaviour)} facts, {by_script} shown by a script, {len(behaviour) - by_script} by a Python test.\n"
        f"- Catalogue: {len(catalogue)} facts, all compared as tables; {at_work} of them a script shows at work, too.\n"
    )


def test_ids_are_unique() -> None:
    counts = Counter(fact.id for fact in all_facts())
    assert not [identifier for identifier, count in counts.items() if count > 1]


def test_a_prefix_belongs_to_one_file() -> None:
    homes: dict[str, set[str]] = {}
    for fact in all_facts():
        homes.setdefault(fact.prefix, set()).add(fact.file)
    assert not {prefix: files for prefix, files in homes.items() if len(files) > 1}


def test_every_fact_has_a_test() -> None:
    tests = shown_by()
    missing = [fact.id for fact in all_facts() if not (fact.exempt or fact.open or tests.get(fact.id))]
    assert not missing, f"{len(missing)} facts without a test: {' '.join(missing)}"


def test_behaviour_is_done_and_not_only_listed() -> None:
    tests = shown_by()
    idle = [
        fact.id
        for fact in all_facts()
        if not (fact.is_catalogue or fact.exempt or fact.open) and set(tests.get(fact.id, ())) <= COMPARISONS
    ]
    assert not idle, f"{len(idle)} facts that only a comparison of tables shows: {' '.join(idle)}"


def test_comparisons_are_tests() -> None:
    assert not [path for path in COMPARISONS if not (TESTS / path).exists()]


def test_tests_name_facts_that_exist() -> None:
    assert not set(shown_by()) - {fact.id for fact in all_facts()}


def test_exemptions_are_few_and_have_a_reason() -> None:
    exempt = [fact for fact in all_facts() if fact.exempt]
    assert not [f"{fact.id}: {fact.exempt}" for fact in exempt if fact.exempt not in EXEMPTIONS]
    assert len(exempt) <= MOST_EXEMPT * len(all_facts())


def test_the_file_is_up_to_date() -> None:
    """When it is not: `python tests/house/test_coverage.py`."""
    assert TARGET.read_text(encoding="utf-8") == document()


if __name__ == "__main__":
    TARGET.write_text(document(), encoding="utf-8")
