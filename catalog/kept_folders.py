"""Folders of files that are worth nothing without their process, in places that no restart of a program empties.

Decides that a folder belongs to whoever holds the lock of the file in it. A process that is killed leaves its
folders, and its locks go: the next one that makes a folder of the same prefix removes those that nobody
holds. It must not know what is in them.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

if sys.platform != "win32":  # there, what a killed process leaves stays
    import fcntl

__all__ = ["kept_folder", "let_go"]

_LOCK: Final = "held"
_held: dict[Path, int] = {}


def kept_folder(prefix: str, place: str | None) -> Path:
    """A new folder in `place` (None: where temporary files are), until `let_go` or the
    end of the process. Raises OSError."""
    root = Path(place or tempfile.gettempdir())
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=root))
    if sys.platform != "win32":
        # Named when it is locked: nobody finds it in between.
        early = folder / f"{_LOCK}.new"
        _held[folder] = lock = os.open(early, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        early.rename(folder / _LOCK)
        for other in root.glob(f"{prefix}*"):
            if other != folder and _is_abandoned(other):
                shutil.rmtree(other, ignore_errors=True)
    return folder


def let_go(folder: Path) -> None:
    """Remove it. Twice is harmless."""
    shutil.rmtree(folder, ignore_errors=True)
    lock = _held.pop(folder, None)
    if lock is not None:
        os.close(lock)


if sys.platform != "win32":

    def _is_abandoned(folder: Path) -> bool:
        try:
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
        except OSError:  # somebody else's, or one that is just being made or removed
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        else:
            return True
        finally:
            os.close(lock)
