"""An error in the text of CREATE or ALTER PROCEDURE, FUNCTION, VIEW and TRIGGER is told of the module that it defines,
in its line; the place is the batch's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session
from sbql.grammar.batches import Place
from sbql.grammar.definition_texts import defined_module

HEADS = {
    "procedure": "CREATE PROCEDURE dbo.[the one] AS\n{}",
    "proc": "CREATE OR ALTER PROC [the one] @a int = 1 AS\n{}",
    "function": "CREATE FUNCTION [dbo].[the one] () RETURNS int AS BEGIN\n{}\nRETURN 1 END",
    "view": "CREATE VIEW dbo.[the one] AS\n{}",
    "trigger": "CREATE TRIGGER [the one] ON dbo.t AFTER INSERT AS\n{}",
    "DDL trigger": "CREATE TRIGGER [the one] ON DATABASE FOR CREATE_TABLE AS\n{}",
}
WRONG = {
    "syntax": ("SELECT 1 + FROM dbo.t", [156]),
    "an open quote": ("SELECT 'abc", [105, 102]),
    "a column": ("SELECT nosuch AS a FROM dbo.t", [207]),
    "a variable": ("SELECT @nosuch AS a", [137]),
    "a type": ("SELECT CAST(1 AS nosuch) AS a", [243]),
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    opened = instance.connect()
    for batch in (
        "CREATE DATABASE Defined",
        "USE Defined",
        "CREATE TABLE dbo.t (a int)",
        "CREATE PROCEDURE dbo.twice AS RETURN",
    ):
        opened.run(batch)
    yield opened
    instance.close()


def told(session: Session, text: str) -> list[ErrorOutcome]:
    return [one for one in session.run(text) if isinstance(one, ErrorOutcome)]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("head", HEADS)
def test_the_module_is_told(session: Session, head: str, wrong: str) -> None:
    line, numbers = WRONG[wrong]
    line = (
        f"DECLARE @x int = ({line})" if head == "function" and wrong in ("a column", "a variable", "a type") else line
    )
    text = HEADS[head].format(line)
    heard = [one.error for one in told(session, f"-- a comment\n{text}")]
    assert [(e.number, e.procedure, e.line) for e in heard] == [(number, "the one", 3) for number in numbers]
    assert all(e.column > 0 and Place("s.sql", 10).of(e) == "s.sql:12" for e in heard)
    quoted = text.replace("'", "''")
    (outcome,) = [o for o in session.run(f"BEGIN TRY\n\nEXEC (N'{quoted}') END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_PROCEDURE(), ERROR_LINE() END CATCH")
                  if isinstance(o, ResultSet)]  # fmt: skip
    assert [tuple(row) for row in outcome.rows] == [(numbers[-1], "the one", 2)]
    inner = [one.error for one in told(session, f"\n\nEXEC (N'{quoted}')")]
    assert [(e.number, e.procedure, e.line, e.column) for e in inner] == [
        (number, "the one", 2, 0) for number in numbers
    ]
    assert {Place("s.sql", 10).of(e) for e in inner} == {"s.sql, batch at line 10"}


@pytest.mark.parametrize(
    ("text", "number", "state", "name"),
    [
        ("CREATE PROCEDURE dbo.twice AS RETURN", 2714, 3, "twice"),
        ("ALTER PROCEDURE dbo.nosuch AS RETURN", 208, 6, "nosuch"),
        ("CREATE TRIGGER tr ON dbo.nosuch AFTER INSERT AS RETURN", 8197, 4, "tr"),
        ("SELECT 1\nCREATE PROCEDURE p AS RETURN", 111, 1, None),
        ("CREATE TABLE dbo.t (a int)", 2714, 6, None),
    ],
)
def test_what_the_statement_itself_cannot_do(
    session: Session, text: str, number: int, state: int, name: str | None
) -> None:
    (heard,) = told(session, text)
    assert (heard.error.number, heard.error.state, heard.error.procedure) == (number, state, name)


def test_what_runs_is_told_of_whoever_runs_it(session: Session) -> None:
    """A DDL trigger that fails while a module is made is told as itself."""
    session.run("CREATE TRIGGER watch ON DATABASE FOR CREATE_VIEW AS SELECT 1 / 0 AS a")
    heard = [one.error for one in told(session, "CREATE VIEW dbo.seen AS SELECT 1 AS a")]
    session.run("DROP TRIGGER watch ON DATABASE")
    assert (heard[0].number, heard[0].procedure) == (8134, "watch")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("CREATE PROC p AS", "p"),
        ("/* c */ ALTER PROCEDURE [a b].[c ]] d] @x", "c ] d"),
        ('CREATE OR ALTER VIEW db.."v" (a)', "v"),
        ("CREATE FUNCTION f(", "f"),
        ("CREATE TRIGGER", ""),
        ("CREATE TABLE p (a int)", ""),
        ("PRINT 1 CREATE PROC p AS", ""),
        ("CREATE", ""),
        ("", ""),
    ],
)
def test_the_name_in_a_text_that_may_be_wrong(text: str, name: str) -> None:
    assert defined_module(text) == name
