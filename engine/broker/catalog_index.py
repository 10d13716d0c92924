"""CatalogIndex: what the broker looks up in the catalog again and again, arranged once per snapshot.

Decides nothing: databases by broker GUID, services by name, routes, priorities, message usages of a contract. Must
not know conversations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from sbql.catalog.records import (
    NO_GUID,
    BrokerPriority,
    Contract,
    Database,
    EventNotification,
    MasterKey,
    MessageType,
    MonologSubscription,
    Permission,
    RemoteServiceBinding,
    Route,
    Service,
)
from sbql.catalog.records.objects import CatalogRecord, Queue
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.grammar.errors import sql_error

__all__ = ["CatalogIndex", "MessageUsage"]

PUBLIC_PRINCIPAL = 0


class MessageUsage(NamedTuple):
    """A message type within a contract."""

    type: MessageType
    by_initiator: bool
    by_target: bool


class CatalogIndex:
    """Immutable look-ups of one snapshot."""

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        self.snapshot = snapshot
        self.databases: dict[int, Database] = {}
        self.by_guid: dict[int, Database] = {}
        self.services: dict[tuple[int, str], Service] = {}
        self.services_by_name: dict[str, list[Service]] = defaultdict(list)
        self.service_by_id: dict[tuple[int, int], Service] = {}
        self.contracts: dict[tuple[int, str], Contract] = {}
        self.contract_by_id: dict[tuple[int, int], Contract] = {}
        self.queues: dict[int, Queue] = {}
        self.message_types: dict[tuple[int, str], MessageType] = {}
        self.routes: dict[int, list[Route]] = defaultdict(list)
        self.priorities: dict[int, list[BrokerPriority]] = defaultdict(list)
        self.bindings: dict[tuple[int, str], RemoteServiceBinding] = {}
        self.notifications: list[EventNotification] = []
        self.master_keys: set[int] = set()
        self.closed_master_keys: set[int] = set()
        self.public_send: set[tuple[int, int]] = set()
        self.subscriptions: dict[str, list[MonologSubscription]] = defaultdict(list)
        self.usages: dict[tuple[int, int], dict[str, MessageUsage]] = {}
        for record in snapshot.records():
            add = _ADD.get(type(record))
            if add is not None:
                add(self, record)
        for key, contract in self.contract_by_id.items():
            self.usages[key] = self._usages(contract)

    def _usages(self, contract: Contract) -> dict[str, MessageUsage]:
        found = {}
        for usage in contract.messages:
            kind = self.snapshot.get(MessageType, contract.database_id, usage.message_type_id)
            if kind is not None:
                found[kind.name] = MessageUsage(kind, usage.is_sent_by_initiator, usage.is_sent_by_target)
        return found

    def guid(self, database_id: int) -> str:
        return str(self.databases[database_id].service_broker_guid).upper()

    def require_broker(self, database_id: int) -> None:
        """Raises 8442 for a database without a broker, such as master. A disabled broker is one."""
        database = self.databases.get(database_id)
        if database is not None and database.service_broker_guid == NO_GUID:
            raise sql_error(8442)

    def is_broker_enabled(self, database_id: int) -> bool:
        """Whether messages are delivered to and from it: the broker is enabled, and the database is not in a state that
        forbids it."""
        database = self.databases.get(database_id)
        return database is not None and not database.broker_problem


def _database(index: CatalogIndex, record: Database) -> None:
    index.databases[record.id] = record
    key = record.service_broker_guid.int
    if key and (key not in index.by_guid or record.is_broker_enabled):  # at most one of those with the same id is
        index.by_guid[key] = record


def _service(index: CatalogIndex, record: Service) -> None:
    index.services[record.database_id, record.name] = record
    index.services_by_name[record.name].append(record)
    index.service_by_id[record.database_id, record.id] = record


def _contract(index: CatalogIndex, record: Contract) -> None:
    index.contracts[record.database_id, record.name] = record
    index.contract_by_id[record.database_id, record.id] = record


def _queue(index: CatalogIndex, record: Queue) -> None:
    index.queues[record.id] = record


def _message_type(index: CatalogIndex, record: MessageType) -> None:
    index.message_types[record.database_id, record.name] = record


def _route(index: CatalogIndex, record: Route) -> None:
    index.routes[record.database_id].append(record)


def _priority(index: CatalogIndex, record: BrokerPriority) -> None:
    index.priorities[record.database_id].append(record)


def _binding(index: CatalogIndex, record: RemoteServiceBinding) -> None:
    index.bindings[record.database_id, record.remote_service_name] = record


def _subscription(index: CatalogIndex, record: MonologSubscription) -> None:
    index.subscriptions[record.far_service].append(record)


def _notification(index: CatalogIndex, record: EventNotification) -> None:
    index.notifications.append(record)


def _master_key(index: CatalogIndex, record: MasterKey) -> None:
    (index.master_keys if record.is_encrypted_by_server else index.closed_master_keys).add(record.database_id)


def _permission(index: CatalogIndex, record: Permission) -> None:
    grants_send = record.class_.upper() == "SERVICE" and record.permission.upper() in ("SEND", "CONTROL")
    if grants_send and record.state in ("G", "W") and record.grantee_principal_id == PUBLIC_PRINCIPAL:
        index.public_send.add((record.database_id, record.major_id))


_ADD: dict[type[CatalogRecord], Callable[..., None]] = {
    Database: _database,
    Service: _service,
    Contract: _contract,
    Queue: _queue,
    MessageType: _message_type,
    Route: _route,
    BrokerPriority: _priority,
    RemoteServiceBinding: _binding,
    EventNotification: _notification,
    MasterKey: _master_key,
    MonologSubscription: _subscription,
    Permission: _permission,
}
