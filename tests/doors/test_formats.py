"""Result sets for programs and documents, by -F and by \\format: read back by the libraries that read such files."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as etree
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.work import Cancelled
from sbql.grammar.types import INT, nvarchar
from sbql.grammar.values.checkpoints import set_check
from sbql.repl.cli import main
from sbql.repl.options import UsageError, parse_options
from sbql.repl.presenter import Presenter
from sbql.repl.screen import Screen
from sbql.repl.view import FORMATS, View

QUERY = """SELECT 1 AS id, N'a,"b"' AS t, CAST(NULL AS int) AS n, CAST(1.50 AS decimal(9,2)) AS d, CAST(1 AS bit) AS b, 0x0F AS x
UNION ALL SELECT 2, N'line' + NCHAR(10) + N'two' + NCHAR(9) + N'|', 3, 0.5, 0, 0x"""


def written(capsys: pytest.CaptureFixture[str], kind: str, query: str = QUERY) -> str:
    assert main(["-F", kind, "-Q", query]) == 0
    return capsys.readouterr().out


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.reader(written(capsys, "csv").splitlines(keepends=True)))
    assert rows == [
        ["id", "t", "n", "d", "b", "x"],
        ["1", 'a,"b"', "", "1.50", "1", "0x0F"],
        ["2", "line\ntwo\t|", "3", ".50", "0", "0x"],
    ]


def test_tsv(capsys: pytest.CaptureFixture[str]) -> None:
    assert written(capsys, "tsv").splitlines()[2] == "2\tline\\ntwo\\t|\t3\t.50\t0\t0x"


def test_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.loads(line, parse_float=Decimal) for line in written(capsys, "json").splitlines()]
    assert rows == [
        {"id": 1, "t": 'a,"b"', "n": None, "d": Decimal("1.50"), "b": True, "x": "0x0F"},
        {"id": 2, "t": "line\ntwo\t|", "n": 3, "d": Decimal("0.50"), "b": False, "x": "0x"},
    ]


def test_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert written(capsys, "md", "SELECT 1 AS id, 'a|b' AS t, NULL AS n") == (
        "| id | t | n |\n| ---: | --- | ---: |\n| 1 | a\\|b | NULL |\n"
    )


def test_html(capsys: pytest.CaptureFixture[str]) -> None:
    text = written(capsys, "html", "SELECT 1 AS [a<b], 'x & \"y\"' AS t, NULL AS n, N'two' + NCHAR(10) + N'lines' AS l")
    table = etree.fromstring(text.replace("<br>", "<br/>"))
    assert [head.text for head in table.iterfind("thead/tr/th")] == ["a<b", "t", "n", "l"]
    cells = list(table.iterfind("tbody/tr/td"))
    assert ["".join(cell.itertext()) for cell in cells] == ["1", 'x & "y"', "NULL", "twolines"]
    assert [dict(cell.attrib) for cell in cells] == [{"style": "text-align: right"}, {}, {"class": "null"}, {}]
    assert [child.tag for child in cells[3]] == ["br"]


def test_vertical_is_sqlcmds(capsys: pytest.CaptureFixture[str]) -> None:
    query = "SELECT 58 AS session_id, 'sqlcmd' AS program UNION ALL SELECT 59, NULL"
    assert written(capsys, "vert", query) == (
        "session_id 58\nprogram    sqlcmd\n\nsession_id 59\nprogram    NULL\n\n(2 rows affected)\n"
    )


def test_horizontal_is_what_it_always_was(capsys: pytest.CaptureFixture[str]) -> None:
    assert written(capsys, "horizontal") == written(capsys, "plain")


def test_a_table_in_a_pipe_is_not_cut(capsys: pytest.CaptureFixture[str]) -> None:
    assert "a" * 500 in written(capsys, "table", "SELECT REPLICATE('a', 500) AS a")


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_files_of_arrow(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    file = tmp_path / f"out.{kind}"
    assert main(["-F", kind, "-o", str(file), "-Q", f"{QUERY}; SELECT 9 AS nine"]) == 0
    read = parquet.read_table if kind == "parquet" else feather.read_table
    assert read(file).column("d").to_pylist() == [Decimal("1.50"), Decimal("0.50")]
    assert read(tmp_path / f"out-2.{kind}").to_pylist() == [{"nine": 9}]


@pytest.mark.parametrize("kind", ["parquet", "arrow", "csv"])
def test_a_file_that_cannot_be_written_stops_the_run_before_it_begins(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "out"):
        assert main(["-F", kind, "-o", str(path), "-Q", "PRINT 'it runs'"]) == 1
        said = capsys.readouterr()
        assert said.err.startswith(f"sbql: cannot write {path}: ") and "it runs" not in said.out + said.err


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_without_pyarrow_it_says_what_to_install(
    kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sbql.repl.cli.find_spec", lambda name: None)
    assert main(["-F", kind, "-o", "out", "-Q", "SELECT 1"]) == 1
    assert capsys.readouterr().err == f"sbql: -F {kind} needs pyarrow: pip install pyarrow\n"


def test_rows_that_are_lost_later_are_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "out-2.parquet").mkdir()  # the place of the second result set
    assert main(["-F", "parquet", "-o", str(tmp_path / "out.parquet"), "-Q", "SELECT 1 AS a; SELECT 2 AS b"]) == 1
    assert "cannot write" in capsys.readouterr().err


def test_programs_get_rows_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-F", "csv", "-Q", "PRINT 'hello'; SELECT 1 AS a; SELECT 1/0; SELECT 2 AS b"]) == 0
    said = capsys.readouterr()
    assert said.out == "a\n1\n\n\n" + "b\n2\n" or said.out == "a\n1\n\nb\n2\n"
    assert "hello" in said.err and "Msg 8134" in said.err


def test_what_is_no_format_is_told() -> None:
    with pytest.raises(UsageError, match="There are plain, table"):
        parse_options(["-F", "xls", "-Q", "SELECT 1"])
    with pytest.raises(UsageError, match=r"-o result\.parquet"):
        parse_options(["-F", "parquet", "-Q", "SELECT 1"])


class _Rows(list[tuple[object, ...]]):
    """Rows that know how many of them somebody has taken at once."""

    taken = 0

    def __iter__(self) -> Iterator[tuple[object, ...]]:
        for number, row in enumerate(super().__iter__(), 1):
            self.taken = max(self.taken, number)
            yield row


@pytest.mark.parametrize("place", ["stream", "file"])
@pytest.mark.parametrize("kind", FORMATS)
def test_what_is_written_for_long_can_be_cancelled(kind: str, place: str, tmp_path: Path) -> None:
    """In the middle: no form reads all rows before it asks."""
    path, stream = tmp_path / "rows", io.StringIO()
    view = View(kind, limit=0)
    presenter = Presenter(view, Screen(stream) if kind == "table" else None, print)
    if view.is_file or place == "file":
        presenter.redirect(kind, str(path))
    rows = _Rows((n, f"row {n}") for n in range(2000))
    result = ResultSet([ResultColumn("a", INT), ResultColumn("b", nvarchar(20))], rows)
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked == 4:
            raise Cancelled

    before = set_check(check)
    try:
        with pytest.raises(Cancelled):
            presenter.show(result, stream)
    finally:
        set_check(before)
        presenter.close()
    assert 0 < rows.taken < 2000
