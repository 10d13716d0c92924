"""Every system procedure that is T-SQL (catalog/sql/procedures): its text, its parameters, and that it runs as a procedure of the database
that it is called in, for everybody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.catalog.procedures import procedure_names, procedure_text
from sbql.engine.describe.procedure_registry import SYSTEM_PROCEDURES
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet
from sbql.engine.session import Session
from sbql.grammar.ast import CreateProcedureStatement
from sbql.grammar.parser import parse_batch

NAMES = sorted(procedure_names())
PERMITTED = {"sp_addtype", "sp_droptype"}
"""What they do needs a permission of its own."""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    opened = instance.connect()
    run(opened, "CREATE DATABASE Home")
    run(opened, "USE Home; CREATE TABLE dbo.T (A int PRIMARY KEY, B varchar(10) DEFAULT 'x', CHECK (A > 0))")
    run(opened, "CREATE USER Nobody WITHOUT LOGIN")
    yield opened
    instance.close()


def run(session: Session, text: str) -> tuple[list[ResultSet], list[ErrorOutcome]]:
    """The results and errors of a batch."""
    results: list[ResultSet] = []
    errors: list[ErrorOutcome] = []

    def sink(outcome: Outcome) -> None:
        if isinstance(outcome, ErrorOutcome):
            errors.append(outcome)
        elif isinstance(outcome, ResultSet):
            results.append(outcome)

    session.instance.driver.run(session.execute(text, sink))
    return results, errors


def numbers(session: Session, text: str) -> list[int]:
    return [outcome.error.number for outcome in run(session, text)[1]]


def declared(name: str) -> CreateProcedureStatement:
    node = parse_batch(procedure_text(name)).statements[0]
    assert isinstance(node, CreateProcedureStatement)
    return node


def test_none_is_written_twice() -> None:
    assert procedure_names() & SYSTEM_PROCEDURES.keys() == set()


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_one_procedure_of_sys_and_says_what_it_is_for(name: str) -> None:
    batch = parse_batch(procedure_text(name))
    assert [type(statement) for statement in batch.statements] == [CreateProcedureStatement]
    assert str(declared(name).name).lower() == f"sys.{name}"
    assert procedure_text(name).startswith(f"-- {name}: ")


@pytest.mark.parametrize("name", NAMES)
def test_arguments_are_those_of_a_procedure(session: Session, name: str) -> None:
    parameters = declared(name).parameters
    too_many = ", ".join(["NULL"] * (len(parameters) + 1))
    assert numbers(session, f"EXEC {name} {too_many}") == [8144 if parameters else 8146]
    assert numbers(session, f"EXEC sys.{name} @no_such_parameter = 1") == [8145 if parameters else 8146]
    if any(p.default is None for p in parameters):
        assert numbers(session, f"EXEC {name}") == [201]
    for p in parameters:
        if p.type.name.name in ("int", "bit", "tinyint"):
            others = "".join(f", {o.name} = N'x'" for o in parameters if o.default is None and o is not p)
            assert numbers(session, f"EXEC {name} {p.name} = 'no number'{others}") == [8114]


@pytest.mark.parametrize("name", NAMES)
def test_the_catalog_tells_its_parameters_and_its_text(session: Session, name: str) -> None:
    (rows, text, listed), errors = run(
        session,
        f"""SELECT name, TYPE_NAME(user_type_id) FROM sys.all_parameters WHERE object_id = OBJECT_ID('sys.{name}') ORDER BY parameter_id;
        SELECT OBJECT_DEFINITION(OBJECT_ID('{name}')), definition FROM sys.all_sql_modules WHERE object_id = OBJECT_ID('{name}');
        SELECT type FROM sys.system_objects WHERE name = '{name}'""",
    )
    assert errors == []
    assert [tuple(row) for row in rows.rows] == [(p.name, p.type.name.name.lower()) for p in declared(name).parameters]
    assert [tuple(row) for row in text.rows] == [(procedure_text(name), procedure_text(name))]
    assert [row[0].strip() for row in listed.rows] == ["P"]


@pytest.mark.parametrize("name", sorted(procedure_names() - PERMITTED))
def test_everybody_may_call_it_from_anywhere_and_in_a_transaction(session: Session, name: str) -> None:
    required = ", ".join("N'T'" for p in declared(name).parameters if p.default is None)
    alone = numbers(session, f"EXEC {name} {required}")
    for text in (
        f"EXECUTE AS USER = 'Nobody'; EXEC {name} {required}; REVERT",
        f"SET ANSI_NULLS OFF; SET CONCAT_NULL_YIELDS_NULL OFF; EXEC {name} {required}; SET ANSI_NULLS ON; SET CONCAT_NULL_YIELDS_NULL ON",
        f"BEGIN TRANSACTION; EXEC {name} {required}; COMMIT",
        f"USE master; EXEC Home..{name} {required}; IF DB_NAME() <> 'master' RAISERROR ('left', 16, 1); USE Home",
    ):
        found = numbers(session, text)
        assert found == alone or (text.startswith("EXECUTE AS") and set(found) <= {15009, 15330}), text
        assert numbers(session, "IF @@TRANCOUNT > 0 OR USER_NAME() <> 'dbo' RAISERROR ('open', 16, 1)") == []


def test_errors_name_the_procedure_and_its_line(session: Session) -> None:
    (error,) = run(session, "EXEC sp_helpdb N'Nowhere'")[1]
    assert (error.error.number, error.error.procedure, error.error.line) == (15010, "sp_helpdb", 6)


def test_its_return_code_tells_of_failure(session: Session) -> None:
    (codes,), _ = run(
        session,
        """DECLARE @good int, @bad int; EXEC @good = sp_validname N'fine', 0; EXEC @bad = sp_validname N'', 0;
        SELECT @good, @bad""",
    )
    assert [tuple(row) for row in codes.rows] == [(0, 1)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("EXEC sp_tables @table_name = N'T_', @fUsePattern = 1", 0),
        ("EXEC sp_tables @table_name = N'_', @table_type = N'''TABLE'''", 1),
        ("EXEC sp_tables @table_name = N'_', @table_type = N'''TABLE''', @fUsePattern = 0", 0),
        ("EXEC sp_columns N'T', @column_name = N'[AB]'", 2),
        ("EXEC sp_special_columns N'T'", 1),
        ("EXEC sp_statistics N'T', @is_unique = N'Y'", 2),
    ],
)
def test_patterns(session: Session, text: str, count: int) -> None:
    (rows,), errors = run(session, text)
    assert errors == []
    assert len(rows.rows) == count


@pytest.mark.parametrize(
    "name",
    [
        "sp_tables",
        "sp_columns N'T',",
        "sp_pkeys N'T',",
        "sp_special_columns N'T',",
        "sp_statistics N'T',",
        "sp_stored_procedures",
    ],
)
def test_the_qualifier_has_to_be_this_database(session: Session, name: str) -> None:
    word = "@sp_qualifier" if "stored" in name else "@table_qualifier"
    assert numbers(session, f"EXEC {name} {word} = N'master'") == [15250]
    assert numbers(session, f"EXEC {name} {word} = N'home'") == []
