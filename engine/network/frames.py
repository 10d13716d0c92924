"""Frames: what two instances say to each other, as values and as bytes (docs/protocol.md).

Decides fields, their order, types and limits. A frame is a MessagePack array whose first item names its kind; fields
that a later version appends are skipped, so that older readers understand newer writers. Must not know when a frame is
sent nor what it means to a dialog.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated, Final
from uuid import UUID

import msgspec

__all__ = [
    "END", "ERROR", "FRAGMENT_SIZE", "LARGEST_CERTIFICATE", "MESSAGE", "PROTOCOL_VERSION", "Accepted", "Acknowledgement", "BrokerError", "ClearFrame",
    "DialogFrame", "Envelope", "Fragment", "Frame", "Goodbye", "Held", "Hello", "Malformed", "Ping", "Pong", "Proof", "Receipt", "Sealed",
    "SecurityHeader", "decode", "encode", "fragment_count", "integrity",
]  # fmt: skip

PROTOCOL_VERSION: Final = 1
FRAGMENT_SIZE: Final = 40 * 1024
"""Bytes of a body in each fragment but the last, which may have fewer."""
MESSAGE: Final = 0
END: Final = 1
ERROR: Final = 2
"""Kinds of sequenced messages: of an application, END CONVERSATION, END CONVERSATION WITH ERROR."""

LARGEST_CERTIFICATE: Final = 4096
"""Bytes of a certificate that goes with a proof; the proof of a larger one goes without it."""
_LARGEST: Final = 2**31 - 1
Name = Annotated[str, msgspec.Meta(max_length=256)]
Text = Annotated[str, msgspec.Meta(max_length=4000)]
Sequence = Annotated[int, msgspec.Meta(ge=0, le=2**62)]
Number = Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)]
Digest = Annotated[bytes, msgspec.Meta(min_length=16, max_length=16)]
Distinguished = Annotated[str, msgspec.Meta(max_length=2000)]
Serial = Annotated[str, msgspec.Meta(max_length=128)]
Account = Annotated[str, msgspec.Meta(max_length=128)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e10)]


class Malformed(Exception):
    """Bytes that are no frame of this protocol. The text says what is wrong with them."""


# --- between neighbours ------------------------------------------------------------------------------------


class Hello(msgspec.Struct, array_like=True, tag="hello", frozen=True):
    """The first frame of each side. `instance_id` is new at each start of an instance; `methods` in the
    order in which the side prefers them."""

    versions: Annotated[tuple[Number, ...], msgspec.Meta(min_length=1, max_length=16)]
    instance_id: UUID
    nonce: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
    methods: Annotated[tuple[Name, ...], msgspec.Meta(max_length=8)]
    encryption: Annotated[str, msgspec.Meta(pattern="^(DISABLED|SUPPORTED|REQUIRED)$", max_length=9)]
    options: Annotated[tuple[Name, ...], msgspec.Meta(max_length=32)] = ()


class Proof(msgspec.Struct, array_like=True, tag="proof", frozen=True):
    """Who the sender is. `issuer` and `serial_number` name its certificate, `certificate` is it (DER); `account` is
    what it runs as. Empty for methods without one."""

    method: Name
    proof: Annotated[bytes, msgspec.Meta(max_length=2048)]
    issuer: Distinguished = ""
    serial_number: Serial = ""
    certificate: Annotated[bytes, msgspec.Meta(max_length=LARGEST_CERTIFICATE)] = b""
    account: Account = ""


class Accepted(msgspec.Struct, array_like=True, tag="accepted", frozen=True):
    """The sender believes the proof and lets the other side in."""


class Goodbye(msgspec.Struct, array_like=True, tag="goodbye", frozen=True):
    """The last frame: the number of the message that says why, and its text."""

    number: Number
    text: Text = ""


class Ping(msgspec.Struct, array_like=True, tag="ping", frozen=True):
    """Is the other side still there?"""


class Pong(msgspec.Struct, array_like=True, tag="pong", frozen=True):
    """The answer to `Ping`."""


# --- between the ends of a dialog --------------------------------------------------------------------------


class Envelope(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Which dialog, and from where to where. `to_broker` is None as long as the sender has not learnt it."""

    conversation_id: UUID
    from_initiator: bool
    to_service: Name
    to_broker: UUID | None
    from_service: Name
    from_broker: UUID
    hops: Annotated[int, msgspec.Meta(ge=0, le=255)] = 10
    message_id: UUID = UUID(int=0)


Span = tuple[Sequence, Sequence]
Held = tuple[Sequence, Number, Number]


class Receipt(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """What one side has of the other's messages. On its disk are all below `next_sequence`, and those in `later`
    (first, last). In memory, which it may lose, are the fragments `held` (sequence, first, last) of messages that are
    not complete."""

    next_sequence: Sequence
    later: Annotated[tuple[Span, ...], msgspec.Meta(max_length=64)] = ()
    held: Annotated[tuple[Held, ...], msgspec.Meta(max_length=64)] = ()


class Fragment(msgspec.Struct, array_like=True, tag="fragment", frozen=True, gc=False):
    """A part of a sequenced message: `number` of `count`, together `size` bytes. `lifetime`: seconds that the dialog
    has left, None: no end. `has_seen_first`: the initiator has the acknowledgement of its first message. `monolog`, of
    what goes to a subscriber before that: the subscription, the monolog, and the number of the first message. `check`
    is `integrity` of the whole message."""

    envelope: Envelope
    sequence: Sequence
    number: Number
    count: Annotated[int, msgspec.Meta(ge=1, le=_LARGEST)]
    size: Number
    kind: Annotated[int, msgspec.Meta(ge=0, le=2)]
    message_type: Name
    contract: Name
    message_id: UUID
    lifetime: Seconds | None
    has_seen_first: bool
    priority: Annotated[int, msgspec.Meta(ge=1, le=10)]
    check: Digest
    receipt: Receipt | None
    body: Annotated[bytes, msgspec.Meta(max_length=FRAGMENT_SIZE)]
    monolog: tuple[UUID, UUID, Sequence] | None = None


class Acknowledgement(msgspec.Struct, array_like=True, tag="ack", frozen=True, gc=False):
    """A receipt that travels alone."""

    envelope: Envelope
    receipt: Receipt


class BrokerError(msgspec.Struct, array_like=True, tag="error", frozen=True, gc=False):
    """The sender's broker ends the dialog: not in sequence, not acknowledged, not repeated by itself.
    `number` is that of the message."""

    envelope: Envelope
    number: Number
    text: Text


class SecurityHeader(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """How the target comes by the key of a dialog. `exchange_key` is encrypted for the certificate `for_issuer`,
    `for_serial`, and wraps `session_key`; `signature` is by the certificate `by_issuer`, `by_serial`. Those three are
    empty for an anonymous initiator."""

    for_issuer: Distinguished
    for_serial: Serial
    by_issuer: Distinguished
    by_serial: Serial
    exchange_key: Annotated[bytes, msgspec.Meta(max_length=1024)]
    session_key: Annotated[bytes, msgspec.Meta(max_length=128)]
    signature: Annotated[bytes, msgspec.Meta(max_length=1024)]


class Sealed(msgspec.Struct, array_like=True, tag="sealed", frozen=True, gc=False):
    """One of the other three of a secure dialog, encrypted: `box` is its bytes under the session key of `key_id`, with
    `nonce`. `sequence` and `number` are those of a fragment (-1: it is none), for those on the way."""

    envelope: Envelope
    key_id: UUID
    sequence: Annotated[int, msgspec.Meta(ge=-1, le=2**62)]
    number: Annotated[int, msgspec.Meta(ge=-1, le=_LARGEST)]
    header: SecurityHeader | None
    nonce: Annotated[bytes, msgspec.Meta(min_length=12, max_length=12)]
    box: Annotated[bytes, msgspec.Meta(max_length=FRAGMENT_SIZE + 16 * 1024)]


ClearFrame = Fragment | Acknowledgement | BrokerError
DialogFrame = ClearFrame | Sealed
Frame = Hello | Proof | Accepted | Goodbye | Ping | Pong | DialogFrame

_encoder: Final = msgspec.msgpack.Encoder(uuid_format="bytes")
_decoder: Final = msgspec.msgpack.Decoder(Frame)


def encode(frame: Frame) -> bytes:
    """A frame as bytes, without what `framing` puts around it."""
    return _encoder.encode(frame)


def decode(data: bytes) -> Frame:
    """A frame of bytes. Raises Malformed for anything else."""
    try:
        frame: Frame = _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError) as error:
        raise Malformed(str(error)) from None
    if isinstance(frame, Fragment):
        _check_fragment(frame)
    return frame


def _check_fragment(frame: Fragment) -> None:
    if frame.count != fragment_count(frame.size) or frame.number >= frame.count:
        raise Malformed(f"fragment {frame.number} of {frame.count} for {frame.size} bytes")
    is_last = frame.number == frame.count - 1
    expected = frame.size - frame.number * FRAGMENT_SIZE if is_last else FRAGMENT_SIZE
    if len(frame.body) != expected:
        raise Malformed(f"{len(frame.body)} bytes in fragment {frame.number} of {frame.count} for {frame.size} bytes")


def fragment_count(size: int) -> int:
    """How many fragments a body of `size` bytes makes; an empty one makes one."""
    return max(1, -(-size // FRAGMENT_SIZE))


def integrity(
    envelope: Envelope, sequence: int, kind: int, message_type: str, contract: str, message_id: UUID, body: bytes
) -> bytes:
    """The message integrity check: over all that stays the same however often a message
    is sent and whatever way it takes."""
    names = _encoder.encode(
        [envelope.from_initiator, envelope.to_service, envelope.from_service, kind, sequence, message_type, contract]
    )
    digest = blake2b(envelope.conversation_id.bytes, digest_size=16)
    for part in (envelope.from_broker.bytes, message_id.bytes, len(names).to_bytes(4, "big"), names, body):
        digest.update(part)
    return digest.digest()
