"""Every fact of docs/spec is shown by a test; docs/coverage.md says by which. `python tests/house/test_coverage.py`
writes it anew."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # when it runs as a script

from spec import EXEMPTIONS, all_facts, shown_by

TARGET = Path(__file__).parents[2] / "docs" / "coverage.md"
MOST_EXEMPT = 0.05

HEAD = """# Coverage

Made from [spec/](spec/README.md) and the tests by `python tests/house/test_coverage.py`; a test fails when it is stale, and another one when a
fact has no test. Paths are those under `tests/`.
"""


def document() -> str:
    tests = shown_by()
    parts = [HEAD, _summary()]
    for file, group in groupby(all_facts(), key=lambda fact: fact.file):
        parts.append(f"## {file.removesuffix('.md')}\n\n| Fact | Shown by |\n|---|---|")
        for fact in group:
            shown = ", ".join(f"`{path}`" for path in tests.get(fact.id, ()))
            if fact.exempt:
                shown = shown or f"exempt: {fact.exempt}"
            if fact.open:
                shown = f"**open**: {fact.open}"
            parts.append(f"| {fact.id} | {shown} |")
        parts.append("")
    return "\n".join(parts)


def _summary() -> str:
    facts = all_facts()
    exempt = [fact for fact in facts if fact.exempt]
    return (
        f"{len(facts)} facts, {len(exempt)} of them exempt ({len(exempt) / max(len(facts), 1):.1%}), "
        f"{sum(fact.open is not None for fact in facts)} open.\n"
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
