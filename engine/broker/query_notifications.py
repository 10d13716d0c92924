"""Query notifications of the broker: the message that tells of a query's change, and the conversation that carries it.

Decides the document, and that each notification has a conversation of its own, which its receiver ends; what ends so is
over on this side, too. It must not know what a query is, nor when a change concerns it.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from sbql.catalog.records import DeleteQuerySubscription, QuerySubscription
from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.end_conversation import end_conversation
from sbql.engine.broker.send import send
from sbql.engine.broker.state import BrokerState, Conversation
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.grammar.values.xml_text import escape_attribute, escape_text, only_xml

__all__ = ["Reason", "adopt", "document", "finish", "over", "post"]

_BASE: Final = "http://schemas.microsoft.com/SQL/Notifications/"
_SERVICE: Final = _BASE + "QueryNotificationService"
_CONTRACT: Final = _BASE + "PostQueryNotification"
_MESSAGE_TYPE: Final = _BASE + "QueryNotification"

Reason = tuple[str, str, str]
"""type, source and info of a message."""


def post(transaction: BrokerTransaction, record: QuerySubscription, reason: Reason) -> UUID:
    """Tell why, and forget the subscription in the same transaction. Returns the handle. Raises the SqlError of a
    failing BEGIN or SEND."""
    handle = begin_dialog(
        transaction,
        record.database_id,
        _SERVICE,
        record.service,
        record.broker_instance or None,
        contract=_CONTRACT,
        encryption=False,
        principal_id=record.principal_id,
        is_system=True,
    )
    send(transaction, record.database_id, handle, _MESSAGE_TYPE, document(record, reason))
    transaction.deliveries.append(DeleteQuerySubscription(record.id))
    return handle


def document(record: QuerySubscription, reason: Reason) -> bytes:
    """UTF-16 with a mark, as xml is sent."""
    kind, source, info = map(escape_attribute, reason)
    message = escape_text(only_xml(record.message.decode("utf-16-le", "replace")))
    text = (
        f'<qn:QueryNotification xmlns:qn="{_MESSAGE_TYPE}" id="{record.id}" type="{kind}" source="{source}" info="{info}" '
        f'database_id="{record.database_id}" sid="0x{record.sid.hex().upper()}"><qn:Message>{message}</qn:Message></qn:QueryNotification>'
    )
    return b"\xff\xfe" + text.encode("utf-16-le")


# --- the end of its conversation ---------------------------------------------------------------------------


def adopt(state: BrokerState) -> None:
    """After a restart: what had ended by then. The mutex is held."""
    for conversation in state.endpoints.values():
        endpoint = conversation.endpoint
        if endpoint.is_system and endpoint.is_initiator and endpoint.contract_name == _CONTRACT:
            state.ended_inside[conversation] = None


def over(state: BrokerState) -> list[Conversation]:
    """Conversations of notifications that the other side has ended, or the broker by an error. The mutex is held."""
    found = []
    for conversation in list(state.ended_inside):
        endpoint = conversation.endpoint
        is_settled = conversation.removed or (conversation.toucher is None and endpoint.state in ("SO", "CO"))
        if is_settled or endpoint.contract_name != _CONTRACT:  # what ended it was rolled back; or it is somebody else's
            del state.ended_inside[conversation]
        elif conversation.toucher is None:
            found.append(conversation)
    return found


def finish(transaction: BrokerTransaction, database_id: int, handle: UUID) -> tuple[bytes | None, bool]:
    """End our side. Returns the document of the error that ended it and whether there was an error."""
    state = transaction.state
    conversation = state.find(database_id, handle)
    if conversation is None:
        return None, False
    transaction.lock(conversation.group)
    has_failed = conversation.endpoint.state == "ER"
    message = next(iter(conversation.urgent), None) if has_failed else None
    end_conversation(transaction, database_id, handle)
    return (message.message_body if message is not None else None), has_failed
