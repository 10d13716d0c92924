"""The overlay: broker relations as a transaction that changed broker state sees them.

Decides how a transaction's own changes are laid over the stored tables in the SQL of a query. It must not know which
query it is: a marked name `broker_<table>` becomes a subquery that leaves out every key the transaction changed
and adds the rows as they are now, both handed over as local tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from sbql.catalog.changes import LocalTable
from sbql.catalog.fold import BROKER_TABLES, NetEffect
from sbql.catalog.marked_sql import MarkedSql
from sbql.catalog.records.broker import BrokerChange

__all__ = ["BROKER_RELATIONS", "overlay"]

BROKER_RELATIONS: Final = frozenset(f"broker_{table}" for table in BROKER_TABLES)
"""Names that the SQL of queues and views may mark."""

_COLUMN_TYPES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "conversation_endpoints": (
        ("conversation_handle", "UUID"), ("conversation_id", "UUID"), ("is_initiator", "BOOLEAN"),
        ("database_id", "INTEGER"), ("service_id", "INTEGER"), ("contract_id", "INTEGER"),
        ("conversation_group_id", "UUID"), ("state", "VARCHAR"), ("far_service", "VARCHAR"),
        ("far_broker_instance", "UUID"), ("lifetime", "DOUBLE"), ("priority", "UTINYINT"),
        ("principal_id", "INTEGER"), ("far_principal_id", "INTEGER"), ("encryption", "BOOLEAN"),
        ("send_sequence", "BIGINT"), ("receive_sequence", "BIGINT"), ("end_dialog_sequence", "BIGINT"),
        ("system_sequence", "BIGINT"), ("security_timestamp", "DOUBLE"), ("dialog_timer", "DOUBLE"),
        ("is_system", "BOOLEAN"), ("transmission_status", "VARCHAR"), ("contract_name", "VARCHAR"),
        ("asked_broker_instance", "VARCHAR"), ("security", "VARCHAR"), ("session_key", "BLOB"), ("outbound_key_id", "UUID"),
        ("inbound_key_id", "UUID"),
    ),
    "conversation_groups": (
        ("conversation_group_id", "UUID"), ("database_id", "INTEGER"), ("service_id", "INTEGER"), ("is_system", "BOOLEAN"),
    ),
    "messages": (
        ("message_key", "BIGINT"), ("queue_id", "INTEGER"), ("database_id", "INTEGER"), ("status", "UTINYINT"),
        ("priority", "UTINYINT"), ("queuing_order", "BIGINT"), ("conversation_handle", "UUID"),
        ("message_sequence_number", "BIGINT"), ("service_id", "INTEGER"), ("contract_id", "INTEGER"),
        ("message_type_id", "INTEGER"), ("message_type_name", "VARCHAR"), ("validation", "VARCHAR"),
        ("message_body", "BLOB"), ("message_id", "UUID"), ("message_enqueue_time", "DOUBLE"),
    ),
    "transmission_queue": (
        ("message_key", "BIGINT"), ("database_id", "INTEGER"), ("conversation_handle", "UUID"),
        ("to_service_name", "VARCHAR"), ("to_broker_instance", "VARCHAR"), ("from_service_name", "VARCHAR"),
        ("service_contract_name", "VARCHAR"), ("enqueue_time", "DOUBLE"), ("message_sequence_number", "BIGINT"),
        ("message_type_name", "VARCHAR"), ("status", "INTEGER"), ("message_body", "BLOB"), ("message_id", "UUID"),
        ("transmission_status", "VARCHAR"), ("priority", "UTINYINT"), ("next_attempt", "DOUBLE"), ("attempts", "INTEGER"),
    ),
    "monolog_members": (
        ("conversation_handle", "UUID"), ("database_id", "INTEGER"), ("role", "VARCHAR"), ("monolog_id", "UUID"),
        ("publisher_handle", "UUID"), ("subscription_handle", "UUID"), ("start_sequence", "BIGINT"), ("retention", "DOUBLE"),
    ),
    "monolog_messages": (
        ("message_key", "BIGINT"), ("database_id", "INTEGER"), ("conversation_handle", "UUID"),
        ("message_sequence_number", "BIGINT"), ("message_type_name", "VARCHAR"), ("message_body", "BLOB"),
        ("message_id", "UUID"), ("enqueue_time", "DOUBLE"),
    ),
}  # fmt: skip


def overlay(sql: MarkedSql, changes: Sequence[BrokerChange]) -> tuple[str, list[LocalTable]]:
    """`sql` reading the broker relations with `changes` laid over them, and the local tables that it then needs."""
    if not changes:
        return sql.plain(), []
    effect = NetEffect(changes)
    tables = [name.removeprefix("broker_") for name in sorted(sql.names & BROKER_RELATIONS)]
    used = [table for table in tables if effect.of(table)]
    locals = [local for table in used for local in _locals(table, effect.of(table))]
    return sql.with_names({f"broker_{table}": _subquery(table) for table in used}).plain(), locals


def _subquery(table: str) -> str:
    keys = ", ".join(BROKER_TABLES[table][1])
    return (
        f"(SELECT * FROM sbql.{table} ANTI JOIN temp.main.overlay_{table}_keys USING ({keys})"
        f" UNION ALL SELECT * FROM temp.main.overlay_{table})"
    )


def _locals(table: str, changes: dict[Any, Any]) -> list[LocalTable]:
    columns, key = _COLUMN_TYPES[table], BROKER_TABLES[table][1]
    types = dict(columns)
    rows = [msgspec.structs.astuple(record) for record in changes.values() if record is not None]
    keys = [k if isinstance(k, tuple) else (k,) for k in changes]
    version = object()
    return [
        LocalTable(f"overlay_{table}", columns, rows, version),
        LocalTable(f"overlay_{table}_keys", tuple((name, types[name]) for name in key), keys, version),
    ]
