"""Query notifications: what became of watched queries becomes messages.

Decides in which transaction a message is sent: each in one of its own, behind the commit that it tells of. Decides also
what the error log says when it cannot be sent: the message is lost then, for its subscription is over. Ends what
receivers have ended. Which change concerns whom is the registry's business (`subscriptions`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sbql.catalog.records import Database, DeleteQuerySubscription, Principal
from sbql.engine.broker import query_notifications
from sbql.engine.broker.state import Conversation
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.client import Client
from sbql.engine.conversation.dialogs import broker_call
from sbql.engine.ports import Instance
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["QueryNotices"]

_SENDING = Client("sbql query notifications")


class QueryNotices:
    """The part of the background work that sends them."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def __bool__(self) -> bool:
        """Whether there is something to do. Cheap while nobody subscribes."""
        state = self.instance.broker
        if self.instance.subscriptions.due:
            return True
        if not state.ended_inside:
            return False
        with state.mutex:
            return bool(query_notifications.over(state))

    def run(self) -> Work:
        """Send what is due, end what is over."""
        subscriptions, state = self.instance.subscriptions, self.instance.broker
        subscriptions.expire()
        while subscriptions.due:
            yield from self._send(subscriptions.due.popleft())
        if state.ended_inside:
            with state.mutex:
                found = query_notifications.over(state)
            for conversation in found:
                yield from self._finish(conversation)

    def _send(self, due: Any) -> Work:
        """`due` is a `subscriptions.active_subscriptions.Due`."""
        instance, record = self.instance, due.record
        post = partial(query_notifications.post, record=record, reason=due.reason)
        try:
            if instance.catalog.get(Database, 0, record.database_id) is None:
                raise sql_error(911, record.database_id)
            handle = yield from self._call(record.database_id, post)
        except SqlError as error:
            document = query_notifications.document(record, due.reason)
            instance.log(9210, sql_error(9210, "", document.decode("utf-16"), error.message).message)
            instance.notified.subscription(4, record, document)
            instance.store.submit([DeleteQuerySubscription(record.id)])
        else:
            instance.notified.subscription(3, record, query_notifications.document(record, due.reason), handle)
        if due.has_waited:
            instance.notified.subscription(9, record)

    def _finish(self, conversation: Conversation) -> Work:
        database_id, handle = conversation.endpoint.database_id, conversation.endpoint.conversation_handle
        try:
            body, has_failed = yield from self._call(
                database_id, partial(query_notifications.finish, database_id=database_id, handle=handle)
            )
        except SqlError as error:
            self.instance.log(9240, sql_error(9240, str(handle).upper(), database_id, error.message).message)
            with self.instance.broker.mutex:
                self.instance.broker.ended_inside.pop(conversation, None)
            return
        if has_failed:
            said = body.decode("utf-16", "replace") if body is not None else ""
            self.instance.log(9207, sql_error(9207, str(handle).upper(), said).message)

    def _call(self, database_id: int, operation: Callable[[BrokerTransaction], Any]) -> Work:
        """One operation of the broker in a session of its own, as sa."""
        login = self.instance.catalog.get(Principal, 0, 1)
        assert login is not None
        session = self.instance.new_session(login, database_id, is_background=True, client=_SENDING)
        try:
            result = yield from broker_call(session, operation)
        finally:
            session.close()
        return result
