"""The keys of databases: service master key, database master keys, and what they encrypt.

Decides which key opens which:

- The service master key opens a database master key that is encrypted by it.
- OPEN MASTER KEY opens any other database master key, for the session.
- A master key opens the private keys and the symmetric keys under it.
- A password opens what it encrypted.

Cryptography itself is `cryptography`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.records import AsymmetricKey, Certificate, Database, MasterKey, ServiceMasterKey, SymmetricKey
from sbql.engine.ports import Session
from sbql.engine.security import cryptography as crypto
from sbql.engine.security.new_passwords import new_password
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.names import bracketed

__all__ = [
    "database_key",
    "encrypted_by",
    "master_key_of",
    "new_secret",
    "opened_key",
    "private_key",
    "protect",
    "protect_by_password",
    "public_key",
    "re_encrypt",
    "service_key",
    "symmetric_value",
]

KEY_SIZE = 32


def new_secret(session: Session) -> bytes:
    found: bytes = session.instance.host.random_bytes(KEY_SIZE)
    return found


def master_key_of(session: Session, database_id: int) -> MasterKey | None:
    return next(session.catalog.all(MasterKey, database_id), None)


def service_key(session: Session, transaction: Any = None) -> bytes:
    """The service master key; made by the first definition that needs it."""
    found = next(session.catalog.all(ServiceMasterKey, 0), None)
    if found is None:
        assert transaction is not None, "a master key without the service's"
        now = session.instance.host.now()
        found = ServiceMasterKey(
            id=session.catalog.next_id(), name="##MS_ServiceMasterKey##", database_id=0, create_date=now, modify_date=now,
            key=new_secret(session),
        )  # fmt: skip
        transaction.change_catalog(None, found)
    return found.key


def _closed(session: Session, database_id: int) -> SqlError:
    """15581, with the statement that helps and the database that it is for."""
    database = session.catalog.get(Database, 0, database_id)
    name = bracketed(database.name) if database is not None else "the database"
    verb = (
        "CREATE MASTER KEY ENCRYPTION" if master_key_of(session, database_id) is None else "OPEN MASTER KEY DECRYPTION"
    )
    return sql_error(15581).advise(f"Run USE {name}; {verb} BY PASSWORD = '…'.")


def opened_key(session: Session, database_id: int) -> bytes | None:
    """The master key of a database, if the service master key opens it or the session has opened it; None for one that
    is closed, or cannot be decrypted, or is not there."""
    record = master_key_of(session, database_id)
    if record is None:
        return None
    opened: bytes | None = session.open_keys.get((database_id, record.id))
    if opened is None and record.is_encrypted_by_server and record.by_server:
        opened = crypto.unwrap(service_key(session), record.by_server)
    return opened


def database_key(session: Session, database_id: int) -> bytes:
    """The same key, which is needed. Raises 15581."""
    opened = opened_key(session, database_id)
    if opened is None:
        raise _closed(session, database_id)
    return opened


def protect(session: Session, database_id: int, secret: bytes, password: str | None) -> tuple[bytes, str]:
    """A private key as it is stored, and how: PW by a password, else MK by the database's master key. Raises 15581."""
    if password is not None:
        return protect_by_password(session, secret, password), "PW"
    nonce = session.instance.host.random_bytes(12)
    return crypto.wrap(database_key(session, database_id), secret, nonce), "MK"


def protect_by_password(session: Session, secret: bytes, password: str) -> bytes:
    """`secret` encrypted by a password. Raises 15117 for one that is too long."""
    host = session.instance.host
    return crypto.wrap_by_password(new_password(password), secret, host.random_bytes(16), host.random_bytes(12))


def private_key(session: Session, key: Certificate | AsymmetricKey, password: str | None = None) -> bytes | None:
    """The private key; None when there is none or the password is wrong. Raises 15581 when the master key is not
    open."""
    if key.private_key is None:
        return None
    if key.pvt_key_encryption_type == "PW":
        return crypto.unwrap_by_password(password, key.private_key) if password is not None else None
    return crypto.unwrap(database_key(session, key.database_id), key.private_key)


def public_key(key: Certificate | AsymmetricKey) -> bytes:
    return key.public_der if isinstance(key, AsymmetricKey) else crypto.public_key_of_certificate(key.certificate_der)


def symmetric_value(session: Session, key: SymmetricKey, kind: str, name: str, password: str | None) -> bytes:
    """The value of a symmetric key, decrypted by one of its encryptions. Raises 15313 when it is not encrypted so,
    15315 for a symmetric key that is not open, 15466 for a wrong password."""
    if kind == "PASSWORD":
        blobs = [e.value for e in key.encryptions if e.kind == "PASSWORD"]
        if not blobs:
            raise sql_error(15313)
        found = next(
            (value for value in (crypto.unwrap_by_password(name, blob) for blob in blobs) if value is not None), None
        )
    else:
        by = _decryptor(session, kind, name)
        blob = next((e.value for e in key.encryptions if e.key_id == by.id), None)
        if blob is None:
            raise sql_error(15313)
        if isinstance(by, SymmetricKey):
            opened = session.open_keys.get((by.database_id, by.id))
            if opened is None:
                raise sql_error(15315, by.name)
            found = crypto.unwrap(_wide(opened), blob)
        else:
            private = private_key(session, by, password)
            found = crypto.decrypt(private, blob) if private is not None else None
    if found is None:
        raise sql_error(15466)
    return found


def _decryptor(session: Session, kind: str, name: str) -> Any:
    classes: dict[str, Any] = {
        "CERTIFICATE": Certificate,
        "ASYMMETRIC KEY": AsymmetricKey,
        "SYMMETRIC KEY": SymmetricKey,
    }
    found = session.catalog.find(classes[kind], session.database_id, name)
    if found is None:
        raise sql_error(15151, "find", kind.lower(), name)
    return found


def encrypted_by(session: Session, value: bytes, kind: str, name: str) -> tuple[int, bytes]:
    """(key id, ciphertext) of a symmetric key's value under one mechanism; 0 for a password."""
    if kind == "PASSWORD":
        return 0, protect_by_password(session, value, name)
    by = _decryptor(session, kind, name)
    if isinstance(by, SymmetricKey):
        opened = session.open_keys.get((by.database_id, by.id))
        if opened is None:
            raise sql_error(15315, by.name)
        return by.id, crypto.wrap(_wide(opened), value, session.instance.host.random_bytes(12))
    cipher = crypto.encrypt(public_key(by), value)
    if cipher is None:
        raise sql_error(15466)
    return by.id, cipher


def _wide(key: bytes) -> bytes:
    """A key of 16 or 24 bytes as one of 32 that wraps others."""
    return key if len(key) == KEY_SIZE else crypto.derived_key(key.hex(), KEY_SIZE)


def re_encrypt(
    session: Session, transaction: Any, database_id: int, old: bytes | None, new: bytes, *, force: bool
) -> None:
    """Private keys under the master key `old` come under `new`. What cannot be decrypted is lost with FORCE, else
    raises 15507."""
    kinds: tuple[type[Certificate] | type[AsymmetricKey], ...] = (Certificate, AsymmetricKey)
    for kind in kinds:
        for key in list(session.catalog.all(kind, database_id)):
            if key.pvt_key_encryption_type != "MK" or key.private_key is None:
                continue
            secret = crypto.unwrap(old, key.private_key) if old is not None else None
            if secret is None and not force:
                raise sql_error(15507)
            wrapped = crypto.wrap(new, secret, session.instance.host.random_bytes(12)) if secret is not None else None
            kept = "MK" if wrapped is not None else "NA"
            transaction.change_catalog(
                key, msgspec.structs.replace(key, private_key=wrapped, pvt_key_encryption_type=kept)
            )
