"""Symmetric keys: CREATE, ALTER, OPEN, CLOSE and DROP SYMMETRIC KEY.

Decides what a key is encrypted by, and which keys a session has open (until it closes them or ends). What ENCRYPTBYKEY
does with them is a function's.
"""

from __future__ import annotations

import hashlib
from uuid import UUID

import msgspec

from sbql.catalog.records import KeyEncryption, SymmetricKey
from sbql.engine.definition.ddl import (
    Drop,
    basics,
    check_record,
    check_right,
    ddl_step,
    existing,
    owner_id,
    refuse_existing,
)
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import cryptography as crypto, may
from sbql.engine.security.keys import encrypted_by, symmetric_value
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import ObjectName, SymmetricKeyStatement
from sbql.grammar.errors import sql_error

__all__ = ["DROP"]

_OTHERS = ("DES", "TRIPLE_DES", "TRIPLE_DES_3KEY", "RC2", "RC4", "RC4_128", "DESX")


@handles(SymmetricKeyStatement)
def compile_symmetric_key(node: SymmetricKeyStatement, compiler: Compiler) -> Step:
    if node.action in ("OPEN", "CLOSE", "CLOSE ALL"):
        return Step(lambda frame: _open_or_close(frame, node))
    if node.action == "CREATE":
        return _create(node)

    def body(session: Session, transaction: Transaction) -> None:
        record = _find(session, node)
        check_record(session, "ALTER", record, "alter", "symmetric key", node.span)
        value = _opened(session, record)
        kept = record.encryptions
        for mechanism in node.mechanisms:
            key_id, cipher = encrypted_by(session, value, mechanism.kind, mechanism.value)
            if node.action == "ADD":
                kept = (*kept, KeyEncryption(mechanism.kind, key_id, cipher))
                continue
            fewer = tuple(e for e in kept if not _is_same(e, mechanism.kind, key_id, mechanism.value))
            if len(fewer) == len(kept):
                raise sql_error(15313)
            kept = fewer
        if not kept:
            raise sql_error(15558)
        now = session.instance.host.now()
        transaction.change_catalog(record, msgspec.structs.replace(record, encryptions=kept, modify_date=now))

    return ddl_step(body)


def _is_same(encryption: KeyEncryption, kind: str, key_id: int, password: str) -> bool:
    if kind != "PASSWORD":
        return encryption.key_id == key_id
    return encryption.kind == kind and crypto.unwrap_by_password(password, encryption.value) is not None


def _create(node: SymmetricKeyStatement) -> Step:
    """Raises 15282 for a name that is there, 40517 for algorithms that are no longer safe."""
    options = dict(node.options)
    algorithm = options.get("ALGORITHM", "").upper()
    if algorithm in _OTHERS:
        raise sql_error(40517, f"ALGORITHM = {algorithm}", span=node.span)
    if algorithm not in crypto.ALGORITHMS:
        raise sql_error(102, algorithm or "ENCRYPTION", span=node.span)

    def body(session: Session, transaction: Transaction) -> None:
        assert node.name is not None
        check_right(session, "CREATE SYMMETRIC KEY")
        if node.name.value.startswith("#"):
            raise sql_error(40517, "temporary keys", span=node.name.span)
        refuse_existing(session, SymmetricKey, node.name)
        host, size = session.instance.host, crypto.ALGORITHMS[algorithm]
        source, identity = options.get("KEY_SOURCE"), options.get("IDENTITY_VALUE")
        value = crypto.derived_key(source, size) if source is not None else host.random_bytes(size)
        guid = (
            UUID(bytes=hashlib.sha256(identity.encode("utf-16-le")).digest()[:16])
            if identity is not None
            else host.new_guid()
        )
        if any(other.key_guid == guid for other in session.catalog.all(SymmetricKey, session.database_id)):
            raise sql_error(15282, node.name.value, span=node.name.span)
        encryptions = tuple(
            KeyEncryption(m.kind, *encrypted_by(session, value, m.kind, m.value)) for m in node.mechanisms
        )
        record = SymmetricKey(
            **basics(session, node.name.value), principal_id=owner_id(session, node.owner), algorithm=algorithm,
            key_guid=guid, encryptions=encryptions,
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return ddl_step(body)


def _find(session: Session, node: SymmetricKeyStatement) -> SymmetricKey:
    assert node.name is not None
    return existing(session, SymmetricKey, node.name)


def _opened(session: Session, record: SymmetricKey) -> bytes:
    found: bytes | None = session.open_keys.get((record.database_id, record.id))
    if found is None:
        raise sql_error(15315, record.name)
    return found


def _open_or_close(frame: Frame, node: SymmetricKeyStatement) -> None:
    session = frame.session
    if node.action == "CLOSE ALL":
        for key in [key for key in session.open_keys if session.catalog.get(SymmetricKey, *key) is not None]:
            del session.open_keys[key]  # the master keys stay
        return
    record = _find(session, node)
    check_record(session, "VIEW DEFINITION", record, "find", "symmetric key", node.span)
    if node.action == "CLOSE":
        _opened(session, record)
        del session.open_keys[record.database_id, record.id]
        return
    mechanism = node.mechanisms[0]
    value = symmetric_value(session, record, mechanism.kind, mechanism.value, node.password)
    session.open_keys[record.database_id, record.id] = value


def _refuse_used(session: Session, record: SymmetricKey, name: ObjectName) -> None:
    """Raises 15352 while another key is encrypted by it."""
    for other in session.catalog.all(SymmetricKey, session.database_id):
        if any(encryption.key_id == record.id for encryption in other.encryptions):
            raise sql_error(15352, "symmetric key", span=name.span)


def _close(session: Session, transaction: Transaction, record: SymmetricKey) -> None:
    session.open_keys.pop((record.database_id, record.id), None)


def _may_drop(session: Session, record: SymmetricKey) -> bool:
    return may(session, "CONTROL", record)


DROP = Drop(may=_may_drop, refuse=_refuse_used, effect=_close)
