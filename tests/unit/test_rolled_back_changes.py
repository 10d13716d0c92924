"""What is rolled back never was: each statement that changes something, by ROLLBACK, to a savepoint and by an error
under XACT_ABORT (ROLLBACK-11 of docs/spec/transactions.md). #temp objects have test_temporary_rollback.py.

The same statements run in the transaction and behind it, so that nothing that was compiled or kept for it stays.
"""

from __future__ import annotations

from itertools import product

import pytest
from changes import ALONE, CHANGES, USES, lasting, prepare, seen, settle, used
from told import told

from sbql.catalog.procedures import procedure_names
from sbql.engine.describe.procedure_registry import ACCEPTED, SYSTEM_PROCEDURES, UNSUPPORTED
from sbql.engine.instance import Instance
from sbql.engine.prepared import PreparedInstance
from sbql.engine.session import Session
from sbql.engine.wiring import TABLES
from sbql.grammar.parser import parse_batch
from sbql.grammar.tree import walk

WAYS: dict[str, tuple[str, str, list[object]]] = {
    "rollback": ("BEGIN TRANSACTION", "ROLLBACK", []),
    "savepoint": ("BEGIN TRANSACTION; SAVE TRANSACTION a", "ROLLBACK TRANSACTION a; COMMIT", []),
    "error": ("SET XACT_ABORT ON; BEGIN TRANSACTION", "SELECT 1 / 0", [8134]),
}
SHARE = 12
"""One in so many uses runs inside each transaction: each makes its plan anew there."""
CHANGES_NOTHING = set(
    """BackupCertificate BeginTransaction Break CloseCursor CommitTransaction Continue Dbcc DeallocateCursor DeclareCursor DeclareTable
    ExecuteAs ExecuteString FetchCursor Goto Kill KillSubscription OpenCursor Raiserror Revert RollbackTransaction SaveTransaction
    SetCursorVariable SetIdentityInsert SetOption SetVariable SetXml Throw TryCatch Use WaitForDelay WaitFor While""".split()
)
"""Statements that keep nothing, or what no transaction takes back: options, variables, cursors, texts of others."""
AS_ROWS = {"BulkInsert", "InsertBulk"}
"""They change rows as INSERT does, and need files or a client."""
READS = (
    "sp_help", "sp_columns", "sp_tables", "sp_tablecoll", "sp_statistics", "sp_special_columns", "sp_sproc_columns", "sp_stored_procedures", "sp_pkeys", "sp_fkeys",
    "sp_datatype_info", "sp_databases", "sp_describe_", "sp_cursor", "sp_prep", "sp_execute", "sp_unprepare", "sp_who", "sp_lock", "sp_depends", "sp_spaceused", "sp_validname",
    "sp_server_info", "sp_column_privileges", "sp_table_privileges", "sp_procedure_params", "sp_readerrorlog", "sp_msforeach", "sp_xml_", "sp_sbql_", "xp_",
)  # fmt: skip
OUTSIDE = {
    "sp_cycle_errorlog", "sp_getapplock", "sp_releaseapplock", "sp_set_session_context", "sp_sequence_get_range", "sp_attach_single_file_db",
}  # fmt: skip
"""What they change no transaction takes back, on SQL Server either; the last is sp_attach_db."""


@pytest.fixture(scope="module")
def image() -> PreparedInstance:
    instance = Instance.open(clock="virtual", seed=1)
    prepare(instance)
    return PreparedInstance(instance)


def later(instance: Instance, seconds: float) -> None:
    assert instance.loop is not None
    instance.loop.advance(seconds)
    settle(instance)


def state(session: Session) -> dict[str, object]:
    found = {**used(session), **seen(session.instance)}
    settle(session.instance)
    return found


def lose(session: Session, change: str, way: str, number: int) -> None:
    """With some of the uses in between, one way others than the other."""
    begin, end, expected = WAYS[way]
    assert told(session, begin) == []
    assert told(session, change) == [], change
    if way != "error":  # one of a use would be its end
        used(session, USES[number % SHARE :: SHARE])
    later(session.instance, 1)
    assert told(session, end) == expected, change
    assert told(session, "SET XACT_ABORT OFF; SELECT @@TRANCOUNT") == [(0,)]
    settle(session.instance)


def deviations(image: PreparedInstance, changes: tuple[str, ...]) -> list[tuple[str, object, object]]:
    """What is otherwise than in an instance in which none of these was ever begun."""
    found = []
    for lost in ((), changes):
        instance = image.open()
        session = instance.connect(database="D")
        later(instance, 5)
        used(session)
        settle(instance)
        for number, (change, way) in enumerate(product(lost, WAYS)):
            lose(session, change, way, number)
        later(instance, len(WAYS) * (len(changes) - len(lost)))
        found.append({**state(session), **lasting(instance)})
        instance.close()
    never, behind = found
    return [(key, was, behind[key]) for key, was in never.items() if behind[key] != was]


@pytest.mark.matrix
@pytest.mark.spec("ROLLBACK-11")
@pytest.mark.parametrize("topic", CHANGES)
def test_what_is_rolled_back_never_was(image: PreparedInstance, topic: str) -> None:
    wrong = deviations(image, CHANGES[topic])
    causes = [change for change in CHANGES[topic] if deviations(image, (change,))] if wrong else []
    assert not wrong, causes


def test_what_cannot_be_rolled_back_is_refused(image: PreparedInstance) -> None:
    """With the transaction as it was."""
    instance = image.open()
    session = instance.connect(database="D")
    made = "CREATE DATABASE D2; CREATE ENDPOINT n_ep STATE = STOPPED AS TCP (LISTENER_PORT = 4044) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)"
    assert told(session, made) == []
    before = seen(instance)
    for text, number in ALONE.items():
        assert told(session, f"BEGIN TRANSACTION; {text}") == [number], text
        assert told(session, "SELECT @@TRANCOUNT, XACT_STATE(); ROLLBACK") == [(1, 1)], text
    assert seen(instance) == before
    instance.close()


def test_no_statement_is_missing() -> None:
    statements = {name for names in TABLES["statements"].values() for name in names}
    texts = [text for changes in CHANGES.values() for text in changes]
    there = {type(node).__name__ for text in [*texts, *ALONE] for node in walk(parse_batch(text))}
    left_out = {f"{name}Statement" for name in CHANGES_NOTHING | AS_ROWS}
    assert {name.removesuffix("Statement") for name in statements - there - left_out} == {"BeginEndBlock"} - there
    assert there & left_out == set()


def test_no_system_procedure_is_missing() -> None:
    texts = " ".join([*(text for changes in CHANGES.values() for text in changes), *ALONE]).lower()
    known = (SYSTEM_PROCEDURES.keys() | procedure_names()) - {*UNSUPPORTED, *ACCEPTED} - OUTSIDE
    assert [name for name in sorted(known) if not name.startswith(READS) and f"{name} " not in f"{texts} "] == []
