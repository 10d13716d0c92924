"""Passwords are told by the tokens of a text, however they are written."""

from __future__ import annotations

import pytest

from sbql.grammar.passwords import without_passwords


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("CREATE LOGIN k WITH PASSWORD = 'x'", "CREATE LOGIN k WITH PASSWORD = '******'"),
        ("ALTER LOGIN k WITH password=N'a''b' OLD_PASSWORD = 'c'", "ALTER LOGIN k WITH password='******' OLD_PASSWORD = '******'"),
        ("ENCRYPTION BY PASSWORD /* = 'no' */\n= -- here\n'x'", "ENCRYPTION BY PASSWORD /* = 'no' */\n= -- here\n'******'"),
        ("SELECT 'PASSWORD = ''x'''", "SELECT 'PASSWORD = ''x'''"),
        ("SELECT [PASSWORD] FROM t WHERE [PASSWORD] = 'x' -- PASSWORD = 'y'", "SELECT [PASSWORD] FROM t WHERE [PASSWORD] = 'x' -- PASSWORD = 'y'"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_is_shown_of_a_text(text: str, shown: str) -> None:
    assert without_passwords(text) == shown
