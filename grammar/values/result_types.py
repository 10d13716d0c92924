"""Result types: of operators, and of places where several types meet (CASE, COALESCE, UNION).

It decides by the tables "Data type precedence", "Precision, scale, and length" and "Operators" of the documentation;
also which operators a type does not have. It must not know a value.
"""

from __future__ import annotations

from collections.abc import Iterable

from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT, MAX, NULL_TYPE, SqlType
from sbql.grammar.values.conversion_rules import check_conversion, conversion_error
from sbql.grammar.values.kinds import (
    digits_before,
    digits_of_integer,
    is_national,
    kind,
    max_length,
    precedence,
    spelled,
)

__all__ = ["OPERATOR_NAMES", "arithmetic_type", "as_decimal", "common_type", "comparison_type"]

OPERATOR_NAMES = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo", "&": "'&'", "|": "'|'", "^": "'^'", "~": "'~'",
    "=": "equal to", "<>": "not equal to", "<": "less than", "<=": "less than or equal to", ">": "greater than",
    ">=": "greater than or equal to",
}  # fmt: skip
"""How messages name an operator."""

_NUMBERS = frozenset({"int", "bit", "decimal", "money", "float"})
_OLD_BLOBS = frozenset({"text", "ntext", "image"})


def as_decimal(sql_type: SqlType) -> SqlType:
    """The decimal type that holds every value of an exact number type."""
    family = kind(sql_type)
    if family == "decimal":
        return sql_type
    if family == "money":
        return SqlType("decimal", precision=19 if sql_type.name == "money" else 10, scale=4)
    return SqlType("decimal", precision=digits_of_integer(sql_type.name), scale=0)


def meet(left: SqlType, right: SqlType) -> SqlType:
    """The type of two alternatives (CASE, COALESCE, UNION). Raises 206 when they do not fit together."""
    if kind(left) == "null" or left == right:
        return right
    if kind(right) == "null":
        return left
    winner, loser = (left, right) if precedence(left) >= precedence(right) else (right, left)
    family, other = kind(winner), kind(loser)
    if family == "decimal" and other in ("decimal", "int", "bit", "money"):
        return _wider_decimal(winner, as_decimal(loser))
    if family == other and family in ("string", "binary"):
        return _longer(winner, loser)
    if family == other and winner.scale is not None:
        return winner if (winner.scale or 0) >= (loser.scale or 0) else SqlType(winner.name, scale=loser.scale)
    _check_implicit(loser, winner)
    return winner


def _check_implicit(source: SqlType, target: SqlType) -> None:
    check_conversion(source, target, explicit=False)


def _wider_decimal(left: SqlType, right: SqlType) -> SqlType:
    scale = max(left.scale or 0, right.scale or 0)
    whole = max(digits_before(left), digits_before(right))
    precision = whole + scale
    if precision > 38:
        scale = max(0, min(scale, 38 - whole))
        precision = 38
    return SqlType("decimal", precision=precision, scale=scale, spelling=left.spelling or right.spelling)


def _longer(winner: SqlType, loser: SqlType) -> SqlType:
    """Strings or bytes of one kind: the longer length; a fixed length survives only beside another fixed one."""
    if winner.length is None or loser.length is None:
        return winner if winner.length is None else loser
    length = MAX if MAX in (winner.length, loser.length) else min(max(winner.length, loser.length), max_length(winner))
    name = winner.name
    if {winner.name, loser.name} & {"varchar", "nvarchar", "varbinary"} or length == MAX:
        name = {"char": "varchar", "nchar": "nvarchar", "binary": "varbinary"}.get(name, name)
    return SqlType(name, length=length, collation=winner.collation or loser.collation)


def common_type(types: Iterable[SqlType]) -> SqlType:
    """`meet` over all; NULL_TYPE when every one is a bare NULL."""
    result = NULL_TYPE
    for sql_type in types:
        result = meet(result, sql_type)
    return result


def comparison_type(op: str, left: SqlType, right: SqlType) -> SqlType:
    """The type in which two values are compared. Raises 206, 257, 305, 306, 402."""
    for side in (left, right):
        if side.name == "xml":
            raise sql_error(305)
        if side.name in _OLD_BLOBS:
            raise sql_error(402 if kind(left) == kind(right) else 306, *_pair(left, right, OPERATOR_NAMES[op]))
    if kind(left) == "null" and kind(right) == "null":
        return INT
    met = meet(left, right)
    if met.name in ("time", "datetime2", "datetimeoffset") and "null" not in (left.name, right.name):
        # Another type beside it has more digits than the scale may hold: a datetime counts 300ths of a second.
        return met if left.name == right.name else SqlType(met.name, scale=7)
    return met


def _pair(left: SqlType, right: SqlType, op: str) -> tuple[str, ...]:
    return (spelled(left), spelled(right), op) if kind(left) == kind(right) else ()


def arithmetic_type(op: str, left: SqlType, right: SqlType) -> SqlType:
    """The type of `left op right`. Raises 206, 402, 403, 8117 for types that the operator does not take."""
    if kind(left) == "null" and kind(right) == "null":
        return INT
    if kind(left) == "null":
        left = right
    elif kind(right) == "null":
        right = left
    if op in "&|^":
        return _bitwise_type(op, left, right)
    families = {kind(left), kind(right)}
    if op == "+" and families <= {"string"}:
        return _concatenation_type(left, right)
    if op == "+" and families == {"binary"}:
        return _binary_concatenation(left, right)
    if op == "+" and families == {"binary", "string"}:
        raise sql_error(402, spelled(left), spelled(right), OPERATOR_NAMES[op])
    winner, loser = (left, right) if precedence(left) >= precedence(right) else (right, left)
    if kind(winner) in ("datetime",):
        return _date_arithmetic(op, left, right, winner, loser)
    if kind(winner) not in _NUMBERS:
        return _no_arithmetic(op, left, right, winner)
    if kind(loser) not in _NUMBERS:
        _check_operand(op, loser, winner)
        return _number_type(op, left if left is winner else winner, right if right is winner else winner)
    return _number_type(op, left, right)


def _check_operand(op: str, loser: SqlType, winner: SqlType) -> None:
    """A string or binary beside a number is converted to it, where that is possible."""
    _check_implicit(loser, winner)
    if op == "%" and kind(winner) == "float":
        raise sql_error(402, spelled(loser), spelled(winner), OPERATOR_NAMES[op])


def _no_arithmetic(op: str, left: SqlType, right: SqlType, winner: SqlType) -> SqlType:
    other = right if winner is left else left
    if kind(left) == kind(right) or kind(winner) in ("string", "binary"):
        if left.name == right.name or kind(winner) not in ("string", "binary"):
            if kind(winner) in (
                "date",
                "time",
                "datetime2",
                "datetimeoffset",
                "xml",
                "guid",
                "variant",
                "string",
                "binary",
            ):
                raise sql_error(8117, spelled(winner), OPERATOR_NAMES[op])
        raise sql_error(402, spelled(left), spelled(right), OPERATOR_NAMES[op])
    if kind(winner) in ("date", "time", "datetime2", "datetimeoffset") and kind(other) in _NUMBERS:
        raise sql_error(206, spelled(left), spelled(right))
    if kind(winner) in ("xml", "guid", "variant") and kind(other) in _NUMBERS:
        raise (
            conversion_error(other, winner, explicit=False)
            if kind(winner) != "variant"
            else sql_error(403, OPERATOR_NAMES[op], spelled(winner))
        )
    raise sql_error(402, spelled(left), spelled(right), OPERATOR_NAMES[op])


def _date_arithmetic(op: str, left: SqlType, right: SqlType, winner: SqlType, loser: SqlType) -> SqlType:
    """datetime and smalldatetime take + and - with each other, numbers (days) and strings."""
    if op not in "+-":
        if kind(loser) == "datetime":
            raise sql_error(8117, spelled(winner), OPERATOR_NAMES[op])
        raise sql_error(402, spelled(left), spelled(right), OPERATOR_NAMES[op])
    if kind(loser) in ("date", "time"):
        raise sql_error(402, spelled(left), spelled(right), OPERATOR_NAMES[op])
    _check_implicit(loser, winner)
    return winner


def _bitwise_type(op: str, left: SqlType, right: SqlType) -> SqlType:
    families = (kind(left), kind(right))
    if "binary" in families and families != ("binary", "binary") and set(families) <= {"binary", "int", "bit"}:
        return left if families[1] == "binary" else right
    if not set(families) <= {"int", "bit"}:
        if left.name == right.name:
            raise sql_error(8117, spelled(left), OPERATOR_NAMES[op])
        raise sql_error(402, spelled(left), spelled(right), OPERATOR_NAMES[op])
    return left if precedence(left) >= precedence(right) else right


def _concatenation_type(left: SqlType, right: SqlType) -> SqlType:
    """Lengths add up, to 8000 bytes at most, unless one side is (max)."""
    if left.name in _OLD_BLOBS or right.name in _OLD_BLOBS:
        raise sql_error(402, spelled(left), spelled(right), "add")
    national = is_national(left) or is_national(right)
    fixed = left.name in ("char", "nchar") and right.name in ("char", "nchar")
    name = ("nchar" if fixed else "nvarchar") if national else ("char" if fixed else "varchar")
    collation = left.collation or right.collation
    if MAX in (left.length, right.length):
        return SqlType("nvarchar" if national else "varchar", length=MAX, collation=collation)
    length = min((left.length or 1) + (right.length or 1), 4000 if national else 8000)
    return SqlType(name, length=length, collation=collation)


def _binary_concatenation(left: SqlType, right: SqlType) -> SqlType:
    if left.name in _OLD_BLOBS or right.name in _OLD_BLOBS:
        raise sql_error(402, spelled(left), spelled(right), "add")
    if MAX in (left.length, right.length):
        return SqlType("varbinary", length=MAX)
    return SqlType("varbinary", length=min((left.length or 8) + (right.length or 8), 8000))


def _number_type(op: str, left: SqlType, right: SqlType) -> SqlType:
    winner = left if precedence(left) >= precedence(right) else right
    family = kind(winner)
    if family == "float" and op == "%":
        if left.name == right.name:
            raise sql_error(8117, spelled(winner), OPERATOR_NAMES[op])
        raise sql_error(402, spelled(left), spelled(right), OPERATOR_NAMES[op])
    if family == "bit":
        raise sql_error(8117, "bit", OPERATOR_NAMES[op])
    if family == "decimal":
        return _decimal_type(op, as_decimal(left), as_decimal(right))
    return winner


def _decimal_type(op: str, left: SqlType, right: SqlType) -> SqlType:
    """The table of "Precision, scale, and length", and its rule for more than 38 digits."""
    p1, s1 = left.precision or 18, left.scale or 0
    p2, s2 = right.precision or 18, right.scale or 0
    if op in "+-":
        scale = max(s1, s2)
        precision = scale + max(p1 - s1, p2 - s2) + 1
    elif op == "*":
        scale, precision = s1 + s2, p1 + p2 + 1
    elif op == "/":
        scale = max(6, s1 + p2 + 1)
        precision = p1 - s1 + s2 + scale
    else:
        scale = max(s1, s2)
        precision = min(p1 - s1, p2 - s2) + scale
    if precision > 38:
        whole = precision - scale
        if op in "+-":
            scale = max(0, min(scale, 38 - (whole - 1)))
        elif whole < 32:
            scale = min(scale, 38 - whole)
        else:
            scale = min(scale, 6)
        precision = 38
    return SqlType("decimal", precision=precision, scale=scale, spelling=left.spelling or right.spelling)
