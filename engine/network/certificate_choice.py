"""Which certificates secure a dialog with another instance, and who somebody is by one (docs/spec: BINDING, SECURE).

Decides between no security, anonymous and full by the remote service binding, which certificate of a user counts (valid
now, ACTIVE FOR BEGIN_DIALOG, the latest expiry), why there is none, and what the owner of a certificate may. Must not
know frames nor how a key is exchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final
from uuid import UUID

from sbql.catalog.records import Certificate, ConversationEndpoint, Principal, Service, ServiceMasterKey
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.dialog_security import Beginning
from sbql.engine.host import Host
from sbql.engine.security import cryptography as crypto
from sbql.engine.security.background_keys import issuer_and_serial, master_key_value
from sbql.engine.security.owners import principal_may

__all__ = [
    "CertificateChoice",
    "answer_key_id",
    "certificate_of",
    "keep",
    "known_as",
    "may",
    "opened",
    "session_key_of",
]

KEY_SIZE: Final = 32
NO_BINDING: Final = 9727
NO_CERTIFICATE: Final = 9731
NO_PRIVATE_KEY: Final = 9733
KEY_TOO_SHORT: Final = 9735
KEY_UNDER_PASSWORD: Final = 9737
NOT_ACTIVE: Final = 9767
TOO_EARLY: Final = 28024
TOO_LATE: Final = 28025
NO_MASTER_KEY: Final = 28051
CLOSED_MASTER_KEY: Final = 28054
SHORTEST: Final = 1024

Problem = tuple[Any, ...]


class CertificateChoice:
    """What the broker asks (`broker.dialog_security`)."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def begin(self, index: CatalogIndex, endpoint: ConversationEndpoint) -> Beginning:
        binding = index.bindings.get((endpoint.database_id, endpoint.far_service))
        if binding is None:
            return Beginning({}, (NO_BINDING,)) if endpoint.encryption else Beginning({"security": "NONE"})
        snapshot, now = index.snapshot, self._host.now()
        problem = _master_key_problem(index, endpoint.database_id)
        users = [(binding.remote_principal_id, False)]
        if not binding.is_anonymous_on:
            users.append((endpoint.principal_id, True))
        for user, needs_key in users:
            found = certificate_of(snapshot, endpoint.database_id, user, now, needs_key)
            if not isinstance(found, Certificate):
                problem = problem or found
        if problem is not None:
            return Beginning({}, problem)
        key_id = self._host.new_guid()
        own = session_key_of(snapshot, endpoint.conversation_id, key_id)
        assert own is not None, "there is a master key"
        key = keep(snapshot, own, self._host)
        return Beginning(
            {
                "security": "ANONYMOUS" if binding.is_anonymous_on else "FULL", "session_key": key, "outbound_key_id": key_id,
                "inbound_key_id": answer_key_id(key_id), "far_principal_id": binding.remote_principal_id,
            }
        )  # fmt: skip

    def may_send(self, index: CatalogIndex, service: Service, principal_id: int) -> bool:
        if (service.database_id, service.id) in index.public_send:
            return True
        return may(index.snapshot, service, principal_id, "SEND")


def may(snapshot: CatalogSnapshot, service: Service, principal_id: int, permission: str) -> bool:
    """Whether a user of the service's database has a permission on it; nobody in
    particular (-1) and who is gone have none."""
    if snapshot.get(Principal, service.database_id, principal_id) is None:
        return False
    return principal_may(snapshot, principal_id, service.database_id, permission, service)


def _master_key_problem(index: CatalogIndex, database_id: int) -> Problem | None:
    if master_key_value(index.snapshot, database_id) is not None:
        return None
    if database_id in index.closed_master_keys:
        return CLOSED_MASTER_KEY, index.databases[database_id].name, 15581
    return (NO_MASTER_KEY,)


def certificate_of(
    snapshot: CatalogSnapshot, database_id: int, user: int, now: float, needs_key: bool
) -> Certificate | Problem:
    """The certificate that stands for a user, or why there is none."""
    owned = [c for c in snapshot.all(Certificate, database_id) if c.principal_id == user]
    steps: tuple[tuple[int, Callable[[Certificate], bool]], ...] = (
        (NO_CERTIFICATE, lambda c: True),
        (TOO_EARLY, lambda c: c.start_date <= now),
        (TOO_LATE, lambda c: now < c.expiry_date),
        (NOT_ACTIVE, lambda c: c.is_active_for_begin_dialog),
        (NO_PRIVATE_KEY, lambda c: not needs_key or c.private_key is not None),
        (KEY_UNDER_PASSWORD, lambda c: not needs_key or c.pvt_key_encryption_type == "MK"),
        (KEY_TOO_SHORT, lambda c: crypto.key_size(crypto.public_key_of_certificate(c.certificate_der)) >= SHORTEST),
    )
    for number, is_good in steps:
        owned = [c for c in owned if is_good(c)]
        if not owned:
            return (number, user, SHORTEST) if number == KEY_TOO_SHORT else (number, user)
    return max(owned, key=lambda c: c.expiry_date)


def known_as(snapshot: CatalogSnapshot, database_id: int, issuer: str, serial: str) -> Certificate | None:
    """The certificate of a database that others call so."""
    for found in snapshot.all(Certificate, database_id):
        if issuer_and_serial(found.certificate_der) == (issuer, serial):
            return found
    return None


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


def keep(snapshot: CatalogSnapshot, key: bytes, host: Host) -> bytes:
    """A session key as an endpoint keeps it: under the service master key, which
    every instance with a master key has."""
    service = next(snapshot.all(ServiceMasterKey, 0), None)
    assert service is not None, "a dialog is secured only where there is a master key"
    return crypto.wrap(service.key, key, host.random_bytes(12))


def opened(snapshot: CatalogSnapshot, database_id: int, kept: bytes) -> bytes | None:
    """A session key again; None when it is another instance's, or the master key of the
    database is closed to background work."""
    service = next(snapshot.all(ServiceMasterKey, 0), None)
    if service is None or master_key_value(snapshot, database_id) is None:
        return None
    return crypto.unwrap(service.key, kept)
