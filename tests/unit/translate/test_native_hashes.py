"""HASHBYTES and CHECKSUM in queries are over the bytes of SQL Server: one for a character of a code page, two for a
UTF-16 unit."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

import pytest
from translator_world import World

POOLS = ("abzAZ 09", "\r\n\t\x01\x7f'\"%_\\", "a\r\nz\0", "aé\u0301\u20ac", "x\u65e5\U0001f600", "\ud83d\ude00a")
DIGESTS = {"MD5": "md5", "sha1 ": "sha1", "SHA2_256": "sha256"}


def _texts() -> list[str]:
    rng = random.Random(7)
    found = ["".join(rng.choice(pool) for _ in range(rng.randrange(9))) for pool in POOLS for _ in range(60)]
    return [*found, "", " ", "\r\n", "x" * 4000]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    world = World()
    world.table("n", "t nvarchar(4000)", *((text,) for text in _texts()), (None,))
    world.table("v", "t varchar(4000)", *((text,) for text in _texts() if text.isascii()), (None,))
    yield world
    world.close()


@pytest.mark.parametrize("algorithm", DIGESTS)
@pytest.mark.parametrize(("table", "encoding"), [("n", "utf-16-le"), ("v", "cp1252")])
def test_the_bytes_of_a_text(world: World, table: str, encoding: str, algorithm: str) -> None:
    rows = world.rows(f"SELECT t, HASHBYTES('{algorithm}', t) FROM {table}")
    assert len(rows) > 200
    for text, found in rows:
        expected = None if text is None else hashlib.new(DIGESTS[algorithm], text.encode(encoding, "surrogatepass"))
        assert found == (expected and expected.digest()), ascii(text)


def _rotated_sum(data: bytes) -> int:
    """The 32 bits, with a sign."""
    total = 0
    for byte in data:
        total = (total << 4 & 0xFFFFFFFF | total >> 28) ^ byte
    return total - 2**32 if total >= 2**31 else total


@pytest.mark.parametrize("size", [8, 16, 17, 32, 33, 90])
@pytest.mark.parametrize("name", ["char", "varchar", "nchar", "nvarchar"])
def test_the_checksum_of_a_text_of_any_length(world: World, name: str, size: int) -> None:
    """Up to 32 characters it is computed from one or two numbers, beyond from each byte."""
    rng = random.Random(size)
    signs = "".join(map(chr, range(128))) + "  "
    texts = ["".join(rng.choices(signs, k=length)) for length in range(size + 1) for _ in range(4)]
    table = f"{name}{size}"
    world.table(table, f"t {name}({size})", *((text,) for text in texts), ("z" * size,), (" " * size,), (None,))
    encoding = "utf-16-le" if name.startswith("n") else "latin-1"
    rows = world.rows(f"SELECT t, CHECKSUM(t), BINARY_CHECKSUM(t), CHECKSUM(0, t) FROM {table}")
    assert len(rows) == len(texts) + 3
    for text, folded, binary, behind in rows:
        if text is None:
            assert (folded, binary, behind) == (2**31 - 1,) * 3
            continue
        data = text.rstrip(" ").encode(encoding)
        capitals = text.rstrip(" ").upper().encode(encoding)
        assert (folded, binary, behind) == (_rotated_sum(capitals), _rotated_sum(data), folded), ascii(text)
