"""Routing: where the messages of a conversation go (docs/spec: MATCH, CHOICE).

Decides between a database of this instance, a network address, and "not now" with its reason. Must not know endpoints,
messages or security.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeVar
from uuid import UUID

from sbql.catalog.records import Route
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.host import Host

__all__ = [
    "DYNAMIC_ROUTING",
    "WAITS_FOR_ROUTING",
    "Classification",
    "asks_for_routes",
    "classify",
    "network_address",
    "network_addresses",
    "next_expiry",
    "parse_guid",
]

T = TypeVar("T")

_TRANSPORT_ADDRESS = re.compile(r"TCP://[^:/]+:\d+", re.IGNORECASE)
"""The network address at the front of a service name, where a TRANSPORT route finds it."""

DYNAMIC_ROUTING = "SQL/ServiceBroker/BrokerConfiguration"

NO_TARGET_SERVICE = 9793
NO_LOCAL_SERVICE = 9796
NO_TARGET_BROKER = 9795
WAITS_FOR_ROUTING = 9770


class Classification(NamedTuple):
    """`kind` Local (with `database_id`), Remote (with `address`, and `mirror` if the route has one),
    Delayed (with message number `reason`)."""

    kind: str
    database_id: int = 0
    address: str = ""
    reason: int = 0
    mirror: str = ""


def network_address(place: Classification) -> str:
    """`host:port` of a place that is Remote; with a mirror both, separated by a comma."""
    places = (place.address, place.mirror) if place.mirror else (place.address,)
    return ",".join(address[len("TCP://") :].lower() for address in places)


def parse_guid(text: str | None) -> UUID | None:
    """A broker instance as text, None when it is empty or not a GUID."""
    if not text:
        return None
    try:
        return UUID(text)
    except ValueError:
        return None


def classify(
    index: CatalogIndex, database_id: int, service: str, guid: UUID | None, host: Host, kept: str = ""
) -> Classification:
    """Classify a conversation of `database_id` that goes to `service`, perhaps of the broker `guid`.
    `kept`: the `network_address` that it had before, which it keeps as long as a route leads there: its
    messages are to go to one place."""
    routes = _routes(index, database_id, host)
    named = [r for r in routes if r.remote_service_name == service]
    candidates = _named_candidates(named, guid, host)
    if candidates:
        found = _choose(index, candidates, database_id, service, guid, host, kept)
        return found or Classification("Delayed", reason=_why_not_local(index, candidates, guid))
    if asks_for_routes(index, database_id, service, host):
        return Classification("Delayed", reason=WAITS_FOR_ROUTING)
    found = _choose(index, _wildcards(routes), database_id, service, guid, host, kept)
    if found is None and guid is not None:
        found = _local(index, database_id, service, guid, host)
    return found or Classification("Delayed", reason=NO_TARGET_SERVICE)


def asks_for_routes(index: CatalogIndex, database_id: int, service: str, host: Host) -> bool:
    """Whether a database has a route to the dynamic routing service, so that this is asked for what a conversation with
    `service` lacks."""
    routes = _routes(index, database_id, host)
    return service != DYNAMIC_ROUTING and any(r.remote_service_name == DYNAMIC_ROUTING for r in routes)


def network_addresses(index: CatalogIndex, database_id: int, service: str, guid: UUID, host: Host) -> list[str]:
    """All among which `classify` chooses for the broker `guid` where that is Remote, each once."""
    routes = _routes(index, database_id, host)
    named = [r for r in routes if r.remote_service_name == service]
    candidates = _named_candidates(named, guid, host) or _wildcards(routes)
    return list(dict.fromkeys(network_address(place) for place in _remote(candidates, service)))


def _routes(index: CatalogIndex, database_id: int, host: Host) -> list[Route]:
    """Those that have not expired."""
    now = host.now()
    return [r for r in index.routes.get(database_id, ()) if r.lifetime is None or r.lifetime > now]


def next_expiry(index: CatalogIndex, now: float) -> float | None:
    """When the next route of any database expires. None: none will."""
    moments = [r.lifetime for routes in index.routes.values() for r in routes if r.lifetime is not None]
    return min((moment for moment in moments if moment > now), default=None)


def _wildcards(routes: list[Route]) -> list[Route]:
    return [r for r in routes if r.remote_service_name is None and r.broker_instance is None]


def _named_candidates(named: list[Route], guid: UUID | None, host: Host) -> list[Route]:
    """Steps 1 to 3: this GUID, then no GUID, then (for a conversation without GUID) the routes of any one GUID."""
    if guid is not None:
        exact = [r for r in named if parse_guid(r.broker_instance) == guid]
        if exact:
            return exact
    open_routes = [r for r in named if r.broker_instance is None]
    if open_routes or guid is not None:
        return open_routes
    instances = sorted({(r.broker_instance or "").upper() for r in named})
    if not instances:
        return []
    chosen = _pick(instances, host)
    return [r for r in named if (r.broker_instance or "").upper() == chosen]


def _choose(
    index: CatalogIndex,
    candidates: list[Route],
    database_id: int,
    service: str,
    guid: UUID | None,
    host: Host,
    kept: str,
) -> Classification | None:
    """Mirrored routes first, then LOCAL if the service is here, then a network address, then TRANSPORT."""
    is_mirrored = any(r.mirror_address for r in candidates)
    for route in candidates if not is_mirrored else ():
        if route.address.upper() == "LOCAL":
            asked = guid or parse_guid(route.broker_instance)
            found = _local(index, database_id, service, asked, host)
            if found is not None:
                return found
    places = _remote(candidates, service)
    for place in places:
        if kept and network_address(place) == kept:
            return place
    return _pick(places, host) if places else None


def _remote(candidates: list[Route], service: str) -> list[Classification]:
    """The places in the network that count: those of mirrored routes, else of network addresses, else
    that in the name of the service."""
    mirrored = [r for r in candidates if r.mirror_address]
    if mirrored:
        return [Classification("Remote", address=r.address, mirror=r.mirror_address or "") for r in mirrored]
    network = [r for r in candidates if r.address.upper().startswith("TCP:")]
    if network:
        return [Classification("Remote", address=r.address) for r in network]
    if any(r.address.upper() == "TRANSPORT" for r in candidates):
        address = _TRANSPORT_ADDRESS.match(service)
        if address is not None:
            return [Classification("Remote", address=address[0])]
    return []


def _why_not_local(index: CatalogIndex, candidates: list[Route], guid: UUID | None) -> int:
    """LOCAL routes were all there was: either the broker that is asked for is not in this instance, or the service is
    not."""
    asked = guid or parse_guid(candidates[0].broker_instance)
    return NO_TARGET_BROKER if asked is not None and asked.int not in index.by_guid else NO_LOCAL_SERVICE


def _local(index: CatalogIndex, database_id: int, service: str, guid: UUID | None, host: Host) -> Classification | None:
    """A database of this instance with an enabled broker and this service: the one of `guid`, else our own, else
    any."""
    if guid is not None:
        database = index.by_guid.get(guid.int)
        found = database is not None and not database.broker_problem and (database.id, service) in index.services
        return Classification("Local", database.id) if database is not None and found else None
    if (database_id, service) in index.services and index.is_broker_enabled(database_id):
        return Classification("Local", database_id)
    others = [s.database_id for s in index.services_by_name.get(service, ()) if index.is_broker_enabled(s.database_id)]
    return Classification("Local", _pick(sorted(others), host)) if others else None


def _pick(choices: Sequence[T], host: Host) -> T:
    return choices[0] if len(choices) == 1 else choices[min(int(host.random() * len(choices)), len(choices) - 1)]
