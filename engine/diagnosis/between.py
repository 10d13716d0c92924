"""Two instances: what only shows when both sides are asked. Each is asked in T-SQL, in the database of its
service, through whatever door there is.

Decides what has to agree: ports, authentication, broker ids, contracts, certificates, SEND. What one side knows by
itself, sys.sp_sbql_diagnose there says. It must not know how somebody is asked (`Ask`) nor how findings are printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import Struct

from sbql.engine.diagnosis.causes import Finding, found
from sbql.grammar.names import bracketed, string_literal

__all__ = ["Place", "between"]

Ask = Callable[[str], list[tuple[Any, ...]]]
"""Runs a query and gives its rows."""

_ENDPOINT: Final = """SELECT e.name, t.port, e.connection_auth_desc, e.encryption_algorithm FROM sys.service_broker_endpoints AS e
JOIN sys.tcp_endpoints AS t ON t.endpoint_id = e.endpoint_id WHERE e.state_desc = 'STARTED'"""
_ACCOUNT: Final = "SELECT service_account FROM sys.dm_server_services WHERE servicename LIKE N'SQL Server (%'"
_LOGIN: Final = """SELECT principal_id, is_disabled, IS_SRVROLEMEMBER(N'sysadmin', name) FROM sys.server_principals
WHERE name = {account} AND type_desc = 'WINDOWS_LOGIN'"""
_MAY_CONNECT: Final = """SELECT p.grantee_principal_id, p.state FROM sys.server_permissions AS p JOIN sys.service_broker_endpoints AS e ON e.endpoint_id = p.major_id
WHERE p.class_desc = 'ENDPOINT' AND p.permission_name IN ('CONNECT', 'CONTROL') UNION ALL SELECT principal_id, 'G' FROM sys.service_broker_endpoints"""
_BROKER: Final = "SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = DB_NAME()"
_ROUTES: Final = "SELECT name, address, broker_instance FROM sys.routes WHERE remote_service_name = {service}"
_CONTRACT: Final = """SELECT m.name, u.is_sent_by_initiator, u.is_sent_by_target, m.validation_desc FROM sys.service_contracts AS c
JOIN sys.service_contract_message_usages AS u ON u.service_contract_id = c.service_contract_id
JOIN sys.service_message_types AS m ON m.message_type_id = u.message_type_id WHERE c.name = {contract} ORDER BY m.name"""
_OWN_CERTIFICATES: Final = """SELECT c.thumbprint, c.name FROM sys.certificates AS c JOIN sys.services AS s ON s.principal_id = c.principal_id
WHERE s.name = {service} AND c.pvt_key_encryption_type <> 'NA'"""
_BINDING: Final = """SELECT b.name, b.is_anonymous_on, c.thumbprint, c.name, USER_NAME(b.remote_principal_id) FROM sys.remote_service_bindings AS b
LEFT JOIN sys.certificates AS c ON c.principal_id = b.remote_principal_id WHERE b.remote_service_name = {service}"""
_KNOWN: Final = "SELECT thumbprint, principal_id, USER_NAME(principal_id) FROM sys.certificates"
_MAY_SEND: Final = """SELECT p.grantee_principal_id FROM sys.database_permissions AS p JOIN sys.services AS s ON s.service_id = p.major_id
WHERE p.class_desc = 'SERVICE' AND s.name = {service} AND p.permission_name IN ('SEND', 'CONTROL') AND p.state IN ('G', 'W')"""
_TCP: Final = "tcp://"
_REQUIRED: Final = {1, 2, 5, 6}
"""encryption_algorithm of endpoints with ENCRYPTION = REQUIRED; 0 is DISABLED."""
_DBO: Final = 1
_EVERY_LOGIN: Final = 2


class Place(Struct, frozen=True):
    """One side: what it is called, its service, and who answers for it."""

    name: str
    service: str
    ask: Ask

    def about(self, query: str, **names: str) -> list[tuple[Any, ...]]:
        return self.ask(query.format(**{key: string_literal(value, is_national=True) for key, value in names.items()}))


def between(source: Place, target: Place, contract: str, *, encryption: str) -> Iterator[Finding]:
    """What does not agree between the instance of the initiator and that of the target.
    `encryption`: ON, OFF or ANONYMOUS."""
    yield from _endpoints(source, target)
    for one, other in ((source, target), (target, source)):
        yield from _route(one, other)
    yield from _contract(source, target, contract)
    if encryption != "OFF":
        yield from _certificates(source, target)


def _endpoints(source: Place, target: Place) -> Iterator[Finding]:
    here, there = source.about(_ENDPOINT), target.about(_ENDPOINT)
    if not here or not there:
        return  # each side says that itself
    (name, _, authentication, algorithm), (_, _, other, other_algorithm) = here[0], there[0]
    rows = [
        {
            "view": "sys.service_broker_endpoints",
            "instance": place.name,
            "connection_auth_desc": auth,
            "encryption_algorithm": number,
        }
        for place, auth, number in ((source, authentication, algorithm), (target, other, other_algorithm))
    ]
    if not set(_methods(authentication)) & set(_methods(other)):
        text = f"The endpoints have no way of authentication in common: {authentication} at {source.name}, {other} at {target.name}."
        yield found("ENDPOINTS_DIFFER", source.name, text, str(name), rows)
    if "WINDOWS" in (_agreed(authentication, other), _agreed(other, authentication)):
        yield from _account(source, target, str(there[0][0]))
        yield from _account(target, source, str(name))
    if 0 in (algorithm, other_algorithm) and not _REQUIRED.isdisjoint({algorithm, other_algorithm}):
        text = f"One of the endpoints at {source.name} and {target.name} demands encryption, and the other refuses it."
        repair = f"ALTER ENDPOINT {bracketed(str(name))} FOR SERVICE_BROKER (ENCRYPTION = SUPPORTED ALGORITHM AES);"
        yield found("ENDPOINTS_DIFFER", source.name, text, str(name), rows, repair)


def _methods(authentication: str) -> list[str]:
    words = str(authentication).upper().replace(",", " ").split()
    return ["CERTIFICATE" if word == "CERTIFICATE" else "WINDOWS" for word in words]


def _agreed(acceptor: str, initiator: str) -> str:
    """The method of a connection, the acceptor's first that both have."""
    return next((method for method in _methods(acceptor) if method in _methods(initiator)), "")


def _account(one: Place, to: Place, endpoint: str) -> Iterator[Finding]:
    """Whether an instance lets in the account that another one runs as; its own it does."""
    accounts = one.about(_ACCOUNT), to.about(_ACCOUNT)
    if not all(accounts):
        return  # a server that does not say
    account, own = (str(rows[0][0]) for rows in accounts)
    logins = to.about(_LOGIN, account=account)
    is_own = account.lower() == own.lower()
    rights = [(grantee, str(state)) for grantee, state in to.about(_MAY_CONNECT)]
    login_id, is_disabled, is_sysadmin = logins[0] if logins else (_EVERY_LOGIN, False, False)
    states = {state for grantee, state in rights if grantee in (login_id, _EVERY_LOGIN)}
    may_connect = is_own or is_sysadmin or ("D" not in states and states)
    if may_connect and not is_disabled:
        return
    who = bracketed(account)
    statements = ["USE master;"]
    if not logins:
        statements.append(f"CREATE LOGIN {who} FROM WINDOWS;")
    elif is_disabled:
        statements.append(f"ALTER LOGIN {who} ENABLE;")
    if not may_connect:
        statements.append(f"GRANT CONNECT ON ENDPOINT::{bracketed(endpoint)} TO {who};")
    rows = [{"view": "sys.dm_server_services", "instance": one.name, "service_account": account}]
    rows += [
        {"view": "sys.server_permissions", "instance": to.name, "grantee_principal_id": g, "state": s}
        for g, s in rights
    ]
    text = f"{to.name} does not let in {account}, which {one.name} runs as: it needs a login that is not disabled, with CONNECT on the endpoint {endpoint}."
    yield found("ACCOUNT_REFUSED", to.name, text, endpoint, rows, "\n".join(statements))


def _route(one: Place, other: Place) -> Iterator[Finding]:
    """The routes of one side against what the other is."""
    endpoint, ((guid,),) = other.about(_ENDPOINT), other.about(_BROKER)
    for name, address, broker_instance in one.about(_ROUTES, service=other.service):
        row = {
            "view": "sys.routes",
            "instance": one.name,
            "name": name,
            "address": address,
            "broker_instance": broker_instance,
        }
        if broker_instance and str(broker_instance).upper() != str(guid).upper():
            text = f"The route {name} asks for the broker id {broker_instance}; the database of {other.service} has {guid}."
            repair = f"ALTER ROUTE {bracketed(name)} WITH BROKER_INSTANCE = {string_literal(str(guid).upper())};"
            yield found("ROUTE_WRONG_BROKER", one.name, text, str(name), [row], repair)
        if str(address).lower().startswith(_TCP) and endpoint:
            host, _, port = str(address)[len(_TCP) :].rpartition(":")
            if port != str(endpoint[0][1]):
                text = f"The route {name} leads to the port {port} of {host}; the endpoint there listens on {endpoint[0][1]}. (An address map may be in between.)"
                repair = (
                    f"ALTER ROUTE {bracketed(name)} WITH ADDRESS = {string_literal(f'TCP://{host}:{endpoint[0][1]}')};"
                )
                yield found("ROUTE_WRONG_PORT", one.name, text, str(name), [row], repair)


def _contract(source: Place, target: Place, contract: str) -> Iterator[Finding]:
    here, there = source.about(_CONTRACT, contract=contract), target.about(_CONTRACT, contract=contract)
    if not here or not there:
        return  # each side says that itself
    if {row[:3] for row in here} != {row[:3] for row in there}:
        names = sorted({str(row[0]) for row in {r[:3] for r in here} ^ {r[:3] for r in there}})
        rows = [
            {"view": "sys.service_contract_message_usages", "instance": p.name, "message_types": str(r)}
            for p, r in ((source, here), (target, there))
        ]
        text = f"The contract {contract} has another definition at {target.name}: message type {', '.join(names)}."
        yield found("CONTRACT_DIFFERS", target.name, text, contract, rows)
    for name, validation in ((row[0], row[3]) for row in here):
        other = next((row[3] for row in there if row[0] == name), validation)
        if other != validation:
            text = f"The message type {name} is {validation} at {source.name} and {other} at {target.name}."
            yield found(
                "TYPE_DIFFERS",
                target.name,
                text,
                str(name),
                [{"view": "sys.service_message_types", "name": name, "validation_desc": other}],
            )


def _certificates(source: Place, target: Place) -> Iterator[Finding]:
    """The certificate that the binding leads to is the target's; the initiator's is known
    there, by somebody who may SEND."""
    bindings = source.about(_BINDING, service=target.service)
    theirs = {bytes(row[0]) for row in target.about(_OWN_CERTIFICATES, service=target.service)}
    known = [row for row in bindings if row[2] is not None]
    if not bindings or not known:
        return  # the initiator's side says that itself
    rows = [
        {"view": "sys.certificates", "instance": source.name, "name": row[3], "thumbprint": bytes(row[2]).hex()}
        for row in known
    ]
    if not theirs & {bytes(row[2]) for row in known}:
        text = f"The user {known[0][4]} of the binding {known[0][0]} has no certificate that is the one of the owner of {target.service} at {target.name}."
        repair = f"CREATE CERTIFICATE {bracketed(f'{target.name} now')} AUTHORIZATION {bracketed(str(known[0][4]))} FROM FILE = '<its file>.cer';"
        yield found("CERTIFICATE_DIFFERS", source.name, text, target.service, rows, repair)
    may_send = {principal for (principal,) in target.about(_MAY_SEND, service=target.service)}
    if any(row[1] for row in bindings) and 0 not in may_send:
        yield _no_right(target, "public")
    if any(row[1] for row in bindings):
        return
    mine = {bytes(row[0]): row[1] for row in source.about(_OWN_CERTIFICATES, service=source.service)}
    owners = [(principal, user) for thumbprint, principal, user in target.about(_KNOWN) if bytes(thumbprint) in mine]
    if mine and not owners:
        name = next(iter(mine.values()))
        text = f"{target.name} does not have the certificate {name} of the owner of {source.service}: what comes from there is dropped."
        repair = f"CREATE USER {bracketed(source.name)} WITHOUT LOGIN;\nCREATE CERTIFICATE {bracketed(str(name))} AUTHORIZATION {bracketed(source.name)} FROM FILE = '<its file>.cer';\nGRANT SEND ON SERVICE::{bracketed(target.service)} TO {bracketed(source.name)};"
        yield found("CERTIFICATE_UNKNOWN", target.name, text, source.service, rows, repair)
    elif (
        owners and not any(principal in may_send or principal == _DBO for principal, _ in owners) and 0 not in may_send
    ):
        yield _no_right(target, str(owners[0][1]))


def _no_right(target: Place, who: str) -> Finding:
    grant = f"GRANT SEND ON SERVICE::{bracketed(target.service)} TO {who if who == 'public' else bracketed(who)};"
    return found(
        "NO_RIGHT_TO_SEND",
        target.name,
        f"The service {target.service} gives SEND not to {who}.",
        target.service,
        (),
        grant,
    )
