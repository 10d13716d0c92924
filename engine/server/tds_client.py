"""A connection to a server that speaks TDS, SQL Server's or ours, from the client's end.

It decides where a server is, what is encrypted and whose certificate is believed, and how a login ends: with a
connection, or an error that says what to do. It must not know what the connection is for.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from typing import Final

from sbql.engine.server.tds_channel import Channel
from sbql.engine.tds.answers import DATABASE, PACKET_SIZE, AnswerReader, Changed, Event, LoggedIn, Said
from sbql.engine.tds.asking import login_of, prelogin_of
from sbql.engine.tds.packets import END, Kind, packets_of, take_packet
from sbql.engine.tds.prelogin import ENCRYPT_OFF, ENCRYPT_ON, ENCRYPT_REQUIRED, NO_ENCRYPTION, read_prelogin
from sbql.engine.tds.reading import ProtocolError
from sbql.grammar.errors import SqlError

__all__ = ["ServerAddress", "TdsConnection", "address_of_server", "lost"]

_PORT: Final = 1433
_PACKET: Final = 8000
_FIRST_PACKET: Final = 4096
_VERSION: Final = (0, 1, 0)
_LONGEST: Final = 128


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """`encryption`, as sqlcmd's -No, -Nm, -Ns: "optional" is at least the login when the server can, "mandatory"
    everything, "strict" TLS before anything else (TDS 8.0). `trusts`: any certificate of the server will do.
    `certificate`: the file (PEM) of the one that it has, or of who has signed it."""

    host: str
    port: int = _PORT
    user: str = ""
    password: str = field(default="", repr=False)
    encryption: str = "optional"
    trusts: bool = False
    certificate: str = ""
    timeout: float = 15.0
    """Seconds for the login."""

    @property
    def name(self) -> str:
        return f"{self.host},{self.port}"


def address_of_server(text: str) -> tuple[str, int]:
    """Host and port of sqlcmd's -S: `host`, `host,port`, `tcp:host,port`; `.` and `(local)` are
    this machine. Raises SqlError 87."""
    host, comma, port = text.strip().partition(",")
    protocol, colon, rest = host.partition(":")
    if colon and protocol.lower() in ("tcp", "np", "lpc", "admin"):
        if protocol.lower() != "tcp":
            raise SqlError(87, f"'{text}': a server is reached by TCP only. Write host,port.")
        host = rest
    if "\\" in host:
        raise SqlError(87, f"'{text}': the port of an instance with a name is not looked up. Write host,port.")
    before, colon, behind = host.rpartition(":")
    if colon and not comma and ":" not in before and behind.strip().isdecimal():
        raise SqlError(87, f"'{text}': a comma stands before the port. Write {before},{behind.strip()}.")
    host = "127.0.0.1" if host.lower() in (".", "(local)", "localhost") else host.removeprefix("[").removesuffix("]")
    number = port.strip() or (str(_PORT) if not comma else "")
    if not host or not number.isdecimal() or not 0 < int(number) < 65536:
        raise SqlError(87, f"'{text}' is not a server. Write host,port, such as 127.0.0.1,1433.")
    return host, int(number)


def lost(address: ServerAddress, why: object) -> SqlError:
    return SqlError(
        10054,
        f"The connection to the server {address.name} is gone ({why}), and the session with it. What was not committed is undone; whether a COMMIT that was running is "
        "done, only a look at the data can tell. Connect again.",
        severity=20,
    )


class TdsConnection:
    """Logged in when it is made. One thread asks and reads; `attention` and `shut` may come from any.

    Attributes: `database`; `descriptor` of the open transaction, 0 for none; `program`, what the server calls itself.
    """

    def __init__(self, address: ServerAddress, database: str = "") -> None:
        """Raises SqlError: 10061 when nobody answers, 18456, 4060 and others as the server
        refuses, 10054 when it ends meanwhile."""
        self.address = address
        self.database = database
        self.descriptor = 0
        self.program = ""
        self._packet_size = _FIRST_PACKET
        self._buffer = bytearray()
        self._sending = threading.Lock()
        deadline = time.monotonic() + address.timeout
        try:
            sock = socket.create_connection((address.host, address.port), timeout=address.timeout)
        except OSError as error:
            raise _nobody(address, error.strerror or error) from None
        self._channel = Channel(sock, deadline, server_name=address.host)
        try:
            self._log_in(database)
            self._channel.logged_in()
        except SqlError:
            self.close()
            raise
        except (OSError, ProtocolError) as error:
            self.close()
            raise _refused(address, error) from None

    # --- the login -----------------------------------------------------------------------------------------

    def _log_in(self, database: str) -> None:
        address = self.address
        is_strict = address.encryption == "strict"
        if is_strict:
            context = _context(address)
            context.set_alpn_protocols(["tds/8.0"])
            self._channel.encrypt_all(context)
        wanted = NO_ENCRYPTION if is_strict else ENCRYPT_OFF if address.encryption == "optional" else ENCRYPT_ON
        self.send(Kind.PRELOGIN, prelogin_of(wanted, _VERSION))
        answer = read_prelogin(self._message()).encryption
        agreed = NO_ENCRYPTION if is_strict else self._agreed(answer)
        self.send(
            Kind.LOGIN,
            login_of(
                packet_size=_PACKET, process=os.getpid(), is_strict=is_strict, host=socket.gethostname()[:_LONGEST], user=_short(address.user, "user"),
                password=_short(address.password, "password"), program="sbql", server=address.name[:_LONGEST], library="sbql", language="",
                database=_short(database, "database"),
            ),
        )  # fmt: skip
        if agreed == ENCRYPT_OFF:
            self._channel.stop_encrypting()
        errors: list[SqlError] = []
        is_in, is_end = False, False
        reader = AnswerReader()
        while not is_end:
            events, is_end = self.receive(reader)
            for event in events:
                if isinstance(event, LoggedIn):
                    is_in, self.program = True, event.program
                elif isinstance(event, Said) and event.is_error:
                    errors.append(SqlError(event.number, event.text, severity=event.severity, state=event.state))
        if not is_in:
            raise errors[0] if errors else ConnectionError("the server does not let us in, and does not say why")

    def _agreed(self, answer: int) -> int:
        """Encrypt as it was agreed upon; what that is."""
        address = self.address
        if answer == NO_ENCRYPTION and address.encryption == "mandatory":
            raise SqlError(
                20,
                f"The server {address.name} has no certificate, and nothing can be encrypted. Give it one (sbql serve --tls), or connect with -No.",
                severity=20,
            )
        if answer in (ENCRYPT_OFF, ENCRYPT_ON, ENCRYPT_REQUIRED):
            context = _context(address)
            context.maximum_version = ssl.TLSVersion.TLSv1_2  # later ones do not go into the packets of TDS 7
            self._channel.encrypt(context, lambda records: self.send(Kind.PRELOGIN, records), self._message)
        return answer

    def _message(self) -> bytes:
        """A whole message, while nothing is encrypted."""
        parts, is_end = bytearray(), False
        while not is_end:
            part, is_end = self._packet()
            parts += part
        return bytes(parts)

    # --- asking and hearing --------------------------------------------------------------------------------

    def send(self, kind: Kind, data: bytes) -> None:
        """Raises OSError."""
        with self._sending:
            self._channel.send(packets_of(kind, data, self._packet_size)[0])

    def attention(self) -> None:
        """Ask the server to stop what it does. From any thread. Raises OSError."""
        self.send(Kind.ATTENTION, b"")

    def _packet(self) -> tuple[bytes, bool]:
        """What is in the next packet, and whether it is the last of its message. Raises OSError, ProtocolError."""
        while (packet := take_packet(self._buffer)) is None:
            data = self._channel.receive()
            if not data:
                raise ConnectionError("the server has closed it")
            self._buffer += data
        _, status, body = packet
        return body, bool(status & END)

    def receive(self, reader: AnswerReader) -> tuple[list[Event], bool]:
        """What comes next of an answer, and whether that was all. Raises OSError, ProtocolError."""
        body, is_end = self._packet()
        events = reader.feed(body, is_end=is_end)
        for event in events:
            if isinstance(event, Changed):
                self._note(event)
        return events, is_end

    def _note(self, change: Changed) -> None:
        if isinstance(change.value, str):
            if change.kind == DATABASE:
                self.database = change.value
            elif change.kind == PACKET_SIZE:
                self._packet_size = int(change.value)
        elif change.kind in _TRANSACTIONS:
            self.descriptor = int.from_bytes(change.value, "little") if change.kind in _BEGINNINGS else 0

    # --- the end -------------------------------------------------------------------------------------------

    def shut(self) -> None:
        """Nothing is said or heard any more. From any thread."""
        self._channel.shut()

    def leave(self) -> None:
        """Nothing is said any more. The server closes the connection when it has seen to that. From any thread."""
        self._channel.leave()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._channel.shut()
            self._channel.close()


_BEGINNINGS: Final = frozenset({8, 11})
_TRANSACTIONS: Final = _BEGINNINGS | {9, 10, 12, 17}
"""ENVCHANGE: begun, enlisted; committed, rolled back, defected, ended."""


def _short(text: str, what: str) -> str:
    if len(text) > _LONGEST:
        raise SqlError(87, f"The {what} has {len(text)} characters; a login has {_LONGEST} at most.")
    return text


def _context(address: ServerAddress) -> ssl.SSLContext:
    """Whose certificate is believed. Raises SqlError for a file that has none."""
    try:
        context = ssl.create_default_context(cafile=address.certificate or None)
    except (OSError, ssl.SSLError) as error:
        raise SqlError(26014, f"The certificate {address.certificate} cannot be read: {error}") from None
    if address.trusts or (address.encryption == "optional" and not address.certificate):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif address.certificate:
        context.check_hostname = False  # it is the certificate itself that is known
    return context


def _nobody(address: ServerAddress, why: object) -> SqlError:
    return SqlError(
        10061,
        f"No server answers at {address.name} ({why}). Look at host and port; ours is started by: sbql serve --store FILE --listen {address.host}:{address.port}",
        severity=20,
    )


def _refused(address: ServerAddress, error: Exception) -> SqlError:
    text = f"The server {address.name} and this client do not come together: {error}."
    if "certificate" in str(error):
        text += " -C (trust_server_certificate=True) believes any certificate; certificate= names the server's own."
    return SqlError(10054, text, severity=20)
