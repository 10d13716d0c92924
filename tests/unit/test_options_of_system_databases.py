"""Which options of a system database can be set: the tables "Database Options" on SQL Server's page of each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet

_BROKER = ("ENABLE_BROKER", "DISABLE_BROKER", "NEW_BROKER", "ERROR_BROKER_CONVERSATIONS")
_STATES = ("OFFLINE", "READ_ONLY")
_FIXED = {
    "master": (
        *_BROKER, *_STATES, "SINGLE_USER", "RESTRICTED_USER", "AUTO_CLOSE ON", "AUTO_SHRINK ON", "CHANGE_TRACKING = ON", "DB_CHAINING OFF",
        "READ_COMMITTED_SNAPSHOT ON",
    ),
    "model": (*_BROKER, *_STATES, "TRUSTWORTHY ON", "TRUSTWORTHY OFF", "DB_CHAINING ON", "CHANGE_TRACKING = ON"),
    "msdb": (*_STATES, "CHANGE_TRACKING = ON", "READ_COMMITTED_SNAPSHOT ON"),
    "tempdb": (
        *_STATES, "SINGLE_USER", "RESTRICTED_USER", "AUTO_CLOSE ON", "AUTO_SHRINK ON", "CHANGE_TRACKING = ON", "DB_CHAINING ON",
        "READ_COMMITTED_SNAPSHOT ON", "RECOVERY FULL", "TRUSTWORTHY ON",
    ),
}  # fmt: skip
_FREE = {
    "master": ("TRUSTWORTHY ON", "TRUSTWORTHY OFF", "AUTO_CREATE_STATISTICS ON", "ANSI_NULLS OFF", "RECOVERY SIMPLE"),
    "model": ("ALLOW_SNAPSHOT_ISOLATION OFF", "AUTO_CLOSE OFF", "AUTO_SHRINK OFF", "READ_COMMITTED_SNAPSHOT OFF", "RECOVERY FULL"),
    "msdb": (
        "DISABLE_BROKER WITH ROLLBACK IMMEDIATE", "ENABLE_BROKER", "NEW_BROKER", "SINGLE_USER", "MULTI_USER", "TRUSTWORTHY OFF", "TRUSTWORTHY ON",
        "DB_CHAINING ON", "RECOVERY SIMPLE",
    ),
    "tempdb": ("ALLOW_SNAPSHOT_ISOLATION OFF", "ANSI_NULLS OFF", "ENABLE_BROKER"),
}  # fmt: skip
_SHOWN = "SELECT * FROM sys.databases ORDER BY name"


@pytest.fixture(scope="module")
def instance() -> Iterator[Instance]:
    opened = Instance.open(clock="virtual", seed=1)
    yield opened
    opened.close()


def _told(instance: Instance, text: str) -> tuple[list[int], list[tuple[object, ...]]]:
    """Numbers of errors, and rows, by a session in a database of its own."""
    session = instance.connect(database="master")
    try:
        outcomes = session.run(text)
    finally:
        session.close()
    errors = [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)]
    return errors, [tuple(row) for o in outcomes if isinstance(o, ResultSet) for row in o.rows]


@pytest.mark.parametrize(("database", "option"), [(name, option) for name, fixed in _FIXED.items() for option in fixed])
@pytest.mark.spec("IDENTITY-18")
def test_it_cannot_be_set(instance: Instance, database: str, option: str) -> None:
    before = _told(instance, _SHOWN)
    assert _told(instance, f"ALTER DATABASE {database} SET {option}") == ([5058], [])
    assert _told(instance, _SHOWN) == before


@pytest.mark.parametrize(("database", "option"), [(name, option) for name, free in _FREE.items() for option in free])
def test_it_can_be_set(instance: Instance, database: str, option: str) -> None:
    assert _told(instance, f"ALTER DATABASE {database} SET {option}") == ([], [])
