"""Credentials: who this instance is to its neighbours, and how it finds out who they are (docs/spec: WIRE).

Two methods:

- CERTIFICATE: the certificate of the endpoint signs. The other side looks it up in master by issuer and serial number,
  and by the date of its own clock. Its owner there is who has connected.
- NEGOTIATE (AUTHENTICATION = WINDOWS) needs a domain on SQL Server. Here a secret stands for it: instances that have
  the same one believe each other what account they run as, and the login of that name is who has connected.

Decides what a proof is, and who may connect. When proofs are exchanged, and what they cover, `adjacent` decides.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from msgspec import Struct

from sbql.catalog.records import Certificate, InstanceEndpoint, Permission, Principal
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.execution_context import ExecutionContext
from sbql.engine.network.frames import LARGEST_CERTIFICATE, Proof
from sbql.engine.network.identity import Peer, Refused
from sbql.engine.security import cryptography as crypto
from sbql.engine.security.background_keys import MASTER, issuer_and_serial, private_key_of
from sbql.engine.security.context import SERVER_PUBLIC, login_of_user, token_of, user_of_login
from sbql.engine.security.permissions import allowed, securable_of
from sbql.grammar.messages import message

__all__ = ["CERTIFICATE", "NEGOTIATE", "Domain", "EndpointCredentials", "methods_of"]

NEGOTIATE: Final = "NEGOTIATE"
CERTIFICATE: Final = "CERTIFICATE"

WINDOWS_LOGIN: Final = "U"
NO_DOMAIN: Final = 9751
NO_CONNECT: Final = 28034
NOT_VALID: Final = 28035
UNKNOWN: Final = 28036
NOT_VERIFIED: Final = 28038
OTHER_CERTIFICATE: Final = 28045
OWN_MISSING: Final = 9762
OWN_NOT_VALID: Final = 9763
OWN_WITHOUT_KEY: Final = 9765
TOO_EARLY: Final = 28022
TOO_LATE: Final = 28023


def methods_of(authentication: str) -> tuple[str, ...]:
    """AUTHENTICATION of an endpoint as methods of the protocol, in its order: WINDOWS,
    NTLM and KERBEROS are all NEGOTIATE."""
    words = (CERTIFICATE if word == CERTIFICATE else NEGOTIATE for word in authentication.upper().split())
    return tuple(dict.fromkeys(words))


class Domain(Struct, frozen=True):
    """The domain that an instance is in: the account `DOMAIN\\name` that it runs as there, and the secret
    (OSError, ValueError: it cannot be had)."""

    account: str
    secret: Callable[[], bytes]

    def proof(self, account: str, statement: bytes) -> bytes:
        """That somebody of this domain says the statement, and runs as this account."""
        said = statement + b"account:" + account.encode("utf-8", "surrogatepass")
        try:
            return hmac.digest(self.secret(), said, sha256)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise _refused(NO_DOMAIN, f"the secret of the domain cannot be used: {why}") from None

    def is_own(self, account: str) -> bool:
        return account.lower() == self.account.lower()


class EndpointCredentials:
    """Of one endpoint. `look` gives the catalog of the moment, `now` the time by the clock of the host."""

    def __init__(
        self,
        endpoint: InstanceEndpoint,
        look: Callable[[], CatalogSnapshot],
        now: Callable[[], float],
        domain: Domain,
    ) -> None:
        self.methods = methods_of(endpoint.authentication)
        self.encryption = endpoint.encryption
        self._endpoint = endpoint
        self._look = look
        self._now = now
        self._domain = domain

    # --- who we are ----------------------------------------------------------------------------------------

    @property
    def introduction(self) -> str:
        account = self._domain.account
        return (
            f"This instance is {account} to those of its domain (AUTHENTICATION = WINDOWS)."
            if NEGOTIATE in self.methods
            else ""
        )

    def prove(self, method: str, statement: bytes) -> Proof:
        if method == NEGOTIATE:
            account = self._domain.account
            return Proof(method, self._domain.proof(account, statement), account=account)
        snapshot = self._look()
        own = snapshot.find(Certificate, MASTER, self._endpoint.certificate_name or "")
        if own is None:
            raise _refused(OWN_MISSING)
        if not own.start_date <= self._now() < own.expiry_date:
            raise _refused(OWN_NOT_VALID)
        private = private_key_of(snapshot, own)
        if private is None:
            raise _refused(OWN_WITHOUT_KEY)
        issuer, serial = issuer_and_serial(own.certificate_der)
        shown = own.certificate_der if len(own.certificate_der) <= LARGEST_CERTIFICATE else b""
        return Proof(method, crypto.sign(private, statement), issuer, serial, shown)

    # --- who they are --------------------------------------------------------------------------------------

    def check(self, proof: Proof, statement: bytes) -> Peer:
        is_account = proof.method == NEGOTIATE
        if (proof.issuer or proof.serial_number or proof.certificate) if is_account else proof.account:
            raise _refused(NOT_VERIFIED, "it says what it does not prove", 3)
        if is_account:
            return self._check_account(proof, statement)
        snapshot = self._look()
        known = self._known(snapshot, proof)
        if known is None:
            return self._stranger(snapshot, proof, statement)
        if proof.certificate and proof.certificate != known.certificate_der:
            raise _refused(OTHER_CERTIFICATE, 1)
        self._verify(known.certificate_der, known.start_date, known.expiry_date, proof, statement)
        user = snapshot.get(Principal, MASTER, known.principal_id)
        if user is None:
            raise _refused(NO_CONNECT, f"of the certificate {known.name}", 1)
        login = login_of_user(snapshot, user)
        if not self._may_connect(snapshot, login, user):
            raise _no_connect(login.name if login.id else user.name, 2)
        return Peer(login.name if login.id else user.name, known.id)

    def _check_account(self, proof: Proof, statement: bytes) -> Peer:
        """Whoever runs as we do is let in as our own service account is on SQL Server: with a login or
        without, unless that is disabled."""
        if not hmac.compare_digest(proof.proof, self._domain.proof(proof.account, statement)):
            raise _refused(NOT_VERIFIED, "the secret of the domain is another one", 1)
        snapshot = self._look()
        login = snapshot.find(Principal, 0, proof.account)
        is_own = self._domain.is_own(proof.account)
        if login is None or login.type != WINDOWS_LOGIN:
            is_let_in = is_own or self._is_open_to_all(snapshot)
        elif is_own:
            is_let_in = not login.is_disabled
        else:
            is_let_in = self._may_connect(snapshot, login, user_of_login(snapshot, login, MASTER))
        if not is_let_in:
            raise _no_connect(proof.account, 3)
        return Peer(proof.account)

    def _may_connect(self, snapshot: CatalogSnapshot, login: Principal, user: Principal) -> bool:
        token = token_of(ExecutionContext(login, user, MASTER), snapshot, 0)
        return not login.is_disabled and allowed(snapshot, token, "CONNECT", securable_of(snapshot, self._endpoint))

    def _is_open_to_all(self, snapshot: CatalogSnapshot) -> bool:
        return any(
            p.class_ == "ENDPOINT" and p.major_id == self._endpoint.id and p.permission in ("CONNECT", "CONTROL")
            and p.grantee_principal_id == SERVER_PUBLIC and p.state != "D"
            for p in snapshot.all(Permission, 0)
        )  # fmt: skip

    @staticmethod
    def _known(snapshot: CatalogSnapshot, proof: Proof) -> Certificate | None:
        for certificate in snapshot.all(Certificate, MASTER):
            if issuer_and_serial(certificate.certificate_der) == (proof.issuer, proof.serial_number):
                return certificate
        return None

    def _stranger(self, snapshot: CatalogSnapshot, proof: Proof, statement: bytes) -> Peer:
        """Somebody whose certificate is not in master: let in as nobody in particular where everybody may CONNECT."""
        if not self._is_open_to_all(snapshot):
            raise _refused(UNKNOWN, f"issuer {proof.issuer}, serial number {proof.serial_number}", 1)
        try:
            der = crypto.load_certificate(proof.certificate)
        except crypto.CryptoError:
            raise _refused(NOT_VALID, "it cannot be read", 1) from None
        facts = crypto.certificate_facts(der)
        self._verify(der, facts.start, facts.expiry, proof, statement)
        return Peer("public")

    def _verify(self, der: bytes, start: float, expiry: float, proof: Proof, statement: bytes) -> None:
        now = self._now()
        if not start <= now < expiry:
            raise _refused(NOT_VALID, message(TOO_EARLY if now < start else TOO_LATE).text, 2)
        if not crypto.verify(crypto.public_key_of_certificate(der), statement, proof.proof):
            raise _refused(NOT_VERIFIED, "the signature is not that of the certificate", 2)


def _no_connect(user: str, state: int) -> Refused:
    return Refused(NO_CONNECT, message(NO_CONNECT).format(user, state), user)


def _refused(number: int, *arguments: object) -> Refused:
    return Refused(number, message(number).format(*arguments))
