"""The table of docs/clients.md: which driver does what, made by a run of `test_tds_drivers.py`. `make clients` runs it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tds_drivers import MARKERS, version_of  # noqa: E402

PAGE = HERE.parents[1] / "docs" / "clients.md"
BEGIN, END = "<!-- clients: made by `make clients` -->", "<!-- end of clients -->"
_MARKS = {"passed": "yes", "failed": "**no**", "skipped": "–"}


class Seen:
    """Outcomes by test and driver, and the reasons of those that were skipped."""

    def __init__(self) -> None:
        self.outcomes: dict[str, dict[str, str]] = {}
        self.reasons: dict[tuple[str, str], str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        found = re.fullmatch(r".*::test_(\w+)\[(\w+)\]", report.nodeid)
        if found is None or (report.when != "call" and report.passed):
            return
        test, driver = found[1], found[2]
        self.outcomes.setdefault(test, {})[driver] = report.outcome
        if report.skipped and isinstance(report.longrepr, tuple):
            self.reasons[test, driver] = report.longrepr[2].removeprefix("Skipped: ")


def table(seen: Seen) -> str:
    drivers = list(MARKERS)
    lines = [f"| | {' | '.join(drivers)} |", "|---" * (len(drivers) + 1) + "|"]
    versions = [
        version_of(driver) if any(seen.outcomes[t].get(driver) == "passed" for t in seen.outcomes) else "not run"
        for driver in drivers
    ]
    lines.append(f"| version | {' | '.join(versions)} |")
    for test, outcomes in seen.outcomes.items():
        marks = [_MARKS[outcomes.get(driver, "skipped")] for driver in drivers]
        lines.append(f"| {test.replace('_', ' ')} | {' | '.join(marks)} |")
    reasons = dict.fromkeys(
        reason if reason.startswith(driver) else f"{driver}: {reason}" for (_, driver), reason in seen.reasons.items()
    )
    return (
        "\n".join(lines)
        + "\n\nA dash: the driver has no such thing, or was not there.\n\n"
        + "\n".join(f"- {reason}" for reason in reasons)
    )


def main() -> int:
    seen = Seen()
    code = pytest.main(["-n0", "-q", str(HERE / "test_tds_drivers.py")], plugins=[seen])
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n\n{table(seen)}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    return int(code)


if __name__ == "__main__":
    raise SystemExit(main())
