"""END CONVERSATION, plain, WITH ERROR and WITH CLEANUP (docs/spec: END).

Decides what the local side loses and what the other side is told. Must not know how it gets there.
"""

from __future__ import annotations

from uuid import UUID

from sbql.engine.broker import monolog_publisher, system_messages, trace
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.conversation_state import REMOVED, Event, step
from sbql.engine.broker.endpoint_changes import close, find_peer, forget_transmissions
from sbql.engine.broker.outgoing import send_out
from sbql.engine.broker.state import Conversation
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.grammar.errors import sql_error

__all__ = ["clean_up", "end_conversation", "end_conversation_with_cleanup", "end_conversation_with_error"]

MAX_DESCRIPTION = 3000


def end_conversation(transaction: BrokerTransaction, database_id: int, handle: UUID) -> None:
    """End this side. Unread messages are dropped; EndDialog follows all that was sent. Errors: 8426, 229, 8427."""
    conversation = transaction.conversation(handle, database_id)
    transaction.require_owner(conversation)
    found = _step(conversation, Event.END)
    _end(transaction, conversation, found, Kind.END, None)
    trace.emit_conversation(transaction.state.trace, "END CONVERSATION", conversation)


def end_conversation_with_error(
    transaction: BrokerTransaction, database_id: int, handle: UUID, code: int | None, description: str | None
) -> None:
    """End this side with an Error message for the other; what still waits in the transmission queue is deleted.

    NULL code and description 8424, code 8419, description 8422.
    """
    if code is None and description is None:
        raise sql_error(8424)
    if code is None:
        raise sql_error(8419)
    if description is None:
        raise sql_error(8422)
    conversation = transaction.conversation(handle, database_id)
    transaction.require_owner(conversation)
    found = _step(conversation, Event.END_WITH_ERROR)
    if found == "DO":
        transaction.delete_transmissions(conversation, conversation.transmission)
    _end(transaction, conversation, found, Kind.ERROR, system_messages.error_body(code, description[:MAX_DESCRIPTION]))
    trace.emit_conversation(
        transaction.state.trace, "END CONVERSATION WITH ERROR", conversation, detail=f"{code}: {description}"
    )


def end_conversation_with_cleanup(transaction: BrokerTransaction, database_id: int, handle: UUID) -> None:
    """Remove this side and all its messages at once; the other side is not told. 28006 for a conversation that has
    ended already, unless the user is privileged."""
    conversation = transaction.conversation(handle, database_id)
    if conversation.endpoint.state in ("DO", "CD") and not transaction.rights.is_privileged():
        raise sql_error(28006, "clean up", str(handle).upper(), conversation.endpoint.state)
    transaction.require_owner(conversation)
    _step(conversation, Event.END_WITH_CLEANUP)
    clean_up(transaction, conversation)
    trace.emit_conversation(transaction.state.trace, "END CONVERSATION WITH CLEANUP", conversation)


def clean_up(transaction: BrokerTransaction, conversation: Conversation) -> None:
    """Endpoint, queue rows and transmission rows go; whatever this transaction sent on it is forgotten too. The other
    side is not told. If it has ended, nobody is left whose end it could wait for."""
    transaction.touch(conversation)
    transaction.mark_ended(conversation)
    transaction.empty_queue_of(conversation)
    forget_transmissions(transaction, conversation)
    if conversation.monolog is not None and conversation.monolog.is_publisher:
        monolog_publisher.clean_up(transaction, conversation)
    endpoint = conversation.endpoint
    has_heard = endpoint.state in ("DI", "ER") and endpoint.end_dialog_sequence >= 0  # nobody else is looked for
    peer = find_peer(transaction, conversation) if has_heard and conversation.monolog is None else None
    transaction.remove_conversation(conversation)
    if peer is not None and peer.endpoint.state == "DO":
        send_out(transaction, Arrival(conversation, Kind.CLOSED))


def _step(conversation: Conversation, event: Event) -> str:
    endpoint = conversation.endpoint
    return step(endpoint.state, event, endpoint.is_initiator, endpoint.conversation_handle)


def _end(
    transaction: BrokerTransaction, conversation: Conversation, found: str, kind: Kind, body: bytes | None
) -> None:
    endpoint = conversation.endpoint
    transaction.touch(conversation)
    transaction.mark_ended(conversation)
    transaction.empty_queue_of(conversation)
    if endpoint.dialog_timer:
        transaction.set(conversation, "dialog_timer", 0.0)
    if conversation.monolog is not None and conversation.monolog.is_publisher:
        monolog_publisher.end(transaction, conversation, kind, body)
        return
    if endpoint.state == "SO":
        transaction.remove_conversation(conversation)
        return
    if found == "DO":
        sequence = endpoint.send_sequence
        transaction.set(conversation, "send_sequence", sequence + 1)
        transaction.set(conversation, "end_dialog_sequence", sequence)
        transaction.set(conversation, "state", "DO")
        if conversation.held:  # the other side's end may be among it
            conversation.held.next_attempt = transaction.host.now()
            transaction.reschedule[conversation] = None
        name = system_messages.END_DIALOG if kind == Kind.END else system_messages.ERROR
        send_out(transaction, Arrival(conversation, kind, name, body, sequence, transaction.host.new_message_id()))
        return
    close(transaction, conversation, remove=found == REMOVED)
    send_out(transaction, Arrival(conversation, Kind.CLOSED))
