"""pytest's plugin, which comes with the package: instances that tests own, set up once and copied for
each test, and T-SQL scripts as tests.

It decides names, scopes and options only (docs/testing-your-application.md); what they stand for is `sbql.prepare`,
`sbql.connect`, `sbql.Network`, `sbql.serve` and `sbql.repl.testing`. It is loaded by every pytest in whose environment
sbql is, and so must not import the engine before somebody asks for it.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from sbql.dbapi import Connection
    from sbql.engine.instance import Instance
    from sbql.engine.simulated_network import Network
    from sbql.preparing import Prepared
    from sbql.serving import Server

_PREPARED = pytest.StashKey["Prepared"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sbql", "tests of Service Broker applications")
    group.addoption(
        "--sbql-setup",
        action="append",
        metavar="FILE",
        help="script that sets the application up; instead of the ini option",
    )
    group.addoption(
        "--sbql-seed", type=int, metavar="N", help="GUIDs and the order of runnable tasks; instead of the ini option"
    )
    parser.addini(
        "sbql_setup", "scripts that set the application up, from the folder of the ini file", type="paths", default=[]
    )
    parser.addini(
        "sbql_variables", "scripting variables of scripts, NAME=VALUE, one a line", type="linelist", default=[]
    )
    parser.addini("sbql_seed", "GUIDs and the order of runnable tasks (0)", default="0")
    parser.addini("sbql_start", "when the virtual clock begins, in UTC (2026-01-01)", default="")
    parser.addini(
        "sbql_scripts",
        "names of T-SQL scripts that are collected if they have expectations",
        type="args",
        default=["test_*.sql"],
    )


# --- what options say ----------------------------------------------------------------------------------------


def _seed(config: pytest.Config) -> int:
    given = config.getoption("--sbql-seed")
    return int(config.getini("sbql_seed") if given is None else given)


def _start(config: pytest.Config) -> datetime | None:
    text = str(config.getini("sbql_start"))
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        raise pytest.UsageError(f"sbql_start is a date such as 2008-01-31 or 2008-01-31T12:00, not {text!r}") from None


def _variables(config: pytest.Config) -> dict[str, str]:
    lines: list[str] = config.getini("sbql_variables")
    if any("=" not in line for line in lines):
        raise pytest.UsageError(f"sbql_variables has lines NAME=VALUE, not {lines!r}")
    return dict(line.split("=", 1) for line in lines)


def _setup(config: pytest.Config) -> list[Path]:
    given: list[str] | None = config.getoption("--sbql-setup")
    found: list[Path] = (
        config.getini("sbql_setup") if given is None else [config.invocation_params.dir / name for name in given]
    )
    return found


def _prepared(config: pytest.Config) -> Prepared:
    """The application, set up when it is asked for first; it stays until the run ends."""
    if _PREPARED not in config.stash:
        from sbql.preparing import prepare

        made = prepare(*_setup(config), seed=_seed(config), start=_start(config), variables=_variables(config))
        config.stash[_PREPARED] = made
        config.add_cleanup(made.close)
    return config.stash[_PREPARED]


# --- fixtures ------------------------------------------------------------------------------------------------


class Clock:
    """The virtual clock of a connection's instance."""

    def __init__(self, connection: Connection, instance: Instance) -> None:
        self._connection = connection
        self._instance = instance

    @property
    def now(self) -> datetime:
        """UTC."""
        return datetime(1970, 1, 1) + timedelta(seconds=self._instance.host.now())

    def advance(self, time: float | timedelta) -> None:
        """Move on by seconds or a timedelta, stopping at each deadline on the way."""
        self._connection.advance(time)

    def settle(self) -> None:
        """What is to be done now is done; the clock stands still."""
        self._connection.settle()


@pytest.fixture(scope="session")
def sbql_prepared(pytestconfig: pytest.Config) -> Prepared:
    """The application as the set-up scripts leave it. A test module that needs
    another one has a fixture of this name."""
    return _prepared(pytestconfig)


@pytest.fixture
def sbql_connection(sbql_prepared: Prepared) -> Iterator[Connection]:
    """A connection to an instance of the test's own, in the database in which the set-up ended."""
    with sbql_prepared.connect() as connection:
        yield connection


@pytest.fixture
def sbql_connect(sbql_connection: Connection) -> Iterator[Callable[..., Connection]]:
    """Makes further connections to the test's instance: sbql_connect(database), with `login` and
    `autocommit` as for sbql.connect."""
    from sbql.connecting import connect

    made: list[Connection] = []

    def further(database: str | None = None, **options: Any) -> Connection:
        found = connect(
            None, database or sbql_connection.session.database_name, instance=sbql_connection.instance, **options
        )
        made.append(found)
        return found

    yield further
    for connection in made:
        connection.close()


@pytest.fixture
def sbql_instance(sbql_connection: Connection) -> Instance:
    """The test's instance."""
    from sbql.engine.instance import Instance

    instance = sbql_connection.instance
    assert isinstance(instance, Instance)
    return instance


@pytest.fixture
def sbql_clock(sbql_connection: Connection, sbql_instance: Instance) -> Clock:
    """The clock of the test's instance, which stands still until somebody moves it."""
    return Clock(sbql_connection, sbql_instance)


@pytest.fixture
def sbql_network(pytestconfig: pytest.Config) -> Iterator[Network]:
    """Instances that talk to each other over a clock that the test owns (docs/network.md)."""
    from sbql.engine.simulated_network import Network

    with Network(seed=_seed(pytestconfig)) as network:
        yield network


@pytest.fixture
def sbql_server(sbql_connection: Connection) -> Iterator[Server]:
    """The test's instance, served to other processes and, by password, to SQL Server's
    clients: `endpoints`, `sa_password`."""
    from sbql.serving import serve

    with serve(sbql_connection, listen="127.0.0.1:0", sa_password="Secret-1234") as server:
        yield server


# --- T-SQL scripts -------------------------------------------------------------------------------------------


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    patterns: list[str] = parent.config.getini("sbql_scripts")
    if file_path.suffix.lower() != ".sql" or not any(fnmatch.fnmatch(file_path.name, pattern) for pattern in patterns):
        return None
    from sbql.repl.testing.collecting import has_expectations

    return _ScriptFile.from_parent(parent, path=file_path) if has_expectations(file_path) else None


class _ScriptFile(pytest.File):
    def collect(self) -> Iterable[pytest.Item]:
        yield _ScriptItem.from_parent(self, name="script")


class _ScriptItem(pytest.Item):
    def runtest(self) -> None:
        """On a copy of the application. Raises ScriptFailure."""
        from sbql.repl.testing import run_script

        config = self.config
        prepared = _prepared(config)

        def opened(path: str | None, seed: int) -> Instance:
            return prepared.open(path, seed=None if seed == _seed(config) else seed)

        run_script(self.path, seed=_seed(config), open_instance=opened, variables=_variables(config))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What the script expected and got, without Python's frames."""
        from sbql.repl.testing import ScriptFailure

        error = excinfo.value
        if not isinstance(error, ScriptFailure) or error.__cause__ is not None:
            return super().repr_failure(excinfo, style)
        return str(error) + "".join(f"\n{line}" for line in error.log)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.path.name
