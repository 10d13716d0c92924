"""KILL QUERY NOTIFICATION SUBSCRIPTION: the end of subscriptions without a message to anybody."""

from __future__ import annotations

from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import is_in_server_role
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import KillSubscriptionStatement
from sbql.grammar.errors import sql_error


@handles(KillSubscriptionStatement)
def compile_kill_subscription(node: KillSubscriptionStatement, compiler: Compiler) -> Step:
    """Raises 6102 (no sysadmin), 15151 (no such subscription)."""
    number = node.subscription_id.value if node.subscription_id is not None else None

    def run(frame: Frame) -> int:
        session = frame.session
        if not is_in_server_role(session, "sysadmin"):
            raise sql_error(6102)
        subscriptions = session.instance.subscriptions
        found = [record for record in subscriptions.all() if number is None or record.id == number]
        ids = [record.id for record in found]
        if number is not None and not ids:
            raise sql_error(15151, "find", "query notification subscription", number)
        for record in found:
            session.instance.notified.subscription(7, record)
        session.note_commit(subscriptions.remove(ids))
        return 0

    return Step(run)
