"""What comes from another instance: why a message is taken, told back, or dropped,
with the number of the trace."""

from __future__ import annotations

from uuid import UUID

import msgspec
import pytest

from sbql.catalog.records import Database, DeleteMessage, Permission, QueuedMessage, Route
from sbql.engine.broker import far_monologs, out_of_step, remote
from sbql.engine.broker.arrival import Kind
from sbql.engine.broker.end_conversation import end_conversation_with_error
from sbql.engine.broker.incoming import Incoming, Security
from sbql.grammar.messages import all_messages

CONTRACT, RIGHT, BOTH, AWAY = "//contract", "//right", "//both", "//away"
HERE, NEIGHBOUR, THERE, NOBODY = UUID(int=0x5A), UUID(int=0x6A), UUID(int=0x7A), UUID(int=0x8A)
KEY, OTHER_KEY = UUID(int=0x90), UUID(int=0x91)
FIRST = Incoming(
    UUID(int=0xC1), True, RIGHT, HERE, AWAY, THERE, Kind.MESSAGE, 0, BOTH, CONTRACT, UUID(int=0xD1).bytes, body=b"first"
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
    world.records = world.commit(transaction)
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
        ({}, {"sequence": 1 + out_of_step.WINDOW - 1}, TAKEN),
        ({}, {"sequence": 1 + out_of_step.WINDOW}, UNANSWERED),
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
    """Reference 3.5. Until then it is stored with status 2."""
    texts = [b"0", b"1", b"2", b"3", b"4"]
    early = set()
    for number, expected, spans in (
        (0, TAKEN, []),
        (4, TAKEN, [(4, 4)]),
        (2, TAKEN, [(2, 2), (4, 4)]),
        (4, (True, 0, 11218), [(2, 2), (4, 4)]),
        (3, TAKEN, [(2, 4)]),
        (1, TAKEN, []),
    ):
        assert taken(open_world, msgspec.structs.replace(FIRST, sequence=number, body=texts[number])) == expected
        (target,) = open_world.state.endpoints.values()
        assert remote.later_spans(target) == spans
        assert target.endpoint.receive_sequence == (5 if number == 1 else 1)
        stored = [record for record in open_world.records if isinstance(record, QueuedMessage)]
        assert [m.message_body for m in stored if m.status == 2] == (
            [texts[number]] if spans and expected == TAKEN else []
        )
        early |= {m.message_key for m in stored if m.status == 2}
    assert {record.message_key for record in open_world.records if isinstance(record, DeleteMessage)} == early
    assert [body for _, body in open_world.receive()] == texts


@pytest.mark.parametrize("number", [0, 1])
def test_a_target_hears_that_its_first_message_is_known(open_world, number):
    """Reference 3.4; a message that comes twice may be the one that says so."""
    taken(open_world, FIRST)
    (target,) = open_world.state.endpoints.values()
    assert not target.endpoint.security_timestamp
    taken(open_world, msgspec.structs.replace(FIRST, sequence=number, has_seen_first=True))
    assert target.endpoint.security_timestamp > open_world.host.now()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"R" + bytes(16), TAKEN),
        (b"N" + bytes(16), TAKEN),
        (b"X" + bytes(16), (False, 0, 11213)),
        (b"R" + bytes(15), (False, 0, 11213)),
        (b"N" + bytes(17), (False, 0, 11213)),
        (None, (False, 0, 11213)),
    ],
)
def test_an_order_says_whether_it_wants_what_is_retained_and_its_subscription(open_world, body, expected):
    """docs/protocol.md: a letter and a GUID. Anything else opens nothing."""
    order = msgspec.structs.replace(FIRST, message_type=far_monologs.SUBSCRIBE, body=body)
    assert taken(open_world, order) == expected
    assert len(open_world.state.endpoints) == expected[0]


@pytest.fixture
def sender(open_world):
    """An initiator with three messages for another instance."""
    open_world.put(Route(id=301, database_id=5, name="away", remote_service_name=AWAY, address="TCP://away:4022"))
    open_world.state.has_transport = True
    handle = open_world.begin(AWAY)
    for _ in range(3):
        open_world.send(handle)
    found = open_world.conversation(handle)
    assert list(numbers(found)) == [0, 1, 2]
    return found


def numbers(conversation):
    return [row.message_sequence_number for row in conversation.transmission]


def acknowledged(world, conversation, *which, by=THERE):
    return world.run(remote.acknowledge, conversation, which, by)


def test_what_is_acknowledged_leaves_the_transmission_queue(open_world, sender):
    assert acknowledged(open_world, sender, 0, 1) == []
    assert (numbers(sender), sender.endpoint.far_broker_instance) == ([2], THERE)
    assert acknowledged(open_world, sender, 1) == [], "again"
    for stranger in (UUID(int=1), UUID(int=0xFF)):
        with pytest.raises(LookupError):
            acknowledged(open_world, sender, 2, by=stranger)
    assert numbers(sender) == [2]


def test_what_somebody_has_taken_out_is_acknowledged_again(open_world, sender):
    """He may put it back."""
    ending = open_world.transaction()
    end_conversation_with_error(ending, 5, sender.endpoint.conversation_handle, 1, "no")
    assert numbers(sender) == []
    assert acknowledged(open_world, sender, 0, 2) == [0, 2]
    ending.rollback()
    assert acknowledged(open_world, sender, 0, 2) == []
    assert numbers(sender) == [1]


def test_a_side_that_has_ended_is_done_when_nothing_is_left_of_it(open_world, sender):
    """3.3: DO and the acknowledgement of the end, which may come before that of a message; whoever has the
    group keeps it until he is done."""
    open_world.end(sender.endpoint.conversation_handle)
    assert acknowledged(open_world, sender, 3, 0, 1) == []
    assert (numbers(sender), sender.endpoint.state, sender.removed) == ([2], "DO", False)
    holder = open_world.transaction()
    holder.lock(sender.group)
    assert acknowledged(open_world, sender, 2) == [2]
    holder.rollback()
    assert acknowledged(open_world, sender, 2) == []
    assert (numbers(sender), sender.removed) == ([], True)
    assert acknowledged(open_world, sender, 2) == []
    assert not open_world.state.endpoints


@pytest.mark.parametrize(("state", "expected"), [("CO", ""), ("DI", "held"), ("ER", "held")])
def test_an_acknowledgement_says_that_the_other_instance_is_reached(open_world, sender, state, expected):
    """Not why the messages of a side that may not send any more are held (3.3)."""
    sender.endpoint.state, sender.endpoint.transmission_status = state, "held"
    acknowledged(open_world, sender, 0)
    assert sender.endpoint.transmission_status == expected
