"""What exists before anyone creates anything: system databases, and the objects that every database is born with.

Decides ids, names and properties of built-in objects (reference: built-in objects). Time and broker instance ids
arrive as arguments. It must not know how records are stored, but it does name the DuckDB schemas that a database needs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, Final
from uuid import UUID

import msgspec

from sbql.catalog.changes import Definition
from sbql.catalog.duck_types import quote
from sbql.catalog.records.broker import NO_GUID
from sbql.catalog.records.objects import (
    CatalogRecord,
    Contract,
    ContractMessageUsage,
    Database,
    MessageType,
    Principal,
    Queue,
    Route,
    Schema,
    Service,
)
from sbql.catalog.snapshot import CatalogSnapshot

__all__ = [
    "DBO", "FIRST_USER_ID", "MASTER", "SCHEMAS_WITHOUT_TABLES", "TEMPDB", "built_in_queue_ids", "database_definitions", "free_storage_name",
    "new_database", "next_database_id", "storage_schema", "system_catalog",
]  # fmt: skip

MASTER: Final = 1
TEMPDB: Final = 2
MODEL: Final = 3
MSDB: Final = 4
DBO: Final = 1
"""schema_id and principal_id of dbo."""
FIRST_USER_ID: Final = 65536
"""Objects that users make have ids from here upwards."""

_URI: Final = "http://schemas.microsoft.com/SQL/"
_NOTICE: Final = "ServiceBroker/BrokerConfigurationNotice/"
_DIAGNOSTIC: Final = "ServiceBroker/ServiceDiagnostic/"

_MESSAGE_TYPES: Final = (
    (1, _URI + "ServiceBroker/Error", "X"),
    (2, _URI + "ServiceBroker/EndDialog", "E"),
    (3, _URI + "Notifications/QueryNotification", "X"),
    (4, _URI + "Notifications/EventNotification", "X"),
    (5, _URI + "ServiceBroker/DialogTimer", "E"),
    (6, _URI + _NOTICE + "MissingRoute", "X"),
    (7, _URI + _NOTICE + "FailedRoute", "X"),
    (8, _URI + _NOTICE + "MissingRemoteServiceBinding", "X"),
    (9, _URI + _NOTICE + "FailedRemoteServiceBinding", "X"),
    (10, _URI + "ServiceBroker/ServiceEcho/Echo", "N"),
    (11, _URI + _DIAGNOSTIC + "Query", "X"),
    (12, _URI + _DIAGNOSTIC + "Status", "X"),
    (13, _URI + _DIAGNOSTIC + "Description", "N"),
    (14, "DEFAULT", "N"),
)

_CONTRACTS: Final = (
    (1, _URI + "Notifications/PostQueryNotification", ((3, True, False),)),
    (2, _URI + "Notifications/PostEventNotification", ((4, True, False),)),
    (
        3,
        _URI + "ServiceBroker/BrokerConfigurationNotice",
        ((6, True, False), (7, True, False), (8, True, False), (9, True, False)),
    ),
    (4, _URI + "ServiceBroker/ServiceEcho", ((10, True, True),)),
    (5, _URI + "ServiceBroker/ServiceDiagnostic", ((11, True, False), (12, False, True), (13, False, True))),
    (6, "DEFAULT", ((14, True, True),)),
)

_SERVICES: Final = (
    (1, _URI + "Notifications/QueryNotificationService", "QueryNotificationErrorsQueue", ()),
    (2, _URI + "Notifications/EventNotificationService", "EventNotificationErrorsQueue", ()),
    (3, _URI + "ServiceBroker/ServiceBroker", "ServiceBrokerQueue", (4, 5)),
)

_FIXED_ROLES: Final = (
    (16384, "db_owner"), (16385, "db_accessadmin"), (16386, "db_securityadmin"), (16387, "db_ddladmin"),
    (16389, "db_backupoperator"), (16390, "db_datareader"), (16391, "db_datawriter"), (16392, "db_denydatareader"),
    (16393, "db_denydatawriter"),
)  # fmt: skip

SCHEMAS_WITHOUT_TABLES: Final = frozenset({"guest", "INFORMATION_SCHEMA", "sys", *(name for _, name in _FIXED_ROLES)})
"""Built-in schemas that have no DuckDB schema before a table is made in them."""

_SERVER_ROLES: Final = (
    (2, "public"), (3, "sysadmin"), (4, "securityadmin"), (5, "serveradmin"), (6, "setupadmin"), (7, "processadmin"),
    (8, "diskadmin"), (9, "dbcreator"), (10, "bulkadmin"),
)  # fmt: skip

_SYSTEM_DATABASES: Final = (
    (MASTER, "master", False, "SIMPLE"),
    (TEMPDB, "tempdb", True, "SIMPLE"),
    (MODEL, "model", False, "FULL"),
    (MSDB, "msdb", True, "SIMPLE"),
)

_FIRST_QUEUE_ID: Final = 1000


def system_catalog(now: float, new_guid: Callable[[], UUID]) -> CatalogSnapshot:
    """The catalog of a new instance. master and model have no broker: their GUID is zero."""
    records: list[CatalogRecord] = list(_server_principals(now))
    for database_id, name, is_broker_enabled, recovery in _SYSTEM_DATABASES:
        database = Database(
            id=database_id, database_id=0, name=name, create_date=now, modify_date=now, is_ms_shipped=True,
            service_broker_guid=new_guid() if is_broker_enabled else NO_GUID, is_broker_enabled=is_broker_enabled,
            recovery_model=recovery,
            is_trustworthy_on=database_id == MSDB,
        )  # fmt: skip
        records += [database, *_born_with(database_id, now, has_local_route=database_id != MASTER)]
    return CatalogSnapshot.of(records)


def new_database(
    snapshot: CatalogSnapshot, name: str, guid: UUID, now: float, *, options: Database | None = None
) -> CatalogSnapshot:
    """`snapshot` with a database `name` and its built-in objects. `options`: a record to take the settings from."""
    database_id = next_database_id(snapshot)
    born: dict[str, Any] = {"id": database_id, "database_id": 0, "name": name, "is_ms_shipped": False}
    born["storage"] = free_storage_name(snapshot, name)
    born |= {"create_date": now, "modify_date": now}
    if options is None:
        database = Database(service_broker_guid=guid, **born)
    else:
        database = msgspec.structs.replace(options, service_broker_guid=guid, **born)
    return snapshot.with_records([database, *_born_with(database_id, now, has_local_route=True)])


def built_in_queue_ids(database_id: int) -> dict[str, int]:
    """The ids of a database's built-in queues, by name. Ids of queues are unique in the instance."""
    return {queue: _built_in_queue_id(database_id, service_id) for service_id, _, queue, _ in _SERVICES}


def _built_in_queue_id(database_id: int, service_id: int) -> int:
    queue_id = _FIRST_QUEUE_ID + 3 * database_id + service_id
    return queue_id if queue_id < FIRST_USER_ID else -queue_id


def next_database_id(snapshot: CatalogSnapshot) -> int:
    """The lowest free database_id of a user database, as SQL Server gives it."""
    taken = {database.id for database in snapshot.all(Database)}
    return next(number for number in range(5, 32768) if number not in taken)


def storage_schema(database: str, schema: str) -> str:
    """The DuckDB schema that holds the tables of a schema of a database, by the database's `storage_name`."""
    return f"{_escaped(database)}.{_escaped(schema)}"


def free_storage_name(snapshot: CatalogSnapshot, name: str) -> str:
    """What to begin the DuckDB schemas of a new database with: its name, or another when a renamed database still uses
    that."""
    taken = {database.storage_name.lower() for database in snapshot.all(Database)}
    names = itertools.chain([name], (f"{name}~{number}" for number in itertools.count(2)))
    return next(candidate for candidate in names if candidate.lower() not in taken)


def database_definitions(database: str) -> list[Definition]:
    """What DuckDB must have before the first table of a new database."""
    return [
        Definition(f"CREATE SCHEMA {quote(storage_schema(database, 'dbo'))}", (quote(storage_schema(database, "dbo")),))
    ]


def _escaped(name: str) -> str:
    return name.replace("%", "%25").replace(".", "%2E")


def _server_principals(now: float) -> Iterator[Principal]:
    common: dict[str, Any] = {"database_id": 0, "create_date": now, "modify_date": now, "default_schema": None}
    yield Principal(id=1, name="sa", type="S", sid=b"\x01", **common)
    for role_id, name in _SERVER_ROLES:
        yield Principal(
            id=role_id,
            name=name,
            type="R",
            sid=bytes([role_id]),
            is_fixed_role=role_id > 2,
            owning_principal_id=1,
            **common,
        )


def _born_with(database_id: int, now: float, *, has_local_route: bool) -> Iterator[CatalogRecord]:
    """The built-in objects of one database. All but queues have the same id in every database."""
    common: dict[str, Any] = {"database_id": database_id, "create_date": now, "modify_date": now, "is_ms_shipped": True}
    yield from _security(database_id, now)
    for type_id, name, validation in _MESSAGE_TYPES:
        yield MessageType(id=type_id, name=name, validation=validation, **common)
    for contract_id, name, usages in _CONTRACTS:
        messages = tuple(ContractMessageUsage(*usage) for usage in usages)
        yield Contract(id=contract_id, name=name, messages=messages, **common)
    for service_id, name, queue, contract_ids in _SERVICES:
        queue_id = _built_in_queue_id(database_id, service_id)
        yield Queue(id=queue_id, name=queue, schema_id=DBO, **common)
        yield Service(id=service_id, name=name, queue_id=queue_id, contract_ids=contract_ids, **common)
    if has_local_route:
        yield Route(id=1, name="AutoCreatedLocal", **{**common, "is_ms_shipped": False})


def _security(database_id: int, now: float) -> Iterator[CatalogRecord]:
    common: dict[str, Any] = {"database_id": database_id, "create_date": now, "modify_date": now}
    schemas = [(1, "dbo"), (2, "guest"), (3, "INFORMATION_SCHEMA"), (4, "sys"), *_FIXED_ROLES]
    for schema_id, name in schemas:
        yield Schema(id=schema_id, name=name, principal_id=schema_id, **common)
    role: dict[str, Any] = {"type": "R", "default_schema": None, "owning_principal_id": DBO}
    yield Principal(id=0, name="public", **role, **common)
    yield Principal(id=1, name="dbo", sid=b"\x01", **common)
    yield Principal(id=2, name="guest", sid=b"\x00", default_schema="guest", **common)
    yield Principal(id=3, name="INFORMATION_SCHEMA", default_schema=None, **common)
    yield Principal(id=4, name="sys", default_schema=None, **common)
    for role_id, name in _FIXED_ROLES:
        yield Principal(id=role_id, name=name, is_fixed_role=True, **role, **common)
