"""Whatever stands where a call wants a value, the call gives what it gives for a column: a longer
expression, a query, an aggregate, a window, a function that is called once for each row.

Native forms name their operands often, and put them into lambdas, TRY and branches, where DuckDB takes not everything.
One call in so many (OPERANDS_SHARE) of each function.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from types import FrameType

import pytest
from native_calls import CALLS
from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

SHARE = int(os.environ.get("OPERANDS_SHARE", "40"))
TEXT = "2024-02-29"
JSON = '{"a":{"b":[1]},"b":"x"}'


def _name(call: str) -> str:
    return call.split("(")[0]


def _chosen() -> list[tuple[str, tuple[str, ...]]]:
    """Some of each function: the first, and one in SHARE of the others."""
    seen: dict[str, int] = {}
    found = []
    for call, types in CALLS:
        number = seen[_name(call)] = seen.get(_name(call), -1) + 1
        if number % SHARE == 0 and "a0" in call:
            found.append((call, types))
    return found


CHOSEN = _chosen()
TYPES = sorted({t for _, types in CHOSEN for t in types})


def _value(name: str) -> str:
    """Something that most functions take."""
    if "char" in name:
        return f"'{JSON}'" if "max" in name or "300" in name else f"'{TEXT}'" if "100" not in name else "'$.a'"
    if "date" in name:
        return f"'{TEXT}'"
    if "time" in name:
        return "'12:30:15'"
    if name == "uniqueidentifier":
        return "'6F9619FF-8B86-D011-B42D-00C04FC964FF'"
    if "binary" in name:
        return "0x41"
    return "0.5" if name in ("decimal(4,4)", "decimal(38,38)") else "1"


def grown(depth: int) -> Callable[[str], str]:
    """The same value by an expression of about 40 characters of SQL for each level."""

    def operand(column: str) -> str:
        for _ in range(depth):
            column = f"CASE WHEN id > 0 THEN {column} END"
        return column

    return operand


WAYS: dict[str, tuple[Callable[[str], str], str]] = {
    **{f"by an expression of {depth} levels": (grown(depth), "") for depth in (1, 2, 3, 4, 5, 6, 12)},
    "by a query": (lambda column: f"(SELECT u.{column} FROM r AS u WHERE u.id = r.id)", ""),
    "by an aggregate": (lambda column: f"MAX({column})", " GROUP BY id"),
    "by a function of several statements": (lambda column: f"dbo.same_{column}({column})", ""),
    "by a window": (lambda column: f"FIRST_VALUE({column}) OVER (PARTITION BY id ORDER BY id)", ""),
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None)
    found = instance.connect()
    columns = ", ".join(f"c{i} {name}" for i, name in enumerate(TYPES))
    values = ", ".join(_value(name) for name in TYPES)
    nulls = ", ".join("NULL" for _ in TYPES)
    assert not told(
        found, f"CREATE TABLE r (id int, {columns}); INSERT r VALUES (1, {values}); INSERT r VALUES (2, {nulls})"
    )
    for i, name in enumerate(TYPES):
        text = f"CREATE FUNCTION dbo.same_c{i} (@v {name}) RETURNS {name} AS BEGIN DECLARE @found {name} = @v; RETURN @found END"
        assert not told(found, text)
    yield found
    instance.close()


def _asked(session: Session, call: str, types: tuple[str, ...], way: Callable[[str], str], behind: str) -> list[object]:
    """What the call gives for each row, or its error."""
    text = re.sub(r"\ba(\d)\b", lambda found: way(f"c{TYPES.index(types[int(found[1])])}"), call)
    return told(session, f"SELECT {text} FROM r WHERE id > 0{behind} ORDER BY id")


@pytest.mark.parametrize("way", WAYS)
def test_what_stands_there_changes_nothing(session: Session, way: str) -> None:
    operand, behind = WAYS[way]
    different = []
    for call, types in CHOSEN:
        if way == "by an aggregate" and any(t == "bit" for t in types):
            continue  # MAX takes none
        plain, found = (
            _asked(session, call, types, lambda column: column, ""),
            _asked(session, call, types, operand, behind),
        )
        if plain != found:
            different.append(f"{call} of {types}: {plain} but {found}")
    assert not different, "\n".join(different[:20])


def test_two_ways_at_a_time(session: Session) -> None:
    """A query beside a long expression."""
    different = []
    for call, types in CHOSEN:
        if len(types) > 1:
            ways = [grown(12), WAYS["by a query"][0]]
            plain = _asked(session, call, types, lambda column: column, "")
            for first in (0, 1):
                turn = {f"c{TYPES.index(t)}": ways[(i + first) % 2] for i, t in enumerate(types)}
                found = _asked(session, call, types, lambda column, turn=turn: turn[column](column), "")
                if plain != found:
                    different.append(f"{call} of {types}: {plain} but {found}")
    assert not different, "\n".join(different[:20])


def _computed(session: Session, text: str) -> int:
    """How often a query runs a function of several statements."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_name == "run_user_function"

    sys.setprofile(note)
    try:
        told(session, text)
    finally:
        sys.setprofile(None)
    return count


OTHERS = (
    "IIF(a0 LIKE '%[0-9]%x', 1, 0)", "IIF(a0 LIKE '2_x', 1, 0)", "IIF(a0 BETWEEN 'a' AND 'b', 1, 0)", "IIF(a0 IN ('a', N'b', LEFT(REVERSE('c'), 1)), 1, 0)", "NULLIF(a0, 'x')",
    "IIF(a0 < 'b', 1, 0)", "IIF(a0 = 'b', 1, 0)", "GREATEST(a0, 'b', N'c')", "LEN(a0)", "UPPER(a0)", "STUFF(a0, 1, 1, '')",
)  # fmt: skip


ONCE = [*dict.fromkeys(c for c, types in CHOSEN if len(types) == 1 and len(re.findall(r"\ba0\b", c)) == 1), *OTHERS]


@pytest.mark.parametrize("call", ONCE)
def test_a_query_that_stands_there_is_run_once(session: Session, call: str) -> None:
    """For each of the two rows, however often a form names its operand."""
    types = next((t for c, t in CHOSEN if c == call), ("nvarchar(40)",))
    column = f"c{TYPES.index(types[0])}"
    operand = f"(SELECT dbo.same_{column}(u.{column}) FROM r AS u WHERE u.id = r.id)"
    text = re.sub(r"\ba0\b", operand, call)
    assert _computed(session, f"SELECT {text} FROM r") <= 2  # none where the call is refused
