"""Certificates of dialogs: which of a user's counts, why there is none, and who somebody is by one (docs/spec: BINDING,
SECURE).

Decides what a remote service binding rests on in the initiator's database, and, for two databases of one instance,
whom it proves the owner of the initiating service to be in the target's. Must not know how keys are exchanged, nor
messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from sbql.catalog.records import Certificate, Database, MasterKey, Principal, RemoteServiceBinding, Service
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.security import cryptography as crypto
from sbql.engine.security.background_keys import issuer_and_serial, master_key_value
from sbql.engine.security.context import is_denied_connect

__all__ = [
    "NOBODY",
    "NO_MASTER_KEY",
    "Proof",
    "certificate_of",
    "certificates_for",
    "known_as",
    "master_key_problem",
    "no_way_in",
    "proof",
]

Problem = tuple[Any, ...]
"""The number of a message, and its arguments."""
NOBODY: Final = -1
"""The id of who is nobody in particular: public."""

NO_CERTIFICATE: Final = 9731
NO_PRIVATE_KEY: Final = 9733
KEY_TOO_SHORT: Final = 9735
KEY_UNDER_PASSWORD: Final = 9737
NOT_ACTIVE: Final = 9767
USER_DROPPED: Final = 9768
NO_ACCESS: Final = 11211
NO_CONTEXT: Final = 11229
TOO_EARLY: Final = 28024
TOO_LATE: Final = 28025
NO_MASTER_KEY: Final = 28051
"""What is said of a database without a master key."""
CLOSED_MASTER_KEY: Final = 28054
NOT_OPEN: Final = 15581
NO_CONTROL: Final = 28056
SHORTEST: Final = 1024


class Proof(NamedTuple):
    """Who an initiator is in the database of its target, or the `problem` for which that cannot be known."""

    principal_id: int = NOBODY
    problem: Problem | None = None


def master_key_problem(snapshot: CatalogSnapshot, database_id: int) -> Problem | None:
    """Why background work has no master key in a database."""
    if master_key_value(snapshot, database_id) is not None:
        return None
    if next(snapshot.all(MasterKey, database_id), None) is None:
        return (NO_MASTER_KEY,)
    database = snapshot.get(Database, 0, database_id)
    return CLOSED_MASTER_KEY, database.name if database is not None else "", NOT_OPEN


def certificate_of(
    snapshot: CatalogSnapshot, database_id: int, user: int, now: float, needs_key: bool
) -> Certificate | Problem:
    """The certificate that stands for a user, or why there is none."""
    if snapshot.get(Principal, database_id, user) is None:
        return (USER_DROPPED,)
    owned = [c for c in snapshot.all(Certificate, database_id) if c.principal_id == user]
    steps: tuple[tuple[int, Callable[[Certificate], bool]], ...] = (
        (NO_CERTIFICATE, lambda c: True),
        (TOO_EARLY, lambda c: c.start_date <= now),
        (TOO_LATE, lambda c: now < c.expiry_date),
        (NOT_ACTIVE, lambda c: c.is_active_for_begin_dialog),
        (NO_PRIVATE_KEY, lambda c: not needs_key or c.private_key is not None),
        (KEY_UNDER_PASSWORD, lambda c: not needs_key or c.pvt_key_encryption_type == "MK"),
        (KEY_TOO_SHORT, lambda c: crypto.key_size(crypto.public_key_of_certificate(c.certificate_der)) >= SHORTEST),
    )
    for number, is_good in steps:
        owned = [c for c in owned if is_good(c)]
        if not owned:
            return (number, user, SHORTEST) if number == KEY_TOO_SHORT else (number, user)
    return max(owned, key=lambda c: c.expiry_date)


def known_as(snapshot: CatalogSnapshot, database_id: int, issuer: str, serial: str) -> Certificate | None:
    """The certificate of a database that others call so."""
    for found in snapshot.all(Certificate, database_id):
        if issuer_and_serial(found.certificate_der) == (issuer, serial):
            return found
    return None


def certificates_for(
    snapshot: CatalogSnapshot, binding: RemoteServiceBinding, owner_id: int, now: float
) -> tuple[Certificate, Certificate | None] | Problem:
    """The certificate of the target, and that of the initiating service's owner (ANONYMOUS: None), in the database of
    the binding."""
    problem = master_key_problem(snapshot, binding.database_id)
    if problem is not None:
        return problem
    theirs = certificate_of(snapshot, binding.database_id, binding.remote_principal_id, now, False)
    if not isinstance(theirs, Certificate):
        return theirs
    if binding.is_anonymous_on:
        return theirs, None
    ours = certificate_of(snapshot, binding.database_id, owner_id, now, True)
    return (theirs, ours) if isinstance(ours, Certificate) else ours


def no_way_in(snapshot: CatalogSnapshot, database_id: int, user_id: int) -> Problem | None:
    """Why a user that a certificate stands for may not be in its database."""
    user = snapshot.get(Principal, database_id, user_id)
    if user is None or not is_denied_connect(snapshot, user):
        return None
    return NO_ACCESS, database_id, user.name


def proof(
    snapshot: CatalogSnapshot,
    binding: RemoteServiceBinding,
    owner_id: int,
    service: Service,
    now: float,
    may_control: Callable[[int], bool],
) -> Proof:
    """Who the owner of an initiating service is for a service of another database of this instance, by the
    certificates that a dialog between instances would exchange. `may_control`: whether a user there has CONTROL on the
    service."""
    found = certificates_for(snapshot, binding, owner_id, now)
    if not isinstance(found[0], Certificate):
        return Proof(problem=found)
    far = service.database_id
    target = known_as(snapshot, far, *issuer_and_serial(found[0].certificate_der))
    if target is None or target.private_key is None or target.pvt_key_encryption_type != "MK":
        return Proof(problem=(NO_CONTEXT,))
    problem = master_key_problem(snapshot, far)
    if problem is not None:
        return Proof(problem=problem)
    if not may_control(target.principal_id):
        return Proof(problem=(NO_CONTROL, target.principal_id, far, service.name))
    ours = found[1]
    if ours is None:
        return Proof()
    signer = known_as(snapshot, far, *issuer_and_serial(ours.certificate_der))
    if signer is None or not signer.start_date <= now < signer.expiry_date:
        return Proof(problem=(NO_CONTEXT,))
    return Proof(signer.principal_id, no_way_in(snapshot, far, signer.principal_id))
