"""The ways in which real scripts are written: semicolons left out, keywords as names, four forms of alias …"""

from __future__ import annotations

import pytest

from sbql.grammar.ast import (
    BeginEndBlock,
    CreateTableStatement,
    EndConversationStatement,
    ExecuteStatement,
    Identifier,
    IfStatement,
    QuerySpecification,
    ReceiveStatement,
    SelectColumn,
    SelectStatement,
    SendStatement,
    Statement,
    TryCatchStatement,
    WaitForStatement,
)
from sbql.grammar.parser import parse_batch


def kinds(text: str) -> list[type[Statement]]:
    return [type(statement) for statement in parse_batch(text).statements]


@pytest.mark.parametrize(
    "text",
    [
        "WAITFOR (RECEIVE TOP(1) @h = conversation_handle FROM q), TIMEOUT 500\nEND CONVERSATION @h\nSEND ON CONVERSATION @h",
        "waitfor (receive top 1 @h = conversation_handle from q) , timeout 500; ;end conversation (@h)\n;send on conversation @h;;",
        "WAITFOR\n(\n  RECEIVE\n   TOP (1)\n  @h\n=\nconversation_handle\nFROM\n[q]\n)\n,\nTIMEOUT\n500 END\nCONVERSATION\n@h SEND\nON\nCONVERSATION\n@h",
    ],
)
def test_semicolons_and_line_breaks_do_not_matter(text: str) -> None:
    assert kinds(text) == [WaitForStatement, EndConversationStatement, SendStatement]


def test_blocks_with_semicolons() -> None:
    assert kinds("BEGIN; SELECT 1; END; BEGIN TRY; SELECT 1; END TRY BEGIN CATCH; THROW; END CATCH;") == [
        BeginEndBlock,
        TryCatchStatement,
    ]


def test_end_conversation_between_if_and_else() -> None:
    (statement,) = parse_batch(
        "IF @t = 'x' END CONVERSATION @h ELSE IF @t = 'y' END CONVERSATION @h WITH CLEANUP"
    ).statements
    assert isinstance(statement, IfStatement)
    assert isinstance(statement.then, EndConversationStatement)
    assert isinstance(statement.otherwise, IfStatement)
    assert isinstance(statement.otherwise.then, EndConversationStatement)
    assert statement.otherwise.then.cleanup


def test_message_type_and_body_without_a_blank() -> None:
    (statement,) = parse_batch("SEND ON CONVERSATION @h MESSAGE TYPE [//x/y.z](@b)").statements
    assert isinstance(statement, SendStatement)
    assert statement.message_type == Identifier("//x/y.z", True)
    assert statement.body is not None


def test_columns_named_like_keywords() -> None:
    columns = "Priority, Status, State, Type, Name, Value, Queue, Service, Message, Contract, Timeout, Handle, Error, Description"
    (table,) = parse_batch(f"CREATE TABLE Message ({', '.join(c + ' int' for c in columns.split(', '))},)").statements
    assert isinstance(table, CreateTableStatement)
    assert len(table.elements) == 14
    (statement,) = parse_batch(
        f"SELECT {columns} FROM Message WHERE Status = 1 AND Type IN (SELECT Type FROM Queue)"
    ).statements
    assert isinstance(statement, SelectStatement)
    (received,) = parse_batch(
        "RECEIVE status, priority, queuing_order AS [Order], [Message_Body] FROM [Queue]"
    ).statements
    assert isinstance(received, ReceiveStatement)
    assert len(received.items) == 4


@pytest.mark.parametrize("item", ["a AS x", "a x", "x = a", "a AS 'x'", "'x' = a", "a 'x'", "a AS [x]", "[x] = a"])
def test_forms_of_alias(item: str) -> None:
    (statement,) = parse_batch(f"SELECT {item} FROM t").statements
    assert isinstance(statement, SelectStatement)
    assert isinstance(statement.query.query, QuerySpecification)
    (column,) = statement.query.query.items
    assert isinstance(column, SelectColumn)
    assert column.alias is not None
    assert column.alias.value == "x"


def test_execute_arguments() -> None:
    statements = parse_batch(
        "EXEC dbo.p @a = 1, @b = N'x', @c = @c OUTPUT EXECUTE @rc = p\nsp_x EXEC ('SELECT 1')"
    ).statements
    assert [type(s).__name__ for s in statements] == ["ExecuteStatement", "ExecuteStatement", "ExecuteStringStatement"]
    second = statements[1]
    assert isinstance(second, ExecuteStatement)
    assert second.result == "@rc"


def test_statements_that_start_with_a_soft_word_end_the_one_before() -> None:
    text = """
        SELECT @x = a FROM t AS x RECEIVE * FROM q
        UPDATE t SET a = 1 SEND ON CONVERSATION @h
        EXEC p 1 GET CONVERSATION GROUP @g FROM q
        DELETE FROM t MOVE CONVERSATION @h TO @g
        PRINT @a THROW
    """
    assert [k.__name__.removesuffix("Statement") for k in kinds(text)] == [
        "Select",
        "Receive",
        "Update",
        "Send",
        "Execute",
        "GetConversationGroup",
        "Delete",
        "MoveConversation",
        "Print",
        "Throw",
    ]
