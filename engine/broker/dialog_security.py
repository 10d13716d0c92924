"""What the broker asks about the security of dialogs with other instances, as a Protocol that is handed in (docs/spec:
SECURE).

Decides which question is asked. Must not know certificates or keys: `network.certificate_choice` does, when there is a
network.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Protocol

from sbql.catalog.records import ConversationEndpoint, Service
from sbql.engine.broker.catalog_index import CatalogIndex

__all__ = ["NO_SECURITY", "Beginning", "DialogSecurity"]


class Beginning(NamedTuple):
    """How a dialog is secured: what its endpoint keeps of it; or, with `status`, the
    message that says why it cannot be."""

    fields: dict[str, Any]
    status: tuple[Any, ...] = ()


class DialogSecurity(Protocol):
    """Who knows certificates."""

    def begin(self, index: CatalogIndex, endpoint: ConversationEndpoint) -> Beginning:
        """For the first message of an initiator to another instance."""
        ...

    def may_send(self, index: CatalogIndex, service: Service, principal_id: int) -> bool:
        """Whether who has sent a message from another instance (-1: nobody in
        particular) may SEND to a service here."""
        ...


class _None:
    def begin(self, index: CatalogIndex, endpoint: ConversationEndpoint) -> Beginning:
        return Beginning({"security": "NONE"})

    def may_send(self, index: CatalogIndex, service: Service, principal_id: int) -> bool:
        return (service.database_id, service.id) in index.public_send


NO_SECURITY: Final[DialogSecurity] = _None()
"""Of an instance that has no network."""
