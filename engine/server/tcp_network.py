"""What an instance on the system's clock talks to others with: TCP, a TLS certificate of its own, and the secret of its domain.

It is loaded when the first endpoint is started.

Decides where the secret is: the file that SBQL_DOMAIN names, else one in the user's configuration folder, which the first instance makes. Whoever can read it is in the domain: all instances
of one user on one machine, and those that the file is copied to.
"""

from __future__ import annotations

import contextlib
import os
import ssl
import tempfile
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from sbql.catalog.records import InstanceEndpoint
from sbql.engine.host import Host
from sbql.engine.network.address_map import AddressMap
from sbql.engine.network.adjacent import Credentials
from sbql.engine.network.credentials import EndpointCredentials
from sbql.engine.network.tcp import TcpTransport
from sbql.engine.network.transmitter import Transmitter
from sbql.engine.network.wires import Transport
from sbql.engine.ports import Instance
from sbql.engine.server.certificates import make_certificate

__all__ = ["make_transmitter", "secret_of_domain", "tcp_transport"]


def make_transmitter(instance: Instance, addresses: AddressMap) -> Transmitter:
    """The transmitter of an instance that talks TCP. `addresses`: where names in routes are in fact."""
    host = instance.host

    def credentials(endpoint: InstanceEndpoint) -> Credentials:
        return EndpointCredentials(
            endpoint, lambda: instance.catalog, host.now, lambda: secret_of_domain(host.random_bytes(32))
        )

    return Transmitter(instance, lambda: tcp_transport(host), credentials, addresses)


def tcp_transport(host: Host) -> Transport:
    """Each has a TLS certificate of its own, made when first somebody asks for encryption."""

    def tls() -> tuple[ssl.SSLContext, bytes]:
        certificate, key = make_certificate(host, ["localhost"])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "tls.pem"
            file.touch(0o600)
            file.write_bytes(key + certificate)
            context.load_cert_chain(file)
        return context, x509.load_pem_x509_certificate(certificate).public_bytes(Encoding.DER)

    return TcpTransport(tls)


def secret_of_domain(proposed: bytes) -> bytes:
    """The secret; `proposed` when there is none yet. Raises OSError when the file cannot be read or made."""
    named = os.environ.get("SBQL_DOMAIN")
    path = Path(named) if named else Path.home() / ".config" / "sbql" / "domain.key"
    with contextlib.suppress(FileNotFoundError):
        return path.read_bytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as made:
        made.write(proposed)
    with contextlib.suppress(FileExistsError):  # somebody else was quicker
        os.link(made.name, path)
    os.unlink(made.name)
    return path.read_bytes()
