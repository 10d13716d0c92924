"""SQLAlchemy's own tests of a dialect and of SQL Server, against a served store; the table of
docs/clients.md. `make sqlalchemy-suite` runs it.

The tests are those of the source package of the SQLAlchemy that is installed: test_suite.py, which every dialect runs,
and test/dialect/mssql. Each test that fails must have a reason in sqlalchemy_suite.tsv, and each reason a test that
fails, but for those of now and then.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tds_drivers import odbc_driver, skip_unless_there, version_of  # noqa: E402

import sbql  # noqa: E402

ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "clients.md"
BEGIN, END = "<!-- sqlalchemy: made by `make sqlalchemy-suite` -->", "<!-- end of sqlalchemy -->"
PASSWORD = "Secret-1234"
DRIVERS = {"pymssql": "pymssql", "pyodbc": "msodbcsql", "mssqlpython": "mssql_python"}
_TRUSTING = "?TrustServerCertificate=yes"


@dataclass
class Result:
    """What a run of the tests with one driver came to; `broken` are the tests that failed, by name."""

    counts: Counter[str] = field(default_factory=Counter)
    broken: set[str] = field(default_factory=set)


def sources() -> Path:
    """The source package of the installed SQLAlchemy, fetched once."""
    number = version("sqlalchemy")
    folder = ROOT / "build" / "sqlalchemy-suite"
    found = folder / f"sqlalchemy-{number}"
    if not found.exists():
        asked = [
            "download",
            "--quiet",
            "--no-deps",
            "--no-binary",
            ":all:",
            "--dest",
            str(folder),
            f"sqlalchemy=={number}",
        ]
        subprocess.run([sys.executable, "-m", "pip", *asked], check=True)
        with tarfile.open(folder / f"sqlalchemy-{number}.tar.gz") as packed:
            packed.extractall(folder, filter="data")
    return found


def address(driver: str, port: int) -> str:
    """The URL of the driver's own database. Skips when the driver is not here."""
    skip_unless_there(DRIVERS[driver])
    options = "" if driver == "pymssql" else _TRUSTING
    if driver == "pyodbc":
        options += f"&driver={quote(odbc_driver('msodbcsql'))}"
    return f"mssql+{driver}://sa:{PASSWORD}@127.0.0.1:{port}/suite_{driver}{options}"


def prepare(server: sbql.Server, driver: str) -> None:
    """A database as SQLAlchemy's README.unittests wants it."""
    session = server.instance.connect()
    name = f"suite_{driver}"
    for text in (
        f"CREATE DATABASE {name}", f"ALTER DATABASE {name} SET ALLOW_SNAPSHOT_ISOLATION ON", f"ALTER DATABASE {name} SET READ_COMMITTED_SNAPSHOT ON",
        f"USE {name}", "CREATE SCHEMA test_schema", "CREATE SCHEMA test_schema_2",
    ):  # fmt: skip
        session.run(text)
    session.close()


def run(folder: Path, driver: str, url: str, chosen: list[str]) -> Result:
    report = folder.parent / f"{driver}.xml"
    log = folder.parent / f"{driver}.txt"
    options = ["-p", "no:sbql", "-p", "no:cacheprovider", "-q", "--tb=short", "--maxfail=1000", f"--junitxml={report}"]
    options += ["-o", "addopts=-p warnings -p logging --strict-markers", "--dburi", url, *chosen]
    tests = ["test/dialect/test_suite.py", "test/dialect/mssql", "--ignore=test/dialect/mssql/test_compiler.py"]
    with log.open("w", encoding="utf-8") as told:
        # -s: without the user's packages, which is how SQLAlchemy's conftest.py is told to take the installed one.
        subprocess.run(
            [sys.executable, "-s", "-m", "pytest", *options, *tests], cwd=folder, stdout=told, stderr=subprocess.STDOUT
        )
    return read(report)


def read(report: Path) -> Result:
    """The outcomes in a JUnit report. A test that fails and whose teardown fails, too, counts once."""
    found: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{re.sub(r'_mssql.*', '', case.get('classname', '').rsplit('.', 1)[-1])}.{case.get('name')}"
        kinds = {part.tag for part in case}
        outcome = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        found[name] = "failed" if "failed" in (outcome, found.get(name)) else outcome
    return Result(Counter(found.values()), {name for name, outcome in found.items() if outcome == "failed"})


def reasons() -> dict[str, str]:
    lines = (HERE / "sqlalchemy_suite.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


def table(results: dict[str, Result | str]) -> str:
    """Counts by driver, then the reasons with their tests."""
    lines = [
        f"SQLAlchemy {version('sqlalchemy')}.",
        "",
        "| | driver | passed | failed | skipped by SQLAlchemy |",
        "|---|---|---|---|---|",
    ]
    for driver, result in results.items():
        if isinstance(result, str):
            lines.append(f"| mssql+{driver} | {result} | – | – | – |")
        else:
            counts = result.counts
            shown = f"{counts['passed']} | {counts['failed']} | {counts['skipped']}"
            lines.append(f"| mssql+{driver} | {version_of(DRIVERS[driver])} | {shown} |")
    lines += ["", "Those that fail:", ""]
    lines += [f"- `{pattern}`: {reason}" for pattern, reason in reasons().items()]
    return "\n".join(lines)


def complaints(results: dict[str, Result | str]) -> list[str]:
    """Failures without a reason, and reasons without a failure."""
    broken = {f"{name} ({driver})": name for driver, r in results.items() if isinstance(r, Result) for name in r.broken}
    known = reasons()
    found = [f"no reason: {shown}" for shown, name in broken.items() if not any(fnmatch(name, p) for p in known)]
    always = [pattern for pattern, reason in known.items() if not reason.startswith("now and then")]
    return found + [f"passes now: {p}" for p in always if not any(fnmatch(name, p) for name in broken.values())]


def main(chosen: list[str]) -> int:
    folder = sources()
    results: dict[str, Result | str] = {}
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        for driver in DRIVERS:
            try:
                url = address(driver, server.endpoints[1].port)
            except pytest.skip.Exception as skipped:
                results[driver] = str(skipped)
                continue
            prepare(server, driver)
            results[driver] = run(folder, driver, url, chosen)
            print(driver, results[driver], flush=True)
    found = complaints(results) if not chosen else []
    print(*found, sep="\n")
    if not chosen:
        head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(f"{head}{BEGIN}\n\n{table(results)}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
