"""RouteFinder: the part of the background work that asks the dynamic routing service for missing routes.

Decides in which transactions requests are sent and ended, and what the error log says of those that end badly (9761).
What a request is, and when one is due, is the broker's (`broker.route_requests`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sbql.catalog.records import Database, Principal
from sbql.engine.broker import deadlines, route_dialogs, route_requests
from sbql.engine.broker.route_requests import RouteRequest
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.conversation.dialogs import broker_call
from sbql.engine.ports import Instance
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["RouteFinder"]


class RouteFinder:
    """Sends the requests for missing routes that the broker has noted."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def __bool__(self) -> bool:
        """Whether a request is due. Cheap while nobody uses dynamic routing."""
        state = self.instance.broker
        if not state.route_requests:
            return False
        with state.mutex:
            return bool(route_requests.due(state))

    def run(self) -> Work:
        """Send and end what is due."""
        state = self.instance.broker
        if not state.route_requests:
            return
        with state.mutex:
            found = route_requests.due(state)
        for request in found:
            if self.instance.catalog.get(Database, 0, request.database_id) is None:
                self._forget(request)
            elif request.handle is None:
                yield from self._begin(request)
            else:
                yield from self._finish(request)

    def _begin(self, request: RouteRequest) -> Work:
        try:
            yield from self._call(request.database_id, partial(route_dialogs.begin, request=request))
        except SqlError as error:
            self.instance.log(error.number, error.message)
            self._over(request)

    def _finish(self, request: RouteRequest) -> Work:
        is_good = yield from self._call(request.database_id, partial(route_dialogs.finish, request=request))
        if not is_good:
            handle = str(request.handle).upper()
            self.instance.log(9761, sql_error(9761, handle).message)
        self._over(request)

    def _over(self, request: RouteRequest) -> None:
        """Everybody looks for a route again; who finds none asks again after a while."""
        instance = self.instance
        now = instance.host.now()
        if not request.service:
            self._forget(request)
            return
        with instance.broker.mutex:
            request.next_time = now + route_requests.PATIENCE
            deadlines.retry_delayed(instance.broker, now)

    def _forget(self, request: RouteRequest) -> None:
        requests = self.instance.broker.route_requests
        for key in [key for key, known in requests.items() if known is request]:
            del requests[key]

    def _call(self, database_id: int, operation: Callable[[BrokerTransaction], object]) -> Work:
        """One operation of the broker in a session of its own, as sa."""
        login = self.instance.catalog.get(Principal, 0, 1)
        assert login is not None
        session = self.instance.new_session(login, database_id, is_background=True)
        try:
            result = yield from broker_call(session, operation)
        finally:
            session.close()
        return result
