"""A None has no type of its own: it takes the type of its place, wherever in a batch the statement stands, at every
door. varbinary tells, for no text becomes one by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import sbql

BLOCKS = [
    "{0}", "IF 1 = 1 {0}", "IF 1 = 0 PRINT 'a' ELSE {0}", "IF @a IS NULL {0}", "IF 1 = 1 BEGIN {0} END", "BEGIN BEGIN {0} END END", "WHILE 1 = 1 BEGIN {0}; BREAK END",
    "BEGIN TRY {0} END TRY BEGIN CATCH THROW END CATCH", "BEGIN TRY SELECT 1 / 0 END TRY BEGIN CATCH {0} END CATCH", "DECLARE @z int = 1; {0}",
]  # fmt: skip
PLACES = [
    "INSERT t (b) VALUES (@a)", "INSERT t (n, b) VALUES (1, @a)", "INSERT t VALUES (@a, 2)", "UPDATE t SET b = @a", "UPDATE t SET n = 1 WHERE b = @a", "DELETE t WHERE b IN (@a)",
    "EXEC p @a", "EXEC p @b = @a",
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_within_every_block(connect: Callable[..., sbql.Connection], place: str) -> None:
    with connect() as connection:
        connection.execute("DROP TABLE IF EXISTS t; DROP PROCEDURE IF EXISTS p; CREATE TABLE t (b varbinary(9), n int)")
        connection.execute("CREATE PROCEDURE p @b varbinary(9) AS RETURN 1")
        for block in BLOCKS:
            connection.execute(block.format(place), {"a": None})
