"""What an instance on the system's clock talks to others with: TCP, a TLS certificate of its own, and its domain.

It is loaded when the first endpoint is started.
"""

from __future__ import annotations

import ssl
import tempfile
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from sbql.catalog.records import InstanceEndpoint
from sbql.engine.host import Host
from sbql.engine.network.address_map import AddressMap
from sbql.engine.network.credentials import EndpointCredentials
from sbql.engine.network.identity import Credentials
from sbql.engine.network.tcp import TcpTransport
from sbql.engine.network.transmitter import Transmitter
from sbql.engine.network.wires import Transport
from sbql.engine.ports import Instance
from sbql.engine.server.certificates import make_certificate
from sbql.engine.server.domain import domain_of_process

__all__ = ["make_transmitter", "tcp_transport"]


def make_transmitter(instance: Instance, addresses: AddressMap) -> Transmitter:
    """The transmitter of an instance that talks TCP. `addresses`: where names in routes are in fact."""
    host = instance.host
    domain = domain_of_process(host)

    def credentials(endpoint: InstanceEndpoint) -> Credentials:
        return EndpointCredentials(endpoint, lambda: instance.catalog, host.now, domain)

    return Transmitter(instance, lambda: tcp_transport(host), credentials, addresses, domain.account)


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
