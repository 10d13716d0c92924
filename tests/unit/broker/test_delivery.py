"""Delivery, routing and the transmission queue."""

from __future__ import annotations

from uuid import UUID

import pytest

from sbql.catalog.records import Database, MasterKey, Permission, Route, Service
from sbql.engine.broker import routing
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.ddl_effects import catalog_changed
from sbql.engine.broker.deadlines import next_deadline, run_due
from sbql.engine.broker.end_conversation import end_conversation_with_cleanup
from sbql.engine.broker.endpoint_changes import note_seen, status_text
from sbql.engine.broker.permissions import Rights
from sbql.engine.broker.route_dialogs import finish
from sbql.engine.broker.route_requests import RouteRequest
from sbql.engine.broker.send import send
from sbql.engine.broker.targets import queue_for

CONTRACT, LEFT, RIGHT, FAR, BOTH = "//contract", "//left", "//right", "//far", "//both"
LEFT_QUEUE, RIGHT_QUEUE, FAR_QUEUE = 1001, 1002, 1003


def status(world, database=5):
    return [row.transmission_status for row in world.waiting(database)]


def retry(world):
    catalog_changed(world.state, world.snapshot, world.snapshot, world.host.now())
    world.run(run_due)


def test_disabled_queue_keeps_messages_back(world):
    """5.4: a message for a disabled queue stays in the sender's transmission queue, and goes when it is enabled."""
    handle = world.begin()
    world.alter_queue(RIGHT_QUEUE, is_enabled=False)
    world.send(handle, BOTH, b"1")
    world.send(handle, BOTH, b"2")
    assert status(world) == [status_text(28021)] * 2
    assert world.endpoint(handle).transmission_status == status_text(28021)
    world.alter_queue(RIGHT_QUEUE, is_enabled=True)
    retry(world)
    assert world.waiting() == []
    assert world.endpoint(handle).transmission_status == ""
    assert world.receive() == [("both", b"1"), ("both", b"2")]


def test_an_error_of_the_broker_is_no_message_of_the_other_side(world):
    """8.2: receive_sequence is the next number expected of the other side, and errors of the broker have none."""
    handle = world.begin()
    world.send(handle, "//xml", b"<")
    assert world.state_of(handle) == "ER"
    assert world.endpoint(handle).receive_sequence == 0


@pytest.mark.parametrize("how", ["end", "fail"])
def test_the_end_of_the_other_side_has_a_number(world, how):
    """docs/spec SEQUENCE-3: receive_sequence is the next number expected."""
    mine, theirs = world.dialog()
    world.send(theirs, BOTH, b"reply")
    getattr(world, how)(theirs)
    assert world.endpoint(mine).receive_sequence == 2


def test_what_comes_for_one_who_has_ended_is_counted_and_dropped(world):
    mine, theirs = world.dialog()
    world.alter_queue(LEFT_QUEUE, is_enabled=False)
    world.end(theirs)
    assert (world.state_of(mine), world.state_of(theirs)) == ("CO", "DO"), "the end is kept back"
    expected = world.endpoint(theirs).receive_sequence
    world.send(mine, BOTH, b"late")
    assert world.endpoint(theirs).receive_sequence == expected + 1
    world.send(mine, BOTH, b"later")
    assert world.receive() == []
    assert world.waiting() == [row for row in world.waiting() if row.conversation_handle == theirs]
    assert world.endpoint(theirs).receive_sequence == expected + 2


def test_only_the_second_message_tells_a_target_that_its_first_is_known(world):
    """docs/spec CLOSED-1 and CLOSED-4."""
    handle = world.begin()
    world.send(handle, BOTH, b"1")
    theirs = world.peer(handle)
    assert world.endpoint(theirs).security_timestamp == 0
    world.send(handle, BOTH, b"2")
    assert world.endpoint(theirs).security_timestamp > world.host.now()
    world.send(theirs, BOTH, b"3")
    world.send(theirs, BOTH, b"4")
    assert world.endpoint(handle).security_timestamp == 0


def test_later_messages_do_not_overtake(world):
    mine, _ = world.dialog()
    world.alter_queue(RIGHT_QUEUE, is_enabled=False)
    world.send(mine, BOTH, b"1")
    world.alter_queue(RIGHT_QUEUE, is_enabled=True)
    world.send(mine, BOTH, b"2")
    world.end(mine)
    assert len(world.waiting()) == 3
    retry(world)
    assert world.receive() == [("both", b"1"), ("both", b"2"), ("EndDialog", None)]


def test_retries_double_to_64_seconds(world):
    """8.5: after 4, 8, 16, 32, 64 seconds, then every 64."""
    handle = world.begin("//nowhere", lifetime=10000)
    world.send(handle)
    start, seen = world.host.now(), []
    for _ in range(7):
        due = next_deadline(world.state)
        seen.append(due - start)
        world.host.advance_to(due)
        world.run(run_due)
    assert seen == [4, 12, 28, 60, 124, 188, 252]


def test_unknown_service_is_delayed_until_it_exists(world):
    """7.3 step 7 and 7.8: no dead-letter queue, the text says why."""
    handle = world.begin("//new")
    world.send(handle)
    assert status(world) == [status_text(9793)]
    assert world.waiting()[0].to_service_name == "//new"
    world.put(Service(id=410, database_id=5, name="//new", queue_id=RIGHT_QUEUE, contract_ids=(200,)))
    retry(world)
    assert world.receive() == [("both", b"x")]


def test_end_with_error_deletes_what_waits(world):
    handle = world.begin("//new")
    world.send(handle)
    world.fail(handle)
    assert world.waiting() == []
    assert not world.state.endpoints


def test_an_error_that_goes_leaves_no_status(world):
    """GET_TRANSMISSION_STATUS is empty when nothing waits: the messages were deleted, and the error has got there."""
    mine, theirs = world.dialog()
    world.alter_queue(RIGHT_QUEUE, is_enabled=False)
    world.send(mine)
    assert world.state.transmission_status(5, mine) == status_text(28021)
    world.alter_queue(RIGHT_QUEUE, is_enabled=True)
    world.fail(mine)
    assert (world.state_of(mine), world.state_of(theirs)) == ("DO", "ER")
    assert (world.waiting(), world.state.transmission_status(5, mine)) == ([], "")
    assert next_deadline(world.state) is None, "nothing is to be tried again"


def test_an_end_that_was_deleted_does_not_arrive(world):
    """A refused message closes a side that has ended; what waits behind it goes too, and has no number at the
    other side (docs/spec SEQUENCE-3)."""
    mine, theirs = world.dialog()
    world.alter_queue(LEFT_QUEUE, is_enabled=False)
    world.send(theirs, BOTH, b"good")
    world.send(theirs, "//xml", b"<")
    world.end(theirs)
    assert len(world.waiting()) == 3
    world.alter_queue(LEFT_QUEUE, is_enabled=True)
    retry(world)
    assert (world.waiting(), world.state_of(mine), world.state_of(theirs)) == ([], "ER", "CD")
    assert [kind for kind, _ in world.receive(LEFT_QUEUE)] == ["Error", "both"]
    assert world.endpoint(mine).receive_sequence == 1


def test_disabled_sender_broker(world):
    """9791: the sender's own broker is disabled. Statements work, nothing is delivered."""
    handle = world.begin()
    world.alter(Database, 0, 5, is_broker_enabled=False)
    world.send(handle)
    assert status(world) == [status_text(9791)]
    world.alter(Database, 0, 5, is_broker_enabled=True)
    retry(world)
    assert world.receive() == [("both", b"x")]


@pytest.mark.parametrize("number", [8425, 8408, 8494, 8428])
def test_refusals_of_the_target_come_back_as_errors(world, number):
    """7.8: contract unknown or not accepted, no permission, unknown type: Error with the negated number."""
    from sbql.catalog.records import Contract, MessageType

    rights = Rights(may_send=lambda principal, database, service: number != 8494)
    world.put(
        world.snapshot.get(Database, 0, 5).__class__(
            id=5, database_id=0, name="db5", service_broker_guid=UUID(int=0x5A), is_trustworthy_on=True
        )
    )
    if number == 8425:
        world.snapshot = world.snapshot.without(world.snapshot.get(Contract, 6, 200))
    elif number == 8408:
        world.alter(Service, 6, 403, contract_ids=(201,))
    elif number == 8428:
        world.snapshot = world.snapshot.without(world.snapshot.get(MessageType, 6, 103))
    handle = world.begin(FAR)
    transaction = world.transaction(rights=rights)
    send(transaction, 5, handle, BOTH, b"x")
    world.commit(transaction)
    assert world.state_of(handle) == "ER"
    assert world.error(world.receive(LEFT_QUEUE)[0][1])[0] == -number
    assert len(list(world.state.records())) == 1


def test_between_databases_without_trust(world):
    """9.3: without dialog security only from a TRUSTWORTHY database, or with SEND for public; else 916 in the
    status."""
    first, second = world.begin(FAR), world.begin(FAR)
    world.send(first)
    (told,) = status(world)
    assert told.startswith(status_text(916, "dbo", "db6"))
    assert "SET TRUSTWORTHY ON" in told and "GRANT SEND ON SERVICE::" in told and "TO public" in told
    world.put(
        Permission(
            id=950,
            database_id=6,
            name="p",
            class_="SERVICE",
            major_id=403,
            grantee_principal_id=0,
            grantor_principal_id=1,
            permission="SEND",
            state="G",
        )
    )
    retry(world)
    world.send(second)
    assert world.receive(FAR_QUEUE) + world.receive(FAR_QUEUE) == [("both", b"x")] * 2
    world.send(world.peer(first), BOTH, b"back", database=6)
    assert world.receive(LEFT_QUEUE) == [("both", b"back")]


def test_trustworthy_initiator(world):
    world.alter(Database, 0, 5, is_trustworthy_on=True)
    world.send(world.begin(FAR))
    assert world.receive(FAR_QUEUE) == [("both", b"x")]


def test_encryption_between_databases_needs_master_keys(world):
    """9.3 and 8.8: ENCRYPTION = ON needs a master key in both databases; in one database it never matters."""
    world.alter(Database, 0, 5, is_trustworthy_on=True)
    world.send(world.begin(encryption=True))
    handle = world.begin(FAR, encryption=True)
    world.send(handle)
    assert status(world) == [status_text(28051)]
    for database in (5, 6):
        world.put(MasterKey(id=960, database_id=database, name="key"))
    retry(world)
    assert world.receive(FAR_QUEUE) == [("both", b"x")]


def test_conversation_is_sticky(world):
    """7.2: the first delivery fixes the target's GUID; NEW_BROKER there breaks the dialog."""
    world.alter(Database, 0, 5, is_trustworthy_on=True)
    handle = world.begin(FAR)
    world.send(handle)
    assert world.endpoint(handle).far_broker_instance == UUID(int=0x6A)


# Routing alone


def classified(world, service, guid=None, database=5):
    return routing.classify(CatalogIndex(world.snapshot), database, service, guid, world.host)


def route(world, number, **fields):
    world.put(Route(id=number, database_id=5, name=f"r{number}", **fields))


def test_own_database_first(world):
    world.put(Service(id=411, database_id=6, name=RIGHT, queue_id=FAR_QUEUE))
    assert classified(world, RIGHT).database_id == 5
    assert classified(world, RIGHT, UUID(int=0x6A)).database_id == 6
    world.alter(Database, 0, 5, is_broker_enabled=False)
    assert classified(world, RIGHT).database_id == 6


def test_route_order(world):
    """7.3: exact GUID, then no GUID; without a GUID in the conversation a route without one wins."""
    one = str(UUID(int=1))
    route(world, 1, remote_service_name="//s", broker_instance=one, address="TCP://a:1")
    assert classified(world, "//s").address == "TCP://a:1"
    route(world, 2, remote_service_name="//s", address="TCP://b:1")
    assert classified(world, "//s").address == "TCP://b:1"
    assert classified(world, "//s", UUID(int=1)).address == "TCP://a:1"
    assert classified(world, "//s", UUID(int=2)).address == "TCP://b:1"
    assert classified(world, "//S").kind == "Delayed"


def test_local_beats_network_only_if_the_service_is_here(world):
    """7.4 b."""
    route(world, 1, remote_service_name=RIGHT, address="LOCAL")
    route(world, 2, remote_service_name=RIGHT, address="TCP://b:1")
    assert classified(world, RIGHT).kind == "Local"
    route(world, 3, remote_service_name="//s", address="LOCAL")
    assert classified(world, "//s").reason == 9796
    route(world, 4, remote_service_name="//s", address="TCP://b:1")
    assert classified(world, "//s").kind == "Remote"


def test_expired_routes_are_ignored(world):
    route(world, 1, remote_service_name="//s", address="TCP://b:1", lifetime=world.host.now() - 1)
    assert classified(world, "//s").reason == 9793


def test_what_waits_does_not_take_a_route_that_has_expired_meanwhile(world):
    """Each try classifies anew, though nobody has changed the catalog."""
    route(world, 1, remote_service_name=RIGHT, address="LOCAL", lifetime=world.host.now() + 10)
    route(world, 2, remote_service_name=RIGHT, address="TCP://b:1")
    world.alter_queue(RIGHT_QUEUE, is_enabled=False)
    world.send(world.begin())
    seen = []
    for _ in range(3):
        seen += status(world)
        world.host.advance_to(next_deadline(world.state))
        world.run(run_due)
    assert seen == [status_text(28021)] * 2 + [status_text(9666, "Service Broker")], "at once, after 4 s, after 12 s"


def test_guid_of_this_instance_needs_no_route(world):
    """7.3 step 6."""
    world.snapshot = world.snapshot.without(world.snapshot.get(Route, 5, 300))
    assert classified(world, FAR).reason == 9793
    assert classified(world, FAR, UUID(int=0x6A)).database_id == 6


@pytest.mark.parametrize("service", ["//s", "SQL/ServiceBroker", "Warehouse", "zebra"])
def test_dynamic_routing_delays(world, service):
    """7.3: whatever has no route of its own; the service that is asked has one."""
    route(world, 1, remote_service_name=routing.DYNAMIC_ROUTING, address="LOCAL")
    assert classified(world, service).reason == 9770
    assert classified(world, routing.DYNAMIC_ROUTING).reason == 9796


@pytest.mark.parametrize(
    ("to", "kind", "queue_id"),
    [
        (RIGHT, Kind.MESSAGE, RIGHT_QUEUE),
        (RIGHT, Kind.END, None),
        ("//nowhere", Kind.MESSAGE, None),
        ("//away", Kind.MESSAGE, None),
    ],
)
def test_only_a_target_of_this_instance_will_open_on_a_queue(world, to, kind, queue_id):
    route(world, 1, remote_service_name="//away", address="TCP://b:1")
    transaction = world.transaction()
    found = queue_for(transaction, Arrival(world.conversation(world.begin(to)), kind))
    assert (found and found.queue_id) == queue_id


def test_transport_and_mirror(world):
    route(world, 1, address="TRANSPORT")
    assert classified(world, "TCP://host:4022/s").address == "TCP://host:4022"
    assert classified(world, "//host/s").reason == 9793
    route(
        world,
        2,
        remote_service_name="//m",
        broker_instance=str(UUID(int=1)),
        address="TCP://a:1",
        mirror_address="TCP://b:1",
    )
    assert classified(world, "//m").kind == "Remote"


def test_only_a_target_notes_and_once_that_its_first_message_was_seen(world):
    """Reference 3.4: the 30 minutes run from the first time that the initiator says so."""
    mine, theirs = world.dialog()
    for handle in (mine, theirs):
        world.run(lambda t, h=handle: note_seen(t, world.conversation(h)))
    noted = world.conversation(theirs).endpoint.security_timestamp
    assert noted > world.host.now()
    assert not world.conversation(mine).endpoint.security_timestamp
    world.host.advance_to(world.host.now() + 60)
    world.run(lambda t: note_seen(t, world.conversation(theirs)))
    assert world.conversation(theirs).endpoint.security_timestamp == noted


@pytest.mark.parametrize(("how", "is_good"), [("end", True), ("fail", False), ("clean up", True)])
def test_a_request_for_a_route_is_over_with_its_conversation(world, how, is_good):
    """7.9: only one that was closed by an error concerns the error log (9761); our side ends with it,
    if somebody has not cleaned it up."""
    mine, theirs = world.dialog()
    if how == "clean up":
        world.run(end_conversation_with_cleanup, 5, mine)
    else:
        getattr(world, how)(theirs)
    assert world.run(finish, RouteRequest(5, "//nowhere", "", mine)) is is_good
    assert world.state_of(mine) is None
