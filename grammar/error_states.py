"""ERROR_STATE() of the errors whose state SQL Server's users know: the states seen in its documents and its well-known
messages. Every other error has state 1.

It decides the state from the number and the arguments of the text. A place that alone knows better gives
`sql_error(…, state=n)`: which kind of object is dropped (3701), or made twice (2714).
"""

from __future__ import annotations

from typing import Final

__all__ = ["STATES", "state_of"]

STATES: Final = {
    137: 2,
    201: 4,
    206: 2,
    214: 2,
    220: 1,
    229: 5,
    235: 0,
    242: 3,
    244: 1,
    257: 3,
    468: 9,
    515: 2,
    529: 2,
    535: 0,
    547: 0,
    1087: 2,
    1205: 51,
    1222: 51,
    2759: 0,
    2812: 62,
    3621: 0,
    3701: 5,
    3727: 0,
    4191: 9,
    4916: 0,
    8114: 5,
    8115: 2,
    8144: 2,
    8145: 2,
    8146: 2,
    8169: 2,
}
"""By number. 220, 232, 244 and 8115 differ by data type too."""

_TINY = {220: "tinyint", 244: "INT1"}
_STATES_OF_FLOATS: Final = {"int": 3, "char": 2, "varchar": 2}
_NUMERIC: Final = frozenset({"numeric", "decimal"})
_TEXT: Final = frozenset({"char", "varchar", "nchar", "nvarchar"})


def state_of(number: int, arguments: tuple[object, ...]) -> int:
    """The state of an error whose text has these arguments."""
    words = [str(a).partition("(")[0] for a in arguments]
    if number in _TINY and _TINY[number] in words:
        return 2
    if number == 232:
        return _STATES_OF_FLOATS.get(words[0], 1)
    if number == 8115 and words[0] != "expression":
        return _state_of_overflow(words[0], words[1])
    return STATES.get(number, 1)


def _state_of_overflow(source: str, target: str) -> int:
    if source == "IDENTITY":
        return 1
    if target in _NUMERIC:
        return 6 if source in ("float", "real") else 8
    return 5 if target in _TEXT else 2
