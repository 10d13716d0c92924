"""The address map: where names in scripts are in fact, so that scripts with the names of
several machines run unchanged on one.

Decides what is written for it: `Trader:4022=127.0.0.1:40221` says where `TCP://Trader:4022` is;
`:4022=127.0.0.1:40221`, without a host, where this instance listens when its own endpoint says 4022. Must not know
sockets. It is loaded without the rest of the network.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

__all__ = ["AddressMap"]


class AddressMap:
    """`entries`: from `host:port` to `host:port`. Raises ValueError for anything else."""

    def __init__(self, entries: Mapping[str, str] | None = None) -> None:
        self._entries: dict[str, str] = {}
        for written, real in (entries or {}).items():
            host, port = _split(written)
            if _split(real)[0] == "":
                raise ValueError(f"the address {written} is mapped to {real}, which has no host: write host:port")
            self._entries[f"{host}:{port}".lower()] = real

    @classmethod
    def parse(cls, texts: Iterable[str]) -> AddressMap:
        """From texts such as `Trader:4022=127.0.0.1:40221`. Raises ValueError."""
        pairs = [text.partition("=") for text in texts]
        for written, equals, _ in pairs:
            if not equals:
                raise ValueError(f"{written!r} maps nothing: write HOST:PORT=HOST:PORT")
        return cls({written.strip(): real.strip() for written, _, real in pairs})

    def far(self, address: str) -> str:
        """Where an address of a route is."""
        return self._entries.get(address.lower(), address)

    def own(self, ip_address: str | None, port: int) -> tuple[str | None, int]:
        """Where to listen for an endpoint of this address (None: all) and port."""
        real = self._entries.get(f":{port}")
        return _split(real) if real is not None else (ip_address, port)


def _split(address: str) -> tuple[str, int]:
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"{address!r} is no address: write host:port")
    return host.strip("[]"), int(port)
