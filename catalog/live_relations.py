"""Live relations: the tables `live_<name>` that system views read and the engine fills, from its memory and from what it
knows of the texts of modules.

Decides their names and columns. It must not know the views, nor where the rows come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sbql.catalog.changes import LocalTable

__all__ = ["LIVE_RELATIONS", "Columns", "columns_of", "live_relation"]

Columns = tuple[tuple[str, str], ...]


def columns_of(text: str) -> Columns:
    """Columns from `name TYPE, name TYPE`; the commonest types are one letter."""
    short = {"i": "INTEGER", "t": "VARCHAR", "b": "BOOLEAN", "f": "DOUBLE", "l": "BIGINT", "x": "BLOB", "u": "UUID"}
    pairs = (part.split() for part in text.split(","))
    return tuple((name, short.get(kind, kind)) for name, kind in pairs)


LIVE_RELATIONS: Final[dict[str, Columns]] = {
    "live_activated_tasks": columns_of("spid i, database_id i, queue_id i, procedure_name t, execute_as i"),
    "live_queue_monitors": columns_of(
        "database_id i, queue_id i, state t, last_empty_rowset_time f, last_activated_time f, tasks_waiting i"
    ),
    "live_consumers": columns_of(
        "database_id i, queue_id i, consumer t, log_id u, epoch l, acknowledged l, delivered l, held l, held_groups i, failures i,"
        "attach_time f, held_since f"
    ),
    "live_sessions": columns_of(
        "session_id i, login_time f, host_name t, program_name t, login_name t, original_login_name t, status t,"
        "database_id i, is_user_process b, is_admin b, open_transaction_count i, last_request_start_time f, last_request_end_time f,"
        "row_count l, transaction_isolation_level i, lock_timeout i"
    ),
    "live_requests": columns_of(
        "session_id i, start_time f, status t, command t, database_id i, blocking_session_id i, wait_type t,"
        "wait_time l, wait_resource t, open_transaction_count i"
    ),
    "live_locks": columns_of(
        "session_id i, database_id i, resource_type t, object_id i, description t, mode t, status t, owner_type t, transaction_id l"
    ),
    "live_transactions": columns_of("session_id i, transaction_id l, name t, begin_time f, is_user b, is_snapshot b"),
    "live_waiting_tasks": columns_of(
        "session_id i, wait_type t, wait_duration_ms l, blocking_session_id i, resource_description t"
    ),
    "live_parameters": columns_of(
        "database_id i, object_id i, name t, parameter_id i, type_name t, system_type_id i, user_type_id i, max_length i,"
        "precision i, scale i, is_output b, has_default_value b, is_readonly b, is_nullable b, is_cursor b"
    ),
    "live_system_parameters": columns_of(
        "object_id i, name t, parameter_id i, type_name t, system_type_id i, user_type_id i, max_length i,"
        "precision i, scale i, is_output b, has_default_value b, is_readonly b, is_nullable b, is_cursor b"
    ),
    "live_system_modules": columns_of("object_id i, definition t"),
    "live_view_columns": columns_of(
        "database_id i, object_id i, name t, column_id i, type_name t, system_type_id i, user_type_id i, max_length i,"
        "precision i, scale i, collation_name t, is_nullable b"
    ),
    "live_messages": columns_of("message_id i, language_id i, severity i, is_event_logged b, text t"),
    "live_module_facts": columns_of(
        "database_id i, id i, is_schema_bound b, is_recompiled b, null_on_null_input b, is_deterministic b, with_check_option b"
    ),
    "live_dependencies": columns_of(
        "database_id i, referencing_id i, referencing_minor_id i, referencing_class i, referenced_class i, server_name t,"
        "database_name t, schema_name t, entity_name t, referenced_id i, referenced_minor_id i, minor_name t, is_schema_bound b,"
        "is_caller_dependent b, is_ambiguous b, is_selected b, is_updated b, is_select_all b"
    ),
    "live_check_columns": columns_of("database_id i, object_id i, column_id i, name t"),
    "live_system_objects": columns_of("object_id i, name t, schema_id i, type t, type_desc t"),
    "live_system_columns": columns_of(
        "object_id i, name t, column_id i, type_name t, system_type_id i, user_type_id i, max_length i, precision i, scale i,"
        "collation_name t, is_nullable b"
    ),
    "live_server": columns_of("name t, start_time f, platform t, release t, architecture t, now f, cpu_count i"),
    "live_self": columns_of("session_id i"),
    "live_tokens": columns_of("database_id i, principal_id i"),
    "live_configuration": columns_of(
        "configuration_id i, name t, minimum l, maximum l, value l, value_in_use l, description t, is_dynamic b, is_advanced b"
    ),
    "live_open_keys": columns_of("database_id i, key_id i, opened f"),
    "live_securable_classes": columns_of("class i, class_desc t"),
    "live_time_zones": columns_of("name t, current_utc_offset t, is_currently_dst b"),
    "live_sequences": columns_of("database_id i, object_id i, current_value l"),
    "live_identities": columns_of("database_id i, object_id i, last_value l"),
    "live_wait_stats": columns_of("wait_type t, waiting_tasks_count l, wait_time_ms l, max_wait_time_ms l"),
    "live_trace_events": columns_of("trace_event_id i, category_id i, name t"),
    "live_trace_subclasses": columns_of("trace_event_id i, subclass_name t, subclass_value i"),
    "live_rights": columns_of("database_id i, is_owner b"),
    "live_performance_counters": columns_of(
        "object_name t, counter_name t, instance_name t, cntr_value l, cntr_type i"
    ),
}
"""Name -> columns. Times are seconds since 1970-01-01 UTC. live_parameters: the engine parses definitions, so it
knows parameters (parameter_id 0 is a function's result); live_view_columns (of table-valued functions too), live_module_facts
and live_dependencies likewise; live_messages: sp_addmessage."""


def live_relation(name: str, rows: Sequence[Sequence[Any]] = (), version: object = None) -> LocalTable:
    """A live relation for a query. Without a version its rows are loaded every time."""
    return LocalTable(name, LIVE_RELATIONS[name], rows, object() if version is None else version)
