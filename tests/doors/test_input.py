"""When the prompt runs what was typed."""

from __future__ import annotations

import pytest

from sbql.repl.input import is_complete, is_help, with_go


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1\nGO",
        "SELECT 1\n go 5 -- five times",
        "GO;",
        "quit",
        "EXIT",
        ":quit;",
        "help",
        ":r x.sql",
        ":nonsense",
        "SELECT 1\nexit",
        "SELECT 1\n:list",
        "SELECT 1\n\\queues",
        "/* it's */\nreset",
        "SELECT 'GO\n'\nGO",
        "?",
    ],
)
def test_complete(text: str) -> None:
    assert is_complete(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "SELECT 1;",
        "GO\nSELECT 1",
        "GOTO x",
        "SELECT 'a\nquit",
        "SELECT go",
        "",
        "/*\nexit",
        "SELECT 1\nhelp",
        "SELECT 1 \\\n",
        "SELECT [a\n\\queues",
        "exit now",
        "-- it\n",
        "SELECT 'a''\nGO",
    ],
)
def test_incomplete(text: str) -> None:
    assert not is_complete(text)


def test_words_for_the_prompt() -> None:
    assert is_help(" Help; ")
    assert not is_help("help me")


def test_f5_adds_what_is_missing() -> None:
    assert with_go("SELECT 1\n") == "SELECT 1\nGO"
    assert with_go("SELECT 1\nGO") == "SELECT 1\nGO"
    assert with_go("  ") == "  "
