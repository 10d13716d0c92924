"""What a name of one part means in a module: kinds of module x kinds of object x callers (NAME-23
to NAME-27 of docs/spec/objects.md).

Each object is there three times: in schema `own`, that of the module, in `theirs`, the default schema of the caller,
and in dbo. It says where it lives.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet
from sbql.engine.session import Session

SCHEMAS = ("own", "theirs", "dbo")
CALLERS = {"sa": None, "WithSchema": "theirs", "Plain": "dbo"}

OBJECTS = {
    "table": "CREATE TABLE {schema}.Thing (Place varchar(10)); INSERT {schema}.Thing VALUES ('{schema}')",
    "view": "CREATE VIEW {schema}.Thing AS SELECT CAST('{schema}' AS varchar(10)) AS Place",
    "synonym": """CREATE TABLE {schema}.Base (Place varchar(10)); INSERT {schema}.Base VALUES ('{schema}');
        CREATE SYNONYM {schema}.Thing FOR {schema}.Base""",
    "inline function": "CREATE FUNCTION {schema}.Thing() RETURNS TABLE AS RETURN SELECT '{schema}' AS Place",
    "procedure": "CREATE PROCEDURE {schema}.Thing AS INSERT dbo.Log VALUES ('{schema}')",
    "sequence": "CREATE SEQUENCE {schema}.Thing AS int START WITH {number}",
    "queue": "CREATE QUEUE {schema}.Thing WITH RETENTION = {retention}",
}
USES = {
    "table": "(SELECT MAX(Place) FROM Thing)",
    "view": "(SELECT MAX(Place) FROM Thing)",
    "synonym": "(SELECT MAX(Place) FROM Thing)",
    "inline function": "(SELECT MAX(Place) FROM Thing())",
}
MODULES = {
    "procedure": ("CREATE PROCEDURE own.M AS INSERT dbo.Log VALUES ({use})", "EXEC own.M"),
    "scalar function": (
        "CREATE FUNCTION own.M() RETURNS varchar(10) AS BEGIN RETURN {use} END", "INSERT dbo.Log VALUES (own.M())",
    ),
    "inline function": (
        "CREATE FUNCTION own.M() RETURNS TABLE AS RETURN SELECT {use} AS P", "INSERT dbo.Log SELECT P FROM own.M()",
    ),
    "table function": (
        "CREATE FUNCTION own.M() RETURNS @t TABLE (P varchar(10)) AS BEGIN INSERT @t VALUES ({use}); RETURN END",
        "INSERT dbo.Log SELECT P FROM own.M()",
    ),
    "view": ("CREATE VIEW own.M AS SELECT {use} AS P", "INSERT dbo.Log SELECT P FROM own.M"),
    "trigger": (
        "CREATE TRIGGER own.M ON own.Watched AFTER INSERT AS INSERT dbo.Log VALUES ({use})", "INSERT own.Watched VALUES (1)",
    ),
    "procedure called by one of another schema": (
        "CREATE PROCEDURE own.M AS INSERT dbo.Log VALUES ({use})", "EXEC theirs.Caller",
    ),
}  # fmt: skip
STATEMENTS = {
    "procedure": "EXEC Thing",
    "sequence": "DECLARE @n int = NEXT VALUE FOR Thing; INSERT dbo.Log VALUES (CHOOSE(@n, 'own', 'theirs', 'dbo'))",
    "queue": "BEGIN TRAN; DECLARE @n int; RECEIVE @n = queuing_order FROM Thing; COMMIT; INSERT dbo.Log VALUES ('found')",
}
"""What is a statement of its own, and so only stands in procedures and triggers."""


@pytest.fixture(scope="module")
def instance() -> Iterator[Instance]:
    opened = Instance.open(clock="virtual")
    yield opened
    opened.close()


@pytest.fixture
def session(instance: Instance) -> Iterator[Session]:
    opened = instance.connect()
    run(opened, "CREATE DATABASE Home")
    run(opened, "USE Home")
    for text in (
        "CREATE SCHEMA own", "CREATE SCHEMA theirs", "CREATE TABLE dbo.Log (Place varchar(10))",
        "CREATE TABLE own.Watched (A int)", "CREATE PROCEDURE theirs.Caller AS EXEC own.M",
        "CREATE USER WithSchema WITHOUT LOGIN WITH DEFAULT_SCHEMA = theirs", "CREATE USER Plain WITHOUT LOGIN",
        "GRANT CONTROL TO WithSchema; GRANT CONTROL TO Plain",
    ):  # fmt: skip
        run(opened, text)
    yield opened
    run(opened, "USE master")
    run(opened, "DROP DATABASE Home")
    opened.close()


def run(session: Session, text: str) -> list[ResultSet]:
    """The results of a batch; errors raise."""
    results: list[ResultSet] = []

    def sink(outcome: Outcome) -> None:
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error
        if isinstance(outcome, ResultSet):
            results.append(outcome)

    session.instance.driver.run(session.execute(text, sink))
    return results


def make(session: Session, kind: str, *schemas: str) -> None:
    for number, schema in enumerate(SCHEMAS, 1):
        if schema in schemas:
            for part in OBJECTS[kind].split(";\n"):
                run(session, part.format(schema=schema, number=number, retention="OFF"))


def logged(session: Session, caller: str, call: str) -> list[str]:
    run(session, f"TRUNCATE TABLE dbo.Log; {'' if caller == 'sa' else f'EXECUTE AS USER = {caller!r};'} {call}")
    if caller != "sa":
        run(session, "REVERT")
    return [row[0] for row in run(session, "SELECT Place FROM dbo.Log")[0].rows]


@pytest.mark.spec("NAME-23", "NAME-24")
@pytest.mark.parametrize("kind", USES)
@pytest.mark.parametrize("module", MODULES)
def test_a_module_reads_its_own_schema_then_dbo(session: Session, module: str, kind: str) -> None:
    create, call = MODULES[module]
    make(session, kind, *SCHEMAS)
    run(session, create.format(use=USES[kind]))
    for caller in CALLERS:
        assert logged(session, caller, call) == ["own"], caller
    drop = {"table": "TABLE", "view": "VIEW", "synonym": "SYNONYM"}.get(kind, "FUNCTION")
    run(session, f"DROP {drop} own.Thing")
    for caller in CALLERS:
        assert logged(session, caller, call) == ["dbo"], caller


@pytest.mark.spec("NAME-23", "NAME-24")
@pytest.mark.parametrize("kind", ["procedure", "sequence"])
@pytest.mark.parametrize("module", ["procedure", "trigger", "procedure called by one of another schema"])
def test_a_statement_of_a_module_does_too(session: Session, module: str, kind: str) -> None:
    create, call = MODULES[module]
    make(session, kind, *SCHEMAS)
    run(session, create.replace("INSERT dbo.Log VALUES ({use})", STATEMENTS[kind]))
    for caller in CALLERS:
        restart = "ALTER SEQUENCE own.Thing RESTART; " if kind == "sequence" else ""
        run(session, restart or "SELECT 1")
        assert logged(session, caller, call) == ["own"], caller
    run(session, f"DROP {kind} own.Thing")
    assert logged(session, "WithSchema", call) == ["dbo"]


@pytest.mark.spec("NAME-23", "NAME-24")
def test_receive_in_a_module_takes_from_the_queue_of_its_schema(session: Session) -> None:
    for schema in ("own", "dbo"):
        run(session, f"CREATE QUEUE {schema}.Thing; CREATE SERVICE [{schema}] ON QUEUE {schema}.Thing ([DEFAULT])")
    run(session, "CREATE PROCEDURE own.M AS RECEIVE service_name FROM Thing")
    for schema in ("own", "dbo"):
        run(
            session,
            f"""DECLARE @h uniqueidentifier;
            BEGIN DIALOG @h FROM SERVICE [{schema}] TO SERVICE '{schema}' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h""",
        )
    assert run(session, "EXEC own.M")[0].rows == [("own",)]
    assert run(session, "RECEIVE service_name FROM Thing")[0].rows == [("dbo",)]


@pytest.mark.spec("NAME-25")
@pytest.mark.parametrize("caller", CALLERS)
def test_dynamic_sql_and_strings_mean_what_the_caller_means(session: Session, caller: str) -> None:
    make(session, "table", *SCHEMAS)
    run(session, "CREATE PROCEDURE own.M AS EXEC('INSERT dbo.Log SELECT Place FROM Thing')")
    run(session, "CREATE PROCEDURE own.N AS EXEC sp_executesql N'INSERT dbo.Log SELECT Place FROM Thing'")
    run(
        session,
        "CREATE PROCEDURE own.O AS INSERT dbo.Log SELECT SCHEMA_NAME(schema_id) FROM sys.tables "
        "WHERE object_id = OBJECT_ID('Thing')",
    )
    for name in "MNO":
        assert logged(session, caller, f"EXEC own.{name}") == [CALLERS[caller] or "dbo"], name


@pytest.mark.spec("NAME-26")
@pytest.mark.parametrize("caller", CALLERS)
def test_definitions_in_a_module_mean_what_the_caller_means(session: Session, caller: str) -> None:
    make(session, "table", *SCHEMAS)
    run(session, "CREATE PROCEDURE own.M AS CREATE TABLE Fresh (A int)")
    run(session, "CREATE PROCEDURE own.N AS ALTER TABLE Thing ADD More int")
    run(session, "CREATE PROCEDURE own.O AS TRUNCATE TABLE Thing")
    run(session, "CREATE PROCEDURE own.P AS DROP TABLE Thing")
    place = CALLERS[caller] or "dbo"
    for name in "MNOP":
        logged(session, caller, f"EXEC own.{name}")
        left = run(session, "SELECT CONCAT(SCHEMA_NAME(schema_id), '.', name) FROM sys.tables ORDER BY 1")[0].rows
        names = {row[0] for row in left}
        if name == "M":
            assert f"{place}.Fresh" in names
        elif name == "N":
            more = run(session, "SELECT OBJECT_SCHEMA_NAME(object_id) FROM sys.columns WHERE name = 'More'")[0].rows
            assert more == [(place,)]
        elif name == "O":
            counts = [run(session, f"SELECT COUNT(*) FROM {s}.Thing")[0].rows[0][0] for s in SCHEMAS]
            assert counts == [0 if s == place else 1 for s in SCHEMAS]
        else:
            assert {s for s in SCHEMAS if f"{s}.Thing" in names} == {s for s in SCHEMAS if s != place}


@pytest.mark.spec("NAME-27")
def test_a_temporary_procedure_means_what_its_caller_means(session: Session) -> None:
    make(session, "table", *SCHEMAS)
    run(session, "CREATE PROCEDURE #m AS INSERT dbo.Log SELECT Place FROM Thing")
    assert logged(session, "sa", "EXEC #m") == ["dbo"]
    assert logged(session, "WithSchema", "EXEC #m") == ["theirs"]


@pytest.mark.spec("NAME-23")
def test_an_activated_procedure_reads_its_own_schema(session: Session) -> None:
    make(session, "table", *SCHEMAS)
    run(session, "CREATE QUEUE dbo.Q; CREATE SERVICE S ON QUEUE dbo.Q ([DEFAULT])")
    run(
        session,
        """CREATE PROCEDURE own.M AS BEGIN
            DECLARE @n int; RECEIVE TOP (1) @n = queuing_order FROM dbo.Q; INSERT dbo.Log SELECT Place FROM Thing; END""",
    )
    run(
        session,
        """ALTER QUEUE dbo.Q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = own.M, MAX_QUEUE_READERS = 1,
            EXECUTE AS 'WithSchema');
        DECLARE @h uniqueidentifier;
        BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h; WAITFOR DELAY '00:00:01'""",
    )
    assert run(session, "SELECT Place FROM dbo.Log")[0].rows == [("own",)]


@pytest.mark.spec("NAME-23")
def test_a_view_is_changed_where_it_reads(session: Session) -> None:
    make(session, "table", *SCHEMAS)
    run(session, "CREATE VIEW own.V AS SELECT Place FROM Thing")
    run(session, "UPDATE own.V SET Place = 'new'")
    assert run(session, "SELECT Place FROM own.Thing")[0].rows == [("new",)]
    assert run(session, "SELECT Place FROM dbo.Thing")[0].rows == [("dbo",)]


@pytest.mark.spec("NAME-23")
def test_dependencies_name_the_object_of_the_schema(session: Session) -> None:
    make(session, "table", *SCHEMAS)
    run(session, "CREATE PROCEDURE own.M AS SELECT Place FROM Thing")
    found = run(
        session,
        "SELECT OBJECT_SCHEMA_NAME(referenced_id) FROM sys.sql_expression_dependencies WHERE referencing_id = OBJECT_ID('own.M')",
    )
    assert found[0].rows == [("own",)]
