"""A file of which every write is on the disk when it returns.

Decides by which means of the system. Where there is O_DSYNC, a write syncs by itself: one call instead of two. macOS
keeps what it calls synced in the disk's cache, and has a call of its own. It must not know what is written.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from typing import Any, Final, Self

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

__all__ = ["SyncedFile", "sync_folder"]

_FULL_SYNC: Final[int | None] = getattr(fcntl, "F_FULLFSYNC", None)
_SYNCING: Final[int] = getattr(os, "O_DSYNC", 0) if sys.platform != "darwin" else 0
_PART: Final = 1 << 20


class SyncedFile:
    """Open for reading and writing. One writer at a time; whoever reads does so at any
    time. Every method raises OSError."""

    def __init__(self, path: str, *, is_new: bool = False) -> None:
        self._position = None if hasattr(os, "pwrite") else threading.Lock()
        """Windows knows one position of a file for all that read and write."""
        flags = os.O_RDWR | _SYNCING | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        self._handle = os.open(path, flags | (os.O_CREAT | os.O_EXCL if is_new else 0), 0o666)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, place: int, data: bytes) -> None:
        """On disk on return. After an error anything may be there, all of it too."""
        written = self._put(place, data)
        while written < len(data):
            written += self._put(place + written, data[written:])
        if not _SYNCING:
            self._sync()

    def fill(self, place: int, end: int) -> None:
        """Zeros, up to `end`: what is written there later needs no room, and no change of
        what the system knows of the file."""
        while place < end:
            self.write(place, bytes(min(_PART, end - place)))
            place = min(place + _PART, end)

    def read(self, place: int, size: int) -> bytes:
        """As much as there is."""
        parts = []
        while size > 0 and (part := self._get(place, size)):
            parts.append(part)
            place, size = place + len(part), size - len(part)
        return b"".join(parts)

    def cut(self, end: int) -> None:
        """The room behind `end` is free again, if the system can do that."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._handle, end)

    def close(self) -> None:
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)

    def _put(self, place: int, data: bytes) -> int:
        if self._position is None:
            return os.pwrite(self._handle, data, place)
        with self._position:
            os.lseek(self._handle, place, os.SEEK_SET)
            return os.write(self._handle, data)

    def _get(self, place: int, size: int) -> bytes:
        if self._position is None:
            return os.pread(self._handle, size, place)
        with self._position:
            os.lseek(self._handle, place, os.SEEK_SET)
            return os.read(self._handle, size)

    def _sync(self) -> None:
        if _FULL_SYNC is not None:
            fcntl.fcntl(self._handle, _FULL_SYNC)
        else:
            getattr(os, "fdatasync", os.fsync)(self._handle)


def sync_folder(folder: str) -> None:
    """The names in it reach the disk. Where a folder cannot be opened or synced (Windows), there is nothing to do."""
    with contextlib.suppress(OSError):
        handle = os.open(folder or ".", os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
