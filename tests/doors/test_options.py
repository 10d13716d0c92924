"""The command line's spelling."""

from __future__ import annotations

import pytest

from sbql.repl.options import UsageError, parse_options


def test_files_come_in_order() -> None:
    """-i first, then the others."""
    assert parse_options(["c.sql", "-i", "a.sql", "-i", "b.sql", "d.sql"]).files == ["a.sql", "b.sql", "c.sql", "d.sql"]


def test_variables_take_several_and_leave_scripts_alone() -> None:
    options = parse_options(["-v", "a=1", 'b="two words"', "x.sql", "-b"])
    assert options.variables == {"a": "1", "b": "two words"}
    assert options.files == ["x.sql"]
    assert options.stops_on_error


def test_headers_may_be_negative() -> None:
    assert parse_options(["-h", "-1", "-Q", "x"]).headers == -1
    assert parse_options(["-h-1", "-Q", "x"]).headers == -1


def test_the_administrators_connection_is_asked_for() -> None:
    assert parse_options(["-A", "x.sql"]).admin
    assert not parse_options(["x.sql"]).admin


def test_a_query_may_stay() -> None:
    assert not parse_options(["-Q", "SELECT 1"]).stays
    assert parse_options(["-q", "SELECT 1"]).stays


@pytest.mark.parametrize(
    "arguments",
    [["--nonsense"], ["-Q", "a", "x.sql"], ["-Q", "a", "-q", "b"], ["-h", "x"], ["-i"], ["--sto", "x"]],
)
def test_what_makes_no_sense_is_a_usage_error(arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        parse_options(arguments)


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("--help", "-?"):
        with pytest.raises(SystemExit) as ended:
            parse_options([word])
        assert ended.value.code == 0
        assert "sbql --store shop.duckdb" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_options(["--version"])
    assert capsys.readouterr().out.startswith("sbql 0.")
