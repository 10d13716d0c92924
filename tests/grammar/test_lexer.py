"""What is a word, a string, a comment; and when a word is a keyword."""

from __future__ import annotations

import pytest

from sbql.grammar.ast import (
    BeginEndBlock,
    BinaryLiteral,
    EndConversationStatement,
    GlobalVariable,
    Identifier,
    IfStatement,
    LabelStatement,
    QuerySpecification,
    ReceiveStatement,
    SelectColumn,
    SelectStatement,
    SendStatement,
    StringLiteral,
)
from sbql.grammar.errors import SqlError
from sbql.grammar.keywords import PHRASES, RESERVED, UNSUPPORTED
from sbql.grammar.lexer import Source, scan
from sbql.grammar.parser import parse_batch


def first_item(text: str) -> SelectColumn:
    statement = parse_batch(text).statements[0]
    assert isinstance(statement, SelectStatement)
    assert isinstance(statement.query.query, QuerySpecification)
    item = statement.query.query.items[0]
    assert isinstance(item, SelectColumn)
    return item


@pytest.mark.parametrize(
    ("text", "value", "national"),
    [
        ("'a'", "a", False),
        ("N'a'", "a", True),
        ("n'it''s'", "it's", True),
        ("'a--b'", "a--b", False),
        ("'/*'", "/*", False),
        ("'a\\\nb'", "ab", False),
        ("'a\\\r\nb'", "ab", False),
        ("'\n'", "\n", False),
        ("''", "", False),
    ],
)
def test_string(text: str, value: str, national: bool) -> None:
    assert first_item(f"SELECT {text}").expression == StringLiteral(value, national)


@pytest.mark.parametrize(("text", "value"), [("0x", b""), ("0xAbC", b"\x0a\xbc"), ("0x01\\\n02", b"\x01\x02")])
def test_binary(text: str, value: bytes) -> None:
    assert first_item(f"SELECT {text}").expression == BinaryLiteral(value)


@pytest.mark.parametrize(
    ("text", "alias"),
    [
        ("[a]]b]", Identifier("a]b", True)),
        ('"a""b"', Identifier('a"b', True)),
        ("[http://x/y z.w]", Identifier("http://x/y z.w", True)),
        ("a#$@1", Identifier("a#$@1")),
        ("straße", Identifier("straße")),
        ("Type", Identifier("Type")),
    ],
)
def test_name_is_kept(text: str, alias: Identifier) -> None:
    assert first_item(f"SELECT 1 AS {text}").alias == alias


def test_global_variable_is_upper_case() -> None:
    assert first_item("SELECT @@rowCount").expression == GlobalVariable("@@ROWCOUNT")


def test_comments_nest_and_hide_everything() -> None:
    assert len(parse_batch("SELECT 1 /* a /* ' */ SELECT 2 */ -- /* '\nSELECT 3").statements) == 2


def test_keyword_case_does_not_matter() -> None:
    assert parse_batch("sElEcT 1 fRoM t") == parse_batch("SELECT 1 FROM t")


@pytest.mark.parametrize("word", sorted(PHRASES.keys() - RESERVED | {"SEND", "RECEIVE", "THROW", "STATUS"}))
def test_soft_keyword_is_a_name_elsewhere(word: str) -> None:
    assert first_item(f"SELECT {word}.x, t.{word} FROM {word}").expression is not None


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_reserved_word_is_no_name(word: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse_batch(f"CREATE SERVICE {word} ON QUEUE q")
    assert caught.value.number == (319 if word == "WITH" else 156)


def test_end_of_block_and_end_conversation() -> None:
    (block,) = parse_batch("BEGIN IF 1 = 1 END CONVERSATION @h END").statements
    assert isinstance(block, BeginEndBlock)
    (inner,) = block.statements
    assert isinstance(inner, IfStatement)
    assert isinstance(inner.then, EndConversationStatement)


def test_send_and_receive_need_no_semicolon_behind_what_takes_no_name() -> None:
    statements = parse_batch("SELECT 1 AS a SEND ON CONVERSATION @h SELECT a FROM t AS x RECEIVE * FROM q").statements
    assert [type(s) for s in statements] == [SelectStatement, SendStatement, SelectStatement, ReceiveStatement]


def test_label_is_no_securable_class() -> None:
    label, grant = parse_batch("again: GRANT SEND ON SERVICE::s TO public").statements
    assert label == LabelStatement("again")
    assert type(grant).__name__ == "PermissionStatement"


def test_scan_reports_each_lexical_error_once() -> None:
    errors: list[SqlError] = []
    tokens = scan(Source("SELECT \x01 'open"), errors)
    assert [error.number for error in errors] == [102, 105]
    assert [token.kind for token in tokens] == ["word", "STRING", "end"]


@pytest.mark.parametrize(
    ("text", "column", "wanted"),
    [
        ("SELECT \u2018a\u2019", 8, "\u2018 (U+2018, left single quotation mark) is what books and word processors set: T-SQL wants the plain '."),
        ("SELECT N\u201ca\u201d", 9, '\u201c (U+201C, left double quotation mark) is what books and word processors set: T-SQL wants the plain \' around a text, and " around a name.'),
        ("SELECT 5 \u2013 2", 10, "U+2013, en dash"),
        ("\u2014 a comment", 1, "U+2014, em dash"),
        ("SELECT\u00a01", 7, "U+00A0, no-break space"),
        ("SELECT a WHERE a \u2265 1", 18, "T-SQL wants the plain >="),
        ("SELECT 1\uff1b", 9, "T-SQL wants the plain ;"),
    ],
)  # fmt: skip
def test_typographic_characters_are_named(text: str, column: int, wanted: str) -> None:
    for batch, line in ((text, 1), ("PRINT 'a\u2019' -- \u201c\n" + text, 2)):
        with pytest.raises(SqlError) as caught:
            parse_batch(batch)
        assert (caught.value.number, caught.value.line, caught.value.column) == (102, line, column)
        assert wanted in caught.value.message
    assert parse_batch(f"SELECT '{text.replace(chr(39), '')}' -- {text}")


def test_a_string_that_a_typographic_quote_closes() -> None:
    with pytest.raises(SqlError) as caught:
        parse_batch("SELECT 'a\u2019, b")
    (told,) = caught.value.before
    assert (told.number, told.column, caught.value.number) == (105, 8, 102)
    assert "U+2019, right single quotation mark" in told.message


_UNCLOSED = [
    ("SELECT 'abc", [(105, 1, 8), (102, 1, 8)]),
    ("SELECT 1\nSELECT N'abc\ndef", [(105, 2, 8), (102, 2, 8)]),
    ("SELECT [abc", [(105, 1, 8), (102, 1, 8)]),
    ('SELECT "abc', [(105, 1, 8), (102, 1, 8)]),
    ("'abc", [(105, 1, 1), (102, 1, 1)]),
    ("SELECT 1 FROM t AS 'abc", [(105, 1, 20), (102, 1, 20)]),
    ("CREATE PROCEDURE p AS\nPRINT 'abc", [(105, 2, 7), (102, 2, 7)]),
    ("SELECT 1 WHERE a 'abc", [(105, 1, 18), (4145, 1, 18)]),
    ("MERGE t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET a = O'Brien;", [(105, 1, 64), (10713, 1, 64)]),
    ("UPDATE t SET a = 'Lee's Summit', b = ''", [(102, 1, 23), (105, 1, 39)]),
    ("SELECT * FROM\nWHERE 'abc", [(156, 2, 1), (105, 2, 7)]),
    ("SELECT 1 /* abc", [(113, 1, 10)]),
]


@pytest.mark.parametrize(("text", "errors"), _UNCLOSED)
def test_what_is_never_closed_makes_wrong_syntax(text: str, errors: list[tuple[int, int, int]]) -> None:
    """Both errors, in the order of their places, as SQL Server tells them; the last is ERROR_NUMBER()."""
    with pytest.raises(SqlError) as caught:
        parse_batch(text)
    assert [(e.number, e.line, e.column) for e in caught.value.with_causes()] == errors


def test_unsupported_statement_ends_before_else_and_end() -> None:
    (block,) = parse_batch("BEGIN IF 1 = 1 DBCC CHECKDB (d) WITH NO_INFOMSGS ELSE KILL 5 END").statements
    assert isinstance(block, BeginEndBlock)
    (inner,) = block.statements
    assert isinstance(inner, IfStatement)
    assert inner.otherwise is not None


@pytest.mark.parametrize("words", [" ".join((key, *rest)) for key, heads in UNSUPPORTED.items() for rest in heads])
def test_unsupported_statement_ends_where_the_next_begins(words: str) -> None:
    text = f"{words} x (a, ';')\nSELECT 1"
    first, second = parse_batch(text).statements
    assert getattr(first, "feature", None) == words
    assert isinstance(second, SelectStatement)
