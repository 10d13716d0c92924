"""Credentials: who this instance is to its neighbours, and how it finds out who they are (reference 8.7).

WINDOWS needs a domain on SQL Server. Here a secret stands for it: instances that have the same one believe each other. Decides what a proof is; when proofs are
exchanged, and what they cover, `adjacent` decides.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

from sbql.engine.network.adjacent import Refused
from sbql.engine.network.frames import Proof
from sbql.grammar.messages import message

__all__ = ["WINDOWS", "SharedSecret"]

WINDOWS: Final = "WINDOWS"
NOT_VERIFIED: Final = 28038


class SharedSecret:
    """The stand-in for a domain. `authentication` and `encryption` are those of the endpoint: one that allows certificates only lets nobody in yet."""

    def __init__(self, secret: bytes, authentication: str, encryption: str) -> None:
        self._secret = secret
        self.methods = (WINDOWS,) if WINDOWS in authentication.split() else ()
        self.encryption = encryption

    def prove(self, method: str, statement: bytes) -> Proof:
        return Proof(method, hmac.digest(self._secret, statement, sha256))

    def check(self, proof: Proof, statement: bytes) -> str:
        if not hmac.compare_digest(proof.proof, hmac.digest(self._secret, statement, sha256)):
            raise Refused(NOT_VERIFIED, message(NOT_VERIFIED).format("the secret of the domain is another one", 1))
        return "sa"
