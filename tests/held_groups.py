"""Which conversation groups a transaction of the broker holds, as the table of locks has it."""

from __future__ import annotations

from uuid import UUID

from sbql.engine.broker.holdings import Holdings

__all__ = ["held_groups"]


def held_groups(transaction: Holdings) -> set[tuple[int, UUID]]:
    """(database_id, conversation_group_id) of every group that it holds."""
    return {(r[1], UUID(int=r[2])) for r in transaction.owner.held if isinstance(r, tuple) and r and r[0] == "group"}
