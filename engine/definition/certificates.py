"""Certificates, asymmetric keys and signatures of modules (docs/spec: CERT).

Decides where a certificate and its private key come from (made here, a file, a literal), who may use them, and what ADD
SIGNATURE signs. How keys are encrypted is engine.security.keys', formats are engine.crypto's.
"""

from __future__ import annotations

import datetime
from typing import Any

import msgspec

from sbql.catalog.records import (
    AsymmetricKey,
    CatalogRecord,
    Certificate,
    Module,
    Principal,
    Signature,
    SymmetricKey,
)
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
from sbql.engine.security import cryptography as crypto, may
from sbql.engine.security.background_keys import MASTER, endpoint_certificates
from sbql.engine.security.key_files import read_file, write_new_file
from sbql.engine.security.keys import private_key, protect, public_key
from sbql.engine.security.new_passwords import new_password
from sbql.engine.security.resolver import resolve
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import (
    AddSignatureStatement,
    AlterCertificateStatement,
    BackupCertificateStatement,
    CreateAsymmetricKeyStatement,
    CreateCertificateStatement,
    Identifier,
    ObjectName,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.types import DATETIME, NVARCHAR_MAX
from sbql.grammar.values.conversions import converter

__all__ = ["DROP"]

_YEAR = 365 * 86400.0
_to_datetime: Any = converter(NVARCHAR_MAX, DATETIME)
_PFX_ALGORITHMS = ("AES_256", "TRIPLE_DES_3KEY")
_SIZES = {"RSA_512": 512, "RSA_1024": 1024, "RSA_2048": 2048, "RSA_3072": 3072, "RSA_4096": 4096}


def _date(text: str | None, otherwise: float) -> float:
    """START_DATE and EXPIRY_DATE are UTC, written like any datetime. Raises 241, 242."""
    if text is None:
        return otherwise
    found: datetime.datetime = _to_datetime(text)
    return found.replace(tzinfo=datetime.UTC, microsecond=0).timestamp()


_EARLIEST = datetime.datetime(1950, 1, 1, tzinfo=datetime.UTC).timestamp()
"""What X.509 can write as the beginning of a certificate's life."""


# --- CREATE ------------------------------------------------------------------------------------------------


@handles(CreateCertificateStatement)
def compile_create_certificate(node: CreateCertificateStatement, compiler: Compiler) -> Step:
    """Raises 15232 for a name or certificate that is there, 15581 without a master key when there is no password."""
    if node.source in ("ASSEMBLY", "EXECUTABLE FILE"):
        raise sql_error(40517, f"CREATE CERTIFICATE … FROM {node.source}")
    options = dict(node.options)

    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE CERTIFICATE")
        database_id = session.database_id
        refuse_existing(session, Certificate, node.name)
        if node.source == "SELF-SIGNED":
            der, made, password = _self_signed(session, node, options)
            private: bytes | None = made
        else:
            der, private = _given(session, node, options)
            password = options.get("PRIVATE ENCRYPTION PASSWORD")
            if private is not None and not crypto.is_pair(crypto.public_key_of_certificate(der), private):
                raise sql_error(15297, span=node.span)
        if any(other.certificate_der == der for other in session.catalog.all(Certificate, database_id)):
            raise sql_error(15232, node.name.value, span=node.name.span)
        stored, kind = protect(session, database_id, private, password) if private is not None else (None, "NA")
        facts = crypto.certificate_facts(der)
        record = Certificate(
            **basics(session, node.name.value), principal_id=owner_id(session, node.owner),
            subject=(node.argument or "") if node.source == "SELF-SIGNED" else facts.subject,
            issuer=(node.argument or "") if node.source == "SELF-SIGNED" else facts.issuer, serial=facts.serial, start_date=facts.start,
            expiry_date=facts.expiry, is_active_for_begin_dialog=node.active_for_begin_dialog is not False, pvt_key_encryption_type=kind,
            certificate_der=der, private_key=stored,
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return ddl_step(body)


def _self_signed(
    session: Session, node: CreateCertificateStatement, options: dict[str, str]
) -> tuple[bytes, bytes, str | None]:
    host = session.instance.host
    start = _date(options.get("START_DATE"), host.now())
    expiry = _date(options.get("EXPIRY_DATE"), start + _YEAR)
    if expiry <= start or start < _EARLIEST:
        raise sql_error(15297, span=node.span)
    password = options.get("ENCRYPTION PASSWORD")
    if password is None:
        protect(session, session.database_id, b"", None)  # 15581 comes before the work
    private = crypto.new_private_key()
    return crypto.new_certificate(private, node.argument or "", start, expiry, host.random_bytes(16)), private, password


def _given(session: Session, node: CreateCertificateStatement, options: dict[str, str]) -> tuple[bytes, bytes | None]:
    """FROM FILE and FROM BINARY: the certificate, and its private key if one is given. Raises 15208 for a file that
    cannot be read or is no certificate (or whose password is another one), 15297 for a literal that is none."""
    try:
        if "FORMAT" in options:
            return crypto.load_pfx(read_file(session, node.argument or ""), options.get("DECRYPTION PASSWORD"))
        if node.source == "BINARY":
            der = crypto.load_certificate(bytes.fromhex((node.argument or "")[2:]))
        else:
            der = crypto.load_certificate(read_file(session, node.argument or ""))
        return der, _given_key(session, options)
    except (crypto.CryptoError, ValueError):
        raise sql_error(15297 if node.source == "BINARY" else 15208, span=node.span) from None


def _given_key(session: Session, options: dict[str, str]) -> bytes | None:
    """WITH PRIVATE KEY (FILE or BINARY, DECRYPTION BY PASSWORD). Raises 15208 and 15297 likewise."""
    path, literal = options.get("PRIVATE KEY FILE"), options.get("PRIVATE KEY BINARY")
    if path is None and literal is None:
        return None
    try:
        data = read_file(session, path) if path is not None else bytes.fromhex((literal or "")[2:])
        return crypto.load_private_key(data, options.get("DECRYPTION PASSWORD"))
    except (crypto.CryptoError, ValueError):
        raise sql_error(15297 if path is None else 15208) from None


@handles(CreateAsymmetricKeyStatement)
def compile_create_asymmetric_key(node: CreateAsymmetricKeyStatement, compiler: Compiler) -> Step:
    if node.algorithm not in _SIZES:
        raise sql_error(102, node.algorithm, span=node.span)
    if node.algorithm == "RSA_512":
        raise sql_error(40517, "RSA_512", span=node.span)

    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE ASYMMETRIC KEY")
        refuse_existing(session, AsymmetricKey, node.name)
        if node.password is None:
            protect(session, session.database_id, b"", None)
        private = crypto.new_private_key(_SIZES[node.algorithm])
        stored, kind = protect(session, session.database_id, private, node.password)
        record = AsymmetricKey(
            **basics(session, node.name.value), principal_id=owner_id(session, node.owner),
            algorithm=node.algorithm, public_der=crypto.public_key_of_private(private), private_key=stored, pvt_key_encryption_type=kind,
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return ddl_step(body)


# --- ALTER, BACKUP, DROP -----------------------------------------------------------------------------------


def _certificate(session: Session, name: Identifier, permission: str) -> Certificate:
    found = existing(session, Certificate, name)
    check_record(session, permission, found, "find", "certificate", name.span)
    return found


@handles(AlterCertificateStatement)
def compile_alter_certificate(node: AlterCertificateStatement, compiler: Compiler) -> Step:
    """REMOVE PRIVATE KEY, ACTIVE FOR BEGIN_DIALOG, and WITH PRIVATE KEY: another password, or a key from a file. Raises
    28055 when the endpoint, which authenticates by it, could not use its key any more."""
    options = dict(node.options)

    def body(session: Session, transaction: Transaction) -> None:
        record = _certificate(session, node.name, "ALTER")
        fields: dict[str, Any] = {"modify_date": session.instance.host.now()}
        if node.action == "REMOVE PRIVATE KEY":
            fields |= {"pvt_key_encryption_type": "NA", "private_key": None}
        elif node.action == "ACTIVE FOR BEGIN_DIALOG":
            fields["is_active_for_begin_dialog"] = options.get("ACTIVE FOR BEGIN_DIALOG", "ON") == "ON"
        else:
            private = _given_key(session, options)
            if private is None:
                private = private_key(session, record, options.get("DECRYPTION PASSWORD"))
            if private is None or not crypto.is_pair(public_key(record), private):
                raise sql_error(15466 if record.private_key is not None else 15297, span=node.span)
            stored, kind = protect(session, record.database_id, private, options.get("PRIVATE ENCRYPTION PASSWORD"))
            fields |= {"private_key": stored, "pvt_key_encryption_type": kind}
        if fields.get("pvt_key_encryption_type", "MK") != "MK" and _is_of_endpoint(session, record):
            raise sql_error(28055, record.name, span=node.span)
        transaction.change_catalog(record, msgspec.structs.replace(record, **fields))

    return ddl_step(body)


@handles(BackupCertificateStatement)
def compile_backup_certificate(node: BackupCertificateStatement, compiler: Compiler) -> Step:
    """The certificate as DER and, WITH PRIVATE KEY, the key as PKCS #8 under a password; or both in one PKCS #12 file.
    Raises 15240 for a file that is there."""
    options = dict(node.options)
    is_pfx = "FORMAT" in options
    algorithm = options.get("ALGORITHM", "TRIPLE_DES_3KEY").upper()
    if algorithm not in _PFX_ALGORITHMS or (is_pfx and "PRIVATE ENCRYPTION PASSWORD" not in options):
        raise sql_error(102, options.get("ALGORITHM", ")"), span=node.span)

    def body(session: Session, transaction: Transaction) -> None:
        with_key = is_pfx or "PRIVATE KEY FILE" in options
        record = _certificate(session, node.name, "CONTROL" if with_key else "VIEW DEFINITION")
        data: dict[str, bytes] = {node.file: record.certificate_der}
        if with_key:
            private = private_key(session, record, options.get("DECRYPTION PASSWORD"))
            if private is None:
                raise sql_error(
                    15466 if record.private_key is not None else 15151,
                    *(() if record.private_key is not None else ("find", "private key", record.name)),
                    span=node.span,
                )
            password = new_password(options.get("PRIVATE ENCRYPTION PASSWORD") or "")
            if is_pfx:
                data[node.file] = crypto.pfx_file(record.certificate_der, private, password, algorithm)
            else:
                data[options["PRIVATE KEY FILE"]] = crypto.private_key_file(private, password or None)
        for path, content in data.items():
            write_new_file(session, path, content)
        if with_key:
            now = session.instance.host.now()
            transaction.change_catalog(record, msgspec.structs.replace(record, pvt_key_last_backup_date=now))

    return ddl_step(body)


def _is_of_endpoint(session: Session, record: Certificate) -> bool:
    return record.id in endpoint_certificates(session.catalog) if record.database_id == MASTER else False


def _refuse_used(session: Session, record: CatalogRecord, name: ObjectName) -> None:
    """Raises 15352 while a user, a signature, a symmetric key or the endpoint depends on it."""
    used = any(s.certificate_id == record.id for s in session.catalog.all(Signature, session.database_id))
    homes = (session.database_id, 0) if session.database_id == 1 else (session.database_id,)
    used = used or any(p.certificate_id == record.id for home in homes for p in session.catalog.all(Principal, home))
    keys = session.catalog.all(SymmetricKey, session.database_id)
    used = used or (isinstance(record, Certificate) and _is_of_endpoint(session, record))
    if used or any(encryption.key_id == record.id for key in keys for encryption in key.encryptions):
        raise sql_error(15352, "certificate" if isinstance(record, Certificate) else "asymmetric key", span=name.span)


def _may_drop(session: Session, record: CatalogRecord) -> bool:
    return may(session, "CONTROL", record)


DROP = Drop(may=_may_drop, refuse=_refuse_used)
"""Of certificates and asymmetric keys."""


# --- signatures --------------------------------------------------------------------------------------------


@handles(AddSignatureStatement)
def compile_signature(node: AddSignatureStatement, compiler: Compiler) -> Step:
    """Signs the text of the module. Needs ALTER on the module, CONTROL on the key. Altering the module takes its
    signatures away."""

    def body(session: Session, transaction: Transaction) -> None:
        module = resolve(session, node.module, Module)
        check_record(session, "ALTER", module, "alter", "object", node.module.span)
        key = _signing_key(session, node)
        existing = next(
            (
                s
                for s in session.catalog.all(Signature, session.database_id)
                if (s.module_id, s.certificate_id) == (module.id, key.id)
            ),
            None,
        )
        if node.verb == "DROP":
            if existing is None or existing.is_counter_signature != node.counter:
                raise sql_error(15151, "drop", "signature", node.key.value, span=node.span)
            transaction.change_catalog(existing, None)
            return
        if existing is not None:
            raise sql_error(15282, node.key.value, span=node.span)
        private = private_key(session, key, node.password)
        if private is None:
            raise sql_error(*((15556, key.name) if key.private_key is None else (15466,)), span=node.span)
        record = Signature(
            **basics(session, f"{module.id}:{key.id}", session.database_id), module_id=module.id, certificate_id=key.id,
            is_counter_signature=node.counter, signature=crypto.sign(private, module.definition.encode("utf-16-le", "surrogatepass")),
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return ddl_step(body)


def _signing_key(session: Session, node: AddSignatureStatement) -> Certificate | AsymmetricKey:
    if node.crypto == "CERTIFICATE":
        return _certificate(session, node.key, "CONTROL")
    found = existing(session, AsymmetricKey, node.key)
    check_record(session, "CONTROL", found, "find", "asymmetric key", node.key.span)
    return found
