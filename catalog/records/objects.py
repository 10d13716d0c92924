"""What DDL makes. Records are frozen: a change is `msgspec.structs.replace`, put into a new CatalogSnapshot.

`database_id` 0 is the instance (logins, endpoints, databases themselves). Object ids are unique in the instance, so
an id alone finds its record. Names of broker objects compare byte by byte, all others without regard to case. Times
are seconds since 1970-01-01 UTC.
"""

from __future__ import annotations

import hashlib
from uuid import UUID

import msgspec

__all__ = [
    "AsymmetricKey",
    "BrokerPriority",
    "CatalogRecord",
    "Certificate",
    "Contract",
    "ContractMessageUsage",
    "Credential",
    "Database",
    "DatabaseScopedCredential",
    "EventNotification",
    "ExtendedProperty",
    "InstanceEndpoint",
    "KeyEncryption",
    "MasterKey",
    "MessageType",
    "Module",
    "MonologSubscription",
    "Permission",
    "Principal",
    "Queue",
    "RemoteServiceBinding",
    "RoleMember",
    "Route",
    "Schema",
    "Service",
    "ServiceMasterKey",
    "Signature",
    "SymmetricKey",
    "Synonym",
    "XmlSchemaCollection",
]


class CatalogRecord(msgspec.Struct, frozen=True, kw_only=True, tag_field="record"):
    """Base: `id` is object_id, message_type_id, service_id … depending on the class."""

    id: int
    database_id: int
    name: str
    create_date: float = 0.0
    modify_date: float = 0.0
    is_ms_shipped: bool = False


class Database(CatalogRecord, frozen=True, kw_only=True, tag="database"):
    """A row of sys.databases. `id` is database_id (1 master, 2 tempdb, 3 model, 4 msdb, users from 5); the record's
    own `database_id` is 0. `logical_name` and `file_name` are those of its data file, which exists when it is
    detached. `filegroups`: those besides PRIMARY."""

    service_broker_guid: UUID
    is_broker_enabled: bool = True
    is_honor_broker_priority_on: bool = False
    is_trustworthy_on: bool = False
    is_read_only: bool = False
    user_access: str = "MULTI_USER"
    delayed_durability: str = "DISABLED"
    collation_name: str = "SQL_Latin1_General_CP1_CI_AS"
    compatibility_level: int = 160
    recovery_model: str = "FULL"
    options: dict[str, str] = {}
    owner_sid: bytes = b"\x01"
    state: str = "ONLINE"
    storage: str = ""
    logical_name: str = ""
    file_name: str = ""
    last_full_backup: float = 0.0
    family: str = ""
    filegroups: tuple[str, ...] = ()

    @property
    def storage_name(self) -> str:
        """What the DuckDB schemas of its tables begin with: the first name that it had in this instance."""
        return self.storage or self.name

    @property
    def family_id(self) -> str:
        """What a database and its copies have in common, whatever becomes of their broker ids."""
        return self.family or str(self.service_broker_guid).upper()

    @property
    def broker_problem(self) -> int:
        """Why its broker takes no part in delivery, as a message number; 0 when it does."""
        if not self.is_broker_enabled or self.state != "ONLINE":
            return 28013
        if self.is_read_only:
            return 28014
        return 28015 if self.user_access == "SINGLE_USER" else 0


class Schema(CatalogRecord, frozen=True, kw_only=True, tag="schema"):
    principal_id: int = 1


class Principal(CatalogRecord, frozen=True, kw_only=True, tag="principal"):
    """A database user or role, or a login (`database_id` 0). `type`: S SQL, R role, C certificate, A application role,
    U Windows. `sid` ties a user to its login."""

    type: str = "S"
    sid: bytes = b""
    default_schema: str | None = "dbo"
    owning_principal_id: int | None = None
    is_fixed_role: bool = False
    certificate_id: int | None = None
    is_disabled: bool = False
    password_hash: bytes | None = None
    default_database: str = "master"
    default_language: str = "us_english"

    @property
    def is_single(self) -> bool:
        """A user or a login, and no role of any kind."""
        return self.type not in ("R", "A")


class Credential(CatalogRecord, frozen=True, kw_only=True, tag="credential"):
    """CREATE CREDENTIAL (`database_id` 0). There is no secret: nothing would use it."""

    identity: str


class DatabaseScopedCredential(Credential, frozen=True, kw_only=True, tag="database_scoped_credential"):
    """CREATE DATABASE SCOPED CREDENTIAL."""


class RoleMember(CatalogRecord, frozen=True, kw_only=True, tag="role_member"):
    role_principal_id: int
    member_principal_id: int


class Permission(CatalogRecord, frozen=True, kw_only=True, tag="permission"):
    """`state`: G grant, W with grant option, D deny. `class_` is the securable class word (OBJECT, SERVICE, DATABASE
    …); `major_id` the securable's id (0: the database or server itself), `minor_id` a column of it."""

    class_: str
    major_id: int
    grantee_principal_id: int
    grantor_principal_id: int
    permission: str
    state: str
    minor_id: int = 0


class MessageType(CatalogRecord, frozen=True, kw_only=True, tag="message_type"):
    """`validation`: N none, E empty, X XML (well formed, or valid against `xml_collection_id`)."""

    principal_id: int = 1
    validation: str = "N"
    xml_collection_id: int | None = None


class ContractMessageUsage(msgspec.Struct, frozen=True, array_like=True):
    message_type_id: int
    is_sent_by_initiator: bool
    is_sent_by_target: bool


class Contract(CatalogRecord, frozen=True, kw_only=True, tag="contract"):
    principal_id: int = 1
    messages: tuple[ContractMessageUsage, ...] = ()


class Queue(CatalogRecord, frozen=True, kw_only=True, tag="queue"):
    """A row of sys.service_queues. `activation_procedure` is the name as text (1 to 3 parts, quoted where needed);
    `execute_as_principal_id`: None none, -2 OWNER, else a user's id."""

    schema_id: int
    principal_id: int | None = None
    max_readers: int | None = None
    activation_procedure: str | None = None
    execute_as_principal_id: int | None = None
    is_activation_enabled: bool = False
    is_enabled: bool = True
    is_retention_enabled: bool = False
    is_poison_message_handling_enabled: bool = True


class Service(CatalogRecord, frozen=True, kw_only=True, tag="service"):
    queue_id: int
    principal_id: int = 1
    contract_ids: tuple[int, ...] = ()


class Route(CatalogRecord, frozen=True, kw_only=True, tag="route"):
    """`lifetime` is the absolute UTC expiry or None."""

    principal_id: int = 1
    remote_service_name: str | None = None
    broker_instance: str | None = None
    lifetime: float | None = None
    address: str = "LOCAL"
    mirror_address: str | None = None


class RemoteServiceBinding(CatalogRecord, frozen=True, kw_only=True, tag="remote_service_binding"):
    remote_service_name: str
    remote_principal_id: int
    principal_id: int = 1
    is_anonymous_on: bool = False


class BrokerPriority(CatalogRecord, frozen=True, kw_only=True, tag="broker_priority"):
    """None criteria mean ANY."""

    service_contract_id: int | None = None
    local_service_id: int | None = None
    remote_service_name: str | None = None
    priority: int = 5


class MonologSubscription(CatalogRecord, frozen=True, kw_only=True, tag="monolog_subscription"):
    """A standing order: the service `service_id` hears the monologs of services named `far_service` on this contract.
    `name` is the subscription's handle as text; `broker_instance` as asked for, empty when not."""

    handle: UUID
    principal_id: int = 1
    service_id: int
    contract_id: int
    contract_name: str
    far_service: str
    broker_instance: str = ""
    from_retained: bool = False


class EventNotification(CatalogRecord, frozen=True, kw_only=True, tag="event_notification"):
    """`scope`: SERVER, DATABASE or QUEUE (then `parent_id` is the queue)."""

    scope: str
    parent_id: int
    events: tuple[str, ...]
    service_name: str
    broker_instance: str
    principal_id: int = 1
    creator_sid: bytes | None = None


class InstanceEndpoint(CatalogRecord, frozen=True, kw_only=True, tag="endpoint"):
    """CREATE ENDPOINT … FOR SERVICE_BROKER. `state`: STARTED, STOPPED, DISABLED."""

    state: str = "STOPPED"
    principal_id: int = 1
    port: int = 4022
    ip_address: str | None = None
    authentication: str = "WINDOWS NEGOTIATE"
    certificate_name: str | None = None
    encryption: str = "REQUIRED"
    algorithm: str = "AES"
    is_message_forwarding_enabled: bool = False
    message_forwarding_size: int = 10

    @property
    def is_rc4_only(self) -> bool:
        """It asks for a cipher that nothing here speaks: it is kept, and does not start."""
        return self.algorithm == "RC4" and self.encryption != "DISABLED"


class XmlSchemaCollection(CatalogRecord, frozen=True, kw_only=True, tag="xml_schema_collection"):
    """`documents` holds each schema document as text, in the order they were added."""

    schema_id: int
    documents: tuple[str, ...] = ()


class ServiceMasterKey(CatalogRecord, frozen=True, kw_only=True, tag="service_master_key"):
    """The root of the keys of an instance, made when the first database master key is. The file that holds it is its
    protection."""

    key: bytes


class MasterKey(CatalogRecord, frozen=True, kw_only=True, tag="master_key"):
    """The key of a database, as encrypted by the service master key (`by_server`, while `is_encrypted_by_server`) and
    by passwords."""

    is_encrypted_by_server: bool = True
    by_server: bytes = b""
    by_passwords: tuple[bytes, ...] = ()


class Certificate(CatalogRecord, frozen=True, kw_only=True, tag="certificate"):
    """`certificate_der` is the X.509 certificate, `private_key` its key, encrypted as `pvt_key_encryption_type` says:
    MK, PW, NA none."""

    principal_id: int = 1
    subject: str = ""
    issuer: str = ""
    serial: str = ""
    start_date: float = 0.0
    expiry_date: float = 0.0
    is_active_for_begin_dialog: bool = True
    pvt_key_encryption_type: str = "MK"
    certificate_der: bytes = b""
    private_key: bytes | None = None
    pvt_key_last_backup_date: float | None = None

    @property
    def thumbprint(self) -> bytes:
        return hashlib.sha1(self.certificate_der, usedforsecurity=False).digest()


class AsymmetricKey(CatalogRecord, frozen=True, kw_only=True, tag="asymmetric_key"):
    """`public_der` is the public key (SubjectPublicKeyInfo); the private one as in a certificate."""

    principal_id: int = 1
    algorithm: str = "RSA_2048"
    pvt_key_encryption_type: str = "MK"
    public_der: bytes = b""
    private_key: bytes | None = None

    @property
    def thumbprint(self) -> bytes:
        return hashlib.sha1(self.public_der, usedforsecurity=False).digest()


class KeyEncryption(msgspec.Struct, frozen=True, array_like=True):
    """One encryption of a symmetric key: by a CERTIFICATE, ASYMMETRIC KEY, SYMMETRIC KEY (`key_id`) or PASSWORD (0)."""

    kind: str
    key_id: int
    value: bytes


class SymmetricKey(CatalogRecord, frozen=True, kw_only=True, tag="symmetric_key"):
    principal_id: int = 1
    algorithm: str
    key_guid: UUID
    encryptions: tuple[KeyEncryption, ...] = ()


class Signature(CatalogRecord, frozen=True, kw_only=True, tag="signature"):
    """A signature of a module by a certificate or asymmetric key (`certificate_id`)."""

    module_id: int
    certificate_id: int
    is_counter_signature: bool = False
    signature: bytes = b""


class Module(CatalogRecord, frozen=True, kw_only=True, tag="module"):
    """Procedure, function, view or trigger. `type` as in sys.objects: P, FN, IF, TF, V, TR. `definition` is the text of
    the CREATE statement; `first_line` its line in the batch that made it. `execute_as`: CALLER, SELF, OWNER or a user
    name with `execute_as_principal_id`. Triggers: `parent_id`, `timing`, `events`; a DDL trigger has `parent_id` 0,
    schema 0 and a `scope`, DATABASE or SERVER (then it lives in master). `orders`: the events for which the trigger is
    FIRST or LAST."""

    schema_id: int
    type: str
    definition: str
    principal_id: int | None = None
    execute_as: str = "CALLER"
    execute_as_principal_id: int | None = None
    parent_id: int = 0
    timing: str = ""
    events: tuple[str, ...] = ()
    scope: str = ""
    is_disabled: bool = False
    uses_quoted_identifier: bool = True
    uses_ansi_nulls: bool = True
    is_encrypted: bool = False
    orders: tuple[tuple[str, str], ...] = ()


class Synonym(CatalogRecord, frozen=True, kw_only=True, tag="synonym"):
    schema_id: int
    base_object_name: str


class ExtendedProperty(CatalogRecord, frozen=True, kw_only=True, tag="extended_property"):
    """`value` is the stored form of a sql_variant: what it is sorted by, its type, its text. `name` joins the ids and
    the property's name, for a name is unique in its class."""

    property_class: int
    major_id: int
    minor_id: int
    property_name: str
    value: tuple[str, str, str] | None = None
