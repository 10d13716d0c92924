"""What waits in transmission queues, and why: the checks in the order in which delivery makes them.

Decides the one cause of each conversation that waits. Conversations of the same services in the same
situation are one finding. It asks the catalog as it is now: a cause that is gone is none, even while the
status of the last attempt still names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from sbql.catalog.records import Principal, Queue, Service, TransmissionMessage
from sbql.catalog.records.broker import HELD_BIT, ConversationEndpoint
from sbql.engine.broker import routing
from sbql.engine.broker.ready_index import ERROR_TYPE, Conversation
from sbql.engine.broker.routing import parse_guid
from sbql.engine.diagnosis import repairs
from sbql.engine.diagnosis.causes import Evidence, Finding, found, said
from sbql.engine.diagnosis.network import dialog_security, master_key_finding, over_the_network
from sbql.engine.diagnosis.scope import Scope
from sbql.engine.diagnosis.world import World
from sbql.engine.security.owners import not_there
from sbql.grammar.names import string_literal
from sbql.grammar.suggestions import nearest

__all__ = ["between_databases", "route_finding", "waiting"]

_SHOWN: Final = 3


class Waiting(Struct):
    """Conversations of one kind with what they hold back: `count` of them, shown by the first."""

    conversation: Conversation
    rows: list[TransmissionMessage]
    since: float
    count: int = 1
    messages: int = 0

    @property
    def endpoint(self) -> ConversationEndpoint:
        return self.conversation.endpoint

    def evidence(self) -> list[Evidence]:
        endpoint = self.endpoint
        shown: list[Evidence] = [
            {
                "view": "sys.transmission_queue", "conversation_handle": str(row.conversation_handle).upper(), "to_service_name": row.to_service_name,
                "from_service_name": row.from_service_name, "message_type_name": row.message_type_name, "message_sequence_number": row.message_sequence_number,
                "enqueue_time": row.enqueue_time, "transmission_status": (not row.status & HELD_BIT and endpoint.transmission_status) or row.transmission_status,
            }
            for row in self.rows
        ]  # fmt: skip
        if self.messages > len(self.rows):
            shown[-1] = {**shown[-1], "and_more_rows": self.messages - len(self.rows), "conversations": self.count}
        return shown


def waiting(world: World, scope: Scope) -> Iterator[Finding]:
    for one in _groups(world, scope):
        yield from _causes(world, one)


def _groups(world: World, scope: Scope) -> list[Waiting]:
    state = world.instance.broker
    groups: dict[Any, Waiting] = {}
    with state.mutex:
        state.row_paging.bring_first(state.delayed)
        for conversation in list(state.delayed):
            rows, endpoint, peer = (
                conversation.transmission or conversation.held,
                conversation.endpoint,
                conversation.peer,
            )
            if not rows or conversation.removed or not scope.concerns(world, conversation):
                continue
            key = (
                endpoint.database_id, endpoint.service_id, endpoint.far_service, endpoint.far_broker_instance, endpoint.asked_broker_instance,
                endpoint.contract_name, endpoint.encryption, endpoint.state, endpoint.security, endpoint.transmission_status, conversation.goes_out,
                not conversation.transmission, peer is not None and (peer.queue.queue_id, peer.ended_by is not None), _has_unread_error(conversation),
            )  # fmt: skip
            known = groups.get(key)
            first = state.row_paging.read(rows, rows.after(-1, 1 if known else _SHOWN))
            since, count = first[0].enqueue_time, len(rows)
            if known is None:
                groups[key] = Waiting(conversation, first, since, 1, count)
            else:
                known.since, known.count, known.messages = (
                    min(known.since, since),
                    known.count + 1,
                    known.messages + count,
                )
    return list(groups.values())


def _has_unread_error(conversation: Conversation) -> bool:
    return any(m.message_type_id == ERROR_TYPE for m in conversation.urgent)


def _causes(world: World, one: Waiting) -> Iterator[Finding]:
    conversation, endpoint = one.conversation, one.endpoint
    database = world.index.databases.get(endpoint.database_id)
    if database is None:
        return
    broken = world.broker(database, one.evidence())
    if broken is not None:
        yield broken
    elif one.rows[0].status & HELD_BIT:
        queue = world.index.queues.get(conversation.queue.queue_id)
        if queue is not None and not queue.is_enabled:
            yield world.queue_off(queue, one.evidence())
    elif endpoint.state in ("ER", "DI"):
        if not _has_unread_error(conversation):  # else that is the finding
            yield _held(world, one)
    elif conversation.goes_out:
        yield from over_the_network(world, one)
    elif conversation.peer is not None and not conversation.peer.removed:
        yield from _to_peer(world, one, conversation.peer)
    else:
        yield from _to_nobody(world, one)


def _held(world: World, one: Waiting) -> Finding:
    endpoint = one.endpoint
    database = world.name(endpoint.database_id)
    name, number = ("HELD_AFTER_ERROR", 9784) if endpoint.state == "ER" else ("HELD_AFTER_END", 9779)
    repair = repairs.end(database, [endpoint.conversation_handle])
    return found(name, database, said(number), endpoint.far_service, one.evidence(), repair)


def _to_peer(world: World, one: Waiting, peer: Conversation) -> Iterator[Finding]:
    """The other side is open, in this instance."""
    database = world.index.databases.get(peer.endpoint.database_id)
    queue = world.index.queues.get(peer.queue.queue_id)
    broken = world.broker(database, one.evidence()) if database is not None else None
    if peer.ended_by is not None:
        holder = world.session_of(world.instance.locks.holder(peer.group.resource))
        spid = holder.spid if holder is not None else None
        rows = [*one.evidence(), {"view": "sys.dm_tran_locks", "request_session_id": spid}]
        text = said(9749) + (f" The transaction of session {spid} has ended the other side." if spid else "")
        yield found(
            "END_PENDING",
            world.name(peer.endpoint.database_id),
            text,
            one.endpoint.far_service,
            rows,
            repairs.kill([spid] if spid else []),
        )
    elif broken is not None:
        yield broken
    elif queue is not None and not queue.is_enabled:
        yield world.queue_off(queue, one.evidence())


def _to_nobody(world: World, one: Waiting) -> Iterator[Finding]:
    """No other side yet: the routes decide where one would be."""
    endpoint = one.endpoint
    guid = endpoint.far_broker_instance or parse_guid(endpoint.asked_broker_instance)
    asked = str(guid) if guid is not None else endpoint.asked_broker_instance
    place = routing.classify(world.index, endpoint.database_id, endpoint.far_service, guid, world.instance.host)
    if place.kind == "Remote":
        yield from over_the_network(world, one)
    elif place.kind == "Delayed":
        yield route_finding(world, endpoint.database_id, endpoint.far_service, asked, place.reason, one)
    else:
        service = world.index.services[place.database_id, endpoint.far_service]
        yield from between_databases(
            world,
            endpoint.database_id,
            endpoint.principal_id,
            service,
            encryption=endpoint.encryption,
            evidence=one.evidence(),
        )
        yield from _target(world, service, one)


def _target(world: World, service: Service, one: Waiting) -> Iterator[Finding]:
    queue = world.snapshot.get(Queue, service.database_id, service.queue_id)
    if queue is None:
        return
    if not queue.is_enabled:
        yield world.queue_off(queue, one.evidence())
    elif not world.may(service.principal_id, service.database_id, "RECEIVE", queue):
        database, owner = world.name(service.database_id), world.user_name(service.database_id, service.principal_id)
        text = said(8401, owner, database, queue.name)
        grant = repairs.in_database(database, f"GRANT RECEIVE ON {world.queue_name(queue)} TO [{owner}];")
        yield found("NO_RIGHT_TO_RECEIVE", database, text, service.name, one.evidence(), grant)


# --- the way ---------------------------------------------------------------------------------------------------


def route_finding(
    world: World, database_id: int, service: str, asked: str, reason: int, one: Waiting | None = None, why: str = ""
) -> Finding:
    """No route leads to a service now: `reason` is the message that says so. `asked`: the broker id,
    if any; `one`: what waits for it."""
    database, evidence = world.name(database_id), one.evidence() if one is not None else []
    routes = world.index.routes.get(database_id, ())
    evidence += [
        {"view": "sys.routes", "name": r.name, "remote_service_name": r.remote_service_name, "broker_instance": r.broker_instance, "lifetime": r.lifetime, "address": r.address}
        for r in routes
    ]  # fmt: skip
    text = f"No route of {database} leads to the service {service}{why}: {said(reason)}"
    expired = [
        r
        for r in routes
        if r.lifetime is not None and r.lifetime <= world.now and r.remote_service_name in (None, service)
    ]
    if expired:
        repair = repairs.route_option(database, expired[0], "LIFETIME = 2147483647")
        return found(
            "ROUTE_EXPIRED",
            database,
            f"The route {expired[0].name} is past its LIFETIME. {text}",
            service,
            evidence,
            repair,
        )
    if reason == routing.WAITS_FOR_ROUTING:
        return found("WAITS_FOR_ROUTING", database, text, service, evidence, repairs.local_route(database, service))
    return _nowhere(world, database_id, service, asked, text, evidence, one)


def _nowhere(
    world: World, database_id: int, service: str, asked: str, text: str, evidence: list[Evidence], one: Waiting | None
) -> Finding:
    index, database = world.index, world.name(database_id)
    there = index.services_by_name.get(service, ())
    stale = [
        r
        for r in index.routes.get(database_id, ())
        if r.remote_service_name == service and r.broker_instance and r.address.upper() == "LOCAL"
    ]
    for target in there:
        broken = world.broker(index.databases[target.database_id], evidence)
        if broken is not None:
            return broken
    if there and not asked and stale:
        option = f"BROKER_INSTANCE = {string_literal(index.guid(there[0].database_id))}"
        return found(
            "ROUTE_WRONG_BROKER", database, text, service, evidence, repairs.route_option(database, stale[0], option)
        )
    if there and asked:
        repair = (
            repairs.again(index, one.endpoint, service, encryption=one.endpoint.encryption) if one is not None else ""
        )
        return found(
            "WRONG_BROKER",
            database,
            f"No broker of this instance has the id {asked}. {said(9795)}",
            service,
            evidence,
            repair,
        )
    if there:
        return found("NO_ROUTE", database, text, service, evidence, repairs.local_route(database, service))
    names = list(index.services_by_name)
    similar = next((n for n in names if n.lower() == service.lower()), "") or "".join(nearest(service, names))
    if similar:
        text = f"There is no service {service}. Did you mean {similar}? Names of services are case sensitive."
        repair = (
            repairs.again(index, one.endpoint, similar, encryption=one.endpoint.encryption) if one is not None else ""
        )
        return found("SERVICE_MISSPELLED", database, text, service, evidence, repair)
    contract = one.endpoint.contract_name if one is not None else "DEFAULT"
    text = f"There is no service {service} in this instance, and no route of {database} leads elsewhere."
    return found("SERVICE_MISSING", database, text, service, evidence, repairs.new_service(database, service, contract))


def between_databases(
    world: World,
    from_database: int,
    principal_id: int,
    service: Service,
    *,
    encryption: bool,
    evidence: list[Evidence] | None = None,
) -> Iterator[Finding]:
    """Two databases of this instance: master keys of secure dialogs, and a way in for those that are not, of the owner
    of the initiating service (docs/spec: TRUST)."""
    index, rows = world.index, evidence or []
    if from_database == service.database_id:
        return
    both = (from_database, service.database_id)
    if encryption:
        for database_id in both:
            if database_id not in index.master_keys:
                yield master_key_finding(world, database_id, ", and the dialog has ENCRYPTION = ON", rows)
        if not set(both) <= index.master_keys:
            return
    database = index.databases[from_database]
    far, text = world.name(service.database_id), ""
    if (from_database, service.name) in index.bindings:
        yield from _by_certificates(world, from_database, principal_id, service, rows)
        return
    if (service.database_id, service.id) in index.public_send:
        return
    if database.is_trustworthy_on:
        text = not_there(world.snapshot, principal_id, from_database, service, world.now)
    else:
        owner = next((p.name for p in world.snapshot.all(Principal, 0) if p.sid == database.owner_sid), "dbo")
        text = f"{said(916, owner, far)} {database.name} is not TRUSTWORTHY, and public may not SEND to {service.name}."
    if text:
        yield found("NOT_TRUSTED", far, text, service.name, rows, repairs.grant_send(far, service, "public"))


def _by_certificates(
    world: World, from_database: int, principal_id: int, service: Service, rows: list[Evidence]
) -> Iterator[Finding]:
    """A remote service binding names a service of this instance: what its certificates lack in either database, where
    neither TRUSTWORTHY nor SEND for public lets the message in without them."""
    text = not_there(world.snapshot, principal_id, from_database, service, world.now)
    if not text:
        return
    findings = [*dialog_security(world, from_database, service.name, principal_id, is_encrypted=False, evidence=rows)]
    yield from findings
    if findings:
        return
    owner = world.user_name(from_database, principal_id)
    repair = repairs.certificate_from_file(world.name(service.database_id), f"{owner}_there", owner)
    yield found("CERTIFICATE_UNKNOWN", world.name(service.database_id), text, service.name, rows, repair)
