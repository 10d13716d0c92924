"""The broker's log as bytes: a page that says whose it is, then frames, each a batch of journal records.

Frames are numbered without a gap, and each begins where the one before ended, or at the beginning of the ring. A
frame says how long it is and has a checksum over that, its number, and the epoch of the log, so that neither what
is left of an earlier lap nor another store's log is taken for one. Decides what a whole frame is, and whether bytes
that are none are the torn end of the log or damage: what is behind a frame was written after that one was synced.
It must not know what a record says.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from sbql.catalog.journal import Batch

__all__ = [
    "FRAME_HEAD",
    "RING",
    "Frame",
    "epoch_of",
    "frame",
    "frames",
    "head",
    "later_frames",
    "looks_torn",
    "owner_of",
    "payload",
]

RING: Final = 4096
"""The place of the first frame."""
EPOCH_SIZE: Final = 16
FRAME_HEAD: Final = 24
_MARK: Final = 8
"""Bytes of the epoch that each frame begins with, so that it is found wherever it is."""
_ALIGNMENT: Final = 8

_MAGIC: Final = b"sbqllog1"
_HEAD: Final = struct.Struct(f"<8s{EPOCH_SIZE}sI")
_OWNER: Final = struct.Struct("<36sI")
"""Behind it, since logs say whose they are: the id of the store."""
_FRAME: Final = struct.Struct(f"<{_MARK}sIIQ")
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(list[tuple[int, bytes]]).decode


class Frame(NamedTuple):
    """`end`: the place behind it."""

    number: int
    place: int
    end: int
    batch: Batch


def head(epoch: bytes, owner: str = "") -> bytes:
    """The first page of a log; `owner`: the id of its store."""
    said = _MAGIC + epoch
    page = _HEAD.pack(_MAGIC, epoch, zlib.crc32(said))
    if owner:
        page += _OWNER.pack(owner.encode(), zlib.crc32(epoch + owner.encode()))
    return page.ljust(RING, b"\0")


def epoch_of(data: bytes) -> bytes | None:
    """Whose log this is; None when its first page does not say."""
    if len(data) < _HEAD.size:
        return None
    magic, epoch, checksum = _HEAD.unpack_from(data)
    return bytes(epoch) if magic == _MAGIC and checksum == zlib.crc32(_MAGIC + epoch) else None


def owner_of(data: bytes) -> str | None:
    """The id of the store that this log was begun for; None when its first page does not say."""
    epoch = epoch_of(data)
    if epoch is None or len(data) < _HEAD.size + _OWNER.size:
        return None
    owner, checksum = _OWNER.unpack_from(data, _HEAD.size)
    return owner.decode() if checksum == zlib.crc32(epoch + owner) else None


def frame(epoch: bytes, number: int, batch: Batch) -> bytes:
    """A batch, ready to be written. Its length is a multiple of eight bytes."""
    body = _encode(batch)
    whole = _FRAME.pack(epoch[:_MARK], _checksum(epoch, number, len(body), body), len(body), number) + body
    return whole + bytes(-len(whole) % _ALIGNMENT)


def payload(epoch: bytes, number: int, data: bytes) -> Batch | None:
    """What the frame `number` at the beginning of `data` holds; None when none is there whole."""
    if len(data) < FRAME_HEAD:
        return None
    mark, checksum, size, found = _FRAME.unpack_from(data)
    body = data[FRAME_HEAD : FRAME_HEAD + size]
    if (
        mark != epoch[:_MARK]
        or found != number
        or len(body) != size
        or checksum != _checksum(epoch, number, size, body)
    ):
        return None
    return _decode(body)


def frames(epoch: bytes, data: bytes, number: int, place: int) -> Iterator[Frame]:
    """The whole frames of a log from `number` on, which begins at `place` or at the beginning of the ring."""
    while (found := _at(epoch, data, number, place) or _at(epoch, data, number, RING)) is not None:
        yield found
        number, place = number + 1, found.end


def looks_torn(data: bytes, number: int, place: int) -> bool:
    """Something was written where the frame `number` would be."""
    return any(_FRAME.unpack_from(data, at)[3] == number for at in {place, RING} if at + FRAME_HEAD <= len(data))


def later_frames(epoch: bytes, data: bytes, number: int) -> list[Frame]:
    """Whole frames behind `number`, wherever they are, in their order."""
    found, place = [], RING - 1
    while (place := data.find(epoch[:_MARK], place + 1)) >= 0:
        if place + FRAME_HEAD <= len(data) and (later := _FRAME.unpack_from(data, place)[3]) > number:
            found.append(_at(epoch, data, later, place))
    return sorted(one for one in found if one is not None)


def _at(epoch: bytes, data: bytes, number: int, place: int) -> Frame | None:
    if place + FRAME_HEAD > len(data):
        return None
    size = _FRAME.unpack_from(data, place)[2]
    batch = payload(epoch, number, data[place : place + FRAME_HEAD + size])
    return None if batch is None else Frame(number, place, _end(place, size), batch)


def _end(place: int, size: int) -> int:
    end = place + FRAME_HEAD + size
    return end + -end % _ALIGNMENT


def _checksum(epoch: bytes, number: int, size: int, body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(struct.pack("<QI", number, size), zlib.crc32(epoch)))
