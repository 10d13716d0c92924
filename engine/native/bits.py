"""Native forms of the functions of bits.

DuckDB shifts no number over its end, so numbers of 32 bits are shifted as BIGINT without a sign.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.native.forms import Call, Form, Forms, Row
from sbql.grammar.values.kinds import storage_size

__all__ = ["ALL", "BITS", "signed"]

ALL: Final = 2**32 - 1
"""The bits of an int."""


def signed(number: str) -> str:
    """An INTEGER with these 32 bits."""
    return f"CAST(xor({number}, {2**31}) - {2**31} AS INTEGER)"


def _places(call: Call) -> str:
    return f"{{1}} < 0 OR {{1}} >= {8 * storage_size(call.types[0])}"


def _get_bit(call: Call) -> Form:
    return Form("CAST((CAST({0} AS BIGINT) >> CAST({1} AS BIGINT)) & 1 AS BOOLEAN)", _places(call))


def _set_bit(call: Call) -> Form | None:
    if call.types[0].name != "int":
        return None
    bits = f"(CAST({{0}} AS BIGINT) & {ALL}) | (CAST(1 AS BIGINT) << CAST({{1}} AS BIGINT))"
    return Form(signed(bits), _places(call))


def _shifted(sign: str) -> Row:
    def form(call: Call) -> Form | None:
        if call.types[0].name != "int":
            return None
        bits = f"(CAST({{0}} AS BIGINT) & {ALL}) {sign} CAST({{1}} AS BIGINT)"
        return Form(signed(f"({bits}) & {ALL}"), _places(call))

    return Row("int int", form)


BITS: Final[Forms] = {
    "BIT_COUNT": (Row("int", Form("CAST(bit_count({0}) AS BIGINT)")),),
    "GET_BIT": (Row("int int", _get_bit),),
    "SET_BIT": (Row("int int", _set_bit),),
    "LEFT_SHIFT": (_shifted("<<"),),
    "RIGHT_SHIFT": (_shifted(">>"),),
}
"""Functions to their forms."""
