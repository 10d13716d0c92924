"""Messages for other instances: what can be known on this side.

Decides between the endpoint, the security of the dialog, and the other side, which does not answer or does not
acknowledge. It must not ask other instances.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

from sbql.catalog.records import Certificate, InstanceEndpoint
from sbql.catalog.records.broker import ConversationEndpoint
from sbql.engine.broker.ready_index import Conversation
from sbql.engine.diagnosis import repairs
from sbql.engine.diagnosis.causes import Evidence, Finding, found, said
from sbql.engine.diagnosis.world import World
from sbql.engine.security.dialog_certificates import NO_MASTER_KEY, certificate_of, master_key_problem
from sbql.grammar.names import bracketed, string_literal

__all__ = ["dialog_security", "endpoint_findings", "master_key_finding", "over_the_network"]

_MASTER: Final = 1
USER_DROPPED: Final = 9768
_BY_NUMBER: Final = {
    9731: "CERTIFICATE_MISSING", 9733: "CERTIFICATE_WITHOUT_KEY", 9735: "CERTIFICATE_TOO_SHORT", 9737: "CERTIFICATE_UNDER_PASSWORD",
    9767: "CERTIFICATE_INACTIVE", 9768: "CERTIFICATE_MISSING", 28024: "CERTIFICATE_TOO_EARLY", 28025: "CERTIFICATE_EXPIRED",
}  # fmt: skip


class _Waiting(Protocol):
    conversation: Conversation
    since: float

    @property
    def endpoint(self) -> ConversationEndpoint: ...
    def evidence(self) -> list[Evidence]: ...


def over_the_network(world: World, one: _Waiting) -> Iterator[Finding]:
    """Why a message for another instance is still here."""
    findings = [*endpoint_findings(world, one.endpoint.database_id, one.endpoint.far_service, one.evidence())]
    if not findings and one.endpoint.is_initiator and not one.endpoint.security:
        findings = [*_dialog_security(world, one)]
    elif not findings and one.endpoint.session_key and master_key_problem(world.snapshot, one.endpoint.database_id):
        findings = [master_key_finding(world, one.endpoint.database_id, "", one.evidence())]
    yield from findings or _other_side(world, one)


def master_key_finding(world: World, database_id: int, why: str, evidence: list[Evidence]) -> Finding:
    """A database whose master key background work cannot use. `why`: the end of a sentence that says what for."""
    name = world.name(database_id)
    if master_key_problem(world.snapshot, database_id) == (NO_MASTER_KEY,):
        text = f"The database {name} has no master key{why}. {said(28051)}"
        return found("NO_MASTER_KEY", name, text, name, evidence, repairs.master_key(name))
    opening = "OPEN MASTER KEY DECRYPTION BY PASSWORD = '<its password>';"
    adding = "ALTER MASTER KEY ADD ENCRYPTION BY SERVICE MASTER KEY;"
    repair = repairs.in_database(name, opening, adding, "CLOSE MASTER KEY;")
    return found("MASTER_KEY_CLOSED", name, said(28054, name, 15581), name, evidence, repair)


def endpoint_findings(world: World, database_id: int, service: str, evidence: list[Evidence]) -> Iterator[Finding]:
    """The endpoint of this instance, without which nothing leaves it."""
    endpoint = next(iter(world.snapshot.all(InstanceEndpoint, 0)), None)
    database = world.name(database_id)
    if endpoint is None:
        text = f"The route to the service {service} leads to another instance, and this one has no endpoint."
        yield found("ENDPOINT_MISSING", database, text, service, evidence, repairs.endpoint())
        return
    row = {
        "view": "sys.service_broker_endpoints",
        "name": endpoint.name,
        "state_desc": endpoint.state,
        "port": endpoint.port,
        "algorithm": endpoint.algorithm,
    }
    evidence = [row, *evidence]
    name = bracketed(endpoint.name)
    if endpoint.state != "STARTED":
        repair = f"ALTER ENDPOINT {name} STATE = STARTED;"
        yield found(
            "ENDPOINT_STOPPED",
            "master",
            f"The endpoint {endpoint.name} is {endpoint.state}.",
            endpoint.name,
            evidence,
            repair,
        )
    elif endpoint.is_rc4_only:
        repair = f"ALTER ENDPOINT {name} FOR SERVICE_BROKER (ENCRYPTION = REQUIRED ALGORITHM AES);"
        yield found(
            "ENDPOINT_RC4",
            "master",
            f"The endpoint {endpoint.name} asks for RC4 alone and does not start.",
            endpoint.name,
            evidence,
            repair,
        )
    elif world.instance.transmitter is None:
        text = f"The endpoint {endpoint.name} is started, and this process has no network: its clock is virtual. Run it on the system's clock, or in a Network."
        yield found("NO_NETWORK", "master", text, endpoint.name, evidence)
    elif endpoint.certificate_name is not None:
        yield from _endpoint_certificate(world, endpoint, evidence)


def _endpoint_certificate(world: World, endpoint: InstanceEndpoint, evidence: list[Evidence]) -> Iterator[Finding]:
    name = endpoint.certificate_name or ""
    certificate = world.snapshot.find(Certificate, _MASTER, name)
    if certificate is None:
        problem = "is not there"
    elif certificate.private_key is None:
        problem = "has no private key"
    elif certificate.pvt_key_encryption_type != "MK":
        problem = "has its private key under a password"
    elif not certificate.start_date <= world.now < certificate.expiry_date:
        problem = "is not valid now"
    else:
        return
    fresh = f"{name}_{int(world.now)}"
    repair = "\n".join((
        repairs.new_certificate("master", fresh, "dbo", f"{fresh}.cer"),
        f"ALTER ENDPOINT {bracketed(endpoint.name)} FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE {bracketed(fresh)});",
    ))  # fmt: skip
    text = f"The certificate {name} of the endpoint {endpoint.name} {problem}. The other side needs the file of the new one."
    yield found("ENDPOINT_CERTIFICATE", "master", text, endpoint.name, evidence, repair)


def _dialog_security(world: World, one: _Waiting) -> Iterator[Finding]:
    endpoint = one.endpoint
    repair = repairs.again(world.index, endpoint, endpoint.far_service, encryption=False)
    evidence = one.evidence()
    return dialog_security(
        world,
        endpoint.database_id,
        endpoint.far_service,
        endpoint.principal_id,
        is_encrypted=endpoint.encryption,
        evidence=evidence,
        without=repair,
    )


def dialog_security(
    world: World,
    database_id: int,
    service: str,
    owner: int,
    *,
    is_encrypted: bool,
    evidence: list[Evidence],
    without: str = "",
) -> Iterator[Finding]:
    """What a secure dialog needs on the initiator's side (docs/spec: BINDING, SECURE).

    `owner`: of the initiator's service; `without`: the statement that goes on without a binding."""
    index, database = world.index, world.name(database_id)
    binding = index.bindings.get((database_id, service))
    if binding is None:
        if is_encrypted:
            repair = without or repairs.binding(database, service)
            yield found("BINDING_MISSING", database, said(9727), service, evidence, repair)
        return
    if master_key_problem(world.snapshot, database_id) is not None:
        yield master_key_finding(world, database_id, "", evidence)
        return
    users = [(binding.remote_principal_id, False)]
    if not binding.is_anonymous_on:
        users.append((owner, True))
    for user, is_own in users:
        problem = certificate_of(world.snapshot, database_id, user, world.now, is_own)
        if isinstance(problem, Certificate):
            continue
        number = problem[0]
        text, who = said(number, *problem[1:]), world.user_name(database_id, user)
        owned = [c for c in world.snapshot.all(Certificate, database_id) if c.principal_id == user]
        rows = [
            {"view": "sys.certificates", "name": c.name, "start_date": c.start_date, "expiry_date": c.expiry_date, "pvt_key_encryption_type": c.pvt_key_encryption_type, "is_active_for_begin_dialog": c.is_active_for_begin_dialog}
            for c in owned
        ]  # fmt: skip
        repair = _certificate_repair(world, database, number, owned, who, is_own=is_own)
        yield found(_BY_NUMBER[number], database, f"{who}: {text}", service, [*rows, *evidence], repair)


def _certificate_repair(
    world: World, database: str, number: int, owned: list[Certificate], who: str, *, is_own: bool
) -> str:
    if number == USER_DROPPED:  # only who has a user of that id could repair it
        return ""
    last = max(owned, key=lambda c: c.expiry_date, default=None)
    if number == 9767 and last is not None:
        return repairs.certificate_option(last, database, "ACTIVE FOR BEGIN_DIALOG = ON")
    if number == 9737 and last is not None:
        return repairs.certificate_option(last, database, "PRIVATE KEY (DECRYPTION BY PASSWORD = '<its password>')")
    name = f"{last.name if last is not None else who}_{int(world.now)}"
    if is_own:
        return repairs.new_certificate(database, name, who, f"{name}.cer")
    return repairs.certificate_from_file(database, name, who)


def _other_side(world: World, one: _Waiting) -> Iterator[Finding]:
    endpoint, evidence = one.endpoint, one.evidence()
    database, service = world.name(endpoint.database_id), endpoint.far_service
    if endpoint.transmission_status and one.conversation.goes_out:
        text = f"The instance with the service {service} cannot be reached: {endpoint.transmission_status}"
        yield found("UNREACHABLE", database, text, service, evidence)
    elif one.conversation.goes_out and world.now - one.since >= world.limits.unacknowledged:
        own = world.index.service_by_id.get((endpoint.database_id, endpoint.service_id))
        name = own.name if own is not None else ""
        text = (
            f"Sent to the instance with the service {service} for {world.now - one.since:.0f} seconds, and never acknowledged. Over there the trace says why "
            f"it is dropped; if nothing does, the way back to {name} is missing."
        )
        repair = (
            f"-- in the database of {service}, on its instance:\n"
            f"CREATE ROUTE {bracketed(f'to {name}'[:128])} WITH SERVICE_NAME = {string_literal(name)}, "
            f"BROKER_INSTANCE = {string_literal(world.index.guid(endpoint.database_id))}, ADDRESS = 'TCP://<this machine>:4022';"
        )
        yield found("NOT_ACKNOWLEDGED", database, text, service, evidence, repair)
