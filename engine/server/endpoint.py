"""Where an owner is: the endpoint file beside its store, and the URLs of doors.

It decides what stands in the file, and when it is stale: its process is gone, or it was copied along with a store and
speaks of another file. The file has mode 0600, for it holds a token that makes its reader a sysadmin. Only the owner of
a store writes one, while it holds the store's lock; so whatever stands there then is left over from an owner that has
ended. It must not know how a door is spoken to.
"""

from __future__ import annotations

import contextlib
import os
from typing import Final
from urllib.parse import urlsplit

import msgspec

from sbql.catalog.open_stores import identity
from sbql.grammar.errors import SqlError

__all__ = ["Endpoint", "endpoint_path", "parse_url", "read_endpoint", "remove_endpoint", "write_endpoint"]

_FORMAT: Final = 1
SCHEMES: Final = {"grpc": False, "grpc+tcp": False, "grpc+tls": True}
"""Of URLs: whether the way is encrypted."""


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A door and the way in. `file` is device and inode of the store, () in memory; `certificate` the
    PEM that a TLS door is known by."""

    host: str
    port: int
    token: str = ""
    pid: int = 0
    store_id: str = ""
    file: tuple[int, ...] = ()
    tls: bool = False
    certificate: str = ""
    format: int = _FORMAT

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'grpc+tls' if self.tls else 'grpc'}://{host}:{self.port}"


def endpoint_path(store: str | os.PathLike[str]) -> str:
    """The endpoint file of a store, whatever name the store is called by."""
    return f"{os.path.realpath(store)}.endpoint"


def parse_url(url: str, token: str = "", certificate: str = "") -> Endpoint:
    """The endpoint of `grpc://host:port` or `grpc+tls://host:port`. Raises SqlError 87."""
    try:
        parts = urlsplit(url)
        host, port, scheme = parts.hostname, parts.port, parts.scheme
    except ValueError:
        host = port = scheme = None
    if scheme not in SCHEMES or not host or not port or parts.path or parts.username:
        raise SqlError(87, f"'{url}' is not the address of a server: write grpc://host:port, or grpc+tls://host:port.")
    return Endpoint(host=host, port=port, token=token, tls=SCHEMES[scheme], certificate=certificate)


def is_alive(pid: int) -> bool:
    """Whether there is a process of this number; one of another user counts."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def write_endpoint(store: str, endpoint: Endpoint) -> str:
    """Write the file, in the place of a stale one; nobody sees half of it. Returns its name. Raises OSError."""
    path = endpoint_path(store)
    scratch = f"{path}.{endpoint.pid}"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(scratch)
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(endpoint)))
        os.replace(scratch, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(scratch)
        raise
    return path


def remove_endpoint(path: str, endpoint: Endpoint) -> None:
    """Remove the file, if it is still this owner's."""
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        with open(path, "rb") as file:
            found = msgspec.json.decode(file.read(), type=Endpoint)
        if found.token == endpoint.token:
            os.unlink(path)


def read_endpoint(store: str | os.PathLike[str]) -> Endpoint | None:
    """The endpoint of the store's owner; None when there is no file, or a stale one.

    Raises SqlError 5120 for a file that this user may not read, that is damaged, or that a later version has written.
    """
    path = endpoint_path(store)
    try:
        with open(path, "rb") as file:
            text = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SqlError(
            5120, f"{_CANNOT_READ % (path, error.strerror)} Ask its owner for a named token (sbql serve --tokens)."
        ) from None
    try:
        found = msgspec.json.decode(text, type=Endpoint)
    except msgspec.MsgspecError:
        raise SqlError(
            5120, f"{_CANNOT_READ % (path, 'it is damaged')} When no process serves the store, remove it."
        ) from None
    if found.format != _FORMAT:
        version = f"it is of format {found.format}, and this version of sbql reads format {_FORMAT}"
        raise SqlError(5120, f"{_CANNOT_READ % (path, version)} Use the version of sbql that serves the store.")
    if not is_alive(found.pid) or (found.file and found.file != _file_of(store)):
        return None
    return found


_CANNOT_READ = "The endpoint file '%s', which says how to reach the owner of the store, cannot be read: %s."


def _file_of(store: str | os.PathLike[str]) -> tuple[int, ...]:
    found = identity(store)
    return found if isinstance(found, tuple) else ()
