"""Every system procedure with a header (catalog/sql/procedures): its text, its parameters, its arguments; and that
those whose body is T-SQL run as a procedure of the database that they are called in, for everybody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.catalog.procedures import procedure_names, procedure_text
from sbql.engine.describe.procedure_registry import ACCEPTED, SYSTEM_PROCEDURES, UNSUPPORTED
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet
from sbql.engine.session import Session
from sbql.grammar.ast import CreateProcedureStatement, Parameter
from sbql.grammar.parser import parse_batch

NAMES = sorted(procedure_names())
PERMITTED = {
    "sp_addlogin", "sp_addrole", "sp_addrolemember", "sp_addsrvrolemember", "sp_addtype", "sp_adduser", "sp_changedbowner", "sp_defaultdb", "sp_defaultlanguage",
    "sp_droplogin", "sp_droprole", "sp_droprolemember", "sp_dropsrvrolemember", "sp_droptype", "sp_dropuser", "sp_grantdbaccess", "sp_password",
    "sp_revokedbaccess", "sp_revokelogin",
}  # fmt: skip
"""What they do needs a permission of its own."""

ANY_ARGUMENTS = {
    "sp_cursor", "sp_cursorclose", "sp_cursorexecute", "sp_cursorfetch", "sp_cursoropen", "sp_cursoroption", "sp_cursorprepare", "sp_cursorprepexec",
    "sp_cursorunprepare", "sp_execute", "sp_executesql", "sp_prepare", "sp_prepexec", "sp_prepexecrpc", "sp_xml_preparedocument", "xp_msver", "xp_sprintf", "xp_sscanf",
}  # fmt: skip
"""They take any number of arguments, or one of any type: no header could say so."""


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


def is_python(name: str) -> bool:
    return declared(name).external_name is not None


OWN_TYPES = dict.fromkeys(("int", "smallint", "tinyint", "bigint", "bit"), "int = 1") | {
    "datetime": "datetime",
    "varbinary": "varbinary(9)",
}
"""How a variable is declared that a parameter of a type takes, where it takes no text."""


def given(parameter: Parameter) -> str:
    """An argument that a parameter without a default takes."""
    if parameter.varying:
        return "@c OUTPUT"
    if parameter.type.name.name == "sql_variant":
        return "@v OUTPUT" if parameter.output else "@v"
    return "1" if parameter.type.name.name in ("int", "smallint", "bigint") else "N'x'"


def test_each_has_a_header_and_one_body() -> None:
    """T-SQL, or the function of `engine.system` that EXTERNAL NAME says."""
    assert {name for name in NAMES if is_python(name)} == procedure_names() & SYSTEM_PROCEDURES.keys()
    without = SYSTEM_PROCEDURES.keys() - procedure_names() - set(ACCEPTED) - set(UNSUPPORTED)
    assert without == ANY_ARGUMENTS


@pytest.mark.parametrize("name", [name for name in NAMES if is_python(name)])
def test_a_python_body_is_where_its_header_says(name: str) -> None:
    module = SYSTEM_PROCEDURES[name].__module__.rpartition(".")[2]
    assert declared(name).external_name == f"sbql.{module}.{name}"
    assert declared(name).body == ()


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
        if p.type.name.name in ("int", "bit", "tinyint", "smallint", "bigint"):
            others = "".join(f", {o.name} = {given(o)}" for o in parameters if o.default is None and o is not p)
            assert numbers(
                session, f"DECLARE @c CURSOR, @v sql_variant; EXEC {name} {p.name} = 'no number'{others}"
            ) == [8114]
        if not p.output and not p.varying:
            others = "".join(f", {o.name} = {given(o)}" for o in parameters if o.default is None and o is not p)
            of_type = OWN_TYPES.get(p.type.name.name, "nvarchar(9) = N'x'")
            text = f"DECLARE @c CURSOR, @v sql_variant, @own {of_type}; EXEC {name} {p.name} = @own OUTPUT{others}"
            assert numbers(session, text) == [8162], p.name


@pytest.mark.parametrize("name", NAMES)
def test_the_catalog_tells_its_parameters_and_its_text(session: Session, name: str) -> None:
    (rows, text, listed), errors = run(
        session,
        f"""SELECT name, IIF(is_cursor_ref = 1, 'cursor', TYPE_NAME(user_type_id)), is_output FROM sys.all_parameters WHERE object_id = OBJECT_ID('sys.{name}') ORDER BY parameter_id;
        SELECT OBJECT_DEFINITION(OBJECT_ID('{name}')), definition FROM sys.all_sql_modules WHERE object_id = OBJECT_ID('{name}');
        SELECT type FROM sys.system_objects WHERE name = '{name}'""",
    )
    assert errors == []
    expected = [(p.name, p.type.name.name.lower(), p.output) for p in declared(name).parameters]
    assert [tuple(row) for row in rows.rows] == expected
    assert [tuple(row) for row in text.rows] == [(procedure_text(name), procedure_text(name))]
    assert [row[0].strip() for row in listed.rows] == ["X" if name.startswith("xp_") else "P"]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in PERMITTED and not is_python(name)])
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
    word = "@sp_qualifier" if "stored" in name else "@qualifier" if "special" in name else "@table_qualifier"
    assert numbers(session, f"EXEC {name} {word} = N'master'") == [15250]
    assert numbers(session, f"EXEC {name} {word} = N'home'") == []
