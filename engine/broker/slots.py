"""Slots: a place of a fixed size for each of many small records, in memory and, beyond a bound, in an unnamed
file that is gone with the process.

Decides where a place is and which are free. Must not know what is written there. Nothing here is durable.

Memory is taken a segment at a time. A segment of the file is allocated before it is mapped: a full disk is an OSError
of `take`, and never a signal when a page is written.
"""

from __future__ import annotations

import os
import tempfile
from array import array
from mmap import mmap
from typing import IO, Any, Final

__all__ = ["Slots"]

_PER_SEGMENT: Final = 1 << 16


class Slots:
    """Numbered places of `size` bytes, a multiple of 16, the first of which is 1; `in_memory` is how many bytes of
    them are not in a file, at most."""

    def __init__(self, size: int, in_memory: int) -> None:
        self._size, self._in_memory = size, in_memory
        self._segments: list[mmap] = []
        self._file: IO[bytes] | None = None
        self._free = array("I")
        self._next = 1

    def take(self) -> int:
        """A free place. Raises OSError when there is no room for more."""
        if self._free:
            return self._free.pop()
        place = self._next
        if place >> 16 == len(self._segments):
            self._segments.append(self._segment())
        self._next += 1
        return place

    def give(self, place: int) -> None:
        """A place is free again."""
        self._free.append(place)

    def at(self, place: int) -> tuple[mmap, int]:
        """What it is a part of, and where it begins there."""
        return self._segments[place >> 16], (place & 0xFFFF) * self._size

    @property
    def taken(self) -> range:
        """All places that have ever been taken."""
        return range(1, self._next)

    def _segment(self) -> mmap:
        size = self._size * _PER_SEGMENT
        if (len(self._segments) + 1) * size <= self._in_memory:
            return mmap(-1, size)
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="sbql-at-rest-")  # noqa: SIM115 (it is closed with its last segment)
        begin = self._file.seek(0, os.SEEK_END)
        try:
            _allocate(self._file, begin, size)
        except OSError:
            self._file.truncate(begin)
            raise
        return mmap(self._file.fileno(), size, offset=begin)


def _allocate(file: IO[bytes], begin: int, size: int) -> None:
    """Disk for so many bytes more. Raises OSError, with a part of them there."""
    allocate: Any = getattr(os, "posix_fallocate", None)
    if allocate is not None:
        allocate(file.fileno(), begin, size)
        return
    part = bytes(1 << 20)
    for first in range(0, size, len(part)):
        file.write(part[: size - first])
    file.flush()
