"""The end of a transaction as a request of its own, for drivers: `transaction.end` and
`transaction.implicit`, which are no T-SQL.

It decides that what a driver asks for in this way is done under every SET option: a batch is not run under NOEXEC or
PARSEONLY, and a COMMIT that is passed over loses data without a word. It must not know who asks.
"""

from __future__ import annotations

from sbql.engine.operations import Call, argument, operation
from sbql.grammar.errors import sql_error


@operation("transaction.end")
def end(call: Call) -> None:
    """Commit the session's open transaction, however deep it is (`commits`), or roll it back; nothing without one.
    Raises what a COMMIT raises: 3930 for a doomed one, 49949 for one of a request that is run once."""
    session = call.session
    if not argument(call, "commits", bool, required=True):
        session.rollback_transaction()
        return
    if session.trancount and session.least_trancount is not None:
        raise sql_error(49949)
    while session.trancount:
        session.commit_transaction(delayed=session.instance.is_delayed_durable(session, None))


@operation("transaction.implicit")
def begin_implicitly(call: Call) -> None:
    """IMPLICIT_TRANSACTIONS is as `on` says."""
    call.session.options.implicit_transactions = argument(call, "on", bool, required=True)
