"""What PIVOT and UNPIVOT refuse of the names that they are given: values that the column cannot have,
and columns that are there already."""

from __future__ import annotations

import pytest
from told import told

from sbql.engine.instance import Instance

TYPES = (
    "tinyint", "smallint", "int", "bigint", "bit", "decimal(5, 2)", "numeric(9)", "money", "smallmoney", "float", "real", "date", "time", "datetime", "smalldatetime", "datetime2", "datetimeoffset",
    "uniqueidentifier", "varchar(9)", "nvarchar(9)", "char(9)",
)  # fmt: skip
VALUES = (
    "1", "-1", "300", "99999999999", "1.5", " 2 ", "1e3", "$4", "true", "x", "x1", "2026-01-02", "20260102", "10:20", "2026-01-02T10:20:30", "2026-01-02 10:20 +02:00", "2026-13-01",
    "6F9619FF-8B86-D011-B42D-00C04FC964FF",
)  # fmt: skip


@pytest.fixture(scope="module")
def session():
    instance = Instance.open(clock="virtual", seed=1)
    found = instance.connect()
    assert told(found, "CREATE TABLE t (id int, word varchar(9), a int, b int); INSERT t VALUES (7, 'w', 1, 2)") == []
    yield found
    instance.close()


@pytest.mark.parametrize("sql_type", TYPES)
def test_values_become_the_columns_type(session, sql_type: str) -> None:
    """8114 and 473 exactly where the value does not convert."""
    wrong = []
    for value in VALUES:
        text = f"SELECT [{value}] FROM (SELECT CAST(NULL AS {sql_type}) AS k, 1 AS v) AS q PIVOT (SUM(v) FOR k IN ([{value}])) AS p"
        converts = told(session, f"SELECT IIF(TRY_CAST(N'{value}' AS {sql_type}) IS NULL, 0, 1)") == [(1,)]
        found = told(session, text)
        if found != ([(None,)] if converts else [8114, 473]):
            wrong.append(f"{text}: {found}")
    assert not wrong, "\n".join(wrong)


def test_it_is_told_while_the_statement_is_bound(session) -> None:
    """No CATCH of the same batch hears of it, and nothing has run."""
    text = "SELECT * FROM (SELECT id, a FROM t) AS q PIVOT (SUM(a) FOR id IN ([7], [x])) AS p"
    assert told(session, f"BEGIN TRY {text} END TRY BEGIN CATCH SELECT 'caught' END CATCH") == [8114, 473]


NAMES = {
    "kept": ("PIVOT (SUM(a) FOR word IN ([w], [id])) AS p", 265),
    "kept in another case": ("PIVOT (SUM(a) FOR word IN ([w], [ID])) AS p", 265),
    "of the values": ("PIVOT (SUM(a) FOR word IN ([w], [a])) AS p", 265),
    "of the names": ("PIVOT (SUM(a) FOR word IN ([word])) AS p", 265),
    "twice": ("PIVOT (SUM(a) FOR word IN ([w], [W])) AS p", 8156),
    "unpivoted values": ("UNPIVOT (id FOR name IN (a, b)) AS u", 265),
    "unpivoted names": ("UNPIVOT (v FOR Id IN (a, b)) AS u", 265),
}


@pytest.mark.parametrize("name", NAMES)
def test_names_that_are_there(session, name: str) -> None:
    clause, error = NAMES[name]
    assert told(session, f"SELECT * FROM t {clause}") == [error]


def test_names_that_are_free(session) -> None:
    assert told(session, "SELECT * FROM t PIVOT (SUM(a) FOR word IN ([w], [x])) AS p") == [(7, 2, 1, None)]
    assert told(session, "SELECT * FROM (SELECT word, a, id FROM t) AS q UNPIVOT (v FOR name IN (a, id)) AS u") == [
        ("w", 1, "a"), ("w", 7, "id"),
    ]  # fmt: skip
