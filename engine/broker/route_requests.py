"""Dynamic routing: what the broker asks the service SQL/ServiceBroker/BrokerConfiguration (docs/spec: MATCH, DYNAMIC).

Decides when a missing route, or a missing remote service binding, is asked for and when a request is over
(`route_dialogs` has the conversation). One request of each kind at a time is open for a service of a database, however
many conversations wait for it. It ends with its conversation; who still has no route then waits, and after a while asks
again. Must not know how the answer is found, nor who runs this.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from msgspec import Struct

from sbql.engine.broker.routing import DYNAMIC_ROUTING
from sbql.engine.broker.state import BrokerState

__all__ = ["PATIENCE", "RouteRequest", "adopt", "ask", "due"]


PATIENCE: Final = 64.0
"""Seconds between the end of a request that brought no route and the next one for the same service."""
_BINDING: Final = "\0"
"""In front of the service in the key of a request for a binding: no name of a service begins so."""


class RouteRequest(Struct):
    """`handle` is None until the request is sent, `next_time` 0.0 until it is over. `of_binding`: it asks for a remote
    service binding, not for a route."""

    database_id: int
    service: str
    instance: str
    handle: UUID | None = None
    next_time: float = 0.0
    of_binding: bool = False


def ask(
    state: BrokerState, database_id: int, service: str, instance: str, now: float, *, of_binding: bool = False
) -> None:
    """A conversation found no route but the one to the routing service, or no binding. The mutex is held."""
    key = database_id, _BINDING + service if of_binding else service
    found = state.route_requests.get(key)
    if found is not None and (not found.next_time or found.next_time > now):
        return
    state.route_requests[key] = RouteRequest(database_id, service, instance, of_binding=of_binding)
    state.notify("route", 0)


def adopt(state: BrokerState) -> None:
    """After a restart: requests that were open then are only waited for; who needs a route asks anew."""
    for conversation in state.endpoints.values():
        endpoint = conversation.endpoint
        if endpoint.is_system and endpoint.is_initiator and endpoint.far_service == DYNAMIC_ROUTING:
            handle = endpoint.conversation_handle
            state.route_requests[endpoint.database_id, str(handle)] = RouteRequest(endpoint.database_id, "", "", handle)


def due(state: BrokerState) -> list[RouteRequest]:
    """Requests that are to be sent, or whose conversation has ended. The mutex is held."""
    return [r for r in state.route_requests.values() if not r.next_time and (r.handle is None or _is_over(state, r))]


def _is_over(state: BrokerState, request: RouteRequest) -> bool:
    assert request.handle is not None
    conversation = state.find(request.database_id, request.handle)
    if conversation is None:
        return True
    return conversation.toucher is None and conversation.endpoint.state in ("DI", "ER", "CD")
