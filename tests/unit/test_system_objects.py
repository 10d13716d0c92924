"""System objects: ids that never meet, and system procedures and functions that answer any
argument with rows or a T-SQL error."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from sbql.catalog.procedures import procedure_names
from sbql.engine.describe.procedure_registry import ACCEPTED, SYSTEM_PROCEDURES, UNSUPPORTED
from sbql.engine.describe.system_functions import SYSTEM_FUNCTIONS
from sbql.engine.describe.system_objects import system_objects
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome
from sbql.engine.session import Session

BUG = 3624
SPOILS_THE_INSTANCE = {
    "sp_detach_db",
    "sp_renamedb",
    "sp_sbql_advance_clock",
    "sp_sbql_listen",  # never ends
    "sp_attach_db",
    "sp_attach_single_file_db",
}
ARGUMENTS = (
    "NULL",
    "''",
    "N'dbo.T'",
    "N'T', N'A'",
    "-1",
    "N'[', N']', N'%'",
    "0x01",
    "N'a.b.c.d.e'",
    "N'dbo.V', 1, 2, 3, 4, 5, 6, 7",
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    opened = instance.connect()
    run(opened, "CREATE TABLE dbo.T (A int PRIMARY KEY, B AS A * 2, C xml, CHECK (A > 0))")
    run(opened, "CREATE VIEW dbo.V AS SELECT A FROM dbo.T")
    run(opened, "CREATE PROCEDURE dbo.P @x int AS SELECT A FROM dbo.V WHERE A = @x")
    yield opened
    instance.close()


def run(session: Session, text: str) -> list[int]:
    """The numbers of the errors of a batch."""
    found: list[int] = []

    def sink(outcome: Outcome) -> None:
        if isinstance(outcome, ErrorOutcome):
            found.append(outcome.error.number)

    session.instance.driver.run(session.execute(text, sink))
    return found


def test_ids_are_unique_and_below_those_of_temp_tables() -> None:
    counts = Counter(found.object_id for found in system_objects())
    assert [number for number, count in counts.items() if count > 1] == []
    assert max(counts) <= -1_000_000_000


@pytest.mark.matrix
@pytest.mark.parametrize(
    "name",
    sorted((SYSTEM_PROCEDURES.keys() | procedure_names()) - set(UNSUPPORTED) - set(ACCEPTED) - SPOILS_THE_INSTANCE),
)
def test_procedures_answer_any_argument(session: Session, name: str) -> None:
    for arguments in ("", *ARGUMENTS):
        assert BUG not in run(session, f"EXEC {name} {arguments}"), arguments
        assert run(session, "IF @@TRANCOUNT > 0 ROLLBACK; SELECT 1") == []


@pytest.mark.parametrize("name", sorted(SYSTEM_FUNCTIONS))
def test_functions_answer_any_argument(session: Session, name: str) -> None:
    count = len(SYSTEM_FUNCTIONS[name].parameters)
    values = ("NULL", "N'dbo.T'", "N'OBJECT'", "1", "N'SELECT 1 AS a'", "DEFAULT")
    for given in itertools.islice(itertools.product(values, repeat=count), 60):
        text = f"SELECT * FROM sys.{name}({', '.join(given)})"
        assert BUG not in run(session, text), text
