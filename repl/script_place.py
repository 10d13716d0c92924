"""How far a script is, for the line at the foot of the terminal: by its lines, for how many
batches are to come only its end tells.

It decides the words and the measure. It must not know how batches run.
"""

from __future__ import annotations

import os

from sbql.grammar.batches import BatchText, Directive
from sbql.repl.progress import Told

__all__ = ["ScriptPlace"]


class ScriptPlace:
    """Of one script, which is told of each of its steps."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._shown = os.path.basename(name)
        self._lines = text.count("\n") + 1
        self._line = 1
        self._elsewhere = ""
        """Where an included file is."""

    def at(self, step: BatchText | Directive) -> None:
        """This one runs now."""
        line = step.first_line if isinstance(step, BatchText) else step.line
        if step.source == self._name:
            self._line, self._elsewhere = line, ""
        else:
            self._elsewhere = f"{os.path.basename(step.source)}:{line}, included by "

    def told(self) -> Told:
        """Nothing of a text of one line: there is only one place in it."""
        if self._lines == 1:
            return Told("")
        done = self._line - 1
        return Told(f"{self._elsewhere}{self._shown}:{self._line} of {self._lines}", done, self._lines if done else 0)
