"""The transaction around one statement: its own (autocommit), the session's, or the
one that IMPLICIT_TRANSACTIONS begins.

Decides what a statement that fails undoes. Must not know what statements do, nor what an error does to the batch.
"""

from __future__ import annotations

from types import TracebackType

from sbql.catalog.interrupts import held
from sbql.engine.ports import Session, Transaction
from sbql.engine.transaction.own_transaction import OwnTransaction
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["FormatOnly", "StatementScope"]


class FormatOnly(SqlError):
    """Under SET FMTONLY ON nothing is changed: the statement ends without a word."""

    def __init__(self) -> None:
        super().__init__(0, "")


class StatementScope:
    """See Session.statement."""

    __slots__ = ("autocommit", "is_begun", "is_own", "mark", "session", "transaction")

    def __init__(self, session: Session, is_own: bool = False, is_begun: bool = True) -> None:
        self.session, self.is_own, self.is_begun = session, is_own, is_begun

    def __enter__(self) -> Transaction:
        session = self.session
        transaction = session.transaction
        if session.options.fmtonly:
            raise FormatOnly
        if transaction is not None and transaction.is_doomed:
            raise sql_error(3930)
        self.autocommit = transaction is None
        if transaction is None:
            transaction = session.open_statement(is_own=self.is_own, is_begun=self.is_begun)
            self.autocommit = session.trancount == 0
            if session.hears_transactions is not None:
                session.hears_transactions(transaction)
        elif transaction.is_handed_over:
            transaction.is_handed_over = False
            self.autocommit = session.trancount == 0
        self.transaction = transaction
        self.mark = transaction.mark() if not self.autocommit else None
        return transaction

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and not self.autocommit:
            return
        with held:
            self._end(kind is None)

    def _end(self, is_well: bool) -> None:
        session = self.session
        transaction = self.transaction
        if session.transaction is not transaction or (self.autocommit and session.trancount > 0):
            return  # the statement ended the transaction itself, as ROLLBACK in a trigger does
        if not self.autocommit:
            if self.mark is not None:
                transaction.rollback_to(self.mark)
            return
        session.close_statement()
        if is_well and transaction.is_doomed:
            transaction.rollback()
            raise sql_error(3930)
        if is_well:
            try:
                transaction.commit()
            finally:  # an interrupt comes behind it
                session.note_commit(transaction.lsn)
            if isinstance(transaction, OwnTransaction) and transaction.is_spent:
                session.keep_own(transaction)
        else:
            transaction.rollback()
