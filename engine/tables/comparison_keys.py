"""Keys: what DuckDB compares, groups and sorts by, so that the order and equality are those of T-SQL.

Decides the key of each type: text by its collation (trailing blanks never count), binary without zero bytes at its end,
uniqueidentifier in the order of its byte groups, datetimeoffset by its instant. Collations of two texts meet here
(error 468). It must not know which clause uses a key.
"""

from __future__ import annotations

from functools import cache

from sbql.engine.tables.typed_sql import COERCIBLE, Typed, text_literal
from sbql.grammar.ast import Span
from sbql.grammar.errors import sql_error
from sbql.grammar.types import DATABASE_DEFAULT_COLLATION
from sbql.grammar.values.collation import SWAPPED_CASE, is_binary_collation, is_case_sensitive, sort_key

__all__ = ["comparable", "equality_key", "has_key", "meeting_collation", "order_key", "order_term"]


def has_key(value: Typed) -> bool:
    """True when values that DuckDB keeps apart may be equal to T-SQL."""
    return value.is_text or value.type.name in ("datetimeoffset", "sql_variant", "varbinary")


def equality_key(value: Typed, collation: str | None = None, *, given: bool = False) -> str:
    """The text to compare for equality. `collation` (with `given`) overrides the value's own."""
    if value.is_text:
        return _text_key(value.sql, collation if given else value.type.collation)
    if value.type.name == "datetimeoffset":
        return f"struct_extract({value.sql}, 'utc')"
    if value.type.name == "sql_variant":
        return f"struct_extract({value.sql}, 'sort')"
    if value.type.name == "varbinary":
        return f"unhex(regexp_replace(hex({value.sql}), '(00)+$', ''))"
    return value.sql


def order_key(value: Typed, collation: str | None = None, *, given: bool = False) -> str:
    """The text to compare for order."""
    if value.is_text:
        chosen = collation if given else value.type.collation
        if is_binary_collation(chosen):
            return _text_key(value.sql, chosen)
        if is_case_sensitive(chosen):
            trimmed = f"rtrim({value.sql}, ' ')"
            own, swapped = SWAPPED_CASE
            return f"({_ranked(f'lower({trimmed})')} || chr(1) || translate({trimmed}, '{own}', '{swapped}'))"
        return _ranked(_text_key(value.sql, chosen))
    if value.type.name == "uniqueidentifier":
        return _guid_key(value.sql)
    return equality_key(value)


def order_term(value: Typed, descending: bool) -> str:
    """An ORDER BY term: NULL counts as the smallest value."""
    return f"{order_key(value)} {'DESC NULLS LAST' if descending else 'ASC NULLS FIRST'}"


def comparable(value: Typed, span: Span, place: str = "") -> None:
    """Raises 305 and 306 for types that cannot be compared or sorted; 421 when the place is DISTINCT, 5335 for a set
    operator."""
    name = value.type.name
    if name not in ("xml", "text", "ntext", "image"):
        return
    if place:
        raise sql_error(421 if place == "DISTINCT" else 5335, name, span=span)
    raise sql_error(305 if name == "xml" else 306, span=span)


def meeting_collation(left: Typed, right: Typed, operation: str, span: Span) -> str | None:
    """The collation that counts where two texts meet: a COLLATE clause before a column, a column before the rest.
    Raises 468 for two different ones of one rank: names of broker objects are binary, and their columns do not meet a
    column of the default collation without a COLLATE clause."""
    ranks = [value.rank if value.is_text else COERCIBLE for value in (left, right)]
    if ranks[0] != ranks[1]:
        return (left if ranks[0] > ranks[1] else right).type.collation
    first, second = left.type.collation, right.type.collation
    if (first or DATABASE_DEFAULT_COLLATION).lower() == (second or DATABASE_DEFAULT_COLLATION).lower():
        return first
    if ranks[0] == COERCIBLE:
        return None
    raise sql_error(
        468, first or DATABASE_DEFAULT_COLLATION, second or DATABASE_DEFAULT_COLLATION, operation, span=span
    )


def _text_key(sql: str, collation: str | None) -> str:
    if is_case_sensitive(collation):
        return f"rtrim({sql}, ' ')"
    key = f"rtrim(lower({sql}), ' ')"
    return f"strip_accents({key})" if collation and "_AI" in collation.upper() else key


@cache
def _rank_tables() -> tuple[str, str]:
    """The characters whose order is not that of code points, and the characters that stand for them in keys."""
    plain = [chr(c) for c in range(32, 256) if chr(c) == chr(c).lower()]
    ranked = [(c, sort_key(c + "a")[0]) for c in plain]
    moved = [(c, r) for c, r in ranked if c != r]
    return "".join(c for c, _ in moved), "".join(r for _, r in moved)


def _ranked(sql: str) -> str:
    plain, ranks = _rank_tables()
    return f"translate({sql}, {text_literal(plain)}, {text_literal(ranks)})"


def _guid_key(sql: str) -> str:
    """SQL Server compares the last group first, then the fourth; the bytes of the first three from right to left."""
    text = f"CAST({sql} AS VARCHAR)"
    starts = ((25, 12), (20, 4), (17, 2), (15, 2), (12, 2), (10, 2), (7, 2), (5, 2), (3, 2), (1, 2))
    return "(" + " || ".join(f"substr({text}, {start}, {length})" for start, length in starts) + ")"
