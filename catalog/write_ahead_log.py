"""DuckDB's write-ahead log as a file: where it is torn, and cutting the torn end off.

A power failure may leave the last write of the log in part: its first half and zeros, or garbage. That write was never
acknowledged, so it goes, if nothing whole comes after it; DuckDB itself only overlooks an end that is missing. It
decides between torn and damaged. It must not know what is in a record.

What is known of the format: entries one after the other, each its size and a checksum (8 bytes each) and so many bytes
that begin with field 100 and end with the mark of an object's end. DuckDB names the place of a bad one in its error.
"""

from __future__ import annotations

import os
import re
from typing import Final

from msgspec import Struct

__all__ = ["bad_place", "cut", "find_tear", "has_lost_its_head"]

_HEADER: Final = 16
_FIRST_FIELD: Final = b"\x64\x00"
_END: Final = b"\xff\xff"
_VERSION_ENTRY: Final = b"\x64\x00\x62"
"""Every log begins with its version."""
_SECTOR: Final = 512
_LARGEST: Final = 1 << 40

_BAD: Final = re.compile(r'WAL file "(.+?)".*entry at byte position (\d+)', re.DOTALL)


class Tear(Struct, frozen=True):
    """A log whose entries cannot be read from `place` on. `whole_after`: so many entries after it seem to be whole;
    `has_hole`: a sector after it was never written."""

    path: str
    place: int
    size: int
    whole_after: int
    has_hole: bool

    @property
    def is_torn(self) -> bool:
        """It ends there: nothing that was acknowledged can come after. One entry may be whole behind a hole, the end of
        the same transaction, for a disk writes sectors in any order."""
        return self.whole_after == 0 or (self.whole_after == 1 and self.has_hole)


def bad_place(error: BaseException) -> tuple[str, int] | None:
    """The log and the byte of the first entry that DuckDB could not read, None when the error is another one."""
    found = _BAD.search(str(error))
    return (found[1], max(int(found[2]) - _HEADER, 0)) if found is not None else None


def find_tear(path: str, place: int) -> Tear:
    """Look at what comes after a bad entry."""
    with open(path, "rb") as file:
        file.seek(place)
        rest = file.read()
    sectors = range(-place % _SECTOR, len(rest) - _SECTOR + 1, _SECTOR)
    has_hole = any(rest[start : start + _SECTOR] == bytes(_SECTOR) for start in sectors)
    return Tear(path, place, place + len(rest), _count_whole(rest, _HEADER + len(_FIRST_FIELD)), has_hole)


def has_lost_its_head(path: str) -> Tear | None:
    """DuckDB takes a log whose beginning it cannot read for an empty one, and throws it away. None for a log that is
    not there or begins as it should."""
    try:
        with open(path, "rb") as file:
            head = file.read(len(_VERSION_ENTRY))
    except FileNotFoundError:
        return None
    return None if _VERSION_ENTRY.startswith(head) or head == _VERSION_ENTRY else find_tear(path, 0)


def cut(tear: Tear) -> str:
    """Cut the log at the tear. Returns the file beside it that has what was cut off. Raises OSError."""
    kept = next(name for n in range(1, 1 << 20) if not os.path.exists(name := f"{tear.path}.torn-{n}"))
    with open(tear.path, "r+b") as file:
        file.seek(tear.place)
        with open(kept, "xb") as copy:
            copy.write(file.read())
            copy.flush()
            os.fsync(copy.fileno())
        file.truncate(tear.place)
        os.fsync(file.fileno())
    return kept


def _count_whole(rest: bytes, first: int) -> int:
    """Entries that seem whole, with their first byte after `first`: a size that fits, field 100, the end mark."""
    count, position = 0, rest.find(_FIRST_FIELD, first)
    while position >= 0:
        size = int.from_bytes(rest[position - _HEADER : position - 8], "little")
        end = position + size
        if 4 < size < _LARGEST and end <= len(rest) and rest[end - 2 : end] == _END:
            count, position = count + 1, rest.find(_FIRST_FIELD, end + _HEADER)
        else:
            position = rest.find(_FIRST_FIELD, position + 1)
    return count
