"""Conversations that ended with an error that nobody has read: what the error says, and what mends its cause.

Decides what the code of an Error message stands for. Its program has to begin anew, whatever
was mended: the conversation is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from uuid import UUID
from xml.etree import ElementTree

from msgspec import Struct, field

from sbql.catalog.records import Contract, MessageType, Service
from sbql.catalog.records.broker import ConversationEndpoint
from sbql.engine.broker.ready_index import ERROR_TYPE, Conversation
from sbql.engine.broker.system_messages import ERROR_NAMESPACE
from sbql.engine.diagnosis import repairs
from sbql.engine.diagnosis.causes import Evidence, Finding, found
from sbql.engine.diagnosis.scope import Scope
from sbql.engine.diagnosis.world import World
from sbql.grammar.names import bracketed

__all__ = ["refused"]

_OF_CONTRACT: Final = (-8428, -8437, -8457, -8498)
_OF_BODY: Final = (-9615, -9616, -8430)


class _Failed(Struct):
    endpoint: ConversationEndpoint
    code: int
    description: str
    handles: list[UUID] = field(default_factory=list)

    def evidence(self) -> list[Evidence]:
        return [
            {
                "view": "sys.conversation_endpoints", "conversation_handle": str(handle).upper(), "state": self.endpoint.state,
                "far_service": self.endpoint.far_service, "code": self.code, "description": self.description,
            }
            for handle in self.handles[:3]
        ]  # fmt: skip


def refused(world: World, scope: Scope) -> Iterator[Finding]:
    for one in _groups(world, scope):
        yield _finding(world, one)


def _groups(world: World, scope: Scope) -> list[_Failed]:
    state = world.instance.broker
    errors: list[tuple[ConversationEndpoint, bytes | None]] = []
    with state.mutex:
        for conversation in list(state.ready.candidates):
            if conversation.urgent and not conversation.removed and scope.concerns(world, conversation):
                errors += ((conversation.endpoint, body) for body in _error_bodies(conversation))
    groups: dict[tuple[object, ...], _Failed] = {}
    for endpoint, body in errors:
        code, description = _read(body)
        key = (
            endpoint.database_id,
            endpoint.service_id,
            endpoint.far_service,
            endpoint.contract_id,
            endpoint.is_initiator,
            code,
        )
        groups.setdefault(key, _Failed(endpoint, code, description)).handles.append(endpoint.conversation_handle)
    return list(groups.values())


def _error_bodies(conversation: Conversation) -> list[bytes | None]:
    return [m.message_body for m in conversation.urgent if m.message_type_id == ERROR_TYPE]


def _read(body: bytes | None) -> tuple[int, str]:
    """Code and description of an Error message; 0 of one that cannot be read."""
    try:
        root = ElementTree.fromstring((body or b"").decode("utf-16"))
        code = root.findtext(f"{{{ERROR_NAMESPACE}}}Code") or "0"
        return int(code), root.findtext(f"{{{ERROR_NAMESPACE}}}Description") or ""
    except (ElementTree.ParseError, UnicodeDecodeError, ValueError):
        return 0, ""


def _finding(world: World, one: _Failed) -> Finding:
    endpoint, code = one.endpoint, one.code
    database = world.name(endpoint.database_id)
    over = repairs.end(database, one.handles)
    text = f"{len(one.handles)} conversation(s) with the service {endpoint.far_service} failed: {one.description} (code {code})"
    service = _service(world, endpoint)
    name, mended = "CONVERSATION_FAILED", ""
    if code == -8489:
        name = "LIFETIME_OVER"
    elif service is not None:
        name, mended = _mended(world, endpoint, code, service)
    if name in ("CONVERSATION_FAILED", "LIFETIME_OVER") and endpoint.is_initiator:
        mended = repairs.again(
            world.index, endpoint, endpoint.far_service, encryption=endpoint.encryption, carries=False
        )
        over = repairs.end(database, one.handles[1:]) if len(one.handles) > 1 else ""
    repair = "\n".join(part for part in (mended, over) if part)
    where = world.name(service.database_id) if service is not None else database
    return found(name, where, text, endpoint.far_service, one.evidence(), repair)


def _service(world: World, endpoint: ConversationEndpoint) -> Service | None:
    """The service of this instance that has received, or refused, what the error is about: the target."""
    if not endpoint.is_initiator:
        return world.index.service_by_id.get((endpoint.database_id, endpoint.service_id))
    place = world.classify(endpoint.database_id, endpoint.far_service, endpoint.asked_broker_instance)
    return world.index.services.get((place.database_id, endpoint.far_service)) if place.kind == "Local" else None


def _mended(world: World, endpoint: ConversationEndpoint, code: int, service: Service) -> tuple[str, str]:
    """Name and repair of what the catalog is to blame for. ("CONVERSATION_FAILED", "")
    when it is not, or not any more."""
    index = world.index
    there = world.name(service.database_id)
    own = index.contract_by_id.get((endpoint.database_id, endpoint.contract_id))
    contract = index.contracts.get((service.database_id, endpoint.contract_name))
    listed = f"ALTER SERVICE {bracketed(service.name)} (ADD CONTRACT {bracketed(endpoint.contract_name)});"
    if code == -8425 and contract is None and own is not None:
        return "CONTRACT_MISSING", repairs.in_database(
            there, *repairs.create_contract(index, own, service.database_id), listed
        )
    if code == -8408 and contract is not None and contract.id not in service.contract_ids:
        return "CONTRACT_NOT_ACCEPTED", repairs.in_database(there, listed)
    if code == -8494:
        is_near = endpoint.is_initiator and endpoint.database_id == service.database_id
        user = world.user_name(service.database_id, endpoint.principal_id) if is_near else "public"
        return "NO_RIGHT_TO_SEND", repairs.grant_send(there, service, user)
    if code in _OF_CONTRACT and own is not None and contract is not None and _differ(world, own, contract):
        return "CONTRACT_DIFFERS", repairs.contract_anew(index, own, contract)
    if code in _OF_BODY:
        return "BODY_REFUSED", repairs.in_database(there, *_without_validation(world, service, endpoint))
    return "CONVERSATION_FAILED", ""


def _differ(world: World, own: Contract, other: Contract) -> bool:
    def types(contract: Contract) -> dict[str, tuple[bool, bool]]:
        usages = world.index.usages[contract.database_id, contract.id]
        return {name: (usage.by_initiator, usage.by_target) for name, usage in usages.items()}

    return types(own) != types(other)


def _without_validation(world: World, service: Service, endpoint: ConversationEndpoint) -> Iterator[str]:
    contract = world.index.contracts.get((service.database_id, endpoint.contract_name))
    for usage in contract.messages if contract is not None else ():
        kind = world.snapshot.get(MessageType, service.database_id, usage.message_type_id)
        if kind is not None and kind.validation != "N" and not kind.is_ms_shipped:
            yield f"ALTER MESSAGE TYPE {bracketed(kind.name)} VALIDATION = NONE;"
