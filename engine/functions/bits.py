"""Bit functions of SQL Server 2022: BIT_COUNT, GET_BIT, SET_BIT, LEFT_SHIFT, RIGHT_SHIFT, over integers and binary
values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.type_rules import same_as_first
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, BIT, INT, SqlType
from sbql.grammar.values.kinds import kind, spelled, storage_size

__all__: list[str] = []

Types = tuple[SqlType, ...]


def _bits(sql_type: SqlType, position: int, name: str) -> SqlType:
    if kind(sql_type) == "null":
        return INT
    if kind(sql_type) not in ("int", "binary", "bit") or sql_type.length == -1:
        raise sql_error(8116, spelled(sql_type), position, name)
    return sql_type


def _unsigned(value: Any, sql_type: SqlType) -> tuple[int, int]:
    """The value as a number without sign, and its width in bits."""
    if isinstance(value, bytes):
        return int.from_bytes(value, "big"), 8 * len(value)
    width = 8 * storage_size(sql_type)
    return int(value) & (2**width - 1), width


def _signed(number: int, width: int, like: Any, sql_type: SqlType) -> Any:
    number &= 2**width - 1
    if isinstance(like, bytes):
        return number.to_bytes(width // 8, "big")
    if sql_type.name == "bit":
        return bool(number & 1)
    return number - 2**width if sql_type.name != "tinyint" and number >= 2 ** (width - 1) else number


@function("BIT_COUNT", BIGINT, [_bits], typed=True)
def _bit_count(types: Types) -> Callable[[Any], int]:
    return lambda value: _unsigned(value, types[0])[0].bit_count()


@function("GET_BIT", BIT, [_bits, INT], typed=True)
def _get_bit(types: Types) -> Callable[[Any, int], bool]:
    def run(value: Any, place: int) -> bool:
        number, width = _unsigned(value, types[0])
        _check_place(place, width)
        return bool(number >> place & 1)

    return run


def _check_place(place: int, width: int) -> None:
    if not 0 <= place < width:
        raise sql_error(9836)


@function("SET_BIT", same_as_first, [_bits, INT, BIT], optional=1, typed=True)
def _set_bit(types: Types) -> Callable[..., Any]:
    def run(value: Any, place: int, bit: bool = True) -> Any:
        number, width = _unsigned(value, types[0])
        _check_place(place, width)
        number = number | 1 << place if bit else number & ~(1 << place)
        return _signed(number, width, value, types[0])

    return run


def _shift(value: Any, count: int, sql_type: SqlType) -> Any:
    """Left for a positive count, right (filled with zeros) for a negative one."""
    number, width = _unsigned(value, sql_type)
    if abs(count) >= width:
        return _signed(0, width, value, sql_type)
    return _signed(number << count if count >= 0 else number >> -count, width, value, sql_type)


@function("LEFT_SHIFT", same_as_first, [_bits, BIGINT], typed=True)
def _left_shift(types: Types) -> Callable[[Any, int], Any]:
    return lambda value, count: _shift(value, count, types[0])


@function("RIGHT_SHIFT", same_as_first, [_bits, BIGINT], typed=True)
def _right_shift(types: Types) -> Callable[[Any, int], Any]:
    return lambda value, count: _shift(value, -count, types[0])
