"""An error ends one leg of a monolog: the publisher hears of it, and goes on (docs/monologs.md, rules 21 to 26).

Decides what the publisher is told. Must not know what else arrives at a leg (monolog_delivery does).
"""

from __future__ import annotations

from xml.etree import ElementTree

from sbql.catalog.records import NO_MESSAGE_ID
from sbql.engine.broker import system_messages, trace
from sbql.engine.broker.conversation_state import Event
from sbql.engine.broker.endpoint_changes import close, put_system_message
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.ready_index import Conversation, Member
from sbql.grammar.messages import message as catalogue_message

__all__ = ["code_of", "fail", "publisher_of", "tell_publisher"]


def fail(transaction: Holdings, leg: Conversation, event: Event, number: int, arguments: tuple[object, ...]) -> None:
    """An error of the broker ends a leg. What ends the publisher too (LIFETIME, DROP CONTRACT …) it hears for
    itself."""
    if event == Event.PEER_ERROR:
        trace.emit_conversation(transaction.state.trace, "Broker Initiated Error", leg, text=str(number))
        tell_publisher(transaction, leg, system_messages.broker_error_body(number, *arguments), NO_MESSAGE_ID)
    close(transaction, leg, remove=True)


def publisher_of(member: Member | None) -> Conversation | None:
    """The publisher of the monolog that a leg belongs to, None when that is gone."""
    return member.monolog.publisher if member is not None and member.monolog is not None else None


def tell_publisher(transaction: Holdings, leg: Conversation, body: bytes | None, message_id: bytes) -> None:
    """An Error message for the publisher, which stays as it is. Its description begins with the subscriber's name."""
    publisher = publisher_of(leg.monolog)
    if publisher is None or publisher.removed or publisher.endpoint.state not in ("SO", "CO"):
        return
    code, description = _read(body)
    text = catalogue_message(49936).format(leg.endpoint.far_service, description)
    named = system_messages.error_body(code, text)
    put_system_message(transaction, publisher, system_messages.ERROR_ID, named, 0, message_id)
    trace.emit_conversation(transaction.state.trace, "Received Broker Error Message", publisher)


def code_of(body: bytes | None) -> int:
    """The code of an Error document."""
    return _read(body)[0]


def _read(body: bytes | None) -> tuple[int, str]:
    """Code and description of an Error document."""
    if body is None:
        return 0, ""
    root = ElementTree.fromstring(body.decode("utf-16").split("?>", 1)[-1])
    space = f"{{{system_messages.ERROR_NAMESPACE}}}"
    return int(root.findtext(f"{space}Code") or 0), root.findtext(f"{space}Description") or ""
