"""What somebody does to frames who sits where they are made: the digests of frames do not show it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from sbql.engine.network.frames import Fragment, Frame, decode, encode
from sbql.engine.network.framing import FrameReader, framed

__all__ = ["damaged_bodies", "without_the_last_fragment"]


def damaged_bodies(_one: str, _other: str, data: bytes) -> bytes:
    """For `Mischief.rewrite`: bodies of messages are zeros."""

    def damage(frame: Frame) -> Frame:
        return msgspec.structs.replace(frame, body=bytes(len(frame.body))) if isinstance(frame, Fragment) else frame

    return _each(data, damage)


def without_the_last_fragment(_one: str, _other: str, data: bytes) -> bytes:
    """For `Mischief.rewrite`: the last fragment of each message that has several gets lost."""
    return _each(
        data, lambda frame: None if isinstance(frame, Fragment) and 0 < frame.number == frame.count - 1 else frame
    )


def _each(data: bytes, change: Callable[[Frame], Frame | None]) -> bytes:
    reader, out = FrameReader(), b""
    reader.largest = 1 << 20
    reader.add(data)
    while (payload := reader.take()) is not None:
        frame = change(decode(payload))
        out += framed(encode(frame)) if frame is not None else b""
    return out
