"""SQL with marks: a name of a relation that may stand for something else when the query runs.

Whoever writes SQL marks the name where he writes it, so nobody has to find it in the finished text, where a literal or
a column may look the same. A mark stands between NULs, which no SQL can hold. It must not know what a name stands for.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

__all__ = ["MarkedSql", "mark"]


def mark(name: str) -> str:
    """The name of a relation, marked."""
    return f"\0{name}\0"


class MarkedSql(Struct, frozen=True):
    """`pieces` are SQL and marked names by turns, SQL first and last."""

    pieces: tuple[str, ...]

    @staticmethod
    def of(text: str) -> MarkedSql:
        """From a text with marks in it."""
        return MarkedSql(tuple(text.split("\0")))

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.pieces[1::2])

    def plain(self) -> str:
        """With every name as it is."""
        return "".join(self.pieces)

    def with_names(self, names: Mapping[str, str]) -> MarkedSql:
        """With other SQL in place of some names."""
        return MarkedSql(tuple([names.get(p, p) if i % 2 else p for i, p in enumerate(self.pieces)]))

    def within(self, before: str, after: str) -> MarkedSql:
        """With SQL around it."""
        pieces = [before + self.pieces[0], *self.pieces[1:]]
        pieces[-1] += after
        return MarkedSql(tuple(pieces))
