"""What somebody does to frames who sits where they are made: the digests of frames do not show it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from sbql.engine.network.frames import Fragment, Frame, decode, encode
from sbql.engine.network.framing import FrameReader, framed

__all__ = ["Withheld", "damaged_bodies", "each", "without_the_last_fragment"]


def damaged_bodies(_one: str, _other: str, data: bytes) -> bytes:
    """For `Mischief.rewrite`: bodies of messages are zeros."""

    def damage(frame: Frame) -> Frame:
        return msgspec.structs.replace(frame, body=bytes(len(frame.body))) if isinstance(frame, Fragment) else frame

    return each(data, damage)


def without_the_last_fragment(_one: str, _other: str, data: bytes) -> bytes:
    """For `Mischief.rewrite`: the last fragment of each message that has several gets lost."""
    return each(
        data, lambda frame: None if isinstance(frame, Fragment) and 0 < frame.number == frame.count - 1 else frame
    )


class Withheld:
    """Fragments with this body are kept back on their way. When they are let go, they come
    behind whatever goes that way next."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._kept: list[tuple[str, Frame]] = []
        self._is_over = False

    def let_go(self) -> None:
        self._is_over = True

    @property
    def count(self) -> int:
        return len(self._kept)

    def rewrite(self, one: str, _other: str, data: bytes) -> bytes:
        """For `Mischief.rewrite`."""
        out = each(data, lambda frame: self._look_at(one, frame))
        if self._is_over and out:
            out += b"".join(framed(encode(frame)) for origin, frame in self._kept if origin == one)
            self._kept = [kept for kept in self._kept if kept[0] != one]
        return out

    def _look_at(self, one: str, frame: Frame) -> Frame | None:
        if self._is_over or not isinstance(frame, Fragment) or frame.body != self._body:
            return frame
        self._kept.append((one, frame))
        return None


def each(data: bytes, change: Callable[[Frame], Frame | None]) -> bytes:
    reader, out = FrameReader(), b""
    reader.largest = 1 << 20
    reader.add(data)
    while (payload := reader.take()) is not None:
        frame = change(decode(payload))
        out += framed(encode(frame)) if frame is not None else b""
    return out
