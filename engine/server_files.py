"""Where the server's own files are: backups and detached databases.

Decides what a file name in a statement means. A relative name is one in the folder of the store; of an instance in
memory, in a temporary folder that goes with it. A Windows path on another system is the file of that name in that
folder, so that scripts written for a server on Windows run. It must not know what is in the files.
"""

from __future__ import annotations

import ntpath
import os
import tempfile
from pathlib import Path

__all__ = ["ServerFiles"]


class ServerFiles:
    """The folder of backups and detached databases: beside the store, or a temporary one of a store in memory."""

    def __init__(self, store_path: str | None) -> None:
        self._folder = None if store_path is None else Path(store_path).resolve().parent
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    def path(self, name: str) -> str:
        """The file that a name in a statement means."""
        if os.path.isabs(name):
            return name
        if os.sep != "\\" and ("\\" in name or name[1:2] == ":"):
            name = ntpath.basename(name)
        return str(self.folder() / name)

    def folder(self) -> Path:
        if self._folder is not None:
            return self._folder
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="sbql-files-")
        return Path(self._temporary.name)

    def close(self) -> None:
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None
