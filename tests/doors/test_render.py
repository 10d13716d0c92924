"""How outcomes look as text."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sbql.engine.outcomes import ErrorOutcome, InfoMessage, ResultColumn, ResultSet, RowsAffected
from sbql.engine.result_text import Style, caret, table
from sbql.grammar.batches import Place
from sbql.grammar.errors import SqlError
from sbql.grammar.types import INT, SqlType, decimal, nvarchar
from sbql.repl.render import Renderer


def result(*rows: tuple[Any, ...], names: tuple[str, ...] = ("id", "name")) -> ResultSet:
    return ResultSet([ResultColumn(names[0], INT), ResultColumn(names[1], nvarchar(20))], list(rows))


def drawn(outcome: Any, style: Style = Style(), place: Place | None = None, source: str | None = None) -> str:
    parts: list[str] = []
    renderer = Renderer(parts.append, style)
    renderer.place, renderer.source = place, source
    renderer.show(outcome)
    return "".join(parts)


def test_columns_are_as_wide_as_their_content() -> None:
    """Numbers to the right, text to the left, no trailing blanks."""
    assert list(table(result((1, "a"), (200, "longer"), (None, None)))) == [
        "  id name",
        "---- ------",
        "   1 a",
        " 200 longer",
        "NULL NULL",
    ]


def test_a_column_without_a_name_says_so() -> None:
    assert next(iter(table(result((1, "a"), names=("", "x"))))) == "(No column name) x"


def test_an_empty_result_shows_its_columns() -> None:
    assert drawn(result()) == "id name\n-- ----\n"


def test_wide_characters_take_two_columns() -> None:
    assert list(table(result((1, "日本"), (2, "abcde"))))[2] == " 1 日本"
    assert list(table(ResultSet([ResultColumn("日本", nvarchar(9)), ResultColumn("b", INT)], [("a", 1)]))) == [
        "日本 b",
        "---- -",
        "a    1",
    ]


def test_separator_and_trim() -> None:
    """-s and -W together: no padding at all."""
    assert list(table(result((1, "a "), (20, "b")), Style(separator=",", trim=True))) == [
        "id,name",
        "--,----",
        "1,a",
        "20,b",
    ]


def test_headers_again_and_never() -> None:
    assert list(table(result((1, "a"), (2, "b")), Style(headers=-1))) == ["1 a", "2 b"]
    lines = list(table(result((1, "a"), (2, "b"), (3, "c")), Style(headers=2)))
    assert lines.count("id name") == 2
    assert lines[5:] == ["id name", "-- ----", " 3 c"]


def test_long_cells_are_cut_for_a_terminal_only() -> None:
    assert "…" in drawn(result((1, "x" * 20)), Style(cell_limit=5))
    assert "x" * 20 in drawn(result((1, "x" * 20)))


@pytest.mark.parametrize(("value", "shown"), [(Decimal("0.50"), ".50"), (Decimal("-1.00"), "-1.00"), (None, "NULL")])
def test_decimals_look_as_in_sqlcmd(value: Decimal | None, shown: str) -> None:
    lines = list(table(ResultSet([ResultColumn("d", decimal(9, 2))], [(value,)])))
    assert lines[-1].strip() == shown


def test_counts_and_messages() -> None:
    assert drawn(RowsAffected(1)) == "\n(1 rows affected)\n"
    assert drawn(InfoMessage("hello")) == "hello\n"


def test_an_error_names_its_place_in_the_file() -> None:
    error = SqlError(208, "No such object.", line=3)
    assert drawn(ErrorOutcome(error)) == "Msg 208, Level 16, State 1, Line 3\nNo such object.\n"
    shown = drawn(ErrorOutcome(error), place=Place("a.sql", 10))
    assert shown == "Msg 208, Level 16, State 1, Line 3 (a.sql:12)\nNo such object.\n"


def test_an_error_in_a_procedure_has_the_place_of_its_batch() -> None:
    error = SqlError(208, "No such object.", line=3, procedure="dbo.p")
    assert "Procedure dbo.p, Line 3 (a.sql, batch at line 10)" in drawn(ErrorOutcome(error), place=Place("a.sql", 10))


def test_a_caret_points_at_a_syntax_error() -> None:
    error = SqlError(102, "Incorrect syntax.", severity=15, line=2, column=4)
    assert caret("SELECT\n\tab cd", error) == "\tab cd\n\t  ^"
    assert drawn(ErrorOutcome(error), source="SELECT\nab cd").endswith("Incorrect syntax.\nab cd\n   ^\n")
    assert caret("SELECT", SqlError(208, "x", line=1)) is None


@pytest.mark.parametrize("place", [0, 30, 40, 75, 100, 160, 195])
def test_of_a_long_line_the_part_around_the_error_is_shown(place: int) -> None:
    text = (
        "".join(chr(ord("a") + n % 26) for n in range(place))
        + "!"
        + "".join(chr(ord("a") + n % 26) for n in range(199 - place))
    )
    shown, below = (caret(text, SqlError(102, "x", line=1, column=place + 1)) or "").split("\n")
    assert len(shown) <= 78 and shown[below.index("^")] == "!"
    assert (shown.startswith("…"), shown.endswith("…")) == (place > 38, place < 161)


def test_values_of_every_kind_have_a_text() -> None:
    kinds = [("bit", True, "1"), ("varbinary", b"\x01\xab", "0x01AB")]
    for name, value, shown in kinds:
        assert list(table(ResultSet([ResultColumn("v", SqlType(name))], [(value,)])))[-1].strip() == shown
