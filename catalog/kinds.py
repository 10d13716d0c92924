"""The kinds of objects: one row for everything that CREATE makes, with what the catalog,
permissions, events and messages know of it.

A table of facts: it decides nothing. A new kind is its record class, its row here, and the handlers of its statements;
whoever needs to know something of every kind asks the table. Records that are part of something (a permission, a
signature, a member of a role) are no kinds.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from sbql.catalog.records.objects import (
    AsymmetricKey,
    BrokerPriority,
    CatalogRecord,
    Certificate,
    Contract,
    Credential,
    Database,
    DatabaseScopedCredential,
    EventNotification,
    InstanceEndpoint,
    MasterKey,
    MessageType,
    Module,
    Principal,
    Queue,
    RemoteServiceBinding,
    Route,
    Schema,
    Service,
    SymmetricKey,
    Synonym,
    XmlSchemaCollection,
)
from sbql.catalog.records.tables import PartitionFunction, PartitionScheme, Sequence, Table, UserType

__all__ = [
    "KINDS",
    "SCHEMA_OBJECTS",
    "Kind",
    "kind_named",
    "kind_of",
    "kind_of_class",
    "object_type",
    "securable_kinds",
]


class Kind(Struct, frozen=True, kw_only=True):
    """`words` as in CREATE and DROP. `types`: what `record.type` may be, or the type of schema objects in sys.objects.
    `parent`: the securable above it (SCHEMA, DATABASE, SERVER). `securable`: the class of GRANT … ON, '' for what has
    no permissions of its own; `code` its number, which extended properties share. `events`: numbers of its event group,
    the group above, and the events CREATE, ALTER, DROP; () for a kind without events. `taken`: the error of a name that
    is there. `called`: its name in messages, where it has another. `relation` and `fields`: the catalog relation of its
    records and the columns after database_id, id, name, as `columns_of` reads them."""

    words: str
    record: type[CatalogRecord]
    types: tuple[str, ...] = ()
    parent: str = "DATABASE"
    on_server: bool = False
    is_case_sensitive: bool = False
    securable: str = ""
    code: int = 1
    permissions: tuple[str, ...] = ()
    events: tuple[int | None, ...] = ()
    taken: int = 2714
    called: str = ""
    relation: str = ""
    fields: str = ""

    @property
    def family(self) -> str:
        """As in CREATE_MESSAGE_TYPE and sys.extended_properties."""
        return self.words.replace(" ", "_")

    @property
    def noun(self) -> str:
        """What messages call it."""
        return self.called or self.words.lower()


_ANY: Final = ("CONTROL", "ALTER", "VIEW DEFINITION")
_OWNED: Final = ("CONTROL", "TAKE OWNERSHIP", "ALTER", "VIEW DEFINITION")
_REFERENCED: Final = ("CONTROL", "TAKE OWNERSHIP", "ALTER", "REFERENCES", "VIEW DEFINITION")
_DATA: Final = ("SELECT", "INSERT", "UPDATE", "DELETE", "EXECUTE", "REFERENCES")


def _object(words: str, record: type[CatalogRecord], *types: str, events: tuple[int | None, ...], **more: Any) -> Kind:
    """A kind that shares the names of a schema with the others, and the securable class OBJECT."""
    permissions = (*_OWNED, *_DATA, "RECEIVE", "VIEW CHANGE TRACKING")
    return Kind(
        words=words, record=record, types=types, parent="SCHEMA", securable="OBJECT", permissions=permissions, events=events, **more
    )  # fmt: skip


def _securable(words: str, record: type[CatalogRecord], code: int, permissions: tuple[str, ...], **more: Any) -> Kind:
    """A kind that is a securable class of its own name."""
    return Kind(words=words, record=record, code=code, securable=words, permissions=permissions, **more)


KINDS: Final[tuple[Kind, ...]] = (
    _object("TABLE", Table, "U", events=(10018, 10017, 21, 22, 23)),
    _object("VIEW", Module, "V", events=(10019, 10017, 41, 42, 43)),
    _object("PROCEDURE", Module, "P", events=(10024, 10016, 51, 52, 53)),
    _object("FUNCTION", Module, "FN", "IF", "TF", events=(10023, 10016, 61, 62, 63)),
    _object("TRIGGER", Module, "TR", events=(10025, 10016, 71, 72, 73)),
    _object("QUEUE", Queue, "SQ", events=(10044, 10041, 157, 158, 159), relation="queues",
            fields="schema_id i, principal_id i, create_date f, modify_date f, is_ms_shipped b, max_readers i, activation_procedure t,"
                   "execute_as_principal_id i, is_activation_enabled b, is_enabled b, is_retention_enabled b, is_poison_message_handling_enabled b"),
    _object("SYNONYM", Synonym, "SN", events=(10022, 10016, 34, None, 36), relation="synonyms",
            fields="schema_id i, base_object_name t, create_date f, modify_date f"),
    _object("SEQUENCE", Sequence, "SO", events=(10070, 10016, 303, 304, 305), called="sequence object"),
    _securable("TYPE", UserType, 6, ("CONTROL", "TAKE OWNERSHIP", "VIEW DEFINITION", "EXECUTE", "REFERENCES"), parent="SCHEMA",
               events=(10028, 10016, 91, None, 93), taken=219),
    _securable("XML SCHEMA COLLECTION", XmlSchemaCollection, 10, (*_OWNED, "EXECUTE", "REFERENCES"), parent="SCHEMA",
               events=(10048, 10016, 177, 178, 179), taken=6348, called="XML schema collection", relation="xml_schema_collections",
               fields="schema_id i, create_date f, modify_date f"),
    _securable("SCHEMA", Schema, 3, (*_OWNED, *_DATA, "CREATE SEQUENCE", "VIEW CHANGE TRACKING"), events=(10034, 10029, 141, 142, 143),
               relation="schemas", fields="principal_id i"),
    _securable("USER", Principal, 4, ("CONTROL", "IMPERSONATE", "ALTER", "VIEW DEFINITION"), types=("S", "U", "C", "K"),
               events=(10031, 10029, 131, 132, 133), taken=15023, relation="principals",
               fields="type t, sid x, default_schema t, owning_principal_id i, is_fixed_role b, is_disabled b, default_database t,"
                      "create_date f, modify_date f, certificate_id i, default_language t"),
    _securable("ROLE", Principal, 4, _OWNED, types=("R",), events=(10032, 10029, 134, 135, 136), taken=15023),
    _securable("APPLICATION ROLE", Principal, 4, _ANY, types=("A",), events=(10033, 10029, 137, 138, 139), taken=15023),
    _securable("LOGIN", Principal, 101, ("CONTROL", "IMPERSONATE", "ALTER", "VIEW DEFINITION"), types=("S", "U", "C", "K"),
               parent="SERVER", on_server=True, events=(10006, 10005, 144, 145, 146), taken=15025),
    _securable("SERVER ROLE", Principal, 101, _OWNED, types=("R",), parent="SERVER", on_server=True,
               events=(10005, 10002, 300, 301, 302), taken=15023),
    _securable("MESSAGE TYPE", MessageType, 15, _REFERENCED, is_case_sensitive=True, events=(10042, 10041, 151, 152, 153),
               relation="message_types", fields="principal_id i, validation t, xml_collection_id i"),
    _securable("CONTRACT", Contract, 16, _REFERENCED, is_case_sensitive=True, events=(10043, 10041, 154, None, 156),
               relation="contracts", fields="principal_id i"),
    _securable("SERVICE", Service, 17, ("CONTROL", "TAKE OWNERSHIP", "SEND", "ALTER", "VIEW DEFINITION"), is_case_sensitive=True,
               events=(10045, 10041, 161, 162, 163), relation="services", fields="principal_id i, queue_id i"),
    _securable("REMOTE SERVICE BINDING", RemoteServiceBinding, 18, _OWNED, events=(10047, 10041, 174, 175, 176),
               relation="remote_service_bindings",
               fields="principal_id i, remote_service_name t, remote_principal_id i, is_anonymous_on b"),
    _securable("ROUTE", Route, 19, _OWNED, events=(10046, 10041, 164, 165, 166), relation="routes",
               fields="principal_id i, remote_service_name t, broker_instance t, lifetime f, address t, mirror_address t"),
    Kind(words="BROKER PRIORITY", record=BrokerPriority, events=(10063, 10041, 281, 282, 283), taken=33303,
         relation="broker_priorities", fields="service_contract_id i, local_service_id i, remote_service_name t, priority i"),
    Kind(words="EVENT NOTIFICATION", record=EventNotification, events=(10026, 10016, 74, None, 76), relation="event_notifications",
         fields="scope t, parent_id i, create_date f, service_name t, broker_instance t, principal_id i, creator_sid x"),
    Kind(words="CREDENTIAL", record=Credential, parent="SERVER", on_server=True, events=(10009, 10005, 259, 260, 261), taken=15530,
         relation="credentials", fields="identity t, create_date f, modify_date f"),
    Kind(words="DATABASE SCOPED CREDENTIAL", record=DatabaseScopedCredential, taken=15530, relation="database_credentials",
         fields="identity t, create_date f, modify_date f"),
    Kind(words="PARTITION FUNCTION", record=PartitionFunction, events=(10050, 10049, 191, 192, 193)),
    Kind(words="PARTITION SCHEME", record=PartitionScheme, events=(10051, 10049, 194, 195, 196)),
    _securable("CERTIFICATE", Certificate, 25, _REFERENCED, events=(10030, 10029, 197, 198, 199), taken=15232),
    _securable("SYMMETRIC KEY", SymmetricKey, 24, _REFERENCED, events=(10037, 10029, 244, 245, 246), taken=15282),
    _securable("ASYMMETRIC KEY", AsymmetricKey, 26, _REFERENCED, events=(10038, 10029, 247, None, 249), taken=15282),
    Kind(words="MASTER KEY", record=MasterKey, events=(10040, 10029, 252, 253, 254), taken=15578),
    _securable("ENDPOINT", InstanceEndpoint, 105, ("CONNECT", *_OWNED), parent="SERVER", on_server=True,
               events=(10003, 10002, 181, 182, 183), relation="endpoints",
               fields="state t, principal_id i, port i, ip_address t, authentication t, certificate_name t, encryption t, algorithm t,"
                      "is_message_forwarding_enabled b, message_forwarding_size i"),
    _securable("DATABASE", Database, 0, (
        *_OWNED, "CONNECT", "AUTHENTICATE", *_DATA, "BACKUP DATABASE", "BACKUP LOG", "CHECKPOINT", "SHOWPLAN", "SUBSCRIBE QUERY NOTIFICATIONS",
        "VIEW DATABASE STATE", "CONNECT REPLICATION", "ALTER ANY APPLICATION ROLE", "ALTER ANY ASSEMBLY", "ALTER ANY ASYMMETRIC KEY",
        "ALTER ANY CERTIFICATE", "ALTER ANY CONTRACT", "ALTER ANY DATASPACE", "ALTER ANY DATABASE DDL TRIGGER", "ALTER ANY DATABASE EVENT NOTIFICATION",
        "ALTER ANY MESSAGE TYPE", "ALTER ANY REMOTE SERVICE BINDING", "ALTER ANY ROLE", "ALTER ANY ROUTE", "ALTER ANY SCHEMA",
        "ALTER ANY SERVICE", "ALTER ANY SYMMETRIC KEY", "ALTER ANY USER", "CREATE AGGREGATE", "CREATE ASSEMBLY", "CREATE ASYMMETRIC KEY",
        "CREATE CERTIFICATE", "CREATE CONTRACT", "CREATE DATABASE", "CREATE DATABASE DDL EVENT NOTIFICATION", "CREATE DEFAULT",
        "CREATE FUNCTION", "CREATE MESSAGE TYPE", "CREATE PROCEDURE", "CREATE QUEUE", "CREATE REMOTE SERVICE BINDING", "CREATE ROLE",
        "CREATE ROUTE", "CREATE RULE", "CREATE SCHEMA", "CREATE SERVICE", "CREATE SYMMETRIC KEY", "CREATE SYNONYM", "CREATE TABLE",
        "CREATE TYPE", "CREATE VIEW", "CREATE XML SCHEMA COLLECTION",
    ), parent="SERVER", on_server=True, events=(10004, 10002, 201, 202, 203), taken=1801),
)  # fmt: skip

SCHEMA_OBJECTS: Final = tuple(dict.fromkeys(kind.record for kind in KINDS if kind.securable == "OBJECT"))
"""The classes of records that share the names of a schema."""

_NAMED: Final = {kind.words: kind for kind in KINDS}
_OF_CLASS: Final = {kind.record: kind for kind in reversed(KINDS)}
_SEVERAL: Final = frozenset(cls for cls in _OF_CLASS if len([kind for kind in KINDS if kind.record is cls]) > 1)
_TYPED: Final = {(kind.record, kind.on_server, own): kind for kind in KINDS for own in kind.types}


def kind_named(words: str) -> Kind | None:
    """By its words in upper case, as in CREATE."""
    return _NAMED.get(words)


def kind_of_class(cls: type[CatalogRecord]) -> Kind | None:
    """That of a record class; the first where several kinds have one. None for parts of something."""
    return _OF_CLASS.get(cls)


def kind_of(record: CatalogRecord) -> Kind | None:
    """That of a record; None for parts of something."""
    cls = type(record)
    if cls not in _SEVERAL:
        return _OF_CLASS.get(cls)
    return _TYPED.get((cls, cls is Principal and record.database_id == 0, getattr(record, "type", "").strip()))


def object_type(record: CatalogRecord) -> str:
    """The type of a schema object in sys.objects."""
    return record.type.strip() if isinstance(record, Module) else _OF_CLASS[type(record)].types[0]


def securable_kinds() -> dict[str, Kind]:
    """The kinds that are a securable class of their own, by that word: not those of class OBJECT."""
    return {kind.securable: kind for kind in KINDS if kind.securable not in ("", "OBJECT")}
