"""Certificates of doors: one that is made for a server, and those that are given to it.

A made certificate is its own authority: its clients must know it, from the endpoint file or a copy of the file beside
it. It encrypts and says which server it is; who a client is, its token says. It must not know who listens.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
from collections.abc import Sequence

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from sbql.engine.host import Host

__all__ = ["make_certificate"]

_LASTS = dt.timedelta(days=365)
_EARLIER = dt.timedelta(days=1)


def make_certificate(host: Host, names: Sequence[str]) -> tuple[bytes, bytes]:
    """A new certificate for a server of these names and addresses, and its private key, as PEM. It lasts a year."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sbql")])
    now = dt.datetime.fromtimestamp(host.now(), dt.timezone.utc)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLIER)
        .not_valid_after(now + _LASTS)
        .add_extension(x509.SubjectAlternativeName([_name(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return certificate.public_bytes(serialization.Encoding.PEM), private


def _name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
