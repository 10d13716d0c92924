"""The table of the kinds of objects is complete, against the record classes, the grammar, the event types and the
catalog relations; and what asks it knows every kind."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest

from sbql.catalog.event_types import EVENT_TYPES
from sbql.catalog.kinds import KINDS, SCHEMA_OBJECTS, Kind, kind_named, kind_of, kind_of_class, object_type
from sbql.catalog.object_codec import RECORD_CLASSES
from sbql.catalog.object_rows import TYPE_NAMES
from sbql.catalog.permission_codes import CLASS_NAMES, permission_code
from sbql.catalog.records import Module, Principal, SchemaObject
from sbql.catalog.relations import CATALOG_RELATIONS
from sbql.catalog.views import system_view
from sbql.engine.definition.ddl_events import is_definition
from sbql.engine.security.permissions import PARENTS, PERMISSIONS
from sbql.grammar import ast
from sbql.grammar.messages import all_messages
from sbql.grammar.parser import check, parse_batch
from sbql.grammar.syntax_errors import LISTED_IN

PARTS = {"ExtendedProperty", "MonologSubscription", "Permission", "RoleMember", "ServiceMasterKey", "Signature"}
"""Records that are part of something, or that no CREATE makes."""

NO_KIND = {"CreateIndexStatement"}
SCOPED = "DATABASE SCOPED CREDENTIAL"
"""Made by the statement of the other kind of credentials; sys.event_notification_event_types has no event of it."""
ROLES = {"ROLE", "APPLICATION ROLE", "SERVER ROLE"}

each = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.words)


def test_every_record_class_is_a_kind_or_part_of_one() -> None:
    assert {cls.__name__ for cls in (kind.record for kind in KINDS)} | PARTS == RECORD_CLASSES.keys()
    assert {name for name, cls in RECORD_CLASSES.items() if kind_of_class(cls) is None} == PARTS


def test_names_are_unique() -> None:
    assert [words for words, count in Counter(kind.words for kind in KINDS).items() if count > 1] == []
    relations = [kind.relation for kind in KINDS if kind.relation]
    assert len(set(relations)) == len(relations)
    numbers = [number for kind in KINDS for number in kind.events[2:] if number is not None]
    assert len(set(numbers)) == len(numbers)


@each
def test_the_grammar_makes_and_drops_it(kind: Kind) -> None:
    noun = "Role" if kind.words in ROLES else kind.words.removeprefix("DATABASE SCOPED ").title().replace(" ", "")
    assert {f"Create{noun}Statement", f"{noun}Statement"} & set(dir(ast))
    named = {"MASTER KEY": "", "EVENT NOTIFICATION": "n ON DATABASE"}.get(kind.words, "n")
    assert check(f"DROP {kind.words} {named}") == []
    (statement,) = parse_batch(f"DROP {kind.words} {named}").statements
    assert is_definition(statement)


def test_every_create_statement_makes_a_kind() -> None:
    made = {name for name in dir(ast) if name.startswith("Create") and name.endswith("Statement")} - NO_KIND
    nouns = {kind.words.title().replace(" ", "") for kind in KINDS}
    assert {name.removeprefix("Create").removesuffix("Statement") for name in made} <= nouns


@each
def test_securables_take_their_permissions(kind: Kind) -> None:
    if not kind.securable:
        assert kind.permissions == ()
        return
    assert PERMISSIONS[kind.securable] == kind.permissions
    assert PARENTS[kind.securable] == kind.parent
    assert kind.code in CLASS_NAMES
    for permission in kind.permissions:
        assert permission_code(permission)
        assert check(f"GRANT {permission} ON {kind.securable}::n TO p") == []


@each
def test_events_are_those_of_its_family(kind: Kind) -> None:
    if kind.words == SCOPED:
        assert kind.events == ()
        return
    group, above, *numbers = kind.events
    assert len(numbers) == 3
    assert group in (number for number, _ in EVENT_TYPES.values())
    assert above in (number for number, _ in EVENT_TYPES.values())
    for verb, number in zip(("CREATE", "ALTER", "DROP"), numbers, strict=True):
        assert EVENT_TYPES.get(f"{verb}_{kind.family}") == ((number, group) if number is not None else None)


@each
def test_its_relation_shows_fields_of_its_record(kind: Kind) -> None:
    if kind.relation:
        columns, _ = CATALOG_RELATIONS[f"catalog_{kind.relation}"]
        assert {name for name, _ in columns} <= set(kind.record.__struct_fields__)
    else:
        assert not kind.fields


@each
def test_messages_know_it(kind: Kind) -> None:
    assert kind.taken in all_messages()
    if kind.words in LISTED_IN:
        schema, _, view = LISTED_IN[kind.words].partition(".")
        assert system_view(schema, view) is not None


def test_what_is_listed_is_a_kind() -> None:
    assert [words for words in LISTED_IN if kind_named(words) is None] == []


@pytest.mark.parametrize(
    ("type_", "database_id", "words"),
    [("S", 5, "USER"), ("U", 5, "USER"), ("C", 5, "USER"), ("K", 5, "USER"), ("R", 5, "ROLE"), ("A", 5, "APPLICATION ROLE"), ("S", 0, "LOGIN"),
     ("U", 0, "LOGIN"), ("C", 0, "LOGIN"), ("K", 0, "LOGIN"), ("R", 0, "SERVER ROLE")],
)  # fmt: skip
def test_principals_are_of_six_kinds(type_: str, database_id: int, words: str) -> None:
    assert kind_of(Principal(id=7, database_id=database_id, name="p", type=type_)) is kind_named(words)


@pytest.mark.parametrize(
    ("type_", "words"),
    [("P", "PROCEDURE"), ("FN", "FUNCTION"), ("IF", "FUNCTION"), ("TF", "FUNCTION"), ("V", "VIEW"), ("TR", "TRIGGER")],
)
def test_modules_are_of_four_kinds(type_: str, words: str) -> None:
    record = Module(id=7, database_id=1, name="m", schema_id=1, type=type_, definition="")
    assert kind_of(record) is kind_named(words)
    assert object_type(record) == type_


def test_schema_objects_have_a_type_in_sys_objects() -> None:
    assert set(SCHEMA_OBJECTS) == set(get_args(SchemaObject))
    assert {own for kind in KINDS if kind.securable == "OBJECT" for own in kind.types} <= TYPE_NAMES.keys()
