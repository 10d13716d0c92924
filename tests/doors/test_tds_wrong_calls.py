"""Procedure calls that are none: parameters that no type has, too many of them. Each is an error of its own
number, and the connection goes on."""

from __future__ import annotations

import struct

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from tds_wire import WireClient, of, parameter

from sbql.grammar.types import INT, NVARCHAR_MAX, nvarchar

_WRONG_VALUES = {
    "a day before the first": (b"\x2b\7", bytes([10]) + bytes(5) + b"\x92\xfe\xff" + bytes(2), 8023),
    "a day with 25 hours": (b"\x29\0", bytes([3]) + (90_000).to_bytes(3, "little"), 8023),
    "an offset of a day": (b"\x2b\7", bytes([10]) + bytes(8) + (1440).to_bytes(2, "little"), 8023),
    "a float that is no number": (b"\x6d\x08", b"\x08" + struct.pack("<d", float("nan")), 8023),
    "a decimal of 39 digits": (b"\x6a\x11\x26\0", b"\x11\1" + b"\xff" * 16, 8023),
    "an int of three bytes": (b"\x26\4", b"\3abc", 8023),
    "a text that is no UTF-16": (b"\xe7\x14\0" + bytes(5), b"\3\0abc", 8023),
    "a type of its own": (b"\x99", b"", 8009),
    "a value that ends early": (b"\x26\4", b"\4a", 4002),
}


@pytest.mark.parametrize("what", list(_WRONG_VALUES))
def test_a_parameter_that_is_none(client: WireClient, what: str) -> None:
    """go-mssqldb reads on behind a DONEINPROC: what is refused as a whole ends with a DONE."""
    kind, value, number = _WRONG_VALUES[what]
    answer = client.call("sp_who", parameter("@a", INT, 1), b"\0\0" + kind + value)
    assert [token[:3] for token in answer] == [("error", number, 16), ("done", 2, 0)]
    assert number == 4002 or "Parameter 2" in answer[0][4]
    assert of("row", client.batch("SELECT 1")) == [((1,),)]


@pytest.mark.parametrize(("count", "numbers"), [(2098, []), (2099, [8003])])
def test_how_many_parameters_there_may_be(client: WireClient, count: int, numbers: list[int]) -> None:
    names = ",".join(f"@p{n} int" for n in range(count))
    given = [parameter("", INT, n) for n in range(count)]
    answer = client.call(
        10, parameter("", nvarchar(40), "SELECT @p0 + @p2097"), parameter("", NVARCHAR_MAX, names), *given
    )
    assert [token[0] for token in of("error", answer)] == numbers
    assert of("row", answer) == ([] if numbers else [((2097,),)])
