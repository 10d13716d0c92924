"""What the system has keeps its owner, whoever asks: each built-in record of each database that ALTER AUTHORIZATION can
name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.catalog.kinds import kind_of, securable_kinds
from sbql.catalog.records import Principal, Schema
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

_KEPT_SCHEMAS = ("dbo", "sys", "INFORMATION_SCHEMA")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual", seed=1)
    opened = instance.connect()
    opened.run("CREATE DATABASE D; CREATE LOGIN lg WITH PASSWORD = 'x-1'; USE D; CREATE USER lo WITHOUT LOGIN")
    opened.run("USE msdb; CREATE USER lo WITHOUT LOGIN")
    yield opened
    instance.close()


def _statements(session: Session, database: str) -> Iterator[tuple[str, int]]:
    """Each statement about a built-in record, and its error."""
    session.run(f"USE {database}")
    classes = {kind.record: word for word, kind in securable_kinds().items()}
    for record in session.catalog.records():
        is_here = record.database_id == session.database_id
        if is_here and record.is_ms_shipped and kind_of(record) is not None:
            word = classes.get(type(record), "OBJECT")
            yield f"ALTER AUTHORIZATION ON {word}::[{record.name}] TO lo", 9663
        elif is_here and isinstance(record, Principal) and (record.is_fixed_role or record.name == "public"):
            yield f"ALTER AUTHORIZATION ON ROLE::[{record.name}] TO lo", 15150
        elif is_here and isinstance(record, Schema) and record.name in _KEPT_SCHEMAS:
            yield f"ALTER AUTHORIZATION ON SCHEMA::[{record.name}] TO lo", 15150


@pytest.mark.spec("SYSTEM-19")
@pytest.mark.parametrize("database", ["D", "msdb"])
def test_it_is_refused_and_nothing_changes(session: Session, database: str) -> None:
    cases = dict(_statements(session, database))
    assert len([number for number in cases.values() if number == 9663]) > 20
    assert len([number for number in cases.values() if number == 15150]) > 10
    before = session.catalog
    for text, number in cases.items():
        errors = [o.error.number for o in session.run(text) if isinstance(o, ErrorOutcome)]
        assert errors == [number], text
    assert session.catalog is before


@pytest.mark.spec("SYSTEM-19")
@pytest.mark.parametrize("database", ["master", "model", "tempdb"])
def test_three_databases_keep_their_owner(session: Session, database: str) -> None:
    text = f"USE {database}; ALTER AUTHORIZATION ON DATABASE::{database} TO lg"
    assert [o.error.number for o in session.run(text) if isinstance(o, ErrorOutcome)] == [15109]


def test_what_users_made_gets_another_owner(session: Session) -> None:
    made = "USE D; CREATE MESSAGE TYPE M; CREATE ROLE r; ALTER AUTHORIZATION ON MESSAGE TYPE::M TO lo; ALTER AUTHORIZATION ON ROLE::r TO lo; "
    more = "ALTER AUTHORIZATION ON ROUTE::AutoCreatedLocal TO lo; ALTER AUTHORIZATION ON DATABASE::D TO lg"
    assert [o.error.number for o in session.run(made + more) if isinstance(o, ErrorOutcome)] == []
