"""Master keys, certificates and signatures: stored and shown in their views.

Cross-database dialogs with ENCRYPTION = ON look for the master keys; certificates wait for the network that uses them.
"""

from __future__ import annotations

import datetime
from typing import Any

import msgspec

from sbql.catalog.records import Certificate, MasterKey, Module, Principal, Signature
from sbql.engine.execution.compiled import Step, handles
from sbql.engine.execution.compiler import Compiler
from sbql.engine.execution.ddl import check_right, ddl_step, owner_id
from sbql.engine.execution.handlers.principals import basics
from sbql.engine.transaction import Transaction
from sbql.grammar.ast import (
    AddSignatureStatement,
    AlterCertificateStatement,
    BackupCertificateStatement,
    CreateCertificateStatement,
    MasterKeyStatement,
    ObjectName,
)
from sbql.grammar.errors import sql_error

__all__ = ["drop_certificate", "drop_master_key"]

_YEAR = 365 * 86400.0


@handles(MasterKeyStatement)
def compile_master_key(node: MasterKeyStatement, compiler: Compiler) -> Step:
    if node.action in ("BACKUP", "RESTORE"):
        raise sql_error(40517, f"{node.action} MASTER KEY")

    def body(session: Any, transaction: Transaction) -> None:
        check_right(session, "CONTROL")
        old = next(session.catalog.all(MasterKey, session.database_id), None)
        if node.action == "CREATE":
            if old is not None:
                raise sql_error(15578)
            transaction.change_catalog(None, MasterKey(**basics(session, "##MS_DatabaseMasterKey##", session.database_id)))
            return
        if old is None:
            raise sql_error(15151, "find", "master key", session.database_name)
        if node.action in ("ADD SERVICE MASTER KEY", "DROP SERVICE MASTER KEY"):
            by_server = node.action.startswith("ADD")
            transaction.change_catalog(old, msgspec.structs.replace(old, is_encrypted_by_server=by_server))

    return ddl_step(body)


def drop_master_key(session: Any, transaction: Transaction) -> bool:
    """False when the database has none."""
    record = next(session.catalog.all(MasterKey, session.database_id), None)
    if record is not None:
        transaction.change_catalog(record, None)
    return record is not None


def _date(text: str | None, otherwise: float) -> float:
    if text is None:
        return otherwise
    for pattern in ("%Y-%m-%d", "%Y%m%d", "%m/%d/%Y", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S"):
        try:
            return datetime.datetime.strptime(text, pattern).replace(tzinfo=datetime.UTC).timestamp()
        except ValueError:
            continue
    raise sql_error(241)


@handles(CreateCertificateStatement)
def compile_create_certificate(node: CreateCertificateStatement, compiler: Compiler) -> Step:
    """A self-signed certificate needs a master key (15581) unless it has a password of its own."""
    if node.source in ("ASSEMBLY", "EXECUTABLE FILE"):
        raise sql_error(40517, f"CREATE CERTIFICATE … FROM {node.source}")
    options = dict(node.options)

    def body(session: Any, transaction: Transaction) -> None:
        check_right(session, "CREATE CERTIFICATE")
        if session.catalog.find(Certificate, session.database_id, node.name.value) is not None:
            raise sql_error(15232, node.name.value, span=node.name.span)
        password = options.get("ENCRYPTION PASSWORD")
        has_key = next(session.catalog.all(MasterKey, session.database_id), None) is not None
        if node.source == "SELF-SIGNED" and password is None and not has_key:
            raise sql_error(15581)
        backup = _backups(session).get((node.argument or "").lower()) if node.source == "FILE" else None
        der = backup.certificate_der if backup is not None else _certificate_bytes(node)
        now = session.instance.host.now()
        start = backup.start_date if backup is not None else _date(options.get("START_DATE"), now)
        record = Certificate(
            **basics(session, node.name.value, session.database_id), principal_id=owner_id(session, node.owner),
            subject=(node.argument or "") if node.source == "SELF-SIGNED" else backup.subject if backup is not None else "",
            start_date=start,
            expiry_date=backup.expiry_date if backup is not None else _date(options.get("EXPIRY_DATE"), start + _YEAR),
            is_active_for_begin_dialog=node.active_for_begin_dialog is not False,
            pvt_key_encryption_type=_key_type(node, options),
            certificate_der=der, options={"source": node.source, "argument": node.argument or ""},
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return ddl_step(body)


def _backups(session: Any) -> dict[str, Certificate]:
    """What BACKUP CERTIFICATE would have written, by the file's name in lower case; kept while the instance is open."""
    kept: dict[str, Certificate] = session.instance.__dict__.setdefault("certificate_backups", {})
    return kept


def _certificate_bytes(node: CreateCertificateStatement) -> bytes:
    """FROM FILE and FROM BINARY: the certificate as it stands there. Raises 15208 for a file that cannot be read."""
    if node.source == "FILE":
        try:
            with open(node.argument or "", "rb") as file:
                return file.read()
        except OSError:
            raise sql_error(15208, span=node.span) from None
    if node.source == "BINARY" and node.argument:
        return bytes.fromhex(node.argument.removeprefix("0x").removeprefix("0X"))
    return b""


def _key_type(node: CreateCertificateStatement, options: dict[str, str]) -> str:
    if node.source != "SELF-SIGNED" and not any(word.startswith("PRIVATE KEY") for word in options):
        return "NA"
    return "PW" if "ENCRYPTION PASSWORD" in options or "PRIVATE ENCRYPTION PASSWORD" in options else "MK"


def _certificate(session: Any, name: str, span: Any) -> Certificate:
    found = session.catalog.find(Certificate, session.database_id, name)
    if found is None:
        raise sql_error(15151, "find", "certificate", name, span=span)
    return found  # type: ignore[no-any-return]


@handles(AlterCertificateStatement)
def compile_alter_certificate(node: AlterCertificateStatement, compiler: Compiler) -> Step:
    def body(session: Any, transaction: Transaction) -> None:
        record = _certificate(session, node.name.value, node.name.span)
        fields: dict[str, Any] = {}
        if node.action == "REMOVE PRIVATE KEY":
            fields = {"pvt_key_encryption_type": "NA", "private_key": None}
        elif node.action == "ACTIVE FOR BEGIN_DIALOG":
            fields = {"is_active_for_begin_dialog": dict(node.options).get("ACTIVE FOR BEGIN_DIALOG", "ON") == "ON"}
        transaction.change_catalog(record, msgspec.structs.replace(record, **fields))

    return ddl_step(body)


@handles(BackupCertificateStatement)
def compile_backup_certificate(node: BackupCertificateStatement, compiler: Compiler) -> Step:
    """No file is written (docs/differences.md), but CREATE CERTIFICATE … FROM FILE finds the certificate under its name."""

    def body(session: Any, transaction: Transaction) -> None:
        _backups(session)[node.file.lower()] = _certificate(session, node.name.value, node.name.span)

    return ddl_step(body)


def drop_certificate(session: Any, transaction: Transaction, name: ObjectName) -> bool:
    """False when there is none. Raises 15352 while a user or signature depends on it."""
    record = session.catalog.find(Certificate, session.database_id, name.name)
    if record is None:
        return False
    for signature in session.catalog.all(Signature, session.database_id):
        if signature.certificate_id == record.id:
            raise sql_error(15352, "certificate", span=name.span)
    for user in session.catalog.all(Principal, session.database_id):
        if user.certificate_id == record.id:
            raise sql_error(15352, "certificate", span=name.span)
    transaction.change_catalog(record, None)
    return True


@handles(AddSignatureStatement)
def compile_signature(node: AddSignatureStatement, compiler: Compiler) -> Step:
    def body(session: Any, transaction: Transaction) -> None:
        module = session.resolve(node.module, Module)
        certificate = _certificate(session, node.key.value, node.key.span)
        existing = next(
            (
                s
                for s in session.catalog.all(Signature, session.database_id)
                if s.module_id == module.id and s.certificate_id == certificate.id
            ),
            None,
        )
        if node.verb == "DROP":
            if existing is None:
                raise sql_error(15151, "drop", "signature", node.key.value, span=node.span)
            transaction.change_catalog(existing, None)
        elif existing is None:
            record = Signature(
                **basics(session, f"{module.id}:{certificate.id}", session.database_id), module_id=module.id,
                certificate_id=certificate.id, is_counter_signature=node.counter,
            )  # fmt: skip
            transaction.change_catalog(None, record)

    return ddl_step(body)
