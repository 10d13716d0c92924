"""Rows of the catalog relations about security: permissions, keys, certificates, signatures.

Decides how they are told as rows (what sys.certificates and its family show). It must not know the views.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sbql.catalog.kinds import securable_kinds
from sbql.catalog.permission_codes import CLASS_NAMES, permission_code
from sbql.catalog.records.objects import (
    AsymmetricKey,
    Certificate,
    MasterKey,
    Permission,
    ServiceMasterKey,
    Signature,
    SymmetricKey,
)
from sbql.catalog.snapshot import CatalogSnapshot

__all__ = [
    "asymmetric_key_rows",
    "certificate_rows",
    "key_encryption_rows",
    "permission_rows",
    "signature_rows",
    "symmetric_key_rows",
]

_Row = Sequence[Any]


def permission_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    codes = {"SERVER": 100, "OBJECT": 1} | {word: kind.code for word, kind in securable_kinds().items()}
    for p in snapshot.all(Permission):
        code = codes[p.class_]
        yield (
            p.database_id, code, CLASS_NAMES[code], p.major_id, p.minor_id, p.grantee_principal_id, p.grantor_principal_id,
            permission_code(p.permission), p.permission.upper(), p.state,
        )  # fmt: skip


def certificate_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for c in snapshot.all(Certificate):
        yield (
            c.database_id, c.name, c.id, c.principal_id, c.pvt_key_encryption_type, c.is_active_for_begin_dialog, c.subject, c.issuer,
            c.serial, b"\x01\x06\x00\x00\x00\x00\x00\t\x01\x00\x00\x00" + c.thumbprint, c.start_date, c.expiry_date, c.thumbprint,
            c.pvt_key_last_backup_date,
        )  # fmt: skip


def asymmetric_key_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for k in snapshot.all(AsymmetricKey):
        bits = int(k.algorithm.removeprefix("RSA_"))
        yield (
            k.database_id,
            k.name,
            k.id,
            k.principal_id,
            k.pvt_key_encryption_type,
            k.algorithm,
            bits,
            k.thumbprint,
            k.public_der,
        )


def symmetric_key_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    """Master keys too: that of the database has id 101, that of the service, shown in master, 102."""
    for s in snapshot.all(ServiceMasterKey):
        yield 1, s.name, 102, 1, "AES_256", None, s.create_date, s.modify_date
    for m in snapshot.all(MasterKey):
        yield m.database_id, m.name, 101, 1, "AES_256", None, m.create_date, m.modify_date
    for k in snapshot.all(SymmetricKey):
        yield k.database_id, k.name, k.id, k.principal_id, k.algorithm, k.key_guid, k.create_date, k.modify_date


_ENCRYPTIONS: Final = {
    "CERTIFICATE": ("EPUC", "ENCRYPTION BY CERTIFICATE"), "ASYMMETRIC KEY": ("EPUA", "ENCRYPTION BY ASYMMETRIC KEY"),
    "SYMMETRIC KEY": ("ESKS", "ENCRYPTION BY SYMMETRIC KEY"), "PASSWORD": ("ESKP", "ENCRYPTION BY PASSWORD"),
}  # fmt: skip


def key_encryption_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for m in snapshot.all(MasterKey):
        if m.is_encrypted_by_server:
            yield m.database_id, 101, None, "ESKM", "ENCRYPTION BY MASTER KEY", m.by_server
        for blob in m.by_passwords:
            yield m.database_id, 101, None, *_ENCRYPTIONS["PASSWORD"], blob
    for k in snapshot.all(SymmetricKey):
        for e in k.encryptions:
            by: Certificate | AsymmetricKey | None = snapshot.get(Certificate, k.database_id, e.key_id)
            by = by or snapshot.get(AsymmetricKey, k.database_id, e.key_id)
            yield k.database_id, k.id, by.thumbprint if by is not None else None, *_ENCRYPTIONS[e.kind], e.value


def signature_rows(snapshot: CatalogSnapshot) -> Iterator[_Row]:
    for s in snapshot.all(Signature):
        key: Certificate | AsymmetricKey | None = snapshot.get(Certificate, s.database_id, s.certificate_id)
        word = "CERTIFICATE" if key is not None else "ASYMMETRIC KEY"
        key = key or snapshot.get(AsymmetricKey, s.database_id, s.certificate_id)
        if key is None:
            continue
        code = ("CPV" if s.is_counter_signature else "SPV") + word[0]
        text = f"{'COUNTER SIGNATURE' if s.is_counter_signature else 'SIGNATURE'} BY {word}"
        yield s.database_id, s.module_id, key.thumbprint, code, text, s.signature
