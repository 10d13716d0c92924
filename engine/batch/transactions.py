"""BEGIN, COMMIT, ROLLBACK and SAVE TRANSACTION."""

from __future__ import annotations

from collections.abc import Callable

from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import (
    BeginTransactionStatement,
    CommitTransactionStatement,
    Identifier,
    RollbackTransactionStatement,
    SaveTransactionStatement,
    VariableReference,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.syntax_errors import semicolon_advice

_NAME_MAX = 32
"""Only this many characters of a transaction name count."""


def _name(node: Identifier | str | None, compiler: Compiler) -> Callable[[Frame], str | None]:
    """The name as a closure: an identifier, or a variable's value."""
    if node is None:
        return lambda frame: None
    if isinstance(node, Identifier):
        if len(node.value) > _NAME_MAX:
            raise sql_error(103, "identifier", node.value, _NAME_MAX)
        fixed = node.value
        return lambda frame: fixed
    value = compiler.scalar(VariableReference(node)).run

    def run(frame: Frame) -> str | None:
        text = value(frame)
        return None if text is None else str(text)[:_NAME_MAX]

    return run


@handles(BeginTransactionStatement)
def compile_begin(node: BeginTransactionStatement, compiler: Compiler) -> Step:
    if node.distributed:
        raise sql_error(40517, "BEGIN DISTRIBUTED TRANSACTION")
    name = _name(node.name, compiler)

    def run(frame: Frame) -> int:
        session = frame.session
        session.begin_implicitly()
        session.begin_transaction(name(frame) or "")
        return 0

    return Step(run)


@handles(CommitTransactionStatement)
def compile_commit(node: CommitTransactionStatement, compiler: Compiler) -> Step:
    """The name of a COMMIT is ignored, as on SQL Server."""

    def run(frame: Frame) -> int:
        session = frame.session
        if session.insert_exec is not None and session.trancount <= session.insert_exec:
            raise sql_error(3916)
        if session.least_trancount is not None and session.trancount <= session.least_trancount:
            raise _ending_batch(sql_error(49949))
        session.commit_transaction(delayed=session.instance.is_delayed_durable(session, node.delayed_durability))
        return 0

    return Step(run)


@handles(RollbackTransactionStatement)
def compile_rollback(node: RollbackTransactionStatement, compiler: Compiler) -> Step:
    """Without a name, or with the outermost transaction's name: all of it. With a savepoint's name: back to there."""
    name = _name(node.name, compiler)

    def run(frame: Frame) -> int:
        session = frame.session
        transaction = session.transaction
        if transaction is None or session.trancount == 0:
            raise sql_error(3903)
        wanted = name(frame)
        mark = transaction.savepoint(wanted) if wanted is not None else None
        if mark is None:
            if session.insert_exec is not None:
                raise _ending_batch(sql_error(3915))
            if session.least_trancount is not None:
                raise _ending_batch(sql_error(49949))
            if wanted is not None and wanted != session.transaction_name:
                raise sql_error(6401, wanted).advise(semicolon_advice(wanted.upper()))
            session.rollback_transaction()
            return 0
        if transaction.is_doomed:
            raise sql_error(3931)
        transaction.rollback_to(mark)
        return 0

    return Step(run)


def _ending_batch(error: SqlError) -> SqlError:
    error.batch_aborting = error.dooms_transaction = True
    return error


@handles(SaveTransactionStatement)
def compile_save(node: SaveTransactionStatement, compiler: Compiler) -> Step:
    name = _name(node.name, compiler)

    def run(frame: Frame) -> int:
        session = frame.session
        transaction = session.transaction
        if transaction is None or session.trancount == 0:
            raise sql_error(628)
        if transaction.is_doomed:
            raise sql_error(3931)
        wanted = name(frame)
        if wanted is None:
            raise sql_error(1038)
        # The newest savepoint of a name is the one that counts.
        transaction.save(wanted)
        return 0

    return Step(run)
