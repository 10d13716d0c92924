"""Keys for background work: what the service master key opens without a session, and
how certificates are known to others.

Decides which private key a certificate of the catalog has for somebody who can type no password. Must not know
what is signed or encrypted with it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sbql.catalog.records import Certificate, InstanceEndpoint, MasterKey, ServiceMasterKey
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.security import cryptography as crypto

__all__ = ["MASTER", "endpoint_certificates", "issuer_and_serial", "master_key_value", "private_key_of"]

MASTER: Final = 1
"""The id of the database master."""


def master_key_value(snapshot: CatalogSnapshot, database_id: int) -> bytes | None:
    """The master key of a database; None when there is none, or the service master key does not open it."""
    service = next(snapshot.all(ServiceMasterKey, 0), None)
    record = next(snapshot.all(MasterKey, database_id), None)
    if service is None or record is None or not record.is_encrypted_by_server or not record.by_server:
        return None
    return crypto.unwrap(service.key, record.by_server)


def private_key_of(snapshot: CatalogSnapshot, certificate: Certificate) -> bytes | None:
    """The private key (PKCS #8); None when the certificate has none, or one under a password, or the
    master key of its database is closed."""
    if certificate.private_key is None or certificate.pvt_key_encryption_type != "MK":
        return None
    key = master_key_value(snapshot, certificate.database_id)
    return crypto.unwrap(key, certificate.private_key) if key is not None else None


def endpoint_certificates(snapshot: CatalogSnapshot) -> set[int]:
    """The ids of the certificates of master by which endpoints authenticate. An endpoint keeps the name, as it was
    written."""
    names = (e.certificate_name for e in snapshot.all(InstanceEndpoint, 0))
    found = (snapshot.find(Certificate, MASTER, name) for name in names if name)
    return {certificate.id for certificate in found if certificate is not None}


@lru_cache(1024)
def issuer_and_serial(der: bytes) -> tuple[str, str]:
    """What a certificate is known by to others: the same for one that was made here and its copy from a file."""
    facts = crypto.certificate_facts(der)
    return facts.issuer, facts.serial
