"""What will go wrong though nothing waits yet: conversations that nobody ends, certificates, retention.

Decides from when on it is worth a finding (`Limits`).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from sbql.catalog.records import Certificate
from sbql.catalog.records.broker import ConversationEndpoint
from sbql.engine.broker.ready_index import Conversation
from sbql.engine.diagnosis import repairs
from sbql.engine.diagnosis.causes import Finding, found
from sbql.engine.diagnosis.scope import Scope
from sbql.engine.diagnosis.world import World
from sbql.engine.security.background_keys import MASTER, endpoint_certificates
from sbql.grammar.names import string_literal

__all__ = ["upkeep"]

_OVER: Final = ("DI", "ER")
_INCOMPLETE: Final = 130.0


def upkeep(world: World, scope: Scope) -> Iterator[Finding]:
    state = world.instance.broker
    with state.mutex:
        conversations = [c for c in state.endpoints.values() if not c.removed]
        over = [c for c in itertools.chain(conversations, state.at_rest()) if c.endpoint.state in _OVER]
    concerned = conversations if scope.is_everything else [c for c in conversations if scope.concerns(world, c)]
    yield from _left_open(world, [c for c in over if scope.is_everything or scope.concerns(world, c)])
    yield from _retained(world, concerned)
    yield from _incomplete(world, concerned)
    if scope.is_everything:
        yield from _certificates(world)


def _left_open(world: World, conversations: list[Conversation]) -> Iterator[Finding]:
    """The other side has ended them, there is nothing left to read, and this side does not END."""
    over: dict[tuple[int, int], list[ConversationEndpoint]] = defaultdict(list)
    for conversation in conversations:
        endpoint = conversation.endpoint
        if conversation.first_order() < 0:
            over[endpoint.database_id, endpoint.service_id].append(endpoint)
    for (database_id, service_id), endpoints in over.items():
        if len(endpoints) < world.limits.ended:
            continue
        database, service = world.name(database_id), world.index.service_by_id[database_id, service_id]
        rows = [
            {"view": "sys.conversation_endpoints", "conversation_handle": str(e.conversation_handle).upper(), "state": e.state, "far_service": e.far_service, "lifetime": e.lifetime}
            for e in endpoints[:3]
        ]  # fmt: skip
        text = f"{len(endpoints)} conversations of the service {service.name} were ended by the other side and not by this one. They stay until their LIFETIME."
        repair = repairs.in_database(
            database,
            "DECLARE @h uniqueidentifier;",
            "WHILE 1 = 1",
            "BEGIN",
            "    SET @h = (SELECT TOP (1) e.conversation_handle FROM sys.conversation_endpoints AS e JOIN sys.services AS s ON s.service_id = e.service_id",
            f"              WHERE e.state IN ('DI', 'ER') AND s.name = {string_literal(service.name)});",
            "    IF @h IS NULL BREAK;",
            "    END CONVERSATION @h;",
            "END;",
        )
        yield found("CONVERSATIONS_LEFT_OPEN", database, text, service.name, rows, repair)


def _retained(world: World, conversations: list[Conversation]) -> Iterator[Finding]:
    kept: dict[int, int] = defaultdict(int)
    for conversation in conversations:
        kept[conversation.queue.queue_id] += len(conversation.retained)
    for queue_id, count in kept.items():
        queue = world.index.queues.get(queue_id)
        if queue is not None and queue.is_retention_enabled and count >= world.limits.retained:
            database = world.name(queue.database_id)
            row = {
                "view": "sys.service_queues",
                "name": queue.name,
                "is_retention_enabled": queue.is_retention_enabled,
                "retained_messages": count,
            }
            text = f"The queue {queue.name} keeps {count} messages that were sent or received, until their conversations end."
            repair = repairs.in_database(database, f"ALTER QUEUE {world.queue_name(queue)} WITH RETENTION = OFF;")
            yield found("RETENTION_GROWS", database, text, queue.name, [row], repair)


def _incomplete(world: World, conversations: list[Conversation]) -> Iterator[Finding]:
    for conversation in conversations:
        late = [m for m in conversation.incomplete if world.now - m.message_enqueue_time >= _INCOMPLETE]
        if not late:
            continue
        endpoint = conversation.endpoint
        database = world.name(endpoint.database_id)
        rows = [
            {
                "view": "queue",
                "status": 2,
                "message_sequence_number": m.message_sequence_number,
                "enqueue_time": m.message_enqueue_time,
            }
            for m in late[:3]
        ]
        far = endpoint.far_broker_instance
        if far is not None and far.int in world.index.by_guid:
            text = f"Messages of the service {endpoint.far_service} are here before their turn, and nobody sends what is missing: one of the two databases was restored as it was earlier. End the conversation on both sides."
        else:
            text = f"Messages of the service {endpoint.far_service} are here in part, or before their turn. What is missing is in the transmission queue of its instance."
        yield found("MESSAGE_INCOMPLETE", database, text, endpoint.far_service, rows)


def _certificates(world: World) -> Iterator[Finding]:
    """Those that conversations with other instances and the endpoint rest on."""
    index, snapshot = world.index, world.snapshot
    owners = {(database_id, binding.remote_principal_id) for (database_id, _), binding in index.bindings.items()}
    owners |= {
        (s.database_id, s.principal_id)
        for s in index.service_by_id.values()
        if any(d == s.database_id for d, _ in index.bindings)
    }
    of_endpoints = endpoint_certificates(snapshot)
    used: dict[tuple[int, int], Certificate] = {}
    for certificate in snapshot.all(Certificate):
        key = (certificate.database_id, certificate.principal_id)
        is_used = key in owners or (certificate.database_id == MASTER and certificate.id in of_endpoints)
        if is_used and (key not in used or used[key].expiry_date < certificate.expiry_date):
            used[key] = certificate
    for certificate in used.values():
        left = certificate.expiry_date - world.now
        if 0 < left < world.limits.expiry:
            database, owner = (
                world.name(certificate.database_id),
                world.user_name(certificate.database_id, certificate.principal_id),
            )
            name = f"{certificate.name}_{int(world.now)}"
            row = {"view": "sys.certificates", "name": certificate.name, "expiry_date": certificate.expiry_date}
            text = f"The certificate {certificate.name} ends in {left / 86400:.0f} days. The other side needs the file of the one that follows."
            if certificate.private_key is not None:
                repair = repairs.new_certificate(database, name, owner, f"{name}.cer")
            else:
                repair = repairs.certificate_from_file(database, name, owner)
            yield found("CERTIFICATE_EXPIRES", database, text, certificate.name, [row], repair)
