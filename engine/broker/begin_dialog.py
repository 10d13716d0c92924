"""BEGIN DIALOG: a new initiator endpoint (docs/spec: DIALOG).

Decides its group, priority and expiry. Must not know the target: nothing is checked there before the first SEND.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from sbql.catalog.records import ConversationEndpoint, Service
from sbql.engine.broker import trace
from sbql.engine.broker.conversation_state import is_over
from sbql.engine.broker.holdings import Holdings, MustWait
from sbql.engine.broker.memory_keys import group_resource
from sbql.engine.broker.priority import priority_level
from sbql.engine.broker.system_messages import DEFAULT_CONTRACT
from sbql.grammar.errors import sql_error

__all__ = ["CURRENT_DATABASE", "DEFAULT_LIFETIME", "MAX_INSTANCE_LENGTH", "MAX_SERVICE_NAME", "begin_dialog"]

DEFAULT_LIFETIME: Final = 2147483647
MAX_SERVICE_NAME: Final = 256
MAX_INSTANCE_LENGTH: Final = 128
CURRENT_DATABASE: Final = "CURRENT DATABASE"


def begin_dialog(
    transaction: Holdings,
    database_id: int,
    from_service: str | None,
    to_service: str | None,
    broker_instance: str | None = None,
    *,
    contract: str | None = DEFAULT_CONTRACT,
    related_conversation: UUID | None = None,
    related_conversation_group: UUID | None = None,
    lifetime: int | None = DEFAULT_LIFETIME,
    encryption: bool = True,
    principal_id: int | None = None,
    is_system: bool = False,
    is_monolog: bool = False,
) -> UUID:
    """Begin a dialog and return its handle. `lifetime` and `contract` None stand for a NULL argument.

    Checks in order: broker 8442, NULL names 8421/8417, service 8423, target's name 8412, contract 8425, instance 8413,
    lifetime 8406/8411, related conversation 8426, group's service 9610, rights on the FROM service's queue and the
    contract.
    """
    transaction.index.require_broker(database_id)
    if from_service is None or to_service is None:
        raise sql_error(8421)
    if contract is None:
        raise sql_error(8417)
    index = transaction.index
    service = index.services.get((database_id, from_service))
    if service is None:
        raise sql_error(8423, from_service)
    if not (is_monolog or 0 < len(to_service) <= MAX_SERVICE_NAME):
        raise sql_error(8412, to_service)
    agreed = index.contracts.get((database_id, contract))
    if agreed is None:
        raise sql_error(8425, contract)
    instance = _instance(index.guid(database_id), broker_instance)
    seconds = _lifetime(lifetime)
    queue = index.queues.get(service.queue_id)
    if queue is not None:
        transaction.rights.require("RECEIVE", queue)
    transaction.rights.require("REFERENCES", agreed)
    host = transaction.host
    group_id = _group(transaction, service, related_conversation, related_conversation_group)
    handle = host.new_guid()
    endpoint = ConversationEndpoint(
        conversation_handle=handle,
        conversation_id=host.new_guid(),
        is_initiator=True,
        database_id=database_id,
        service_id=service.id,
        contract_id=agreed.id,
        conversation_group_id=group_id or host.new_guid(),
        state="SO",
        far_service=to_service,
        far_broker_instance=None,
        lifetime=host.now() + seconds,
        priority=priority_level(index, database_id, agreed.id, service.id, to_service),
        principal_id=service.principal_id if principal_id is None else principal_id,
        encryption=encryption,
        is_system=is_system,
        contract_name=contract,
        asked_broker_instance=instance,
    )
    store = transaction.state.queue(service.queue_id, database_id)
    conversation = transaction.add_conversation(endpoint, store, is_system)
    if transaction.state.trace is not None:
        subclass = "BEGIN MONOLOG" if is_monolog else "BEGIN DIALOG"
        trace.emit_conversation(transaction.state.trace, subclass, conversation, detail=contract)
    return handle


def _lifetime(asked: int | None) -> int:
    if asked is None:
        raise sql_error(8406, 1, DEFAULT_LIFETIME)
    if not 0 < asked <= DEFAULT_LIFETIME:
        raise sql_error(8411, asked, 1, DEFAULT_LIFETIME)
    return asked


def _instance(own: str, asked: str | None) -> str:
    if not asked:
        return ""
    if len(asked) > MAX_INSTANCE_LENGTH:
        raise sql_error(8413, asked)
    return own if asked.upper() == CURRENT_DATABASE else asked


def _group(transaction: Holdings, service: Service, handle: UUID | None, group_id: UUID | None) -> UUID | None:
    """The group to join, locked; None for a new one. An unknown group id is a new group with that id."""
    database_id = service.database_id
    option, value = "RELATED_CONVERSATION_GROUP", group_id
    if handle is not None:
        option, value = "RELATED_CONVERSATION", handle
        related = transaction.conversation(handle, database_id)
        if is_over(related.endpoint.state):  # its handle means nothing to an application any more
            raise sql_error(8426, str(handle).upper())
        group = related.group
        group_id = group.record.conversation_group_id
    elif group_id is None:
        return None
    else:
        if group_id.int == 0:
            raise sql_error(8414, str(group_id).upper())
        resource = group_resource(database_id, group_id)
        if not transaction.locks.try_acquire(transaction.owner, resource):
            raise MustWait(resource)
        found = transaction.state.find_group(database_id, group_id)
        if found is None:
            return group_id
        transaction.lock(found)
        group = found
    if group.is_alive() and group.record.service_id != service.id:
        raise sql_error(9610, service.name, option, str(value).upper())
    return group_id
