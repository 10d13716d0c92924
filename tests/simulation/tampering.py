"""What somebody does to frames who sits where they are made: the digests of frames do not show it."""

from __future__ import annotations

import msgspec

from sbql.engine.network.frames import Fragment, decode, encode
from sbql.engine.network.framing import FrameReader, framed

__all__ = ["damaged_bodies"]


def damaged_bodies(_one: str, _other: str, data: bytes) -> bytes:
    """For `Mischief.rewrite`: bodies of messages are zeros."""
    reader, out = FrameReader(), b""
    reader.largest = 1 << 20
    reader.add(data)
    while (payload := reader.take()) is not None:
        frame = decode(payload)
        if isinstance(frame, Fragment):
            frame = msgspec.structs.replace(frame, body=bytes(len(frame.body)))
        out += framed(encode(frame))
    return out
