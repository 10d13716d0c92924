"""Functions over keys and certificates: encryption, signatures, ids and properties (documentation: "Cryptographic
functions").

A key that is missing, closed or not the user's gives NULL, never an error, as documented. Keys are found by
engine.security.keys.
"""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import UUID

from sbql.catalog.records import AsymmetricKey, Certificate, Module, Signature, SymmetricKey
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.engine.scalars.type_rules import as_text
from sbql.engine.security import cryptography as crypto, may
from sbql.engine.security.keys import private_key, public_key, symmetric_value
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import INT, NVARCHAR_MAX, SYSNAME, UNIQUEIDENTIFIER, SqlType, varbinary
from sbql.grammar.values.binary import to_bytes
from sbql.grammar.values.kinds import kind, spelled

__all__: list[str] = []

_LIMIT = 8000


def _clear(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Clear text: character and binary types only. Raises 8116."""
    if kind(sql_type) in ("string", "binary"):
        return sql_type
    if kind(sql_type) == "null":
        return varbinary(_LIMIT)
    raise sql_error(8116, spelled(sql_type), position, name)


def _by_id(frame: Frame, cls: Any, key_id: int, permission: str = "VIEW DEFINITION") -> Any:
    found = frame.session.catalog.get(cls, frame.session.database_id, key_id)
    return found if found is not None and may(frame.session, permission, found) else None


def _named(frame: Frame, cls: Any, name: str) -> Any:
    found = frame.session.catalog.find(cls, frame.session.database_id, name.strip("[]"))
    return found if found is not None and may(frame.session, "VIEW DEFINITION", found) else None


def _private(frame: Frame, cls: Any, key_id: int, password: str | None) -> bytes | None:
    key = _by_id(frame, cls, key_id, "CONTROL")
    try:
        return private_key(frame.session, key, password) if key is not None else None
    except SqlError:
        return None


# --- certificates and asymmetric keys ----------------------------------------------------------------------


def _pair(word: str, cls: Any) -> None:
    """ENCRYPTBY…, DECRYPTBY…, SIGNBY… and VERIFYSIGNEDBY… of certificates and of asymmetric keys."""

    def encrypting(types: tuple[SqlType, ...]) -> Any:
        def run(frame: Frame, key_id: int, clear: Any) -> bytes | None:
            key = _by_id(frame, cls, key_id)
            return crypto.encrypt(public_key(key), to_bytes(clear, types[1])) if key is not None else None

        return run

    def decrypting(frame: Frame, key_id: int, cipher: bytes, password: str | None = None) -> bytes | None:
        private = _private(frame, cls, key_id, password)
        return crypto.decrypt(private, cipher) if private is not None else None

    def signing(types: tuple[SqlType, ...]) -> Any:
        def run(frame: Frame, key_id: int, text: Any, password: str | None = None) -> bytes | None:
            private = _private(frame, cls, key_id, password)
            return crypto.sign(private, to_bytes(text, types[1])) if private is not None else None

        return run

    def verifying(types: tuple[SqlType, ...]) -> Any:
        def run(frame: Frame, key_id: int, text: Any, signature: bytes) -> int | None:
            key = _by_id(frame, cls, key_id)
            return int(crypto.verify(public_key(key), to_bytes(text, types[1]), signature)) if key is not None else None

        return run

    result, secret = varbinary(_LIMIT), NVARCHAR_MAX
    function(f"ENCRYPTBY{word}", result, [INT, _clear], needs_frame=True, typed=True)(encrypting)
    function(f"DECRYPTBY{word}", result, [INT, result, secret], optional=1, needs_frame=True)(decrypting)
    function(f"SIGNBY{word}", result, [INT, _clear, secret], optional=1, needs_frame=True, typed=True)(signing)
    function(f"VERIFYSIGNEDBY{word}", INT, [INT, _clear, result], needs_frame=True, typed=True)(verifying)


_pair("CERT", Certificate)
_pair("ASYMKEY", AsymmetricKey)


@function("CERT_ID", INT, [SYSNAME], needs_frame=True)
def _cert_id(frame: Frame, name: str) -> int | None:
    found = _named(frame, Certificate, name)
    return found.id if found is not None else None


@function("ASYMKEY_ID", INT, [SYSNAME], needs_frame=True)
def _asymkey_id(frame: Frame, name: str) -> int | None:
    found = _named(frame, AsymmetricKey, name)
    return found.id if found is not None else None


@function("CERTENCODED", varbinary(_LIMIT), [INT], needs_frame=True)
def _certencoded(frame: Frame, key_id: int) -> bytes | None:
    """The public part: what CREATE CERTIFICATE FROM BINARY takes."""
    found = _by_id(frame, Certificate, key_id)
    return found.certificate_der if found is not None else None


@function("CERTPRIVATEKEY", varbinary(_LIMIT), [INT, NVARCHAR_MAX, NVARCHAR_MAX], optional=1, needs_frame=True)
def _certprivatekey(frame: Frame, key_id: int, encryption: str, decryption: str | None = None) -> bytes | None:
    """The private key under `encryption`; `decryption` opens it when a password protects it."""
    private = _private(frame, Certificate, key_id, decryption)
    return crypto.private_key_file(private, encryption) if private is not None else None


@function("CERTPROPERTY", SYSNAME, [INT, SYSNAME], needs_frame=True)
def _certproperty(frame: Frame, key_id: int, name: str) -> str | None:
    found = _by_id(frame, Certificate, key_id)
    if found is None:
        return None
    values = {
        "expiry_date": _moment(found.expiry_date), "start_date": _moment(found.start_date), "issuer_name": found.issuer,
        "cert_serial_number": found.serial, "subject": found.subject, "sid": "0x" + (b"\x01" + found.thumbprint).hex().upper(),
        "string_sid": f"S-1-9-1-{found.thumbprint.hex().upper()}",
    }  # fmt: skip
    return values.get(name.lower())


def _moment(seconds: float) -> str:
    return dt.datetime.fromtimestamp(seconds, dt.UTC).strftime("%Y-%m-%d %H:%M:%S.000")


@function("ASYMKEYPROPERTY", SYSNAME, [INT, SYSNAME], needs_frame=True)
def _asymkeyproperty(frame: Frame, key_id: int, name: str) -> str | None:
    found = _by_id(frame, AsymmetricKey, key_id)
    if found is None:
        return None
    return {"algorithm_desc": found.algorithm, "string_sid": f"S-1-9-1-{found.thumbprint.hex().upper()}"}.get(
        name.lower()
    )


# --- symmetric keys ----------------------------------------------------------------------------------------


@function("KEY_ID", INT, [SYSNAME], needs_frame=True)
def _key_id(frame: Frame, name: str) -> int | None:
    found = _named(frame, SymmetricKey, name)
    return found.id if found is not None else None


@function("KEY_GUID", UNIQUEIDENTIFIER, [SYSNAME], needs_frame=True)
def _key_guid(frame: Frame, name: str) -> UUID | None:
    found = _named(frame, SymmetricKey, name)
    return found.key_guid if found is not None else None


def _key_of(frame: Frame, guid: UUID) -> Any:
    keys = frame.session.catalog.all(SymmetricKey, frame.session.database_id)
    return next((key for key in keys if key.key_guid == guid), None)


def _binary_or_guid(sql_type: SqlType, position: int, name: str) -> SqlType:
    return sql_type if kind(sql_type) in ("binary", "guid") else UNIQUEIDENTIFIER


@function("KEY_NAME", SYSNAME, [_binary_or_guid], needs_frame=True)
def _key_name(frame: Frame, of: Any) -> str | None:
    """The name of a key by its GUID, or of the key that made a ciphertext."""
    guid = UUID(bytes=bytes(of[:16])) if isinstance(of, bytes) and len(of) >= 16 else of
    found = _key_of(frame, guid) if isinstance(guid, UUID) else None
    return found.name if found is not None else None


@function("SYMKEYPROPERTY", SYSNAME, [INT, SYSNAME], needs_frame=True)
def _symkeyproperty(frame: Frame, key_id: int, name: str) -> str | None:
    found = _by_id(frame, SymmetricKey, key_id)
    return {"algorithm_desc": found.algorithm}.get(name.lower()) if found is not None else None


def _authenticator(types: tuple[SqlType, ...], add: int | None, value: Any, place: int) -> bytes | None:
    return to_bytes(value, types[place]) if add and value is not None else None


@function(
    "ENCRYPTBYKEY", varbinary(_LIMIT), [UNIQUEIDENTIFIER, _clear, INT, _clear], optional=2, needs_frame=True, typed=True
)
def _encryptbykey(types: tuple[SqlType, ...]) -> Any:
    """NULL when the key is not open in the session."""

    def run(frame: Frame, guid: UUID, clear: Any, add: int = 0, authenticator: Any = None) -> bytes | None:
        key = _key_of(frame, guid)
        value = frame.session.open_keys.get((key.database_id, key.id)) if key is not None else None
        if value is None:
            return None
        vector = frame.session.instance.host.random_bytes(16)
        return crypto.encrypt_by_key(
            value, guid.bytes, to_bytes(clear, types[1]), _authenticator(types, add, authenticator, 3), vector
        )

    return run


def _opened(frame: Frame, cipher: bytes) -> bytes | None:
    key = _key_of(frame, UUID(bytes=bytes(cipher[:16]))) if len(cipher) >= 16 else None
    found: bytes | None = frame.session.open_keys.get((key.database_id, key.id)) if key is not None else None
    return found


@function("DECRYPTBYKEY", varbinary(_LIMIT), [varbinary(_LIMIT), INT, _clear], optional=2, needs_frame=True, typed=True)
def _decryptbykey(types: tuple[SqlType, ...]) -> Any:
    """The ciphertext names its key; NULL when that is not open."""

    def run(frame: Frame, cipher: bytes, add: int = 0, authenticator: Any = None) -> bytes | None:
        value = _opened(frame, cipher)
        return (
            crypto.decrypt_by_key(value, cipher, _authenticator(types, add, authenticator, 2))
            if value is not None
            else None
        )

    return run


def _auto(word: str, cls: Any, mechanism: str) -> None:
    """DECRYPTBYKEYAUTO…: opens the symmetric key by a certificate or asymmetric key for this one call."""

    def run(frame: Frame, key_id: int, password: str | None, cipher: bytes | None, *rest: Any) -> bytes | None:
        by = _by_id(frame, cls, key_id, "CONTROL")
        key = _key_of(frame, UUID(bytes=bytes(cipher[:16]))) if cipher is not None and len(cipher) >= 16 else None
        if by is None or key is None or cipher is None:
            return None
        try:
            value = symmetric_value(frame.session, key, mechanism, by.name, password)
        except SqlError:
            return None
        return crypto.decrypt_by_key(value, cipher, None)

    function(
        f"DECRYPTBYKEYAUTO{word}",
        varbinary(_LIMIT),
        [INT, NVARCHAR_MAX, varbinary(_LIMIT)],
        null_on_null=False,
        needs_frame=True,
    )(run)


_auto("CERT", Certificate, "CERTIFICATE")
_auto("ASYMKEY", AsymmetricKey, "ASYMMETRIC KEY")


# --- signed modules ----------------------------------------------------------------------------------------


@function("IS_OBJECTSIGNED", INT, [as_text, INT, as_text, varbinary(_LIMIT)], needs_frame=True)
def _is_objectsigned(frame: Frame, kind_: str, object_id: int, word: str, thumbprint: bytes) -> int | None:
    """1 when the module is signed by the key with this thumbprint and the signature holds, else 0."""
    session = frame.session
    module = session.catalog.get(Module, session.database_id, object_id)
    cls: Any = (
        Certificate if word.strip().upper() in ("CERTIFICATE", "COUNTER SIGNATURE CERTIFICATE") else AsymmetricKey
    )
    if module is None or kind_.strip().upper() != "OBJECT":
        return None
    for signature in session.catalog.all(Signature, session.database_id):
        key = session.catalog.get(cls, session.database_id, signature.certificate_id)
        if signature.module_id == object_id and key is not None and key.thumbprint == thumbprint:
            text = module.definition.encode("utf-16-le", "surrogatepass")
            return int(crypto.verify(public_key(key), text, signature.signature))
    return 0
