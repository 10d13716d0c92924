"""Collation precedence: which collation counts where texts with different ones meet
(documentation: "Collation Precedence").

Every text has a label:

- coercible: a literal, a variable
- the collation of its column
- the collation of a COLLATE clause
- none: two columns of different collations met in something that does not compare (`a + b`, CASE, UNION ALL).

It decides the label of a meeting and its errors; it must not know what an expression is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sbql.grammar.errors import sql_error
from sbql.grammar.types import DATABASE_DEFAULT_COLLATION, SqlType
from sbql.grammar.values.kinds import is_national, kind

__all__ = [
    "COERCIBLE",
    "EXPLICIT",
    "IMPLICIT",
    "UNRESOLVED",
    "Label",
    "Unresolved",
    "check_assigned",
    "check_column",
    "definite",
    "meeting",
    "produced",
    "recollated",
    "refuse_unresolved",
]

COERCIBLE, IMPLICIT, UNRESOLVED, EXPLICIT = range(4)
"""Ranks: of two different ones the higher counts."""

Label = tuple[int, str | None]
"""A rank and the name of a collation; None is the default of the database."""


class Unresolved(str):
    """The collation of a text that has none: the two that met, and in which operation. It is equal to no name."""

    first: str
    second: str
    operation: str

    def __new__(cls, first: str, second: str, operation: str) -> Unresolved:
        found = super().__new__(cls, first)
        found.first, found.second, found.operation = first, second, operation
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unresolved) and self._parts == other._parts

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._parts)

    @property
    def _parts(self) -> tuple[str, str, str]:
        return self.first, self.second, self.operation

    @property
    def conflict(self) -> tuple[str, str, str]:
        """As messages name it: the later one first."""
        return self.second, self.first, self.operation


def _name(collation: str | None) -> str:
    return collation or DATABASE_DEFAULT_COLLATION


def _met(one: Label, other: Label, operation: str) -> Label:
    if one[0] != other[0]:
        return max(one, other, key=lambda label: label[0])
    if one[0] == UNRESOLVED or _name(one[1]).lower() == _name(other[1]).lower():
        return one
    if one[0] == COERCIBLE:
        return COERCIBLE, None
    if one[0] == EXPLICIT:
        raise sql_error(468, _name(other[1]), _name(one[1]), operation)
    return UNRESOLVED, Unresolved(_name(one[1]), _name(other[1]), operation)


def meeting(labels: Iterable[Label], operation: str) -> Label:
    """The label of what `operation`, which does not compare, makes of texts. Raises 468 for
    two COLLATE clauses that differ."""
    result: Label | None = None
    for label in labels:
        result = label if result is None else _met(result, label, operation)
    return result or (COERCIBLE, None)


def definite(labels: Sequence[Label], operation: str) -> Label:
    """The label of texts that `operation` compares. Raises 468 where they have no common collation, 4191 where one of
    them has none and no COLLATE clause helps."""
    found = meeting(labels, operation)
    if isinstance(found[1], Unresolved):
        if any(rank == UNRESOLVED for rank, _ in labels):
            raise sql_error(4191, operation)
        raise sql_error(468, found[1].second, found[1].first, operation)
    return found


def produced(labels: Sequence[Label], operation: str, result: SqlType) -> Label:
    """As `meeting`, where the texts become a value of type `result`: text of a code page
    must know which. Raises 456, 457."""
    found = meeting(labels, operation)
    if isinstance(found[1], Unresolved) and not is_national(result):
        number = 456 if any(rank == UNRESOLVED for rank, _ in labels) else 457
        raise sql_error(number, result.name, result.name, *found[1].conflict)
    return found


def recollated(label: Label, name: str, sql_type: SqlType) -> Label:
    """The label behind `COLLATE name`. Raises 446 for text of a code page without a collation, 449 for a
    second clause with another name."""
    if isinstance(label[1], Unresolved) and not is_national(sql_type):
        raise sql_error(446, *label[1].conflict, "COLLATE", state=6)
    if label[0] == EXPLICIT and _name(label[1]).lower() != name.lower():
        raise sql_error(449, _name(label[1]), name)
    return EXPLICIT, name


def refuse_unresolved(sql_type: SqlType, operation: str) -> None:
    """Raises 4191 for a text without a collation that `operation` looks into; 446 where that is DISTINCT."""
    if isinstance(sql_type.collation, Unresolved):
        if operation == "DISTINCT":
            raise sql_error(446, *sql_type.collation.conflict, operation, state=11)
        raise sql_error(4191, operation)


def check_column(sql_type: SqlType, clause: str, place: int) -> None:
    """Raises 451 for a column of a result, or an item of ORDER BY or GROUP BY, without a collation."""
    if isinstance(sql_type.collation, Unresolved):
        raise sql_error(451, *sql_type.collation.conflict, clause, place)


def check_assigned(sql_type: SqlType, target: SqlType | None = None) -> None:
    """Raises 456 for text of a code page without a collation that is to become a value of another type."""
    if isinstance(sql_type.collation, Unresolved) and not is_national(sql_type) and kind(sql_type) == "string":
        raise sql_error(456, sql_type.name, (target or sql_type).name, *sql_type.collation.conflict)
