"""Names and strings that are written as T-SQL are read back as they were, by the lexer and by `parse_object_name`."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from sbql.grammar.lexer import Source, scan, unquote
from sbql.grammar.names import bracketed, dotted, parse_object_name, string_literal

TEXTS = st.text(st.sampled_from("ab]['\". -/*\\é"), min_size=1, max_size=20)


@settings(deadline=None)
@given(TEXTS)
def test_a_bracketed_name_is_one_token(name: str) -> None:
    token, end = scan(Source(bracketed(name)))
    assert (token.kind, unquote(token.text), end.kind) == ("quoted", name, "end")


@settings(deadline=None)
@given(TEXTS)
def test_a_literal_is_one_token(text: str) -> None:
    token, end = scan(Source(string_literal(text)))
    assert (token.kind, unquote(token.text), end.kind) == ("STRING", text, "end")


@settings(deadline=None)
@given(st.lists(st.none() | TEXTS, max_size=3), TEXTS)
def test_dotted_names_are_taken_apart_again(qualifiers: list[str | None], name: str) -> None:
    found = parse_object_name(dotted(*qualifiers, name))
    assert [part and part.value for part in found.parts] == [*qualifiers, name]
