"""Row images: what a write statement does to the rows of one table, before it is done.

An image is a list of Python values, one a column in table order, without the row id. Plain data for the
mechanism, OUTPUT and triggers; nothing here decides anything. Old ones may be somebody's own: nobody changes
them. The images are no business of Python's collector: of a batch of thousands of rows they would be most of
what it goes through again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

__all__ = ["Deleted", "Image", "Inserted", "RowImages", "Updated"]

Image = list[Any]


class Inserted(Struct, gc=False):
    """A new row. `row_id` is 0 until it is written."""

    new: Image
    extra: tuple[Any, ...] = ()
    row_id: int = 0


class Updated(Struct, gc=False):
    """A row that changes: its images before and after."""

    row_id: int
    old: Sequence[Any]
    new: Image
    extra: tuple[Any, ...] = ()


class Deleted(Struct, gc=False):
    """A row that goes."""

    row_id: int
    old: Sequence[Any]
    extra: tuple[Any, ...] = ()


class RowImages(Struct):
    """One statement's (or one cascade's) changes to one table. `extra` values are those of the FROM clause that OUTPUT
    asks for. `columns` are the positions an UPDATE names, for UPDATE() in triggers; `is_fresh_identity`: the identity
    values were generated just now and are beyond all that the table ever held."""

    verb: str
    inserted: list[Inserted] = field(default_factory=list)
    updated: list[Updated] = field(default_factory=list)
    deleted: list[Deleted] = field(default_factory=list)
    columns: frozenset[int] = frozenset()
    is_fresh_identity: bool = False

    @property
    def count(self) -> int:
        return len(self.inserted) + len(self.updated) + len(self.deleted)
