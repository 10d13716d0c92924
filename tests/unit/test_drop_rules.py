"""DROP has one way and a rule for each kind of objects: what is not there, IF EXISTS, what
others may not drop, in every kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.catalog.kinds import KINDS, Kind, kind_named
from sbql.engine.definition.drops import DROPS
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome
from sbql.engine.session import Session

ELSEWHERE = {
    "DATABASE": "it ends transactions", "EVENT NOTIFICATION": "a statement of its own", "FUNCTION": "a module", "MASTER KEY": "it has no name",
    "PROCEDURE": "a module", "TABLE": "temp tables, locks, rows", "TRIGGER": "a module", "VIEW": "a module",
}  # fmt: skip
"""Kinds whose DROP is no rule, and why."""

CREATE = {
    "APPLICATION ROLE": "CREATE APPLICATION ROLE {} WITH PASSWORD = 'Secret-1'",
    "ASYMMETRIC KEY": "CREATE ASYMMETRIC KEY {} WITH ALGORITHM = RSA_2048 ENCRYPTION BY PASSWORD = 'Secret-1'",
    "BROKER PRIORITY": "CREATE BROKER PRIORITY {} FOR CONVERSATION SET (REMOTE_SERVICE_NAME = '{}')",
    "CERTIFICATE": "CREATE CERTIFICATE {} ENCRYPTION BY PASSWORD = 'Secret-1' WITH SUBJECT = 's'",
    "CONTRACT": "CREATE CONTRACT {} ([DEFAULT] SENT BY ANY)",
    "CREDENTIAL": "CREATE CREDENTIAL {} WITH IDENTITY = 'me', SECRET = 'Secret-1'",
    "DATABASE SCOPED CREDENTIAL": "CREATE DATABASE SCOPED CREDENTIAL {} WITH IDENTITY = 'me'",
    "ENDPOINT": "CREATE ENDPOINT {} AS TCP (LISTENER_PORT = 4023) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)",
    "LOGIN": "CREATE LOGIN {} WITH PASSWORD = 'Secret-1'",
    "MESSAGE TYPE": "CREATE MESSAGE TYPE {}",
    "PARTITION FUNCTION": "CREATE PARTITION FUNCTION {} (int) AS RANGE FOR VALUES (1)",
    "PARTITION SCHEME": "CREATE PARTITION SCHEME {} AS PARTITION F ALL TO ([PRIMARY])",
    "QUEUE": "CREATE QUEUE {}",
    "REMOTE SERVICE BINDING": "CREATE REMOTE SERVICE BINDING {} TO SERVICE '{}' WITH USER = Somebody",
    "ROLE": "CREATE ROLE {}",
    "ROUTE": "CREATE ROUTE {} WITH ADDRESS = 'LOCAL'",
    "SCHEMA": "CREATE SCHEMA {}",
    "SEQUENCE": "CREATE SEQUENCE {}",
    "SERVER ROLE": "CREATE SERVER ROLE {}",
    "SERVICE": "CREATE SERVICE {} ON QUEUE Q",
    "SYMMETRIC KEY": "CREATE SYMMETRIC KEY {} WITH ALGORITHM = AES_256 ENCRYPTION BY PASSWORD = 'Secret-1'",
    "SYNONYM": "CREATE SYNONYM {} FOR dbo.T",
    "TYPE": "CREATE TYPE {} FROM int",
    "USER": "CREATE USER {} WITHOUT LOGIN",
    "XML SCHEMA COLLECTION": "CREATE XML SCHEMA COLLECTION {} AS N'<schema xmlns=\"http://www.w3.org/2001/XMLSchema\"/>'",
}
RULES = [kind for kind in KINDS if kind.words in DROPS]
each = pytest.mark.parametrize("kind", RULES, ids=lambda kind: kind.words)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual", drop_if_exists=True)
    opened = instance.connect()
    for text in (
        "CREATE DATABASE Home",
        "USE Home",
        "CREATE USER Nobody WITHOUT LOGIN; CREATE USER Somebody WITHOUT LOGIN; CREATE QUEUE Q; CREATE PARTITION FUNCTION F (int) AS RANGE FOR VALUES ()",
    ):
        assert numbers(opened, text) == []
    yield opened
    instance.close()


def numbers(session: Session, text: str) -> list[int]:
    return [error.error.number for error in errors(session, text)]


def errors(session: Session, text: str) -> list[ErrorOutcome]:
    found: list[ErrorOutcome] = []

    def sink(outcome: Outcome) -> None:
        if isinstance(outcome, ErrorOutcome):
            found.append(outcome)

    session.instance.driver.run(session.execute(text, sink))
    return found


def test_every_kind_has_a_rule_or_a_reason() -> None:
    assert DROPS.keys() | ELSEWHERE.keys() == {kind.words for kind in KINDS}
    assert not DROPS.keys() & ELSEWHERE.keys()
    assert CREATE.keys() == DROPS.keys()


@each
def test_what_is_there_goes_and_what_is_not_is_an_error(session: Session, kind: Kind) -> None:
    name = f"the_{kind.family.lower()}"
    create = CREATE[kind.words].format(name, name)
    assert numbers(session, create) == []
    behind = [2759] if kind.words == "SCHEMA" else []
    assert numbers(session, create) == [kind.taken, *behind] if kind.words != "ENDPOINT" else True
    assert numbers(session, f"DROP {kind.words} {name}") == []
    (gone,) = errors(session, f"DROP {kind.words} {name}")
    assert gone.error.number == DROPS[kind.words].missing
    assert kind.noun in gone.error.message
    assert numbers(session, f"DROP {kind.words} IF EXISTS {name}") == []
    assert numbers(session, create) == []
    assert numbers(session, f"DROP {kind.words} IF EXISTS {name}") == []
    assert numbers(session, f"DROP {kind.words} {name}") == [DROPS[kind.words].missing]


@each
def test_to_who_may_not_drop_it_it_is_not_there(session: Session, kind: Kind) -> None:
    name = f"other_{kind.family.lower()}"
    assert numbers(session, CREATE[kind.words].format(name, name)) == []
    assert numbers(session, f"EXECUTE AS USER = 'Nobody'; DROP {kind.words} {name}; REVERT") == [
        DROPS[kind.words].missing
    ]
    assert numbers(session, f"DROP {kind.words} {name}") == []


@pytest.mark.parametrize(
    ("made", "dropped"), [("USER", "ROLE"), ("ROLE", "USER"), ("ROLE", "APPLICATION ROLE"), ("LOGIN", "SERVER ROLE")]
)
def test_principals_are_dropped_as_what_they_are(session: Session, made: str, dropped: str) -> None:
    assert numbers(session, CREATE[made].format("p", "p")) == []
    assert numbers(session, f"DROP {dropped} p") == [15151]
    assert numbers(session, f"DROP {made} p") == []
    assert kind_named(made) is not None
