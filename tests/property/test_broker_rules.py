"""The broker against a tiny model: two transactions interleaved, in any order of statements.

Checked at every step and at the end: each message is received exactly once, in order within its conversation, a group
belongs to one transaction at a time, rollback and savepoints restore, nothing is lost, and what the commits wrote is
what is in memory. The model knows dialogs as two lists of messages each; it knows nothing of heaps, arrivals or undo.
"""

from __future__ import annotations

import copy
from typing import Any
from uuid import UUID

import msgspec
from held_groups import held_groups
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from sbql.catalog.records import (
    BrokerChange,
    Contract,
    ContractMessageUsage,
    Database,
    MessageType,
    Queue,
    Route,
    Service,
)
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.deadlines import retry_delayed, run_due
from sbql.engine.broker.end_conversation import end_conversation
from sbql.engine.broker.holdings import MustWait
from sbql.engine.broker.move_conversation import move_conversation
from sbql.engine.broker.receive import receive
from sbql.engine.broker.send import send
from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.host import VirtualHost
from sbql.engine.locks import LockOwner, LockTable
from sbql.grammar.errors import SqlError

LEFT, RIGHT = 1001, 1002
SERVICES = {LEFT: "//left", RIGHT: "//right"}

WEIGHTS = {
    "begin": 1,
    "send": 5,
    "receive": 5,
    "receive_by_handle": 2,
    "end": 1,
    "move": 1,
    "save": 1,
    "rollback_to_savepoint": 1,
    "commit": 5,
    "rollback": 1,
    "overlay": 1,
    "background": 1,
    "fold": 2,
    "page_out": 2,
    "rest": 2,
}
ACTIONS = [action for action, weight in WEIGHTS.items() for _ in range(weight)]


def catalog() -> CatalogSnapshot:
    snapshot = CatalogSnapshot()
    usage = ContractMessageUsage(100, True, True)
    for record in (
        Database(id=5, database_id=0, name="db", service_broker_guid=UUID(int=5)),
        MessageType(id=100, database_id=5, name="DEFAULT"),
        Contract(id=200, database_id=5, name="DEFAULT", messages=(usage,)),
        Route(id=300, database_id=5, name="AutoCreatedLocal"),
        Queue(id=LEFT, database_id=5, name="left", schema_id=1),
        Queue(id=RIGHT, database_id=5, name="right", schema_id=1),
        Service(id=401, database_id=5, name="//left", queue_id=LEFT, contract_ids=(200,)),
        Service(id=402, database_id=5, name="//right", queue_id=RIGHT, contract_ids=(200,)),
    ):
        snapshot = snapshot.with_record(record)
    return snapshot


class Model:
    """What has been committed: for each conversation id and direction, what was sent, received, and who has ended.

    A direction is (conversation id, sent by the initiator)."""

    def __init__(self) -> None:
        self.sent: dict[tuple[UUID, bool], list[bytes]] = {}
        self.received: dict[tuple[UUID, bool], list[bytes]] = {}
        self.ended: set[tuple[UUID, bool]] = set()
        """(conversation id, is_initiator) of sides that have issued END."""


class Session:
    """One transaction with the model's picture of what it has done, and its savepoint."""

    def __init__(self, transaction: BrokerTransaction) -> None:
        self.transaction = transaction
        self.done: list[tuple[Any, ...]] = []
        self.savepoint: tuple[int, list[tuple[Any, ...]]] | None = None
        self.groups: set[Any] = set()


class BrokerRules(RuleBasedStateMachine):
    @initialize()
    def start(self) -> None:
        self.snapshot = catalog()
        self.host = VirtualHost(1)
        self.locks = LockTable()
        self.state = BrokerState(self.locks)
        self.model = Model()
        self.stored: dict[Any, Any] = {}
        self.state.paging.fetch = self.fetch
        self.state.paging.page = 2
        self.state.paging.most_messages = 1
        self.folded: Any = None
        self.sessions = [self.session(name) for name in ("A", "B")]
        self.handles: list[UUID] = []
        self.counter = 0
        for queue in (LEFT, RIGHT):
            self.begin(0, queue, None)
        self.commit(0)

    def session(self, name: str) -> Session:
        return Session(BrokerTransaction(self.state, LockOwner(name), self.host, lambda: self.snapshot))

    def attempt(self, session: Session, operation: Any, *arguments: Any, **options: Any) -> tuple[bool, Any]:
        """(True, result), or (False, None) when it has to wait or is refused; then nothing has changed."""
        transaction = session.transaction
        mark = transaction.mark()
        try:
            return True, operation(transaction, *arguments, **options)
        except MustWait:
            return False, None
        except SqlError:
            transaction.rollback_to(mark)
            return False, None

    def pick(self, number: int) -> UUID:
        return self.handles[number % len(self.handles)]

    def identity(self, handle: UUID) -> tuple[UUID, bool]:
        found = self.state.find(5, handle)
        assert found is not None
        endpoint = found.endpoint
        return endpoint.conversation_id, endpoint.is_initiator

    @rule(
        action=st.sampled_from(ACTIONS),
        who=st.integers(0, 1),
        number=st.integers(0, 30),
        other=st.integers(0, 30),
        queue=st.sampled_from([LEFT, RIGHT]),
        top=st.none() | st.integers(1, 3),
    )
    def act(self, action: str, who: int, number: int, other: int, queue: int, top: int | None) -> None:
        """One rule for everything, so that every run mixes all statements."""
        if action == "begin":
            self.begin(who, queue, number if other % 2 else None)
        elif action == "send":
            self.send(who, number, 1 + other % 3)
        elif action == "receive":
            self.receive(who, queue, top)
        elif action == "receive_by_handle":
            self.receive_by_handle(who, number, queue)
        elif action == "move":
            self.move(who, number, other)
        elif action == "end":
            self.end(who, number)
        elif action == "rollback":
            self.rollback(who, other % 2 == 1)
        else:
            getattr(self, action)(*(() if action in ("overlay", "background", "fold", "page_out", "rest") else (who,)))

    # Statements

    def begin(self, who: int, queue: int, related: int | None) -> None:
        session = self.sessions[who]
        options: dict[str, Any] = {}
        if related is not None and self.handles:
            options["related_conversation"] = self.pick(related)
        target = SERVICES[RIGHT if queue == LEFT else LEFT]
        fine, handle = self.attempt(session, begin_dialog, 5, SERVICES[queue], target, **options)
        if fine:
            self.handles.append(handle)

    def send(self, who: int, number: int, times: int) -> None:
        handle = self.pick(number)
        for _ in range(times):
            self.counter += 1
            body = b"%d" % self.counter
            fine, _ = self.attempt(self.sessions[who], send, 5, handle, "DEFAULT", body)
            if fine:
                self.sessions[who].done.append(("sent", self.identity(handle), body))

    def receive(self, who: int, queue: int, top: int | None) -> None:
        fine, found = self.attempt(self.sessions[who], receive, queue, top)
        assert fine, "RECEIVE without WHERE never waits"
        self.note(self.sessions[who], found)
        assert top is None or len(found) <= top
        assert len({g.conversation_group_id for _, _, g in found}) <= 1

    def receive_by_handle(self, who: int, number: int, queue: int) -> None:
        fine, found = self.attempt(self.sessions[who], receive, queue, conversation_handle=self.pick(number))
        if fine:
            assert {e.conversation_handle for _, e, _ in found} <= {self.pick(number)}
            self.note(self.sessions[who], found)

    def note(self, session: Session, found: list[Any]) -> None:
        for message, endpoint, group in found:
            other = self.sessions[1 - self.sessions.index(session)]
            key = (5, group.conversation_group_id)
            assert key in held_groups(session.transaction)
            assert key not in held_groups(other.transaction)
            if message.message_type_name == "DEFAULT":
                direction = (endpoint.conversation_id, not endpoint.is_initiator)
                session.done.append(("received", direction, message.message_body))
            if endpoint.conversation_handle not in self.handles:
                self.handles.append(endpoint.conversation_handle)

    def end(self, who: int, number: int) -> None:
        handle = self.pick(number)
        fine, _ = self.attempt(self.sessions[who], end_conversation, 5, handle)
        if fine:
            self.sessions[who].done.append(("ended", self.identity(handle), b""))

    def move(self, who: int, number: int, other: int) -> None:
        target = self.state.find(5, self.pick(other))
        if target is not None:
            group = target.endpoint.conversation_group_id
            self.attempt(self.sessions[who], move_conversation, 5, self.pick(number), group)

    # Transactions

    def save(self, who: int) -> None:
        session = self.sessions[who]
        session.savepoint = (session.transaction.mark(), list(session.done))

    def rollback_to_savepoint(self, who: int) -> None:
        session = self.sessions[who]
        if session.savepoint is not None:
            session.transaction.rollback_to(session.savepoint[0])
            session.done = list(session.savepoint[1])

    def commit(self, who: int) -> None:
        session = self.sessions[who]
        self.write(session.transaction.prepare())
        session.transaction.publish()
        for what, key, body in session.done:
            if what == "ended":
                self.model.ended.add(key)
            else:
                (self.model.sent if what == "sent" else self.model.received).setdefault(key, []).append(body)
        session.done, session.savepoint = [], None

    def rollback(self, who: int, prepared: bool) -> None:
        session = self.sessions[who]
        if prepared:
            session.transaction.prepare()
        session.transaction.rollback()
        session.done, session.savepoint = [], None

    def overlay(self) -> None:
        self.sessions[0].transaction.changes_so_far()

    def background(self) -> None:
        task = self.session("task").transaction
        retry_delayed(self.state, self.host.now())
        run_due(task)
        self.write(task.prepare())
        task.publish()

    def fold(self) -> None:
        """All that is committed now reaches the tables, which are written at once here: so from now on it may go."""
        self.folded = self.state.paging.before_fold()
        self.foldable = {key[1] for key in self.stored if key[0] == "Message"}

    def page_out(self) -> None:
        if self.folded is not None:
            for conversation, _, keys in self.folded:
                assert keys <= self.foldable, f"of {conversation} a message that is not committed might go"
            self.state.paging.after_fold(self.folded)
            self.folded = None

    def rest(self) -> None:
        """Every conversation that may leaves the memory."""
        self.state.resting.most = 0
        self.state.resting.begin()
        while self.state.rest_some():
            pass

    def fetch(self, keys: Any) -> dict[int, Any]:
        """As the store does: the first, and of the others as many as it likes."""
        return {key: copy.copy(self.stored["Message", key]) for key in keys[: 1 + self.counter % 3]}

    def write(self, changes: list[Any]) -> None:
        """Keep the stored rows as the journal would."""
        for change in msgspec.msgpack.decode(msgspec.msgpack.encode(changes), type=list[BrokerChange]):
            name = type(change).__name__
            kind = next(k for k in ("Endpoint", "Group", "Transmission", "Message") if k in name)
            key = (kind, getattr(change, change.__struct_fields__[0]))
            if name.startswith("Delete"):
                assert key in self.stored, f"{name} of a row that was never written"
                del self.stored[key]
            else:
                self.stored[key] = copy.copy(change)

    # What must hold

    @invariant()
    def received_is_a_prefix_of_sent(self) -> None:
        """Exactly once, in order: what has been received of a direction is the beginning of what was sent in it."""
        if not hasattr(self, "model"):
            return
        for direction, bodies in self.model.received.items():
            assert self.model.sent.get(direction, [])[: len(bodies)] == bodies

    @invariant()
    def ready_index_finds_everything(self) -> None:
        if not hasattr(self, "state"):
            return
        for conversation in self.state.endpoints.values():
            if conversation.first_order() >= 0:
                group = conversation.group
                assert group.parked or group.entry is not None
                assert group.is_alone(conversation) or conversation.entry is not None

    def teardown(self) -> None:
        if not hasattr(self, "state"):
            return
        for session in self.sessions:
            session.transaction.rollback()
            session.done.clear()
        for _ in range(3):
            self.background()
        self.nothing_is_locked()
        self.store_and_memory_agree()
        self.drain()
        for direction, bodies in self.model.sent.items():
            conversation, by_initiator = direction
            if (conversation, not by_initiator) not in self.model.ended:
                assert self.model.received.get(direction, []) == bodies, "a message was lost"

    def nothing_is_locked(self) -> None:
        assert not self.locks._locks
        assert not self.state.ready.parked
        assert self.state.prepared_by is None

    def store_and_memory_agree(self) -> None:
        memory: dict[Any, Any] = {}
        for conversation in self.state.endpoints.values():
            assert conversation.toucher is None
            memory["Endpoint", conversation.endpoint.conversation_handle] = conversation.endpoint
            for message in conversation.in_memory():
                memory["Message", message.message_key] = message
            for key in conversation.run.message_keys() if conversation.run is not None else ():
                memory["Message", key] = self.stored["Message", key]
            for row in conversation.transmission:
                memory["Transmission", row.message_key] = row
        for group in self.state.groups.values():
            memory["Group", group.record.conversation_group_id] = group.record
        for conversation in self.state.at_rest():
            memory["Endpoint", conversation.endpoint.conversation_handle] = conversation.endpoint
            for key in conversation.run.message_keys() if conversation.run is not None else ():
                memory["Message", key] = self.stored["Message", key]
            memory["Group", conversation.group.record.conversation_group_id] = conversation.group.record
        assert set(memory) == set(self.stored)
        for key, record in memory.items():
            if key[0] == "Transmission":
                record = msgspec.structs.replace(record, next_attempt=self.stored[key].next_attempt)
            assert record == self.stored[key]

    def drain(self) -> None:
        session = self.sessions[0]
        for queue in (LEFT, RIGHT):
            while True:
                _, found = self.attempt(session, receive, queue)
                self.note(session, found)
                self.commit(0)
                if not found:
                    break


BrokerRules.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestBrokerRules = BrokerRules.TestCase


def test_what_waits_at_rest_is_in_memory_as_numbers() -> None:
    """One dialog of many that goes to rest with its message, as the machine found it."""
    machine = BrokerRules()
    machine.start()
    for action in (*["begin"] * 34, "send", "commit", "fold", "page_out", "rest"):
        machine.act(action=action, number=0, other=1 if action == "send" else 0, queue=1001, top=None, who=0)
    assert any(row.numbers for row in machine.state.resting.rows())
    machine.teardown()
