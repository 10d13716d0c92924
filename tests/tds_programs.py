"""Clients of SQL Server that are no modules of Python: what runs the list of each
(tests/doors/programs), and what it needs.

A list is called with port, password, the file of the types and the number of rows, and prints a line for
each item: name, tab, what was seen.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["PROGRAMS", "Program"]

_FOLDER = Path(__file__).parent / "doors" / "programs"
_PACKAGES_OF_GO = "/usr/share/gocode"
_JTDS = os.environ.get("JTDS", "/usr/share/java/jtds.jar")
_MSSQL_JDBC = os.environ.get("MSSQL_JDBC", "")


@dataclass(frozen=True)
class Program:
    """`missing`: why it cannot run here. `version`: of one that does not say it itself."""

    command: tuple[str, ...]
    missing: Callable[[], str | None]
    environment: dict[str, str] = field(default_factory=dict)
    version: Callable[[], str] | None = None

    def run(self, *arguments: str) -> dict[str, str]:
        done = subprocess.run(
            [*self.command, *arguments], capture_output=True, text=True, timeout=110, env={**os.environ, **self.environment}
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        said = dict(line.split("\t", 1) for line in done.stdout.splitlines())
        return said if self.version is None else {"version": self.version(), **said}


def _java(jar: str, hint: str) -> Callable[[], str | None]:
    def missing() -> str | None:
        if shutil.which("java") is None:
            return "Java is not installed here"
        return None if os.path.isfile(jar) else hint

    return missing


def _no_go() -> str | None:
    if shutil.which("go") is None:
        return "Go is not installed here (golang-go)"
    there = os.path.isdir(f"{_PACKAGES_OF_GO}/src/github.com/denisenkom/go-mssqldb")
    return None if there else "its source is not installed here (golang-github-denisenkom-go-mssqldb-dev)"


def _no_node() -> str | None:
    node = shutil.which("node")
    if node is None or subprocess.run([node, "-e", "require('mssql')"], capture_output=True).returncode:
        return "Node or its module mssql is not here (npm install mssql@12 tedious@19.2; NODE_PATH says where)"
    return None


def _of_debian(package: str) -> Callable[[], str]:
    def version() -> str:
        command = ["dpkg-query", "-W", "-f", "${Version}", package]
        return subprocess.run(command, capture_output=True, text=True).stdout

    return version


def _version_of_freetds() -> str:
    said = subprocess.run(["tsql", "-C"], capture_output=True, text=True).stdout
    found = re.search(r"Version: freetds v(\S+)", said)
    return "FreeTDS" if found is None else f"FreeTDS {found[1]}"


PROGRAMS = {
    "jdbc": Program(
        ("java", "-cp", _MSSQL_JDBC, str(_FOLDER / "DriverList.java"), "microsoft"),
        _java(_MSSQL_JDBC, "mssql-jdbc.jar is not here (npm pack liquibase@4.28.1 has the jar; MSSQL_JDBC says where)"),
    ),
    "jtds": Program(
        ("java", "-cp", _JTDS, str(_FOLDER / "DriverList.java"), "jtds"),
        _java(_JTDS, "jtds.jar is not here (libjtds-java; JTDS says where)"),
    ),
    "go_mssqldb": Program(
        ("go", "run", str(_FOLDER / "driver_list.go")),
        _no_go,
        {"GO111MODULE": "off", "GOPATH": _PACKAGES_OF_GO},
        _of_debian("golang-github-denisenkom-go-mssqldb-dev"),
    ),
    "node_mssql": Program(("node", str(_FOLDER / "driver_list.js")), _no_node),
    "bsqldb": Program(
        (sys.executable, str(_FOLDER / "bsqldb_list.py")),
        lambda: None if shutil.which("bsqldb") else "FreeTDS' bsqldb is not installed here (freetds-bin)",
        version=_version_of_freetds,
    ),
}  # fmt: skip
