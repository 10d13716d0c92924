"""The conversation with the routing service about one missing route or binding (docs/spec: MATCH, DYNAMIC).

Decides the document, MissingRoute or MissingRemoteServiceBinding, and how our side ends. Must not know when a route is
asked for (`route_requests` does).
"""

from __future__ import annotations

from typing import Final

from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.end_conversation import end_conversation
from sbql.engine.broker.route_requests import RouteRequest
from sbql.engine.broker.routing import DYNAMIC_ROUTING
from sbql.engine.broker.send import send
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.grammar.values.xml_text import escape_text

__all__ = ["begin", "finish"]

_BASE: Final = "http://schemas.microsoft.com/SQL/ServiceBroker/"
_SERVICE: Final = _BASE + "ServiceBroker"
_CONTRACT: Final = _BASE + "BrokerConfigurationNotice"


def begin(transaction: BrokerTransaction, request: RouteRequest) -> None:
    """Send what is missing to the routing service."""
    handle = begin_dialog(
        transaction,
        request.database_id,
        _SERVICE,
        DYNAMIC_ROUTING,
        contract=_CONTRACT,
        encryption=False,
        is_system=True,
    )
    what = "MissingRemoteServiceBinding" if request.of_binding else "MissingRoute"
    send(transaction, request.database_id, handle, f"{_CONTRACT}/{what}", _document(request, what))
    request.handle = handle


def _document(request: RouteRequest, what: str) -> bytes:
    instance = f"<BROKER_INSTANCE>{escape_text(request.instance)}</BROKER_INSTANCE>" if request.instance else ""
    text = f'<{what} xmlns="{_CONTRACT}/{what}"><SERVICE_NAME>{escape_text(request.service)}</SERVICE_NAME>{instance}</{what}>'
    return b"\xff\xfe" + text.encode("utf-16-le", "surrogatepass")


def finish(transaction: BrokerTransaction, request: RouteRequest) -> bool:
    """End our side of a request that is over. False when it was closed by an error, which concerns the error log
    (9761)."""
    state = transaction.state
    assert request.handle is not None
    conversation = state.find(request.database_id, request.handle)
    if conversation is None:
        return True
    is_good = conversation.endpoint.state != "ER"
    end_conversation(transaction, request.database_id, request.handle)
    return is_good
