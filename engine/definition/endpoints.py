"""CREATE, ALTER and DROP ENDPOINT … FOR SERVICE_BROKER (docs/spec: ENDPOINT).

An endpoint is stored here and shown in its views. Whoever listens is in `network`, and follows the catalog.

Decides which values an endpoint takes, which certificate it may use, who may make and drop it, and what is said to
whoever starts one that will not listen, or that is weaker than it looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from sbql.catalog.records import Certificate, Database, InstanceEndpoint
from sbql.engine.definition.ddl import Drop, basics, check_record, check_right, ddl_step, may_control, refuse_existing
from sbql.engine.definition.principals import find_principal
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import cryptography as crypto, may
from sbql.engine.security.keys import public_key
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import CreateEndpointStatement, ObjectName
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.lexer import Source, scan
from sbql.grammar.names import parse_object_name

__all__ = ["DROP"]

_METHODS = ("NTLM", "KERBEROS", "NEGOTIATE", "CERTIFICATE", "WINDOWS")
_ALGORITHMS = ("AES", "RC4", "AES RC4", "RC4 AES")
_STATES = ("STARTED", "STOPPED", "DISABLED")
_MASTER = 1
_SAFE_BITS = 2048


@handles(CreateEndpointStatement)
def compile_endpoint(node: CreateEndpointStatement, compiler: Compiler) -> Step:
    """At most one SERVICE_BROKER endpoint an instance (7806); not inside a user transaction (574)."""
    if node.payload not in (None, "SERVICE_BROKER"):
        raise sql_error(40517, f"CREATE ENDPOINT … FOR {node.payload}")

    def body(session: Session, transaction: Transaction) -> None:
        if session.trancount:
            raise sql_error(574, f"{node.verb} ENDPOINT")
        old = session.catalog.find(InstanceEndpoint, 0, node.name.value)
        if node.verb == "CREATE":
            check_right(session, "CREATE ENDPOINT", "SERVER")
            refuse_existing(session, InstanceEndpoint, node.name, 0)
            if next(session.catalog.all(InstanceEndpoint, 0), None) is not None:
                raise sql_error(7806, span=node.span)
            if not any(word == "LISTENER_PORT" for word, _ in node.options):
                raise sql_error(5837, span=node.span)
            record = InstanceEndpoint(**basics(session, node.name.value, 0), principal_id=_owner(session, node))
        else:
            if old is None:
                raise sql_error(15151, "find", "endpoint", node.name.value, span=node.span)
            check_record(session, "ALTER", old, "alter", "endpoint", node.span)
            record = old
        new = _with_options(session, record, node)
        transaction.change_catalog(old, new)

    step = ddl_step(body)

    def run(frame: Frame) -> Work:
        yield from step.run(frame)
        endpoint = frame.session.catalog.find(InstanceEndpoint, 0, node.name.value)
        if endpoint is not None and endpoint.state == "STARTED":
            _warn(frame.session, endpoint)

    return Step(run, waits=True)


def _warn(session: Session, endpoint: InstanceEndpoint) -> None:
    """The state says what is wanted, which is not always what is."""
    for text in _warnings(session, endpoint):
        session.emit(InfoMessage(text, severity=10))
        session.instance.log(0, text, f"spid {session.spid}")


def _warnings(session: Session, endpoint: InstanceEndpoint) -> Iterator[str]:
    kept = f"The endpoint '{endpoint.name}' is kept and shown as STARTED, but nothing listens on port {endpoint.port}"
    if session.instance.transmitter is None:
        yield f"{kept}: sbql has no network. Messages for other instances stay in sys.transmission_queue."
    elif endpoint.is_rc4_only:
        yield f"{kept}: sbql has no RC4. Write ALGORITHM AES, which is also what AES RC4 and RC4 AES mean here."
    certificate = session.catalog.find(Certificate, _MASTER, endpoint.certificate_name or "")
    if certificate is not None and (bits := crypto.key_size(public_key(certificate))) < _SAFE_BITS:
        yield (
            f"The certificate '{certificate.name}' of the endpoint '{endpoint.name}' has a key of {bits} bits, which is too short today. "
            f"It is used as it is; make one of {_SAFE_BITS} bits or more."
        )


def _owner(session: Session, node: CreateEndpointStatement) -> int:
    """AUTHORIZATION names a login: oneself, or one that may be impersonated."""
    if node.owner is None:
        return int(session.login.id)
    login = find_principal(session, node.owner.value, 0, "login", node.owner.span)
    if login.id != session.login.id and not may(session, "IMPERSONATE", login):
        raise sql_error(15151, "find", "login", login.name, span=node.owner.span)
    return login.id


def _with_options(session: Session, record: InstanceEndpoint, node: CreateEndpointStatement) -> InstanceEndpoint:
    """The endpoint with these options. Raises 5837 to 5840, 28055, 102."""
    fields: dict[str, Any] = {}
    for word, value in node.options:
        read = _OPTIONS.get(word)
        if read is None:
            raise sql_error(102, word, span=node.span)
        fields |= read(value, node)
    if fields.get("certificate_name") is not None:
        _check_certificate(session, fields["certificate_name"], node)
    return msgspec.structs.replace(record, **fields)


def _authentication(value: str, node: CreateEndpointStatement) -> dict[str, Any]:
    methods: list[str] = []
    certificate = None
    for token in scan(Source(value)):
        if methods[-1:] == ["CERTIFICATE"] and certificate is None:
            certificate = parse_object_name(token.text).name
        elif token.kind != "end":
            methods.append(token.text.upper())
    if not all(word in _METHODS for word in methods):
        raise sql_error(5838, span=node.span)
    return {"certificate_name": certificate, "authentication": " ".join(methods)}


def _encryption(value: str, node: CreateEndpointStatement) -> dict[str, Any]:
    level, _, algorithm = value.upper().partition(" ALGORITHM ")
    if algorithm and algorithm not in _ALGORITHMS:
        raise sql_error(102, algorithm, span=node.span)
    return {"encryption": level} | ({"algorithm": algorithm} if algorithm else {})


def _state(value: str, node: CreateEndpointStatement) -> dict[str, Any]:
    if value.upper() not in _STATES:
        raise sql_error(102, value, span=node.span)
    return {"state": value.upper()}


def _port(value: str, node: CreateEndpointStatement) -> dict[str, Any]:
    if not 1024 <= int(value) <= 32767:
        raise sql_error(5837, span=node.span)
    return {"port": int(value)}


def _forwarding(value: str, node: CreateEndpointStatement) -> dict[str, Any]:
    if value.upper() not in ("ENABLED", "DISABLED"):
        raise sql_error(5840, span=node.span)
    return {"is_message_forwarding_enabled": value.upper() == "ENABLED"}


def _forward_size(value: str, node: CreateEndpointStatement) -> dict[str, Any]:
    if int(value) <= 0:
        raise sql_error(5839, span=node.span)
    return {"message_forwarding_size": int(value)}


def _address(value: str, node: CreateEndpointStatement) -> dict[str, Any]:
    return {"ip_address": None if value.upper() == "ALL" else value.strip("()'\" ")}


_OPTIONS: dict[str, Callable[[str, CreateEndpointStatement], dict[str, Any]]] = {
    "STATE": _state, "LISTENER_PORT": _port, "AUTHENTICATION": _authentication, "ENCRYPTION": _encryption,
    "MESSAGE_FORWARDING": _forwarding, "MESSAGE_FORWARD_SIZE": _forward_size,
    "LISTENER_IP": _address,
}  # fmt: skip


def _check_certificate(session: Session, name: str, node: CreateEndpointStatement) -> None:
    """One in master with a private key under its master key, valid now (28055). Raises 15151 when there is none."""
    found = session.catalog.find(Certificate, _MASTER, name)
    if found is None:
        raise _no_certificate(session, name, node)
    is_valid = found.start_date <= session.instance.host.now() < found.expiry_date
    if found.pvt_key_encryption_type != "MK" or found.private_key is None or not is_valid:
        raise sql_error(28055, name, span=node.span)


def _no_certificate(session: Session, name: str, node: CreateEndpointStatement) -> SqlError:
    """15151. That another database has one does not help, also the one that the session is in."""
    error = sql_error(15151, "find", "certificate", name, span=node.span)
    others = [d for d in session.catalog.all(Database) if session.catalog.find(Certificate, d.id, name) is not None]
    if others:
        error.arguments = ()  # a USE would not help
        error.advise(f"{others[0].name} has it: that of an endpoint, which is the instance's, has to be in master.")
    return error


def _refuse_in_transaction(session: Session, record: InstanceEndpoint, name: ObjectName) -> None:
    if session.trancount:
        raise sql_error(574, "DROP ENDPOINT")


DROP = Drop(may=may_control, refuse=_refuse_in_transaction)
