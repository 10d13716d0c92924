"""When the prompt runs what was typed."""

from __future__ import annotations

import pytest

from sbql.repl.input import is_complete, is_help, is_quit, with_go


@pytest.mark.parametrize(
    "text", ["SELECT 1\nGO", "SELECT 1\n go 5 -- five times", "GO;", "quit", "EXIT", ":quit", "help", ":r x.sql"]
)
def test_complete(text: str) -> None:
    assert is_complete(text)


@pytest.mark.parametrize(
    "text", ["SELECT 1", "SELECT 1;", "GO\nSELECT 1", "GOTO x", "SELECT 'a\nquit", "SELECT go", ""]
)
def test_incomplete(text: str) -> None:
    assert not is_complete(text)


def test_words_for_the_prompt() -> None:
    assert is_quit(" quit ; ")
    assert not is_quit("quit now")
    assert is_help("\\?")
    assert not is_help("help me")


def test_f5_adds_what_is_missing() -> None:
    assert with_go("SELECT 1\n") == "SELECT 1\nGO"
    assert with_go("SELECT 1\nGO") == "SELECT 1\nGO"
    assert with_go("  ") == "  "
