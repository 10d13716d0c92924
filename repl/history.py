"""Earlier inputs, kept for the next time and searched across sessions; passwords are not kept.

It decides where they are kept and what is left out. Prompts that are open at the same time write into one file, and
each knows what was there when it began.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from sbql.grammar.passwords import without_passwords

__all__ = ["history", "history_path"]


def history_path() -> Path:
    """The history file, in the folder where this system keeps a user's state."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return base / "sbql" / "history"


def history() -> History:
    path = history_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    except OSError:
        return InMemoryHistory()
    return _WithoutPasswords(str(path))


class _WithoutPasswords(FileHistory):
    """Stars stand in place of passwords in the file; who typed one has it at hand until the end of the prompt."""

    def store_string(self, string: str) -> None:
        super().store_string(without_passwords(string))
