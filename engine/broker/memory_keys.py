"""Numbers by which the broker's memory finds endpoints, sides of conversations and groups; what is locked of a group.

Decides how they are made. Must not know what is kept under them. Numbers are nothing to Python's collector, as tuples
are, and the text of a UUID takes a microsecond to make.
"""

from __future__ import annotations

from uuid import UUID

__all__ = ["endpoint_key", "group_key", "group_resource", "side_key"]


def endpoint_key(database_id: int, handle: UUID) -> int:
    """Where `BrokerState.endpoints` has an endpoint. A handle alone will not do: a restored copy of a database has the
    same handles."""
    return database_id << 128 | handle.int


def side_key(database_id: int, conversation_id: UUID, is_initiator: bool) -> int:
    """Where `BrokerState.by_conversation` has it."""
    return (database_id << 1 | is_initiator) << 128 | conversation_id.int


def group_key(database_id: int, group_id: UUID) -> int:
    """Where `BrokerState.groups` has a group, and `BrokerState.holders` who holds messages of it."""
    return database_id << 128 | group_id.int


def group_resource(database_id: int, group_id: UUID) -> tuple[str, int, int]:
    """What is locked of a group."""
    return "group", database_id, group_id.int
