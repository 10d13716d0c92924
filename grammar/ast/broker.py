"""Service Broker statements. Node names are the vendor's; options not written are None."""

from __future__ import annotations

from sbql.grammar.ast.base import DataSpace, Identifier, Node, ObjectName, Statement, node
from sbql.grammar.ast.expressions import Expression, IntegerLiteral, StringLiteral, VariableReference
from sbql.grammar.ast.queries import SelectItem

__all__ = [
    "AlterMessageTypeStatement",
    "AlterQueueStatement",
    "AlterRemoteServiceBindingStatement",
    "AlterRouteStatement",
    "AlterServiceStatement",
    "BeginConversationTimerStatement",
    "BeginDialogStatement",
    "BeginMonologStatement",
    "BeginSubscriptionStatement",
    "BrokerPriorityStatement",
    "ContractMessage",
    "CreateContractStatement",
    "CreateEndpointStatement",
    "CreateEventNotificationStatement",
    "CreateMessageTypeStatement",
    "CreateQueueStatement",
    "CreateRemoteServiceBindingStatement",
    "CreateRouteStatement",
    "CreateServiceStatement",
    "DropEventNotificationStatement",
    "EndConversationStatement",
    "EndSubscriptionStatement",
    "GetConversationGroupStatement",
    "MessageValidation",
    "MoveConversationStatement",
    "NameOrVariable",
    "QueueActivation",
    "QueueMaintenance",
    "QueueOptions",
    "ReceiveStatement",
    "ReceiveWhere",
    "RouteOptions",
    "SendStatement",
    "ServiceContract",
]

NameOrVariable = Identifier | Expression
"""A name given as an identifier, or a variable or string literal that holds it."""


@node
class MessageValidation(Node):
    """`kind` is NONE, EMPTY, WELL_FORMED_XML or VALID_XML (then with a collection)."""

    kind: str
    collection: ObjectName | None = None


@node
class CreateMessageTypeStatement(Statement):
    name: Identifier
    owner: Identifier | None = None
    validation: MessageValidation | None = None


@node
class AlterMessageTypeStatement(Statement):
    name: Identifier
    validation: MessageValidation


@node
class ContractMessage(Node):
    """`sent_by` is INITIATOR, TARGET or ANY."""

    message_type: Identifier
    sent_by: str


@node
class CreateContractStatement(Statement):
    name: Identifier
    messages: tuple[ContractMessage, ...]
    owner: Identifier | None = None


@node
class QueueActivation(Node):
    """`drop` is ACTIVATION (DROP). `execute_as` is SELF, OWNER or USER (then with a name)."""

    status: bool | None = None
    procedure: ObjectName | None = None
    max_queue_readers: IntegerLiteral | None = None
    execute_as: str | None = None
    execute_as_user: str | None = None
    drop: bool = False


@node
class QueueOptions(Node):
    status: bool | None = None
    retention: bool | None = None
    activation: QueueActivation | None = None
    poison_message_handling: bool | None = None


@node
class CreateQueueStatement(Statement):
    name: ObjectName
    options: QueueOptions
    filegroup: DataSpace | None = None


@node
class QueueMaintenance(Node):
    """ALTER QUEUE … REBUILD | REORGANIZE | MOVE TO; `argument` is MAXDOP or ON/OFF of LOB_COMPACTION, `filegroup` where
    it moves to."""

    kind: str
    argument: str | None = None
    filegroup: DataSpace | None = None


@node
class AlterQueueStatement(Statement):
    name: ObjectName
    options: QueueOptions | None = None
    maintenance: QueueMaintenance | None = None


@node
class CreateServiceStatement(Statement):
    name: Identifier
    queue: ObjectName
    contracts: tuple[Identifier, ...] = ()
    owner: Identifier | None = None


@node
class ServiceContract(Node):
    """ADD or DROP CONTRACT of ALTER SERVICE."""

    add: bool
    contract: Identifier


@node
class AlterServiceStatement(Statement):
    name: Identifier
    queue: ObjectName | None = None
    contracts: tuple[ServiceContract, ...] = ()


@node
class RouteOptions(Node):
    """The values stay literals, for an error to stand below the one that is wrong."""

    service_name: StringLiteral | None = None
    broker_instance: StringLiteral | None = None
    lifetime: IntegerLiteral | None = None
    address: StringLiteral | None = None
    mirror_address: StringLiteral | None = None


@node
class CreateRouteStatement(Statement):
    name: Identifier
    options: RouteOptions
    owner: Identifier | None = None


@node
class AlterRouteStatement(Statement):
    name: Identifier
    options: RouteOptions


@node
class CreateRemoteServiceBindingStatement(Statement):
    name: Identifier
    service_name: str
    user: Identifier
    anonymous: bool | None = None
    owner: Identifier | None = None


@node
class AlterRemoteServiceBindingStatement(Statement):
    name: Identifier
    user: Identifier | None = None
    anonymous: bool | None = None


@node
class BrokerPriorityStatement(Statement):
    """CREATE and ALTER (`verb`). A criterion is None when not written and the word 'ANY' as Identifier when ANY.
    `remote_service` is the string, or 'ANY' with `remote_any`. `level` is the number that is written, or 'DEFAULT'."""

    verb: str
    name: Identifier
    contract: Identifier | None = None
    contract_any: bool = False
    local_service: Identifier | None = None
    local_any: bool = False
    remote_service: str | None = None
    remote_any: bool = False
    level: IntegerLiteral | str | None = None


@node
class CreateEventNotificationStatement(Statement):
    """`scope` is SERVER, DATABASE or QUEUE."""

    name: Identifier
    scope: str
    queue: ObjectName | None
    fan_in: bool
    events: tuple[Identifier, ...]
    service_name: str
    broker_instance: StringLiteral


@node
class DropEventNotificationStatement(Statement):
    names: tuple[Identifier, ...]
    scope: str
    queue: ObjectName | None = None


@node
class CreateEndpointStatement(Statement):
    """CREATE and ALTER ENDPOINT (`verb`). `options` maps upper-case option words to values as written:
    STATE, LISTENER_PORT, LISTENER_IP, AUTHENTICATION, ENCRYPTION, ALGORITHM, MESSAGE_FORWARDING,
    MESSAGE_FORWARD_SIZE, CERTIFICATE. `payload` is SERVICE_BROKER (others are unsupported)."""

    verb: str
    name: Identifier
    payload: str | None
    options: tuple[tuple[str, str], ...]
    owner: Identifier | None = None


# --- dialogs -----------------------------------------------------------------------------------------------


@node
class BeginDialogStatement(Statement):
    """`broker_instance` is a string literal or variable; the literal 'CURRENT DATABASE' is kept as written."""

    handle: VariableReference
    from_service: NameOrVariable
    to_service: Expression
    broker_instance: Expression | None = None
    contract: NameOrVariable | None = None
    related_conversation: Expression | None = None
    related_conversation_group: Expression | None = None
    lifetime: Expression | None = None
    encryption: bool | None = None


@node
class BeginConversationTimerStatement(Statement):
    handle: Expression
    timeout: Expression


@node
class SendStatement(Statement):
    """`message_type` None: DEFAULT. `body` None: no body written."""

    handles: tuple[Expression, ...]
    message_type: NameOrVariable | None = None
    body: Expression | None = None


@node
class ReceiveWhere(Node):
    """`column` is conversation_handle or conversation_group_id, lower case."""

    column: str
    value: Expression


@node
class ReceiveStatement(Statement):
    items: tuple[SelectItem, ...]
    queue: ObjectName
    top: Expression | None = None
    into: VariableReference | None = None
    where: ReceiveWhere | None = None


@node
class GetConversationGroupStatement(Statement):
    variable: VariableReference
    queue: ObjectName


@node
class MoveConversationStatement(Statement):
    handle: Expression
    group: Expression


@node
class EndConversationStatement(Statement):
    handle: Expression
    error: Expression | None = None
    description: Expression | None = None
    cleanup: bool = False


# --- monologs (an extension: docs/monologs.md) --------------------------------------------------------------


@node
class BeginMonologStatement(Statement):
    """`retention` is the period in seconds as written, True for ON, False for OFF."""

    handle: VariableReference
    from_service: NameOrVariable
    contract: NameOrVariable | None = None
    related_conversation: Expression | None = None
    related_conversation_group: Expression | None = None
    lifetime: Expression | None = None
    retention: Expression | bool | None = None
    encryption: bool | None = None


@node
class BeginSubscriptionStatement(Statement):
    """`start` is NOW or RETAINED."""

    handle: VariableReference
    for_service: NameOrVariable
    to_service: Expression
    broker_instance: Expression | None = None
    contract: NameOrVariable | None = None
    start: str | None = None


@node
class EndSubscriptionStatement(Statement):
    handle: Expression
