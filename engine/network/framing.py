"""Framing: frames in a stream of bytes, and back.

Each is preceded by its length (4 bytes, most significant first) and a digest of its bytes (BLAKE2b, 16 bytes), so that
accidental damage is found. Decides how much may be waiting before it is a frame. Must not know what frames say.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from sbql.engine.network.frames import Malformed

__all__ = ["LARGEST", "LARGEST_BEFORE_LOGIN", "FrameReader", "framed"]

LARGEST: Final = 96 * 1024
"""Bytes of a frame: a fragment with all of its names and its receipt."""
LARGEST_BEFORE_LOGIN: Final = 8 * 1024
"""Bytes of a frame from somebody of whom nobody knows yet who it is."""
_HEAD: Final = 20


def framed(payload: bytes) -> bytes:
    """A frame as it stands in the stream."""
    assert len(payload) <= LARGEST
    return b"".join((len(payload).to_bytes(4, "big"), blake2b(payload, digest_size=16).digest(), payload))


class FrameReader:
    """Takes bytes as they come, gives payloads. `largest` may be changed at any time."""

    def __init__(self) -> None:
        self.largest = LARGEST_BEFORE_LOGIN
        self._waiting = bytearray()

    def add(self, data: bytes) -> None:
        self._waiting += data

    def rest(self) -> bytes:
        """What has come behind the last frame, taken out: it is of another protocol."""
        rest = bytes(self._waiting)
        self._waiting.clear()
        return rest

    def take(self) -> bytes | None:
        """The next complete frame, None when there is none yet. Raises Malformed for a length
        beyond `largest` and for damage."""
        waiting = self._waiting
        if len(waiting) < _HEAD:
            return None
        length = int.from_bytes(waiting[:4], "big")
        if length > self.largest:
            raise Malformed(f"a frame of {length} bytes, where at most {self.largest} are allowed")
        end = _HEAD + length
        if len(waiting) < end:
            return None
        payload = bytes(waiting[_HEAD:end])
        digest = bytes(waiting[4:_HEAD])
        del waiting[:end]
        if blake2b(payload, digest_size=16).digest() != digest:
            raise Malformed("a damaged frame: its digest is not that of its bytes")
        return payload
