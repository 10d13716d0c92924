"""Master keys: CREATE, ALTER, OPEN, CLOSE, BACKUP, RESTORE and DROP MASTER KEY (docs/spec: CERT).

Decides by what a database's master key is encrypted; everything under it is encrypted anew when it changes. Which key
opens which is engine.security.keys'.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.records import AsymmetricKey, Certificate, MasterKey
from sbql.engine.broker import ddl_effects
from sbql.engine.definition.ddl import basics, broker_effect, check_right, ddl_step
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import cryptography as crypto
from sbql.engine.security.key_files import read_file, write_new_file
from sbql.engine.security.keys import (
    database_key,
    master_key_of,
    new_secret,
    opened_key,
    protect_by_password,
    re_encrypt,
    service_key,
)
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import DropObjectStatement, MasterKeyStatement
from sbql.grammar.errors import sql_error

__all__ = ["drop_master_key"]

_NAME = "##MS_DatabaseMasterKey##"


@handles(MasterKeyStatement)
def compile_master_key(node: MasterKeyStatement, compiler: Compiler) -> Step:
    if node.action in ("OPEN", "CLOSE"):
        return Step(lambda frame: _open_or_close(frame, node))

    def body(session: Session, transaction: Transaction) -> Work:
        check_right(session, "CONTROL")
        old = master_key_of(session, session.database_id)
        if node.action == "CREATE":
            if old is not None:
                raise sql_error(15578)
            secret = new_secret(session)
            _put(session, transaction, None, secret, node.password)
            yield from _lose_session_keys(session, transaction, secret)
        elif node.action == "RESTORE":
            yield from _restore(session, transaction, node, old)
        elif old is None:
            raise sql_error(15151, "find", "master key", session.database_name)
        elif node.action == "BACKUP":
            assert node.file is not None and node.password is not None
            write_new_file(
                session,
                node.file,
                protect_by_password(session, database_key(session, session.database_id), node.password),
            )
        elif node.action == "REGENERATE":
            yield from _renew(session, transaction, node, old, new_secret(session))
        else:
            _change(session, transaction, node, old)

    return ddl_step(body)


def _put(
    session: Session, transaction: Transaction, old: MasterKey | None, secret: bytes, password: str | None
) -> None:
    """A master key, encrypted by the service master key and by the password."""
    wrapped = crypto.wrap(service_key(session, transaction), secret, session.instance.host.random_bytes(12))
    passwords = (protect_by_password(session, secret, password),) if password is not None else ()
    if old is None:
        record = MasterKey(**basics(session, _NAME), by_server=wrapped, by_passwords=passwords)
    else:
        fields = {"by_server": wrapped if old.is_encrypted_by_server else b"", "by_passwords": passwords}
        record = msgspec.structs.replace(old, modify_date=session.instance.host.now(), **fields)
    transaction.change_catalog(old, record)
    if (session.database_id, record.id) in session.open_keys:
        session.open_keys[session.database_id, record.id] = secret


def _renew(session: Session, transaction: Transaction, node: MasterKeyStatement, old: MasterKey, secret: bytes) -> Work:
    """REGENERATE and RESTORE over a key: what was under the old one comes under the new. FORCE loses what cannot be
    decrypted, the session keys of conversations, too."""
    database_id = session.database_id
    before = opened_key(session, database_id) if node.force else database_key(session, database_id)
    _put(session, transaction, old, secret, node.password)
    re_encrypt(session, transaction, session.database_id, before, secret, force=node.force)
    if before is None:
        yield from _lose_session_keys(session, transaction, secret)
    else:
        _keep_session_keys(session, transaction, before, secret)


def _keep_session_keys(session: Session, transaction: Transaction, old: bytes, new: bytes) -> None:
    """The session keys of conversations under the master key `old` come under `new` with the commit. Those under the
    service master key stay there."""
    host = session.instance.host

    def renew(kept: bytes) -> bytes:
        key = crypto.unwrap(old, kept)
        return crypto.wrap(new, key, host.random_bytes(12)) if key is not None else kept

    with session.instance.broker.mutex:
        transaction.broker.renew_session_keys(session.database_id, renew)


def _lose_session_keys(session: Session, transaction: Transaction, new: bytes) -> Work:
    """There is the master key `new`, and none before it that could be opened: what neither it nor the service master
    key opens is lost."""
    database_id, service = session.database_id, service_key(session, transaction)

    def is_lost(kept: bytes) -> bool:
        return crypto.unwrap(new, kept) is None and crypto.unwrap(service, kept) is None

    yield from broker_effect(
        session, transaction, lambda broker: ddl_effects.session_keys_lost(broker, database_id, is_lost)
    )


def _restore(session: Session, transaction: Transaction, node: MasterKeyStatement, old: MasterKey | None) -> Work:
    assert node.file is not None and node.decryption_password is not None
    data = read_file(session, node.file)
    secret = crypto.unwrap_by_password(node.decryption_password, data)
    if secret is None:
        raise sql_error(15329 if data else 15208)
    if old is None:
        _put(session, transaction, None, secret, node.password)
        yield from _lose_session_keys(session, transaction, secret)
    else:
        yield from _renew(session, transaction, node, old, secret)


def _change(session: Session, transaction: Transaction, node: MasterKeyStatement, old: MasterKey) -> None:
    """ADD and DROP ENCRYPTION BY SERVICE MASTER KEY or PASSWORD. The last password stays (15558)."""
    secret = database_key(session, session.database_id)
    fields: dict[str, Any] = {"modify_date": session.instance.host.now()}
    if node.action == "ADD SERVICE MASTER KEY":
        wrapped = crypto.wrap(service_key(session, transaction), secret, session.instance.host.random_bytes(12))
        fields |= {"is_encrypted_by_server": True, "by_server": wrapped}
    elif node.action == "DROP SERVICE MASTER KEY":
        fields |= {"is_encrypted_by_server": False, "by_server": b""}
    elif node.action == "ADD PASSWORD":
        assert node.password is not None
        fields["by_passwords"] = (*old.by_passwords, protect_by_password(session, secret, node.password))
    else:
        assert node.password is not None
        kept = tuple(blob for blob in old.by_passwords if crypto.unwrap_by_password(node.password, blob) is None)
        if len(kept) == len(old.by_passwords):
            raise sql_error(15329)
        if not kept:
            raise sql_error(15558)
        fields["by_passwords"] = kept
    transaction.change_catalog(old, msgspec.structs.replace(old, **fields))


def _open_or_close(frame: Frame, node: MasterKeyStatement) -> None:
    """For the session only. Raises 15151 without a key, 15313 for a wrong password."""
    session = frame.session
    record = master_key_of(session, session.database_id)
    if record is None:
        raise sql_error(15151, "find", "master key", session.database_name)
    check_right(session, "CONTROL")
    key = (session.database_id, record.id)
    if node.action == "CLOSE":
        session.open_keys.pop(key, None)
        return
    assert node.password is not None
    found = next(
        (s for s in (crypto.unwrap_by_password(node.password, b) for b in record.by_passwords) if s is not None), None
    )
    if found is None:
        raise sql_error(15313)
    session.open_keys[key] = found


def drop_master_key(session: Session, transaction: Transaction, node: DropObjectStatement) -> None:
    """Session keys come under the service master key, for the next master key. Those under one that is closed wait for
    it: RESTORE MASTER KEY may bring it back. Raises 15151 when the database has
    none, 15580 while a private key is encrypted by it."""
    record = master_key_of(session, session.database_id)
    if record is None:
        raise sql_error(15151, "drop", "master key", session.database_name, span=node.span)
    check_right(session, "CONTROL")
    kinds: tuple[tuple[type[Certificate] | type[AsymmetricKey], str], ...] = (
        (Certificate, "certificate"),
        (AsymmetricKey, "asymmetric key"),
    )
    for kind, words in kinds:
        for key in session.catalog.all(kind, session.database_id):
            if key.pvt_key_encryption_type == "MK" and key.private_key is not None:
                raise sql_error(15580, "master key", words, key.name)
    before = opened_key(session, session.database_id)
    transaction.change_catalog(record, None)
    if before is not None:
        _keep_session_keys(session, transaction, before, service_key(session, transaction))
