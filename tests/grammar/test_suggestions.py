"""Misspelled keywords: what was meant, and the caret under the wrong word."""

from __future__ import annotations

import pytest

from sbql.grammar.errors import SqlError
from sbql.grammar.parser import check, parse_batch
from sbql.grammar.suggestions import nearest

MISSPELLED = [
    ("SELCT * FROM t", "SELCT", "SELECT"),
    ("SELECT a FORM t WHERE a = 1", "FORM", "FROM"),
    ("SELECT * FORM t", "FORM", "FROM"),
    ("INSERT INTO t VALEUS (1)", "VALEUS", "VALUES"),
    ("INSRT INTO t VALUES (1)", "INSRT", "INSERT"),
    ("UPDATE t SET a = 1 WHRE b = 2", "WHRE", "WHERE"),
    ("SELECT a FROM t GRUOP BY a", "GRUOP", "GROUP"),
    ("SELECT a FROM t ORDR BY a", "ORDR", "ORDER"),
    ("DELCARE @a int", "DELCARE", "DECLARE"),
    ("EXECUT p 1", "EXECUT", "EXECUTE"),
    ("RECIEVE * FROM q", "RECIEVE", "RECEIVE"),
    ("RECEIVE TOP (1) * FORM q", "FORM", "FROM"),
    ("BEGIN DIALOGUE CONVERSATION @h FROM SERVICE a TO SERVICE 'b'", "DIALOGUE", "DIALOG"),
    ("BEGIN DIALOG @h FORM SERVICE a TO SERVICE 'b'", "FORM", "FROM"),
    ("SEND ON CONVERSTION @h ('x')", "CONVERSTION", "CONVERSATION"),
    ("END CONVERSATION @h WITH EROR = 1 DESCRIPTION = 'x'", "EROR", "ERROR"),
    ("WAITFOR (RECEIVE * FROM q), TIMOUT 100", "TIMOUT", "TIMEOUT"),
    ("CREATE QUEU q", "QUEU", "QUEUE"),
    ("CREATE MESAGE TYPE x", "MESAGE", "MESSAGE"),
    ("CREATE MESSAGE TYPE x VALIDATON = NONE", "VALIDATON", "VALIDATION"),
    ("DROP PROCEDUR p", "PROCEDUR", "PROCEDURE"),
    ("ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDUR_NAME = p)", "PROCEDUR_NAME", "PROCEDURE_NAME"),
    ("CREATE TABLE t (a int NOT NUL)", "NUL", "NULL"),
    ("CREATE TABLE t (a int PRIMRY KEY)", "PRIMRY", "PRIMARY"),
    ("WHILE 1 = 1 BEGN PRINT 'x' END", "BEGN", "BEGIN"),
]


@pytest.mark.parametrize(("text", "wrong", "meant"), MISSPELLED)
@pytest.mark.parametrize("before", ["", "PRINT 'ä漢\t';\n\n  "])
def test_misspelled_keyword(text: str, wrong: str, meant: str, before: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse_batch(before + text)
    error = caught.value
    assert error.number in (102, 156, 343)
    assert f"Did you mean {meant} instead of {wrong}?" in error.message
    line = (before + text).split("\n")[error.line - 1]
    assert line[error.column - 1 :].startswith(wrong)
    assert error.message == check(before + text)[0].message


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1 1",
        "SELECT a, b c d FROM t",
        "EXEC p 1,",
        "SELECT (1",
        "SELECT * FROM t WHERE zzz qqq",
        "CREATE TABLE t (a int,, b int)",
    ],
)
def test_no_guess_where_no_word_is_misspelled(text: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse_batch(text)
    assert "Did you mean" not in caught.value.message


def test_names_keep_their_spelling() -> None:
    assert nearest("ordrs", ["Items", "Orders", "orderlines"]) == ["Orders"]
    assert nearest("Orders", ["Orders"]) == []
    assert nearest("zz", ["Orders"]) == []
