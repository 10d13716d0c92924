"""What comes from another instance (reference 8.6): why a message is taken, told back, or dropped, with the number of the trace (12.4)."""

from __future__ import annotations

from uuid import UUID

import msgspec
import pytest

from sbql.catalog.records import Database, Permission, Route
from sbql.engine.broker import remote
from sbql.engine.broker.arrival import Kind
from sbql.engine.broker.incoming import Incoming, Security
from sbql.grammar.messages import all_messages

CONTRACT, RIGHT, BOTH, AWAY = "//contract", "//right", "//both", "//away"
HERE, NEIGHBOUR, THERE, NOBODY = UUID(int=0x5A), UUID(int=0x6A), UUID(int=0x7A), UUID(int=0x8A)
KEY, OTHER_KEY = UUID(int=0x90), UUID(int=0x91)
FIRST = Incoming(
    UUID(int=0xC1), True, RIGHT, HERE, AWAY, THERE, Kind.MESSAGE, 0, BOTH, CONTRACT, UUID(int=0xD1), body=b"first"
)
UNDELIVERABLE = [11209, 11210, 11213, 11218, 11219, 11221, 11223, 11229, 11231, 11232, 11233]
TAKEN, UNANSWERED = (True, 0, None), (False, 0, None)


def sealed(database_id: int = 5, key_id: UUID = KEY) -> Security:
    return Security("FULL", database_id, -1, b"key", key_id, UUID(int=0x92))


@pytest.fixture
def open_world(world):
    """Another instance may begin dialogs: msdb is there, and knows a way to every service."""
    to_public = {"class_": "SERVICE", "major_id": 402, "grantee_principal_id": 0, "grantor_principal_id": 1}
    world.put(Permission(id=700, database_id=5, name="p", permission="SEND", state="G", **to_public))
    world.put(Database(id=remote.MSDB, database_id=0, name="msdb", service_broker_guid=UUID(int=4)))
    world.put(Route(id=300, database_id=remote.MSDB, name="AutoCreatedLocal"))
    world.events = []
    world.state.trace = world.events.append
    return world


def taken(world, message: Incoming) -> tuple[bool, int, int | None]:
    """Whether it is acknowledged, the error that its sender is told, and the number with which it was dropped."""
    del world.events[:]
    transaction = world.transaction()
    answer = remote.take(transaction, message, {})
    world.commit(transaction)
    dropped = [event.text for event in world.events if event.event_class == "Broker:Message Undeliverable"]
    return answer.is_taken, answer.problem[0], _number_of(*dropped) if dropped else None


def _number_of(text: str) -> int:
    """The message of which a text is made."""
    (number,) = (n for n in UNDELIVERABLE if text.startswith(all_messages()[n].text.partition("%")[0]))
    return number


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, TAKEN),
        ({"security": sealed(5)}, TAKEN),
        ({"security": sealed(4)}, (False, 0, 11229)),
        ({"security": sealed(6)}, (False, 0, 11229)),
        ({"sequence": 1}, (False, 0, 11213)),
        ({"kind": Kind.END}, (False, 0, 11213)),
        ({"kind": Kind.BROKER_ERROR}, (False, 0, 11209)),
        ({"to_service": "//nowhere"}, (False, 8490, None)),
        ({"to_service": "//nowhere", "to_broker": None}, (False, 0, 11210)),
        ({"to_service": "//nowhere", "to_broker": NOBODY}, (False, 0, 11210)),
        ({"to_broker": NEIGHBOUR}, (False, 8490, None)),
        ({"has_seen_first": True, "sequence": 1}, (False, 8462, None)),
        ({"has_seen_first": True, "sequence": 1, "to_broker": NOBODY}, UNANSWERED),
        ({"has_seen_first": True, "sequence": 1, "to_broker": None}, UNANSWERED),
        ({"from_initiator": False}, (False, 8462, None)),
        ({"contract": "//none"}, (False, 8425, None)),
        ({"message_type": "//reply"}, (False, 8457, None)),
    ],
)
def test_the_first_message_of_a_dialog(open_world, changed, expected):
    assert taken(open_world, msgspec.structs.replace(FIRST, **changed)) == expected
    assert len(open_world.state.endpoints) == expected[0]


@pytest.mark.parametrize(
    ("msdb", "number"),
    [({"state": "OFFLINE"}, 9788), ({"is_broker_enabled": False}, 9789), ({"user_access": "SINGLE_USER"}, 9790)],
)
def test_new_dialogs_need_msdb(open_world, msdb, number):
    """7.9: their routes are those of msdb."""
    open_world.alter(Database, 0, remote.MSDB, **msdb)
    transaction = open_world.transaction()
    assert not remote.take(transaction, FIRST, {}).is_taken
    assert open_world.events[-1].text == all_messages()[number].text


@pytest.mark.parametrize(
    ("begun", "changed", "expected"),
    [
        ({}, {}, TAKEN),
        ({}, {"sequence": 0}, (True, 0, 11218)),
        ({}, {"sequence": 2}, TAKEN),
        ({}, {"sequence": 1 + remote.WINDOW - 1}, TAKEN),
        ({}, {"sequence": 1 + remote.WINDOW}, UNANSWERED),
        ({}, {"from_service": "//aside"}, (False, 0, 11221)),
        ({}, {"from_service": "//zebra"}, (False, 0, 11221)),
        ({}, {"contract": "//a"}, (False, 0, 11223)),
        ({}, {"contract": "//z"}, (False, 0, 11223)),
        ({}, {"from_broker": UUID(int=1)}, (False, 8495, None)),
        ({}, {"from_broker": UUID(int=0xFF)}, (False, 8495, None)),
        ({}, {"security": sealed()}, (False, 0, 11231)),
        ({"security": sealed()}, {}, TAKEN),
        ({"security": sealed()}, {"security": Security()}, (False, 0, 11232)),
        ({"security": sealed()}, {"security": sealed(key_id=OTHER_KEY)}, (False, 0, 11233)),
        ({}, {"kind": Kind.BROKER_ERROR, "message_type": "", "body": None}, UNANSWERED),
    ],
)
def test_a_later_message(open_world, begun, changed, expected):
    """Reference 8.6 and 12.4. A message that cannot follow yet is acknowledged, and waits, up to a window of them."""
    first = msgspec.structs.replace(FIRST, **begun)
    assert taken(open_world, first) == TAKEN
    later = msgspec.structs.replace(first, **{"sequence": 1, **changed})
    assert taken(open_world, later) == expected


def test_what_has_come_too_early_is_read_in_its_order_and_once(open_world):
    texts = [b"first", b"second", b"third", b"fourth"]
    for number, expected in ((0, TAKEN), (3, TAKEN), (2, TAKEN), (3, (True, 0, 11218)), (1, TAKEN)):
        message = msgspec.structs.replace(FIRST, sequence=number, body=texts[number])
        assert taken(open_world, message) == expected
        (target,) = open_world.state.endpoints.values()
        assert target.endpoint.receive_sequence == (4 if number == 1 else 1)
        if number == 3:
            assert remote.later_spans(target) in ([(3, 3)], [(2, 3)])
    assert [body for _, body in open_world.receive()] == texts
