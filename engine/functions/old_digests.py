"""MD2 (RFC 1319) and MD4 (RFC 1320), which HASHBYTES still has and Python's hashlib has not everywhere."""

from __future__ import annotations

import struct

from sbql.grammar.values.checkpoints import checked

__all__ = ["md2", "md4"]

_PI = bytes.fromhex(
    "292e43c9a2d87c013d3654a1ecf0061362a705f3c0c7738c98932bd9bc4c82ca1e9b573cfdd4e01667426f188a17e512be4ec4d6"
    "da9ede49a0fbf58ebb2fee7aa968799115b2073f94c210890b225f21807f5d9a5a903227353ecce7bff79703ff1930b348a5b5d1"
    "d75e922aac56aac64fb838d296a47db676fc6be29c7404f1459d705964718720865bcf65e62da8021b6025adaeb0b9f61c466169"
    "34407e0f5547a323dd51af3ac35cf9cebac5ea262c530d6e85288409d3dfcdf441814d526adc37c86cc1abfa24e17b080cbdb14a"
    "7888958be363e86de9cbd5fe3b001d39f2efb70e6658d0e4a67772f8eb754b0a314450b48fed1f1adb998d339f118314"
)
"""The permutation that MD2 makes of the digits of pi."""

_MASK = 0xFFFFFFFF


def md2(data: bytes) -> bytes:
    padding = 16 - len(data) % 16
    text = data + bytes([padding]) * padding
    checksum, last = bytearray(16), 0
    for start in checked(range(0, len(text), 16)):
        for i in range(16):
            checksum[i] ^= _PI[text[start + i] ^ last]
            last = checksum[i]
    state = bytearray(48)
    for start in checked(range(0, len(text) + 16, 16), 16):
        block = text[start : start + 16] or bytes(checksum)
        for i in range(16):
            state[16 + i] = block[i]
            state[32 + i] = block[i] ^ state[i]
        turn = 0
        for step in range(18):
            for i in range(48):
                state[i] ^= _PI[turn]
                turn = state[i]
            turn = (turn + step) % 256
    return bytes(state[:16])


def _rotated(value: int, count: int) -> int:
    value &= _MASK
    return (value << count | value >> (32 - count)) & _MASK


_ROUNDS = (
    (0x00000000, tuple(range(16)), (3, 7, 11, 19)),
    (0x5A827999, (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), (3, 5, 9, 13)),
    (0x6ED9EBA1, (0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15), (3, 9, 11, 15)),
)


def _mixed(number: int, b: int, c: int, d: int) -> int:
    if number == 0:
        return b & c | ~b & d
    return b & c | b & d | c & d if number == 1 else b ^ c ^ d


def md4(data: bytes) -> bytes:
    text = data + b"\x80" + bytes(-(len(data) + 9) % 64) + struct.pack("<Q", 8 * len(data))
    state = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476]
    for start in checked(range(0, len(text), 64), 64):
        words = struct.unpack("<16I", text[start : start + 64])
        a, b, c, d = state
        for number, (constant, order, shifts) in enumerate(_ROUNDS):
            for i, place in enumerate(order):
                a, b, c, d = d, _rotated(a + _mixed(number, b, c, d) + words[place] + constant, shifts[i % 4]), b, c
        state = [(old + new) & _MASK for old, new in zip(state, (a, b, c, d), strict=True)]
    return struct.pack("<4I", *state)
