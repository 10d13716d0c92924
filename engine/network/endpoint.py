"""Which endpoint is open: asked before anything of the network is loaded, so it must
not import the rest of this room."""

from __future__ import annotations

from sbql.catalog.records import InstanceEndpoint
from sbql.catalog.snapshot import CatalogSnapshot

__all__ = ["started_endpoint"]


def started_endpoint(catalog: CatalogSnapshot) -> InstanceEndpoint | None:
    """The instance's Service Broker endpoint when it is started and can be, else None."""
    found = next(iter(catalog.all(InstanceEndpoint, 0)), None)
    return found if found is not None and found.state == "STARTED" and not found.is_rc4_only else None
