"""Text of the Service Broker statements."""

from __future__ import annotations

from printing.blocks import prints
from printing.queries import columns
from sbql.grammar.ast import (
    AlterMessageTypeStatement,
    AlterQueueStatement,
    AlterRemoteServiceBindingStatement,
    AlterRouteStatement,
    AlterServiceStatement,
    BeginConversationTimerStatement,
    BeginDialogStatement,
    BeginMonologStatement,
    BeginSubscriptionStatement,
    BrokerPriorityStatement,
    ContractMessage,
    CreateContractStatement,
    CreateEndpointStatement,
    CreateEventNotificationStatement,
    CreateMessageTypeStatement,
    CreateQueueStatement,
    CreateRemoteServiceBindingStatement,
    CreateRouteStatement,
    CreateServiceStatement,
    DropEventNotificationStatement,
    EndConversationStatement,
    EndSubscriptionStatement,
    GetConversationGroupStatement,
    Identifier,
    MessageValidation,
    MoveConversationStatement,
    Node,
    ObjectName,
    QueueActivation,
    QueueMaintenance,
    QueueOptions,
    ReceiveStatement,
    ReceiveWhere,
    RouteOptions,
    SendStatement,
    ServiceContract,
)
from sbql.grammar.printer.core import comma, name, quoted, text, words

__all__ = ["owned"]


def owned(owner: Identifier | None) -> str | None:
    """The AUTHORIZATION clause."""
    return f"AUTHORIZATION {name(owner)}" if owner else None


def _on_off(key: str, value: bool | None) -> str | None:
    return None if value is None else f"{key} = {'ON' if value else 'OFF'}"


def _literal(key: str, value: Node | None) -> str | None:
    return None if value is None else f"{key} = {text(value)}"


def _listed(*options: str | None) -> str:
    return ", ".join(option for option in options if option is not None)


# --- message types and contracts ---------------------------------------------------------------------------


@prints(CreateMessageTypeStatement)
def _create_message_type(node: CreateMessageTypeStatement) -> str:
    validation = text(node.validation) if node.validation else None
    return words("CREATE MESSAGE TYPE", name(node.name), owned(node.owner), validation)


@prints(AlterMessageTypeStatement)
def _alter_message_type(node: AlterMessageTypeStatement) -> str:
    return f"ALTER MESSAGE TYPE {name(node.name)} {text(node.validation)}"


@prints(MessageValidation)
def _validation(node: MessageValidation) -> str:
    collection = f"WITH SCHEMA COLLECTION {text(node.collection)}" if node.collection else None
    return words("VALIDATION =", node.kind, collection)


@prints(CreateContractStatement)
def _create_contract(node: CreateContractStatement) -> str:
    return words("CREATE CONTRACT", name(node.name), owned(node.owner), f"({comma(node.messages)})")


@prints(ContractMessage)
def _contract_message(node: ContractMessage) -> str:
    return f"{name(node.message_type)} SENT BY {node.sent_by}"


# --- queues ------------------------------------------------------------------------------------------------


@prints(QueueOptions)
def _queue_options(node: QueueOptions) -> str:
    poison = _on_off("STATUS", node.poison_message_handling)
    options = _listed(
        _on_off("STATUS", node.status),
        _on_off("RETENTION", node.retention),
        f"ACTIVATION ({text(node.activation)})" if node.activation else None,
        f"POISON_MESSAGE_HANDLING ({poison})" if poison else None,
    )
    return f"WITH {options}" if options else ""


@prints(QueueActivation)
def _queue_activation(node: QueueActivation) -> str:
    if node.drop:
        return "DROP"
    user = quoted(node.execute_as_user) if node.execute_as_user is not None else node.execute_as
    return _listed(
        _on_off("STATUS", node.status),
        f"PROCEDURE_NAME = {text(node.procedure)}" if node.procedure else None,
        f"MAX_QUEUE_READERS = {text(node.max_queue_readers)}" if node.max_queue_readers is not None else None,
        f"EXECUTE AS {user}" if user is not None else None,
    )


@prints(CreateQueueStatement)
def _create_queue(node: CreateQueueStatement) -> str:
    filegroup = f"ON {text(node.filegroup)}" if node.filegroup else None
    return words("CREATE QUEUE", text(node.name), text(node.options), filegroup)


@prints(AlterQueueStatement)
def _alter_queue(node: AlterQueueStatement) -> str:
    options = text(node.options) if node.options else None
    return words("ALTER QUEUE", text(node.name), options, text(node.maintenance) if node.maintenance else None)


@prints(QueueMaintenance)
def _queue_maintenance(node: QueueMaintenance) -> str:
    if node.kind == "MOVE TO":
        assert node.filegroup is not None
        return f"MOVE TO {text(node.filegroup)}"
    if node.argument is None:
        return node.kind
    option = "MAXDOP" if node.kind == "REBUILD" else "LOB_COMPACTION"
    return f"{node.kind} WITH ({option} = {node.argument})"


# --- services, routes, bindings, priorities ----------------------------------------------------------------


@prints(CreateServiceStatement)
def _create_service(node: CreateServiceStatement) -> str:
    queue = f"ON QUEUE {text(node.queue)}{columns(node.contracts)}"
    return words("CREATE SERVICE", name(node.name), owned(node.owner), queue)


@prints(AlterServiceStatement)
def _alter_service(node: AlterServiceStatement) -> str:
    queue = f"ON QUEUE {text(node.queue)}" if node.queue else None
    return words("ALTER SERVICE", name(node.name), queue, f"({comma(node.contracts)})" if node.contracts else None)


@prints(ServiceContract)
def _service_contract(node: ServiceContract) -> str:
    return f"{'ADD' if node.add else 'DROP'} CONTRACT {name(node.contract)}"


@prints(RouteOptions)
def _route_options(node: RouteOptions) -> str:
    return "WITH " + _listed(
        _literal("SERVICE_NAME", node.service_name),
        _literal("BROKER_INSTANCE", node.broker_instance),
        _literal("LIFETIME", node.lifetime),
        _literal("ADDRESS", node.address),
        _literal("MIRROR_ADDRESS", node.mirror_address),
    )


@prints(CreateRouteStatement)
def _create_route(node: CreateRouteStatement) -> str:
    return words("CREATE ROUTE", name(node.name), owned(node.owner), text(node.options))


@prints(AlterRouteStatement)
def _alter_route(node: AlterRouteStatement) -> str:
    return f"ALTER ROUTE {name(node.name)} {text(node.options)}"


def _binding(user: Identifier | None, anonymous: bool | None) -> str:
    return "WITH " + _listed(f"USER = {name(user)}" if user else None, _on_off("ANONYMOUS", anonymous))


@prints(CreateRemoteServiceBindingStatement)
def _create_binding(node: CreateRemoteServiceBindingStatement) -> str:
    service = f"TO SERVICE {quoted(node.service_name)}"
    return words(
        "CREATE REMOTE SERVICE BINDING",
        name(node.name),
        owned(node.owner),
        service,
        _binding(node.user, node.anonymous),
    )


@prints(AlterRemoteServiceBindingStatement)
def _alter_binding(node: AlterRemoteServiceBindingStatement) -> str:
    return f"ALTER REMOTE SERVICE BINDING {name(node.name)} {_binding(node.user, node.anonymous)}"


@prints(BrokerPriorityStatement)
def _priority(node: BrokerPriorityStatement) -> str:
    remote = "ANY" if node.remote_any else quoted(node.remote_service) if node.remote_service is not None else None
    level = node.level if isinstance(node.level, str) or node.level is None else text(node.level)
    options = _listed(
        _criterion("CONTRACT_NAME", node.contract, node.contract_any),
        _criterion("LOCAL_SERVICE_NAME", node.local_service, node.local_any),
        f"REMOTE_SERVICE_NAME = {remote}" if remote else None,
        f"PRIORITY_LEVEL = {level}" if node.level is not None else None,
    )
    head = f"{node.verb} BROKER PRIORITY {name(node.name)} FOR CONVERSATION"
    return f"{head} SET ({options})" if options else head


def _criterion(key: str, value: Identifier | None, is_any: bool) -> str | None:
    if is_any:
        return f"{key} = ANY"
    return f"{key} = {name(value)}" if value else None


# --- event notifications and endpoints ---------------------------------------------------------------------


def _scope(scope: str, queue: ObjectName | None) -> str:
    return words("ON", scope, text(queue) if queue else None)


@prints(CreateEventNotificationStatement)
def _create_notification(node: CreateEventNotificationStatement) -> str:
    return words(
        "CREATE EVENT NOTIFICATION",
        name(node.name),
        _scope(node.scope, node.queue),
        "WITH FAN_IN" if node.fan_in else None,
        f"FOR {', '.join(map(name, node.events))}",
        f"TO SERVICE {quoted(node.service_name)}, {text(node.broker_instance)}",
    )


@prints(DropEventNotificationStatement)
def _drop_notification(node: DropEventNotificationStatement) -> str:
    return f"DROP EVENT NOTIFICATION {comma(node.names)} {_scope(node.scope, node.queue)}"


@prints(CreateEndpointStatement)
def _endpoint(node: CreateEndpointStatement) -> str:
    state = "".join(f"STATE = {value}" for key, value in node.options if key == "STATE")
    protocol = _listed(*(f"{key} = {value}" for key, value in node.options if key.startswith("LISTENER_")))
    payload = _listed(
        *(f"{key} = {value}" for key, value in node.options if key != "STATE" and not key.startswith("LISTENER_"))
    )
    return words(
        node.verb,
        "ENDPOINT",
        name(node.name),
        owned(node.owner),
        state,
        f"AS TCP ({protocol})" if protocol else None,
        f"FOR {node.payload} ({payload})" if node.payload else None,
    )


# --- dialogs -----------------------------------------------------------------------------------------------


@prints(BeginDialogStatement)
def _begin_dialog(node: BeginDialogStatement) -> str:
    instance = f", {text(node.broker_instance)}" if node.broker_instance is not None else ""
    options = _listed(*_conversation_options(node), _on_off("ENCRYPTION", node.encryption))
    return words(
        "BEGIN DIALOG CONVERSATION",
        text(node.handle),
        "FROM SERVICE",
        text(node.from_service),
        f"TO SERVICE {text(node.to_service)}{instance}",
        f"ON CONTRACT {text(node.contract)}" if node.contract else None,
        f"WITH {options}" if options else None,
    )


def _conversation_options(node: BeginDialogStatement | BeginMonologStatement) -> list[str]:
    options = {
        "RELATED_CONVERSATION": node.related_conversation,
        "RELATED_CONVERSATION_GROUP": node.related_conversation_group,
        "LIFETIME": node.lifetime,
    }
    return [f"{key} = {text(value)}" for key, value in options.items() if value is not None]


@prints(BeginMonologStatement)
def _begin_monolog(node: BeginMonologStatement) -> str:
    if node.retention is None or isinstance(node.retention, bool):
        retention = _on_off("RETENTION", node.retention)
    else:
        retention = f"RETENTION = {text(node.retention)}"
    options = _listed(*_conversation_options(node), retention, _on_off("ENCRYPTION", node.encryption))
    return words(
        "BEGIN MONOLOG CONVERSATION",
        text(node.handle),
        "FROM SERVICE",
        text(node.from_service),
        f"ON CONTRACT {text(node.contract)}" if node.contract else None,
        f"WITH {options}" if options else None,
    )


@prints(BeginSubscriptionStatement)
def _begin_subscription(node: BeginSubscriptionStatement) -> str:
    instance = f", {text(node.broker_instance)}" if node.broker_instance is not None else ""
    return words(
        "BEGIN SUBSCRIPTION",
        text(node.handle),
        "FOR SERVICE",
        text(node.for_service),
        f"TO SERVICE {text(node.to_service)}{instance}",
        f"ON CONTRACT {text(node.contract)}" if node.contract else None,
        f"WITH START = {node.start}" if node.start else None,
    )


@prints(EndSubscriptionStatement)
def _end_subscription(node: EndSubscriptionStatement) -> str:
    return f"END SUBSCRIPTION {text(node.handle)}"


@prints(BeginConversationTimerStatement)
def _timer(node: BeginConversationTimerStatement) -> str:
    return f"BEGIN CONVERSATION TIMER ({text(node.handle)}) TIMEOUT = {text(node.timeout)}"


@prints(SendStatement)
def _send(node: SendStatement) -> str:
    handles = comma(node.handles)
    return words(
        f"SEND ON CONVERSATION ({handles})",
        f"MESSAGE TYPE {text(node.message_type)}" if node.message_type is not None else None,
        f"({text(node.body)})" if node.body is not None else None,
    )


@prints(ReceiveStatement)
def _receive(node: ReceiveStatement) -> str:
    return words(
        "RECEIVE",
        f"TOP ({text(node.top)})" if node.top is not None else None,
        comma(node.items),
        f"FROM {text(node.queue)}",
        f"INTO {text(node.into)}" if node.into else None,
        text(node.where) if node.where else None,
    )


@prints(ReceiveWhere)
def _receive_where(node: ReceiveWhere) -> str:
    return f"WHERE {node.column} = {text(node.value)}"


@prints(GetConversationGroupStatement)
def _get_group(node: GetConversationGroupStatement) -> str:
    return f"GET CONVERSATION GROUP {text(node.variable)} FROM {text(node.queue)}"


@prints(MoveConversationStatement)
def _move(node: MoveConversationStatement) -> str:
    return f"MOVE CONVERSATION {text(node.handle)} TO {text(node.group)}"


@prints(EndConversationStatement)
def _end(node: EndConversationStatement) -> str:
    tail = "WITH CLEANUP" if node.cleanup else None
    if node.error is not None and node.description is not None:
        tail = f"WITH ERROR = {text(node.error)} DESCRIPTION = {text(node.description)}"
    return words("END CONVERSATION", text(node.handle), tail)
