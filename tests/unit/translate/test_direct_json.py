"""What OPENJSON lists of one document without DuckDB is what it lists with it: rows, columns and errors of statements
at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from answers import with_and_without

from sbql.engine.direct import form
from sbql.engine.instance import Instance
from sbql.engine.session import Session

VALUES = (
    "1", "-0", "1.50", "1e5", "42", "255", "256", "2147483648", "99999.995", '"x"', '"abc"', '" 7 "', '"2024-01-05"', '"2024-01-05T10:00:00.123"', '"10:30"', "true", "false", "null",
    '"é"', r'"\u00e9\ud835\udc9c"', '"AQID"', '{"a": 1.50}', "[1, 2]", '"0E984A7C-0F4C-4D9A-8C3F-1C2D3E4F5A6B"', '"日本"', '"a"', '"A"', '"2024-01-05T10:00:00+02:00"',
)  # fmt: skip
TYPES = (
    "int", "bigint", "tinyint", "bit", "decimal(10, 2)", "numeric(38, 38)", "money", "float", "real", "varchar(5)", "nvarchar(4)", "nvarchar(max)", "varchar(max)", "char(3)", "nchar(3)", "date", "datetime",
    "datetime2", "datetime2(3)", "smalldatetime", "time", "time(3)", "datetimeoffset", "uniqueidentifier", "varbinary(8)", "binary(4)", "xml", "varchar(9) COLLATE Latin1_General_BIN2",
)  # fmt: skip
TAME = ("nvarchar(max)", "nvarchar(4)", "varchar(5)", "char(3)")
CONDITIONS = ("{} IS NOT NULL", "{} = {}", "LEN(CAST({} AS nvarchar(50))) > 1", "CAST({} AS nvarchar(50)) LIKE '[1-9a]%'", "{} IN ('a', '1', NULL)", "{} = 'a'", "{} BETWEEN '1' AND 'a'")  # fmt: skip
ITEMS = ("{}", "ISNULL(CAST({} AS nvarchar(60)), N'none')", "CASE WHEN {} IS NULL THEN 1 ELSE 0 END", "@n", "'x' + CAST({} AS nvarchar(40))")  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    yield instance.connect()
    instance.close()


def document(chance: random.Random) -> str:
    draw = chance.random()
    if draw < 0.1:
        return chance.choice(("NULL", "N''", "N'{'", "N'5'", "N'[1,]'", "N'{\"a\" 1}'"))
    values = [chance.choice(VALUES) for _ in range(chance.choice((0, 1, 2, 4)))]
    if draw < 0.3:
        return f"N'[{', '.join(values)}]'"
    one = "{" + ", ".join(f'"{chance.choice("abcA")}": {value}' for value in values) + "}"
    return f"N'{one}'" if draw < 0.6 else f'N\'{{"rows": [{one}, {one}], "a": 1.50}}\''


def statement(chance: random.Random) -> str:
    path = chance.choice(("", "", ", '$.rows'", ", N'$.a'", ", 'strict $.rows'", ", @p", ", '$.rows[1]'", ", '$'"))
    if chance.random() < 0.3:
        names, columns = ["[key]", "value", "[type]"], ""
    else:
        types = [chance.choice(TAME if chance.random() < 0.5 else TYPES) for _ in range(chance.choice((1, 2, 3)))]
        names = [f"c{i}" for i in range(len(types))]
        ways = [chance.choice(("$.a", "$.b", "$.c", "$", "strict $.a", "$.a.a", "$.b[0]")) for _ in types]
        whole = [f"{n} {t} '{w}'" for n, t, w in zip(names, types, ways, strict=True)]
        if chance.random() < 0.2:
            whole.append("j nvarchar(max) '$.a' AS JSON")
            names.append("j")
        columns = f" WITH ({', '.join(whole)})"
    alias = chance.choice(("", " AS o", " o"))
    name = chance.choice(names)
    where = f" WHERE {chance.choice(CONDITIONS).replace('{}', name)}" if chance.random() < 0.4 else ""
    draw = chance.random()
    if draw < 0.3:
        items = "*"
    elif draw < 0.4:
        items = f"COUNT(*), {chance.choice(('COUNT', 'MAX', 'MIN'))}({chance.choice(names)})"
    else:
        items = ", ".join(chance.choice(ITEMS).replace("{}", chance.choice(names)) for _ in range(2))
    top = chance.choice(("", "", "TOP (1) ")) if "COUNT(*)" not in items else ""
    return f"SELECT {top}{items} FROM OPENJSON(@j{path}){columns}{alias}{where}"


@pytest.mark.parametrize("seed", range(15))
def test_statements_at_random(session: Session, seed: int) -> None:
    chance = random.Random(seed)
    answered: list[Any] = []
    for number in range(60):
        kind = chance.choice(("nvarchar(max)", "nvarchar(max)", "nvarchar(200)", "varchar(max)"))
        text = f"DECLARE @j {kind} = {document(chance)}, @n int = {number}, @p nvarchar(20) = N'$.rows'; {statement(chance)}"
        here, there = with_and_without(session, text, form.Direct, answered)
        assert here == there, text
    assert sum(rows is not None for rows in answered) > 15
