"""Standard input, output and error as a program may find them: closed, full, broken or not what they seem.

It decides that a closed stream is one that fails when it is used, and not before, and that output
which cannot be written is said once and never again: Python would flush at its end, and change the
exit code. It must not know what is written.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TextIO

from sbql.repl.progress import FOOT

__all__ = ["note", "prepare", "silence"]


def prepare() -> None:
    """Before anything is opened: a file of ours must not take the number of a closed stream, for whoever writes to that
    would write into the file. What takes it is open the other way round: a result that nobody can get is an error."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_WRONLY if number == 0 else os.O_RDONLY)  # takes the lowest number that is free
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (until the process ends)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # whoever put something else there decides for himself
            with contextlib.suppress(ValueError):
                stream.reconfigure(errors="replace")


def note(text: str) -> None:
    """A line on standard error, if that can be written. A whole one, whatever threads say at once: it is one write."""
    try:
        with FOOT.cleared(sys.stderr):
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """What is still to be written to it, and what will be, goes nowhere."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
