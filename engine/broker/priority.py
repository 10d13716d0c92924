"""Conversation priority: which BROKER PRIORITY fits a new endpoint (docs/spec: PRIORITY).

Decides the level once, when the endpoint is made. Must not know what the level is used for.
"""

from __future__ import annotations

from sbql.engine.broker.catalog_index import CatalogIndex

__all__ = ["DEFAULT_LEVEL", "priority_level"]

DEFAULT_LEVEL = 5


def priority_level(index: CatalogIndex, database_id: int, contract_id: int, service_id: int, far_service: str) -> int:
    """The best match in the order CLR, CL*, C*R, C**, *LR, *L*, **R, ***; 5 when none fits.

    Contract and local service are compared by id, the remote service's name byte by byte.
    """
    best, level = -1, DEFAULT_LEVEL
    for rule in index.priorities.get(database_id, ()):
        weight = 0
        if rule.service_contract_id is not None:
            if rule.service_contract_id != contract_id:
                continue
            weight += 4
        if rule.local_service_id is not None:
            if rule.local_service_id != service_id:
                continue
            weight += 2
        if rule.remote_service_name is not None:
            if rule.remote_service_name != far_service:
                continue
            weight += 1
        if weight > best:
            best, level = weight, rule.priority
    return level
