"""The switches that the broker had before its release, in front of the endpoint that took their place.

These are the option 'broker TCP listen port' of sp_configure and the value TransportEnabled of the registry. They say
the same as LISTENER_PORT and STATE of the Service Broker endpoint, and are kept there and nowhere else. So they outlive
the instance, need no restart, and follow ALTER ENDPOINT. Who may set them, and which ports there are, is decided by
CREATE and ALTER ENDPOINT.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.records import InstanceEndpoint
from sbql.engine.invocation import run_text
from sbql.engine.ports import Instance, Session
from sbql.engine.work import Work
from sbql.grammar.names import bracketed

__all__ = ["DEFAULT_PORT", "PORT_OPTION", "is_transport_enabled", "port_in_use", "set_port", "set_transport"]

PORT_OPTION: Final = "broker TCP listen port"
DEFAULT_PORT: Final = 4022
_NAME: Final = "ServiceBroker"
"""Of the endpoint that the switches make when there is none."""


def _endpoint(instance: Instance) -> InstanceEndpoint | None:
    return next(iter(instance.catalog.all(InstanceEndpoint, 0)), None)


def port_in_use(instance: Instance) -> int:
    """Of the endpoint; the conventional one while there is none."""
    found = _endpoint(instance)
    return DEFAULT_PORT if found is None else found.port


def is_transport_enabled(instance: Instance) -> bool:
    found = _endpoint(instance)
    return found is not None and found.state == "STARTED"


def set_port(session: Session, port: int) -> Work:
    """Where the broker listens when its transport is enabled. Raises what CREATE and ALTER ENDPOINT raise."""
    found = _endpoint(session.instance)
    if found is None:
        yield from run_text(session, _create("STOPPED", port))
    else:
        yield from run_text(session, f"ALTER ENDPOINT {bracketed(found.name)} AS TCP (LISTENER_PORT = {port})")


def set_transport(session: Session, is_enabled: bool) -> Work:
    """Begin, or cease, to talk to other instances. Raises what CREATE and ALTER ENDPOINT raise."""
    found = _endpoint(session.instance)
    state = "STARTED" if is_enabled else "STOPPED"
    if found is not None and found.state != state:
        yield from run_text(session, f"ALTER ENDPOINT {bracketed(found.name)} STATE = {state}")
    elif found is None and is_enabled:
        port = session.instance.configured.get(PORT_OPTION, DEFAULT_PORT)
        yield from run_text(session, _create(state, port))


def _create(state: str, port: int) -> str:
    return (
        f"CREATE ENDPOINT {bracketed(_NAME)} STATE = {state} AS TCP (LISTENER_PORT = {port}) "
        "FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)"
    )
