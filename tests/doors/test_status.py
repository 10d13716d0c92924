"""The line below the input."""

from __future__ import annotations

import pytest

from sbql.engine.instance import Instance
from sbql.grammar.script_lines import open_part, open_sign
from sbql.repl.side_session import SideSession
from sbql.repl.status import Status


def test_it_says_where_one_is_and_what_goes_on() -> None:
    instance = Instance.open(None)
    try:
        session = instance.connect()
        aside = SideSession(instance)
        status = Status(aside, is_live=False)
        assert status.text(session) == f"master | spid {session.spid}"
        for batch in (
            "CREATE DATABASE [it's]", "USE [it's]", "CREATE QUEUE Q", "CREATE SERVICE S ON QUEUE Q ([DEFAULT])",
            "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('a'); SEND ON CONVERSATION @h ('b')",
            "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'nowhere' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('a')",
            "BEGIN TRAN",
        ):  # fmt: skip
            session.run(batch)
        status.refresh(session.database_name)
        assert status.text(session) == (
            f"it's | spid {session.spid} | 1 open transaction | 2 ready | 1 to be transmitted"
        )
        status.is_on = False
        assert status.text(session) == ""
        session.run("COMMIT; USE master")
        assert session.run("DROP DATABASE [it's]") == []  # the line holds no database
        status.is_on = True
        status.refresh("it's")
        assert status.text(session) == f"master | spid {session.spid}"
        aside.close()
    finally:
        instance.close()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1\nGO", ""),
        ("SELECT 1\nPRINT 'a\nGO", "a string is open since line 2, GO is in it"),
        ("/* a\n/* b */\nGO", "a comment is open since line 1, GO is in it"),
        ("SELECT [a\nGO", "a name is open since line 1, GO is in it"),
        ("-- it's\nGO", ""),
    ],
)
def test_what_is_open_is_told(text: str, expected: str) -> None:
    assert open_sign(text) == expected


def test_the_open_part_is_what_follows_the_last_go() -> None:
    assert open_part("SELECT 1\nGO\n:setvar a b\nSELECT 'GO\nGO\n'") == "SELECT 'GO\nGO\n'"
    assert open_part("GO 5\n") == ""
