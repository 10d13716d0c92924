"""Functions that a query calls with their values: what they keep between rows, and COMPRESS, whose
windows are as small as the value."""

from __future__ import annotations

import gzip
import io
import random

import pytest
from told import told

from sbql.engine.functions.hashing import _decompress, _packed
from sbql.engine.instance import Instance
from sbql.grammar.errors import SqlError

LENGTHS = (0, 1, 249, 250, 251, 760, 761, 3799, 3800, 3801, 40_000, 300_000)


def _with_a_whole_window(value: bytes) -> bytes:
    found = io.BytesIO()
    with gzip.GzipFile(fileobj=found, mode="wb", mtime=0) as file:
        file.write(value)
    return found.getvalue()


@pytest.mark.parametrize("length", LENGTHS)
def test_a_small_window_gives_the_same_bytes(length: int) -> None:
    chance = random.Random(length)
    for letters in (b"a", b"ab", b"item 0123456789", bytes(range(256))):
        value = bytes(chance.choices(letters, k=length))
        for given in (value, (value[:40] * length)[:length]):
            assert _packed(given) == _with_a_whole_window(given)
            assert _decompress(_packed(given)) == given


def test_several_members_and_what_is_behind_them() -> None:
    one = _packed(b"one")
    assert _decompress(one + _packed(b"two")) == b"onetwo"
    assert _decompress(one + b"\0\0\0") == b"one"
    for broken in (one[:-1], one + b"x", one[:-5] + b"xxxxx", b"x"):
        with pytest.raises(SqlError):
            _decompress(broken)


def test_what_a_query_knows_of_the_catalog_ends_with_it() -> None:
    instance = Instance.open(None, clock="virtual", seed=0)
    session = instance.connect()

    def ids() -> list[object]:
        (found, *_) = session.run("SELECT COUNT(OBJECT_ID(n)) FROM (VALUES ('dbo.a'), ('dbo.a'), ('dbo.b')) AS s(n)")
        return [value for (value,) in found.rows]

    assert ids() == [0]
    session.run("CREATE TABLE dbo.a (i int)")
    assert ids() == [2]
    session.run("BEGIN TRANSACTION; DROP TABLE dbo.a; CREATE TABLE dbo.b (i int)")
    assert ids() == [1]
    session.run("ROLLBACK")
    assert ids() == [2]
    instance.close()


def test_an_answer_is_that_of_its_user_and_database() -> None:
    """The body of a scalar function runs within the query, as another user or in another database."""
    instance = Instance.open(None, clock="virtual", seed=0)
    session = instance.connect()
    for batch in (
        "CREATE DATABASE d1; CREATE DATABASE d2",
        "USE d2; CREATE TABLE only2 (a int)",
        """CREATE FUNCTION h (@n varchar(30)) RETURNS int AS BEGIN
            DECLARE @r int; SELECT @r = OBJECT_ID(x.n) FROM (VALUES (@n)) AS x (n); RETURN @r END""",
        """USE d1; CREATE USER u1 WITHOUT LOGIN; CREATE ROLE r1; ALTER ROLE r1 ADD MEMBER u1;
            CREATE TABLE t (k int, n varchar(20)); INSERT t VALUES (1, 'r1'), (3, 'only2'), (4, 't'); GRANT SELECT ON t TO u1""",
        """CREATE FUNCTION f (@n varchar(20)) RETURNS int WITH EXECUTE AS 'u1' AS BEGIN
            DECLARE @r int; SELECT @r = IS_MEMBER(n) FROM dbo.t WHERE k = 1; RETURN @r END""",
    ):
        assert not told(session, batch), batch
    assert told(session, "SELECT IS_MEMBER(n), dbo.f(n) FROM t WHERE k = 1") == [(0, 1)]
    assert told(session, "SELECT dbo.f(n), IS_MEMBER(n) FROM t WHERE k = 1") == [(1, 0)]
    found = told(
        session, "SELECT ISNULL(SIGN(OBJECT_ID(n)), 0), ISNULL(SIGN(d2.dbo.h(n)), 0) FROM t WHERE k > 1 ORDER BY k"
    )
    assert found == [(0, 1), (1, 0)]
    instance.close()
