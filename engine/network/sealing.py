"""Sealing: the frames of secure dialogs are encrypted on one side and opened on the other (docs/spec: SECURE).

Each dialog has a session key, made by its initiator. Each side encrypts with a key of its own that follows from it. The
target gets the session key in the security header. There it is wrapped by an exchange key, which is encrypted for the
target's certificate and signed by the initiator's (full security) or by nobody (anonymous). The header goes with the
initiator's frames until the first message is acknowledged, and with everything that is sent again. Exchange keys are
made for a pair of services and certificates, and made anew after some hours.

Decides what is let through, and what the trace says of the rest. Must not know connections or transactions.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

import msgspec

from sbql.catalog.records import NO_GUID, Certificate, ConversationEndpoint
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.incoming import NO_SECURITY, Security
from sbql.engine.host import Host
from sbql.engine.network import frames
from sbql.engine.network.certificate_choice import answer_key_id, keep, opened, session_key_of
from sbql.engine.network.frames import ClearFrame, DialogFrame, Envelope, Fragment, Malformed, Sealed, SecurityHeader
from sbql.engine.security import cryptography as crypto
from sbql.engine.security.background_keys import issuer_and_serial, private_key_of
from sbql.engine.security.dialog_certificates import (
    NO_MASTER_KEY,
    certificate_of,
    known_as,
    master_key_problem,
    no_way_in,
)
from sbql.engine.security.owners import user_may
from sbql.grammar.messages import message

__all__ = ["Opened", "Unreadable", "Vault"]

EXCHANGE_LIFE: Final = 4 * 3600.0
"""Seconds for which an exchange key is used."""
_KEPT: Final = 4096
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
LOST_KEY: Final = 28052
NO_KEY: Final = (28050,)
NO_CONTEXT: Final = 11229
UNREADABLE: Final = 11230
NO_CONTROL: Final = 28056


class Unreadable(Exception):
    """A frame that is not let through. `number` and arguments of the message, and the subclass of Audit
    Broker Conversation (empty: none)."""

    def __init__(self, subclass: str, number: int, *arguments: object) -> None:
        super().__init__(number, *arguments)
        self.subclass, self.number, self.arguments = subclass, number, arguments

    @property
    def text(self) -> str:
        return message(self.number).format(*self.arguments)


class Opened(NamedTuple):
    """A frame, what secures it, and the session key (empty: none) for an answer without an endpoint. `catalog`: under
    whose master key a session key is that is new here."""

    frame: ClearFrame
    security: Security
    key: bytes
    catalog: CatalogIndex | None = None


class _Exchange(NamedTuple):
    made: float
    key: bytes
    header: SecurityHeader


class _Begun(NamedTuple):
    catalog: CatalogIndex
    made: float
    header: SecurityHeader
    envelope: Envelope
    key: bytes
    security: Security


class Vault:
    """Of one instance."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._exchanges: OrderedDict[tuple[bytes, bytes, str, str, UUID], _Exchange] = OrderedDict()
        self._headers: OrderedDict[
            tuple[SecurityHeader, Envelope], tuple[CatalogIndex, float, tuple[int, bytes, int]]
        ] = OrderedDict()
        self._keys: OrderedDict[tuple[int, bytes], tuple[CatalogIndex, bytes]] = OrderedDict()
        self._made: OrderedDict[UUID, tuple[CatalogIndex, Envelope, float, SecurityHeader]] = OrderedDict()
        self._begun: OrderedDict[UUID, _Begun] = OrderedDict()

    # --- out -----------------------------------------------------------------------------------------------

    def seal(
        self,
        index: CatalogIndex,
        endpoint: ConversationEndpoint,
        frame: ClearFrame,
        *,
        with_header: bool,
        is_known: bool = False,
    ) -> tuple[DialogFrame, str]:
        """A frame as it goes out. To who knows the dialog (`is_known`) it goes without the header, too, when the
        certificates for that are there no more; the text says what they lack then, for who has lost the dialog does
        not answer. Raises Unreadable with the reason for which it cannot."""
        lacking = ""
        if not endpoint.session_key:
            return frame, lacking
        key = self._session_key(index, endpoint)
        header = None
        if with_header and endpoint.is_initiator:
            try:
                header = self._header_of(index, endpoint, frame.envelope, key)
            except Unreadable as error:
                if not is_known:
                    raise
                lacking = error.text
        assert endpoint.outbound_key_id is not None
        return self._sealed(key, endpoint.outbound_key_id, frame, header), lacking

    def answer(self, opened: Opened, frame: ClearFrame) -> DialogFrame:
        """A frame for the sender of `opened`, of whose dialog there is no endpoint here."""
        return self._sealed(opened.key, opened.security.answer_key_id, frame, None) if opened.key else frame

    def _sealed(self, key: bytes, key_id: UUID, frame: ClearFrame, header: SecurityHeader | None) -> Sealed:
        nonce = self._host.random_bytes(12)
        cipher = crypto.cipher_of(_direction(key, frame.envelope.from_initiator))
        box = cipher.encrypt(nonce, frames.encode(frame), None)
        return Sealed(frame.envelope, key_id, *_place(frame), header, nonce, box)

    def _session_key(self, index: CatalogIndex, endpoint: ConversationEndpoint) -> bytes:
        """Opened once, until the catalog changes: the master key of the database may be closed then."""
        kept = endpoint.database_id, endpoint.session_key
        known = self._keys.get(kept)
        if known is not None and known[0] is index:
            return known[1]
        key = opened(index.snapshot, endpoint.database_id, endpoint.session_key)
        if key is None:
            problem = master_key_problem(index.snapshot, endpoint.database_id)
            raise Unreadable("", *(NO_KEY if problem == (NO_MASTER_KEY,) else problem or (LOST_KEY,)))
        _remember(self._keys, kept, (index, key))
        return key

    def _header_of(
        self, index: CatalogIndex, endpoint: ConversationEndpoint, envelope: Envelope, key: bytes
    ) -> SecurityHeader:
        """Made once for what a dialog sends in one second: the dates of certificates are looked at."""
        now = self._host.now()
        own_key = endpoint.outbound_key_id
        assert own_key is not None
        known = self._made.get(own_key)
        if known is not None and known[0] is index and known[1] == envelope and known[2] <= now < known[2] + 1.0:
            return known[3]
        header = self._header(index, endpoint, envelope, key)
        _remember(self._made, own_key, (index, envelope, now, header))
        return header

    def _header(
        self, index: CatalogIndex, endpoint: ConversationEndpoint, envelope: Envelope, key: bytes
    ) -> SecurityHeader:
        snapshot, now = index.snapshot, self._host.now()
        theirs = certificate_of(snapshot, endpoint.database_id, endpoint.far_principal_id, now, False)
        if not isinstance(theirs, Certificate):
            raise Unreadable("", *theirs)
        ours: Certificate | None = None
        if endpoint.security == "FULL":
            found = certificate_of(snapshot, endpoint.database_id, endpoint.principal_id, now, True)
            if not isinstance(found, Certificate):
                raise Unreadable("", *found)
            ours = found
        own = ours.certificate_der if ours is not None else b""
        pair = (own, theirs.certificate_der, envelope.from_service, envelope.to_service, envelope.from_broker)
        exchange = self._exchanges.get(pair)
        if exchange is None or not exchange.made <= now < exchange.made + EXCHANGE_LIFE:
            private = private_key_of(snapshot, ours) if ours is not None else None
            if ours is not None and private is None:
                raise Unreadable("", LOST_KEY)
            exchange = _new_exchange(self._host, theirs, own, private, envelope)
            _remember(self._exchanges, pair, exchange)
        assert endpoint.outbound_key_id is not None
        wrapped = crypto.wrap(exchange.key, key, _nonce_of(endpoint.outbound_key_id))
        return msgspec.structs.replace(exchange.header, session_key=wrapped)

    # --- in ------------------------------------------------------------------------------------------------

    def open(self, index: CatalogIndex, endpoint: ConversationEndpoint | None, frame: DialogFrame) -> Opened:
        """What a frame says; `endpoint`: the one that it is for, None when there is none. Whether the security is that
        of the endpoint is left to the broker, which knows it at the moment at which it counts. Raises Unreadable."""
        if not isinstance(frame, Sealed):
            return Opened(frame, NO_SECURITY, b"")
        catalog = None
        own_key = self._own_key(index, endpoint, frame) if endpoint is not None else None
        if endpoint is not None and own_key is not None:
            key = own_key
            assert endpoint.outbound_key_id is not None
            security = Security(
                endpoint.security,
                endpoint.database_id,
                -1,
                endpoint.session_key,
                frame.key_id,
                endpoint.outbound_key_id,
            )
        elif frame.header is not None and frame.envelope.from_initiator:
            key, security = self._begun_by(index, frame, frame.header)
            catalog = index
        elif endpoint is None and not frame.envelope.from_initiator:
            key, security = _begun_here(index, frame)
        else:
            raise Unreadable("No Security Header", NO_CONTEXT)
        cipher = crypto.cipher_of(_direction(key, frame.envelope.from_initiator))
        clear = crypto.opened_by(cipher, frame.nonce, frame.box)
        if clear is None:
            raise Unreadable("Invalid Signature", UNREADABLE)
        try:
            inner = frames.decode(clear)
        except Malformed:
            raise Unreadable("Invalid Signature", UNREADABLE) from None
        if not isinstance(inner, ClearFrame) or not _is_same_way(inner.envelope, frame.envelope):
            raise Unreadable("Invalid Signature", UNREADABLE)
        if _place(inner) != (frame.sequence, frame.number):
            raise Unreadable("Invalid Signature", UNREADABLE)
        return Opened(inner, security, key, catalog)

    def kept_anew(self, index: CatalogIndex, opened: Opened) -> Opened | None:
        """What was opened before the catalog changed: its session key is under the master key that there is now. None:
        there is none that can be used, and the sender repeats it."""
        if opened.catalog is None or opened.catalog is index:
            return opened
        database_id = opened.security.database_id
        if master_key_problem(index.snapshot, database_id) is not None:
            return None
        kept = keep(index.snapshot, database_id, opened.key, self._host)
        return opened._replace(security=msgspec.structs.replace(opened.security, session_key=kept), catalog=index)

    def _own_key(self, index: CatalogIndex, endpoint: ConversationEndpoint, frame: Sealed) -> bytes | None:
        """The session key that an endpoint has for a frame. None: the frame is under another one, or its own was lost
        and what was sent again brings it anew, so that its sender can be told."""
        if endpoint.inbound_key_id != frame.key_id:
            return None
        try:
            return self._session_key(index, endpoint)
        except Unreadable as error:
            if error.number == LOST_KEY and frame.header is not None and frame.envelope.from_initiator:
                return None
            raise

    def _begun_by(self, index: CatalogIndex, frame: Sealed, header: SecurityHeader) -> tuple[bytes, Security]:
        """`_by_header`, once for the frames of a dialog that come before it is known here."""
        known, now = self._begun.get(frame.key_id), self._host.now()
        if known is not None and known.catalog is index and known.made <= now < known.made + 1.0:
            if known.header == header and known.envelope == frame.envelope:
                return known.key, known.security
        key, security = self._by_header(index, frame, header)
        _remember(self._begun, frame.key_id, _Begun(index, now, header, frame.envelope, key, security))
        return key, security

    def _by_header(self, index: CatalogIndex, frame: Sealed, header: SecurityHeader) -> tuple[bytes, Security]:
        """The session key of a dialog that is new here, and who has begun it."""
        database_id, exchange, principal = self._exchange_in(index, frame.envelope, header)
        key = crypto.unwrap(exchange, header.session_key)
        if key is None or header.session_key[:12] != _nonce_of(frame.key_id):
            raise Unreadable("Invalid Signature", UNREADABLE)
        kept = keep(index.snapshot, database_id, key, self._host)
        level = "FULL" if header.signature else "ANONYMOUS"
        return key, Security(level, database_id, principal, kept, frame.key_id, answer_key_id(frame.key_id))

    def _exchange_in(self, index: CatalogIndex, envelope: Envelope, header: SecurityHeader) -> tuple[int, bytes, int]:
        """The database that a header is for, its exchange key, and who has signed it. The dialogs of a pair of services
        share one: its certificates are looked at once, until the catalog changes or the signer's certificate ends."""
        way = msgspec.structs.replace(envelope, conversation_id=NO_GUID, message_id=NO_GUID, hops=0)
        pair = msgspec.structs.replace(header, session_key=b""), way
        known = self._headers.get(pair)
        if known is not None and known[0] is index and self._host.now() < known[1]:
            return known[2]
        database_id, target = _addressed(index, envelope, header)
        private = private_key_of(index.snapshot, target)
        exchange = crypto.decrypt_key(private, header.exchange_key) if private is not None else None
        if exchange is None:
            raise Unreadable("No Certificate", NO_CONTEXT)
        principal, expiry = self._signer(index, database_id, envelope, header)
        service = index.services.get((database_id, envelope.to_service))
        if service is not None and not user_may(index.snapshot, target.principal_id, "CONTROL", service):
            raise Unreadable("Run As Target Failure", NO_CONTROL, target.principal_id, database_id, service.name)
        found = database_id, exchange, principal
        _remember(self._headers, pair, (index, expiry, found))
        return found

    def _signer(
        self, index: CatalogIndex, database_id: int, envelope: Envelope, header: SecurityHeader
    ) -> tuple[int, float]:
        """Which user has signed a header, and how long that holds; -1 for nobody."""
        now = self._host.now()
        if not header.signature and not header.by_issuer:
            return -1, now + EXCHANGE_LIFE
        signer = known_as(index.snapshot, database_id, header.by_issuer, header.by_serial)
        if signer is None or not signer.start_date <= now < signer.expiry_date:
            raise Unreadable("No Certificate", NO_CONTEXT)
        public = crypto.public_key_of_certificate(signer.certificate_der)
        if not crypto.verify(public, _signed(header, envelope), header.signature):
            raise Unreadable("Invalid Signature", UNREADABLE)
        refused = no_way_in(index.snapshot, database_id, signer.principal_id)
        if refused is not None:
            raise Unreadable("", *refused)
        return signer.principal_id, signer.expiry_date


def _begun_here(index: CatalogIndex, frame: Sealed) -> tuple[bytes, Security]:
    """The session key of a dialog whose initiator was here and is gone: the target is told so, as it is
    of a dialog that is not secured."""
    own_id = answer_key_id(frame.key_id)
    key = session_key_of(index.snapshot, frame.envelope.conversation_id, own_id)
    if key is None or crypto.opened_by(crypto.cipher_of(_direction(key, False)), frame.nonce, frame.box) is None:
        raise Unreadable("No Security Header", NO_CONTEXT)
    return key, Security(key_id=frame.key_id, answer_key_id=own_id)


def _remember(known: OrderedDict[_Key, _Value], key: _Key, value: _Value) -> None:
    known[key] = value
    while len(known) > _KEPT:
        known.popitem(last=False)


def _new_exchange(host: Host, theirs: Certificate, own: bytes, private: bytes | None, envelope: Envelope) -> _Exchange:
    key = host.random_bytes(32)
    encrypted = crypto.encrypt_key(crypto.public_key_of_certificate(theirs.certificate_der), key)
    if encrypted is None:
        raise Unreadable("", LOST_KEY)
    by = issuer_and_serial(own) if own else ("", "")
    header = SecurityHeader(*issuer_and_serial(theirs.certificate_der), *by, encrypted, b"", b"")
    if private is not None:
        header = msgspec.structs.replace(header, signature=crypto.sign(private, _signed(header, envelope)))
    return _Exchange(host.now(), key, header)


def _signed(header: SecurityHeader, envelope: Envelope) -> bytes:
    """What the signature of a header covers: the exchange key, for and by whom it is, and between which services."""
    return sha256(
        b"sbql dialog security"
        + msgspec.msgpack.encode(
            [
                header.for_issuer, header.for_serial, header.by_issuer, header.by_serial, header.exchange_key, envelope.from_service,
                envelope.to_service, envelope.from_broker.bytes,
            ]
        )
    ).digest()  # fmt: skip


def _addressed(index: CatalogIndex, envelope: Envelope, header: SecurityHeader) -> tuple[int, Certificate]:
    """The database that a new dialog is for, and its certificate for which the header is encrypted."""
    if envelope.to_broker is not None:
        database = index.by_guid.get(envelope.to_broker.int)
        databases = [database.id] if database is not None else []
    else:
        databases = [service.database_id for service in index.services_by_name.get(envelope.to_service, ())]
    for database_id in databases:
        found = known_as(index.snapshot, database_id, header.for_issuer, header.for_serial)
        if found is not None:
            return database_id, found
    raise Unreadable("No Certificate", NO_CONTEXT)


def _place(frame: ClearFrame) -> tuple[int, int]:
    """Which fragment it is, as it stands outside."""
    return (frame.sequence, frame.number) if isinstance(frame, Fragment) else (-1, -1)


def _is_same_way(one: Envelope, other: Envelope) -> bool:
    """Whether two envelopes differ at most in the hops, which instances on the way count down."""
    return one == other or msgspec.structs.replace(one, hops=0) == msgspec.structs.replace(other, hops=0)


def _nonce_of(key_id: UUID) -> bytes:
    """An exchange key wraps each session key once, so its identifier serves; and so it cannot be changed."""
    return blake2b(key_id.bytes, digest_size=12).digest()


@lru_cache(4096)
def _direction(key: bytes, from_initiator: bool) -> bytes:
    """The key of one side."""
    return blake2b(key, digest_size=32, person=b"initiator" if from_initiator else b"target").digest()
