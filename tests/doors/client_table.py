"""The table of docs/clients.md: which client does what, made by a run of `test_tds_drivers.py` and
`test_tds_programs.py`. `make clients` runs it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tds_drivers import MARKERS, version_of  # noqa: E402
from tds_programs import PROGRAMS  # noqa: E402

PAGE = HERE.parents[1] / "docs" / "clients.md"
BEGIN, END = "<!-- clients: made by `make clients` -->", "<!-- end of clients -->"
_MARKS = {"passed": "yes", "failed": "**no**", "skipped": "–"}


class Seen:
    """Outcomes by test and driver, and the reasons of those that were skipped."""

    def __init__(self) -> None:
        self.outcomes: dict[str, dict[str, str]] = {}
        self.reasons: dict[tuple[str, str], str] = {}
        self.versions: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if (version := dict(report.user_properties).get("version")) is not None:
            self.versions[re.findall(r"\w+", report.nodeid)[-1]] = str(version)
        found = re.fullmatch(
            r".*::test_(\w+)\[(\w+)\]", re.sub(r"test_does\[(\w+)-(\w+)\]", r"test_\2[\1]", report.nodeid)
        )
        if found is None or (report.when != "call" and report.passed):
            return
        test, driver = found[1], found[2]
        self.outcomes.setdefault(test, {})[driver] = report.outcome
        if report.skipped and isinstance(report.longrepr, tuple):
            self.reasons[test, driver] = report.longrepr[2].removeprefix("Skipped: ")


def table(seen: Seen) -> str:
    drivers = [*MARKERS, *PROGRAMS]
    lines = [f"| | {' | '.join(drivers)} |", "|---" * (len(drivers) + 1) + "|"]
    for driver in MARKERS:
        if any(outcomes.get(driver) == "passed" for outcomes in seen.outcomes.values()):
            seen.versions[driver] = version_of(driver)
    versions = [seen.versions.get(driver, "not run") for driver in drivers]
    lines.append(f"| version | {' | '.join(versions)} |")
    for test, outcomes in seen.outcomes.items():
        if test == "versions":
            continue
        marks = [_MARKS[outcomes.get(driver, "skipped")] for driver in drivers]
        lines.append(f"| {test.replace('_', ' ')} | {' | '.join(marks)} |")
    rows: dict[tuple[str, str], list[str]] = {}
    for (test, driver), reason in seen.reasons.items():
        rows.setdefault((driver, reason), []).append(test.replace("_", " "))
    reasons = [f"{driver} ({', '.join(tests)}): {reason}" for (driver, reason), tests in rows.items()]
    return (
        "\n".join(lines)
        + "\n\nA dash: the driver has no such thing, or was not there; of pools only the one of pytds is tried here.\n\n"
        + "\n".join(f"- {reason}" for reason in reasons)
    )


def main() -> int:
    seen = Seen()
    code = pytest.main(
        ["-n0", "-q", *(str(HERE / f"test_tds_{kind}.py") for kind in ("drivers", "programs"))], plugins=[seen]
    )
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n\n{table(seen)}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    return int(code)


if __name__ == "__main__":
    raise SystemExit(main())
