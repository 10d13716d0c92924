"""GUIDs as SQL over their 128 bits: their bytes in the order of binary, and the order in which SQL Server sorts them.

DuckDB has a GUID as the number of its text. In SQL Server's bytes its first three fields stand the other way round.
Each function computes the operand once. It must not know who asks.
"""

from __future__ import annotations

from typing import Final

__all__ = ["bytes_turned", "order_number", "over_words"]

_WORD: Final = 2**32 - 1
_FIRST: Final = "((a & 255) << 24) | ((a & 65280) << 8) | ((a >> 8) & 65280) | (a >> 24)"
"""The first field, turned."""
_SECOND: Final = "((b & 16711935) << 8) | ((b >> 8) & 16711935)"
"""The second and the third, each turned."""


def over_words(sql: str, guid: str) -> str:
    """`sql` over the bytes of a GUID as binary has them: four whole numbers of 32 bits, `p`, `q`, `r` and `s`."""
    return _over_fields(f"invoke(lambda r, s: {sql}, {_word(32)}, {_word(0)})", guid)


def bytes_turned(guid: str) -> str:
    """The GUID whose text has the bytes of `guid` as binary has them, or the other way round."""
    whole = f"(CAST(p AS UHUGEINT) << 96) | (CAST(q AS UHUGEINT) << 64) | (g & {2**64 - 1})"
    return _over_fields(f"CAST({whole} AS UUID)", guid)


def order_number(guid: str) -> str:
    """A number by which GUIDs are sorted: the last group of the text first, then the fourth; then the bytes of the
    first three fields from right to left."""
    last = f"((g & {2**48 - 1}) << 80) | (((g >> 48) & 65535) << 64)"
    first = "(CAST(((q & 65535) << 16) | (q >> 16) AS UHUGEINT) << 32) | CAST(p AS UHUGEINT)"
    return _over_fields(f"({last} | {first})", guid)


def _over_fields(sql: str, guid: str) -> str:
    """`sql` over `p` and `q`, the turned fields, and `g`, the number of the text."""
    turned = f"invoke(lambda a, b: invoke(lambda p, q: {sql}, {_FIRST}, {_SECOND}), {_word(96)}, {_word(64)})"
    return f"invoke(lambda g: {turned}, CAST({guid} AS UHUGEINT))"


def _word(place: int) -> str:
    return f"CAST((g >> {place}) & {_WORD} AS BIGINT)"
