"""What a person types at the prompt: when an input is complete, and the few words that are not T-SQL.

Pure functions over text, without a terminal.
"""

from __future__ import annotations

import re

__all__ = ["HELP", "is_complete", "is_help", "is_quit", "with_go"]

HELP = """\
GO [n]          runs what stands above it (n times); F5 runs without GO
:r FILE         reads a file       :setvar NAME VALUE  sets $(NAME)
quit, exit      ends (also Ctrl-D)
Ctrl-C          stops a running batch, or throws the input away
Tab             completes words, names, columns and variables; indents an empty line
Arrow up        earlier inputs     Ctrl-R  searches them
Lines that begin with [log] come from activated procedures and the server."""

_GO = re.compile(r"\s*+go(\s++\d++)?\s*+;?\s*+(--.*)?", re.I)
_QUIT = re.compile(r"\s*+:?(quit|exit)\s*+;?\s*+", re.I)
_HELP = re.compile(r"\s*+[:\\]?(help|\?)\s*+;?\s*+", re.I)
_DIRECTIVE = re.compile(r"\s*:(r|setvar|on)\b.*", re.I)


def is_quit(text: str) -> bool:
    return _QUIT.fullmatch(text) is not None


def is_help(text: str) -> bool:
    return _HELP.fullmatch(text) is not None


def is_complete(text: str) -> bool:
    """Whether Enter runs the input: its last line is GO, or its only line is a word for the prompt."""
    lines = text.rstrip().split("\n")
    if _GO.fullmatch(lines[-1]):
        return True
    return len(lines) == 1 and any(form.fullmatch(text) for form in (_QUIT, _HELP, _DIRECTIVE))


def with_go(text: str) -> str:
    """The text closed by GO, if it is not."""
    return text if is_complete(text) or not text.strip() else f"{text.rstrip()}\nGO"
