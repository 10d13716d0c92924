"""Live relations: the tables `live_<name>` that system views read and the engine fills, from its memory and from
what it knows of the texts of modules.

Decides their names and columns: one class a relation, whose instances are its rows. It must not know the views, nor
where the rows come from. Times are seconds since 1970-01-01 UTC.
"""

# No `from __future__ import annotations`: the types of columns are read from the annotations.
from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from sbql.catalog.changes import LocalTable
from sbql.catalog.live_counts import Big, Huge, IdentityValue, SequenceValue, TableRows
from sbql.catalog.stored_text import stored_rows

__all__ = [
    "LIVE_RELATIONS", "LIVE_ROWS", "ActivatedTask", "BrokerConnection", "CheckColumn", "Columns", "ConfigurationOption", "Consumer", "DatabaseRights",
    "Dependency", "ForwardedMessage", "Lock", "ModuleFacts", "OpenKey", "OpenTransaction", "Parameter", "PerformanceCounter",
    "QuerySubscription", "QueueMonitor", "Request", "SecurableClass", "Self", "Server", "ServerService", "SessionRow",
    "SystemColumn", "SystemModule", "SystemObject", "SystemParameter", "TimeZone", "Token", "TraceEventClass", "TraceSubclass", "UserMessage",
    "ViewColumn", "Wait", "WaitingTask", "live_relation",
]  # fmt: skip

Columns = tuple[tuple[str, str], ...]


class ActivatedTask(NamedTuple):
    spid: int
    database_id: int
    queue_id: int
    procedure_name: str
    execute_as: int | None


class BrokerConnection(NamedTuple):
    connection_id: UUID
    state: int
    state_desc: str
    connect_time: float
    login_time: float | None
    authentication_method: str | None
    principal_name: str | None
    last_activity_time: float
    is_accept: bool
    login_state: int
    login_state_desc: str
    peer_certificate_id: int | None
    encryption_algorithm: int
    encryption_algorithm_desc: str
    is_send_flow_controlled: bool
    total_bytes_sent: Big
    total_bytes_received: Big
    total_fragments_sent: Big
    total_fragments_received: Big
    total_sends: Big
    total_receives: Big
    peer_arbitration_id: UUID | None


class ForwardedMessage(NamedTuple):
    conversation_id: UUID
    is_initiator: bool
    to_service_name: str
    to_broker_instance: str | None
    from_service_name: str
    from_broker_instance: str
    adjacent_broker_address: str
    message_sequence_number: Big
    message_fragment_number: int
    hops_remaining: int
    time_to_live: int
    time_consumed: int
    message_id: UUID


class QueueMonitor(NamedTuple):
    database_id: int
    queue_id: int
    state: str
    last_empty_rowset_time: float | None
    last_activated_time: float | None
    tasks_waiting: int


class Consumer(NamedTuple):
    database_id: int
    queue_id: int
    consumer: str
    log_id: UUID
    epoch: Big
    acknowledged: Big
    delivered: Big
    held: Big
    held_groups: int
    failures: int
    attach_time: float
    held_since: float | None


class SessionRow(NamedTuple):
    session_id: int
    login_time: float
    host_name: str
    program_name: str
    host_process_id: int | None
    client_version: int | None
    client_interface_name: str
    login_name: str
    original_login_name: str
    status: str
    context_info: bytes | None
    database_id: int
    is_user_process: bool
    is_admin: bool
    open_transaction_count: int
    last_request_start_time: float
    last_request_end_time: float
    row_count: Big
    prev_error: int
    transaction_isolation_level: int
    lock_timeout: int
    deadlock_priority: int
    text_size: int
    language: str
    date_format: str
    date_first: int
    quoted_identifier: bool
    arithabort: bool
    ansi_null_dflt_on: bool
    ansi_warnings: bool
    ansi_padding: bool
    ansi_nulls: bool
    concat_null_yields_null: bool
    net_transport: str
    protocol_version: int
    encrypt_option: str
    net_packet_size: int | None
    client_net_address: str
    client_tcp_port: int | None
    local_net_address: str | None
    local_tcp_port: int | None


class Request(NamedTuple):
    session_id: int
    start_time: float
    status: str
    command: str
    database_id: int
    blocking_session_id: int | None
    wait_type: str | None
    wait_time: Big
    wait_resource: str
    open_transaction_count: int
    percent_complete: int
    total_elapsed_time: Big


class Lock(NamedTuple):
    session_id: int
    database_id: int
    resource_type: str
    object_id: int
    description: str
    mode: str
    status: str
    owner_type: str
    transaction_id: Big


class OpenTransaction(NamedTuple):
    session_id: int
    transaction_id: Big
    name: str
    begin_time: float
    is_user: bool
    is_snapshot: bool


class WaitingTask(NamedTuple):
    session_id: int
    wait_type: str
    wait_duration_ms: Big
    blocking_session_id: int | None
    resource_description: str


class Parameter(NamedTuple):
    database_id: int
    object_id: int
    name: str
    parameter_id: int
    type_name: str
    system_type_id: int
    user_type_id: int
    max_length: int
    precision: int
    scale: int
    is_output: bool
    has_default_value: bool
    is_readonly: bool
    is_nullable: bool
    is_cursor: bool


class SystemParameter(NamedTuple):
    object_id: int
    name: str
    parameter_id: int
    type_name: str
    system_type_id: int
    user_type_id: int
    max_length: int
    precision: int
    scale: int
    is_output: bool
    has_default_value: bool
    is_readonly: bool
    is_nullable: bool
    is_cursor: bool


class SystemModule(NamedTuple):
    object_id: int
    definition: str


class ViewColumn(NamedTuple):
    database_id: int
    object_id: int
    name: str
    column_id: int
    type_name: str
    system_type_id: int
    user_type_id: int
    max_length: int
    precision: int
    scale: int
    collation_name: str | None
    is_nullable: bool


class UserMessage(NamedTuple):
    message_id: int
    language_id: int
    severity: int
    is_event_logged: bool
    text: str


class ModuleFacts(NamedTuple):
    database_id: int
    id: int
    is_schema_bound: bool
    is_recompiled: bool
    null_on_null_input: bool
    is_deterministic: bool
    with_check_option: bool


class Dependency(NamedTuple):
    database_id: int
    referencing_id: int
    referencing_minor_id: int
    referencing_class: int
    referenced_class: int
    server_name: str | None
    database_name: str | None
    schema_name: str | None
    entity_name: str
    referenced_id: int | None
    referenced_minor_id: int
    minor_name: str | None
    is_schema_bound: bool
    is_caller_dependent: bool
    is_ambiguous: bool
    is_selected: bool
    is_updated: bool
    is_select_all: bool


class CheckColumn(NamedTuple):
    database_id: int
    object_id: int
    column_id: int
    name: str


class SystemObject(NamedTuple):
    object_id: int
    name: str
    schema_id: int
    type: str
    type_desc: str


class SystemColumn(NamedTuple):
    object_id: int
    name: str
    column_id: int
    type_name: str
    system_type_id: int
    user_type_id: int
    max_length: int
    precision: int
    scale: int
    collation_name: str | None
    is_nullable: bool


class Server(NamedTuple):
    name: str
    start_time: float
    platform: str
    release: str
    architecture: str
    now: float
    cpu_count: int


class ServerService(NamedTuple):
    name: str
    start_time: float
    process_id: int
    account: str
    program: str


class Self(NamedTuple):
    session_id: int


class Token(NamedTuple):
    database_id: int
    principal_id: int


class ConfigurationOption(NamedTuple):
    configuration_id: int
    name: str
    minimum: Big
    maximum: Big
    value: Big
    value_in_use: Big
    description: str
    is_dynamic: bool
    is_advanced: bool


class OpenKey(NamedTuple):
    database_id: int
    key_id: int
    opened: float


class SecurableClass(NamedTuple):
    number: int
    class_desc: str


class TimeZone(NamedTuple):
    name: str
    current_utc_offset: str
    is_currently_dst: bool


class Wait(NamedTuple):
    wait_type: str
    waiting_tasks_count: Big
    wait_time_ms: Big
    max_wait_time_ms: Big


class TraceEventClass(NamedTuple):
    trace_event_id: int
    category_id: int
    name: str


class TraceSubclass(NamedTuple):
    trace_event_id: int
    subclass_name: str
    subclass_value: int


class DatabaseRights(NamedTuple):
    database_id: int
    is_owner: bool


class PerformanceCounter(NamedTuple):
    object_name: str
    counter_name: str
    instance_name: str
    cntr_value: Big
    cntr_type: int


class QuerySubscription(NamedTuple):
    id: int
    database_id: int
    sid: bytes
    created: float
    timeout: int


LIVE_ROWS: Final[dict[str, type[tuple[Any, ...]]]] = {
    "live_activated_tasks": ActivatedTask, "live_broker_connections": BrokerConnection, "live_forwarded_messages": ForwardedMessage,
    "live_queue_monitors": QueueMonitor, "live_consumers": Consumer, "live_sessions": SessionRow, "live_requests": Request, "live_locks": Lock,
    "live_transactions": OpenTransaction, "live_waiting_tasks": WaitingTask, "live_parameters": Parameter, "live_system_parameters": SystemParameter,
    "live_system_modules": SystemModule, "live_view_columns": ViewColumn, "live_messages": UserMessage, "live_module_facts": ModuleFacts,
    "live_dependencies": Dependency, "live_check_columns": CheckColumn, "live_system_objects": SystemObject, "live_system_columns": SystemColumn,
    "live_server": Server, "live_services": ServerService, "live_self": Self, "live_tokens": Token, "live_configuration": ConfigurationOption, "live_open_keys": OpenKey,
    "live_securable_classes": SecurableClass, "live_time_zones": TimeZone, "live_sequences": SequenceValue, "live_identities": IdentityValue,
    "live_wait_stats": Wait, "live_trace_events": TraceEventClass, "live_trace_subclasses": TraceSubclass, "live_rights": DatabaseRights,
    "live_performance_counters": PerformanceCounter, "live_query_subscriptions": QuerySubscription,
    "live_table_rows": TableRows}  # fmt: skip
"""Name -> class of its rows."""

_TYPES: Final[dict[Any, str]] = {
    int: "INTEGER", Big: "BIGINT", Huge: "HUGEINT", float: "DOUBLE", str: "VARCHAR", bool: "BOOLEAN", bytes: "BLOB", UUID: "UUID",
}  # fmt: skip
_TYPES.update({kind | None: name for kind, name in list(_TYPES.items())})


def _columns(row: type[tuple[Any, ...]]) -> Columns:
    return tuple((name, _TYPES[kind]) for name, kind in row.__annotations__.items())


LIVE_RELATIONS: Final[dict[str, Columns]] = {name: _columns(row) for name, row in LIVE_ROWS.items()}


def live_relation(name: str, rows: Sequence[Sequence[Any]] = (), version: object = None) -> LocalTable:
    """A live relation for a query. Without a version its rows are loaded every time."""
    return LocalTable(name, LIVE_RELATIONS[name], stored_rows(rows), object() if version is None else version)
