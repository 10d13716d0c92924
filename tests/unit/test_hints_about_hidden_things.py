"""What an error says beside its text tells nobody of things that he may not see: to him a thing without rights is as
one that is not there. Who sees it is told that a permission is missing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

_THINGS = {
    "SERVICE": ("thing", "CREATE SERVICE thing ON QUEUE dbo.base"),
    "MESSAGE TYPE": ("thing", "CREATE MESSAGE TYPE thing"),
    "CONTRACT": ("thing", "CREATE CONTRACT thing ([DEFAULT] SENT BY ANY)"),
    "QUEUE": ("thing_q", "CREATE QUEUE thing_q"),
    "ROUTE": ("thing", "CREATE ROUTE thing WITH ADDRESS = 'LOCAL'"),
    "REMOTE SERVICE BINDING": ("thing", "CREATE REMOTE SERVICE BINDING thing TO SERVICE 'x' WITH USER = owner"),
    "BROKER PRIORITY": ("thing", "CREATE BROKER PRIORITY thing FOR CONVERSATION"),
    "TABLE": ("thing_t", "CREATE TABLE thing_t (a int)"),
    "VIEW": ("thing_v", "CREATE VIEW thing_v AS SELECT 1 AS a"),
    "PROCEDURE": ("thing_p", "CREATE PROCEDURE thing_p AS SELECT 1"),
    "FUNCTION": ("thing_f", "CREATE FUNCTION thing_f () RETURNS int AS BEGIN RETURN 1 END"),
    "TRIGGER": ("thing_g", "CREATE TRIGGER thing_g ON thing_t AFTER INSERT AS PRINT 'x'"),
    "TYPE": ("thing", "CREATE TYPE thing FROM int"),
    "SEQUENCE": ("thing_s", "CREATE SEQUENCE thing_s"),
    "SYNONYM": ("thing_y", "CREATE SYNONYM thing_y FOR dbo.base"),
    "CERTIFICATE": ("thing", "CREATE CERTIFICATE thing ENCRYPTION BY PASSWORD = 'x-1' WITH SUBJECT = 'x'"),
    "SYMMETRIC KEY": ("thing", "CREATE SYMMETRIC KEY thing WITH ALGORITHM = AES_256 ENCRYPTION BY PASSWORD = 'x-1'"),
    "USER": ("thing_u", "CREATE USER thing_u WITHOUT LOGIN"),
    "ROLE": ("thing_r", "CREATE ROLE thing_r"),
    "SCHEMA": ("thing", "CREATE SCHEMA thing"),
    "XML SCHEMA COLLECTION": ("thing", "CREATE XML SCHEMA COLLECTION thing AS '<schema xmlns=\"http://www.w3.org/2001/XMLSchema\"/>'"),
}  # fmt: skip
"""Kind -> name, and the statement that makes one."""
_ABSENT = "absent"
_OF_SCHEMAS = ("QUEUE", "TABLE", "VIEW", "PROCEDURE", "FUNCTION", "SEQUENCE", "SYNONYM", "TRIGGER")


@pytest.fixture(scope="module")
def instance() -> Iterator[Instance]:
    opened = Instance.open(clock="virtual", seed=1)
    admin = opened.connect()
    admin.run("CREATE DATABASE D; CREATE LOGIN blind WITH PASSWORD = 'x-1'; CREATE LOGIN seeing WITH PASSWORD = 'x-1'")
    admin.run(
        "USE D; CREATE QUEUE base; CREATE USER owner WITHOUT LOGIN; CREATE USER blind; CREATE USER seeing; GRANT VIEW DEFINITION TO seeing"
    )
    for _, text in _THINGS.values():
        assert not [o for o in admin.run(text) if isinstance(o, ErrorOutcome)], text
    yield opened
    opened.close()


def _told(instance: Instance, login: str, text: str) -> tuple[int, str]:
    session: Session = instance.connect(login=login, database="D")
    try:
        (error,) = (o.error for o in session.run(text) if isinstance(o, ErrorOutcome))
    finally:
        session.close()
    return error.number, error.message


@pytest.mark.parametrize("kind", _THINGS)
def test_a_hidden_thing_is_as_one_that_is_not_there(instance: Instance, kind: str) -> None:
    name = _THINGS[kind][0]
    number, text = _told(instance, "blind", f"DROP {kind} {name}")
    assert (number, text.replace(name, _ABSENT)) == _told(instance, "blind", f"DROP {kind} {_ABSENT}")
    assert "It is there" not in text
    assert "which cannot stand here" not in text


@pytest.mark.parametrize(
    "kind",
    [kind for kind, (name, _) in _THINGS.items() if name == "thing" and kind not in ("TYPE", "XML SCHEMA COLLECTION")],
)
def test_who_sees_it_is_told_what_is_missing(instance: Instance, kind: str) -> None:
    number, text = _told(instance, "seeing", f"DROP {kind} thing")
    assert number == 15151
    assert "It is there: what you lack is the permission." in text


_ALTERED = {
    "ALTER VIEW": ("thing_v", "ALTER VIEW {} AS SELECT 2 AS a"),
    "CREATE OR ALTER VIEW": ("thing_v", "CREATE OR ALTER VIEW {} AS SELECT 2 AS a"),
    "ALTER PROCEDURE": ("thing_p", "ALTER PROCEDURE {} AS SELECT 2"),
    "CREATE OR ALTER PROCEDURE": ("thing_p", "CREATE OR ALTER PROCEDURE {} AS SELECT 2"),
    "ALTER FUNCTION": ("thing_f", "ALTER FUNCTION {} () RETURNS int AS BEGIN RETURN 2 END"),
    "ALTER TRIGGER": ("thing_g", "ALTER TRIGGER {} ON thing_t AFTER INSERT AS PRINT 'x'"),
    **{f"DROP {kind}": (name, f"DROP {kind} {{}}") for kind, (name, _) in _THINGS.items() if kind in _OF_SCHEMAS},
}
"""What is 3701 without a right."""


@pytest.mark.parametrize("statement", _ALTERED)
def test_who_sees_a_thing_of_a_schema_is_told_what_is_missing(instance: Instance, statement: str) -> None:
    thing, text = _ALTERED[statement]
    for name in (thing, f"dbo.{thing}", f"[dbo].[{thing}]", *([f"D.dbo.{thing}"] if "DROP" in statement else [])):
        number, told = _told(instance, "seeing", text.format(name))
        assert number == 3701
        assert told.endswith("It is there: what you lack is the permission.")


@pytest.mark.parametrize(
    "wrong", [("VIEW", "thing_t", "table"), ("QUEUE", "thing_v", "view"), ("PROCEDURE", "thing_f", "function")]
)
def test_a_thing_of_another_kind_cannot_stand_there(instance: Instance, wrong: tuple[str, str, str]) -> None:
    kind, name, noun = wrong
    for login in ("seeing", "sa"):
        number, told = _told(instance, login, f"DROP {kind} {name}")
        assert number == 3701
        assert f"is a {noun}, which cannot stand here." in told
        assert "what you lack" not in told


def test_a_trigger_of_another_table_is_there_but_not_here(instance: Instance) -> None:
    number, told = _told(instance, "sa", "CREATE TABLE other_t (a int); DISABLE TRIGGER thing_g ON other_t")
    assert number == 3701
    assert told.endswith("There is one of that name, but not one for this statement.")


def test_priorities_are_shown_to_who_may_see_definitions(instance: Instance) -> None:
    for login, number in (("blind", 0), ("seeing", 1)):
        session = instance.connect(login=login, database="D")
        (rows,) = (
            o.rows for o in session.run("SELECT name FROM sys.conversation_priorities") if isinstance(o, ResultSet)
        )
        assert len(rows) == number
        session.close()
