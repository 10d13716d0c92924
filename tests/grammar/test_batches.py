"""GO, directives and scripting variables."""

from __future__ import annotations

import pytest

from sbql.grammar.batches import BatchText, Directive, ScriptVariables, split
from sbql.grammar.errors import SqlError


def texts(script: str, **variables: str) -> list[str]:
    return [part.text for part in split(script, variables=variables) if isinstance(part, BatchText)]


def texts_of(script: str, variables: ScriptVariables) -> list[str]:
    return [part.text for part in split(script, variables=variables) if isinstance(part, BatchText)]


def test_go_in_any_case_and_with_blanks() -> None:
    assert texts("a\nGO\nb\n  Go  \nc\ngo -- comment\nd\r\nGO;\r\ne") == ["a", "b", "c", "d\r", "e"]


def test_go_is_only_a_line_of_its_own() -> None:
    assert texts("SELECT 1 GO\nGOTO x\nGO x\n") == ["SELECT 1 GO\nGOTO x\nGO x\n"]


@pytest.mark.parametrize(
    "text",
    [
        "PRINT 'a\nGO\nb'",
        "/* a\nGO\n*/ x",
        "/* /* */\nGO\n*/ x",
        "SELECT [a\nGO\n]",
        'SELECT "a\nGO\n"',
        "PRINT 'it''s\nGO\n'",
    ],
)
def test_go_inside_is_no_end(text: str) -> None:
    assert texts(text) == [text]


@pytest.mark.parametrize(
    "text", ["-- it's\nGO\nb", "/* it's */\nGO\nb", "'a' -- '\nGO\nb", "'/*'\nGO\nb", "[']\nGO\nb"]
)
def test_quotes_in_comments_do_not_count(text: str) -> None:
    assert len(texts(text)) == 2


def test_count_line_and_source() -> None:
    script = "\n\nSELECT 1\nGO 5\nSELECT 2\nGO 0\n\n"
    assert list(split(script, source="x.sql")) == [
        BatchText("\n\nSELECT 1", 1, "x.sql", 5),
        BatchText("SELECT 2", 5, "x.sql", 0),
    ]


def test_variables_are_replaced_but_not_in_comments() -> None:
    script = (
        ":setvar Name \"a b\"\n:setvar n 5\nSELECT '$(name)', $(N) -- $(nothing)\n/* $(nothing)\n$(nothing) */ $(outer)"
    )
    assert texts(script, OUTER="o") == ["SELECT 'a b', 5 -- $(nothing)\n/* $(nothing)\n$(nothing) */ o"]


def test_variable_that_is_not_defined() -> None:
    for script in ("SELECT 1\nSELECT '$(x)'", ":setvar x 1\n:setvar x\n$(x)"):
        with pytest.raises(SqlError) as caught:
            texts(script)
        assert caught.value.number == 49921
        assert caught.value.line == script.count("\n") + 1


def test_the_callers_variables_stay_as_they_are() -> None:
    variables = {"x": "1"}
    assert [p.text for p in split(":setvar x 2\n$(x)", variables=variables) if isinstance(p, BatchText)] == ["2"]
    assert variables == {"x": "1"}


def test_include_goes_on_in_the_same_batch_and_is_relative() -> None:
    files = {"dir/a.sql": "two\n:r sub/b.sql\nfour\nGO\nfive", "dir/sub/b.sql": "three $(x)"}
    parts = list(split(':setvar x 7\none\n:r "a.sql"\nsix', read_file=files.__getitem__, source="dir/main.sql"))
    assert parts == [
        BatchText(
            "one\ntwo\nthree 7\nfour",
            2,
            "dir/main.sql",
            breaks=((2, "dir/a.sql", 1), (3, "dir/sub/b.sql", 1), (4, "dir/a.sql", 3)),
        ),
        BatchText("five\nsix", 5, "dir/a.sql", breaks=((2, "dir/main.sql", 4),)),
    ]


def test_include_errors() -> None:
    def missing(path: str) -> str:
        raise FileNotFoundError(2, "No such file", path)

    for read_file in (None, missing, lambda path: ":r again.sql"):
        with pytest.raises(SqlError) as caught:
            list(split("a\n:r x.sql", read_file=read_file))
        assert caught.value.number == 49924
        assert caught.value.line in (1, 2)


def test_directives_that_the_runner_carries_out() -> None:
    script = ':out stderr\n:error "my file"\n:list\na\n:exit\n:quit'
    assert list(split(script)) == [
        Directive("out", "stderr", 1, ""),
        Directive("error", "my file", 2, ""),
        Directive("list", "", 3, ""),
        Directive("exit", "", 5, ""),
        Directive("quit", "", 6, ""),
    ]


def test_on_error_holds_for_the_batches_that_end_below_it() -> None:
    script = "a\nGO\nb\n:on error exit\nGO\nc\nGO\n:On Error Ignore\nd"
    parts = [part for part in split(script) if isinstance(part, BatchText)]
    assert [part.exits_on_error for part in parts] == [False, True, True, False]


def test_the_place_of_a_line_behind_a_directive() -> None:
    (batch,) = texts_with_places("one\n:setvar x 1\nthree\nfour")
    assert [batch.place.at(line) for line in (1, 2, 3)] == [("", 1), ("", 3), ("", 4)]
    assert batch.without_lines(1).place.at(1) == ("", 3)


def texts_with_places(script: str) -> list[BatchText]:
    return [part for part in split(script) if isinstance(part, BatchText)]


def test_carriage_returns_stay_in_strings_and_end_no_directive() -> None:
    assert texts(":setvar x 1\r\nPRINT 'a\r\nb$(x)'\r\nGO 2\r\n") == ["PRINT 'a\r\nb1'\r"]


def test_exit_runs_the_open_batch_when_it_has_parentheses() -> None:
    assert list(split("a\n:EXIT()")) == [BatchText("a", 1, ""), Directive("exit", "", 2, "")]
    assert list(split("a\nexit (SELECT f(1))\nb")) == [
        BatchText("a\nSELECT f(1)", 1, ""),
        Directive("exit", "value", 2, ""),
        BatchText("b", 3, ""),
    ]
    assert list(split(":exit(SELECT 1)")) == [BatchText("SELECT 1", 1, ""), Directive("exit", "value", 1, "")]


def test_words_of_the_predecessor_need_no_colon() -> None:
    assert list(split("a\nQUIT\nb\nReset\nc\n!! dir")) == [
        Directive("quit", "", 2, ""),
        Directive("!!", "dir", 6, ""),
        BatchText("c", 5, ""),
    ]
    assert texts("SELECT 1 AS quit\nSELECT 'a\nquit\n'\nFROM quit x") == [
        "SELECT 1 AS quit\nSELECT 'a\nquit\n'\nFROM quit x"
    ]


def test_list_shows_the_open_batch_and_reset_forgets_it() -> None:
    assert list(split("a\nb\n:list\n:reset\nc")) == [Directive("list", "a\nb", 3, ""), BatchText("c", 5, "")]


def test_included_files_are_found_where_the_process_runs_too() -> None:
    def read(path: str) -> str:
        if path != "tools.sql":
            raise FileNotFoundError(2, "No such file", path)
        return "x"

    assert list(split(":r tools.sql", read_file=read, source="dir/main.sql")) == [BatchText("x", 1, "tools.sql")]


def test_setvar_reaches_the_variables_of_the_caller_when_they_are_script_variables() -> None:
    variables = ScriptVariables({"A": "1", "b": "2"})
    assert texts_of(":setvar a 5\n:setvar B\n$(A)", variables) == ["5"]
    assert dict(variables) == {"a": "5"}


def test_variables_can_be_left_alone() -> None:
    assert list(split("$(x)", substitutes=False)) == [BatchText("$(x)", 1, "")]


def test_quit_forgets_the_open_batch() -> None:
    assert list(split("a\n:quit")) == [Directive("quit", "", 2, "")]


@pytest.mark.parametrize(
    ("script", "number"),
    [
        (":on error stop", 49922),
        (":on fire", 49922),
        (":setvar", 49922),
        (":r", 49922),
        (":out", 49922),
        (":connect srv", 49923),
        (":Perftrace x", 49923),
        (":ServerList", 49923),
        (":exit now", 49922),
        ("a\nGO 99999999999", 49922),
    ],
)
def test_wrong_directives(script: str, number: int) -> None:
    with pytest.raises(SqlError) as caught:
        list(split(script))
    assert caught.value.number == number
    assert caught.value.line == script.count("\n") + 1


def test_a_directive_inside_a_string_is_text() -> None:
    assert texts("PRINT '\n:connect x\n'") == ["PRINT '\n:connect x\n'"]


def test_blank_batches_are_none() -> None:
    assert list(split("\ufeff\nGO\n \nGO\n")) == []
