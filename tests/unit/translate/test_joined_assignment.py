"""SELECT @t = @t + x FROM … gives the same text whether all rows are joined at once or one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from told_cursors import cursor_outcome

import sbql
from sbql.engine.query import joined_assignment, row_assignment
from sbql.grammar.errors import SqlError

SETUP = """CREATE TABLE words (id int PRIMARY KEY, n nvarchar(20), v varchar(20) NOT NULL, c char(3), m nvarchar(max), k int, o nvarchar(20) COLLATE Latin1_General_BIN2)
INSERT words VALUES (1, N'é', 'a', 'x', N'm', 7, N'p'), (2, N'', '', '', N'', 0, N''), (3, NCHAR(0xD83D), 'b', 'abc', NULL, 9, N'q'), (4, NCHAR(0xDE00), 'ß ', 'z', N'mm', NULL, NULL)"""
DECLARED = ("@s nvarchar(max) = N''", "@s nvarchar(max)", "@s varchar(max) = 'é'", "@s varchar(max)", "@s nvarchar(4) = N''", "@s nvarchar(4000) = REPLICATE(N'x', 3998)", "@s nvarchar(max) = NCHAR(0xD83D)")  # fmt: skip
JOINED = (
    "@s + n", "@s + v + ','", "@s + n + N', '", "@s + CAST(id AS varchar(10)) + CHAR(10)", "@s + @sep + v + @sep", "ISNULL(@s + ', ', '') + v", "ISNULL(@s + N', ', N'日') + n",
    "COALESCE(@s + @sep, '') + v + '!'", "COALESCE(@s + v + ';', '日') + c", "ISNULL(@s, '') + v", "@s + N'x'", "@s + (v + c)", "@s + CONCAT(m, k) + v",
)  # fmt: skip
OTHERS = (
    "@s + m", "@s + o", "@s + @s", "@s + v + @s", "v + @s", "ISNULL(@s + @null, '-') + v", "ISNULL(@s + m, '-') + v", "ISNULL(@s + @s, '-') + v", "ISNULL(@s + ',', @null) + v", "COALESCE(@s, v, '') + c",
    "CASE WHEN @s IS NULL THEN '' ELSE @s + ',' END + v", "IIF(LEN(@s) > 3, @s, @s + v)", "@s + @null + v", "@s + CAST(k AS varchar(5))", "@s + NEWID_OF", "REPLACE(@s, 'a', 'b') + v", "@s + 1",
)  # fmt: skip


@pytest.fixture(scope="module")
def cursors() -> Iterator[list[Any]]:
    cursors = [sbql.connect(autocommit=True).cursor() for _ in range(2)]
    for cursor in cursors:
        cursor.execute(SETUP)
    yield cursors
    for cursor in cursors:
        cursor.connection.close()


@pytest.mark.matrix
@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("expression", [*JOINED, *OTHERS])
def test_both_ways_give_the_same(
    cursors: list[Any], declared: str, expression: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expression = expression.replace("NEWID_OF", "LEFT(CAST(NEWID() AS varchar(36)), 0) + v")
    for behind in ("ORDER BY id", "WHERE id < 3 ORDER BY id", "WHERE id > 2 ORDER BY id DESC", "WHERE id > 9"):
        for option in ("ON", "OFF"):
            sql = f"""SET CONCAT_NULL_YIELDS_NULL {option}; DECLARE {declared}, @sep nvarchar(5) = N' | ', @null varchar(5), @rows int
                SELECT @s = {expression} FROM words {behind}
                SET @rows = @@ROWCOUNT; SELECT @s, DATALENGTH(@s), @rows"""
            found = cursor_outcome(cursors[0], sql)
            with monkeypatch.context() as patch:
                patch.setattr(row_assignment, "joined_texts", lambda *_: None)
                assert found == cursor_outcome(cursors[1], sql), sql


@pytest.mark.parametrize("expression", JOINED)
def test_rows_are_joined_at_once(expression: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No sum is made for a row."""
    with sbql.connect(autocommit=True) as connection:
        cursor = connection.cursor()
        cursor.execute(SETUP)
        monkeypatch.setattr(row_assignment, "converted", None)
        sums: list[Any] = []
        made = joined_assignment.JoinedTexts.text

        def noted(*given: Any) -> Any:
            sums.append(made(*given))
            return sums[-1]

        monkeypatch.setattr(joined_assignment.JoinedTexts, "text", noted)
        cursor.execute(f"DECLARE @s nvarchar(max) = N'', @sep nvarchar(5) = N';'; SELECT @s = {expression} FROM words")
    assert len(sums) == 1 and sums[0] is not None


def test_a_text_that_is_too_large_is_not_made(cursors: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(size: int) -> None:
        if size >= 4 * 1000:
            raise SqlError(701, "no room")

    monkeypatch.setattr(joined_assignment, "reserve", none_left)
    sql = "SET CONCAT_NULL_YIELDS_NULL ON; DECLARE @s nvarchar(max) = N'', @x nvarchar(max) = REPLICATE(N'x', {}); SELECT @s = @s + @x FROM words; SELECT LEN(@s)"
    assert cursor_outcome(cursors[0], sql.format(999)) == [(3996,)]
    assert cursor_outcome(cursors[0], sql.format(1000))[0] == 701
