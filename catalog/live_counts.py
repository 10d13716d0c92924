"""Live relations of numbers: what was counted, and what counters give.

Decides the columns of their rows, and types of numbers for all live relations. It must not know where they come from.
"""

# No `from __future__ import annotations`: the types of columns are read from the annotations.
from typing import Annotated, NamedTuple

__all__ = ["Big", "Huge", "IdentityValue", "SequenceValue", "TableRows"]

Big = Annotated[int, "BIGINT"]
Huge = Annotated[int, "HUGEINT"]
"""Other numbers are INTEGER."""


class SequenceValue(NamedTuple):
    database_id: int
    object_id: int
    current_value: Huge | None
    is_exhausted: bool


class IdentityValue(NamedTuple):
    database_id: int
    object_id: int
    last_value: Huge | None


class TableRows(NamedTuple):
    database_id: int
    object_id: int
    rows: Big
