"""Every query hint in its form is accepted and printed; every other form of it, and every misspelling, is refused."""

from __future__ import annotations

import pytest
from printing import to_sql

from sbql.grammar.ast import SelectStatement
from sbql.grammar.builders.query_hints import FORMS, USE_HINTS
from sbql.grammar.errors import SqlError
from sbql.grammar.parser import check, parse_batch

_ENDS = {
    "": ("",),
    "n": (" 1", " 0"),
    "= percent": (" = 1", " = 1.5", " = 100"),
    "= string": (" = 'x'", " = N'x'"),
    "string": (" 'x'", " N'x'"),
    "(strings)": (" ('QUERY_PLAN_PROFILE')", " (N'query_plan_profile', 'DISALLOW_BATCH_MODE')"),
    "(variables)": (" (@x = 1)", " (@x UNKNOWN, @y = -1.5, @z = N'a')", " (@x = 0x00, @y = NULL, @z = $1)"),
    "(table)": (" (t)", " (t, FORCESEEK)", " (t, INDEX(i, j) NOLOCK)"),
}


def _statement(hint: str) -> str:
    return f"SELECT a FROM t OPTION ({hint})"


def _numbers(hint: str) -> list[int]:
    try:
        parse_batch(_statement(hint))
    except SqlError as error:
        return [error.number]
    return []


@pytest.mark.parametrize("name", FORMS)
def test_each_hint_has_its_form_alone(name: str) -> None:
    for form, ends in _ENDS.items():
        for end in ends:
            hint = name + end
            if form == FORMS[name]:
                tree = parse_batch(_statement(hint))
                statement = tree.statements[0]
                assert isinstance(statement, SelectStatement)
                assert [each.name for each in statement.hints] == [name]
                assert parse_batch(to_sql(tree)) == tree
                assert check(_statement(hint.lower())) == []
            elif hint in ("OPTIMIZE FOR UNKNOWN", "USE PLAN 'x'"):
                continue
            else:
                assert _numbers(hint) in ([102], [156]), hint


@pytest.mark.parametrize("name", FORMS)
def test_a_misspelled_hint_is_refused(name: str) -> None:
    end = _ENDS[FORMS[name]][0]
    for place, word in enumerate(name.split()):
        words = name.split()
        words[place] = word + "X"
        assert _numbers(" ".join(words) + end) in ([102], [156]), words


def test_names_of_use_hint_are_known_in_any_case() -> None:
    for name in sorted(USE_HINTS):
        assert _numbers(f"USE HINT ('{name.swapcase()}')") == []
        assert _numbers(f"USE HINT ('{name}X')") == [10715]


@pytest.mark.parametrize("name", ["FAST", "MAXDOP", "MAXRECURSION"])
def test_a_number_is_given_once(name: str) -> None:
    assert _numbers(f"{name} 1, RECOMPILE, {name} 1") == []
    assert _numbers(f"{name} 1, RECOMPILE, {name} 2") == [1042]
    for wrong in ("-1", "1.5", "'1'", "@x", "= 1", "2147483648", ""):
        assert _numbers(f"{name} {wrong}") in ([102], [156]), wrong
