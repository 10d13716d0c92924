"""Bytes of the protocol between instances with something wrong in them: they end in frames or in Malformed, and a
connection ends or goes on, never in another exception.

A few thousand in a usual run, a million by `make fuzz-network` (NETWORK_INPUTS, NETWORK_FUZZ_FIRST)."""

from __future__ import annotations

import os
import random
import warnings
from contextlib import closing
from datetime import datetime
from uuid import UUID

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding

from sbql.catalog.records import InstanceEndpoint
from sbql.engine.instance import Instance
from sbql.engine.network.adjacent import Connection
from sbql.engine.network.credentials import Domain, EndpointCredentials
from sbql.engine.network.frames import (
    Accepted,
    Acknowledgement,
    BrokerError,
    Envelope,
    Fragment,
    Frame,
    Goodbye,
    Hello,
    Malformed,
    Ping,
    Pong,
    Proof,
    Receipt,
    Sealed,
    SecurityHeader,
    decode,
    encode,
)
from sbql.engine.network.framing import FrameReader, framed
from sbql.engine.network.identity import Peer, Refused
from sbql.engine.security import cryptography as crypto

INPUTS = int(os.environ.get("NETWORK_INPUTS", "4000"))
FIRST = int(os.environ.get("NETWORK_FUZZ_FIRST", "0"))
WAY = Envelope(UUID(int=1), True, "//target", None, "//initiator", UUID(int=2))
RECEIPT = Receipt(3, ((5, 6), (9, 9)), ((4, 0, 7),))
HEADER = SecurityHeader("issuer", "0a 0b", "by", "0c", b"k" * 256, b"s" * 60, b"g" * 256)
SAMPLES: tuple[Frame, ...] = (
    Hello((1,), UUID(int=3), b"n" * 32, ("NEGOTIATE", "CERTIFICATE"), "REQUIRED"), Proof("CERTIFICATE", b"p" * 256, "issuer", "0a", b"c" * 700),
    Proof("NEGOTIATE", b"p" * 32, account="DOMAIN\\service"),
    Accepted(), Goodbye(9760, "idle"), Ping(), Pong(), Acknowledgement(WAY, RECEIPT), BrokerError(WAY, 8494, "no right"),
    Fragment(WAY, 0, 0, 1, 5, 0, "type", "contract", UUID(int=4), 60.0, False, 5, b"d" * 16, RECEIPT, b"hello"),
    Sealed(WAY, UUID(int=5), 0, 0, HEADER, b"n" * 12, b"b" * 300),
)  # fmt: skip
"""One of each kind."""


class Anybody:
    """Lets everybody in whose proof is `good`."""

    methods, encryption, introduction = ("NEGOTIATE",), "DISABLED", ""

    def prove(self, method: str, statement: bytes) -> Proof:
        return Proof(method, b"good")

    def check(self, proof: Proof, statement: bytes) -> Peer:
        if proof.proof != b"good":
            raise Refused(28038, "not good")
        return Peer("somebody")


def spoiled(chance: random.Random) -> bytes:
    """A frame, or several, with bytes changed, left out, put in, doubled; or bytes alone."""
    is_frame = chance.random() < 0.95
    return harmed(chance, encode(chance.choice(SAMPLES)) if is_frame else chance.randbytes(chance.randrange(200)))


def harmed(chance: random.Random, whole: bytes) -> bytes:
    data = bytearray(whole)
    for _ in range(chance.randrange(4)):
        place = chance.randrange(len(data) + 1)
        what = chance.randrange(5)
        if what == 0 and place < len(data):
            data[place] ^= 1 << chance.randrange(8)
        elif what == 1:
            del data[place : place + chance.randrange(8)]
        elif what == 2:
            data[place:place] = chance.randbytes(chance.randrange(8))
        elif what == 3:
            data[place:place] = data[place : place + chance.randrange(40)]
        elif place < len(data):
            data[place] = chance.choice((0x00, 0x7F, 0x80, 0x90, 0xC0, 0xC6, 0xDB, 0xDD, 0xDF, 0xFF))
    return bytes(data)


def online() -> Connection:
    connection = Connection(True, UUID(int=9), b"a" * 32, Anybody(), 0.0)
    connection.start(0.0)
    for frame in (
        Hello((1,), UUID(int=3), b"n" * 32, ("NEGOTIATE",), "DISABLED"),
        Proof("NEGOTIATE", b"good", account="DOMAIN\\a"),
        Accepted(),
    ):
        connection.receive(framed(encode(frame)), 0.0)
    assert connection.state == "ONLINE"
    return connection


def test_whatever_comes_is_a_frame_or_malformed() -> None:
    good = 0
    for number in range(FIRST, FIRST + INPUTS):
        payload = spoiled(random.Random(number))
        try:
            frame = decode(payload)
        except Malformed:
            continue
        good += 1
        assert decode(encode(frame)) == frame
    assert 0.2 < good / INPUTS < 0.8  # neither all good nor all bad: else the test looks at nothing


def test_a_connection_takes_whatever_comes_or_ends() -> None:
    """Before the login and behind it, in pieces; what waits for more never grows beyond a frame."""
    connection, ended = online(), 0
    for number in range(FIRST, FIRST + INPUTS // 4):
        chance = random.Random(number)
        if connection.state == "CLOSED":
            ended += 1
            connection = online() if chance.random() < 0.7 else Connection(True, UUID(int=9), b"a" * 32, Anybody(), 0.0)
            if connection.state == "NEW":
                connection.start(0.0)
        payload = spoiled(chance)
        data = framed(payload) if chance.random() < 0.8 else payload
        cut = chance.randrange(len(data) + 1)
        for piece in (data[:cut], data[cut:]):
            connection.receive(piece, 0.0)
        connection.data_to_send()
    assert ended


def test_what_waits_for_more_is_bounded() -> None:
    """A length beyond the limit is refused as soon as it has come, not when so much has come."""
    for length in (8193, 1 << 20, (1 << 32) - 1):
        reader = FrameReader()
        reader.add(length.to_bytes(4, "big") + b"x" * 30)
        try:
            reader.take()
        except Malformed:
            continue
        raise AssertionError(length)


# --- who somebody is, before anybody knows ------------------------------------------------------------------

STATEMENT = b"initiator:" + b"s" * 32


def open_endpoint(instance: Instance) -> EndpointCredentials:
    """One where everybody has CONNECT, so that certificates of strangers are read."""
    session = instance.connect()
    session.run(
        "CREATE ENDPOINT broker AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS); GRANT CONNECT ON ENDPOINT::broker TO public"
    )
    endpoint = instance.catalog.find(InstanceEndpoint, 0, "broker")
    assert endpoint is not None
    return EndpointCredentials(
        endpoint, lambda: instance.catalog, instance.host.now, Domain("D\\service", lambda: b"secret")
    )


def test_whatever_a_proof_says_is_refused_or_good() -> None:
    """Certificates with something wrong in them, and accounts of any letters: nothing but a refusal comes out of them,
    for the network stands still behind anything else."""
    instance = Instance.open(None, clock="virtual")
    with closing(instance), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numbers and names that are not as they should be
        credentials = open_endpoint(instance)
        private, now = crypto.new_private_key(), instance.host.now()
        good = crypto.new_certificate(private, "somebody", now - 10, now + 1e6, b"\1" * 16)
        signature = crypto.sign(private, STATEMENT)
        assert credentials.check(Proof("CERTIFICATE", signature, "i", "1", good), STATEMENT) == Peer("public")
        refused = 0
        for number in range(FIRST, FIRST + INPUTS // 4):
            chance = random.Random(number)
            if number % 4:
                proof = Proof("CERTIFICATE", signature, "i", "1", harmed(chance, good))
            else:
                account = "".join(chr(chance.choice((0, 10, 39, 92, 93, 0x130, 0xFFFF, 0x1F600))) for _ in range(9))
                mac = Domain("", lambda: b"secret").proof(account, STATEMENT)
                proof = Proof("NEGOTIATE", harmed(chance, mac), account=account)
            try:
                credentials.check(proof, STATEMENT)
            except Refused:
                refused += 1
        assert 0 < refused < INPUTS // 4


KEYS = {
    "an elliptic curve": lambda: ec.generate_private_key(ec.SECP256R1()).public_key(),
    "Ed25519": lambda: ed25519.Ed25519PrivateKey.generate().public_key(),
    "RSA of 20000 bits": lambda: rsa.RSAPublicNumbers(65537, (1 << 19999) | 1).public_key(),
}


@pytest.mark.parametrize("kind", list(KEYS))
def test_a_key_of_another_kind_lets_nobody_in(kind: str) -> None:
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "somebody")])
    instance = Instance.open(None, clock="virtual")
    with closing(instance):
        credentials = open_endpoint(instance)
        signer = rsa.generate_private_key(65537, 2048)
        made = x509.CertificateBuilder(name, name, KEYS[kind](), 5, datetime(2000, 1, 1), datetime(2100, 1, 1))
        der = made.sign(signer, hashes.SHA256()).public_bytes(Encoding.DER)
        with pytest.raises(Refused):
            credentials.check(Proof("CERTIFICATE", b"p" * 256, "i", "5", der), STATEMENT)
