"""OwnTransaction: the transaction of a statement that writes a table which only its session sees, and nothing else.

It is a Transaction in all that it does. Where such a statement has left nothing but rows of #temp tables, which nobody
waits for and no disk gets, its end is short, and it serves the next one: to make a transaction, a lock owner and a unit
of work costs as much as the statement. It must not know statements.
"""

from __future__ import annotations

from sbql.engine.transaction.transaction import Transaction

__all__ = ["OwnTransaction"]


class OwnTransaction(Transaction):
    """`is_spent`: it is committed, and nothing is left in it that the next statement could meet."""

    is_spent: bool = False

    def begin_again(self, rests_on: int) -> OwnTransaction:
        """Itself for the next statement, as one that is new; `rests_on` as there."""
        self.id = next(self.instance.transaction_ids)
        self.begin_time = self.instance.host.now()
        self.rests_on = rests_on
        self.is_committed = self.is_spent = False
        return self

    def commit(self) -> int:
        """As any other."""
        unit = self._unit
        if (
            unit is None
            or self._before
            or self._after
            or self._undo
            or self._broker is not None
            or self.snapshot is not None
            or self.owner.held
            or self.instance.subscriptions.is_watching
        ):
            return super().commit()
        try:
            self._write(unit, [], [], self.check_kept)
        except BaseException:
            self.rollback()
            raise
        if self._interrupt is not None:
            raise self._interrupt
        self._unit = unit  # as if new
        self.is_spent = not (self.lsn or self._savepoints or self.own_keys or self.merged)
        return self.lsn
