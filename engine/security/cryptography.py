"""Cryptography on plain bytes: wrapping keys, RSA, AES, X.509 certificates and their files.

Decides formats: how a key lies encrypted in the store, what a file of a certificate or private key holds (DER
certificate, PKCS #8 key; PEM is read too), what ENCRYPTBYKEY gives. The library is imported when a key is first used:
start-up must not wait for it. It must not know catalogs, sessions or statements; bad input is None or CryptoError,
never a SqlError.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

__all__ = [
    "ALGORITHMS", "CryptoError", "certificate_facts", "decrypt", "decrypt_by_key", "decrypt_key", "derived_key", "encrypt", "cipher_of",
    "encrypt_by_key", "encrypt_key", "is_pair", "key_size", "load_certificate", "load_pfx", "load_private_key", "new_certificate", "new_private_key",
    "opened_by", "pfx_file", "private_key_file", "public_key_of_certificate", "public_key_of_private", "sign", "unwrap", "unwrap_by_password",
    "verify", "wrap", "wrap_by_password",
]  # fmt: skip

ALGORITHMS: Final = {"AES_128": 16, "AES_192": 24, "AES_256": 32}
"""Algorithms of symmetric keys and their sizes in bytes."""

_NONCE: Final = 12
_SALT: Final = 16
_ROUNDS: Final = 100_000
_BLOCK: Final = 16
_VERSION: Final = (2).to_bytes(4, "little")
_MAGIC: Final = 0xBAADF00D.to_bytes(4, "little")
_HASH: Final = 20


class CryptoError(Exception):
    """The bytes, the key or the password do not fit."""


# --- keys at rest ------------------------------------------------------------------------------------------


def wrap(key: bytes, secret: bytes, nonce: bytes) -> bytes:
    """`secret` encrypted and authenticated under a 256-bit key (AES-GCM); `nonce` are 12 bytes never used before with
    it."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return nonce + AESGCM(key).encrypt(nonce, secret, None)


@lru_cache(4096)
def cipher_of(key: bytes) -> AESGCM:
    """The same AES-GCM with a key that is used for many messages."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key)


def opened_by(cipher: AESGCM, nonce: bytes, box: bytes) -> bytes | None:
    """None when it was not encrypted by it, or was changed."""
    from cryptography.exceptions import InvalidTag

    try:
        return cipher.decrypt(nonce, box, None)
    except (InvalidTag, ValueError):
        return None


def unwrap(key: bytes, wrapped: bytes) -> bytes | None:
    """None when it was not encrypted under this key, or was changed."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(key).decrypt(wrapped[:_NONCE], wrapped[_NONCE:], None)
    except (InvalidTag, ValueError):
        return None


def wrap_by_password(password: str, secret: bytes, salt: bytes, nonce: bytes) -> bytes:
    """`secret` encrypted by a key that is made of the password; the salt stands in front."""
    return salt + wrap(_password_key(password, salt), secret, nonce)


def unwrap_by_password(password: str, wrapped: bytes) -> bytes | None:
    return unwrap(_password_key(password, wrapped[:_SALT]), wrapped[_SALT:])


def _password_key(password: str, salt: bytes) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", password.encode("utf-16-le", "surrogatepass"), salt, _ROUNDS)


def derived_key(source: str, size: int) -> bytes:
    """KEY_SOURCE: the same phrase gives the same key everywhere."""
    return hashlib.sha256(source.encode("utf-16-le")).digest()[:size]


# --- RSA ---------------------------------------------------------------------------------------------------


def new_private_key(bits: int = 2048) -> bytes:
    """A new RSA key, as PKCS #8."""
    from cryptography.hazmat.primitives.asymmetric import rsa

    return _pkcs8(rsa.generate_private_key(65537, bits))


def _pkcs8(key: RSAPrivateKey, password: str | None = None) -> bytes:
    from cryptography.hazmat.primitives import serialization

    secrecy: Any = serialization.NoEncryption()
    if password is not None:
        secrecy = serialization.BestAvailableEncryption(password.encode("utf-8", "surrogatepass"))
    return key.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, secrecy)


def private_key_file(private: bytes, password: str | None) -> bytes:
    """What BACKUP writes for a private key: PKCS #8, encrypted when there is a password."""
    return _pkcs8(_private(private), password)


def pfx_file(der: bytes, private: bytes, password: str, algorithm: str) -> bytes:
    """A certificate and its private key in one PKCS #12 file; `algorithm` is AES_256 or TRIPLE_DES_3KEY."""
    from cryptography import x509
    from cryptography.hazmat.primitives.hashes import SHA1, SHA256
    from cryptography.hazmat.primitives.serialization import PrivateFormat, pkcs12

    is_new = algorithm == "AES_256"
    suite = pkcs12.PBES.PBESv2SHA256AndAES256CBC if is_new else pkcs12.PBES.PBESv1SHA1And3KeyTripleDESCBC
    builder = PrivateFormat.PKCS12.encryption_builder().key_cert_algorithm(suite)
    secrecy = builder.hmac_hash(SHA256() if is_new else SHA1()).build(password.encode("utf-8", "surrogatepass"))
    found = x509.load_der_x509_certificate(der)
    return pkcs12.serialize_key_and_certificates(None, _private(private), found, None, secrecy)


def load_pfx(data: bytes, password: str | None) -> tuple[bytes, bytes | None]:
    """The certificate of a PKCS #12 file as DER, its private key as PKCS #8. Raises CryptoError for
    other contents and a wrong password."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.serialization import pkcs12

    secret = password.encode("utf-8", "surrogatepass") if password is not None else None
    try:
        private, found, _ = pkcs12.load_key_and_certificates(data, secret)
        if found is None:
            raise CryptoError("certificate")
        der = load_certificate(found.public_bytes(serialization.Encoding.DER))
        return der, _pkcs8(cast("RSAPrivateKey", private)) if private is not None else None
    except (ValueError, TypeError, AttributeError):
        raise CryptoError("certificate") from None


def load_private_key(data: bytes, password: str | None) -> bytes:
    """A private key from a file, as PKCS #8. Raises CryptoError for other contents and a wrong password."""
    from cryptography.hazmat.primitives import serialization

    secret = password.encode("utf-8", "surrogatepass") if password is not None else None
    loads = (
        (serialization.load_pem_private_key,)
        if data.lstrip().startswith(b"-----")
        else (serialization.load_der_private_key,)
    )
    for load in loads:
        for attempt in (secret, None):
            try:
                return _pkcs8(cast("RSAPrivateKey", load(data, attempt)))
            except (ValueError, TypeError, AttributeError):
                continue
    raise CryptoError("private key")


def _private(pkcs8: bytes) -> RSAPrivateKey:
    """A key of ours: it was made here, or checked when it came from a file, and is kept under authenticated encryption.
    To check each time that its primes are primes would take a tenth of a second a signature."""
    from cryptography.hazmat.primitives import serialization

    found = serialization.load_der_private_key(pkcs8, None, unsafe_skip_rsa_key_validation=True)
    return cast("RSAPrivateKey", found)


def _public(spki: bytes) -> RSAPublicKey:
    from cryptography.hazmat.primitives import serialization

    return cast("RSAPublicKey", serialization.load_der_public_key(spki))


def public_key_of_private(pkcs8: bytes) -> bytes:
    return _spki(_private(pkcs8).public_key())


def _spki(key: Any) -> bytes:
    from cryptography.hazmat.primitives import serialization

    found: bytes = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return found


def key_size(spki: bytes) -> int:
    return _public(spki).key_size


def encrypt(spki: bytes, clear: bytes) -> bytes | None:
    """RSA with PKCS #1 padding, as ENCRYPTBYCERT does it; None for more than the key can take."""
    from cryptography.hazmat.primitives.asymmetric import padding

    key = _public(spki)
    return key.encrypt(clear, padding.PKCS1v15()) if len(clear) <= key.key_size // 8 - 11 else None


def encrypt_key(spki: bytes, key: bytes) -> bytes | None:
    """A key for whoever has the private one: RSA with OAEP (SHA-256). None for an RSA key that is too short for it."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding

    sha = hashes.SHA256()
    try:
        return _public(spki).encrypt(key, padding.OAEP(padding.MGF1(sha), sha, None))
    except ValueError:
        return None


def decrypt_key(pkcs8: bytes, cipher: bytes) -> bytes | None:
    """None for what was not encrypted with the public key."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding

    sha = hashes.SHA256()
    try:
        return _private(pkcs8).decrypt(cipher, padding.OAEP(padding.MGF1(sha), sha, None))
    except ValueError:
        return None


def decrypt(pkcs8: bytes, cipher: bytes) -> bytes | None:
    """The clear text; None for what was not encrypted with the public key. The padding is looked at here, because the
    library answers a wrong one with random bytes."""
    numbers = _private(pkcs8).private_numbers()
    size = (numbers.public_numbers.n.bit_length() + 7) // 8
    if len(cipher) != size:
        return None
    padded = pow(int.from_bytes(cipher, "big"), numbers.d, numbers.public_numbers.n).to_bytes(size, "big")
    end = padded.find(b"\0", 2)
    return padded[end + 1 :] if padded[:2] == b"\0\2" and end >= 10 else None


def sign(pkcs8: bytes, data: bytes) -> bytes:
    """RSA signature over SHA-256."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding

    return _private(pkcs8).sign(data, padding.PKCS1v15(), hashes.SHA256())


def verify(spki: bytes, data: bytes, signature: bytes) -> bool:
    """Whether a signature (RSA, SHA-256) of `data` is by the private key of this public one."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding

    try:
        _public(spki).verify(signature, data, padding.PKCS1v15(), hashes.SHA256())
    except InvalidSignature:
        return False
    return True


def is_pair(spki: bytes, pkcs8: bytes) -> bool:
    return public_key_of_private(pkcs8) == spki


# --- certificates ------------------------------------------------------------------------------------------


class CertificateFacts(Struct, frozen=True):
    """What sys.certificates shows of a certificate. Times are seconds since 1970-01-01 UTC."""

    subject: str
    issuer: str
    serial: str
    start: float
    expiry: float


def new_certificate(pkcs8: bytes, subject: str, start: float, expiry: float, serial: bytes) -> bytes:
    """A self-signed X.509 certificate, DER."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    key = _private(pkcs8)
    name = _name(subject)
    builder = x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
    builder = builder.serial_number(int.from_bytes(serial, "big") >> 1 | 1)
    builder = builder.not_valid_before(_moment(start)).not_valid_after(_moment(expiry))
    from cryptography.hazmat.primitives import serialization

    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


def _moment(seconds: float) -> dt.datetime:
    return dt.datetime.fromtimestamp(int(seconds), dt.UTC)


def _name(subject: str) -> Any:
    """A distinguished name: `CN = x, O = y` as it is written, any other text as a common name."""
    from cryptography import x509

    try:
        return x509.Name.from_rfc4514_string(",".join(part.strip() for part in subject.replace(" = ", "=").split(",")))
    except ValueError:
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, subject[:64] or "-")])


def load_certificate(data: bytes) -> bytes:
    """A certificate from a file, literal or peer, as DER, of which everything that is asked for can be read. Raises
    CryptoError for anything else, or a key that is not RSA."""
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    try:
        is_pem = data.lstrip().startswith(b"-----")
        found = x509.load_pem_x509_certificate(data) if is_pem else x509.load_der_x509_certificate(data)
        der = found.public_bytes(serialization.Encoding.DER)
        certificate_facts(der)
        is_rsa = isinstance(found.public_key(), RSAPublicKey)
    except (ValueError, TypeError, AttributeError, OverflowError, UnsupportedAlgorithm, x509.InvalidVersion):
        raise CryptoError("certificate") from None
    if not is_rsa:
        raise CryptoError("certificate")
    return der


def certificate_facts(der: bytes) -> CertificateFacts:
    from cryptography import x509

    found = x509.load_der_x509_certificate(der)
    number = found.serial_number
    serial = " ".join(f"{byte:02x}" for byte in number.to_bytes((number.bit_length() + 7) // 8, "big"))
    return CertificateFacts(
        _shown(found.subject), _shown(found.issuer), serial, found.not_valid_before_utc.timestamp(),
        found.not_valid_after_utc.timestamp(),
    )  # fmt: skip


def _shown(name: Any) -> str:
    """A name of one common name is shown as just that."""
    from cryptography import x509

    attributes = list(name)
    if len(attributes) == 1 and attributes[0].oid == x509.NameOID.COMMON_NAME:
        return str(attributes[0].value)
    return str(name.rfc4514_string())


def public_key_of_certificate(der: bytes) -> bytes:
    from cryptography import x509

    return _spki(x509.load_der_x509_certificate(der).public_key())


# --- symmetric keys ----------------------------------------------------------------------------------------


def encrypt_by_key(key: bytes, guid: bytes, clear: bytes, authenticator: bytes | None, vector: bytes) -> bytes:
    """ENCRYPTBYKEY: the key's GUID, a version, the initialisation vector, and AES-CBC of header and text."""
    proof = hashlib.sha1(clear + authenticator, usedforsecurity=False).digest() if authenticator is not None else b""
    header = _MAGIC + len(proof).to_bytes(2, "little") + len(clear).to_bytes(2, "little")
    return guid + _VERSION + vector + _cbc(key, vector, header + proof + clear, encrypts=True)


def decrypt_by_key(key: bytes, cipher: bytes, authenticator: bytes | None) -> bytes | None:
    """None for what was not encrypted under this key, or has another authenticator."""
    body = cipher[20:]
    if len(body) < 2 * _BLOCK or len(body) % _BLOCK or cipher[16:20] != _VERSION:
        return None
    clear = _cbc(key, body[:_BLOCK], body[_BLOCK:], encrypts=False)
    if clear[:4] != _MAGIC:
        return None
    proved, size = int.from_bytes(clear[4:6], "little"), int.from_bytes(clear[6:8], "little")
    found = clear[8 + proved : 8 + proved + size]
    if proved != (_HASH if authenticator is not None else 0) or len(found) != size:
        return None
    if (
        authenticator is not None
        and hashlib.sha1(found + authenticator, usedforsecurity=False).digest() != clear[8 : 8 + proved]
    ):
        return None
    return found


def _cbc(key: bytes, vector: bytes, data: bytes, *, encrypts: bool) -> bytes:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    cipher = Cipher(algorithms.AES(key), modes.CBC(vector))
    if encrypts:
        fill = _BLOCK - len(data) % _BLOCK
        worker = cipher.encryptor()
        return worker.update(data + bytes([fill]) * fill) + worker.finalize()
    reader = cipher.decryptor()
    return reader.update(data) + reader.finalize()
