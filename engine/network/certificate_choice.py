"""How a dialog with another instance is secured (docs/spec: BINDING, SECURE).

Decides between no security, anonymous and full by the remote service binding, who may send to a service, and how
session keys are made and kept. Which certificates count `security.dialog_certificates` says. Must not know frames nor
how a key is exchanged.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final
from uuid import UUID

from sbql.catalog.records import Certificate, ConversationEndpoint, Principal, Service, ServiceMasterKey
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.dialog_security import Beginning
from sbql.engine.host import Host
from sbql.engine.security import cryptography as crypto
from sbql.engine.security.background_keys import master_key_value
from sbql.engine.security.dialog_certificates import certificates_for
from sbql.engine.security.owners import principal_may

__all__ = [
    "CertificateChoice",
    "answer_key_id",
    "keep",
    "opened",
    "session_key_of",
]

KEY_SIZE: Final = 32
NO_BINDING: Final = 9727


class CertificateChoice:
    """What the broker asks (`broker.dialog_security`)."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def begin(self, index: CatalogIndex, endpoint: ConversationEndpoint) -> Beginning:
        binding = index.bindings.get((endpoint.database_id, endpoint.far_service))
        if binding is None:
            return Beginning({}, (NO_BINDING,)) if endpoint.encryption else Beginning({"security": "NONE"})
        snapshot, now = index.snapshot, self._host.now()
        found = certificates_for(snapshot, binding, endpoint.principal_id, now)
        if not isinstance(found[0], Certificate):
            return Beginning({}, found)
        key_id = self._host.new_guid()
        own = session_key_of(snapshot, endpoint.conversation_id, key_id)
        assert own is not None, "there is a master key"
        key = keep(snapshot, endpoint.database_id, own, self._host)
        return Beginning(
            {
                "security": "ANONYMOUS" if binding.is_anonymous_on else "FULL", "session_key": key, "outbound_key_id": key_id,
                "inbound_key_id": answer_key_id(key_id), "far_principal_id": binding.remote_principal_id,
            }
        )  # fmt: skip

    def may_send(self, index: CatalogIndex, service: Service, principal_id: int) -> bool:
        if index.snapshot.get(Principal, service.database_id, principal_id) is None:  # nobody in particular, or gone
            return (service.database_id, service.id) in index.public_send
        return principal_may(index.snapshot, principal_id, service.database_id, "SEND", service)


def answer_key_id(key_id: UUID) -> UUID:
    """The identifier of what the target encrypts, when the initiator's is this."""
    return UUID(int=key_id.int ^ 1)


def session_key_of(snapshot: CatalogSnapshot, conversation_id: UUID, key_id: UUID) -> bytes | None:
    """The session key of a dialog that this instance has begun, `key_id` being that of its own side. It follows from
    the service master key, so that what the target sends when the endpoint is gone can still be read, and answered.
    None without a service master key."""
    service = next(snapshot.all(ServiceMasterKey, 0), None)
    if service is None:
        return None
    source = conversation_id.bytes + key_id.bytes
    return blake2b(source, key=service.key, digest_size=KEY_SIZE, person=b"session key").digest()


def keep(snapshot: CatalogSnapshot, database_id: int, key: bytes, host: Host) -> bytes:
    """A session key as an endpoint keeps it: under the master key of its database, with which it goes where the
    database goes."""
    master = master_key_value(snapshot, database_id)
    assert master is not None, "a dialog is secured only where there is a master key"
    return crypto.wrap(master, key, host.random_bytes(12))


def opened(snapshot: CatalogSnapshot, database_id: int, kept: bytes) -> bytes | None:
    """A session key again; None when it is under another master key, or that of the database is closed to background
    work. Under the service master key are those of 0.1.0, and of a database whose master key was dropped since."""
    service, master = next(snapshot.all(ServiceMasterKey, 0), None), master_key_value(snapshot, database_id)
    if service is None or master is None:
        return None
    return crypto.unwrap(master, kept) or crypto.unwrap(service.key, kept)
