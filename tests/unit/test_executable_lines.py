"""Which lines of a batch can run, which a comment excludes, where conditions lead; and that a run
tells of no other lines than these."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sbql.engine.running_lines import are_heard, listen
from sbql.engine.scripts import read_script
from sbql.grammar.errors import SqlError
from sbql.grammar.executable_lines import branches_of, excluded_lines, first_line, lines_of
from sbql.grammar.parser import parse_batch
from sbql.repl.testing import run_script

SCRIPTS = Path(__file__).parents[1] / "sql"

MARKED = {
    "a script": """
        -- a comment
        USE master; --+
        DECLARE @a int, @b sysname;
        DECLARE @c int, @d int = 1; --+
        DECLARE @t TABLE (id int);
        SELECT --+
            1
        FROM @t; PRINT 'behind it'; --+
        /* PRINT 'a comment' */
        BEGIN TRANSACTION; --+
        COMMIT; --+
    """,
    "blocks": """
        IF 1 = 1 --+
        BEGIN
            BEGIN TRY
                PRINT 'a'; --+
            END TRY
            BEGIN CATCH
                THROW; --+
            END CATCH
        END
        ELSE IF 2 = 2 --+
            PRINT 'b'; --+
        ELSE
            again:
            WHILE 1 = 0 --+
            BEGIN
                GOTO again; --+
            END
    """,
    "a procedure": """
        -- what it is for
        CREATE OR ALTER --+
            PROCEDURE p @x int AS
        BEGIN
            SET NOCOUNT ON; --+
            DECLARE c CURSOR FOR --+
                SELECT 1;
            WAITFOR ( --+
                RECEIVE TOP (1) * FROM q
            ), TIMEOUT 5;
            INSERT t --+
            SELECT 1;
            RETURN 0; --+
        END
    """,
    "a view": """
        CREATE VIEW v AS --+
        WITH c AS ( --+
            SELECT 1 AS a
        )
        SELECT a FROM c
    """,
    "an inline function": """
        CREATE FUNCTION f() RETURNS TABLE AS --+
        RETURN
        (
            SELECT 1 AS a --+
        )
    """,
    "functions with statements": """
        CREATE FUNCTION f(@x int) --+
        RETURNS @t TABLE (id int) AS
        BEGIN
            INSERT @t --+
                VALUES (1);
            RETURN; --+
        END
    """,
    "a trigger": """
        CREATE TRIGGER r ON t AFTER INSERT AS --+
            IF UPDATE(a) --+
                PRINT 'a'; --+
    """,
    "exclusions": """
        CREATE PROCEDURE p AS --+
        BEGIN
            PRINT '-- pragma: no cover'; --+
            IF 1 = 0 --+
            BEGIN -- Pragma: No Cover
                PRINT 'a'; --x
                PRINT 'b'; --x
            END
            ELSE PRINT 'c'; --+
            EXEC q /* pragma: no cover */ --x
                @a = 1;
        END
    """,
}


def marked(text: str, mark: str) -> set[int]:
    return {number for number, line in enumerate(text.split("\n"), 1) if line.endswith(mark)}


@pytest.mark.parametrize("name", MARKED)
def test_lines(name: str) -> None:
    text = MARKED[name]
    tree = parse_batch(text)
    lines, excluded = lines_of(tree), excluded_lines(text, tree)
    assert lines - excluded == marked(text, "--+")
    assert lines & excluded == marked(text, "--x")


def test_the_first_line_of_what_does_not_parse() -> None:
    assert first_line("\n-- a\n/* b\n*/\n  SELECT FROM 'x") == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("IF 1 = 1\nPRINT 'a'\nELSE\nPRINT 'b'\nPRINT 'c'", {1: (2, 4)}),
        ("IF 1 = 1\nPRINT 'a'\n\nPRINT 'c'", {1: (2, 4)}),
        ("IF 1 = 1\nPRINT 'a'", {1: (2, -1)}),
        ("IF 1 = 1 RETURN\nPRINT 'a'", {1: (-1, 2)}),
        ("IF 1 = 1 PRINT 'a'\nPRINT 'b'", {}),
        ("IF 1 = 1 RETURN; IF 2 = 2 RETURN\nPRINT 'a'", {}),
        ("IF 1 = 1\nPRINT 'a'\nELSE IF 2 = 2\nPRINT 'b'", {1: (2, 3), 3: (4, -3)}),
        ("IF 1 = 1\nBEGIN\nDECLARE @a int\nEND\nPRINT 'a'", {}),
        ("WHILE 1 = 1\nBEGIN\nIF 2 = 2\nBREAK\nEND\nPRINT 'a'", {1: (3, 6), 3: (4, 1)}),
        ("BEGIN TRY\nIF 1 = 1\nPRINT 'a'\nEND TRY\nBEGIN CATCH\nPRINT 'b'\nEND CATCH\nPRINT 'c'", {2: (3, 8)}),
        ("CREATE PROCEDURE p AS\nIF 1 = 1\nBEGIN\nBEGIN TRY\nPRINT 'a'\nEND TRY\nBEGIN CATCH\nTHROW\nEND CATCH\nEND", {2: (5, -2)}),
    ],
)  # fmt: skip
def test_branches(text: str, expected: dict[int, tuple[int, int]]) -> None:
    assert branches_of(parse_batch(text)) == expected


# --- what is told --------------------------------------------------------------------------------------------


@pytest.fixture
def told() -> Iterator[set[tuple[str, int]]]:
    """The files and lines that were told of."""
    found: set[tuple[str, int]] = set()
    listen(lambda file, line, holds: found.add((file, line)))
    yield found
    listen(None)


@pytest.mark.parametrize("path", sorted(SCRIPTS.rglob("*.sql"))[::30], ids=lambda path: path.stem)
def test_a_run_tells_of_lines_that_can_run(path: Path, told: set[tuple[str, int]]) -> None:
    """And does what it does when nobody listens: the script holds its own expectations against it."""
    assert are_heard()
    run_script(path)
    lines = set()
    for batch in read_script(path).batches():
        with suppress(SqlError):
            lines.update(batch.place.at(line) for line in lines_of(parse_batch(batch.text)))
    here = {(file, line) for file, line in told if file == str(path)}
    assert here
    assert here <= lines
    assert {file for file, _ in told if file.endswith(".sql")} <= {str(path)}, "what it includes ends otherwise"


def test_nothing_is_kept_when_nobody_listens(tmp_path: Path) -> None:
    """A text that has run before somebody listens is told of when it is run again as a script."""
    path = tmp_path / "test.sql"
    path.write_text("PRINT 'a'\nGO\n--! print a\n", encoding="utf-8")
    found: list[int] = []
    run_script(path)
    listen(lambda file, line, holds: found.append(line))
    listen(None)
    run_script(path)
    assert found == []
