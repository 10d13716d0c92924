"""RAND of a column: for each row the number that RAND of the value alone gives, and where RAND() goes on then. The
numbers themselves are the documentation's (tests/oracle, "RAND (Transact-SQL)")."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from told import last_rows

from sbql.engine.instance import Instance
from sbql.engine.session import Session

SEEDS = {
    "tinyint": (0, 1, 127, 255, None),
    "smallint": (-32768, -1, 0, 1, 32767, None),
    "int": (-2147483648, -2147483647, -15426, -1, 0, 1, 15425, 15426, 53668, 1073741824, 2147483646, 2147483647, None),
    "bigint": (-2147483649, -1, 0, 1, 2147483648, None),
    "varchar(12)": ("-7", "0", "2147483647", None),
}
PLACES = (
    "SELECT RAND(seed) FROM dbo.of_{table} WHERE k + 0 = {key}",
    "SELECT RAND(seed) FROM dbo.of_{table} WHERE k = {key}",
    "SELECT MAX(RAND(seed)) FROM dbo.of_{table} WHERE k + 0 = {key} GROUP BY k",
    "SELECT v.r FROM (SELECT k, RAND(seed) AS r FROM dbo.of_{table} WHERE k + 0 = {key}) AS v",
    "SELECT MAX(RAND(seed)) OVER (PARTITION BY k) FROM dbo.of_{table} WHERE k + 0 = {key}",
    "SELECT IIF(k > 0, RAND(seed), RAND(seed)) FROM dbo.of_{table} WHERE k + 0 = {key}",
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None)
    session = instance.connect()
    for name, seeds in SEEDS.items():
        last_rows(session, f"CREATE TABLE dbo.of_{name[:6]} (k int PRIMARY KEY, seed {name})")
        last_rows(
            session, f"INSERT dbo.of_{name[:6]} VALUES {', '.join(f'({k}, {text(s)})' for k, s in enumerate(seeds, 1))}"
        )
    yield session
    instance.close()


def text(seed: object) -> str:
    return "NULL" if seed is None else f"'{seed}'" if isinstance(seed, str) else str(seed)


@pytest.mark.parametrize("name", SEEDS)
@pytest.mark.parametrize("place", PLACES)
def test_a_seed_in_a_column_is_as_one_alone(session: Session, name: str, place: str) -> None:
    for key, seed in enumerate(SEEDS[name], 1):
        last_rows(session, "DECLARE @before float = RAND(99)")
        ((alone,),) = last_rows(session, f"DECLARE @s {name} = {text(seed)}; SELECT RAND(@s)")
        ((then,),) = last_rows(session, "DECLARE @r float = RAND(); SELECT @r")
        last_rows(session, "DECLARE @before float = RAND(99)")
        assert last_rows(session, place.format(table=name[:6], key=key)) == [(alone,)], seed
        assert last_rows(session, "DECLARE @r float = RAND(); SELECT @r") == [(then,)], seed


@pytest.mark.parametrize("name", SEEDS)
def test_every_row_has_its_own(session: Session, name: str) -> None:
    found = last_rows(session, f"SELECT RAND(seed) FROM dbo.of_{name[:6]} ORDER BY k")
    alone = [last_rows(session, f"SELECT RAND({text(seed)})")[0] for seed in SEEDS[name]]
    assert found == alone
    assert len({value for (value,) in found}) > 2


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT MAX(RAND(k)) FROM dbo.several",
        "SELECT RAND(k) FROM dbo.several",
        "UPDATE dbo.several SET number = RAND(k)",
        "INSERT dbo.others SELECT RAND(k) FROM dbo.several",
        "SELECT MAX(RAND(CHECKSUM(CAST(k AS nvarchar(9))))) FROM dbo.several",
    ],
)
def test_what_comes_after_many_rows_follows_one_of_them(session: Session, statement: str) -> None:
    last_rows(session, "CREATE TABLE dbo.several (k int, number float); CREATE TABLE dbo.others (number float)")
    last_rows(session, "INSERT dbo.several SELECT value, 0 FROM GENERATE_SERIES(-2500, 2500)")
    last_rows(session, "DECLARE @before float = RAND(99)")
    last_rows(session, statement)
    ((then,),) = last_rows(session, "DECLARE @r float = RAND(); SELECT @r")
    possible = set()
    for seed in ("@k", "CHECKSUM(CAST(@k AS nvarchar(9)))"):
        text = (
            f"DECLARE @k int = -2500, @r float, @s float; DECLARE @t TABLE (r float); WHILE @k <= 2500 BEGIN"
            f" SET @r = RAND({seed}); SET @s = RAND(); INSERT @t VALUES (@s); SET @k += 1 END; SELECT r FROM @t"
        )
        possible |= {value for (value,) in last_rows(session, text)}
    assert then in possible
    last_rows(session, "DROP TABLE dbo.several; DROP TABLE dbo.others")


def test_random_seeds_are_as_those_alone(session: Session) -> None:
    rng = random.Random(20)
    seeds = [rng.randrange(-(2**31), 2**31) for _ in range(300)]
    last_rows(session, "CREATE TABLE dbo.drawn (k int, seed int)")
    last_rows(session, f"INSERT dbo.drawn VALUES {', '.join(f'({k}, {seed})' for k, seed in enumerate(seeds))}")
    found = last_rows(session, "SELECT RAND(seed), RAND(seed / 7) FROM dbo.drawn ORDER BY k")
    alone = [
        last_rows(session, f"DECLARE @s int = {s}; DECLARE @r float = RAND(@s); SELECT @r, RAND(@s / 7)") for s in seeds
    ]
    assert found == [rows[0] for rows in alone]
    last_rows(session, "DROP TABLE dbo.drawn")
