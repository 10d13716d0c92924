"""The way of a statement from its node to the step that runs it, as a list of passes of one shape.

A pass gets the node, the step so far, and what compiles it, and returns the step: the same one, or one with something
around it. It may refuse the statement. Decides the order of passes; it must not know any single statement, nor how a
batch runs its steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

import msgspec

from sbql.engine.batch.batch_facts import BatchFacts
from sbql.engine.batch.clause_places import check_clauses
from sbql.engine.batch.one_moment import in_one_moment
from sbql.engine.batch.pointing import point
from sbql.engine.batch.sequence_places import check_places
from sbql.engine.definition.data_spaces import checked
from sbql.engine.definition.ddl_events import is_definition, observed
from sbql.engine.ports import Session
from sbql.engine.query.reading_locks import with_locks
from sbql.engine.running_lines import Tell
from sbql.engine.scalars.arithmetic_errors import ends_batch
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.scalars.warnings_told import tell_warnings
from sbql.engine.steps import HANDLERS, Step
from sbql.engine.work import Work
from sbql.grammar.ast import (
    AlterDatabaseStatement,
    BeginEndBlock,
    CreateDatabaseStatement,
    DeclareCursorStatement,
    DeleteStatement,
    DropObjectStatement,
    ExecuteStatement,
    ExecuteStringStatement,
    IfStatement,
    InsertStatement,
    MergeStatement,
    ReconfigureStatement,
    RestoreStatement,
    SelectStatement,
    SetCursorVariableStatement,
    SetOptionStatement,
    Statement,
    TryCatchStatement,
    UpdateStatement,
    VariableReference,
    WhileStatement,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.executable_lines import line_of
from sbql.grammar.tree import find_all

__all__ = ["COMPOUND", "compile_statement"]

COMPOUND: Final = (
    BeginEndBlock, IfStatement, WhileStatement, TryCatchStatement, ExecuteStatement, ExecuteStringStatement,
)  # fmt: skip
"""Statements that hold others, or run others: these tell of themselves."""


class Compiling(Protocol):
    """What a pass may ask of the compiler of a batch or module."""

    scope: Scope
    session: Session
    text: str
    facts: BatchFacts
    in_module: str
    heeds_options: bool
    tell_line: Tell | None


Pass = Callable[[Statement, Step, Any], Step]


def compile_statement(node: Statement, compiler: Compiling) -> Step:
    """The step of a statement, through all passes. Raises SqlError, with its line, for what the tree alone shows to be
    wrong."""
    step = _NOTHING
    try:
        for each in PASSES:
            step = each(node, step, compiler)
    except SqlError as error:
        point(error, node, or_statement=True)
        raise error from None
    return step


_NOTHING: Final = Step(lambda frame: None)


def check_sequences(node: Statement, step: Step, compiler: Compiling) -> Step:
    """NEXT VALUE FOR stands where it may."""
    if compiler.facts.has_sequences:
        check_places(node)
    return step


def check_places_of_clauses(node: Statement, step: Step, compiler: Compiling) -> Step:
    """Assignments, INTO and UPDATE() stand where they may."""
    if compiler.facts.has_placed_clauses:
        check_clauses(node, compiler.in_module)
    return step


def handle(node: Statement, step: Step, compiler: Compiling) -> Step:
    """What the statement does: the handler of its class. Raises 40517 when there is none."""
    handler = HANDLERS.find(type(node).__name__)
    if handler is None:
        raise sql_error(40517, type(node).__name__, span=node.span)
    return handler(node, compiler)


def check_query_hints(node: Statement, step: Step, compiler: Compiling) -> Step:
    """What OPTIMIZE FOR names is declared (137)."""
    query = node.definition.query if isinstance(node, DeclareCursorStatement | SetCursorVariableStatement) else node
    if isinstance(query, _HINTED) and query.hints:
        for variable in find_all(query.hints, VariableReference):
            compiler.scope.lookup(variable.name, variable.span)
    return step


_HINTED: Final = (SelectStatement, InsertStatement, UpdateStatement, DeleteStatement, MergeStatement)


def refuse_in_triggers(node: Statement, step: Step, compiler: Compiling) -> Step:
    """Databases and the server's configuration are not changed by a trigger for INSERT, UPDATE or DELETE (287)."""
    words = _not_in_triggers(node) if compiler.in_module == "TR" else None
    if words is None:
        return step
    run = step.run

    def refused(frame: Frame) -> Any:
        if frame.trigger is not None:
            raise sql_error(287, words, span=node.span)
        return run(frame)

    return msgspec.structs.replace(step, run=refused)


def _not_in_triggers(node: Statement) -> str | None:
    """The words of a statement that triggers may not hold."""
    if isinstance(node, RestoreStatement) and node.kind in ("DATABASE", "LOG"):
        return f"RESTORE {node.kind}"
    if isinstance(node, DropObjectStatement) and node.kind == "DATABASE":
        return "DROP DATABASE"
    return _NOT_IN_TRIGGERS.get(type(node))


_NOT_IN_TRIGGERS: Final[dict[type[Statement], str]] = {
    AlterDatabaseStatement: "ALTER DATABASE",
    CreateDatabaseStatement: "CREATE DATABASE",
    ReconfigureStatement: "RECONFIGURE",
}


def check_storage(node: Statement, step: Step, compiler: Compiling) -> Step:
    """Storage clauses name what there is."""
    return checked(node, step)


def tell_events(node: Statement, step: Step, compiler: Compiling) -> Step:
    """Definitions are events: for notifications and DDL triggers."""
    return observed(step, node, compiler.text) if is_definition(node) else step


def lock_what_is_read(node: Statement, step: Step, compiler: Compiling) -> Step:
    """Table hints and isolation levels lock before the statement runs. What a definition names is only looked at."""
    if is_definition(node):
        return step
    return with_locks(node, step, compiler.scope, compiler.session, compiler.in_module)


def tell_arithmetic(node: Statement, step: Step, compiler: Compiling) -> Step:
    """Under options that forgive: what arithmetic has warned of is told when the statement has ended."""
    if not compiler.heeds_options or isinstance(node, COMPOUND):
        return step
    run = step.run

    def plain(frame: Frame) -> Any:
        try:
            signal = run(frame)
        except SqlError as error:
            tell_warnings(frame.session)
            error.batch_aborting = error.batch_aborting or ends_batch(error, frame.session.options)
            raise
        tell_warnings(frame.session)
        return signal

    def waiting(frame: Frame) -> Work:
        try:
            signal = yield from run(frame)
        except SqlError as error:
            tell_warnings(frame.session)
            error.batch_aborting = error.batch_aborting or ends_batch(error, frame.session.options)
            raise
        tell_warnings(frame.session)
        return signal

    return msgspec.structs.replace(step, run=waiting if step.waits else plain)


def one_moment(node: Statement, step: Step, compiler: Compiling) -> Step:
    """The clock stands still while a statement runs."""
    return step if isinstance(node, COMPOUND) else in_one_moment(node, step, compiler.facts)


def tell_line(node: Statement, step: Step, compiler: Compiling) -> Step:
    """Whoever measures which lines run is told; when nobody does, the step stays as it is."""
    tell = compiler.tell_line
    line = line_of(node) if tell is not None else None
    if tell is None or line is None:
        return step
    run = step.run

    def told(frame: Frame) -> Any:
        tell(line, None)
        return run(frame)

    return msgspec.structs.replace(step, run=told)


def heed_noexec(node: Statement, step: Step, compiler: Compiling) -> Step:
    """In batches that hold SET NOEXEC: nothing but SET runs while it is ON."""
    if not compiler.facts.switches_noexec or isinstance(node, SetOptionStatement):
        return step
    run = step.run

    def plain(frame: Frame) -> Any:
        return None if frame.session.options.noexec else run(frame)

    def waiting(frame: Frame) -> Work:
        return None if frame.session.options.noexec else (yield from run(frame))

    return msgspec.structs.replace(step, run=waiting if step.waits else plain)


PASSES: Final[tuple[Pass, ...]] = (
    check_sequences,
    check_places_of_clauses,
    check_query_hints,
    handle,
    refuse_in_triggers,
    check_storage,
    tell_events,
    lock_what_is_read,
    tell_arithmetic,
    one_moment,
    tell_line,
    heed_noexec,
)
"""In order: what checks the tree, what makes the step, and what is put around it from the inside out."""
