"""What a permission follows from: the hierarchy of securables, the permissions that imply others, the rights of fixed
roles.

Decides from a token and the catalog whether somebody has a permission on a securable, and whether he may see that it
exists. A DENY anywhere above wins over every GRANT; owners, dbo and sysadmin are never denied anything. Answers are
kept with the snapshot. It must not know sessions or statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from sbql.catalog.kinds import KINDS, kind_of, kind_of_class, securable_kinds
from sbql.catalog.records import (
    BrokerPriority,
    CatalogRecord,
    Credential,
    Database,
    EventNotification,
    ExtendedProperty,
    MonologSubscription,
    PartitionFunction,
    PartitionScheme,
    Permission,
    Principal,
    Schema,
    Service,
    Signature,
    Table,
)
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.security.context import DBO, Token

__all__ = [
    "PARENTS",
    "PERMISSIONS",
    "Securable",
    "allowed",
    "covering",
    "is_visible",
    "lost_parts",
    "orphans",
    "owner_of",
    "securable_of",
]

_SECURABLES: Final = securable_kinds()
_ON_SERVER: Final = frozenset(
    {"SERVER"} | {word for word, kind in _SECURABLES.items() if kind.on_server and word != "DATABASE"}
)
"""Securables whose permissions are those of logins."""

PERMISSIONS: Final[dict[str, tuple[str, ...]]] = {
    "OBJECT": KINDS[0].permissions,
    **{word: kind.permissions for word, kind in _SECURABLES.items()},
    "SERVER": (
        "CONTROL SERVER", "ADMINISTER BULK OPERATIONS", "ALTER ANY CONNECTION", "ALTER ANY CREDENTIAL", "ALTER ANY DATABASE", "ALTER ANY ENDPOINT",
        "ALTER ANY EVENT NOTIFICATION", "ALTER ANY LINKED SERVER", "ALTER ANY LOGIN", "ALTER ANY SERVER ROLE", "ALTER RESOURCES",
        "ALTER SERVER STATE", "ALTER SETTINGS", "ALTER TRACE", "AUTHENTICATE SERVER", "CONNECT ANY DATABASE", "CONNECT SQL",
        "CREATE ANY DATABASE", "CREATE DDL EVENT NOTIFICATION", "CREATE ENDPOINT", "CREATE SERVER ROLE",
        "CREATE TRACE EVENT NOTIFICATION", "EXTERNAL ACCESS ASSEMBLY", "IMPERSONATE ANY LOGIN", "SELECT ALL USER SECURABLES", "SHUTDOWN",
        "UNSAFE ASSEMBLY", "VIEW ANY DATABASE", "VIEW ANY DEFINITION", "VIEW SERVER STATE",
    ),
}  # fmt: skip
"""The permissions that can be granted on each class of securables, in upper case."""

_FAMILIES: Final = (
    "CONTRACT", "MESSAGE TYPE", "SERVICE", "ROUTE", "REMOTE SERVICE BINDING", "CERTIFICATE", "SYMMETRIC KEY", "ASYMMETRIC KEY", "ROLE", "SCHEMA",
)  # fmt: skip
_SAME: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("OBJECT", "SELECT"): ("RECEIVE",),
    ("DATABASE", "CONNECT"): ("CONNECT REPLICATION",),
    ("DATABASE", "CREATE DATABASE DDL EVENT NOTIFICATION"): ("ALTER ANY DATABASE EVENT NOTIFICATION",),
    ("SERVER", "CREATE ENDPOINT"): ("ALTER ANY ENDPOINT",),
    ("SERVER", "CREATE DDL EVENT NOTIFICATION"): ("ALTER ANY EVENT NOTIFICATION",),
    ("SERVER", "CREATE TRACE EVENT NOTIFICATION"): ("ALTER ANY EVENT NOTIFICATION",),
    ("SERVER", "CREATE ANY DATABASE"): ("ALTER ANY DATABASE",),
    ("SERVER", "CREATE SERVER ROLE"): ("ALTER ANY SERVER ROLE",),
    ("SERVER", "VIEW ANY DATABASE"): ("VIEW ANY DEFINITION",),
    ("SERVER", "VIEW SERVER STATE"): ("ALTER SERVER STATE",),
    **{("DATABASE", f"CREATE {family}"): (f"ALTER ANY {family}",) for family in _FAMILIES},
}
"""(class, permission) -> other permissions on the same securable that imply it, beside CONTROL."""

_ALTER_IMPLIES: Final = ("ALTER ANY ", "CREATE ", "CHECKPOINT")
"""ALTER on a database implies the permissions that begin so."""

PARENTS: Final = {"OBJECT": "SCHEMA", "SERVER": ""} | {word: kind.parent for word, kind in _SECURABLES.items()}
"""What is above a class of securables."""

_DATA: Final = (
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "EXECUTE",
    "REFERENCES",
    "VIEW DEFINITION",
    "VIEW CHANGE TRACKING",
)
_TO_SERVER: Final = {
    "ALTER": "ALTER ANY DATABASE", "VIEW DEFINITION": "VIEW ANY DEFINITION", "VIEW DATABASE STATE": "VIEW SERVER STATE",
    "AUTHENTICATE": "AUTHENTICATE SERVER", "CREATE DATABASE": "CREATE ANY DATABASE", "CONNECT": "CONNECT ANY DATABASE",
    "CREATE DATABASE DDL EVENT NOTIFICATION": "CREATE DDL EVENT NOTIFICATION",
    "ALTER ANY DATABASE EVENT NOTIFICATION": "ALTER ANY EVENT NOTIFICATION",
}  # fmt: skip

_FIXED_ROLES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "db_owner": (("G", "CONTROL"),),
    "db_accessadmin": (("G", "ALTER ANY USER"), ("G", "CREATE SCHEMA"), ("G", "CONNECT")),
    "db_securityadmin": (
        ("G", "ALTER ANY APPLICATION ROLE"), ("G", "ALTER ANY ROLE"), ("G", "CREATE SCHEMA"), ("G", "VIEW DEFINITION"),
    ),
    "db_ddladmin": (
        *(("G", p) for p in PERMISSIONS["DATABASE"] if p.startswith("CREATE ") and p not in ("CREATE DATABASE", "CREATE ROLE")),
        *(("G", f"ALTER ANY {family}") for family in (*_FAMILIES, "ASSEMBLY", "DATABASE DDL TRIGGER", "DATABASE EVENT NOTIFICATION")
          if family != "ROLE"),
        ("G", "CHECKPOINT"), ("G", "REFERENCES"), ("G", "VIEW DEFINITION"),
    ),
    "db_backupoperator": (("G", "BACKUP DATABASE"), ("G", "BACKUP LOG"), ("G", "CHECKPOINT")),
    "db_datareader": (("G", "SELECT"),),
    "db_datawriter": (("G", "INSERT"), ("G", "UPDATE"), ("G", "DELETE")),
    "db_denydatareader": (("D", "SELECT"),),
    "db_denydatawriter": (("D", "INSERT"), ("D", "UPDATE"), ("D", "DELETE")),
    "public": (("G", "VIEW ANY DATABASE"),),
    "securityadmin": (("G", "ALTER ANY LOGIN"),),
    "serveradmin": (
        ("G", "ALTER ANY ENDPOINT"), ("G", "ALTER RESOURCES"), ("G", "ALTER SERVER STATE"), ("G", "ALTER SETTINGS"), ("G", "SHUTDOWN"),
        ("G", "VIEW SERVER STATE"),
    ),
    "setupadmin": (("G", "ALTER ANY LINKED SERVER"),),
    "processadmin": (("G", "ALTER ANY CONNECTION"), ("G", "ALTER SERVER STATE")),
    "diskadmin": (("G", "ALTER RESOURCES"),),
    "dbcreator": (("G", "CREATE ANY DATABASE"), ("G", "ALTER ANY DATABASE")),
    "bulkadmin": (("G", "ADMINISTER BULK OPERATIONS"),),
}  # fmt: skip
"""What the fixed roles have on their database or on the server."""


class Securable(NamedTuple):
    """What a permission is asked on. `owner_id`: the principal of the database that owns it. Database and server have
    id 0."""

    class_: str
    id: int = 0
    database_id: int = 0
    owner_id: int = DBO
    schema_id: int = 0


def owner_of(snapshot: CatalogSnapshot, record: CatalogRecord) -> int:
    """The principal that owns a record: its own, else the owner of its schema."""
    principal = getattr(record, "principal_id", None)
    if principal is not None:
        return int(principal)
    schema_id = getattr(record, "schema_id", 0)
    schema = snapshot.get(Schema, record.database_id, schema_id) if schema_id else None
    return schema.principal_id if schema is not None else DBO


def orphans(snapshot: CatalogSnapshot, gone: CatalogRecord) -> list[CatalogRecord]:
    """What was granted on a record that is no longer there, its signatures and extended properties: they go with it."""
    if isinstance(gone, Permission | Signature | ExtendedProperty):
        return []
    class_, number = securable_of(snapshot, gone)[:2]
    return [
        *(
            p
            for p in snapshot.all(Permission, gone.database_id)
            if number and (p.class_, p.major_id) == (class_, number)
        ),
        *(s for s in snapshot.all(Signature, gone.database_id) if s.module_id == gone.id),
        *_properties_of(snapshot, gone),
    ]


def _property_classes(cls: type[CatalogRecord]) -> tuple[int, ...]:
    """The classes of extended properties of a kind: of an object, its parameters and
    indexes, where it has none of its own."""
    kind = kind_of_class(cls)
    code = kind.code if kind is not None else 1
    return {1: (1, 2, 7), 6: (6, 8)}.get(code, (code,))


def _properties_of(snapshot: CatalogSnapshot, gone: CatalogRecord) -> Iterator[ExtendedProperty]:
    classes = _property_classes(type(gone))
    ids = {gone.id}
    if isinstance(gone, Table):
        ids |= {c.id for c in gone.constraints} | {c.default_id for c in gone.columns if c.default_id}
    for p in snapshot.all(ExtendedProperty, gone.database_id):
        if p.property_class in classes and p.major_id in ids:
            yield p


def lost_parts(snapshot: CatalogSnapshot, old: Table, new: Table) -> Iterator[ExtendedProperty]:
    """The extended properties of columns, indexes and constraints that a table no longer has."""
    columns = {c.column_id for c in old.columns} - {c.column_id for c in new.columns}
    indexes = {i.index_id for i in old.indexes} - {i.index_id for i in new.indexes}
    parts = {c.id for c in old.constraints} - {c.id for c in new.constraints}
    parts |= {c.default_id for c in old.columns if c.default_id} - {c.default_id for c in new.columns}
    if not (columns or indexes or parts):
        return
    for p in snapshot.all(ExtendedProperty, old.database_id):
        is_part = p.major_id == old.id and p.minor_id in (
            columns if p.property_class == 1 else indexes if p.property_class == 7 else ()
        )
        if is_part or (p.property_class == 1 and p.major_id in parts):
            yield p


def securable_of(snapshot: CatalogSnapshot, record: CatalogRecord) -> Securable:
    if isinstance(record, Database):
        return Securable("DATABASE", 0, record.id)
    kind = kind_of(record)
    class_ = (kind.securable if kind is not None else "") or "OBJECT"
    if isinstance(record, Principal):
        return Securable(class_, record.id, record.database_id, record.owning_principal_id or -1)
    return Securable(class_, record.id, record.database_id, owner_of(snapshot, record), getattr(record, "schema_id", 0))


def covering(permission: str, securable: Securable) -> tuple[tuple[str, int, str], ...]:
    """Every (class, id, permission) that implies this one, itself first, up to the server."""
    found: dict[tuple[str, int, str], None] = {}
    todo = [(securable.class_, securable.id, permission)]
    while todo:
        node = todo.pop()
        if node in found or node[2] is None:
            continue
        found[node] = None
        class_, number, wanted = node
        todo += [(class_, number, other) for other in _on_same(class_, wanted)]
        above = _above(class_, wanted)
        if above is not None:
            parent = PARENTS[class_]
            todo.append((parent, securable.schema_id if parent == "SCHEMA" else 0, above))
    return tuple(found)


def _on_same(class_: str, permission: str) -> list[str]:
    found = list(_SAME.get((class_, permission), ()))
    top = "CONTROL SERVER" if class_ == "SERVER" else "CONTROL"
    if class_ == "DATABASE" and permission.startswith(_ALTER_IMPLIES):
        found.append("ALTER")
    if class_ == "SCHEMA" and permission == "CREATE SEQUENCE":
        found.append("ALTER")
    return [*found, top] if permission != top else found


def _above(class_: str, permission: str) -> str | None:
    """The permission on the parent that implies this one."""
    if class_ == "SERVER":
        return None
    if class_ == "DATABASE":
        return _TO_SERVER.get(permission, "CONTROL SERVER")
    if class_ in _ON_SERVER:
        above = {"ALTER": f"ALTER ANY {class_}", "VIEW DEFINITION": "VIEW ANY DEFINITION"}
        return above.get(permission, "CONTROL SERVER")
    if permission in _DATA:
        return permission
    if PARENTS[class_] == "SCHEMA":
        return "ALTER" if permission == "ALTER" else "CONTROL"
    if permission == "ALTER":
        return f"ALTER ANY {class_}"
    return "CONTROL"


def _entries(snapshot: CatalogSnapshot) -> dict[tuple[int, str, int, str], list[tuple[int, str]]]:
    """(database, class, id, permission) -> (grantee, state): what was granted and denied, and what fixed roles have."""
    kept: dict[tuple[int, str, int, str], list[tuple[int, str]]] | None = snapshot.derived.get("permission entries")
    if kept is not None:
        return kept
    kept = {}
    for p in snapshot.all(Permission):
        if p.minor_id == 0:
            kept.setdefault((p.database_id, p.class_, p.major_id, p.permission), []).append(
                (p.grantee_principal_id, p.state)
            )
    for role in snapshot.all(Principal):
        is_fixed = role.is_fixed_role or (role.database_id == 0 and role.name == "public")
        for state, permission in _FIXED_ROLES.get(role.name, ()) if is_fixed and role.type == "R" else ():
            class_ = "DATABASE" if role.database_id else "SERVER"
            kept.setdefault((role.database_id, class_, 0, permission), []).append((role.id, state))
    snapshot.derived["permission entries"] = kept
    return kept


def allowed(snapshot: CatalogSnapshot, token: Token | None, permission: str, securable: Securable) -> bool:
    """Whether the token has the permission. None is somebody without a way into the database."""
    if token is None:
        return False
    if token.is_sysadmin:
        return True
    if securable.owner_id in (token.principals if securable.database_id else token.server) or (
        securable.database_id and token.is_dbo
    ):
        return True
    kept: dict[tuple[Token, str, Securable], bool] = snapshot.derived.setdefault("answers", {})
    key = (token, permission, securable)
    found = kept.get(key)
    if found is None:
        found = kept[key] = _look_up(snapshot, token, permission, securable)
    return found


def _look_up(snapshot: CatalogSnapshot, token: Token, permission: str, securable: Securable) -> bool:
    entries = _entries(snapshot)
    granted = False
    for class_, number, wanted in covering(permission, securable):
        is_server = class_ in _ON_SERVER
        holders = token.server if is_server else token.principals
        for grantee, state in entries.get((0 if is_server else securable.database_id, class_, number, wanted), ()):
            if grantee in holders:
                if state == "D":
                    return False
                granted = True
    if not granted and securable.schema_id:
        schema = snapshot.get(Schema, securable.database_id, securable.schema_id)
        granted = schema is not None and schema.principal_id in token.principals
    return granted


def is_visible(snapshot: CatalogSnapshot, token: Token | None, record: CatalogRecord) -> bool:
    """Metadata visibility: the owner and whoever has some permission on a securable sees that it is there."""
    if token is None:
        return False
    if token.is_sysadmin or record.is_ms_shipped:
        return True
    if isinstance(record, Permission):
        return record.grantee_principal_id in (token.principals if record.database_id else token.server)
    if isinstance(record, Principal):
        if record.database_id == 0 and (record.id in token.server or record.is_fixed_role or record.id == 1):
            return True
        if record.database_id and (record.id in token.principals or record.id < 5 or record.is_fixed_role):
            return True
    if isinstance(record, Schema) and (record.id < 5 or 16384 <= record.id < 16400):
        return True
    if isinstance(record, Table) and record.session_id:
        return True
    if isinstance(record, ExtendedProperty):
        owner = _owner_of_property(snapshot, record)
        return owner is None or is_visible(snapshot, token, owner)
    if isinstance(record, MonologSubscription):
        service = snapshot.get(Service, record.database_id, record.service_id)
        return service is not None and is_visible(snapshot, token, service)
    if isinstance(record, PartitionFunction | PartitionScheme):
        return True
    if isinstance(record, Credential):
        whole = Securable("DATABASE", 0, record.database_id) if record.database_id else Securable("SERVER")
        return allowed(snapshot, token, "CONTROL" if record.database_id else "ALTER ANY CREDENTIAL", whole)
    if isinstance(record, EventNotification | BrokerPriority):
        whole = Securable("DATABASE", 0, record.database_id)
        return (
            allowed(snapshot, token, "VIEW DEFINITION", whole)
            or getattr(record, "principal_id", None) in token.principals
        )
    securable = securable_of(snapshot, record)
    if securable.class_ == "DATABASE":
        return allowed(snapshot, token, "VIEW ANY DATABASE", Securable("SERVER"))
    if _is_denied(snapshot, token, securable):
        return False
    return any(allowed(snapshot, token, permission, securable) for permission in PERMISSIONS[securable.class_])


def _owner_of_property(snapshot: CatalogSnapshot, record: ExtendedProperty) -> CatalogRecord | None:
    """What an extended property is of; None for the database, and for a part such as a constraint."""
    for cls in dict.fromkeys(kind.record for kind in KINDS):
        if record.property_class in _property_classes(cls):
            found = snapshot.get(cls, record.database_id, record.major_id)
            if found is not None:
                return found
    return None


def _is_denied(snapshot: CatalogSnapshot, token: Token, securable: Securable) -> bool:
    if securable.database_id and (token.is_dbo or securable.owner_id in token.principals):
        return False
    entries = _entries(snapshot)
    for class_, number, wanted in covering("VIEW DEFINITION", securable):
        is_server = class_ in _ON_SERVER
        holders = token.server if is_server else token.principals
        found = entries.get((0 if is_server else securable.database_id, class_, number, wanted), ())
        if any(state == "D" and grantee in holders for grantee, state in found):
            return True
    return False
