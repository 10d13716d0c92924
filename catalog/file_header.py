"""The two headers of a DuckDB file: a checkpoint writes the one that is older, and DuckDB refuses
the file when either cannot be read.

A power failure may tear that write. The checkpoint was not done then, and everything stands in the log still: the
file is whole with the other header twice. Decides that a torn header is replaced by the other only where there is a
log, which DuckDB takes only for the checkpoint that it belongs to; a header that was whole and is not any more is
damage. It must not know what a header says.
"""

from __future__ import annotations

import os
from typing import Final

from sbql.catalog.duckdb_errors import bad_block

__all__ = ["bad_header", "read_header", "write_header"]

_SIZE: Final = 4096
_PLACES: Final = (4096, 8192)


def bad_header(log: str, error: BaseException) -> int | None:
    """The place of the header that DuckDB could not read, None when the error is another one or there is no log."""
    place = bad_block(error)
    return place if place in _PLACES and os.path.exists(log) and os.path.getsize(log) else None


def read_header(path: str, place: int, *, other: bool = False) -> bytes:
    """The header at a place, or the `other` one. Raises OSError."""
    with open(path, "rb") as file:
        file.seek(sum(_PLACES) - place if other else place)
        return file.read(_SIZE)


def write_header(path: str, place: int, header: bytes) -> None:
    """On disk on return. Raises OSError."""
    with open(path, "r+b") as file:
        file.seek(place)
        file.write(header)
        file.flush()
        os.fsync(file.fileno())
