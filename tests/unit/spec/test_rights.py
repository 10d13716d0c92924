"""Each permission of docs/spec can be granted on its class, gives nothing before that, and follows from the one named
after the arrow.

- RIGHT-3: CONTRACT: ALTER <- ALTER ANY CONTRACT
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from spec import Fact, facts

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.security.permissions import PERMISSIONS
from sbql.engine.session import Session

RIGHTS = facts("RIGHT")
SHAPE = re.compile(r"(?P<kind>[A-Z ]+): (?P<permission>[A-Z ]+) <- (?P<above>[A-Z ]+)$")
ON = {"QUEUE": "OBJECT::dbo.Q", "DATABASE": "", "SERVER": "", "ENDPOINT": "ENDPOINT::E"}
NAMES = {
    "CONTRACT": "C",
    "MESSAGE TYPE": "M",
    "SERVICE": "S",
    "ROUTE": "R",
    "REMOTE SERVICE BINDING": "B",
    "QUEUE": "dbo.Q",
    "ENDPOINT": "E",
}

SETUP = """
CREATE DATABASE Rights;
GO
USE Rights;
CREATE USER Owner1 WITHOUT LOGIN;
CREATE MESSAGE TYPE M; CREATE CONTRACT C (M SENT BY ANY); CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q (C);
CREATE ROUTE R WITH ADDRESS = 'LOCAL'; CREATE REMOTE SERVICE BINDING B TO SERVICE 'far' WITH USER = Owner1;
CREATE LOGIN Ann WITH PASSWORD = 'x'; CREATE USER Ann FOR LOGIN Ann;
CREATE ENDPOINT E AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
"""


def run(session: Session, text: str) -> list[tuple[object, ...]]:
    outcomes = session.run(text)
    errors = [o.error for o in outcomes if isinstance(o, ErrorOutcome)]
    assert not errors, (text, errors)
    return [row for o in outcomes if isinstance(o, ResultSet) for row in o.rows]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    opened = instance.connect()
    for batch in SETUP.split("GO\n"):
        run(opened, batch)
    yield opened
    instance.close()


def parts(fact: Fact) -> tuple[str, str, str]:
    found = SHAPE.match(fact.text)
    assert found is not None, f"{fact.id} is not of the shape CLASS: PERMISSION <- PERMISSION"
    return found["kind"], found["permission"], found["above"]


def has(session: Session, kind: str, permission: str) -> object:
    name = f"'{NAMES[kind]}'" if kind in NAMES else "NULL"
    word = {"QUEUE": "'OBJECT'", "SERVER": "NULL"}.get(kind, f"'{kind}'")
    run(session, "USE Rights; EXECUTE AS LOGIN = 'Ann'")
    try:
        return run(session, f"SELECT HAS_PERMS_BY_NAME({name}, {word}, '{permission}')")[0][0]
    finally:
        run(session, "REVERT")


@pytest.mark.parametrize("fact", RIGHTS, ids=str)
def test_it_is_granted_and_implied(fact: Fact, session: Session) -> None:
    kind, permission, above = parts(fact)
    on_server = kind in ("SERVER", "ENDPOINT")
    target = ON.get(kind, f"{kind}::{NAMES.get(kind)}")
    run(session, "USE master" if on_server else "USE Rights")
    assert has(session, kind, permission) == 0
    for granted, where in ((permission, f"ON {target}" if target else ""), (above, "")):
        run(session, "USE master" if on_server else "USE Rights")
        run(session, f"GRANT {granted} {where} TO Ann")
        assert has(session, kind, permission) == 1, granted
        run(session, "USE master" if on_server else "USE Rights")
        run(session, f"REVOKE {granted} {where} FROM Ann")
        assert has(session, kind, permission) == 0, granted


@pytest.mark.parametrize("kind", ["CONTRACT", "MESSAGE TYPE", "SERVICE", "ROUTE", "REMOTE SERVICE BINDING", "ENDPOINT"])
def test_there_are_no_other_permissions(kind: str) -> None:
    assert {parts(f)[1] for f in RIGHTS if parts(f)[0] == kind} == set(PERMISSIONS[kind])
