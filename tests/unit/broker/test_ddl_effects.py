"""What DDL does to conversations, event notifications and trace events
(11.2)."""

from __future__ import annotations

from uuid import UUID

import pytest

from sbql.catalog.records import Contract, ContractMessageUsage, Database, EventNotification, MessageType, Service
from sbql.engine.broker import ddl_effects, event_notifications
from sbql.engine.broker.event_notifications import Outcome, event_instance, post
from sbql.engine.broker.holdings import MustWait
from sbql.engine.broker.send import send
from sbql.engine.work import Waiter
from sbql.grammar.errors import SqlError

LEFT, RIGHT, FAR, BOTH = "//left", "//right", "//far", "//both"
LEFT_QUEUE, RIGHT_QUEUE, FAR_QUEUE = 1001, 1002, 1003


def service(world, number):
    return world.snapshot.get(Service, 6 if number == 403 else 5, number)


def test_dropped_service(world):
    """2.4: its messages and conversations go; the peer gets Error -8470."""
    mine, theirs = world.dialog()
    world.send(mine)
    world.run(ddl_effects.service_dropped, service(world, 402))
    assert world.state_of(theirs) is None
    assert world.state_of(mine) == "ER"
    assert world.endpoint(mine).receive_sequence == 0, "an error of the broker has no number of the other side"
    assert world.error(world.receive(LEFT_QUEUE)[0][1])[0] == -8470
    world.end(mine)
    assert not world.state.endpoints


def test_dropping_waits_for_locked_groups(world):
    _, theirs = world.dialog()
    holder = world.transaction()
    send(holder, 5, theirs, BOTH, b"x")
    with pytest.raises(MustWait):
        world.run(ddl_effects.service_dropped, service(world, 402))


def test_rolled_back_drop(world):
    mine, theirs = world.dialog()
    transaction = world.transaction()
    ddl_effects.service_dropped(transaction, service(world, 402))
    transaction.rollback()
    assert (world.state_of(mine), world.state_of(theirs)) == ("CO", "CO")


def test_altered_service_takes_its_messages_along(world):
    """2.4: ALTER SERVICE … ON QUEUE moves the messages; receivers that wait on the old queue look again."""
    mine, theirs = world.dialog()
    world.send(mine, BOTH, b"1")
    waiter = Waiter()
    world.state.queue_waiters(RIGHT_QUEUE, 5)[waiter] = None
    world.run(ddl_effects.service_altered, service(world, 402), LEFT_QUEUE)
    assert waiter.woken
    world.alter(Service, 5, 402, queue_id=LEFT_QUEUE)
    world.send(mine, BOTH, b"2")
    assert world.receive(RIGHT_QUEUE) == []
    assert world.receive(LEFT_QUEUE, conversation_handle=theirs) == [("both", b"1"), ("both", b"2")]


def test_altered_service_rolled_back(world):
    mine, _ = world.dialog()
    world.send(mine, BOTH, b"1")
    transaction = world.transaction()
    ddl_effects.service_altered(transaction, service(world, 402), LEFT_QUEUE)
    transaction.rollback()
    assert world.receive(LEFT_QUEUE) == []
    assert world.receive() == [("both", b"1")]


def test_dropped_contract(world):
    """2.2: both sides end with an error, the peer's is -8487 where it is in another database."""
    world.alter(Database, 0, 5, is_trustworthy_on=True)
    mine, theirs = world.dialog(FAR)
    unsent = world.begin()
    world.run(ddl_effects.contract_dropped, world.snapshot.get(Contract, 5, 200))
    assert [world.state_of(h) for h in (mine, theirs, unsent)] == ["ER", "ER", "ER"]
    assert world.error(world.receive(FAR_QUEUE)[0][1])[0] == -8487
    assert world.error(world.receive(LEFT_QUEUE)[0][1])[0] == -8425


def test_new_broker_removes_silently(world):
    """13.2 trap 15: NEW_BROKER deletes without a word."""
    world.alter(Database, 0, 5, is_trustworthy_on=True)
    _, theirs = world.dialog(FAR)
    world.dialog()
    world.send(world.begin("//nowhere"))
    world.run(ddl_effects.new_broker, 5)
    assert [e.conversation_handle for e in world.state.records()] == [theirs]
    assert world.waiting() == []
    assert world.receive(FAR_QUEUE) == []
    world.alter(Database, 0, 5, service_broker_guid=UUID(int=0x5B))
    world.send(theirs, database=6)
    assert len(world.waiting(6)) == 1


def test_error_broker_conversations(world):
    """9.2: Error -9719 in the local queues, -9720 at peers elsewhere."""
    world.alter(Database, 0, 5, is_trustworthy_on=True)
    _, far = world.dialog(FAR)
    mine, theirs = world.dialog()
    world.run(ddl_effects.error_broker_conversations, 5)
    assert [world.state_of(h) for h in (far, mine, theirs)] == ["ER", "ER", "ER"]
    assert world.error(world.receive(FAR_QUEUE)[0][1])[0] == -9720
    assert world.error(world.receive(RIGHT_QUEUE)[0][1])[0] == -9719


def test_disabled_queue_wakes_waiters(world):
    waiter = Waiter()
    world.state.queue_waiters(RIGHT_QUEUE, 5)[waiter] = None
    ddl_effects.queue_disabled(world.state, RIGHT_QUEUE)
    assert waiter.woken


def notified(world):
    names = event_notifications
    world.put(MessageType(id=14, database_id=5, name=names.MESSAGE_TYPE, validation="X"))
    world.put(Contract(id=15, database_id=5, name=names.CONTRACT, messages=(ContractMessageUsage(14, True, False),)))
    world.put(Service(id=16, database_id=5, name=names.SERVICE, queue_id=LEFT_QUEUE))
    world.alter(Service, 5, 402, contract_ids=(15,))
    found = EventNotification(
        id=17,
        database_id=5,
        name="n",
        scope="QUEUE",
        parent_id=FAR_QUEUE,
        events=("QUEUE_ACTIVATION",),
        service_name=RIGHT,
        broker_instance=str(UUID(int=0x5A)),
    )
    world.put(found)
    return found


def test_event_notification(world):
    """2.8: one internal conversation for the notification, an EVENT_INSTANCE in each message."""
    found = notified(world)
    notifications = world.transaction().index.notifications
    assert event_notifications.notifications_for(notifications, "QUEUE_ACTIVATION", FAR_QUEUE) == [found]
    assert event_notifications.notifications_for(notifications, "BROKER_QUEUE_DISABLED", FAR_QUEUE) == []
    body = event_instance({"ObjectName": "q", "EventType": "QUEUE_ACTIVATION", "SPID": 20})
    assert world.run(post, found, body) is Outcome.SENT
    world.state.notification_handles.clear()
    assert world.run(post, found, body) is Outcome.SENT
    [(kind, first), (_, _)] = world.receive()
    assert kind == "EventNotification"
    text = "<EVENT_INSTANCE><EventType>QUEUE_ACTIVATION</EventType><SPID>20</SPID><ObjectName>q</ObjectName></EVENT_INSTANCE>"
    assert first.decode("utf-16") == text
    [(_, conversation)] = [(i, c) for i, c in world.state.endpoints.items() if not c.endpoint.is_initiator]
    assert conversation.endpoint.is_system
    assert not any(found.endpoint.encryption for found in world.state.endpoints.values()), "nobody has keys for it"


def test_ended_notification_stops_working(world):
    """2.8: not opened again when the target has ended the conversation (17004)."""
    found = notified(world)
    body = event_instance({"EventType": "QUEUE_ACTIVATION"})
    world.run(post, found, body)
    [target] = [c.endpoint for c in world.state.endpoints.values() if not c.endpoint.is_initiator]
    world.end(target.conversation_handle)
    assert world.run(post, found, body) is Outcome.ENDED


def test_trace_events(world):
    """11.2: class and subclass names, with state, role and handle."""
    events = []
    world.state.trace = events.append
    mine, theirs = world.dialog()
    world.end(mine)
    world.end(theirs)
    assert [(e.subclass, e.role) for e in events if e.event_class == "Broker:Conversation"] == [
        ("BEGIN DIALOG", "initiator"),
        ("SEND Message", "initiator"),
        ("Dialog Created", "target"),
        ("Received Sequenced Message", "target"),
        ("END CONVERSATION", "initiator"),
        ("Received END CONVERSATION", "target"),
        ("END CONVERSATION", "target"),
    ]
    classified = [e for e in events if e.event_class == "Broker:Message Classify"]
    assert [e.subclass for e in classified] == ["Local"]
    assert events[0].conversation_handle == mine


def test_trace_of_an_error_names_the_number(world):
    events = []
    world.state.trace = events.append
    handle = world.begin()
    world.send(handle, "//xml", b"<")
    assert ("Broker Initiated Error", "9615") in [(e.subclass, e.text) for e in events]
    with pytest.raises(SqlError):
        world.send(handle)
