"""The beginning of a TDS connection: what client and server agree upon, encryption, and the login with its answer.

It decides who may say what before he is known, and in which words he is let in or
refused. It must not know what comes after.
"""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Callable

from msgspec import Struct

from sbql.engine.client import Client
from sbql.engine.functions.system import PRODUCT_VERSION
from sbql.engine.server.doors import Host
from sbql.engine.server.owned_session import DirectSession
from sbql.engine.server.tds_answer import Answer, Wire
from sbql.engine.server.tds_channel import Channel
from sbql.engine.tds import tokens
from sbql.engine.tds.login import FEDERATED, TDS_74, TDS_80, UTF8, Login, read_login, spoken_version
from sbql.engine.tds.packets import LARGEST_PACKET, SMALLEST_PACKET, Kind, Message, MessageReader, packets_of
from sbql.engine.tds.prelogin import (
    ENCRYPT_OFF,
    ENCRYPT_ON,
    ENCRYPT_REQUIRED,
    NO_ENCRYPTION,
    answer_to,
    encryption_answer,
    read_prelogin,
)
from sbql.engine.tds.reading import ProtocolError
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["Refused", "Settings", "log_in"]

PROGRAM = "Microsoft SQL Server"
"""Tools choose their dialect by it."""
_MAJOR, _MINOR, _BUILD = (int(part) for part in PRODUCT_VERSION.split(".")[:3])
VERSION = (_MAJOR, _MINOR, _BUILD)
_TLS_RECORD = 0x16
_DEFAULT_PACKET = 4096


class Refused(Exception):
    """The client has been told that it is not let in."""


class Settings(Struct, frozen=True):
    """`context`: TLS inside of TDS 7.x, None without a certificate; `strict`: of TDS 8.0.
    `forces_encryption`: nothing travels openly."""

    context: ssl.SSLContext | None
    strict: ssl.SSLContext | None
    forces_encryption: bool = False


def log_in(
    channel: Channel, reader: MessageReader, wire: Wire, host: Host, settings: Settings, address: str, goodbye: Callable[[], None],
    take_place: Callable[[], None],
) -> DirectSession:  # fmt: skip
    """From the first byte to a session. `take_place` is called once it is known who comes, and raises SqlError when
    nobody else may be let in. Raises Refused, ProtocolError, OSError."""
    agreed = NO_ENCRYPTION
    if channel.first_byte() == _TLS_RECORD:
        if settings.strict is None:
            raise ProtocolError("there is no certificate for TDS 8.0")
        channel.encrypt_all(settings.strict)
    message = _next(channel, reader)
    if message.kind == Kind.PRELOGIN:
        agreed = _agree(channel, wire, message, settings)
        if agreed != NO_ENCRYPTION and settings.context is not None:
            _shake_hands(channel, reader, wire, settings.context)
        message = _next(channel, reader)
    if message.kind != Kind.LOGIN:
        raise ProtocolError(f"a login is awaited, not a message of type {message.kind}")
    is_open = not channel.is_encrypted
    if agreed == ENCRYPT_OFF:
        channel.stop_encrypting()
    asked = read_login(message.data)
    spoken = spoken_version(asked.version)
    wire.version = TDS_74 if spoken == TDS_80 else spoken
    try:
        if is_open and settings.forces_encryption:
            raise host.refuse(
                asked.user, "The client does not encrypt, and the server is set to let in only those who do.", address
            )
        session = _enter(host, asked, channel, address, goodbye, take_place)
    except SqlError as error:
        _refuse(wire, asked, error)
        raise Refused from None
    _welcome(wire, asked, spoken, session)
    return session


def _next(channel: Channel, reader: MessageReader) -> Message:
    while (message := reader.next()) is None:
        data = channel.receive()
        if not data:
            raise ConnectionError("the client is gone")
        reader.feed(data)
    return message


# --- encryption --------------------------------------------------------------------------------------------


def _agree(channel: Channel, wire: Wire, message: Message, settings: Settings) -> int:
    """Answer PRELOGIN. Returns what was agreed upon; NO_ENCRYPTION too when everything is encrypted already."""
    asked = read_prelogin(message.data)
    if channel.is_encrypted:
        answer = NO_ENCRYPTION
    else:
        answer = encryption_answer(
            asked.encryption, has_certificate=settings.context is not None, is_forced=settings.forces_encryption
        )
    wire.send(packets_of(Kind.ANSWER, answer_to(asked, answer, VERSION), _DEFAULT_PACKET)[0])
    if asked.encryption == NO_ENCRYPTION and answer == ENCRYPT_REQUIRED and not channel.is_encrypted:
        raise ConnectionError("the client cannot encrypt, and has to")
    return ENCRYPT_ON if answer == ENCRYPT_REQUIRED else answer


def _shake_hands(channel: Channel, reader: MessageReader, wire: Wire, context: ssl.SSLContext) -> None:
    """The records of the handshake travel in packets; those after it do not."""

    def send(records: bytes) -> None:
        wire.send(packets_of(Kind.PRELOGIN, records, _DEFAULT_PACKET)[0])

    def receive() -> bytes:
        found = _next(channel, reader)
        if found.kind != Kind.PRELOGIN:
            raise ProtocolError("the handshake of TLS is awaited")
        return found.data

    channel.encrypt(context, send, receive)
    channel.put_back(reader.take_rest())


# --- who it is ---------------------------------------------------------------------------------------------


def _enter(
    host: Host,
    asked: Login,
    channel: Channel,
    address: str,
    goodbye: Callable[[], None],
    take_place: Callable[[], None],
) -> DirectSession:
    """Raises SqlError."""
    if asked.is_integrated or FEDERATED in asked.features:
        raise sql_error(18452).advise(
            "This server knows SQL logins only: connect with a user name and password (User ID, Password), without Trusted_Connection, "
            "Integrated Security or Microsoft Entra."
        )
    if asked.changes_password:
        raise sql_error(40517, "Changing a password while logging in; ALTER LOGIN … WITH PASSWORD does it")
    name = host.log_in(asked.user, asked.password, address)
    take_place()
    return host.attach(name, asked.database, _client(asked, channel, address), goodbye)


def _client(asked: Login, channel: Channel, address: str) -> Client:
    (_, port), here = channel.ends()
    return Client(
        program_name=asked.program, host_name=asked.host, process_id=asked.process_id, interface=asked.library, version=7,
        protocol_version=asked.version, packet_size=asked.packet_size, transport="TCP", is_encrypted=channel.is_encrypted,
        address=address, port=port, local_address=here[0], local_port=here[1],
        language=asked.language,
    )  # fmt: skip


def _refuse(wire: Wire, asked: Login, error: SqlError) -> None:
    answer = Answer(wire, None)
    answer.error(error)
    if error.number == 4060:
        answer.error(sql_error(18456, asked.user))
    with contextlib.suppress(OSError):
        answer.end()


def _welcome(wire: Wire, asked: Login, spoken: int, session: DirectSession) -> None:
    """The answer to a login. Raises OSError; the session is closed then."""
    inner = session.session
    database, wire.spid = inner.database_name, inner.spid
    wire.language = inner.options.dates.language.name
    answer = Answer(wire, None)
    answer.add(tokens.change(1, database, "master"))
    _inform(answer, wire, 5701, 2, sql_error(5701, database).message)
    answer.add(tokens.collation_change())
    answer.add(tokens.change(2, wire.language, ""))
    _inform(answer, wire, 5703, 1, sql_error(5703, wire.language).message)
    answer.add(tokens.login_ack(spoken, PROGRAM, VERSION))
    size = min(max(asked.packet_size or _DEFAULT_PACKET, SMALLEST_PACKET), LARGEST_PACKET)
    answer.add(tokens.change(4, str(size), str(_DEFAULT_PACKET)))
    if UTF8 in asked.features:
        answer.add(tokens.features([(UTF8, b"\x01")]))
    try:
        answer.end()
    except OSError:
        session.close()
        raise
    wire.packet_size, wire.database = size, database


def _inform(answer: Answer, wire: Wire, number: int, state: int, text: str) -> None:
    answer.add(
        tokens.message(
            is_error=False,
            number=number,
            state=state,
            severity=10,
            text=text,
            server=wire.server,
            procedure="",
            line=1,
            version=wire.version,
        )
    )
