"""SEND, validation at the target and RETENTION."""

from __future__ import annotations

from uuid import UUID

import pytest

from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.receive import receive
from sbql.engine.broker.send import send, send_to_all
from sbql.grammar.errors import SqlError

CONTRACT, LEFT, RIGHT = "//contract", "//left", "//right"
LEFT_QUEUE, RIGHT_QUEUE = 1001, 1002
REQUEST, REPLY, BOTH, XML, EMPTY = "//request", "//reply", "//both", "//xml", "//empty"


def number_of(call, *arguments, **options):
    with pytest.raises(SqlError) as raised:
        call(*arguments, **options)
    return raised.value.number


def test_first_send_makes_the_target(world):
    handle = world.begin()
    world.send(handle, REQUEST, b"body")
    target = world.endpoint(world.peer(handle))
    assert (target.state, target.is_initiator, target.far_service) == ("CO", False, LEFT)
    assert world.state_of(handle) == "CO"
    assert world.endpoint(handle).far_broker_instance == UUID(int=0x5A)
    assert world.receive() == [("request", b"body")]


def test_sequence_numbers_start_at_zero_each_way(world):
    mine, theirs = world.dialog()
    world.send(mine)
    world.send(theirs)
    found = world.run(receive, RIGHT_QUEUE)
    assert [m.message_sequence_number for m, _, _ in found] == [1]
    assert [m.message_sequence_number for m, _, _ in world.run(receive, LEFT_QUEUE)] == [0]


@pytest.mark.parametrize(
    ("kind", "number"), [("//unknown", 8428), ("//Both", 8428), ("//alien", 8431), (REPLY, 8432), ("DEFAULT", 8431)]
)
def test_refusals_at_the_initiator(world, kind, number):
    handle = world.begin()
    assert number_of(world.send, handle, kind) == number
    assert world.state_of(handle) == "SO"


@pytest.mark.parametrize(("kind", "forgotten"), [("DEFAULT", True), ("//alien", False)])
def test_who_sends_no_type_is_told_which_that_is(world, kind, forgotten):
    with pytest.raises(SqlError) as refused:
        world.send(world.begin(), kind)
    assert ("SEND without MESSAGE TYPE sends DEFAULT." in refused.value.message) == forgotten
    assert f"The contract {CONTRACT} lets this side send {REQUEST}" in refused.value.message


def test_target_may_not_send_initiator_types(world):
    _, theirs = world.dialog()
    assert number_of(world.send, theirs, REQUEST) == 8434


def test_unknown_handle_and_handle_of_another_database(world):
    assert number_of(world.send, UUID(int=1)) == 8426
    assert number_of(world.send, world.begin(), database=6) == 8426


def test_state_is_checked_before_the_type(world):
    """Order of checks: handle, state, type, contract, direction."""
    mine, theirs = world.dialog()
    world.end(mine)
    assert number_of(world.send, theirs, "//unknown") == 8429


@pytest.mark.parametrize("several", [False, True])
def test_null_body_is_the_last_check(world, several):
    """8433 for NULL comes behind all that the handle and the message type can be refused for."""
    mine, theirs = world.dialog()
    ended, _ = world.dialog()
    world.end(ended)
    refused = {
        (UUID(int=1), BOTH): 8435 if several else 8426,
        (ended, BOTH): 8429,
        (mine, "//unknown"): 8428,
        (mine, "//alien"): 8431,
        (mine, REPLY): 8432,
        (theirs, REQUEST): 8434,
        (mine, BOTH): 8433,
    }
    for (handle, kind), number in refused.items():
        given = [handle] if several else handle
        operation = send_to_all if several else send
        assert number_of(world.run, operation, 5, given, kind, None, is_null=True) == number, (kind, number)


@pytest.mark.parametrize("kind", [BOTH, XML, EMPTY])
def test_empty_body_is_null_for_any_validation(world, kind):
    handle = world.begin()
    world.send(handle, kind, b"")
    assert world.receive() == [(kind[2:], None)]


def test_bad_xml_comes_back_as_an_error(world):
    """2.1: the message is discarded and Error -9615 ends the conversation on the sending side."""
    handle = world.begin()
    world.send(handle, XML, b"<a>")
    assert world.state_of(handle) == "ER"
    assert len(list(world.state.records())) == 1
    [(kind, body)] = world.receive(LEFT_QUEUE)
    assert kind == "Error"
    assert world.error(body)[0] == -9615
    world.end(handle)
    assert not world.state.endpoints


@pytest.mark.parametrize(
    ("text", "fits"), [("<a/><b/>", True), ("text <a/>", True), ("text", False), ("<a><b></a>", False)]
)
def test_several_roots_are_well_formed(world, text, fits):
    """As in the xml type; published scripts send such bodies. Text without an element is no XML."""
    mine, _ = world.dialog()
    world.send(mine, XML, text.encode("utf-16-le"))
    assert (world.state_of(mine) == "CO") is fits


def test_bad_xml_on_a_running_dialog_tells_both_sides(world):
    mine, theirs = world.dialog()
    world.send(mine, XML, b"no xml")
    assert world.error(world.receive(LEFT_QUEUE)[0][1])[0] == -9615
    assert world.error(world.receive(RIGHT_QUEUE)[0][1])[0] == -9616
    assert (world.state_of(mine), world.state_of(theirs)) == ("ER", "ER")


@pytest.mark.parametrize("text", ["<a/>", '<?xml version="1.0"?><a>ä</a>'])
@pytest.mark.parametrize("coding", ["utf-8", "utf-16", "utf-16-le"])
def test_well_formed_xml_passes(world, text, coding):
    handle = world.begin()
    world.send(handle, XML, text.encode(coding))
    assert world.receive() == [("xml", text.encode(coding))]


def test_empty_validation(world):
    handle = world.begin()
    world.send(handle, EMPTY, b"x")
    assert world.error(world.receive(LEFT_QUEUE)[0][1])[0] == -8430


def test_schema_validator_is_asked(world):
    from sbql.catalog.records import MessageType

    world.alter(MessageType, 5, 104, xml_collection_id=55)
    asked = []

    def validate(catalog, database_id, collection_id, body):
        asked.append((database_id, collection_id))
        return "wrong root"

    world.state.xml_validator = validate
    transaction = world.transaction()
    handle = begin_dialog(transaction, 5, LEFT, RIGHT, contract=CONTRACT)
    send(transaction, 5, handle, XML, b"<a/>")
    world.commit(transaction)
    assert asked == [(5, 55)]
    assert "wrong root" in world.error(world.receive(LEFT_QUEUE)[0][1])[1]


def test_several_handles_are_all_or_nothing(world):
    """2.14: multi-handle SEND is atomic; 8435 unknown element, 8441 missing, 8451 twice."""
    a, b = world.begin(), world.begin()
    assert number_of(world.run, send_to_all, 5, [a, UUID(int=1)], BOTH, b"x") == 8435
    assert number_of(world.run, send_to_all, 5, [a, None], BOTH, b"x") == 8441
    assert number_of(world.run, send_to_all, 5, [a, a], BOTH, b"x") == 8451
    assert world.receive() == []
    assert (world.state_of(a), world.state_of(b)) == ("SO", "SO")
    world.run(send_to_all, 5, [a, b], BOTH, b"x")
    assert world.receive() + world.receive() == [("both", b"x")] * 2


def test_own_message_can_be_received_in_the_same_transaction(world):
    """2.14: local delivery is part of the sender's transaction."""
    transaction = world.transaction()
    handle = begin_dialog(transaction, 5, LEFT, RIGHT, contract=CONTRACT)
    send(transaction, 5, handle, BOTH, b"1")
    [(first, _, _)] = receive(transaction, RIGHT_QUEUE)
    send(transaction, 5, handle, BOTH, b"2")
    [(second, _, _)] = receive(transaction, RIGHT_QUEUE)
    assert (first.message_body, second.message_body) == (b"1", b"2")
    transaction.rollback()
    assert world.receive() == []
    assert not world.state.endpoints


def test_invisible_before_commit(world):
    handle = world.begin()
    transaction = world.transaction()
    send(transaction, 5, handle, BOTH, b"1")
    assert world.receive() == []
    world.commit(transaction)
    assert world.receive() == [("both", b"1")]


def test_rollback_reuses_sequence_numbers(world):
    """6.2: sent messages vanish and their numbers are used again."""
    mine, _ = world.dialog()
    transaction = world.transaction()
    send(transaction, 5, mine, BOTH, b"lost")
    transaction.rollback()
    world.send(mine, BOTH, b"kept")
    [(message, _, _)] = world.run(receive, RIGHT_QUEUE)
    assert (message.message_sequence_number, message.message_body) == (1, b"kept")


def test_retention_keeps_sent_and_received(world):
    """5.3: status 3 copies at the sender, status 0 rows at the receiver, until that side's conversation ends."""
    world.alter_queue(LEFT_QUEUE, is_retention_enabled=True)
    world.alter_queue(RIGHT_QUEUE, is_retention_enabled=True)
    mine, theirs = world.dialog()
    sent = world.conversation(mine).retained
    received = world.conversation(theirs).retained
    assert [(m.status, m.queue_id) for m in sent] == [(3, LEFT_QUEUE)]
    assert [(m.status, m.queue_id) for m in received] == [(0, RIGHT_QUEUE)]
    assert world.receive() == []
    world.end(mine)
    assert world.conversation(mine).in_memory() == []
    assert len(world.conversation(theirs).in_memory()) == 2


def test_retention_on_a_disabled_queue(world):
    """9618: disabled and retention on. Without retention a service on a disabled queue may send."""
    handle = world.begin()
    world.alter_queue(LEFT_QUEUE, is_enabled=False)
    world.send(handle)
    world.alter_queue(LEFT_QUEUE, is_enabled=False, is_retention_enabled=True)
    assert number_of(world.send, handle) == 9618


def test_sequence_gap_leaves_default_type(world):
    """MESSAGE TYPE omitted is DEFAULT, on the DEFAULT contract."""
    handle = world.begin(contract="DEFAULT")
    world.run(send, 5, handle, body=b"d")
    assert world.receive() == [("DEFAULT", b"d")]


@pytest.mark.spec("SEND-11")
def test_a_message_that_is_too_large(world):
    """8459: header and body together are at most 2147483647 bytes. (bytes(n) is all zeros and takes no memory before it
    is read.)"""
    handle = world.begin()
    assert number_of(world.run, send, 5, handle, BOTH, bytes(2**31 - 1)) == 8459
    assert world.state.endpoint(5, handle).send_sequence == 0
