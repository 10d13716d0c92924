"""LOGIN7: who a client is, what it wants to be called, and which version it speaks.

It decides how the record is read, and which of its features matter. It must not know who is let in.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from sbql.engine.tds.reading import ProtocolError, Reader

__all__ = [
    "FEDERATED",
    "UTF8",
    "Login",
    "TDS_71",
    "TDS_72",
    "TDS_73",
    "TDS_74",
    "TDS_80",
    "read_login",
    "spoken_version",
]

TDS_70, TDS_71, TDS_72, TDS_73, TDS_74, TDS_80 = 0x70000000, 0x71000000, 0x72090002, 0x730A0003, 0x74000004, 0x08000000
_TDS_73B, _TDS_71_1 = 0x730B0003, 0x71000001
FEDERATED, UTF8 = 0x02, 0x0A
"""Features that have to be answered: by a refusal, and by saying yes."""

_INTEGRATED, _CHANGES_PASSWORD, _EXTENDED = 0x80, 0x01, 0x10
_NAMES_AT = 36
_SHORT = 86
_FIELDS = ("host", "user", "password", "program", "server", "extension", "library", "language", "database")
_MOST = 128


@dataclass(frozen=True, slots=True)
class Login:
    version: int
    packet_size: int
    process_id: int
    user: str
    password: str = field(repr=False)
    database: str
    program: str
    host: str
    language: str
    library: str
    is_integrated: bool
    changes_password: bool
    features: frozenset[int]


def read_login(data: bytes) -> Login:
    """Raises ProtocolError."""
    if len(data) < _SHORT:
        raise ProtocolError("LOGIN7 is too short")
    reader = Reader(data, 4)
    version, size, _, process = (reader.u32() for _ in range(4))
    options2, options3 = data[25], data[27]
    texts: dict[str, str] = {}
    extension = (0, 0)
    for index, name in enumerate(_FIELDS):
        offset, length = struct.unpack_from("<HH", data, _NAMES_AT + 4 * index)
        if name == "extension":
            extension = offset, length
        elif length > _MOST:
            raise ProtocolError(f"the {name} of LOGIN7 has {length} characters")
        elif name == "password":
            texts[name] = _shown(Reader(data, offset).take(2 * length))
        else:
            texts[name] = Reader(data, offset).text(length)
    features = (
        _features(data, *extension)
        if options3 & _EXTENDED and version >= TDS_74 or version == TDS_80
        else frozenset[int]()
    )
    return Login(
        version=version, packet_size=size, process_id=process, user=texts["user"], password=texts["password"], database=texts["database"],
        program=texts["program"], host=texts["host"], language=texts["language"], library=texts["library"],
        is_integrated=bool(options2 & _INTEGRATED), changes_password=bool(options3 & _CHANGES_PASSWORD), features=features,
    )  # fmt: skip


def _shown(data: bytes) -> str:
    """A password as it was typed: on the way it is only disguised."""
    plain = bytes((b ^ 0xA5) >> 4 | ((b ^ 0xA5) << 4 & 0xF0) for b in data)
    return plain.decode("utf-16-le", "surrogatepass")


def _features(data: bytes, offset: int, length: int) -> frozenset[int]:
    if not length:
        return frozenset()
    reader = Reader(data, Reader(data, offset).u32())
    found: set[int] = set()
    while (feature := reader.byte()) != 0xFF:
        found.add(feature)
        reader.take(reader.u32())
    return frozenset(found)


def spoken_version(wanted: int) -> int:
    """The newest version that both sides speak. Raises ProtocolError for one before 7.0."""
    if wanted == TDS_80:
        return TDS_80
    for version in (TDS_74, _TDS_73B, TDS_73, TDS_72, _TDS_71_1, TDS_71, TDS_70):
        if wanted >> 16 > version >> 16 or (wanted >> 16 == version >> 16 and wanted & 0xF >= version & 0xF):
            return version
    raise ProtocolError(f"version {wanted:08X} is not spoken here")
