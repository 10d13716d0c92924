"""Transaction manager requests as T-SQL: drivers that have an autocommit switch send these instead of statements.

It decides the statements that mean the same, and that they run where batches do not, under SET NOEXEC ON. It
must not know what a transaction is.
"""

from __future__ import annotations

from collections.abc import Callable

from sbql.engine.outcomes import Outcome
from sbql.engine.session import Session
from sbql.engine.tds.requests import TransactionRequest
from sbql.engine.work import Work
from sbql.grammar.names import bracketed

__all__ = ["transaction_texts", "transaction_work"]


def transaction_texts(asked: TransactionRequest) -> list[str]:
    """The batches, one after the other while they succeed. A rollback without a transaction is no error:
    drivers send one when they close."""
    name = f" {bracketed(asked.name)}" if asked.name else ""
    match asked.kind:
        case "begin":
            first = []
        case "commit":
            first = [f"COMMIT TRANSACTION{name};"]
        case "rollback":
            first = [f"IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION{name};"]
        case _:
            return [f"SAVE TRANSACTION{name};"]
    if asked.kind != "begin" and not asked.begins_again:
        return first
    level = f"SET TRANSACTION ISOLATION LEVEL {asked.isolation};" if asked.isolation is not None else ""
    return [*first, f"{level}BEGIN TRANSACTION{name if asked.kind == 'begin' else ''};"]


def transaction_work(session: Session, text: str, sink: Callable[[Outcome], None]) -> Work:
    """Run one of them."""
    with session.options.executing():
        yield from session.execute(text, sink)
