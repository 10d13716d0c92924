"""The message catalogue: number, severity and text of every error and information message, as in sys.messages.

The rows live in messages.tsv, sorted by number: number, severity, flags, text. Texts are our own words; `%s` and `%d`
take the arguments in order. Flags: `L` is written to the error log, `B` ends the batch, `X` dooms the transaction, `N`
is found while the names and types of a statement are bound (then no CATCH of its own module sees it).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["Message", "all_messages", "message"]


@dataclass(frozen=True, slots=True)
class Message:
    number: int
    severity: int
    flags: str
    text: str

    @property
    def is_logged(self) -> bool:
        return "L" in self.flags

    @property
    def batch_aborting(self) -> bool:
        return "B" in self.flags

    @property
    def dooms_transaction(self) -> bool:
        return "X" in self.flags

    @property
    def is_binding(self) -> bool:
        return "N" in self.flags

    def format(self, *arguments: object) -> str:
        return self.text % arguments if arguments else self.text.replace("%%", "%")


@cache
def all_messages() -> dict[int, Message]:
    """Every message by number, in order of number."""
    rows = Path(__file__).with_name("messages.tsv").read_text(encoding="utf-8")
    found: dict[int, Message] = {}
    for line in rows.splitlines():
        if line and not line.startswith("#"):
            number, severity, flags, text = line.split("\t")
            found[int(number)] = Message(int(number), int(severity), flags.strip("-"), text)
    return found


def message(number: int) -> Message:
    """The message `number`. Raises KeyError when there is none."""
    return all_messages()[number]
