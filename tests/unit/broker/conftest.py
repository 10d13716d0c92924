"""A broker without SQL: a catalog of two databases, transactions, and short names for the operations."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from sbql.catalog.records import (
    CatalogRecord,
    Contract,
    ContractMessageUsage,
    ConversationEndpoint,
    Database,
    MessageType,
    Queue,
    Route,
    Service,
)
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.end_conversation import end_conversation, end_conversation_with_error
from sbql.engine.broker.receive import executed, receive
from sbql.engine.broker.send import send
from sbql.engine.broker.state import BrokerState, Conversation
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.host import VirtualHost
from sbql.engine.locks import LockOwner, LockTable

sys.path.insert(0, str(Path(__file__).parent))
"""`dialog_shop` stands beside the tests."""

GUID = {5: UUID(int=0x5A), 6: UUID(int=0x6A)}

REQUEST, REPLY, BOTH, XML, EMPTY = "//request", "//reply", "//both", "//xml", "//empty"
CONTRACT, LEFT, RIGHT, FAR = "//contract", "//left", "//right", "//far"
LEFT_QUEUE, RIGHT_QUEUE, FAR_QUEUE = 1001, 1002, 1003


def standard_records() -> list[CatalogRecord]:
    """Databases 5 (services //left, //right on two queues) and 6 (//far), with the same types and contract in both."""
    found: list[CatalogRecord] = []
    for database in (5, 6):
        found.append(Database(id=database, database_id=0, name=f"db{database}", service_broker_guid=GUID[database]))
        names = {"DEFAULT": "N", REQUEST: "N", REPLY: "N", BOTH: "N", XML: "X", EMPTY: "E", "//alien": "N"}
        found += [
            MessageType(id=100 + i, database_id=database, name=name, validation=validation)
            for i, (name, validation) in enumerate(names.items())
        ]
        usages = {101: (True, False), 102: (False, True), 103: (True, True), 104: (True, True), 105: (True, True)}
        found.append(
            Contract(
                id=200,
                database_id=database,
                name=CONTRACT,
                messages=tuple(ContractMessageUsage(i, a, b) for i, (a, b) in usages.items()),
            )
        )
        default = (ContractMessageUsage(100, True, True),)
        found.append(Contract(id=201, database_id=database, name="DEFAULT", messages=default))
        found.append(Route(id=300, database_id=database, name="AutoCreatedLocal"))
    for queue, name, database in ((LEFT_QUEUE, "left", 5), (RIGHT_QUEUE, "right", 5), (FAR_QUEUE, "far", 6)):
        found.append(Queue(id=queue, database_id=database, name=name, schema_id=1))
    for service, name, database in ((401, LEFT, 5), (402, RIGHT, 5), (403, FAR, 6)):
        found.append(
            Service(id=service, database_id=database, name=name, queue_id=600 + service, contract_ids=(200, 201))
        )
    return found


class World:
    """One instance's broker and its catalog."""

    def __init__(self, seed: int = 0) -> None:
        self.snapshot = CatalogSnapshot()
        for record in standard_records():
            self.put(record)
        self.host = VirtualHost(seed)
        self.locks = LockTable()
        self.state = BrokerState(self.locks)
        self.stored: dict[Any, Any] = {}

    def put(self, record: CatalogRecord) -> None:
        self.snapshot = self.snapshot.with_record(record)

    def alter(self, cls: type[CatalogRecord], database: int, record_id: int, **fields: Any) -> None:
        record = self.snapshot.get(cls, database, record_id)
        assert record is not None
        self.put(msgspec.structs.replace(record, **fields))

    def alter_queue(self, queue_id: int, **fields: Any) -> None:
        self.alter(Queue, 6 if queue_id == FAR_QUEUE else 5, queue_id, **fields)

    def transaction(self, name: str = "test", **options: Any) -> BrokerTransaction:
        return BrokerTransaction(self.state, LockOwner(name), self.host, lambda: self.snapshot, **options)

    def commit(self, transaction: BrokerTransaction) -> list[Any]:
        """Prepare, store, publish."""
        changes = msgspec.msgpack.decode(msgspec.msgpack.encode(transaction.prepare()))
        self.stored.update({tuple(map(str, c[:2])): c for c in changes})
        records = transaction.records()
        transaction.publish()
        return records

    def run(self, operation: Any, *arguments: Any, **options: Any) -> Any:
        """One operation in a transaction of its own."""
        transaction = self.transaction()
        try:
            result = operation(transaction, *arguments, **options)
        except BaseException:
            transaction.rollback()
            raise
        self.commit(transaction)
        return result

    def begin(self, to: str = RIGHT, **options: Any) -> UUID:
        options = {"contract": CONTRACT, "encryption": False, **options}
        return self.run(begin_dialog, options.pop("database", 5), options.pop("service", LEFT), to, **options)

    def send(self, handle: UUID, kind: str = BOTH, body: bytes | None = b"x", database: int = 5) -> None:
        self.run(send, database, handle, kind, body)

    def end(self, handle: UUID, database: int = 5) -> None:
        self.run(end_conversation, database, handle)

    def fail(self, handle: UUID, code: int = 7, text: str = "no", database: int = 5) -> None:
        self.run(end_conversation_with_error, database, handle, code, text)

    def receive(self, queue: int = RIGHT_QUEUE, top: int | None = None, **where: Any) -> list[tuple[str, bytes | None]]:
        """(type name's last part, body) of each received message."""
        found = self.run(receive, queue, top, **where)
        executed(self.state, queue, bool(found), self.host.now())
        return [(m.message_type_name.rsplit("/", 1)[-1], m.message_body) for m, _, _ in found]

    def dialog(self, to: str = RIGHT, **options: Any) -> tuple[UUID, UUID]:
        """A dialog in use: (initiator's handle, target's handle), one message received on each side."""
        mine = self.begin(to, **options)
        self.send(mine)
        theirs = self.peer(mine)
        queue = self.conversation(theirs).queue.queue_id
        assert len(self.receive(queue)) == 1
        return mine, theirs

    def peer(self, handle: UUID) -> UUID:
        own = self.conversation(handle).endpoint
        for endpoint in self.state.records():
            if endpoint.conversation_id == own.conversation_id and endpoint.is_initiator != own.is_initiator:
                return endpoint.conversation_handle
        raise AssertionError("no peer")

    def conversation(self, handle: UUID) -> Conversation:
        """The endpoint of a handle, in whichever database it is."""
        database_id = next(e.database_id for e in self.state.records() if e.conversation_handle == handle)
        found = self.state.find(database_id, handle)
        assert found is not None
        return found

    def count_of_groups(self) -> int:
        """Those at rest too."""
        resting = {c.group.resource for c in self.state.at_rest()}
        return len(self.state.groups) + len(resting)

    def endpoint(self, handle: UUID) -> ConversationEndpoint | None:
        return self.state.endpoint(5, handle) or self.state.endpoint(6, handle)

    def state_of(self, handle: UUID) -> str | None:
        found = self.endpoint(handle)
        return None if found is None else found.state

    def waiting(self, database: int = 5) -> list[Any]:
        return [
            row for c in self.state.delayed if c.endpoint.database_id == database for row in (*c.transmission, *c.held)
        ]

    @staticmethod
    def error(body: bytes | None) -> tuple[int, str]:
        """Code and description of an Error body."""
        assert body is not None
        root = ET.fromstring(body.decode("utf-16"))
        ns = "{http://schemas.microsoft.com/SQL/ServiceBroker/Error}"
        return int(root.findtext(f"{ns}Code") or 0), root.findtext(f"{ns}Description") or ""


@pytest.fixture
def world() -> World:
    return World()
