"""Options that mean what they mean in sqlcmd: -t -k -y -Y -f -u."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbql.repl.cli import main
from sbql.repl.options import UsageError, parse_options


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments]) == 0
    return capsys.readouterr().out


def test_values_are_cut_by_their_type(capsys: pytest.CaptureFixture[str]) -> None:
    query = "SELECT CAST(N'abcdef' AS nvarchar(max)) AS v, CAST('ghijkl' AS varchar(20)) AS f, 1234567 AS n"
    assert shown(capsys, "-y", "3", "-Q", query).splitlines()[2] == "abc ghijkl 1234567"
    assert shown(capsys, "-Y", "2", "-Q", query).splitlines()[2] == "abcdef gh 1234567"
    assert shown(capsys, "-y", "0", "-Y", "0", "-Q", query).splitlines()[2] == "abcdef ghijkl 1234567"
    assert shown(capsys, "-Q", f":setvar SQLCMDMAXVARTYPEWIDTH 1\n{query}").splitlines()[
        2
    ] == "a   ghijkl 1234567".replace("   ", " ")


@pytest.mark.parametrize(("option", "expected"), [("-k", "abc  d"), ("-k1", "a  b c  d"), ("-k2", "a b c  d")])
def test_control_characters(capsys: pytest.CaptureFixture[str], option: str, expected: str) -> None:
    query = "SELECT 'a' + CHAR(13) + CHAR(10) + 'b' + CHAR(9) + 'c  d' AS x"
    assert shown(capsys, option, "-Q", query).splitlines()[2] == expected


def test_a_batch_that_takes_too_long_is_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    """An error like any other: the next batch runs, and -b ends the run."""
    text = "WAITFOR DELAY '00:01:00'\nGO\nPRINT 'next'\nGO"
    assert main(["-t", "1", "-Q", text]) == 0
    said = capsys.readouterr()
    assert said.out == "next\n" and "more than 1 s" in said.err
    assert main(["-b", "-t", "1", "-Q", text]) == 1
    assert capsys.readouterr().out == ""


def test_code_pages_of_files(tmp_path: Path) -> None:
    (tmp_path / "in.sql").write_bytes("PRINT N'§ĂČ'\nGO\n:r included.sql\nGO\n".encode("cp1250", "replace"))
    (tmp_path / "included.sql").write_bytes("PRINT N'Č'".encode("cp1250"))
    out = tmp_path / "out.txt"
    assert main(["-f", "i:1250,o:65001", "-i", str(tmp_path / "in.sql"), "-o", str(out)]) == 0
    assert out.read_bytes().decode("utf-8").split() == ["§ĂČ", "Č"]
    assert main(["-f", "1252", "-Q", "PRINT N'ü€'", "-o", str(out)]) == 0
    assert out.read_bytes() == "ü€\n".encode("cp1252")


def test_files_in_utf_16(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    assert main(["-u", "-o", str(out), "-Q", "PRINT N'日本'"]) == 0
    assert out.read_bytes().startswith((b"\xff\xfe", b"\xfe\xff"))
    assert out.read_text("utf-16") == "日本\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["-t", "-1"],
        ["-t", "70000"],
        ["-t", "x"],
        ["-y", "8001"],
        ["-Y", "-1"],
        ["-f", "9999"],
        ["-f", "x:1252"],
        ["-k3"],
        ["-u"],
    ],
)
def test_what_makes_no_sense_is_told(arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        parse_options([*arguments, "-Q", "SELECT 1"])
