"""What the broker asks about rights, as callables handed in; the defaults allow everything.

Decides which question is asked where. Must not know principals, grants or sessions.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from sbql.catalog.records.objects import CatalogRecord, Queue, Service

__all__ = ["EVERYTHING", "Rights"]


def _allow(permission: str, securable: CatalogRecord) -> None:
    del permission, securable


def _may_send(principal_id: int, home_id: int, service: Service) -> bool:
    del principal_id, home_id, service
    return True


def _no_obstacle(principal_id: int, home_id: int, service: Service) -> str:
    del principal_id, home_id, service
    return ""


def _nobody(principal_id: int, home_id: int, service: Service) -> int:
    del principal_id, home_id, service
    return -1


def _may_receive(principal_id: int, queue: Queue) -> bool:
    del principal_id, queue
    return True


def _everybody() -> bool:
    return True


class Rights(Struct, frozen=True):
    """`require(permission, securable)` raises the SqlError of a missing right of the current user (RECEIVE on a Queue,
    REFERENCES on a Contract, SEND on a Service). `may_send(principal_id, home_id, service)`: whether the owner of an
    initiating service, a principal of the database `home_id`, may send to a target service. `not_there(principal_id,
    home_id, service)`: why that owner is nobody in the target's database, which is another one, though his own is
    TRUSTWORTHY or a binding names the service; empty when he is somebody. `known_there(principal_id, home_id,
    service)`: whom certificates say that he is there, -1 for nobody. `may_receive(principal_id, queue)`: whether the
    owner of a target service may receive from its queue. `is_privileged()`: db_owner or sysadmin."""

    require: Callable[[str, CatalogRecord], None] = _allow
    may_send: Callable[[int, int, Service], bool] = _may_send
    is_privileged: Callable[[], bool] = _everybody
    may_receive: Callable[[int, Queue], bool] = _may_receive
    not_there: Callable[[int, int, Service], str] = _no_obstacle
    known_there: Callable[[int, int, Service], int] = _nobody


EVERYTHING = Rights()
