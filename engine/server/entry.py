"""Who is let in by password: a login of the catalog that has one.

It decides what a wrong password costs (each try after the third from one address waits longer) and what the error
log says of it; the client learns nothing but 18456. Whether a password is right is `security.logins`' business,
asked once for each: what was right is remembered, as a keyed digest, so that pools connect quickly. It must not
know how a client says its password.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
import time

from sbql.catalog.records import Principal
from sbql.engine.host import SystemHost
from sbql.engine.instance import Instance
from sbql.engine.security.logins import password_matches
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["Entry"]

_FREE_TRIES = 3
_FIRST_WAIT, _LONGEST_WAIT = 0.1, 3.0
_FORGIVEN_AFTER = 60.0
_ADDRESSES_MOST = 10_000
_KNOWN_MOST = 1_000


class Entry:
    """Of one server. Thread safe."""

    def __init__(self, instance: Instance, closed: threading.Event | None = None) -> None:
        """`closed` is waited for where somebody has to wait."""
        self._instance = instance
        self._key = SystemHost().random_bytes(32)
        self._known: dict[int, bytes] = {}
        self._failures: dict[str, tuple[int, float]] = {}
        self._mutex = threading.Lock()
        self._closed = closed or threading.Event()

    def check(self, login: str, password: str, address: str) -> str:
        """The login's name as the catalog has it. Raises SqlError 18456, after a while when there were many."""
        self._wait(address)
        found = self._instance.catalog.find(Principal, 0, login)
        kept = found.password_hash if found is not None and found.type == "S" else None
        is_right = self._is_right(found, kept, password)
        reason = _reason(found, kept, is_right)
        if found is not None and not reason:
            with self._mutex:
                self._failures.pop(address, None)
            return found.name
        raise self.refused(login, reason, address)

    def refused(self, login: str, reason: str, address: str) -> SqlError:
        """18456 for the client; the reason is for the log."""
        with self._mutex:
            count, _ = self._failures.get(address, (0, 0.0))
            if len(self._failures) >= _ADDRESSES_MOST:
                self._failures.clear()
            self._failures[address] = count + 1, time.monotonic()
        error = sql_error(18456, login)
        text = f"{error.message} Reason: {reason} [CLIENT: {address}]"
        self._instance.log(18456, text, "logon", cause=(18456, reason, address))
        self._instance.notified.login_failed(login, text, error)
        return error

    def close(self) -> None:
        """Nobody waits any longer."""
        self._closed.set()

    def _wait(self, address: str) -> None:
        with self._mutex:
            count, last = self._failures.get(address, (0, 0.0))
            if count and time.monotonic() - last > _FORGIVEN_AFTER:
                del self._failures[address]
                count = 0
        if count > _FREE_TRIES:
            self._closed.wait(min(_FIRST_WAIT * 2 ** min(count - _FREE_TRIES - 1, 10), _LONGEST_WAIT))

    def _is_right(self, login: Principal | None, kept: bytes | None, password: str) -> bool:
        typed = hmac.digest(self._key, (kept or b"") + password.encode("utf-8", "surrogatepass"), hashlib.sha256)
        if login is not None and kept is not None:
            known = self._known.get(login.id)
            if known is not None and hmac.compare_digest(known, typed):
                return True
        is_right = password_matches(password, kept)
        if is_right and login is not None:
            if len(self._known) >= _KNOWN_MOST:
                self._known.clear()
            self._known[login.id] = typed
        return is_right


def _reason(login: Principal | None, kept: bytes | None, is_right: bool) -> str:
    """Why somebody is not let in; empty for one who is."""
    if login is None or login.type == "R":
        return "There is no login of this name."
    if login.type != "S":
        return "The login is none of SQL Server's own: it has no password."
    if kept is None:
        return "The login has no password, so nobody comes in with it over the network. ALTER LOGIN … WITH PASSWORD gives it one."
    if not is_right:
        return "The password is wrong."
    return "The login is disabled." if login.is_disabled else ""
