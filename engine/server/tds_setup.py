"""What a door of TDS needs before it opens: where it listens, a certificate, and a password for sa.

It decides what is made when nobody gives it. It must not know the command line.
"""

from __future__ import annotations

import socket
from collections.abc import Callable

from sbql.catalog.records import Principal
from sbql.engine.host import SystemHost
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.server.certificates import make_certificate
from sbql.engine.server.doors import Door, Host, Keys
from sbql.engine.server.tds_door import MOST_CONNECTIONS, TdsDoor
from sbql.grammar.errors import SqlError
from sbql.grammar.names import string_literal

__all__ = ["address_of", "give_sa_password", "names_of", "tds_door"]

PORT = 1433
_SHORTEST = 8


def address_of(text: str) -> tuple[str, int]:
    """`host:port`, `host`, `:port`, `[::1]:port`. Raises ValueError, whose text says what is wrong."""
    host, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    if not colon:
        host, port = text, ""
    host = host.strip("[]")
    if port and not (port.isdecimal() and int(port) < 65536):
        raise ValueError(f"'{text}' is no address: write HOST:PORT, such as 127.0.0.1:{PORT}")
    return host or "0.0.0.0", int(port) if port else PORT


def names_of(host: str) -> list[str]:
    """What a made certificate is for."""
    names = [host] if host not in ("0.0.0.0", "::") else []
    return list(dict.fromkeys([*names, socket.gethostname(), "localhost", "127.0.0.1", "::1"]))


def tds_door(
    address: tuple[str, int],
    keys: Keys | None,
    *,
    name: str,
    forces_encryption: bool = False,
    most: int = MOST_CONNECTIONS,
) -> Callable[[Host], Door]:
    """The door at an address, for `most` clients. Without a certificate one is made, so that clients
    which insist on encryption find it."""
    host, port = address
    if keys is None or not keys.certificate:
        keys = Keys({}, *make_certificate(SystemHost(), names_of(host)))
    given = keys
    return lambda server: TdsDoor(
        server, host, port, keys=given, name=name, forces_encryption=forces_encryption, most=most
    )


def give_sa_password(instance: Instance, password: str | None) -> str | None:
    """The password with which sa comes in: the one given, else one that is made, unless sa has one already.
    Returns what was made. Raises SqlError."""
    found = instance.catalog.find(Principal, 0, "sa")
    if password is None:
        if found is not None and found.password_hash is not None:
            return None
        made = SystemHost().random_bytes(12).hex()
        _set(instance, made)
        return made
    if len(password) < _SHORTEST:
        raise SqlError(15116, f"The password of sa needs at least {_SHORTEST} characters.")
    _set(instance, password)
    return None


def _set(instance: Instance, password: str) -> None:
    session = instance.let_in()
    try:
        outcomes = session.run(f"ALTER LOGIN sa WITH PASSWORD = {string_literal(password, is_national=True)}")
    finally:
        session.close()
    for outcome in outcomes:
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error
