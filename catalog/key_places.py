"""KeyPlaces: where in its table the row with a value of a key stands, by a hash of the value: a
hint, which whoever follows it verifies.

DuckDB's row number finds a row at once where its text would be compared with that of every row, or its key computed for
every row. Numbers change when DuckDB puts rows together, rows come and go: nothing here hears of it. What stands at a
place is looked at, and is the row that is wanted or is not; that no place is known says nothing. So only how many looks
were in vain counts, and after some the places are read anew. Decides when reading them pays, and the bytes: sixteen a
row, up to `MOST` rows. It must not know texts or queries.
"""

from __future__ import annotations

import hashlib
import importlib
from array import array
from typing import Any, Final

__all__ = ["HASH", "MOST", "KeyPlaces", "in_order"]

MOST: Final = 1 << 20
HASH: Final = "md5_number_lower"
"""DuckDB's name of the hash: the only one that it and Python have both, and that stays the same."""
_WITH_KEYS: Final = 12
"""The time of so many looks at the texts of all rows does one take that computes the key of every row."""


class KeyPlaces:
    """Of one table by one key. `shape` is whatever the key was read for."""

    __slots__ = ("_hashes", "_places", "_spent", "is_refused", "shape")

    def __init__(self, shape: object) -> None:
        self.shape = shape
        self.is_refused = False
        self._spent = 0
        self._hashes: Any = None
        self._places: Any = None

    @property
    def size(self) -> int:
        hashes = self._hashes
        return 0 if hashes is None else 16 * len(hashes)

    def find(self, text: str) -> list[int]:
        """Where a row with this text of its key may stand."""
        places, hashes = self._places, self._hashes
        if hashes is None or len(places) != len(hashes):
            return []
        wanted = hashes.dtype.type(
            int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest()[8:], "little")
        )
        first, last = hashes.searchsorted(wanted, "left"), hashes.searchsorted(wanted, "right")
        return [int(place) for place in places[first:last]]

    def note_look(self, *, with_keys: bool) -> None:
        """All rows were looked at: at their texts, or at the keys of these."""
        self._spent += _WITH_KEYS if with_keys else 1

    def wants(self, patience: int) -> bool:
        """Whether to read them now: after so many looks at the texts of all rows, about."""
        return self._spent > patience and not self.is_refused

    def wait(self) -> None:
        """The table is so small that looks at all rows cost nothing."""
        self._spent = 0

    def take(self, hashes: array[int], rows: array[int]) -> None:
        """What was read, in any order."""
        numpy = importlib.import_module("numpy")
        hashed, places = numpy.frombuffer(hashes, "uint64"), numpy.frombuffer(rows, "int64")
        order = numpy.argsort(hashed, kind="stable")
        self._spent = 0
        self._hashes, self._places = None, places[order]
        self._hashes = hashed[order]


def in_order(many: array[int], seen: set[int]) -> array[int]:
    """All of these hashes, in order. NumPy sorts a million in a tenth of the time."""
    numpy = importlib.import_module("numpy")
    both = numpy.concatenate([numpy.frombuffer(many, dtype="q"), numpy.fromiter(seen, "q", len(seen))])
    both.sort(kind="stable")
    found: array[int] = array("q")
    found.frombytes(both.tobytes())
    return found
