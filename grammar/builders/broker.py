"""Builders of the Service Broker statements, and the answers to their pre-release forms."""

from __future__ import annotations

from typing import Any, Final

from sbql.grammar.ast import (
    AlterMessageTypeStatement,
    AlterQueueStatement,
    AlterRemoteServiceBindingStatement,
    AlterRouteStatement,
    AlterServiceStatement,
    BrokerPriorityStatement,
    ContractMessage,
    CreateContractStatement,
    CreateEventNotificationStatement,
    CreateMessageTypeStatement,
    CreateQueueStatement,
    CreateRemoteServiceBindingStatement,
    CreateRouteStatement,
    CreateServiceStatement,
    DataSpace,
    DropEventNotificationStatement,
    DropObjectStatement,
    ExecuteAsClause,
    Identifier,
    IntegerLiteral,
    MessageValidation,
    ObjectName,
    QueueActivation,
    QueueMaintenance,
    QueueOptions,
    RouteOptions,
    ServiceContract,
    Span,
    StringLiteral,
)
from sbql.grammar.builders.builder_table import node, rule
from sbql.grammar.builders.common import merge_options, released
from sbql.grammar.keywords import word_set
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

_NAMES = ("procedure", "contract", "local_service", "remote_service")
_WORDS: Final = {"execute_as": "EXECUTE", "level": "PRIORITY_LEVEL", **{key: f"{key}_name" for key in _NAMES}}

node("create_message_type", CreateMessageTypeStatement)
node("alter_message_type", AlterMessageTypeStatement)


# --- message types and contracts ---------------------------------------------------------------------------


@rule("validation")
def _validation(span: Span, kind: tuple[str, ...]) -> MessageValidation:
    return MessageValidation(kind[0], span=span)


@rule("validation_valid")
def _validation_valid(span: Span, collection: ObjectName) -> MessageValidation:
    return MessageValidation("VALID_XML", collection, span=span)


@rule()
def released_valid_xml(span: Span) -> None:
    raise released(span, "VALID_XML", "Write VALIDATION = VALID_XML WITH SCHEMA COLLECTION name.")


@rule()
def released_alter_message_type(span: Span, *children: Any) -> None:
    raise released(
        span, "AUTHORIZATION", "The owner changes by ALTER AUTHORIZATION ON MESSAGE TYPE::name TO principal."
    )


@rule("contract_message")
def _contract_message(span: Span, name: Identifier, sent_by: tuple[str, ...]) -> ContractMessage:
    return ContractMessage(name, sent_by[0], span=span)


@rule("create_contract")
def _create_contract(
    span: Span, name: Identifier, owner: Identifier | None, *messages: ContractMessage
) -> CreateContractStatement:
    return CreateContractStatement(name, messages, owner, span=span)


# --- queues ------------------------------------------------------------------------------------------------


def _option(key: str) -> None:
    """A rule whose only child is the value of the field `key`."""

    def build(span: Span, value: Any) -> tuple[str, Any]:
        is_literal = isinstance(value, (StringLiteral, IntegerLiteral))
        return key, value.value if is_literal and key not in _EXPRESSION_OPTIONS else value

    rule(f"option_{key}")(build)


_EXPRESSION_OPTIONS = word_set(
    """
    related_conversation related_conversation_group dialog_lifetime
    service_name broker_instance lifetime address mirror_address max_queue_readers level
    """
)

for _key in (
    "status",
    "retention",
    "procedure",
    "max_queue_readers",
    "service_name",
    "broker_instance",
    "lifetime",
    "address",
    "mirror_address",
    "level",
    "user",
    "anonymous",
    "related_conversation",
    "related_conversation_group",
    "dialog_lifetime",
    "encryption",
):
    _option(_key)


@rule("option_poison")
def _option_poison(span: Span, status: bool) -> tuple[str, Any]:
    return "poison_message_handling", status


@rule("option_activation")
def _option_activation(span: Span, *options: tuple[str, Any]) -> tuple[str, Any]:
    return "activation", QueueActivation(**_execute_as(merge_options(span, options, _WORDS)), span=span)


def _execute_as(options: dict[str, Any]) -> dict[str, Any]:
    clause = options.pop("execute_as", None)
    if clause is not None:
        options.update(execute_as=clause.kind, execute_as_user=clause.name)
    return options


@rule("option_execute_as")
def _option_execute_as(span: Span, clause: ExecuteAsClause) -> tuple[str, Any]:
    if clause.kind == "CALLER":
        raise incorrect_syntax("CALLER", "Expected SELF, OWNER or 'user'.", clause.span)
    return "execute_as", clause


@rule("option_activation_drop")
def _option_activation_drop(span: Span) -> tuple[str, Any]:
    return "activation", QueueActivation(drop=True, span=span)


@rule("queue_options")
def _queue_options(span: Span, *options: tuple[str, Any]) -> QueueOptions:
    return QueueOptions(**merge_options(span, options), span=span)


@rule("create_queue")
def _create_queue(
    span: Span, name: ObjectName, options: QueueOptions | None, filegroup: DataSpace | None
) -> CreateQueueStatement:
    if options is not None and options.activation is not None and options.activation.drop:
        raise incorrect_syntax("DROP", "ACTIVATION (DROP) belongs to ALTER QUEUE.", options.activation.span)
    return CreateQueueStatement(name, options or QueueOptions(span=span), filegroup, span=span)


@rule("alter_queue")
def _alter_queue(span: Span, name: ObjectName, options: QueueOptions) -> AlterQueueStatement:
    return AlterQueueStatement(name, options, span=span)


@rule("alter_queue_maintenance")
def _alter_queue_maintenance(span: Span, name: ObjectName, maintenance: QueueMaintenance) -> AlterQueueStatement:
    return AlterQueueStatement(name, None, maintenance, span=span)


@rule("queue_rebuild")
def _queue_rebuild(span: Span, maxdop: IntegerLiteral | None) -> QueueMaintenance:
    return QueueMaintenance("REBUILD", str(maxdop.value) if maxdop else None, span=span)


@rule("queue_reorganize")
def _queue_reorganize(span: Span, compaction: bool | None) -> QueueMaintenance:
    return QueueMaintenance("REORGANIZE", None if compaction is None else "ON" if compaction else "OFF", span=span)


@rule("queue_move")
def _queue_move(span: Span, filegroup: DataSpace) -> QueueMaintenance:
    return QueueMaintenance("MOVE TO", None, filegroup, span=span)


# --- services, routes, bindings, priorities ----------------------------------------------------------------


@rule("create_service")
def _create_service(
    span: Span, name: Identifier, owner: Identifier | None, queue: ObjectName, contracts: Any
) -> CreateServiceStatement:
    return CreateServiceStatement(name, queue, contracts or (), owner, span=span)


@rule("alter_service")
def _alter_service(
    span: Span, name: Identifier, queue: ObjectName | None, *contracts: ServiceContract | None
) -> AlterServiceStatement:
    return AlterServiceStatement(name, queue, tuple(c for c in contracts if c is not None), span=span)


@rule("add_contract")
def _add_contract(span: Span, name: Identifier) -> ServiceContract:
    return ServiceContract(True, name, span=span)


@rule("drop_contract")
def _drop_contract(span: Span, name: Identifier) -> ServiceContract:
    return ServiceContract(False, name, span=span)


@rule("create_route")
def _create_route(
    span: Span, name: Identifier, owner: Identifier | None, *options: tuple[str, Any]
) -> CreateRouteStatement:
    return CreateRouteStatement(name, RouteOptions(**merge_options(span, options), span=span), owner, span=span)


@rule("alter_route")
def _alter_route(span: Span, name: Identifier, *options: tuple[str, Any]) -> AlterRouteStatement:
    return AlterRouteStatement(name, RouteOptions(**merge_options(span, options), span=span), span=span)


@rule("create_remote_service_binding")
def _create_remote_service_binding(
    span: Span, name: Identifier, owner: Identifier | None, service: StringLiteral, *options: tuple[str, Any]
) -> CreateRemoteServiceBindingStatement:
    fields = merge_options(span, options)
    if "user" not in fields:
        raise incorrect_syntax(name.value, "A remote service binding needs USER = name.", span)
    return CreateRemoteServiceBindingStatement(name, service.value, **fields, owner=owner, span=span)


@rule()
def released_binding_contract(span: Span, *children: Any) -> None:
    raise released(span, "ON", "A remote service binding has no contract: write TO SERVICE 'service' WITH USER = name.")


@rule("alter_remote_service_binding")
def _alter_remote_service_binding(
    span: Span, name: Identifier, *options: tuple[str, Any]
) -> AlterRemoteServiceBindingStatement:
    return AlterRemoteServiceBindingStatement(name, **merge_options(span, options), span=span)


@rule("any")
def _any(span: Span) -> None:
    """ANY, where a name may stand."""


@rule("option_contract")
def _option_contract(span: Span, name: Identifier | None) -> tuple[str, Any]:
    return "contract", name


@rule("option_local_service")
def _option_local_service(span: Span, name: Identifier | None) -> tuple[str, Any]:
    return "local_service", name


@rule("option_remote_service")
def _option_remote_service(span: Span, name: StringLiteral | None) -> tuple[str, Any]:
    return "remote_service", name.value if name else None


@rule("default_level")
def _default_level(span: Span) -> str:
    return "DEFAULT"


@rule("broker_priority")
def _broker_priority(
    span: Span, verb: str, name: Identifier, *options: tuple[str, Any] | None
) -> BrokerPriorityStatement:
    fields = merge_options(span, tuple(o for o in options if o is not None), _WORDS)
    if verb == "ALTER" and not fields:
        raise incorrect_syntax(name.value, "ALTER BROKER PRIORITY needs SET (…).", span)
    for key, flag in (("contract", "contract_any"), ("local_service", "local_any"), ("remote_service", "remote_any")):
        if key in fields and fields[key] is None:
            fields[flag] = True
    return BrokerPriorityStatement(verb, name, **fields, span=span)


# --- event notifications -----------------------------------------------------------------------------------


@rule("notify_server")
def _notify_server(span: Span) -> tuple[str, ObjectName | None]:
    return "SERVER", None


@rule("notify_database")
def _notify_database(span: Span) -> tuple[str, ObjectName | None]:
    return "DATABASE", None


@rule("notify_queue")
def _notify_queue(span: Span, queue: ObjectName) -> tuple[str, ObjectName | None]:
    return "QUEUE", queue


@rule("create_event_notification")
def _create_event_notification(
    span: Span,
    name: Identifier,
    scope: tuple[str, ObjectName | None],
    fan_in: Any,
    events: tuple[Identifier, ...],
    service: StringLiteral,
    instance: StringLiteral,
) -> CreateEventNotificationStatement:
    return CreateEventNotificationStatement(name, *scope, bool(fan_in), events, service.value, instance, span=span)


@rule("drop_event_notification")
def _drop_event_notification(
    span: Span, names: tuple[Identifier, ...], scope: tuple[str, ObjectName | None]
) -> DropEventNotificationStatement:
    return DropEventNotificationStatement(names, *scope, span=span)


# --- DROP --------------------------------------------------------------------------------------------------


@rule("drop_broker_object")
def _drop_broker_object(span: Span, kind: str, if_exists: bool | None, name: ObjectName) -> DropObjectStatement:
    if len(name.parts) > 1 and kind != "QUEUE":
        raise incorrect_syntax(".", f"{kind} names have one part.", name.span)
    return DropObjectStatement(kind, (name,), bool(if_exists), span=span)


@rule()
def released_drop(span: Span, kind: str, if_exists: bool | None, first: ObjectName, rest: Any) -> None:
    end = first.span
    comma = Span(end.end_line, end.end_column, end.end_line, end.end_column + 1, end.end, end.end + 1)
    raise released(comma, ",", f"DROP {kind} takes one name: write one statement for each.")
