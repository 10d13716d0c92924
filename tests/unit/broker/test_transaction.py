"""BrokerTransaction: undo, images of endpoints that two transactions change, prepare and publish, load."""

from __future__ import annotations

import msgspec
import pytest

from sbql.catalog.changes import StoredState
from sbql.catalog.records import BrokerChange, ConversationEndpoint, Service
from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.deadlines import run_due
from sbql.engine.broker.delivery import FIRST_RETRY
from sbql.engine.broker.end_conversation import end_conversation
from sbql.engine.broker.holdings import MustWait
from sbql.engine.broker.monolog_publisher import begin_monolog
from sbql.engine.broker.monolog_retention import drop_expired
from sbql.engine.broker.move_conversation import move_conversation
from sbql.engine.broker.receive import receive
from sbql.engine.broker.send import send
from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.state_loading import fill
from sbql.grammar.errors import SqlError, sql_error

CONTRACT, LEFT, RIGHT, BOTH = "//contract", "//left", "//right", "//both"
LEFT_QUEUE, RIGHT_QUEUE = 1001, 1002


def names(changes):
    return sorted(type(c).__name__ for c in changes)


def test_nothing_to_write_after_nothing(world):
    transaction = world.transaction()
    assert receive(transaction, RIGHT_QUEUE) == []
    assert transaction.prepare() == []
    transaction.publish()
    assert transaction.is_empty


def test_uncommitted_changes_of_others_are_not_written(world):
    """An arrival is written with the committed image of the endpoint, without the other transaction's SEND."""
    mine, theirs = world.dialog()
    other = world.transaction()
    send(other, 5, theirs, BOTH, b"uncommitted")
    transaction = world.transaction()
    send(transaction, 5, mine, BOTH, b"x")
    written = {c.conversation_handle: c for c in transaction.prepare() if type(c).__name__ == "ConversationEndpoint"}
    assert (written[theirs].send_sequence, written[theirs].receive_sequence) == (0, 2)
    transaction.publish()
    other.rollback()
    live = world.endpoint(theirs)
    assert (live.send_sequence, live.receive_sequence) == (0, 2)


def test_an_expiry_that_is_not_committed_is_not_written_by_others(world):
    mine, theirs = world.dialog(lifetime=100)
    expiring, other = world.transaction(), world.transaction()
    send(other, 5, theirs, BOTH, b"under way")
    world.host.advance_to(world.host.now() + 100)
    run_due(expiring)
    assert (world.state_of(mine), world.state_of(theirs)) == ("ER", "CO")
    written = {r.conversation_handle: r.state for r in world.commit(other) if isinstance(r, ConversationEndpoint)}
    assert written == {mine: "CO", theirs: "CO"}
    expiring.rollback()
    assert world.state_of(mine) == "CO"


def test_end_arriving_during_an_uncommitted_send(world):
    mine, theirs = world.dialog()
    other = world.transaction()
    send(other, 5, theirs, BOTH, b"under way")
    world.end(mine)
    assert world.state_of(theirs) == "DI"
    other.rollback()
    assert world.state_of(theirs) == "DI"
    assert world.receive() == [("EndDialog", None)]


def test_prepare_waits_for_one_that_is_prepared(world):
    """Commits are written in the order in which they are prepared."""
    mine, theirs = world.dialog()
    first, second = world.transaction(), world.transaction()
    send(first, 5, mine, BOTH, b"1")
    send(second, 5, theirs, BOTH, b"2")
    assert first.prepare()
    with pytest.raises(MustWait) as raised:
        second.prepare()
    assert raised.value.resource == first.commit_resource
    assert world.locks.holder(first.commit_resource) is first.owner, "who waits for it waits for somebody"
    first.publish()
    assert world.locks.holder(first.commit_resource) is None
    assert second.prepare()
    second.publish()
    assert world.receive() == [("both", b"1")]
    assert world.receive(LEFT_QUEUE) == [("both", b"2")]


def test_one_that_only_receives_holds_nobody_up(world):
    """Nothing that it writes can depend on another commit, as long as it holds its groups."""
    mine, _ = world.dialog()
    sender = world.transaction()
    send(sender, 5, mine, BOTH, b"1")
    assert not sender.only_receives
    world.commit(sender)
    receiver, other = world.transaction(), world.transaction()
    receive(receiver, RIGHT_QUEUE)
    assert receiver.only_receives
    assert receiver.prepare()
    send(other, 5, mine, BOTH, b"2")
    assert other.prepare()
    other.publish()
    receiver.publish()
    assert world.receive() == [("both", b"2")]


def test_rollback_after_prepare(world):
    """The store refused the commit: everything is as before."""
    mine, theirs = world.dialog()
    transaction = world.transaction()
    fresh = begin_dialog(transaction, 5, LEFT, RIGHT, contract=CONTRACT)
    send(transaction, 5, fresh, BOTH, b"n")
    send(transaction, 5, mine, BOTH, b"x")
    end_conversation(transaction, 5, mine)
    assert transaction.prepare()
    transaction.rollback()
    assert (world.state_of(mine), world.state_of(theirs)) == ("CO", "CO")
    assert len(list(world.state.records())) == 2
    assert world.receive() == []
    world.send(mine, BOTH, b"again")
    assert world.receive() == [("both", b"again")]


def test_savepoint(world):
    mine, _ = world.dialog()
    transaction = world.transaction()
    send(transaction, 5, mine, BOTH, b"1")
    mark = transaction.mark()
    send(transaction, 5, mine, BOTH, b"2")
    handle = begin_dialog(transaction, 5, LEFT, RIGHT, contract=CONTRACT)
    end_conversation(transaction, 5, mine)
    transaction.rollback_to(mark)
    assert world.state_of(handle) is None
    send(transaction, 5, mine, BOTH, b"3")
    world.commit(transaction)
    assert [b for _, b in world.receive()] == [b"1", b"3"]


def test_failed_statement_that_locked_the_targets_group(world):
    """Locks stay when a statement fails: a message sent before it still goes first."""
    mine, theirs = world.dialog()
    transaction = world.transaction()
    send(transaction, 5, mine, BOTH, b"1")
    mark = transaction.mark()
    with pytest.raises(SqlError):
        move_conversation(transaction, 5, mine, world.endpoint(theirs).conversation_group_id)
    transaction.rollback_to(mark)
    send(transaction, 5, mine, BOTH, b"2")
    world.commit(transaction)
    assert [b for _, b in world.receive()] == [b"1", b"2"]


def test_overlay_for_own_readers(world):
    mine, _ = world.dialog()
    transaction = world.transaction()
    send(transaction, 5, mine, BOTH, b"x")
    assert "QueuedMessage" in names(transaction.changes_so_far())
    transaction.rollback()
    assert world.receive() == []


def test_load_gives_the_same_state(world):
    """What commits wrote, loaded into a new state, goes on where the old one stopped."""
    table = {}

    def commit(operation, *arguments, **options):
        transaction = world.transaction()
        result = operation(transaction, *arguments, **options)
        encoded = msgspec.msgpack.encode(transaction.prepare())
        for change in msgspec.msgpack.decode(encoded, type=list[BrokerChange]):
            kind = type(change).__name__.replace("Delete", "")
            key = {"ConversationEndpoint": "Endpoint", "ConversationGroup": "Group", "QueuedMessage": "Message"}.get(
                kind, kind
            )
            ident = (
                key.replace("TransmissionMessage", "Transmission"),
                change.__getattribute__(change.__struct_fields__[0]),
            )
            if type(change).__name__.startswith("Delete"):
                table.pop(ident, None)
            else:
                table[ident] = change
        transaction.publish()
        return result

    first = commit(begin_dialog, 5, LEFT, RIGHT, contract=CONTRACT)
    delayed = commit(begin_dialog, 5, LEFT, "//nowhere", contract=CONTRACT)
    for number in range(3):
        commit(send, 5, first, BOTH, b"%d" % number)
        commit(send, 5, delayed, BOTH, b"%d" % number)
    commit(receive, RIGHT_QUEUE, 1)
    kinds = {
        name: [r for (k, _), r in table.items() if k == name]
        for name in ("Endpoint", "Group", "Message", "Transmission")
    }
    world.state = BrokerState(world.locks)
    fill(
        world.state,
        StoredState(world.snapshot, kinds["Endpoint"], kinds["Group"], kinds["Message"], kinds["Transmission"]),
        lambda database, service: world.snapshot.get(Service, database, service).queue_id,
    )
    assert len(list(world.state.records())) == 3
    assert len(world.waiting()) == 3
    kept_back = [due for due, serial, c in world.state.deadlines if c.deadline_serial == serial and c.transmission]
    assert kept_back, "what waits is tried again without anybody's doing"
    assert kept_back[0] <= world.host.now() + FIRST_RETRY
    world.send(first, BOTH, b"3")
    assert [b for _, b in world.receive()] == [b"1", b"2", b"3"]
    world.end(first)
    assert world.receive() == [("EndDialog", None)]


def test_an_expiry_that_is_undone_leaves_what_the_transaction_retains(world):
    handle = world.run(begin_monolog, 5, LEFT, contract=CONTRACT, retention=10, encryption=False)
    transaction = world.transaction()
    send(transaction, 5, handle, BOTH, b"for those who join later")
    mark = transaction.mark()
    drop_expired(transaction, world.conversation(handle), world.host.now() + 10)
    assert "MonologMessage" not in names(transaction.records())
    transaction.rollback_to(mark)
    assert "MonologMessage" in names(world.commit(transaction))


def test_no_locks_left(world):
    mine, theirs = world.dialog()
    world.end(mine)
    world.end(theirs)
    assert not world.locks._locks
    assert not world.state.ready.parked


@pytest.mark.parametrize("is_lost", [False, True])
def test_the_locks_of_tables_outlive_only_what_was_lost(world, is_lost):
    """What the disk refused is undone behind the session's back; its tables stay
    locked until it has rolled them back."""
    mine, _ = world.dialog()
    transaction = world.transaction()
    locks, table = transaction.locks, ("table", 7)
    assert locks.try_acquire(transaction.owner, table)
    send(transaction, 5, mine, BOTH, b"x")
    group = world.conversation(mine).group.resource
    if is_lost:
        transaction.lost = sql_error(9001, "Shop")
    transaction.rollback()
    assert locks.holder(group) is None
    assert locks.holder(table) is (transaction.owner if is_lost else None)


@pytest.mark.parametrize("is_lost", [True, False])
@pytest.mark.parametrize("is_held", [True, False], ids=["visible at once", "at publish"])
def test_what_is_undone_is_not_counted(world, is_held, is_lost):
    """A message that was rolled back was never put into a queue, also for the performance counters."""
    mine, theirs = world.dialog()
    before = list(world.state.counters.enqueued)
    transaction = world.transaction()
    if is_held:
        transaction.conversation(theirs, 5)
    send(transaction, 5, mine, BOTH, b"x")
    if not is_held:
        transaction.prepare()
    assert sum(world.state.counters.enqueued) == sum(before) + 1
    if is_lost:
        transaction.lose(sql_error(9001, "Shop"))
    else:
        transaction.rollback()
    assert list(world.state.counters.enqueued) == before
    world.send(mine)
    assert sum(world.state.counters.enqueued) == sum(before) + 1
