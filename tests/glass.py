"""What a person sees of what is written to a terminal: as much of one as rich needs for a line that comes and goes."""

from __future__ import annotations

import io
import re

_PIECE = re.compile(r"\x1b\[(\??[\d;]*)([A-Za-z])|(\r)|(\n)|([^\x1b])")


class Glass:
    """A screen that never scrolls. `is_hidden`: whether the cursor is."""

    def __init__(self) -> None:
        self._rows: list[list[str]] = [[]]
        self._row = self._column = 0
        self.is_hidden = False

    def write(self, text: str) -> None:
        for number, letter, back, down, sign in _PIECE.findall(text):
            if back:
                self._column = 0
            elif down:  # the terminal makes \r\n of it
                self._row, self._column = self._row + 1, 0
                self._rows += [[]] * (self._row == len(self._rows))
            elif sign:
                row = self._rows[self._row]
                row += " " * (self._column + 1 - len(row))
                row[self._column] = sign
                self._column += 1
            elif letter == "A":
                self._row -= int(number or 1)
            elif (letter, number) == ("K", "2"):
                self._rows[self._row] = []
            elif number == "?25":
                self.is_hidden = letter == "l"
            else:
                assert letter == "m", f"ESC [ {number} {letter} is not known here"

    @property
    def lines(self) -> list[str]:
        """Without what is blank at the ends."""
        return "\n".join("".join(row).rstrip() for row in self._rows).rstrip().split("\n")

    @property
    def cursor(self) -> tuple[int, int]:
        return self._row, self._column


class GlassTerminal(io.TextIOWrapper):
    """A terminal in memory, and `glass`, what one sees there."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self._written = io.BytesIO()
        self._glass = Glass()
        super().__init__(self._written, encoding=encoding, errors="strict", newline="", write_through=True)

    def isatty(self) -> bool:
        return True

    @property
    def glass(self) -> Glass:
        self._glass.write(self._written.getvalue().decode(self.encoding))
        self._written.seek(0)
        self._written.truncate()
        return self._glass
